#include "exec/sets.h"

enum { COMBINATION_LIMIT = 1 << 16 };

static const value_t zero = 0;
const struct value_set value_set_zero = {.count = 1, .values = (value_t *)&zero};

bool value_set_top(struct value_set *set) {
  bool changed = !set->top;
  set->top = true;
  return changed;
}

bool value_set_add(struct arena *arena, struct value_set *set, value_t value, uint32_t limit) {
  if (set->top) return false;
  uint32_t low;
  FIRST_NOT(low, set->count, set->values[low] < value);
  if (low < set->count && set->values[low] == value) return false;
  if (set->count >= limit) return value_set_top(set);
  if (!set->values) set->values = ARENA_ARRAY(arena, value_t, limit);
  for (uint32_t i = set->count++; i > low; i--) set->values[i] = set->values[i - 1];
  set->values[low] = value;
  return true;
}

bool value_set_join(struct arena *arena, struct value_set *to, const struct value_set *from, uint32_t limit) {
  bool changed = from->top && value_set_top(to);
  for (uint32_t v = 0; v < from->count && !to->top; v++) changed |= value_set_add(arena, to, from->values[v], limit);
  return changed;
}

bool value_set_combine(struct arena *arena, struct value_set *set, const struct value_set *const operands[3],
                       value_function *function, const void *context, uint32_t limit) {
  const struct value_set *a = operands[0], *b = operands[1], *c = operands[2];
  bool some = true, top = false, changed = false;
  for (int i = 0; i < 3; i++) {
    some &= operands[i]->top || operands[i]->count;
    top |= operands[i]->top;
  }
  if (!some) return false;
  if (top || (uint64_t)a->count * b->count * c->count > COMBINATION_LIMIT) return value_set_top(set);
  for (uint32_t i = 0; i < a->count && !set->top; i++)
    for (uint32_t j = 0; j < b->count && !set->top; j++)
      for (uint32_t k = 0; k < c->count && !set->top; k++) {
        const value_t values[3] = {a->values[i], b->values[j], c->values[k]};
        changed |= value_set_add(arena, set, function(context, values), limit);
      }
  return changed;
}

/* An operator, and the width of its first operand. */
struct operator {
  const struct term *term;
  unsigned width;
};

static value_t apply(const void *context, const value_t values[3]) {
  const struct operator *op = context;
  return term_apply(op->term, values[0], op->width, values[1], values[2]);
}

bool value_set_evaluate(struct arena *arena, const struct terms *terms, struct value_set *sets, term_id id,
                        uint32_t limit) {
  const struct term *t = term_get(terms, id);
  const struct value_set *operands[3] = {&sets[t->a], &value_set_zero, &value_set_zero};
  struct operator op = {t, term_get(terms, t->a)->width};
  if (!term_op_is_unary(t->op)) operands[1] = &sets[t->b];
  if (t->op == TERM_ITE) operands[2] = &sets[t->c];
  if (t->width > 1) return value_set_combine(arena, &sets[id], operands, apply, &op, limit);
  for (int i = 0; i < 3; i++)
    if (!operands[i]->top && !operands[i]->count) return false;
  bool changed = value_set_add(arena, &sets[id], 0, limit);
  return value_set_add(arena, &sets[id], 1, limit) || changed;
}
