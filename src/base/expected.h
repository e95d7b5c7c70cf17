/* The words for expected results, in the head of a test and in files of expectations. In src/base because both the
 * library and the suite read them. */
#pragma once

#include "base/base.h"

/* The member of a result that a word is about; its values are the values in the result's JSON. */
enum expected_about { ABOUT_HOLDS, ABOUT_OBSERVATION, ABOUT_VERDICT, ABOUT_TERMINATION };

struct expected {
  const char *word;
  enum expected_about about;
  const char *value;
};

/* The row of a word; NULL if there is no such word, or `word` is NULL. */
const struct expected *expected_find(const char *word);
/* True if `value`, of the member that the word is about, meets the expectation; NULL: the result lacks the member. */
bool expected_is_met(const struct expected *expected, const char *value);
/* All rows, and the list of their words for a message. */
enum { EXPECTED_COUNT = 17 };
extern const struct expected expected_rows[EXPECTED_COUNT];
extern const char *const expected_words;
