/* Compares a test's outcomes on GPUs with the outcomes that a model allows. */
#pragma once

#include "chip/seen.h"
#include "search/check.h"

enum judgement {
  JUDGED_ALLOWED,   /* among the outcomes that the model allows */
  JUDGED_FORBIDDEN, /* not among them */
  JUDGED_UNDEFINED, /* the test is undefined: the model promises nothing */
  JUDGED_OPEN,      /* the model's outcomes are not all known */
  JUDGED_STRANGE,   /* not a state of this test */
};

struct judged_outcome {
  enum judgement judgement;
  bool satisfies; /* the outcome satisfies the filter and the condition's predicate */
};

struct judged {
  const struct seen_test *seen;
  const struct result *result;     /* the model's result for the test without its filter */
  struct judged_outcome *outcomes; /* for each outcome seen, in their order */
  uint64_t forbidden;              /* the number of times that forbidden outcomes were seen, strange ones included */
  uint64_t met;                    /* the number of times that the condition's predicate was met */
  uint32_t never_count;            /* allowed outcomes that were never seen */
  uint32_t open;                   /* outcomes that are open */
  enum judgement hangs, faults;    /* the judgement of hangs and faults, if there were any */
};

/* Judges the observed outcomes; `result` must be of the program without its filter. All storage is the arena's. */
void judge_seen(struct arena *arena, const struct program *program, const struct result *result,
                const struct seen_test *seen, struct judged *judged);

/* True if the model forbids something seen. */
bool judged_contradicts(const struct judged *judged);

/* Counts the sightings of outcomes that pass the filter and satisfy (if `satisfies` is false, violate) the condition's
 * predicate. False if the results lack a value that this needs. */
bool judge_met(struct arena *arena, const struct program *program, const struct seen_test *seen, bool satisfies,
               uint64_t *count);

/* "seen 3 times in 2.5e+09 runs on NVIDIA H200", "never seen in ...". */
const char *judge_phrase(struct arena *arena, const struct seen_test *seen, uint64_t count);
