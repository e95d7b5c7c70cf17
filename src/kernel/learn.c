/* Learns values of registers from the direction that a branch took. */
#include "kernel/run.h"

enum { NOT_LEARNT = UINT32_MAX, MOST_COUNTED = 15 };

/* The only leaf of a term; TERM_FALSE: it has none, or several. Operands have smaller numbers. */
term_id learn_only_leaf(struct learning *l, term_id id) {
  struct terms *t = l->terms;
  for (term_id next = l->list.len; next <= id; next++) {
    term_id operands[3], leaf = TERM_FALSE;
    unsigned count = term_operands(t, next, operands);
    bool several = false;
    if (term_op_is_leaf(term_get(t, next)->op)) leaf = next;
    for (unsigned i = 0; i < count; i++) {
      term_id of = l->list.data[operands[i]].leaf;
      if (term_is_const(t, operands[i])) continue;
      several = several || of == TERM_FALSE || (leaf != TERM_FALSE && of != leaf);
      leaf = of;
    }
    VEC_PUSH(t->arena, &l->list, (struct learned){.leaf = several || term_is_const(t, next) ? TERM_FALSE : leaf});
  }
  return l->list.data[id].leaf;
}

enum { DEEP = 24 };

/* Replaces the leaf of a term by a value, down to a depth of DEEP. */
static term_id put_in(struct learning *l, term_id id, term_id value, unsigned depth) {
  struct terms *t = l->terms;
  term_id operands[3] = {0}, to = id;
  const struct term term = *term_get(t, id);
  if (depth == DEEP || learn_only_leaf(l, id) == TERM_FALSE) return id;
  if (term_op_is_leaf(term.op)) return value;
  if (l->list.data[id].round == l->round) return l->list.data[id].now;
  unsigned count = term_operands(t, id, operands);
  for (unsigned i = 0; i < count; i++) operands[i] = put_in(l, operands[i], value, depth + 1);
  if (term.op == TERM_NOT) to = term_not(t, operands[0]);
  else if (term.op == TERM_POPC) to = term_popc(t, operands[0]);
  else if (term.op == TERM_ZEXT || term.op == TERM_SEXT)
    to = term_resize(t, operands[0], term.width, term.op == TERM_SEXT);
  else if (term.op == TERM_ITE) to = term_ite(t, operands[0], operands[1], operands[2]);
  else to = term_binary(t, term.op, operands[0], operands[1]);
  l->list.data[id].now = to;
  l->list.data[id].round = l->round;
  return to;
}

/* The only value of those in `few` with which a condition on the leaf holds, or NOT_LEARNT. */
static term_id only_value(struct learning *l, term_id condition, term_id leaf, const struct few *few) {
  term_id found = NOT_LEARNT;
  for (uint32_t i = 0; i < few->count; i++) {
    term_id value = term_const(l->terms, few->values[i], term_get(l->terms, leaf)->width);
    l->round++;
    if (put_in(l, condition, value, 0) == TERM_FALSE) continue;
    if (found != NOT_LEARNT) return NOT_LEARNT;
    found = value;
  }
  return found;
}

/* The value of a leaf that follows from a condition that compares the leaf with a constant, or NOT_LEARNT. */
static term_id equated(struct learning *l, term_id condition, term_id leaf) {
  struct terms *t = l->terms;
  const struct term *term = term_get(t, condition);
  unsigned width = term_get(t, leaf)->width;
  uint32_t few = l->list.data[leaf].few;
  if (few) return only_value(l, condition, leaf, &l->few.data[few - 1]);
  if (width == 1) return only_value(l, condition, leaf, &(struct few){.count = 2, .values = {0, 1}});
  if (term->op != TERM_EQ) return NOT_LEARNT;
  term_id other = term_is_const(t, term->a) ? term->a : term->b, own = other == term->a ? term->b : term->a;
  while (term_get(t, own)->op == TERM_ZEXT && term_get(t, term_get(t, own)->a)->width < term_get(t, own)->width)
    own = term_get(t, own)->a;
  if (own != leaf || !term_is_const(t, other)) return NOT_LEARNT;
  return term_const(t, term_get(t, other)->constant, width);
}

void learn_replace(struct learning *l, struct reg_state *regs, uint32_t count, term_id leaf, term_id value) {
  l->round++;
  for (uint32_t i = 0; i < count; i++)
    if (learn_only_leaf(l, regs[i].value) == leaf) regs[i].value = put_in(l, regs[i].value, value, 0);
}

void learn(struct learning *l, struct reg_state *regs, uint32_t count, term_id condition) {
  for (term_id leaf = learn_only_leaf(l, condition); leaf != TERM_FALSE; leaf = learn_only_leaf(l, condition)) {
    term_id value = equated(l, condition, leaf);
    if (value == NOT_LEARNT) return;
    learn_replace(l, regs, count, leaf, value);
    struct learned vote = l->list.data[leaf];
    if (vote.condition == TERM_FALSE || value != (vote.all ? TERM_TRUE : TERM_FALSE)) return;
    condition = vote.all ? vote.condition : term_not(l->terms, vote.condition);
  }
}

static bool excludes(struct learning *l, term_id condition, value_t value, unsigned width) {
  l->round++;
  return put_in(l, condition, term_const(l->terms, value, width), 0) == TERM_FALSE;
}

uint32_t learn_limit(struct learning *l, term_id condition) {
  term_id leaf = learn_only_leaf(l, condition);
  unsigned width = leaf == TERM_FALSE ? 1 : term_get(l->terms, leaf)->width;
  uint32_t value = 0;
  if (width == 1 || !excludes(l, condition, value_mask(width - 2), width)) return 0;
  while (value <= MOST_COUNTED && !excludes(l, condition, value, width)) value++;
  return value > MOST_COUNTED ? 0 : value;
}

uint32_t learn_few(struct learning *l, const struct few *few) {
  for (uint32_t i = 0; i < l->few.len; i++)
    if (memcmp(&l->few.data[i], few, sizeof *few) == 0) return i + 1;
  VEC_PUSH(l->terms->arena, &l->few, *few);
  return l->few.len;
}

void learn_leaf(struct learning *l, term_id leaf, uint32_t few) {
  if (learn_only_leaf(l, leaf) == leaf) l->list.data[leaf].few = few;
}

uint32_t learnt_few(struct learning *l, term_id term) {
  return learn_only_leaf(l, term) == term ? l->list.data[term].few : 0;
}

void learn_vote(struct learning *l, term_id leaf, term_id condition, bool all) {
  if (learn_only_leaf(l, leaf) != leaf) return;
  l->list.data[leaf].condition = condition;
  l->list.data[leaf].all = all;
}
