/* Sums of amounts, each of which counts if its literal holds: in unary if the sums are small, else in binary. No sum is
 * made if two sums are equal only if all amounts of one count and none of the other. */
#include "encode/parts.h"

void encode_sum_add(struct encoder *e, struct sum *sum, lit holds, uint32_t amount) {
  if (holds == LIT_TRUE) sum->fixed += amount;
  if (holds == LIT_TRUE || holds == LIT_FALSE || amount == 0) return;
  VEC_PUSH(e->arena, &sum->lits, holds);
  VEC_PUSH(e->arena, &sum->amounts, amount);
}

static uint32_t divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

enum { UNARY_LIMIT = 24 };

struct word encode_sum_plus(struct encoder *e, struct word a, struct word b) {
  struct term sum = {.op = TERM_ADD, .width = SUM_WIDTH};
  return word_apply(&e->gates, &sum, a, b, (struct word){NULL, 0});
}

static struct word amount_if(struct encoder *e, lit holds, uint32_t amount) {
  struct word word = {ARENA_ARRAY(e->arena, lit, SUM_WIDTH), SUM_WIDTH};
  for (unsigned i = 0; i < SUM_WIDTH; i++) word.bits[i] = amount >> i & 1 ? holds : LIT_FALSE;
  return word;
}

/* Counts the amounts of one unit, and adds up the others. */
struct word encode_sum_up(struct encoder *e, const struct sum *sum, uint32_t unit) {
  VEC(lit) ones = {0};
  for (uint32_t i = 0; i < sum->lits.len; i++)
    if (sum->amounts.data[i] == unit) VEC_PUSH(e->arena, &ones, sum->lits.data[i]);
  struct word total = word_count(&e->gates, ones.data, ones.len, SUM_WIDTH);
  for (uint32_t i = 0; i < sum->lits.len; i++)
    if (sum->amounts.data[i] != unit)
      total = encode_sum_plus(e, total, amount_if(e, sum->lits.data[i], sum->amounts.data[i] / unit));
  return encode_sum_plus(e, total, word_const(e->arena, sum->fixed / unit, SUM_WIDTH));
}

/* The sum in unary; UNARY_LIMIT must suffice. */
static struct word sum_up_unary(struct encoder *e, const struct sum *sum, uint32_t unit, unsigned width) {
  VEC(lit) ones = {0};
  for (uint32_t i = 0; i < sum->lits.len; i++)
    for (uint32_t k = 0; k < sum->amounts.data[i] / unit; k++) VEC_PUSH(e->arena, &ones, sum->lits.data[i]);
  for (uint32_t k = 0; k < sum->fixed / unit; k++) VEC_PUSH(e->arena, &ones, LIT_TRUE);
  return word_count_unary(&e->gates, ones.data, ones.len, width);
}

static uint32_t total_of(const struct sum *sum, uint32_t unit) {
  uint64_t total = sum->fixed / unit;
  for (uint32_t i = 0; i < sum->amounts.len; i++) total += sum->amounts.data[i] / unit;
  return total > UNARY_LIMIT ? UNARY_LIMIT + 1 : (uint32_t)total;
}

static void cancel_amounts(uint32_t *gain, uint32_t *loss) {
  uint32_t both = *gain < *loss ? *gain : *loss;
  *gain -= both;
  *loss -= both;
}

static void drop_zeros(struct sum *sum) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < sum->lits.len; i++) {
    if (!sum->amounts.data[i]) continue;
    sum->lits.data[kept] = sum->lits.data[i];
    sum->amounts.data[kept++] = sum->amounts.data[i];
  }
  sum->lits.len = sum->amounts.len = kept;
}

/* Amounts with the same literal on both sides make no difference between them. */
static void cancel(struct sum *gain, struct sum *loss) {
  cancel_amounts(&gain->fixed, &loss->fixed);
  for (uint32_t i = 0; i < gain->lits.len; i++)
    for (uint32_t k = 0; k < loss->lits.len; k++)
      if (gain->lits.data[i] == loss->lits.data[k]) cancel_amounts(&gain->amounts.data[i], &loss->amounts.data[k]);
  drop_zeros(gain);
  drop_zeros(loss);
}

static uint64_t most_of(const struct sum *sum) {
  uint64_t most = sum->fixed;
  for (uint32_t i = 0; i < sum->amounts.len; i++) most += sum->amounts.data[i];
  return most;
}

struct balance encode_weigh(struct encoder *e, struct sum *gain, struct sum *loss) {
  cancel(gain, loss);
  uint32_t unit = divisor(gain->fixed, loss->fixed);
  for (uint32_t i = 0; i < gain->amounts.len; i++) unit = divisor(gain->amounts.data[i], unit);
  for (uint32_t i = 0; i < loss->amounts.len; i++) unit = divisor(loss->amounts.data[i], unit);
  if (!unit) unit = 1;
  uint32_t gains = total_of(gain, unit), losses = total_of(loss, unit), most = gains > losses ? gains : losses;
  if (most > 0 && most <= UNARY_LIMIT)
    return (struct balance){sum_up_unary(e, gain, unit, most), sum_up_unary(e, loss, unit, most)};
  return (struct balance){encode_sum_up(e, gain, unit), encode_sum_up(e, loss, unit)};
}

/* Makes no sums if the sides are equal only if one has all its amounts and the other only the fixed one. */
lit encode_sums_equal(struct encoder *e, struct sum *gain, struct sum *loss) {
  cancel(gain, loss);
  uint64_t most_gain = most_of(gain), most_loss = most_of(loss);
  if (most_gain < loss->fixed || most_loss < gain->fixed) return LIT_FALSE;
  if (most_gain == loss->fixed) {
    lit all = gates_and(&e->gates, gain->lits.data, gain->lits.len, NEED_BOTH);
    return gates_and2(&e->gates, all, -gates_or(&e->gates, loss->lits.data, loss->lits.len, NEED_BOTH), NEED_BOTH);
  }
  if (most_loss == gain->fixed) return encode_sums_equal(e, loss, gain);
  struct balance balance = encode_weigh(e, gain, loss);
  return word_equal(&e->gates, balance.gain, balance.loss);
}
