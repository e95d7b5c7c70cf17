#include "term/float.h"

#include <float.h>

/* precision: the number of significand bits, including the implicit leading bit. */
static const struct shape {
  unsigned width, precision, exponent_bits;
} shapes[] = {
    [FLOAT_F16] = {16, 11, 5}, [FLOAT_BF16] = {16, 8, 8}, [FLOAT_F32] = {32, 24, 8}, [FLOAT_F64] = {64, 53, 11}};

/* Exponents are signed words. The bits below a sum's lowest digit decide its rounding: the next one, and if any of the
 * others is set, which the lowest of them stands for. */
enum { EXPONENT = 13, BELOW = 3 };

unsigned float_width(enum float_format format) { return shapes[format].width; }

static value_t sign_bit(const struct shape *s) { return (value_t)1 << (s->width - 1); }
static value_t least_normal(const struct shape *s) { return (value_t)1 << (s->precision - 1); }
static value_t infinity(const struct shape *s) { return value_mask(s->exponent_bits) << (s->precision - 1); }
static value_t one(const struct shape *s) { return value_mask(s->exponent_bits - 1) << (s->precision - 1); }

/* The exponent of the least significant digit of subnormal numbers. */
static int least_unit(const struct shape *s) { return 3 - (1 << (s->exponent_bits - 1)) - (int)s->precision; }

bool float_is_subnormal(enum float_format format, value_t bits) {
  const struct shape *s = &shapes[format];
  return !(bits & infinity(s)) && (bits & value_mask(s->precision - 1));
}

/* ---- Words ---- */

static term_id word(struct terms *t, value_t value, term_id like) {
  return term_const(t, value, term_get(t, like)->width);
}

static term_id add(struct terms *t, term_id a, term_id b) { return term_binary(t, TERM_ADD, a, b); }
static term_id sub(struct terms *t, term_id a, term_id b) { return term_binary(t, TERM_SUB, a, b); }
static term_id plus(struct terms *t, term_id a, int b) { return add(t, a, word(t, (value_t)b, a)); }
static term_id minus(struct terms *t, term_id a) { return sub(t, word(t, 0, a), a); }
static term_id less(struct terms *t, term_id a, term_id b) { return term_binary(t, TERM_ULT, a, b); }
static term_id below(struct terms *t, term_id a, int b) { return term_binary(t, TERM_SLT, a, word(t, (value_t)b, a)); }
static term_id differ(struct terms *t, term_id a, term_id b) { return term_binary(t, TERM_XOR, a, b); }
static term_id but_not(struct terms *t, term_id a, term_id b) { return term_and(t, a, term_not(t, b)); }
static term_id mask(struct terms *t, term_id a, value_t bits) { return term_and(t, a, word(t, bits, a)); }
static term_id is(struct terms *t, term_id a, value_t value) { return term_eq(t, a, word(t, value, a)); }
static term_id any(struct terms *t, term_id a) { return term_not(t, is(t, a, 0)); }
static term_id wide(struct terms *t, term_id a, unsigned width) { return term_resize(t, a, width, false); }
static term_id if_else(struct terms *t, term_id c, term_id a, term_id b) { return term_ite(t, c, a, b); }
static term_id exponent(struct terms *t, int value) { return term_const(t, (value_t)value, EXPONENT); }

static term_id left(struct terms *t, term_id a, unsigned by) {
  return term_binary(t, TERM_SHL, a, term_const(t, by, EXPONENT));
}

static term_id right(struct terms *t, term_id a, unsigned by) {
  return term_binary(t, TERM_SHR, a, term_const(t, by, EXPONENT));
}

static term_id bit(struct terms *t, term_id a, unsigned which) { return wide(t, right(t, a, which), 1); }

/* The bits that tell distances of up to `width` apart. */
static unsigned distance_bits(unsigned width) {
  unsigned bits = 1;
  while (1u << bits <= width) bits++;
  return bits;
}

/* A distance, not negative, in as few bits as shift out a whole word. */
static term_id distance(struct terms *t, term_id by, unsigned width) {
  int most = (1 << distance_bits(width)) - 1;
  return wide(t, if_else(t, below(t, by, most), by, exponent(t, most)), distance_bits(width));
}

