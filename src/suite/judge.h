/* What a result means: compares it with what is expected, and passes it on to the report. */
#ifndef PTXLIT_SUITE_JUDGE_H
#define PTXLIT_SUITE_JUDGE_H

#include "suite/answer.h"
#include "suite/names.h"
#include "suite/report.h"
#include "suite/wanted.h"

struct judge {
  const struct suite_options *options;
  struct report report;
  struct wanted wanted;
  struct names names;
  const char **models;
  bool failed; /* with fail_fast: some result is not right */
};

/* Opens the report. False when there is no use in running. */
bool judge_open(struct judge *judge, const struct suite_options *options);

/* Judges a result of a file of the suite under a model (or NO_MODEL), and adds the bytes of the answer that says it
 * (see answer.h) to `out`. Takes `json` over; `printed` is the same as text, or NULL. Changes nothing here: workers do
 * it. */
void judge_answer(const struct judge *judge, json_t *json, const struct printed *printed, uint32_t file, int32_t model,
                  struct text *out);
/* The same of a record, which is released. */
void judge_found(const struct judge *judge, struct record *record, const char *line, uint32_t file, int32_t model,
                 struct text *out);

/* Takes the bytes of such an answer in its turn. False: stop, judge_why says why. */
bool judge_take(struct judge *judge, uint32_t file, const char *bytes);
const char *judge_why(const struct judge *judge);

/* What a worker was at when it was lost. */
struct lost_test {
  const char *name;
  uint32_t line, model;
};

/* The same for a test of the file whose worker is lost; for the whole file when `test` is NULL: it was being read. */
void judge_lost(const struct judge *judge, uint32_t file, const struct lost_test *test, struct loss loss,
                struct text *out);

enum ptxlit_status judge_close(struct judge *judge, const struct report_end *end);

#endif
