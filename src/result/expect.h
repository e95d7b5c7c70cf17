/* The expected result of a test: header lines `Expect=ptx:Never sc:Never tso:Sometimes`.
 *
 * A result is a word of the table in base/expected.c, as in the files with which a suite is compared. A model that is
 * not named has no expectation. Several Expect lines add up.
 */
#pragma once

#include "base/expected.h"
#include "result/result.h"

struct expectation {
  const char *model, *word;
  struct span span; /* "ptx:Never" in the test */
};

struct expectations {
  VEC(struct expectation) list;
  struct hash_index by_model;
};

/* Reads the Expect lines of a test. Malformed lines, unknown results and a model named twice are errors in diags. */
void expect_read(struct arena *arena, struct diags *diags, const struct litmus_test *test, struct expectations *out);

/* The expectation for a model, or NULL. */
const struct expectation *expect_find(const struct expectations *expectations, const char *model);

/* True if the expectation is about termination, which `check` decides only on request. */
bool expect_asks_for_ends(const struct expectation *expectation);

/* The member of the result as in JSON; NULL: none. */
const char *expect_found(const struct result *result, enum expected_about about);
bool expect_met(const struct expectation *expectation, const struct result *result);