/* Shifts to the right; if a one is lost, the lowest bit is set. */
static term_id right_sticky(struct terms *t, term_id a, term_id by) {
  unsigned width = term_get(t, a)->width;
  term_id how = distance(t, by, width), lost = TERM_FALSE;
  for (unsigned i = 0; i < term_get(t, how)->width; i++) {
    unsigned step = 1u << i < width ? 1u << i : width;
    lost = term_or(t, lost, term_and(t, bit(t, how, i), any(t, wide(t, a, step))));
    a = if_else(t, bit(t, how, i), right(t, a, step), a);
  }
  return term_or(t, a, wide(t, lost, width));
}

/* The number of zeros above the highest one, by halves; more for zero. */
static term_id leading_zeros(struct terms *t, term_id a) {
  unsigned width = term_get(t, a)->width, half = 1;
  term_id count = exponent(t, 0);
  while (2 * half < width) half *= 2;
  for (a = left(t, wide(t, a, 2 * half), 2 * half - width); half; half /= 2) {
    term_id high = wide(t, right(t, a, half), half), none = is(t, high, 0);
    count = term_or(t, left(t, count, 1), wide(t, none, EXPONENT));
    a = if_else(t, none, wide(t, a, half), high);
  }
  return count;
}

/* ---- Numbers ---- */

/* A number that is neither infinite nor a NaN is digits * 2^exponent. Its highest digit is set, except for subnormal
 * numbers and zeros, which have the least exponent. */
struct number {
  term_id sign, nan, infinite, subnormal, digits, exponent;
};

static term_id flushed(struct terms *t, const struct shape *s, bool flush, term_id bits) {
  return flush ? if_else(t, any(t, mask(t, bits, infinity(s))), bits, mask(t, bits, sign_bit(s))) : bits;
}

static term_id is_nan(struct terms *t, const struct shape *s, term_id bits) {
  return less(t, word(t, infinity(s), bits), mask(t, bits, value_mask(s->width - 1)));
}

static struct number unpack(struct terms *t, const struct shape *s, bool flush, term_id all) {
  term_id bits = flushed(t, s, flush, all), low = wide(t, bits, s->precision - 1);
  term_id stored = wide(t, right(t, wide(t, bits, s->width - 1), s->precision - 1), EXPONENT);
  term_id special = is(t, stored, value_mask(s->exponent_bits)), least = is(t, stored, 0);
  term_id magnitude = wide(t, all, s->width - 1), digits = wide(t, low, s->precision);
  struct number n = {.sign = bit(t, bits, s->width - 1)};
  n.nan = term_and(t, special, any(t, low));
  n.infinite = but_not(t, special, n.nan);
  n.subnormal = term_and(t, less(t, magnitude, word(t, least_normal(s), magnitude)), any(t, magnitude));
  n.digits = term_or(t, digits, left(t, wide(t, term_not(t, least), s->precision), s->precision - 1));
  n.exponent = plus(t, if_else(t, least, exponent(t, 1), stored), least_unit(s) - 1);
  return n;
}

/* The digits moved to the top of a wider word. */
static struct number widened(struct terms *t, struct number n, unsigned width) {
  unsigned more = width - term_get(t, n.digits)->width;
  n.digits = left(t, wide(t, n.digits, width), more);
  n.exponent = plus(t, n.exponent, -(int)more);
  return n;
}

/* Shifts the digits to the left, as far as `room` allows, until the highest is set, and subtracts the distance from
 * `room`. */
static term_id normalise(struct terms *t, term_id digits, term_id *room) {
  term_id zeros = leading_zeros(t, digits), most = if_else(t, below(t, *room, 0), exponent(t, 0), *room);
  term_id by = if_else(t, less(t, most, zeros), most, zeros);
  *room = sub(t, *room, by);
  return term_binary(t, TERM_SHL, digits, wide(t, by, distance_bits(term_get(t, digits)->width)));
}

/* 1 if the digits are to be rounded away from zero. `next` is the digit after the last one that is kept; `rest`: one
 * after it is set. */
