#include "term/word.h"

static struct word new_word(struct gates *g, unsigned width) {
  return (struct word){ARENA_ARRAY(g->arena, lit, width), width};
}

struct word word_const(struct arena *arena, value_t value, unsigned width) {
  struct word w = {ARENA_ARRAY(arena, lit, width), width};
  for (unsigned i = 0; i < width; i++) w.bits[i] = value >> i & 1 ? LIT_TRUE : LIT_FALSE;
  return w;
}

struct word word_resize(struct arena *arena, struct word a, unsigned width, bool is_signed) {
  struct word w = {ARENA_ARRAY(arena, lit, width), width};
  for (unsigned i = 0; i < width; i++)
    w.bits[i] = i < a.width ? a.bits[i] : is_signed ? a.bits[a.width - 1] : LIT_FALSE;
  return w;
}

/* a + b + carry */
static struct word add(struct gates *g, struct word a, struct word b, lit carry) {
  struct word sum = new_word(g, a.width);
  for (unsigned i = 0; i < a.width; i++) {
    if (a.bits[i] == LIT_FALSE && b.bits[i] == LIT_FALSE) { /* mostly */
      sum.bits[i] = carry;
      carry = LIT_FALSE;
      continue;
    }
    lit half = gates_xor(g, a.bits[i], b.bits[i]);
    sum.bits[i] = gates_xor(g, half, carry);
    if (i + 1 == a.width) break;
    lit both = gates_and2(g, a.bits[i], b.bits[i], NEED_BOTH);
    carry = gates_or2(g, both, gates_and2(g, half, carry, NEED_BOTH), NEED_BOTH);
  }
  return sum;
}

static struct word negate_bits(struct gates *g, struct word a) {
  struct word w = new_word(g, a.width);
  for (unsigned i = 0; i < a.width; i++) w.bits[i] = -a.bits[i];
  return w;
}

static struct word word_if(struct gates *g, lit condition, struct word yes, struct word no) {
  struct word w = new_word(g, yes.width);
  for (unsigned i = 0; i < yes.width; i++) w.bits[i] = gates_ite(g, condition, yes.bits[i], no.bits[i]);
  return w;
}

/* Shifts by a known distance; bits that come in are `fill`. */
static struct word shift_known(struct gates *g, enum term_op op, struct word a, unsigned distance, lit fill) {
  struct word w = new_word(g, a.width);
  for (unsigned i = 0; i < a.width; i++) {
    unsigned from = op == TERM_SHL ? i - distance : i + distance;
    bool inside = op == TERM_SHL ? i >= distance : from < a.width;
    w.bits[i] = inside ? a.bits[from] : fill;
  }
  return w;
}

static struct word shift(struct gates *g, enum term_op op, struct word a, struct word count) {
  lit fill = op == TERM_SAR ? a.bits[a.width - 1] : LIT_FALSE;
  for (unsigned i = 0; i < count.width; i++) {
    unsigned distance = i < 8 ? 1u << i : 256;
    struct word moved = shift_known(g, op, a, distance < a.width ? distance : a.width, fill);
    a = word_if(g, count.bits[i], moved, a);
  }
  return a;
}

static struct word multiply(struct gates *g, struct word a, struct word b) {
  struct word sum = word_const(g->arena, 0, a.width);
  for (unsigned i = 0; i < b.width; i++) {
    if (b.bits[i] == LIT_FALSE) continue;
    struct word row = shift_known(g, TERM_SHL, a, i, LIT_FALSE);
    for (unsigned j = 0; j < row.width; j++) row.bits[j] = gates_and2(g, row.bits[j], b.bits[i], NEED_BOTH);
    sum = add(g, sum, row, LIT_FALSE);
  }
  return sum;
}

static struct word count_ones(struct gates *g, struct word a, unsigned width) {
  struct word sum = word_const(g->arena, 0, width);
  for (unsigned i = 0; i < a.width; i++) sum = add(g, sum, word_const(g->arena, 0, width), a.bits[i]);
  return sum;
}

