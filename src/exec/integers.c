/* The arithmetic of integers that has no operator of its own among the terms: bit fields, permutations, division, sums
 * of products, conversions (9.7.1, 9.7.6, 9.7.8, 9.7.10). */
#include "exec/walk.h"

static term_id number(struct walk *w, value_t value, unsigned width) { return term_const(w->terms, value, width); }
static term_id both(struct walk *w, enum term_op op, term_id a, term_id b) { return term_binary(w->terms, op, a, b); }
static unsigned width_of(struct walk *w, term_id a) { return term_get(w->terms, a)->width; }
static term_id low_byte(struct walk *w, term_id a) { return both(w, TERM_AND, a, number(w, 255, width_of(w, a))); }

static term_id shifted(struct walk *w, enum term_op op, term_id a, unsigned distance) {
  return both(w, op, a, number(w, distance, 32));
}

/* `count` ones, from the lowest bit on. */
static term_id ones(struct walk *w, term_id count, unsigned width) {
  return term_not(w->terms, both(w, TERM_SHL, number(w, ~(value_t)0, width), count));
}

static term_id is_zero(struct walk *w, term_id a) { return both(w, TERM_EQ, a, number(w, 0, width_of(w, a))); }

static term_id negative(struct walk *w, term_id a) { return both(w, TERM_SLT, a, number(w, 0, width_of(w, a))); }

static term_id negated_if(struct walk *w, term_id when, term_id a) {
  return term_ite(w->terms, when, both(w, TERM_SUB, number(w, 0, width_of(w, a)), a), a);
}

/* ---- bit fields */

static term_id leading_zeros(struct walk *w, term_id a) {
  for (unsigned distance = 1; distance < width_of(w, a); distance *= 2)
    a = both(w, TERM_OR, a, shifted(w, TERM_SHR, a, distance));
  return term_popc(w->terms, term_not(w->terms, a));
}

term_id alu_BFIND(struct walk *w, const term_id *v) {
  term_id a = v[0];
  unsigned width = width_of(w, a);
  bool is_signed = w->instr->type.kind == TYPE_SIGNED;
  if (is_signed) a = both(w, TERM_XOR, a, shifted(w, TERM_SAR, a, width - 1));
  term_id zeros = leading_zeros(w, a);
  term_id position = both(w, TERM_SUB, number(w, width - 1, 32), zeros); /* all ones if there is no bit */
  if (w->instr->arith.mode != MODE_SHIFTAMT) return position;
  return term_ite(w->terms, is_zero(w, a), number(w, ~(value_t)0, 32), zeros);
}

/* Halves exchanged, then quarters, down to bits. */
term_id alu_BREV(struct walk *w, const term_id *v) {
  term_id a = v[0];
  unsigned width = width_of(w, a);
  for (unsigned part = width / 2; part > 0; part /= 2) {
    value_t low = 0;
    for (unsigned i = 0; i < width; i += 2 * part) low |= value_mask(part) << i;
    term_id mask = number(w, low, width), down = both(w, TERM_AND, shifted(w, TERM_SHR, a, part), mask);
    a = both(w, TERM_OR, down, shifted(w, TERM_SHL, both(w, TERM_AND, a, mask), part));
  }
  return a;
}

/* The low `count` bits, extended; a count beyond the width takes all. */
static term_id extended(struct walk *w, term_id a, term_id count, bool is_signed) {
  unsigned width = width_of(w, a);
  if (!is_signed) return both(w, TERM_AND, a, ones(w, count, width));
  term_id room = both(w, TERM_SUB, number(w, width, 32), count), none = number(w, 0, 32);
  room = term_ite(w->terms, both(w, TERM_ULT, count, number(w, width, 32)), room, none);
  return both(w, TERM_SAR, both(w, TERM_SHL, a, room), room);
}

term_id alu_BFE(struct walk *w, const term_id *v) {
  bool is_signed = w->instr->type.kind == TYPE_SIGNED;
  term_id moved = both(w, is_signed ? TERM_SAR : TERM_SHR, v[0], low_byte(w, v[1]));
  return extended(w, moved, low_byte(w, v[2]), is_signed);
}