static term_id rounds_up(struct terms *t, enum float_rounding how, term_id sign, term_id last, term_id next,
                         term_id rest) {
  term_id some = term_or(t, next, rest);
  switch (how) {
    case FLOAT_NEAREST: return term_and(t, next, term_or(t, last, rest));
    case FLOAT_TOWARDS_ZERO: return TERM_FALSE;
    case FLOAT_DOWN: return term_and(t, sign, some);
    case FLOAT_UP: return but_not(t, some, sign);
  }
  BUG("rounding %d", (int)how);
}

static struct float_result plain(term_id bits) { return (struct float_result){.bits = bits}; }

/* The number in a format, rounded. Its digits have at least two bits more than the format keeps, of which the lowest
 * may stand for smaller ones; they need not have their highest digit set. Only products and numbers of another format
 * may be below the least exponent. */
static struct float_result round_to(struct terms *t, const struct shape *s, struct float_code code, struct number n) {
  unsigned width = term_get(t, n.digits)->width, more = width - s->precision, packed = EXPONENT + s->precision;
  term_id room = plus(t, n.exponent, (int)more - least_unit(s)), none = is(t, n.digits, 0);
  term_id digits = normalise(t, n.digits, &room), sinks = below(t, room, 0);
  if (code.op == FLOAT_MUL || code.op == FLOAT_FMA || code.op == FLOAT_CONVERT) {
    digits = right_sticky(t, digits, if_else(t, sinks, minus(t, room), exponent(t, 0)));
    room = if_else(t, sinks, exponent(t, 0), room);
  }
  term_id kept = right(t, digits, more), next = bit(t, digits, more - 1), rest = any(t, wide(t, digits, more - 1));
  term_id up = rounds_up(t, code.rounding, n.sign, bit(t, kept, 0), next, rest);
  /* The leading digit adds 1 to the exponent: it is that of the least normal numbers for room = 0. */
  term_id sum = add(t, left(t, wide(t, room, packed), s->precision - 1), wide(t, kept, packed));
  sum = add(t, sum, wide(t, up, packed));
  term_id large = term_not(t, less(t, sum, word(t, infinity(s), sum)));
  term_id stays = code.rounding == FLOAT_NEAREST        ? TERM_FALSE
                  : code.rounding == FLOAT_TOWARDS_ZERO ? TERM_TRUE
                  : code.rounding == FLOAT_DOWN         ? term_not(t, n.sign)
                                                        : n.sign;
  term_id greatest = if_else(t, stays, word(t, infinity(s) - 1, sum), word(t, infinity(s), sum));
  term_id small = less(t, sum, word(t, least_normal(s), sum));
  struct float_result r = {.inexact = but_not(t, term_or(t, term_or(t, next, rest), large), none)};
  r.subnormal = term_and(t, but_not(t, small, none), any(t, sum));
  r.tiny = code.flush ? but_not(t, term_not(t, bit(t, kept, s->precision - 1)), term_or(t, small, none)) : TERM_FALSE;
  sum = if_else(t, large, greatest, sum);
  if (code.flush) none = term_or(t, none, small);
  r.bits = wide(t, if_else(t, none, word(t, 0, sum), sum), s->width);
  r.bits = term_or(t, r.bits, left(t, wide(t, n.sign, s->width), s->width - 1));
  return r;
}

/* The result for a number that may be infinite or a NaN. */
static struct float_result finish(struct terms *t, const struct shape *s, struct float_code code, struct number n) {
  struct float_result r = round_to(t, s, code, n);
  term_id special = term_or(t, n.nan, n.infinite);
  term_id sign = left(t, wide(t, n.sign, s->width), s->width - 1);
  r.bits = if_else(t, n.infinite, term_or(t, sign, word(t, infinity(s), sign)), r.bits);
  r.bits = if_else(t, n.nan, word(t, value_mask(s->width - 1), r.bits), r.bits);
  r.inexact = but_not(t, r.inexact, special);
  r.subnormal = term_or(t, n.subnormal, but_not(t, r.subnormal, special));
  r.tiny = but_not(t, r.tiny, special);
  r.nan = n.nan;
  return r;
}

