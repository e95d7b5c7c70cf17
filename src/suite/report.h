/* A report of a run: one of the formats, written as results come in, and the summary that a person reads first. */
#ifndef PTXLIT_SUITE_REPORT_H
#define PTXLIT_SUITE_REPORT_H

#include <stdio.h>

#include "suite/record.h"
#include "suite/suite.h"

/* How the run ended. */
struct report_end {
  double seconds;
  uint64_t not_run; /* files */
  const char *why;  /* why they were not run: "interrupted"; NULL when all were */
};

/* The results of one test under all models, for tables. */
struct report_row {
  char *test, *file;
  const char **cells; /* one for each model; NULL: no result */
  enum suite_result worst;
  uint32_t filled;
};

struct report {
  struct arena arena, row_arena;
  struct suite_output output;
  FILE *file;
  const char *const *models;
  size_t model_count;
  uint64_t counts[RESULT_COUNT], total;
  struct text failures; /* for the summary: a line for each */
  struct report_row row;
  void *state; /* of the format */
  double ms;   /* spent on all results */
  enum ptxlit_status status;
  bool broken; /* neither the output nor standard output takes more */
};

/* Opens the output, and starts the report. `run` describes the run, for the JSON format; it and the models are borrowed
 * until report_close. False when the output cannot be written: then nothing need be run. */
bool report_open(struct report *report, struct suite_output output, const json_t *run, const char *const *models,
                 size_t model_count);
/* Adds a judged result. Results of one test under several models follow each other. */
void report_add(struct report *report, const struct record *record);
/* Ends the report, writes the summary and gives the worst status of all. */
enum ptxlit_status report_close(struct report *report, const struct report_end *end);

/* A format: what is written at the start, for each result, and at the end. Any of them may be NULL. */
struct report_format {
  void (*begin)(struct report *report, const json_t *run, struct text *out);
  void (*add)(struct report *report, const struct record *record, struct text *out);
  void (*end)(struct report *report, const struct report_end *end, struct text *out);
};
extern const struct report_format format_log, format_json, format_junit, format_tap, format_csv;

/* JSON on one line. */
void report_json_line(const json_t *json, struct text *out);

#endif
