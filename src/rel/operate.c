#include "rel/operate.h"

/* Boolean operators, on sets and on relations alike: both are words. */
static void boolean(const struct cat_expr *x, struct extent *out, const struct extent *a, const struct extent *b) {
  const size_t length = x->is_set ? bitset_words(out->set.n) : (size_t)out->rel.n * out->rel.stride;
  const uint64_t *p = x->is_set ? a->set.words : a->rel.words, *q = x->is_set ? b->set.words : b->rel.words;
  uint64_t *to = x->is_set ? out->set.words : out->rel.words;
  for (size_t i = 0; i < length && x->op == CAT_UNION; i++) to[i] = p[i] | q[i];
  for (size_t i = 0; i < length && x->op == CAT_INTER; i++) to[i] = p[i] & q[i];
  for (size_t i = 0; i < length && x->op == CAT_DIFF; i++) to[i] = p[i] & ~q[i];
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
    case CAT_DIFF: boolean(x, out, a, b); return;
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
  const unsigned falls = cat_operator(op)->falls;
  if (op == CAT_EMPTY) return true;
  return op == CAT_UNION ? a && b : falls != 1 && (a || (b && falls != 2));
}
