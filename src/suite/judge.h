/* Compares each result with the expected one, and passes it on to the report. */
#pragma once

#include "suite/report.h"
#include "suite/wanted.h"

struct judge {
  const struct suite_options *options;
  struct report report;
  struct wanted wanted;
  struct names names;
  struct arena arena; /* holds the models */
  bool failed;        /* with fail_fast: some result is not right */
};

/* Opens the report. False if the run cannot succeed. */
bool judge_open(struct judge *judge, const struct suite_options *options);

/* Judges a result of a file of the suite, given as the JSON line of a record, and adds it to the report. To be called
 * in the order of the suite. False: the run must stop, for the reason that judge_why gives. */
bool judge_take(struct judge *judge, uint32_t file, const char *line, const struct outcome_text *outcomes);
const char *judge_why(const struct judge *judge);

/* The test that a worker was checking when it was lost. */
struct lost_test {
  const char *name;
  uint32_t line, model;
  bool cuda;
};

/* Adds the JSON line of a result for a test whose worker was lost; `test` NULL: for the file, which was being read. */
void judge_lost(const struct judge *judge, uint32_t file, const struct lost_test *test, struct loss loss,
                struct text *out);

/* Judges a result that belongs to no suite. */
void judge_alone(struct record *record, struct arena *arena);

enum ptxlit_status judge_close(struct judge *judge, const struct report_end *end);

/* ---- run_head.c: the first line of a JSON report: the facts of its run, on which all shards agree */
/* The models of a run, and digests of their texts: two models of one name may differ. `by_language`: there are two, and
 * the language of a test determines its model. */
struct run_models {
  const char **names, **digests;
  size_t count;
  bool by_language;
};

struct run_models run_models(struct ptxlit *session, struct arena *arena);

void put_run(struct json run, const struct suite_options *options, const struct run_models *models);
