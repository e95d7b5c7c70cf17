/* The operators of a model on sets and relations of bits: the only place with the meaning of each. Concrete evaluation
 * (eval.h) and bounds (bounds.c) both use it. */
#pragma once

#include "base/bits.h"
#include "cat/model.h"

/* The content of a node: `set` of a set, `rel` of a relation. */
struct extent {
  struct bitset set;
  struct bitmat rel;
};

/* out = a OP b; NULL: the operator has no such operand. A complement is relative to all pairs or events. Not for
 * CAT_BUILTIN and CAT_REC. `out` is neither operand. */
void operate(const struct cat_expr *expr, struct extent *out, const struct extent *a, const struct extent *b);

/* True if the result is empty whenever the operands marked as nothing are (pass false for operands that the operator
 * lacks). False: the result depends. */
bool operate_on_nothing(enum cat_op op, bool a_is_nothing, bool b_is_nothing);
