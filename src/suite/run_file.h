/* Reading the JSON report of a run again: for `merge`, `diff` and `--expect`. */
#pragma once

#include "suite/record.h"

struct run_file {
  const char *path;
  FILE *file;
  char *line; /* the buffer of getline */
  size_t room;
  uint64_t number; /* of the line last read */
  json_t *run;     /* the run, from the first line; NULL: not there, as in the output of `ptxlit -f json` */
  json_t *end;     /* the last line; NULL until it is read */
  bool failed;     /* something was wrong, and has been said, unless the file is read quietly */
  bool quiet;      /* an entry of the cache: errors in it are not reported */
};

/* Reads what a file says of the run. `open` is what input_open gave for the path, and closed by run_file_close. False,
 * said on stderr, when it cannot be read; errno then says why where `open` is NULL. */
bool run_file_open(struct run_file *file, const char *path, FILE *open, bool quiet);
/* The next result. False at the end, and where the file is wrong: that is said on stderr with file and line. */
bool run_file_next(struct run_file *file, struct record *out);
void run_file_close(struct run_file *file);

/* Calls `visit` for each result of the file, and at its end says as a warning when the run had not come to its own. The
 * record is released after. False when something was wrong. */
typedef void run_visitor(void *state, struct record *record, const struct run_file *file);
bool run_file_each(const char *path, FILE *open, run_visitor *visit, void *state);
