/* The report of a run, in one of the formats, written while results arrive, and its summary for humans. */
#pragma once

#include "base/hash.h"
#include "suite/record.h"
#include "suite/suite.h"

/* How the run ended. */
struct report_end {
  double seconds;
  uint64_t not_run; /* files */
  const char *why;  /* why these files were not run: "interrupted"; NULL: all were run */
  bool wanted;      /* the user asked to stop there, so that it is not a failure */
};

/* The results of one test under all models, for tables. */
struct report_row {
  char *test, *file;
  const char *why;    /* of the first result that is not right; NULL: all are right */
  const char **cells; /* one per model: the result, or "-" */
  enum suite_result worst;
  bool differ;   /* the models do not agree */
  bool remarked; /* some result has a remark */
};

struct report {
  struct arena arena, row_arena, batch_arena;
  struct suite_output output;
  int fd;              /* the output's descriptor; -1: a file that is not made yet */
  char *part;          /* the temporary name of the file; NULL: it has its final name */
  char *target;        /* the final name of the file; NULL: it has this name, or the name is not known yet */
  const char *name;    /* the output's name in messages */
  struct text below;   /* for a format whose head is written last: the text after the head */
  const char **models; /* the columns of a table */
  size_t model_count;
  bool joined; /* the results of all models share one column */
  uint64_t counts[RESULT_COUNT], total;
  uint64_t remarked;    /* the number of results that are right and have a remark */
  struct text failures; /* for the summary: one line per failure */
  struct text batch;    /* text that is not yet written */
  size_t list_at;       /* the offset in a result at which outcomes that are not in its JSON belong */
  struct report_row row;
  struct json rules;      /* format sarif: the rules of the results, by id */
  uint64_t sarif_results; /* format sarif: those written */
  double ms; /* the time spent on all results */
  enum ptxlit_status status;
  bool broken; /* writing to the output failed */
};

/* Opens the output, and starts the report. `run` describes the run (run_head.c). False if the output cannot be written;
 * then running is useless. */
bool report_open(struct report *report, struct suite_output output, const json_t *run);
/* Adds a judged result. Results of one test under several models follow each other. */
void report_add(struct report *report, const struct record *record);
/* Writes out the added text. To be called regularly, at the latest when no result arrives. */
void report_flush(struct report *report);
/* Ends the report, writes the summary and returns the worst status. */
enum ptxlit_status report_close(struct report *report, const struct report_end *end);

/* A format: its writers for the start, for each result and for the end. Any of them may be NULL. */
struct report_format {
  void (*begin)(struct report *report, const json_t *run, struct text *out);
  void (*add)(struct report *report, const struct record *record, struct text *out);
  void (*end)(struct report *report, const struct report_end *end, struct text *out);
  bool outcomes;    /* `add` lists outcomes, in a JSON array */
  bool head_last;   /* `end` writes the whole report, with report->below for the text of `add` */
  bool has_summary; /* the report contains the summary */
};

#define FORMAT(name, what) extern const struct report_format format_##name;
SUITE_FORMATS(FORMAT)
#undef FORMAT

/* Marks the current end of a result as the place for the outcomes that are not in its JSON. */
void report_outcomes(struct report *report, const struct text *out);

/* Writes the complete row of `report`. Tables have one row per test, and one column per model. */
typedef void table_row(const struct report *report, struct text *out);
/* Adds a result to its row; if it starts a new row, writes the previous row. */
void table_add(struct report *report, const struct record *record, table_row *write, struct text *out);
/* Writes the last row, if there is one. */
void table_end(struct report *report, table_row *write, struct text *out);

/* ---- names.c: the names of the tests of a run, to find a second test of one name */
struct named_test {
  const char *name, *path;
  uint32_t file, line;
};

struct names {
  struct arena arena;
  VEC(struct named_test) tests;
  struct hash_index index;
};

/* Records a test of file number `file` of the suite. Returns the place of a test of the same name in another file,
 * allocated in `arena`, or NULL. The path is kept, not copied. */
const char *names_add(struct names *names, const char *name, uint32_t file, const char *path, uint32_t line,
                      struct arena *arena);
void names_release(struct names *names);

/* ---- progress.c: a progress bar on standard error: the part of the run that is done, its speed, the time left */
struct progress_bar {
  bool on, drawn;
  uint32_t files;
  double start, last;
};

void progress_start(struct progress_bar *progress, bool on, uint32_t files, double now);
/* Redraws the bar, at most ten times a second. */
void progress_draw(struct progress_bar *progress, uint32_t done, const struct report *report);
/* Clears the bar, before anything else is written. */
void progress_clear(struct progress_bar *progress);
