/* Reads the results of runs on GPUs, lines of JSON, and adds them up by test.
 *
 * A line is an object with "format" 1, "test", "hash" (of the test's behaviour), "text" (the test itself), and either
 * "left_out" (why it was not run) or "device", "driver", "compiler", "flags", "runs", "seconds", "unfinished", "ended"
 * ("done", "hang": the test did not end, "fault": the device stopped it) and "outcomes", an array of {"state",
 * "count"}. Unknown members are ignored. */
#pragma once

#include "diag/diag.h"

struct seen_outcome {
  const char *state; /* in the form that the tool prints: "0:r0=1; x=2;" */
  uint64_t count;
};

struct seen_machine {
  const char *device, *driver, *compiler, *flags;
  uint64_t runs;
  double seconds;
};

struct seen_test {
  const char *name, *hash, *text;
  const char *left_out; /* why the test was not run; NULL once it was run */
  uint64_t runs;        /* instances, unfinished ones included */
  uint64_t unfinished;  /* instances that ran out of steps and have no outcome */
  uint64_t hangs, faults;
  VEC(struct seen_machine) machines;
  VEC(struct seen_outcome) outcomes; /* once sorted, the most frequent outcome first */
};

struct sightings {
  VEC(struct seen_test) tests; /* in the order of their first results */
};

/* Adds the results of a file; all storage is the arena's. False, with a message, if a line is invalid; such a line adds
 * nothing. A sum that overflows 64 bits is also invalid. */
bool seen_read(struct arena *arena, struct diags *diags, const struct source *source, struct sightings *seen);

/* The test with this hash, or NULL. */
const struct seen_test *seen_find(const struct sightings *seen, const char *hash);

/* The number of times that a state was seen. */
uint64_t seen_count(const struct seen_test *test, const char *state);
