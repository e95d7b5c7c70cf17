/* Operations without a circuit: a table of results for each pair of values that the operands may have. */
#include "encode/parts.h"

/* A literal for each value of a set: the word has this value. */
static lit *literals_of(struct encoder *e, struct word word, const struct value_set *set) {
  lit *is = ARENA_ARRAY(e->arena, lit, set->count);
  for (uint32_t i = 0; i < set->count; i++)
    is[i] = word_equal(&e->gates, word, word_const(e->arena, set->values[i], word.width));
  return is;
}

/* A literal: the word has none of the values, because its value depends on itself (skeleton.h, tabled) or it is of a
 * read that does not happen. Then nothing is known of the result. */
static lit outside(struct encoder *e, const lit *is, uint32_t count) {
  return -gates_or(&e->gates, is, count, NEED_BOTH);
}

struct word encode_table(struct encoder *e, term_id id) {
  const struct skeleton *s = e->skeleton;
  const struct term *t = term_get(&s->terms, id);
  const struct value_set *x = &s->tabled[t->a], *y = &s->tabled[t->b];
  if (encoder_is_late(e)) return word_const(e->arena, 0, t->width); /* the formula is not used */
  unsigned a_width = term_get(&s->terms, t->a)->width;
  lit *is_x = literals_of(e, e->words[t->a], x), *is_y = literals_of(e, e->words[t->b], y);
  lit open = gates_or2(&e->gates, outside(e, is_x, x->count), outside(e, is_y, y->count), NEED_BOTH);
  struct word out = {ARENA_ARRAY(e->arena, lit, t->width), t->width};
  size_t pairs = (size_t)x->count * y->count;
  lit *both = ARENA_ARRAY(e->arena, lit, pairs), *ones = ARENA_ARRAY(e->arena, lit, pairs + 1);
  value_t *results = ARENA_ARRAY(e->arena, value_t, pairs);
  for (size_t i = 0; i < pairs; i++) {
    both[i] = gates_and2(&e->gates, is_x[i / y->count], is_y[i % y->count], NEED_BOTH);
    results[i] = term_apply(t, x->values[i / y->count], a_width, y->values[i % y->count], 0);
  }
  for (unsigned bit = 0; bit < t->width; bit++) {
    uint32_t count = 0;
    for (size_t i = 0; i < pairs; i++)
      if (results[i] >> bit & 1) ones[count++] = both[i];
    if (open != LIT_FALSE) ones[count++] = gates_and2(&e->gates, open, sat_variable(e->sat), NEED_BOTH);
    out.bits[bit] = gates_or(&e->gates, ones, count, NEED_BOTH);
  }
  return out;
}
