/* The tests that were not right in an earlier run, from its JSON report. */
#pragma once

#include "base/hash.h"
#include "base/vec.h"
#include "suite/suite.h"

struct rerun_test {
  const char *file, *name; /* name: "" for all tests of the file */
};

struct rerun {
  struct arena arena;
  struct hash_index index; /* of the tests, by file and name */
  VEC(struct rerun_test) tests;
  VEC(char *) files; /* in the order of the report */
  bool wrong;        /* the file is not a report of a suite; this has been reported */
};

/* False, with a message on stderr, if the report is invalid. The caller releases `rerun` in either case. */
bool rerun_read(struct rerun *rerun, const char *report, double deadline, bool closed);
/* True if the test is to be run again. */
bool rerun_wants(const struct rerun *rerun, const char *file, const char *test);
void rerun_release(struct rerun *rerun);
