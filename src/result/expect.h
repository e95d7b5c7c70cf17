/* What a test says its result should be: header lines `Expect=ptx:Never sc:Never tso:Sometimes`.
 *
 * A result is the observation of the condition's predicate (Never, Sometimes, Always), whether the condition `holds` or
 * `fails`, or `undefined` or `unknown`. A model that is not named has no expectation. Several Expect lines add up.
 */
#ifndef PTXLIT_EXPECT_H
#define PTXLIT_EXPECT_H

#include "base/hash.h"
#include "diag/diag.h"
#include "litmus/ast.h"
#include "result/result.h"

struct expectation {
  const char *model, *word;
  struct span span; /* "ptx:Never" in the test */
};

struct expectations {
  VEC(struct expectation) list;
  struct hash_index by_model;
};

/* Reads the Expect lines of a test. Malformed ones, unknown results and a model named twice are errors in diags. */
void expect_read(struct arena *arena, struct diags *diags, const struct litmus_test *test, struct expectations *out);

/* The expectation for a model, or NULL. */
const struct expectation *expect_find(const struct expectations *expectations, const char *model);

/* The result in the words of Expect. */
const char *expect_found(const struct result *result);

bool expect_met(const struct expectation *expectation, const struct result *result);

#endif
