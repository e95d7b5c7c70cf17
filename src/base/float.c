#include "base/float.h"

#include <float.h>

/* precision: the number of significand bits, including the implicit leading bit. */
static const struct shape {
  unsigned width, precision, exponent_bits;
} shapes[] = {
    [FLOAT_F16] = {16, 11, 5}, [FLOAT_BF16] = {16, 8, 8}, [FLOAT_F32] = {32, 24, 8}, [FLOAT_F64] = {64, 53, 11}};

enum { INTEGER_WIDTH = 64 }; /* of the integers that conversions read and produce */

enum kind { ZERO, FINITE, INFINITE, NOT_A_NUMBER };

/* FINITE: digits * 2^exponent, digits not 0. */
struct number {
  enum kind kind;
  bool negative, subnormal;
  uint64_t digits;
  int exponent;
};

unsigned float_width(enum float_format format) { return shapes[format].width; }

unsigned float_result_width(enum float_op op, enum float_format format) {
  if (op == FLOAT_LESS || op == FLOAT_EQUAL || op == FLOAT_UNORDERED) return 1;
  if (op == FLOAT_TO_SIGNED || op == FLOAT_TO_UNSIGNED) return INTEGER_WIDTH;
  if (op >= FLOAT_TO_F16 && op <= FLOAT_TO_F64)
    return float_width((enum float_format)(FLOAT_F16 + (op - FLOAT_TO_F16)));
  return float_width(format);
}

unsigned float_operand_width(enum float_op op, enum float_format format) {
  return op == FLOAT_FROM_SIGNED || op == FLOAT_FROM_UNSIGNED ? INTEGER_WIDTH : float_width(format);
}

static unsigned exponent_mask(const struct shape *s) { return (1u << s->exponent_bits) - 1; }
static int bias(const struct shape *s) { return (1 << (s->exponent_bits - 1)) - 1; }
static value_t sign_bit(const struct shape *s) { return (value_t)1 << (s->width - 1); }
static value_t fraction_mask(const struct shape *s) { return value_mask(s->precision - 1); }

/* The exponent of the least significant digit of subnormal numbers. */
static int least_unit(const struct shape *s) { return 2 - bias(s) - (int)s->precision; }

static value_t pack(const struct shape *s, bool negative, unsigned exponent, value_t fraction) {
  return (negative ? sign_bit(s) : 0) | (value_t)exponent << (s->precision - 1) | (fraction & fraction_mask(s));
}

static struct number unpack(const struct shape *s, value_t bits) {
  unsigned exponent = (unsigned)(bits >> (s->precision - 1)) & exponent_mask(s);
  uint64_t fraction = (uint64_t)(bits & fraction_mask(s));
  struct number n = {.kind = FINITE, .negative = (bits & sign_bit(s)) != 0, .digits = fraction};
  if (exponent == exponent_mask(s)) {
    n.kind = fraction ? NOT_A_NUMBER : INFINITE;
  } else if (exponent == 0) {
    n.kind = fraction ? FINITE : ZERO;
    n.subnormal = fraction != 0;
    n.exponent = least_unit(s);
  } else {
    n.digits |= UINT64_C(1) << (s->precision - 1);
    n.exponent = least_unit(s) + (int)exponent - 1;
  }
  return n;
}

bool float_is_subnormal(enum float_format format, value_t bits) { return unpack(&shapes[format], bits).subnormal; }

static struct float_result plain(value_t bits) { return (struct float_result){bits, 0}; }

static struct float_result zero(const struct shape *s, bool negative) { return plain(pack(s, negative, 0, 0)); }

static struct float_result infinity(const struct shape *s, bool negative) {
  return plain(pack(s, negative, exponent_mask(s), 0));
}

static struct float_result not_a_number(const struct shape *s) {
  return (struct float_result){pack(s, false, exponent_mask(s), ~(value_t)0), FLOAT_NAN};
}