/* ---- Arithmetic ---- */

/* Digits of one width. If the number with the greater exponent has a leading zero, its exponent is the least that the
 * format has, so that all digits that the other one loses are below those that can be kept. */
static struct float_result sum(struct terms *t, const struct shape *s, struct float_code code, struct number x,
                               struct number y) {
  unsigned width = term_get(t, x.digits)->width + BELOW + 1;
  term_id swap = term_binary(t, TERM_SLT, x.exponent, y.exponent), opposite = differ(t, x.sign, y.sign);
  term_id most = if_else(t, swap, y.digits, x.digits), least = if_else(t, swap, x.digits, y.digits);
  term_id apart = sub(t, x.exponent, y.exponent);
  struct number n = {.subnormal = term_or(t, x.subnormal, y.subnormal)};
  most = left(t, wide(t, most, width), BELOW), least = left(t, wide(t, least, width), BELOW);
  least = right_sticky(t, least, if_else(t, swap, minus(t, apart), apart));
  n.digits = add(t, most, if_else(t, opposite, minus(t, least), least));
  term_id turned = term_and(t, opposite, bit(t, n.digits, width - 1)), infinite = term_or(t, x.infinite, y.infinite);
  n.digits = if_else(t, turned, minus(t, n.digits), n.digits);
  n.exponent = plus(t, if_else(t, swap, y.exponent, x.exponent), -BELOW);
  term_id zero = term_and(t, opposite, is(t, n.digits, 0));
  n.sign = differ(t, if_else(t, swap, y.sign, x.sign), turned);
  n.sign = if_else(t, zero, code.rounding == FLOAT_DOWN ? TERM_TRUE : TERM_FALSE, n.sign);
  n.sign = if_else(t, infinite, if_else(t, x.infinite, x.sign, y.sign), n.sign);
  n.nan = term_and(t, opposite, term_and(t, x.infinite, y.infinite));
  n.nan = term_or(t, n.nan, term_or(t, x.nan, y.nan));
  n.infinite = but_not(t, infinite, n.nan);
  struct float_result r = finish(t, s, code, n);
  r.zero_sign = but_not(t, zero, term_or(t, n.nan, infinite));
  return r;
}

static struct number product(struct terms *t, const struct shape *s, struct number x, struct number y) {
  unsigned width = 2 * s->precision;
  term_id none = term_or(t, is(t, x.digits, 0), is(t, y.digits, 0)), infinite = term_or(t, x.infinite, y.infinite);
  struct number n = {.sign = differ(t, x.sign, y.sign), .subnormal = term_or(t, x.subnormal, y.subnormal)};
  n.nan = term_or(t, term_or(t, x.nan, y.nan), term_and(t, infinite, none));
  n.infinite = but_not(t, infinite, n.nan);
  n.digits = term_binary(t, TERM_MUL, wide(t, x.digits, width), wide(t, y.digits, width));
  n.exponent = add(t, x.exponent, y.exponent);
  return n;
}

static struct float_result fused(struct terms *t, const struct shape *s, struct float_code code, struct number x,
                                 struct number y, struct number z) {
  struct number n = product(t, s, x, y);
  z = widened(t, z, 2 * s->precision);
  int least = least_unit(s) - (int)s->precision; /* the exponent of a subnormal z */
  term_id room = plus(t, n.exponent, -least), none = is(t, n.digits, 0);
  n.digits = normalise(t, n.digits, &room);
  n.exponent = if_else(t, none, exponent(t, least), plus(t, room, least));
  return sum(t, s, code, n, z);
}

/* True if a < b, or if a is -0 and b is +0. */
static term_id before(struct terms *t, const struct shape *s, term_id a, term_id b) {
  term_id minus_a = bit(t, a, s->width - 1), opposite = differ(t, minus_a, bit(t, b, s->width - 1));
  return if_else(t, opposite, minus_a, if_else(t, minus_a, less(t, b, a), less(t, a, b)));
}

