/* One result of a run, as JSON, and the remarks about it. */
#pragma once

#include "base/told.h"
#include "ptxlit.h"

/* Outcomes in the form of the report, in pieces that a worker sent. */
struct outcome_piece {
  const char *bytes;
  size_t size;
};
struct outcome_text {
  struct arena *arena;
  VEC(struct outcome_piece) pieces;
};

/* The meaning of a result for the run. RESULT(ID, "name", "in the summary", status) */
#define SUITE_RESULTS(RESULT)                                                                                          \
  RESULT(PASS, "pass", "pass", PTXLIT_OK)                                                                              \
  RESULT(FAIL, "fail", "fail", PTXLIT_UNMET)                                                                           \
  RESULT(UNKNOWN, "unknown", "unexpected unknown", PTXLIT_NO_VERDICT)                                                  \
  RESULT(NEW, "new", "new", PTXLIT_OK)                                                                                 \
  RESULT(ERROR, "error", "error", PTXLIT_BAD_INPUT)

enum suite_result {
#define RESULT(id, name, summary, status) RESULT_##id,
  SUITE_RESULTS(RESULT)
#undef RESULT
      RESULT_COUNT
};

const char *result_name(enum suite_result result);
const char *result_summary(enum suite_result result);
enum ptxlit_status result_status(enum suite_result result);

/* Strings belong to `json`; NULL: null, or a missing member. `json` is
 *   - a result as `ptxlit --format=json` prints it, or
 *   - for a file that could not be read {"format", "test":null, "file", "error":"the messages"}
 * and in both cases has, once judged, "suite":{"file":INDEX,"result":NAME,...}. */
struct record {
  json_t *json;
  const char *test, *file, *model, *verdict, *observation, *error;
  const char *expected;   /* a word for the expected result, see wanted_met; NULL: none */
  const char *reason;     /* the reason for unknown or undefined */
  long long line, column; /* 0: not known */
  double ms;
  enum suite_result result;
  uint32_t remarks;     /* the number of remarks, once judged: an array of texts in "suite" */
  bool judged;          /* result is known */
  const struct outcome_text *outcomes; /* if they are not in `json`; else NULL, or without pieces */
};

/* Takes ownership of `json`. False if it is not a result; then it has been released. */
bool record_from_json(json_t *json, struct record *out);
void record_release(struct record *record);

/* Adds remarks to "suite", which are possible even if the result is right: the condition is vacuous, the filter passes
 * nothing, threads may wait for ever, there was a warning. */
void record_remark(struct record *record, struct json suite);
/* The remarks on one line, each after a "; ". */
void record_add_remarks(const struct record *record, struct text *out);
/* Why a result is not certified although that was requested; NULL if it is certified, or that was not requested. */
const char *record_uncertified(const struct record *record);
/* The text of the first message. */
void record_first_error(const char *messages, struct text *out);
/* The reason for the result, on one line: "expected Never, found Sometimes", with the remarks. */
void record_why(const struct record *record, struct text *out);
/* True if the result needs no action. */
bool record_is_right(const struct record *record);
/* True for a launch of a kernel. Several launches of one kernel, in different files, have its name. */
bool record_is_launch(const struct record *record);
/* Names the test FILE:NAME. */
void record_qualify(struct record *record, struct arena *arena);
/* Turns a judged result into an error: a test at another place has the same name. */
void record_set_duplicate(struct record *record, const char *place, struct arena *arena);
/* "file:line" or "file:line:column", as far as it is known. */
void record_place(const struct record *record, struct text *out);
/* The observation, or the verdict if there is none: the value that is compared with an expectation. */
const char *record_found(const struct record *record);

/* True if a result meets a word of base/expected.h. */
bool wanted_met(const char *word, const struct record *record);

/* Begins a result that does not come from the library; `test`: NULL for an error of a file. */
struct json record_new(struct arena *arena, const char *test, const char *file);

/* The reason for a lost result: the id of a row of ptx/reasons.def, and its text. */
struct loss {
  const char *id, *text;
};
extern const char *const loss_worker, *const loss_no_answer, *const loss_out_of_memory; /* ids */
/* Turns a record into a result without a verdict. */
void record_lose(struct json json, struct loss loss);
/* A result for a test that was lost. */
struct json record_lost(struct arena *arena, const char *test, const char *file, uint32_t line, const char *model,
                        struct loss loss);

/* Returns `memory`, never NULL: without memory it prints an error and exits with status 3. */
void *must_have(void *memory);

/* ---- run_file.c: reads the JSON report of an earlier run, for `merge`, `diff` and `--expect` */

struct run_file {
  const char *path;
  FILE *file;
  char *line; /* the buffer of getline */
  size_t room;
  uint64_t number; /* the number of the line read last */
  json_t *run;     /* the run, from the first line; NULL: the file has none, as the output of `ptxlit -f json` */
  json_t *end;     /* the last line; NULL until it is read */
  bool failed;     /* an error was found, and reported */
};

/* Reads a file's first line, about the run. `open` is the result of input_open for the path; run_file_close closes it.
 * False, with a message on stderr, if it cannot be read; if `open` is NULL, errno has the reason. */
bool run_file_open(struct run_file *file, const char *path, FILE *open);
/* The next result. False at the end, and for an invalid file, with a message that names file and line. */
bool run_file_next(struct run_file *file, struct record *out);
void run_file_close(struct run_file *file);

/* Calls `visit` for each result of the file, and releases the record afterwards. Warns at the end if the run was not
 * complete. False on an error. */
typedef void run_visitor(void *state, struct record *record, const struct run_file *file);
bool run_file_each(const char *path, FILE *open, run_visitor *visit, void *state);
