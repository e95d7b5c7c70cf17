/* What the way that a branch went says of values. */
#include "kernel/run.h"

/* The one leaf that a term is made of, or TERM_FALSE: there are several. */
static term_id only_leaf(const struct terms *t, term_id id) {
  term_id operands[3], leaf = TERM_FALSE;
  const struct term *term = term_get(t, id);
  if (term->op == TERM_CONST) return TERM_FALSE;
  if (term_op_is_leaf(term->op)) return id;
  unsigned count = term_operands(t, id, operands);
  for (unsigned i = 0; i < count; i++) {
    if (term_is_const(t, operands[i])) continue;
    term_id of = only_leaf(t, operands[i]);
    if (of == TERM_FALSE || (leaf != TERM_FALSE && of != leaf)) return TERM_FALSE;
    leaf = of;
  }
  return leaf;
}

enum { DEEP = 24 };

/* The term with a value in the place of a leaf, as far as it is not too deep to be looked at. */
static term_id put_in(struct terms *t, term_id id, term_id leaf, term_id value, unsigned depth) {
  term_id operands[3] = {0};
  if (id == leaf) return value;
  const struct term term = *term_get(t, id);
  if (term_op_is_leaf(term.op) || depth == DEEP) return id;
  unsigned count = term_operands(t, id, operands);
  for (unsigned i = 0; i < count; i++) operands[i] = put_in(t, operands[i], leaf, value, depth + 1);
  if (term.op == TERM_NOT) return term_not(t, operands[0]);
  if (term.op == TERM_POPC) return term_popc(t, operands[0]);
  if (term.op == TERM_ZEXT || term.op == TERM_SEXT)
    return term_resize(t, operands[0], term.width, term.op == TERM_SEXT);
  if (term.op == TERM_ITE) return term_ite(t, operands[0], operands[1], operands[2]);
  if (term.op == TERM_FLOAT) return id;
  return term_binary(t, term.op, operands[0], operands[1]);
}

/* The value of a leaf where a condition that compares it with a constant holds; TERM_FALSE: it is not known. */
static term_id equated(struct terms *t, term_id condition, term_id leaf) {
  const struct term *term = term_get(t, condition), *of = term_get(t, leaf);
  term_id zero = term_const(t, 0, of->width), one = term_const(t, 1, of->width);
  if (of->width == 1) return put_in(t, condition, leaf, one, 0) == TERM_TRUE ? one : zero;
  if (term->op != TERM_EQ) return TERM_FALSE;
  term_id other = term_is_const(t, term->a) ? term->a : term->b, own = other == term->a ? term->b : term->a;
  while (term_get(t, own)->op == TERM_ZEXT && term_get(t, term_get(t, own)->a)->width < term_get(t, own)->width)
    own = term_get(t, own)->a;
  if (own != leaf || !term_is_const(t, other)) return TERM_FALSE;
  return term_const(t, term_get(t, other)->constant, of->width);
}

void learn(struct terms *t, struct reg_state *regs, uint32_t count, term_id condition) {
  term_id leaf = only_leaf(t, condition);
  term_id value = leaf == TERM_FALSE ? leaf : equated(t, condition, leaf);
  if (value == TERM_FALSE) return;
  for (uint32_t i = 0; i < count; i++)
    if (!term_is_const(t, regs[i].value) && only_leaf(t, regs[i].value) == leaf)
      regs[i].value = put_in(t, regs[i].value, leaf, value, 0);
}