static struct float_result least_or_greatest(struct terms *t, const struct shape *s, enum float_op op, term_id a,
                                             term_id b) {
  bool nan_wins = op == FLOAT_MIN_NAN || op == FLOAT_MAX_NAN, least = op == FLOAT_MIN || op == FLOAT_MIN_NAN;
  term_id a_nan = is_nan(t, s, a), b_nan = is_nan(t, s, b), first = before(t, s, a, b);
  struct float_result r = {.nan = nan_wins ? term_or(t, a_nan, b_nan) : term_and(t, a_nan, b_nan)};
  r.bits = if_else(t, first, least ? a : b, least ? b : a);
  r.bits = if_else(t, a_nan, b, if_else(t, b_nan, a, r.bits));
  r.bits = if_else(t, r.nan, word(t, value_mask(s->width - 1), a), r.bits);
  return r;
}

/* ---- Integers ---- */

static struct float_result from_integer(struct terms *t, struct float_code code, term_id a) {
  const struct shape *s = &shapes[code.format];
  unsigned width = term_get(t, a)->width, room = width < s->precision ? s->precision + 2 : width + 2;
  struct number n = {.sign = code.op == FLOAT_FROM_SIGNED ? bit(t, a, width - 1) : TERM_FALSE};
  n.digits = left(t, wide(t, if_else(t, n.sign, minus(t, a), a), room), 2);
  n.exponent = exponent(t, -2);
  return round_to(t, s, code, n);
}

/* The magnitude of a number as a whole number, rounded. *large: it has more bits than `width`, and is not in the
 * result. */
static term_id whole(struct terms *t, const struct shape *s, enum float_rounding rounding, struct number n,
                     unsigned width, term_id *large) {
  unsigned bits = (width > s->precision ? width : s->precision) + 2;
  term_id digits = left(t, wide(t, n.digits, bits), 2), fraction = below(t, n.exponent, 0);
  term_id down = right_sticky(t, digits, if_else(t, fraction, minus(t, n.exponent), exponent(t, 0)));
  term_id up = term_binary(t, TERM_SHL, digits, distance(t, if_else(t, fraction, exponent(t, 0), n.exponent), bits));
  term_id moved = if_else(t, fraction, down, up), kept = right(t, moved, 2);
  term_id more = rounds_up(t, rounding, n.sign, bit(t, kept, 0), bit(t, moved, 1), bit(t, moved, 0));
  *large = term_not(t, below(t, n.exponent, (int)width + 1 - (int)s->precision));
  return add(t, kept, wide(t, more, bits));
}

/* Numbers outside of the type, infinities too, give its nearest; a NaN 0, or in f64 or 64 bits only the highest bit
 * (9.7.10 "cvt"). */
static struct float_result to_integer(struct terms *t, const struct shape *s, struct float_code code, struct number n) {
  bool is_signed = code.op == FLOAT_TO_SIGNED, high = code.format == FLOAT_F64 || code.width == 64;
  value_t most = value_mask(code.width - is_signed), least = is_signed ? most + 1 : 0;
  term_id large, magnitude = whole(t, s, code.rounding, n, code.width, &large);
  term_id limit = if_else(t, n.sign, word(t, least, magnitude), word(t, most, magnitude));
  large = term_or(t, term_or(t, large, n.infinite), less(t, limit, magnitude));
  magnitude = wide(t, if_else(t, large, limit, magnitude), code.width);
  term_id value = if_else(t, n.sign, minus(t, magnitude), magnitude);
  return plain(if_else(t, n.nan, word(t, high ? (value_t)1 << (code.width - 1) : 0, value), value));
}

/* A number without digits after the point stays as it is; others are below 2^precision. */
static struct float_result to_whole(struct terms *t, const struct shape *s, struct float_code code, struct number n,
                                    term_id bits) {
  term_id large, unchanged = term_not(t, below(t, n.exponent, 0));
  struct number rounded = {.sign = n.sign, .exponent = exponent(t, -2)};
  rounded.digits = left(t, wide(t, whole(t, s, code.rounding, n, s->precision, &large), s->precision + 4), 2);
  struct float_result r = plain(if_else(t, unchanged, bits, round_to(t, s, code, rounded).bits));
  r.nan = n.nan;
  return r;
}

