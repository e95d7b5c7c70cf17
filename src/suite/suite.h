/* Runs suites of many tests in worker processes, compares results with expectations, and reports in several formats.
 *
 * Part of the tool, not of the library, because it starts processes and writes files. It uses only ptxlit.h and base/.
 */
#pragma once

#include "base/base.h"
#include "ptxlit.h"

/* The formats of a report: FORMAT(name, "description"), where the name is the option's word, and format_NAME.c
 * implements it. The first one is the default. */
#define SUITE_FORMATS(FORMAT)                                                                                          \
  FORMAT(text, "for people: a table when there are several models, with rows that differ marked *, then the summary, " \
               "then a line for each result that is not right")                                                        \
  FORMAT(json, "JSON Lines, see JSON")                                                                                 \
  FORMAT(junit, "JUnit's XML")                                                                                         \
  FORMAT(tap, "TAP version 14")                                                                                        \
  FORMAT(github, "annotations of GitHub Actions")                                                                      \
  FORMAT(sarif, "SARIF 2.1.0, for code scanning")                                                                      \
  FORMAT(html, "one page of HTML, with a table of the results")

struct report_format;

/* The format of this name, which must exist. */
const struct report_format *suite_format(const char *name);

/* The destination of a report; never a file that the run reads. */
struct suite_output {
  const struct report_format *format;
  const char *path; /* NULL: standard output; with a path, the summary goes to standard output */
};

struct suite_words {
  char *const *items;
  size_t count;
};

/* Certifies a result with other solvers, and attaches their answers. Called in a worker process. */
typedef void suite_certifier(void *state, size_t test, size_t model, const struct ptxlit_result *result);

enum { SUITE_MOST_SHARDS = 1000000 };

struct suite_options {
  struct ptxlit *session; /* a session with its models loaded, and same_names set */
  struct ptxlit_options check;
  struct suite_words files;   /* the whole suite, in the order of its results; empty with `rerun`: its files */
  struct suite_words filters; /* none: every test */
  struct suite_words expect;  /* files with expectations */
  struct suite_output output;
  const char *rerun;        /* only the tests that were not right in this JSON report; NULL: all */
  suite_certifier *certify; /* NULL: none; with it, `check` must also have certify */
  void *certify_state;
  uint32_t jobs;               /* worker processes, at least 1 */
  uint64_t memory;             /* bytes of address space for a worker, from --memory; 0: not given */
  uint64_t room;               /* the actual limit in bytes; 0: none */
  uint32_t shard, shard_count; /* 1 <= shard <= shard_count <= SUITE_MOST_SHARDS; 0 of 0: everything */
  bool fail_fast;
  bool strict;   /* a result that is new or has a remark fails */
  bool qualify;  /* a test's name is FILE:NAME */
  bool progress; /* draw a bar on standard error */
};

/* Runs the suite and writes the report. Errors go to standard error. */
enum ptxlit_status suite_run(const struct suite_options *options);

/* Joins the JSON reports of all shards of one run into one report. Reading a pipe may take `timeout` seconds; 0: no
 * limit. */
enum ptxlit_status suite_merge(struct suite_words files, struct suite_output output, double timeout);

/* Prints the differences between runs A and B: PTXLIT_UNMET if more than the timing differs. `timeout` as for merge. */
enum ptxlit_status suite_diff(const char *a, const char *b, double timeout);

/* A report about single results, in a format of these, to standard output. NULL: it cannot be written. */
struct suite_report;
struct suite_report *suite_report_open(const char *format);
/* Adds a result of the library as JSON. A test that expects nothing fails if it is not safe. */
void suite_report_add(struct suite_report *report, const char *json);
void suite_report_close(struct suite_report *report);