term_id alu_BFI(struct walk *w, const term_id *v) {
  unsigned width = width_of(w, v[0]);
  term_id position = low_byte(w, v[2]);
  term_id mask = both(w, TERM_SHL, ones(w, low_byte(w, v[3]), width), position);
  term_id kept = both(w, TERM_AND, v[1], term_not(w->terms, mask));
  return both(w, TERM_OR, kept, both(w, TERM_AND, both(w, TERM_SHL, v[0], position), mask));
}

static term_id wrapped(struct walk *w, term_id count) {
  return w->instr->arith.mode == MODE_WRAP ? both(w, TERM_AND, count, number(w, 31, 32)) : count;
}

/* The position of the bit at which `wanted` set ones have been counted, upwards from `base` or downwards. */
static term_id nth_from(struct walk *w, term_id mask, term_id base, term_id wanted, bool up) {
  term_id found = number(w, ~(value_t)0, 32);
  for (unsigned i = 0; i < 32; i++) {
    value_t past = up ? value_mask(i + 1) : value_mask(32) & ~value_mask(i);
    term_id from = both(w, TERM_SHL, number(w, ~(value_t)0, 32), base);
    if (!up) from = ones(w, both(w, TERM_ADD, base, number(w, 1, 32)), 32);
    term_id seen = both(w, TERM_AND, both(w, TERM_AND, mask, from), number(w, past, 32));
    term_id here = both(w, TERM_EQ, term_popc(w->terms, seen), wanted);
    here = both(w, TERM_AND, here,
                term_not(w->terms, is_zero(w, both(w, TERM_AND, seen, number(w, (value_t)1 << i, 32)))));
    found = term_ite(w->terms, here, number(w, i, 32), found);
  }
  return found;
}

term_id alu_FNS(struct walk *w, const term_id *v) {
  term_id none = number(w, ~(value_t)0, 32), one = number(w, 1, 32), offset = v[2];
  term_id bit = both(w, TERM_AND, both(w, TERM_SHR, v[0], v[1]), one);
  term_id here = term_ite(w->terms, is_zero(w, bit), none, v[1]);
  term_id up = nth_from(w, v[0], v[1], offset, true);
  term_id down = nth_from(w, v[0], v[1], both(w, TERM_SUB, number(w, 0, 32), offset), false);
  return term_ite(w->terms, is_zero(w, offset), here, term_ite(w->terms, negative(w, offset), down, up));
}

/* ---- bits and bytes */

/* For each bit, the value in the table: each input chooses between two halves of it. */
static term_id choose_bits(struct walk *w, const term_id *inputs, unsigned count, value_t table, unsigned width) {
  if (count == 0) return number(w, table & 1 ? ~(value_t)0 : 0, width);
  unsigned half = 1u << (count - 1);
  term_id no = choose_bits(w, inputs + 1, count - 1, table, width);
  term_id yes = choose_bits(w, inputs + 1, count - 1, table >> half, width);
  if (yes == no) return yes;
  return both(w, TERM_OR, both(w, TERM_AND, inputs[0], yes), both(w, TERM_AND, term_not(w->terms, inputs[0]), no));
}

/* b:a as one value. */
static term_id joined(struct walk *w, term_id low, term_id high) {
  unsigned width = width_of(w, low);
  term_id raised = shifted(w, TERM_SHL, term_resize(w->terms, high, 2 * width, false), width);
  return both(w, TERM_OR, raised, term_resize(w->terms, low, 2 * width, false));
}

static term_id funnel(struct walk *w, const term_id *v, bool left) {
  term_id whole = joined(w, v[0], v[1]), limit = number(w, 32, 32), count = wrapped(w, v[2]);
  count = term_ite(w->terms, both(w, TERM_ULT, limit, count), limit, count);
  if (!left) return term_resize(w->terms, both(w, TERM_SHR, whole, count), 32, false);
  return term_resize(w->terms, shifted(w, TERM_SHR, both(w, TERM_SHL, whole, count), 32), 32, false);
}

