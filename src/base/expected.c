#include "base/expected.h"

const struct expected expected_rows[EXPECTED_COUNT] = {
    {"1", ABOUT_HOLDS, "true"},
    {"0", ABOUT_HOLDS, "false"},
    {"Never", ABOUT_OBSERVATION, "Never"},
    {"Sometimes", ABOUT_OBSERVATION, "Sometimes"},
    {"Always", ABOUT_OBSERVATION, "Always"},
    {"holds", ABOUT_HOLDS, "true"},
    {"fails", ABOUT_HOLDS, "false"},
    {"allowed", ABOUT_VERDICT, "allowed"},
    {"forbidden", ABOUT_VERDICT, "forbidden"},
    {"undefined", ABOUT_VERDICT, "undefined"},
    {"unknown", ABOUT_VERDICT, "unknown"},
    {"Safe", ABOUT_VERDICT, "safe"},
    {"Unsafe", ABOUT_VERDICT, "unsafe"},
    {"Sequential", ABOUT_VERDICT, "sequential"},
    {"Weak", ABOUT_VERDICT, "weak"},
    {"terminates", ABOUT_TERMINATION, "always"},
    {"hangs", ABOUT_TERMINATION, "not always"},
};

const char *const expected_words = "1, 0, Never, Sometimes, Always, holds, fails, allowed, forbidden, undefined, "
                                   "unknown, Safe, Unsafe, Sequential, Weak, terminates and hangs";

const struct expected *expected_find(const char *word) {
  for (size_t i = 0; word && i < EXPECTED_COUNT; i++)
    if (strcmp(word, expected_rows[i].word) == 0) return &expected_rows[i];
  return NULL;
}

bool expected_is_met(const struct expected *expected, const char *value) {
  return value && strcmp(value, expected->value) == 0;
}
