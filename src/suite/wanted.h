/* Expectations from files: a CSV, or the JSON report of a previous run. They come before those in the tests' heads. */
#ifndef PTXLIT_SUITE_WANTED_H
#define PTXLIT_SUITE_WANTED_H

#include "suite/record.h"
#include "suite/suite.h"

struct wanted {
  json_t *by_path; /* real path, a tab and the model or nothing -> {"word", "from", "line", "used"} */
  json_t *by_name; /* test, a tab and the model -> the same */
  bool failed;     /* some file was wrong; it has been said */
};

/* Reads all files. A CSV has lines PATH,RESULT or PATH,RESULT,MODEL, in which PATH is relative to the CSV's directory
 * or to the present one, and RESULT is 1, 0 or a word of wanted_is_word; lines that start with # and a first line that
 * names the columns are passed over. A FILE written as MODEL=FILE is for that model only. Everything wrong is said on
 * stderr with file and line, and the rest is still used. */
void wanted_read(struct wanted *wanted, struct suite_words files);
/* What is expected, or NULL: by the test's path, or by its name. */
const char *wanted_find(struct wanted *wanted, const struct record *record);
/* Says which expectations are for tests that a previous run had and this one has not; their number. */
uint64_t wanted_report_unused(const struct wanted *wanted);
void wanted_release(struct wanted *wanted);

#endif