/* One byte of the eight: the one with the number in bits 0 to 2 of `choice`; with bit 3 its sign repeated. */
static term_id chosen_byte(struct walk *w, term_id bytes, term_id choice, unsigned to) {
  term_id distance = shifted(w, TERM_SHL, both(w, TERM_AND, choice, number(w, 7, 32)), 3);
  term_id byte = term_resize(w->terms, both(w, TERM_SHR, bytes, distance), 8, false);
  term_id plain = is_zero(w, both(w, TERM_AND, choice, number(w, 8, 32)));
  byte = term_ite(w->terms, plain, byte, shifted(w, TERM_SAR, byte, 7));
  return shifted(w, TERM_SHL, term_resize(w->terms, byte, 32, false), 8 * to);
}

term_id alu_PRMT(struct walk *w, const term_id *v) {
  /* By mode and the low bits of c: the equivalent c of the default mode (9.7.10, prmt). */
  static const uint16_t choices[][4] = {
      [MODE_F4E] = {0x3210, 0x4321, 0x5432, 0x6543}, [MODE_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
      [MODE_RC8] = {0x0000, 0x1111, 0x2222, 0x3333}, [MODE_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
      [MODE_ECR] = {0x0000, 0x1110, 0x2210, 0x3210}, [MODE_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
  };
  term_id bytes = joined(w, v[0], v[1]), choice = v[2], result = number(w, 0, 32);
  if (w->instr->arith.mode != MODE_NONE) {
    choice = number(w, choices[w->instr->arith.mode][0], 32);
    for (unsigned i = 1; i < 4; i++) {
      term_id is = both(w, TERM_EQ, both(w, TERM_AND, v[2], number(w, 3, 32)), number(w, i, 32));
      choice = term_ite(w->terms, is, number(w, choices[w->instr->arith.mode][i], 32), choice);
    }
  }
  for (unsigned i = 0; i < 4; i++)
    result = both(w, TERM_OR, result, chosen_byte(w, bytes, shifted(w, TERM_SHR, choice, 4 * i), i));
  return result;
}

/* The ones from position v[0] up: a count past the end is cut, a position past it gives 0. */
term_id alu_BMSK(struct walk *w, const term_id *v) {
  return both(w, TERM_SHL, ones(w, wrapped(w, v[1]), 32), wrapped(w, v[0]));
}

/* ---- sums of products */

/* Byte or half `at` of a 32-bit value, extended to 32 bits. */
static term_id piece(struct walk *w, term_id a, unsigned at, unsigned width, bool is_signed) {
  term_id low = term_resize(w->terms, shifted(w, TERM_SHR, a, at * width), width, false);
  return term_resize(w->terms, low, 32, is_signed);
}

/* c and the products of `count` pieces of a with bytes of b from `first` on. */
static term_id dot_product(struct walk *w, const term_id *v, unsigned count, unsigned first) {
  bool a_signed = w->instr->type.kind == TYPE_SIGNED, b_signed = w->instr->from.kind == TYPE_SIGNED;
  term_id sum = v[2];
  for (unsigned i = 0; i < count; i++) {
    term_id a = piece(w, v[0], i, 32 / count, a_signed), b = piece(w, v[1], first + i, 8, b_signed);
    sum = both(w, TERM_ADD, sum, both(w, TERM_MUL, a, b));
  }
  return sum;
}

static term_id multiply24(struct walk *w, const term_id *v, bool high) {
  bool is_signed = w->instr->type.kind == TYPE_SIGNED;
  term_id factors[2];
  for (unsigned i = 0; i < 2; i++)
    factors[i] = term_resize(w->terms, term_resize(w->terms, v[i], 24, false), 48, is_signed);
  term_id product = both(w, TERM_MUL, factors[0], factors[1]);
  return term_resize(w->terms, shifted(w, TERM_SHR, product, high ? 16 : 0), 32, false);
}

term_id alu_SAD(struct walk *w, const term_id *v) {
  bool is_signed = w->instr->type.kind == TYPE_SIGNED;
  term_id less = both(w, is_signed ? TERM_SLT : TERM_ULT, v[0], v[1]);
  term_id apart = term_ite(w->terms, less, both(w, TERM_SUB, v[1], v[0]), both(w, TERM_SUB, v[0], v[1]));
  return both(w, TERM_ADD, v[2], apart);
}

/* ---- division, by hand: one bit of the quotient after another */

struct quotient {
  term_id quotient, rest;
};

static struct quotient divide_unsigned(struct walk *w, term_id a, term_id b) {
  const struct term *x = term_get(w->terms, a), *y = term_get(w->terms, b);
  unsigned width = x->width;
  if (x->op == TERM_CONST && y->op == TERM_CONST && y->constant) {
    const value_t of = x->constant, by = y->constant;
    return (struct quotient){number(w, of / by, width), number(w, of % by, width)};
  }
  struct quotient r = {number(w, 0, width), number(w, 0, width + 1)};
  term_id wide = term_resize(w->terms, b, width + 1, false);
  for (unsigned i = width; i-- > 0;) {
    term_id bit = term_resize(w->terms, shifted(w, TERM_SHR, a, i), 1, false);
    r.rest = both(w, TERM_OR, shifted(w, TERM_SHL, r.rest, 1), term_resize(w->terms, bit, width + 1, false));
    term_id fits = term_not(w->terms, both(w, TERM_ULT, r.rest, wide));
    r.rest = term_ite(w->terms, fits, both(w, TERM_SUB, r.rest, wide), r.rest);
    r.quotient = term_ite(w->terms, fits, both(w, TERM_OR, r.quotient, number(w, (value_t)1 << i, width)), r.quotient);
  }
  r.rest = term_resize(w->terms, r.rest, width, false);
  return r;
}

/* Divides by a known power of two, without a circuit. */
static bool divide_by_power(struct walk *w, term_id a, term_id b, struct quotient *out) {
  const struct term *t = term_get(w->terms, b);
  if (t->op != TERM_CONST || !t->constant || t->constant & (t->constant - 1)) return false;
  unsigned log = 0, width = t->width;
  value_t rest = t->constant - 1;
  while (t->constant >> log != 1) log++;
  out->quotient = shifted(w, TERM_SHR, a, log);
  out->rest = both(w, TERM_AND, a, number(w, rest, width));
  return true;
}

static term_id divide(struct walk *w, const term_id *v, bool rest) {
  bool is_signed = w->instr->type.kind == TYPE_SIGNED;
  term_id a = v[0], b = v[1], a_sign = TERM_FALSE, b_sign = TERM_FALSE;
  struct quotient r;
  walk_hazard(w, both(w, TERM_AND, w->base.exec, is_zero(w, b)), REASON_DIVISION_BY_ZERO);
  if (is_signed) {
    a_sign = negative(w, a);
    b_sign = negative(w, b);
    a = negated_if(w, a_sign, a);
    b = negated_if(w, b_sign, b);
  }
  if (!divide_by_power(w, a, b, &r)) r = divide_unsigned(w, a, b);
  if (rest) return negated_if(w, a_sign, r.rest); /* the remainder has the sign of the dividend */
  return negated_if(w, both(w, TERM_XOR, a_sign, b_sign), r.quotient);
}

/* ---- carries, ranges, conversions */

static term_id carry_out(struct walk *w, const term_id *v, enum term_op op) {
  unsigned width = width_of(w, v[0]);
  term_id a = term_resize(w->terms, v[0], width + 1, false), b = term_resize(w->terms, v[1], width + 1, false);
  term_id sum = both(w, op, both(w, op, a, b), term_resize(w->terms, v[2], width + 1, false));
  return term_resize(w->terms, shifted(w, TERM_SHR, sum, width), 1, false);
}

static term_id with_carry(struct walk *w, const term_id *v, enum term_op op) {
  return both(w, op, both(w, op, v[0], v[1]), term_resize(w->terms, v[2], width_of(w, v[0]), false));
}

/* `a`, signed or not, clamped to the range of a type that is not wider. */
static term_id clamped(struct walk *w, term_id a, bool is_signed, struct type type) {
  unsigned width = width_of(w, a), bits = type.width;
  bool to_signed = type.kind == TYPE_SIGNED;
  term_id most = number(w, value_mask(to_signed ? bits - 1 : bits), width);
  term_id least = number(w, to_signed ? ~value_mask(bits - 1) : 0, width);
  enum term_op less = is_signed ? TERM_SLT : TERM_ULT;
  a = term_ite(w->terms, both(w, less, most, a), most, a);
  return is_signed ? term_ite(w->terms, both(w, less, a, least), least, a) : a;
}

term_id alu_CVT(struct walk *w, const term_id *v) {
  term_id a = v[0];
  struct type to = w->instr->type, from = w->instr->from;
  bool is_signed = from.kind == TYPE_SIGNED;
  unsigned room = (to.width > from.width ? to.width : from.width) + 1u;
  if (w->instr->arith.sat) a = clamped(w, term_resize(w->terms, a, room, is_signed), is_signed, to);
  return term_resize(w->terms, a, to.width, is_signed);
}

/* a op b of .sat: computed in a wider type, then clamped. */
static term_id saturated(struct walk *w, enum term_op op, term_id a, term_id b) {
  unsigned width = width_of(w, a);
  term_id sum = both(w, op, term_resize(w->terms, a, width + 1, true), term_resize(w->terms, b, width + 1, true));
  return term_resize(w->terms, clamped(w, sum, true, w->instr->type), width, false);
}

term_id walk_sum(struct walk *w, enum term_op op, term_id a, term_id b) {
  return w->instr->arith.sat ? saturated(w, op, a, b) : both(w, op, a, b);
}

/* ---- A function for each operation of alu.def */

term_id alu_MUL24_LO(struct walk *w, const term_id *v) { return multiply24(w, v, false); }
term_id alu_MUL24_HI(struct walk *w, const term_id *v) { return multiply24(w, v, true); }
term_id alu_MAD24_LO(struct walk *w, const term_id *v) { return both(w, TERM_ADD, multiply24(w, v, false), v[2]); }
term_id alu_MAD24_HI(struct walk *w, const term_id *v) { return walk_sum(w, TERM_ADD, multiply24(w, v, true), v[2]); }
term_id alu_DIV(struct walk *w, const term_id *v) { return divide(w, v, false); }
term_id alu_REM(struct walk *w, const term_id *v) { return divide(w, v, true); }
term_id alu_DP4A(struct walk *w, const term_id *v) { return dot_product(w, v, 4, 0); }
term_id alu_DP2A_LO(struct walk *w, const term_id *v) { return dot_product(w, v, 2, 0); }
term_id alu_DP2A_HI(struct walk *w, const term_id *v) { return dot_product(w, v, 2, 2); }
term_id alu_ADD_CARRY(struct walk *w, const term_id *v) { return with_carry(w, v, TERM_ADD); }
term_id alu_SUB_BORROW(struct walk *w, const term_id *v) { return with_carry(w, v, TERM_SUB); }
term_id alu_CARRY(struct walk *w, const term_id *v) { return carry_out(w, v, TERM_ADD); }
term_id alu_BORROW(struct walk *w, const term_id *v) { return carry_out(w, v, TERM_SUB); }
term_id alu_CNOT(struct walk *w, const term_id *v) {
  return term_resize(w->terms, is_zero(w, v[0]), w->instr->type.width, false);
}
term_id alu_LOP3(struct walk *w, const term_id *v) {
  return choose_bits(w, v, 3, term_get(w->terms, v[3])->constant, w->instr->type.width);
}
term_id alu_SHF_L(struct walk *w, const term_id *v) { return funnel(w, v, true); }
term_id alu_SHF_R(struct walk *w, const term_id *v) { return funnel(w, v, false); }
term_id alu_SLCT(struct walk *w, const term_id *v) { return term_ite(w->terms, negative(w, v[2]), v[1], v[0]); }
term_id alu_CLZ(struct walk *w, const term_id *v) { return leading_zeros(w, v[0]); }
term_id alu_SZEXT(struct walk *w, const term_id *v) {
  return extended(w, v[0], wrapped(w, v[1]), w->instr->type.kind == TYPE_SIGNED);
}
