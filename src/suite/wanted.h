/* Expectations from files: a CSV, or the JSON report of a previous run. They override expectations in tests' heads. */
#pragma once

#include "base/hash.h"
#include "suite/record.h"
#include "suite/suite.h"

/* One expectation. */
struct wanted_entry {
  const char *word;         /* see wanted_met */
  const char *from;         /* the file that states it */
  const char *what, *model; /* the path as written or the test's name; "" for all models */
  const char *real;         /* the real path; NULL: the expectation names a test */
  uint64_t line;
  bool used;
};

struct wanted {
  struct arena arena;
  const char *const *models; /* of the run */
  size_t model_count;
  bool by_language; /* each test has one of these models: expectations under the others do not count as unused */
  VEC(struct wanted_entry) entries;
  struct hash_index index; /* by real path or name, and model */
  bool failed;             /* some file was invalid, and was reported */
};

/* Reads all files. A CSV has lines PATH,RESULT or PATH,RESULT,MODEL, in which PATH is relative to the CSV's directory
 * or to the current directory, and RESULT is 1, 0 or a word of base/expected.h; lines that start with # and a first
 * line that names the columns are skipped. A FILE written as MODEL=FILE is for that model only. A model that neither
 * the run nor the session knows is an error. Errors are reported on stderr with file and line, and the rest is still
 * used. Reading a pipe may take `seconds` (0: no limit). */
void wanted_read(struct wanted *wanted, struct suite_words files, struct ptxlit *session, double seconds, bool closed);
/* The expected result of a test, or NULL: by its path, or by its name. */
const char *wanted_find(struct wanted *wanted, const struct record *record);
/* Marks all expectations for a file under the models of the run as used. */
void wanted_use_file(struct wanted *wanted, const char *path);
/* Reports expectations under models of the run for tests that it did not have, and returns their number. With
 * `by_path`, only expectations for files, because a shard does not know the names of all tests. */
uint64_t wanted_report_unused(const struct wanted *wanted, bool by_path);
void wanted_release(struct wanted *wanted);
