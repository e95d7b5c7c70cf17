/* Reads the JSON report of an earlier run, for `merge`, `diff` and `--expect`. */
#pragma once

#include "suite/record.h"

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
