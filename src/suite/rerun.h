/* What was not right in an earlier run, from its JSON report. */
#ifndef PTXLIT_SUITE_RERUN_H
#define PTXLIT_SUITE_RERUN_H

#include "base/json.h"
#include "base/vec.h"
#include "suite/suite.h"

struct rerun {
  struct arena arena;
  struct json wanted; /* the file and, after a tab, the test, or nothing for all of the file */
  VEC(char *) files;  /* in the order of the report */
  bool wrong;         /* it is no report of a suite; that has been said */
};

/* False, said on stderr, when something is wrong with the report. To be released either way. */
bool rerun_read(struct rerun *rerun, const char *report, double deadline);
/* Whether a test is among them. */
bool rerun_wants(const struct rerun *rerun, const char *file, const char *test);
void rerun_release(struct rerun *rerun);

#endif
