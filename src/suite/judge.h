/* What a result means: compares it with what is expected, and passes it on to the report. */
#ifndef PTXLIT_SUITE_JUDGE_H
#define PTXLIT_SUITE_JUDGE_H

#include "suite/names.h"
#include "suite/report.h"
#include "suite/wanted.h"

struct judge {
  const struct suite_options *options;
  struct report report;
  struct wanted wanted;
  struct names names;
  json_t *run; /* what the report says of the run */
  const char **models;
  bool warned; /* about the cache */
  bool failed; /* with fail_fast: some result is not right */
};

/* Opens the report. False when there is no use in running. */
bool judge_open(struct judge *judge, const struct suite_options *options);

/* Takes one answer of a worker (worker.h) about a file of the suite. False: stop, judge_why says why. */
bool judge_line(struct judge *judge, uint32_t file, const char *line);
const char *judge_why(const struct judge *judge);

/* The result of a test whose worker is lost; of the whole file when `test` is NULL: it was being read. */
json_t *judge_lost(const struct judge *judge, const char *path, const json_t *test, uint32_t model, const char *why);

enum ptxlit_status judge_close(struct judge *judge, const struct report_end *end);

#endif