struct word word_count(struct gates *g, const lit *lits, size_t count, unsigned width) {
  struct word all = {ARENA_ARRAY(g->arena, lit, count), (unsigned)count};
  for (size_t i = 0; i < count; i++) all.bits[i] = lits[i];
  return count_ones(g, all, width);
}

struct word word_count_unary(struct gates *g, const lit *lits, size_t count, unsigned width) {
  struct word sum = word_const(g->arena, 0, width);
  for (size_t i = 0; i < count; i++)
    for (unsigned j = width; j-- > 0;) {
      lit up = j ? gates_and2(g, sum.bits[j - 1], lits[i], NEED_BOTH) : lits[i];
      sum.bits[j] = gates_or2(g, sum.bits[j], up, NEED_BOTH);
    }
  return sum;
}

lit word_equal(struct gates *g, struct word a, struct word b) {
  lit *same = ARENA_ARRAY(g->arena, lit, a.width);
  size_t count = 0;
  for (unsigned i = 0; i < a.width; i++)
    if (a.bits[i] == -b.bits[i]) return LIT_FALSE;
  for (unsigned i = 0; i < a.width; i++)
    if (a.bits[i] != b.bits[i]) same[count++] = -gates_xor(g, a.bits[i], b.bits[i]);
  return gates_and(g, same, count, NEED_BOTH);
}

lit word_less(struct gates *g, struct word a, struct word b, bool is_signed) {
  lit less = LIT_FALSE;
  for (unsigned i = 0; i < a.width; i++) {
    bool sign = is_signed && i + 1 == a.width;
    lit x = sign ? -a.bits[i] : a.bits[i], y = sign ? -b.bits[i] : b.bits[i];
    less = gates_ite(g, gates_xor(g, x, y), y, less);
  }
  return less;
}

static struct word bitwise(struct gates *g, enum term_op op, struct word a, struct word b) {
  struct word w = new_word(g, a.width);
  for (unsigned i = 0; i < a.width; i++)
    w.bits[i] = op == TERM_AND  ? gates_and2(g, a.bits[i], b.bits[i], NEED_BOTH)
                : op == TERM_OR ? gates_or2(g, a.bits[i], b.bits[i], NEED_BOTH)
                                : gates_xor(g, a.bits[i], b.bits[i]);
  return w;
}

static struct word one_bit(struct gates *g, lit value) {
  struct word w = new_word(g, 1);
  w.bits[0] = value;
  return w;
}

struct word word_apply(struct gates *g, const struct term *t, struct word a, struct word b, struct word c) {
  switch (t->op) {
    case TERM_CONST: return word_const(g->arena, t->constant, t->width);
    case TERM_ADD: return add(g, a, b, LIT_FALSE);
    case TERM_SUB: return add(g, a, negate_bits(g, b), LIT_TRUE);
    case TERM_MUL: return multiply(g, a, b);
    case TERM_AND:
    case TERM_OR:
    case TERM_XOR: return bitwise(g, t->op, a, b);
    case TERM_NOT: return negate_bits(g, a);
    case TERM_SHL:
    case TERM_SHR:
    case TERM_SAR: return shift(g, t->op, a, b);
    case TERM_POPC: return count_ones(g, a, t->width);
    case TERM_EQ: return one_bit(g, word_equal(g, a, b));
    case TERM_ULT: return one_bit(g, word_less(g, a, b, false));
    case TERM_SLT: return one_bit(g, word_less(g, a, b, true));
    case TERM_ITE: return word_if(g, a.bits[0], b, c);
    case TERM_ZEXT: return word_resize(g->arena, a, t->width, false);
    case TERM_SEXT: return word_resize(g->arena, a, t->width, true);
    case TERM_READ:
    case TERM_PASS:
    case TERM_REDUCE:
    case TERM_LANE:
    case TERM_PENDING:
    case TERM_FREE:
    case TERM_GO: break;
  }
  BUG("term operator %d has no circuit", (int)t->op);
}