static int bit_length(value_t v) {
  uint64_t high = (uint64_t)(v >> 64), low = (uint64_t)v;
  return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

/* Rounds digits * 2^exponent, plus a small remainder if `sticky`, to nearest even. `digits` is not 0; if `sticky`, it
 * has more bits than the format keeps. */
static struct float_result round_to(const struct shape *s, bool negative, value_t digits, int exponent, bool sticky,
                                    bool flush) {
  int unit = exponent + bit_length(digits) - (int)s->precision;
  if (unit < least_unit(s)) unit = least_unit(s);
  int shift = unit - exponent;
  value_t kept = shift <= 0 ? digits << -shift : shift < 128 ? digits >> shift : 0;
  value_t rest = shift <= 0 ? 0 : shift < 128 ? digits & value_mask((unsigned)shift) : digits;
  value_t half = shift > 0 && shift <= 128 ? (value_t)1 << (shift - 1) : ~(value_t)0;
  bool below_normal = kept < (value_t)1 << (s->precision - 1);
  struct float_result r = {0, rest || sticky ? FLOAT_INEXACT : 0};
  if (shift > 0 && (rest > half || (rest == half && (sticky || (kept & 1))))) kept++;
  if (kept >> s->precision) kept >>= 1, unit++;
  bool normal = kept >> (s->precision - 1);
  unsigned stored = normal ? (unsigned)(unit - least_unit(s)) + 1 : 0;
  if (stored >= exponent_mask(s)) {
    r.bits = infinity(s, negative).bits;
    r.notes = FLOAT_INEXACT;
    return r;
  }
  r.bits = pack(s, negative, stored, kept);
  if (!normal && kept) r.notes |= FLOAT_SUBNORMAL;
  if (!normal && flush) r.bits = pack(s, negative, 0, 0);
  if (normal && below_normal && flush) r.notes |= FLOAT_TINY;
  return r;
}

static struct float_result add_finite(const struct shape *s, struct number a, struct number b, bool flush) {
  enum { ROOM = 66 };
  int top_a = a.exponent + bit_length(a.digits), top_b = b.exponent + bit_length(b.digits);
  struct number swap = a;
  if (top_a < top_b) a = b, b = swap;
  int exponent = a.exponent - ROOM, shift = b.exponent - exponent;
  value_t x = (value_t)a.digits << ROOM, y = b.digits;
  bool sticky = shift < 0 && (shift <= -64 || (y & value_mask((unsigned)-shift)) != 0);
  y = shift >= 0 ? y << shift : shift <= -64 ? 0 : y >> -shift;
  if (a.negative == b.negative) return round_to(s, a.negative, x + y, exponent, sticky, flush);
  if (x == y && !sticky) return (struct float_result){0, FLOAT_ZERO_SIGN};
  if (x < y) return round_to(s, b.negative, y - x, exponent, sticky, flush);
  return round_to(s, a.negative, x - y - sticky, exponent, sticky, flush);
}

static struct float_result add(const struct shape *s, struct number a, struct number b, bool flush) {
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return not_a_number(s);
  if (a.kind == INFINITE && b.kind == INFINITE && a.negative != b.negative) return not_a_number(s);
  if (a.kind == INFINITE || b.kind == INFINITE) return infinity(s, a.kind == INFINITE ? a.negative : b.negative);
  if (a.kind == ZERO && b.kind == ZERO)
    return a.negative == b.negative ? zero(s, a.negative) : (struct float_result){0, FLOAT_ZERO_SIGN};
  if (a.kind == ZERO) return round_to(s, b.negative, b.digits, b.exponent, false, flush);
  if (b.kind == ZERO) return round_to(s, a.negative, a.digits, a.exponent, false, flush);
  return add_finite(s, a, b, flush);
}

static struct float_result multiply(const struct shape *s, struct number a, struct number b, bool flush) {
  bool negative = a.negative != b.negative;
  if (a.kind == NOT_A_NUMBER || b.kind == NOT_A_NUMBER) return not_a_number(s);
  bool infinite = a.kind == INFINITE || b.kind == INFINITE, none = a.kind == ZERO || b.kind == ZERO;
  if (infinite) return none ? not_a_number(s) : infinity(s, negative);
  if (none) return zero(s, negative);
  return round_to(s, negative, (value_t)a.digits * b.digits, a.exponent + b.exponent, false, flush);
}

/* True if a < b, or if a is -0 and b is +0. */
static bool before(const struct shape *s, value_t a, value_t b) {
  bool a_negative = (a & sign_bit(s)) != 0, b_negative = (b & sign_bit(s)) != 0;
  if (a_negative != b_negative) return a_negative;
  return a_negative ? b < a : a < b;
}

static struct float_result choose(const struct shape *s, enum float_op op, value_t a, value_t b, bool a_nan,
                                  bool b_nan) {
  bool nan_wins = op == FLOAT_MIN_NAN || op == FLOAT_MAX_NAN, least = op == FLOAT_MIN || op == FLOAT_MIN_NAN;
  if (nan_wins ? a_nan || b_nan : a_nan && b_nan) return not_a_number(s);
  if (a_nan || b_nan) return plain(a_nan ? b : a);
  return plain(before(s, a, b) == least ? a : b);
}

static value_t flushed(const struct shape *s, value_t bits, bool flush) {
  return flush && unpack(s, bits).subnormal ? bits & sign_bit(s) : bits;
}

static struct float_result convert(enum float_format from, enum float_format to, bool flush, value_t bits) {
  const struct shape *s = &shapes[to];
  struct number n = unpack(&shapes[from], flushed(&shapes[from], bits, flush));
  unsigned notes = float_is_subnormal(from, bits) ? FLOAT_SUBNORMAL : 0;
  if (n.kind == NOT_A_NUMBER) return not_a_number(s);
  struct float_result r = n.kind == ZERO       ? zero(s, n.negative)
                          : n.kind == INFINITE ? infinity(s, n.negative)
                                               : round_to(s, n.negative, n.digits, n.exponent, false, flush);
  r.notes |= notes;
  return r;
}

static struct float_result from_integer(const struct shape *s, bool is_signed, value_t bits) {
  uint64_t value = (uint64_t)bits;
  bool negative = is_signed && value >> (INTEGER_WIDTH - 1);
  if (negative) value = 0 - value;
  return value ? round_to(s, negative, value, 0, false, false) : zero(s, false);
}

static struct float_result to_integer(const struct shape *s, bool is_signed, value_t bits) {
  static const struct float_result none = {0, FLOAT_INEXACT};
  struct number n = unpack(s, bits);
  uint64_t most = is_signed ? UINT64_C(1) << (INTEGER_WIDTH - 1) : UINT64_MAX;
  if (n.kind == ZERO) return plain(0);
  if (n.kind != FINITE || (n.negative && !is_signed)) return none;
  for (; n.exponent < 0; n.exponent++, n.digits >>= 1)
    if (n.digits & 1) return none;
  if (n.exponent + bit_length(n.digits) > INTEGER_WIDTH) return none;
  uint64_t value = n.digits << n.exponent;
  if (value > most || (value == most && is_signed && !n.negative)) return none;
  return plain(n.negative ? 0 - value : value);
}

struct float_result float_apply(enum float_op op, enum float_format format, bool flush, value_t a, value_t b) {
  const struct shape *s = &shapes[format];
  if (op >= FLOAT_FROM_SIGNED) return from_integer(s, op == FLOAT_FROM_SIGNED, a);
  if (op >= FLOAT_TO_SIGNED) return to_integer(s, op == FLOAT_TO_SIGNED, flushed(s, a, flush));
  if (op >= FLOAT_TO_F16) return convert(format, (enum float_format)(FLOAT_F16 + (op - FLOAT_TO_F16)), flush, a);
  unsigned notes = unpack(s, a).subnormal || unpack(s, b).subnormal ? FLOAT_SUBNORMAL : 0;
  a = flushed(s, a & value_mask(s->width), flush);
  b = flushed(s, b & value_mask(s->width), flush);
  struct number x = unpack(s, a), y = unpack(s, b);
  bool nan = x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER, zeros = x.kind == ZERO && y.kind == ZERO;
  struct float_result r = {0};
  switch (op) {
    case FLOAT_SUB:
      y.negative = !y.negative;
      r = add(s, x, y, flush);
      break;
    case FLOAT_ADD: r = add(s, x, y, flush); break;
    case FLOAT_MUL: r = multiply(s, x, y, flush); break;
    case FLOAT_MIN:
    case FLOAT_MAX:
    case FLOAT_MIN_NAN:
    case FLOAT_MAX_NAN: r = choose(s, op, a, b, x.kind == NOT_A_NUMBER, y.kind == NOT_A_NUMBER); break;
    case FLOAT_LESS: r = plain(!nan && !zeros && before(s, a, b)); break;
    case FLOAT_EQUAL: r = plain(!nan && (zeros || a == b)); break;
    case FLOAT_UNORDERED: r = plain(nan); break;
    case FLOAT_TO_F16:
    case FLOAT_TO_BF16:
    case FLOAT_TO_F32:
    case FLOAT_TO_F64:
    case FLOAT_TO_SIGNED:
    case FLOAT_TO_UNSIGNED:
    case FLOAT_FROM_SIGNED:
    case FLOAT_FROM_UNSIGNED: BUG("a conversion is made above");
  }
  r.notes |= notes;
  return r;
}

struct float_result float_convert(enum float_format from, enum float_format to, value_t bits) {
  return convert(from, to, false, bits);
}

/* ---- Text ---- */

static double host_double(value_t bits) {
  uint64_t low = (uint64_t)bits;
  double d;
  memcpy(&d, &low, sizeof d);
  return d;
}

static value_t double_bits(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

bool float_from_decimal(const char *text, value_t *bits) {
  double nearest = base_number(text);
  *bits = double_bits(nearest);
  return nearest <= DBL_MAX;
}

void float_text(struct text *out, enum float_format format, value_t bits) {
  const char *text = "";
  struct number n = unpack(&shapes[format], bits);
  if (n.kind == NOT_A_NUMBER || n.kind == INFINITE) {
    text_add(out, n.kind == NOT_A_NUMBER ? "NaN" : n.negative ? "-inf" : "inf");
    return;
  }
  double d = host_double(float_convert(format, FLOAT_F64, bits).bits);
  for (int digits = 1; digits <= 17; digits++) {
    text = arena_printf(out->arena, "%.*g", digits, d);
    if (float_convert(FLOAT_F64, format, double_bits(base_number(text))).bits == bits) break;
  }
  text_add(out, text);
  if (!strpbrk(text, ".e")) text_add(out, ".0");
}