/* ---- All operations ---- */

/* .ftz of a conversion applies to f32 only. */
static struct float_result convert(struct terms *t, struct float_code code, term_id a) {
  const struct shape *from = &shapes[code.format], *to = &shapes[code.to];
  struct number n = unpack(t, from, code.flush && code.format == FLOAT_F32, a);
  code.flush = code.flush && code.to == FLOAT_F32;
  return finish(t, to, code, widened(t, n, (from->precision > to->precision ? from : to)->precision + 2));
}

static unsigned operand_count(enum float_op op) {
  if (op == FLOAT_FMA) return 3;
  return op <= FLOAT_MAX_NAN || (op >= FLOAT_LESS && op <= FLOAT_UNORDERED) ? 2 : 1;
}

static struct float_result operate(struct terms *t, struct float_code code, const term_id *v) {
  const struct shape *s = &shapes[code.format];
  bool two = operand_count(code.op) > 1;
  if (code.op == FLOAT_FROM_SIGNED || code.op == FLOAT_FROM_UNSIGNED) return from_integer(t, code, v[0]);
  if (code.op == FLOAT_CONVERT) return convert(t, code, v[0]);
  term_id a = flushed(t, s, code.flush, v[0]), b = flushed(t, s, code.flush, v[two]);
  struct number x = unpack(t, s, code.flush, v[0]), y = unpack(t, s, code.flush, v[two]);
  term_id unordered = term_or(t, x.nan, y.nan), sign = word(t, sign_bit(s), a);
  term_id zeros = is(t, mask(t, term_or(t, a, b), value_mask(s->width - 1)), 0);
  struct float_result r = {.nan = x.nan};
  switch (code.op) {
    case FLOAT_SUB: y.sign = term_not(t, y.sign); return sum(t, s, code, x, y);
    case FLOAT_ADD: return sum(t, s, code, x, y);
    case FLOAT_MUL: return finish(t, s, code, product(t, s, x, y));
    case FLOAT_FMA: return fused(t, s, code, x, y, unpack(t, s, code.flush, v[2]));
    case FLOAT_MIN:
    case FLOAT_MAX:
    case FLOAT_MIN_NAN:
    case FLOAT_MAX_NAN:
      r = least_or_greatest(t, s, code.op, a, b);
      r.subnormal = term_or(t, x.subnormal, y.subnormal);
      return r;
    case FLOAT_NEG: r.bits = differ(t, a, sign); return r;
    case FLOAT_ABS: r.bits = but_not(t, a, sign); return r;
    case FLOAT_SATURATE:
      r.bits = if_else(t, less(t, a, word(t, one(s), a)), a, word(t, one(s), a));
      return plain(if_else(t, term_or(t, x.nan, x.sign), word(t, 0, a), r.bits));
    case FLOAT_LESS: return plain(but_not(t, before(t, s, a, b), term_or(t, unordered, zeros)));
    case FLOAT_EQUAL: return plain(but_not(t, term_or(t, zeros, term_eq(t, a, b)), unordered));
    case FLOAT_UNORDERED: return plain(unordered);
    case FLOAT_WHOLE: return to_whole(t, s, code, x, a);
    case FLOAT_TO_SIGNED:
    case FLOAT_TO_UNSIGNED: return to_integer(t, s, code, x);
    case FLOAT_CONVERT:
    case FLOAT_FROM_SIGNED:
    case FLOAT_FROM_UNSIGNED: break;
  }
  BUG("floating-point operation %d", (int)code.op);
}

enum { RESULTS = sizeof(struct float_result) / sizeof(term_id), MOST_KNOWN = 1 << 16 };

/* An operation on constants, whose result all threads of a kernel share, also once terms are forgotten. */
struct float_known {
  struct float_code code;
  unsigned width; /* of the operands */
  value_t operands[3];
  struct {
    value_t value;
    unsigned width;
  } results[RESULTS]; /* the members of float_result, in order */
};

struct float_results {
  VEC(struct float_known) list;
  struct hash_index index;
};

