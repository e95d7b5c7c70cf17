#include "rel/operate.h"

static void on_sets(enum cat_op op, struct bitset out, struct bitset a, struct bitset b) {
  bitset_set(out, a);
  if (op == CAT_UNION) bitset_or(out, b);
  if (op == CAT_INTER) bitset_and(out, b);
  if (op == CAT_DIFF) bitset_minus(out, b);
}

static void on_relations(enum cat_op op, struct bitmat out, struct bitmat a, struct bitmat b) {
  if (op == CAT_UNION) bitmat_union(out, a, b);
  else bitmat_set(out, a);
  if (op == CAT_INTER) bitmat_and(out, b);
  if (op == CAT_DIFF) bitmat_minus(out, b);
}

static void product(struct bitmat out, struct bitset a, struct bitset b) {
  bitmat_clear(out);
  EACH (i, a) bitset_set(bitmat_row_set(out, i), b);
}

static void identity(struct bitmat out, struct bitset a) {
  bitmat_clear(out);
  EACH (i, a) bitmat_add(out, i, i);
}

static void domain(struct bitset out, struct bitmat a) {
  bitset_clear(out);
  for (uint32_t i = 0; i < a.n; i++)
    if (!bitset_empty(bitmat_row_set(a, i))) bitset_add(out, i);
}

static void range(struct bitset out, struct bitmat a) {
  bitset_clear(out);
  for (uint32_t i = 0; i < a.n; i++) bitset_or(out, bitmat_row_set(a, i));
}

void operate(const struct cat_expr *x, struct extent *out, const struct extent *a, const struct extent *b) {
  switch (x->op) {
    case CAT_EMPTY:
      if (x->is_set) bitset_clear(out->set);
      else bitmat_clear(out->rel);
      return;
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF:
      if (x->is_set) on_sets(x->op, out->set, a->set, b->set);
      else on_relations(x->op, out->rel, a->rel, b->rel);
      return;
    case CAT_COMPL:
      if (x->is_set) bitset_fill(out->set), bitset_minus(out->set, a->set);
      else bitmat_fill(out->rel), bitmat_minus(out->rel, a->rel);
      return;
    case CAT_SEQ: bitmat_compose(out->rel, a->rel, b->rel); return;
    case CAT_INVERSE: bitmat_inverse(out->rel, a->rel); return;
    case CAT_PLUS: bitmat_set(out->rel, a->rel), bitmat_closure(out->rel); return;
    case CAT_PRODUCT: product(out->rel, a->set, b->set); return;
    case CAT_IDENTITY: identity(out->rel, a->set); return;
    case CAT_DOMAIN: domain(out->set, a->rel); return;
    case CAT_RANGE: range(out->set, a->rel); return;
    case CAT_BUILTIN:
    case CAT_REC: break;
  }
  BUG("operator %d has no operands", (int)x->op);
}

bool operate_on_nothing(enum cat_op op, bool a, bool b) {
  switch (op) {
    case CAT_EMPTY: return true;
    case CAT_UNION: return a && b;
    case CAT_INTER:
    case CAT_SEQ:
    case CAT_PRODUCT: return a || b;
    case CAT_DIFF:
    case CAT_INVERSE:
    case CAT_PLUS:
    case CAT_IDENTITY:
    case CAT_DOMAIN:
    case CAT_RANGE: return a;
    case CAT_COMPL:
    case CAT_BUILTIN:
    case CAT_REC: return false;
  }
  BUG("operator %d", (int)op);
}