static uint64_t hash_known(const struct float_known *k) {
  uint64_t hash = hash_mix((uint64_t)k->code.op << 8 | k->code.format, (uint64_t)k->code.to << 8 | k->code.width);
  hash = hash_mix(hash, (uint64_t)k->width << 32 | (uint64_t)k->code.rounding << 1 | k->code.flush);
  for (size_t i = 0; i < ARRAY_LEN(k->operands); i++) hash = hash_mix(hash, (uint64_t)k->operands[i]);
  return hash;
}

static bool same_known(const struct float_known *a, const struct float_known *b) {
  return a->code.op == b->code.op && a->code.format == b->code.format && a->code.to == b->code.to &&
         a->code.width == b->code.width && a->code.rounding == b->code.rounding && a->code.flush == b->code.flush &&
         a->width == b->width && memcmp(a->operands, b->operands, sizeof a->operands) == 0;
}

/* The steps of an operation on constants stay in a table of their own, which goes with it. */
static void compute(struct terms *terms, struct float_known *out) {
  struct terms steps;
  term_id own[3] = {0}, results[RESULTS];
  struct arena_mark mark = arena_mark(terms->arena);
  terms_init(&steps, terms->arena);
  steps.apart = true;
  for (unsigned i = 0; i < operand_count(out->code.op); i++) own[i] = term_const(&steps, out->operands[i], out->width);
  const struct float_result r = operate(&steps, out->code, own);
  memcpy(results, &r, sizeof r);
  for (size_t i = 0; i < RESULTS; i++) {
    const struct term *t = term_get(&steps, results[i]);
    out->results[i].value = t->constant, out->results[i].width = t->width;
  }
  arena_rewind(terms->arena, mark);
}

static struct float_result result_of(struct terms *terms, const struct float_known *known) {
  term_id ids[RESULTS];
  struct float_result r;
  for (size_t i = 0; i < RESULTS; i++) ids[i] = term_const(terms, known->results[i].value, known->results[i].width);
  memcpy(&r, ids, sizeof r);
  return r;
}

struct float_result term_float(struct terms *terms, struct float_code code, const term_id *operands) {
  struct float_known own = {.code = code, .width = term_get(terms, operands[0])->width};
  for (unsigned i = 0; i < operand_count(code.op); i++) {
    if (!term_is_const(terms, operands[i])) return operate(terms, code, operands);
    own.operands[i] = term_get(terms, operands[i])->constant;
  }
  if (!terms->floats) terms->floats = ARENA_NEW(terms->arena, struct float_results);
  struct float_results *known = terms->floats;
  uint64_t hash = hash_known(&own);
  HASH_EACH (i, &known->index, hash)
    if (same_known(&known->list.data[i], &own)) return result_of(terms, &known->list.data[i]);
  compute(terms, &own);
  if (known->list.len < MOST_KNOWN) {
    HASH_PUSH(terms->arena, &known->index, hash, &known->list, own);
  }
  return result_of(terms, &own);
}

value_t float_convert(struct arena *arena, enum float_format from, enum float_format to, value_t bits) {
  struct arena_mark mark = arena_mark(arena);
  struct terms steps;
  terms_init(&steps, arena);
  steps.apart = true;
  term_id a = term_const(&steps, bits, float_width(from));
  struct float_result r = convert(&steps, (struct float_code){.op = FLOAT_CONVERT, .format = from, .to = to}, a);
  value_t converted = term_get(&steps, r.bits)->constant;
  arena_rewind(arena, mark);
  return converted;
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
  const struct shape *s = &shapes[format];
  const char *text = "";
  if ((bits & infinity(s)) == infinity(s)) {
    text_add(out, bits & value_mask(s->precision - 1) ? "NaN" : bits & sign_bit(s) ? "-inf" : "inf");
    return;
  }
  double d = host_double(float_convert(out->arena, format, FLOAT_F64, bits));
  for (int digits = 1; digits <= 17; digits++) {
    text = arena_printf(out->arena, "%.*g", digits, d);
    if (float_convert(out->arena, FLOAT_F64, format, double_bits(base_number(text))) == bits) break;
  }
  text_add(out, text);
  if (!strpbrk(text, ".e")) text_add(out, ".0");
}
