/* Floating-point numbers as bits: against the host's float and double in all rounding modes, and against exact
 * arithmetic for the short formats; circuits on free inputs against constants. */
#include <fenv.h>
#include <math.h>

#include "unit.h"

#include "base/rng.h"
#include "term/float.h"
#include "term/word.h"

static float as_float(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static uint32_t float_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

static double as_double(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static uint64_t double_bits(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

/* Bits that are likely to meet a corner: special exponents, few fraction digits, or anything. */
static uint64_t corner(struct rng *rng, unsigned width, unsigned fraction) {
  uint64_t all = rng_next(rng), sign = (all & 1) << (width - 1);
  unsigned exponents = width - 1 - fraction;
  uint64_t mask = (UINT64_C(1) << fraction) - 1, last = (UINT64_C(1) << exponents) - 1;
  uint64_t near = last / 2 + rng_next(rng) % (2 * fraction + 5) - fraction - 2;
  const uint64_t exponent[] = {
      0, 1, last, last - 1, near, near, near, rng_next(rng) & last, rng_next(rng) % (fraction + 3)};
  const uint64_t digits[] = {0, 1, mask, mask - 1, (mask + 1) / 2, rng_next(rng) & mask, rng_next(rng) & mask};
  return sign | exponent[rng_next(rng) % ARRAY_LEN(exponent)] << fraction | digits[rng_next(rng) % ARRAY_LEN(digits)];
}

/* One operation on constants. */
struct folded {
  value_t bits;
  bool nan, inexact, subnormal, zero_sign, tiny;
};

static bool holds(const struct terms *terms, term_id condition) { return term_get(terms, condition)->constant != 0; }

static unsigned operand_width(struct float_code code) {
  return code.op >= FLOAT_FROM_SIGNED ? code.width : float_width(code.format);
}

static struct folded fold(struct float_code code, value_t a, value_t b, value_t c) {
  struct arena_mark mark = arena_mark(&arena);
  struct terms terms;
  terms_init(&terms, &arena);
  const value_t values[] = {a, b, c};
  term_id v[3];
  for (int i = 0; i < 3; i++) v[i] = term_const(&terms, values[i], operand_width(code));
  struct float_result r = term_float(&terms, code, v);
  assert_true(term_is_const(&terms, r.bits));
  struct folded f = {term_get(&terms, r.bits)->constant, holds(&terms, r.nan),       holds(&terms, r.inexact),
                     holds(&terms, r.subnormal),         holds(&terms, r.zero_sign), holds(&terms, r.tiny)};
  arena_rewind(&arena, mark);
  return f;
}

static const int directions[] = {
    [FLOAT_NEAREST] = FE_TONEAREST,
    [FLOAT_TOWARDS_ZERO] = FE_TOWARDZERO,
    [FLOAT_DOWN] = FE_DOWNWARD,
    [FLOAT_UP] = FE_UPWARD,
};

static void check(struct float_code code, value_t a, value_t b, value_t c, bool nan, value_t wanted) {
  struct folded f = fold(code, a, b, c);
  if (nan ? f.nan : f.bits == wanted && !f.nan) return;
  fail_msg("op %d, format %d, rounding %d of %llx %llx %llx: %llx, not %llx", code.op, code.format, code.rounding,
           (unsigned long long)a, (unsigned long long)b, (unsigned long long)c, (unsigned long long)f.bits,
           (unsigned long long)wanted);
}

TEST(f32_is_the_hosts_float) {
  struct rng rng = {1};
  for (int i = 0; i < 40000; i++) {
    uint32_t a = (uint32_t)corner(&rng, 32, 23), b = (uint32_t)corner(&rng, 32, 23), c = (uint32_t)corner(&rng, 32, 23);
    struct float_code code = {.format = FLOAT_F32, .rounding = (enum float_rounding)(i / 2 % 4)};
    volatile float x = as_float(a), y = as_float(b), z = as_float(c);
    if (i % 2) z = -x * y, c = float_bits(z); /* what is left of the product */
    fesetround(directions[code.rounding]);
    volatile float results[] = {x + y, x - y, x * y, fmaf(x, y, z)};
    fesetround(FE_TONEAREST);
    for (int op = FLOAT_ADD; op <= FLOAT_FMA; op++) {
      code.op = (enum float_op)op;
      check(code, a, b, c, isnan(results[op]), float_bits(results[op]));
    }
    code.op = (enum float_op)(FLOAT_LESS + i % 3);
    check(code, a, b, 0, false, code.op == FLOAT_LESS ? x < y : code.op == FLOAT_EQUAL ? x == y : isnan(x) || isnan(y));
  }
}

TEST(f64_is_the_hosts_double) {
  struct rng rng = {2};
  for (int i = 0; i < 40000; i++) {
    uint64_t a = corner(&rng, 64, 52), b = corner(&rng, 64, 52), c = corner(&rng, 64, 52);
    struct float_code code = {.format = FLOAT_F64, .rounding = (enum float_rounding)(i / 2 % 4)};
    volatile double x = as_double(a), y = as_double(b), z = as_double(c);
    if (i % 2) z = -x * y, c = double_bits(z);
    fesetround(directions[code.rounding]);
    volatile double results[] = {x + y, x - y, x * y, fma(x, y, z)};
    fesetround(FE_TONEAREST);
    for (int op = FLOAT_ADD; op <= FLOAT_FMA; op++) {
      code.op = (enum float_op)op;
      check(code, a, b, c, isnan(results[op]), double_bits(results[op]));
    }
    code.op = FLOAT_LESS;
    check(code, a, b, 0, false, x < y);
  }
}

TEST(conversions_are_the_hosts) {
  struct rng rng = {3};
  for (int i = 0; i < 20000; i++) {
    uint64_t a = corner(&rng, 64, 52);
    uint32_t b = (uint32_t)corner(&rng, 32, 23);
    if (i % 2) a = double_bits((double)as_float(b) * (1 + 1e-9 * (double)(i % 7)));
    struct float_code code = {FLOAT_CONVERT, FLOAT_F64, FLOAT_F32, .rounding = (enum float_rounding)(i / 2 % 4)};
    volatile double x = as_double(a);
    fesetround(directions[code.rounding]);
    volatile float narrow = (float)x;
    volatile double whole = nearbyint(x), wide = (double)as_float(b);
    fesetround(FE_TONEAREST);
    check(code, a, 0, 0, isnan(x), float_bits(narrow));
    code.op = FLOAT_WHOLE;
    check(code, a, 0, 0, isnan(x), double_bits(whole));
    code = (struct float_code){.op = FLOAT_CONVERT, .format = FLOAT_F32, .to = FLOAT_F64};
    check(code, b, 0, 0, isnan(wide), double_bits(wide));
    if (!isnan(x)) assert_int_equal(float_convert(&arena, FLOAT_F64, FLOAT_F32, a), float_bits((float)x));
  }
}

/* The rounded number as an integer of a type; 0 or the highest bit for a NaN (9.7.10 "cvt"). */
static uint64_t as_integer(double whole, unsigned width, bool is_signed, bool high) {
  double top = ldexp(1, (int)width - is_signed);
  uint64_t most = (uint64_t)value_mask(width - is_signed);
  if (isnan(whole)) return high ? UINT64_C(1) << (width - 1) : 0;
  if (whole >= top) return most;
  if (!is_signed) return whole <= 0 ? 0 : (uint64_t)whole;
  return (whole <= -top ? most + 1 : (uint64_t)(int64_t)whole) & (uint64_t)value_mask(width);
}

/* In all rounding modes, from and to all widths. */
TEST(integers_are_converted) {
  static const unsigned widths[] = {8, 16, 32, 64};
  struct rng rng = {9};
  for (int i = 0; i < 20000; i++) {
    struct float_code code = {.rounding = (enum float_rounding)(i % 4), .width = widths[i / 4 % 4]};
    bool is_signed = i / 16 % 2, is_double = i / 32 % 2;
    uint64_t bits = (rng_next(&rng) >> rng_next(&rng) % code.width) & (uint64_t)value_mask(code.width);
    int64_t number = (int64_t)value_sext(bits, code.width);
    code.op = is_signed ? FLOAT_FROM_SIGNED : FLOAT_FROM_UNSIGNED;
    code.format = is_double ? FLOAT_F64 : FLOAT_F32;
    fesetround(directions[code.rounding]);
    volatile float f = is_signed ? (float)number : (float)bits;
    volatile double d = is_signed ? (double)number : (double)bits;
    fesetround(FE_TONEAREST);
    check(code, bits, 0, 0, false, is_double ? double_bits(d) : float_bits(f));
    volatile double from = i % 3 ? (double)number / (1 << i % 7) : as_double(corner(&rng, 64, 52));
    if (!is_double) from = (float)from;
    fesetround(directions[code.rounding]);
    volatile double whole = nearbyint(from);
    fesetround(FE_TONEAREST);
    code.op = is_signed ? FLOAT_TO_SIGNED : FLOAT_TO_UNSIGNED;
    check(code, is_double ? double_bits(from) : float_bits((float)from), 0, 0, false,
          as_integer(whole, code.width, is_signed, is_double || code.width == 64));
  }
}

/* A short number as a double, which holds it exactly. */
static double short_value(enum float_format format, uint32_t bits) {
  int fraction = format == FLOAT_F16 ? 10 : 7, exponents = 15 - fraction;
  int exponent = (int)(bits >> fraction) & ((1 << exponents) - 1), low = (int)bits & ((1 << fraction) - 1);
  int bias = (1 << (exponents - 1)) - 1;
  double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == (1 << exponents) - 1) return low ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * ldexp(low, 1 - bias - fraction);
  return sign * ldexp(low + (1 << fraction), exponent - bias - fraction);
}

/* The short number for a double, found by looking among all. */
static uint32_t rounded_short(enum float_format format, enum float_rounding rounding, double d) {
  uint32_t low = 0, high = format == FLOAT_F16 ? 0x7c00 : 0x7f80, sign = signbit(d) ? 0x8000 : 0;
  double magnitude = fabs(d), top = ldexp(1, format == FLOAT_F16 ? 16 : 128);
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (short_value(format, middle) <= magnitude) low = middle;
    else high = middle;
  }
  bool whole = short_value(format, high) == magnitude, away = rounding == (sign ? FLOAT_DOWN : FLOAT_UP);
  if (isinf(d)) return sign | (format == FLOAT_F16 ? 0x7c00 : 0x7f80);
  if (rounding != FLOAT_NEAREST) return sign | (whole || (away && short_value(format, low) < magnitude) ? high : low);
  double above = high == (format == FLOAT_F16 ? 0x7c00u : 0x7f80u) ? top : short_value(format, high);
  double down = magnitude - short_value(format, low), up = above - magnitude;
  return sign | (magnitude >= above || up < down || (up == down && (high & 1) == 0) ? high : low);
}

/* Sums and products of two numbers of f16, and products of two of bf16, are exact in a double, and so is any double of
 * which a product of three is not asked. */
TEST(short_formats_are_exact) {
  struct rng rng = {4};
  for (uint32_t i = 0; i < 0x10000; i++) {
    struct float_code code = {.format = i & 1 ? FLOAT_BF16 : FLOAT_F16};
    unsigned fraction = i & 1 ? 7 : 10;
    uint32_t a = i, b = (uint32_t)corner(&rng, 16, fraction), c = (uint32_t)corner(&rng, 16, fraction);
    double x = short_value(code.format, a), y = short_value(code.format, b), z = short_value(code.format, c), exact;
    code.op = i & 1 ? FLOAT_MUL : (enum float_op)(FLOAT_ADD + rng_next(&rng) % 4);
    exact = code.op == FLOAT_ADD ? x + y : code.op == FLOAT_SUB ? x - y : x * y;
    if (code.op == FLOAT_FMA) {
      volatile double sum = exact + z;
      if (!isinf(sum) && (sum - z != exact || sum - exact != z)) continue;
      exact = sum;
    }
    check(code, a, b, c, isnan(exact), isnan(exact) ? 0 : rounded_short(code.format, FLOAT_NEAREST, exact));
    if (isnan(exact)) continue;
    bool same = short_value(code.format, (uint32_t)fold(code, a, b, c).bits) == exact;
    assert_int_equal(fold(code, a, b, c).inexact, !same);
  }
}

TEST(floats_become_short) {
  struct rng rng = {5};
  for (int i = 0; i < 40000; i++) {
    struct float_code code = {FLOAT_CONVERT, FLOAT_F32, i & 1 ? FLOAT_BF16 : FLOAT_F16,
                              .rounding = (enum float_rounding)(i / 2 % 4)};
    uint32_t a = (uint32_t)corner(&rng, 32, 23), b = (uint32_t)rng_next(&rng) & 0xffff;
    if (i % 3 == 0) a = (uint32_t)(b << 16) + (uint32_t)(i % 5) - 2;
    float x = as_float(a);
    check(code, a, 0, 0, isnan(x), isnan(x) ? 0 : rounded_short(code.to, code.rounding, (double)x));
    code.format = code.to, code.to = FLOAT_F32;
    check(code, b, 0, 0, isnan(short_value(code.format, b)), float_bits((float)short_value(code.format, b)));
  }
}

TEST(single_results) {
  static const struct {
    enum float_op op;
    uint32_t a, b, result;
  } cases[] = {
      {FLOAT_MIN, 0x3f800000, 0x40000000, 0x3f800000},
      {FLOAT_MAX, 0x3f800000, 0x40000000, 0x40000000},
      {FLOAT_MIN, 0xbf800000, 0xc0000000, 0xc0000000},
      {FLOAT_MIN, 0x00000000, 0x80000000, 0x80000000},
      {FLOAT_MAX, 0x80000000, 0x00000000, 0x00000000},
      {FLOAT_MIN, 0x7fc00000, 0x3f800000, 0x3f800000},
      {FLOAT_MAX, 0x3f800000, 0x7f800001, 0x3f800000},
      {FLOAT_MAX_NAN, 0xff800000, 0x3f800000, 0x3f800000},
      {FLOAT_NEG, 0x3f800000, 0, 0xbf800000},
      {FLOAT_ABS, 0xff800000, 0, 0x7f800000},
      {FLOAT_SATURATE, 0x3f000000, 0, 0x3f000000},
      {FLOAT_SATURATE, 0x40000000, 0, 0x3f800000},
      {FLOAT_SATURATE, 0x80000000, 0, 0},
      {FLOAT_SATURATE, 0x7fc00000, 0, 0},
      {FLOAT_SATURATE, 0xff800000, 0, 0},
      {FLOAT_WHOLE, 0xbe800000, 0, 0x80000000},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++)
    check((struct float_code){.op = cases[i].op, .format = FLOAT_F32}, cases[i].a, cases[i].b, 0, false,
          cases[i].result);
  assert_true(fold((struct float_code){.op = FLOAT_MIN, .format = FLOAT_F32}, 0x7fc00000, 0x7fc00000, 0).nan);
  assert_true(fold((struct float_code){.op = FLOAT_MIN_NAN, .format = FLOAT_F32}, 0x7fc00000, 0x3f800000, 0).nan);
}

/* .ftz of a conversion applies to the numbers of f32 alone (9.7.10 "cvt"). */
TEST(conversions_flush_f32) {
  struct float_code code = {FLOAT_CONVERT, FLOAT_F16, FLOAT_F32, .flush = true};
  check(code, 0x0001, 0, 0, false, 0x33800000);
  code.format = FLOAT_F32, code.to = FLOAT_F16;
  check(code, 0x33800000, 0, 0, false, 0x0001);
  check(code, 0x80000001, 0, 0, false, 0x8000);
}

TEST(conditions_say_what_a_result_hangs_on) {
  enum { INEXACT = 1, SUBNORMAL = 2, ZERO_SIGN = 4, TINY = 8, IS_NAN = 16 };
  static const struct {
    enum float_op op;
    bool flush;
    uint32_t a, b, result;
    unsigned notes;
  } cases[] = {
      {FLOAT_ADD, false, 0x3f800000, 0x3f800000, 0x40000000, 0},
      {FLOAT_ADD, false, 0x3f800000, 0x33000000, 0x3f800000, INEXACT},
      {FLOAT_ADD, false, 0x3f800000, 0xbf800000, 0x00000000, ZERO_SIGN},
      {FLOAT_ADD, false, 0x80000000, 0x80000000, 0x80000000, 0},
      {FLOAT_ADD, false, 0x7f7fffff, 0x7f7fffff, 0x7f800000, INEXACT},
      {FLOAT_ADD, false, 0x7f800000, 0xff800000, 0x7fffffff, IS_NAN},
      {FLOAT_ADD, false, 0x00000001, 0x00000001, 0x00000002, SUBNORMAL},
      {FLOAT_ADD, true, 0x00000001, 0x80000001, 0x00000000, SUBNORMAL | ZERO_SIGN},
      {FLOAT_ADD, true, 0x80000001, 0x80000001, 0x80000000, SUBNORMAL},
      {FLOAT_SUB, true, 0x00800001, 0x00800000, 0x00000000, SUBNORMAL},
      {FLOAT_SUB, false, 0x00800001, 0x00800000, 0x00000001, SUBNORMAL},
      {FLOAT_MUL, true, 0x3f000000, 0x00800000, 0x00000000, SUBNORMAL},
      {FLOAT_MUL, true, 0x3f7fffff, 0x00800000, 0x00800000, INEXACT | TINY},
      {FLOAT_MUL, false, 0x7f800000, 0x00000000, 0x7fffffff, IS_NAN},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct float_code code = {.op = cases[i].op, .format = FLOAT_F32, .flush = cases[i].flush};
    struct folded f = fold(code, cases[i].a, cases[i].b, 0);
    unsigned notes =
        f.inexact * INEXACT | f.subnormal * SUBNORMAL | f.zero_sign * ZERO_SIGN | f.tiny * TINY | f.nan * IS_NAN;
    if (f.bits != cases[i].result || notes != cases[i].notes)
      fail_msg("case %zu: %08x, notes %u", i, (unsigned)f.bits, notes);
  }
}

/* ---- Circuits ---- */

struct circuit {
  struct terms terms;
  struct gates gates;
  struct word *words;
  term_id inputs[3], result;
};

static struct circuit *circuit_of(struct float_code code) {
  struct circuit *c = ARENA_NEW(&arena, struct circuit);
  const struct word none = {NULL, 0};
  terms_init(&c->terms, &arena);
  gates_init(&c->gates, &arena, sat_new(&arena, false));
  for (uint32_t i = 0; i < 3; i++) c->inputs[i] = term_leaf(&c->terms, TERM_READ, i, operand_width(code));
  c->result = term_float(&c->terms, code, c->inputs).bits;
  c->words = ARENA_ARRAY(&arena, struct word, c->terms.list.len);
  for (term_id id = 0; id < c->terms.list.len; id++) {
    const struct term *t = term_get(&c->terms, id);
    term_id of[3];
    unsigned count = term_operands(&c->terms, id, of);
    c->words[id] = word_const(&arena, 0, t->width);
    for (unsigned i = 0; i < t->width && t->op == TERM_READ; i++) c->words[id].bits[i] = sat_variable(c->gates.sat);
    if (t->op != TERM_READ)
      c->words[id] = word_apply(&c->gates, t, count ? c->words[of[0]] : none, count > 1 ? c->words[of[1]] : none,
                                count > 2 ? c->words[of[2]] : none);
  }
  return c;
}

/* The result that the terms have for these inputs. */
static value_t evaluated(const struct circuit *c, const value_t inputs[3]) {
  value_t *values = ARENA_ARRAY(&arena, value_t, c->terms.list.len);
  for (term_id id = 0; id < c->terms.list.len; id++) {
    const struct term *t = term_get(&c->terms, id);
    term_id of[3];
    unsigned count = term_operands(&c->terms, id, of), width = count ? term_get(&c->terms, of[0])->width : 0;
    for (unsigned i = count; i < 3; i++) of[i] = 0;
    values[id] =
        t->op == TERM_READ ? inputs[t->event] : term_apply(t, values[of[0]], width, values[of[1]], values[of[2]]);
  }
  return values[c->result];
}

static value_t solved(const struct circuit *c, const value_t inputs[3]) {
  for (int i = 0; i < 3; i++)
    for (unsigned bit = 0; bit < c->words[c->inputs[i]].width; bit++)
      sat_assume(c->gates.sat,
                 inputs[i] >> bit & 1 ? c->words[c->inputs[i]].bits[bit] : -c->words[c->inputs[i]].bits[bit]);
  assert_int_equal(sat_solve(c->gates.sat), SAT_YES);
  value_t value = 0;
  struct word word = c->words[c->result];
  for (unsigned bit = 0; bit < word.width; bit++) value |= (value_t)sat_value(c->gates.sat, word.bits[bit]) << bit;
  return value;
}

TEST(circuits_compute_what_folds) {
  struct rng rng = {6};
  for (int op = FLOAT_ADD; op <= FLOAT_FROM_UNSIGNED; op++)
    for (int format = FLOAT_F16; format <= FLOAT_F64; format++) {
      struct arena_mark mark = arena_mark(&arena);
      struct float_code code = {.op = (enum float_op)op, .format = (enum float_format)format, .width = 32};
      code.to = format == FLOAT_F32 ? FLOAT_F16 : FLOAT_F32;
      code.rounding = (enum float_rounding)((op + format) % 4), code.flush = op % 2;
      unsigned fraction = format == FLOAT_F16 ? 10 : format == FLOAT_BF16 ? 7 : format == FLOAT_F32 ? 23 : 52;
      const struct circuit *c = circuit_of(code);
      for (int i = 0; i < 40; i++) {
        value_t in[3];
        for (int k = 0; k < 3; k++)
          in[k] = op >= FLOAT_FROM_SIGNED ? rng_next(&rng) >> 32 : corner(&rng, float_width(code.format), fraction);
        value_t wanted = fold(code, in[0], in[1], in[2]).bits;
        assert_true(evaluated(c, in) == wanted);
        assert_true(solved(c, in) == wanted);
      }
      arena_rewind(&arena, mark);
    }
}

TEST(decimals) {
  static const char *const right[] = {"0.0",
                                      "1.5",
                                      "0.1",
                                      "123456789.0",
                                      "1e3",
                                      "2.5e-3",
                                      "9007199254740993.0",
                                      "1e22",
                                      "1.0E+10",
                                      "0.3",
                                      "3.14159265358979",
                                      "65504.0",
                                      "0.333333333333333",
                                      "4503599627370496.5",
                                      "1e-19",
                                      "12345678901234567.89",
                                      "1e-30",
                                      "1.7976931348623157e308",
                                      "4.9e-324",
                                      "1e-400",
                                      "12345678901234567890123.5",
                                      "0.00000000000000000001"};
  static const char *const wrong[] = {"1e400", "1.8e308"};
  for (size_t i = 0; i < ARRAY_LEN(right); i++) {
    value_t bits;
    assert_true(float_from_decimal(right[i], &bits));
    if (bits != double_bits(strtod(right[i], NULL))) fail_msg("%s", right[i]);
    struct text text = {.arena = &arena};
    float_text(&text, FLOAT_F64, bits);
    assert_true(double_bits(strtod(text_str(&text), NULL)) == bits);
  }
  for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
    value_t bits;
    if (float_from_decimal(wrong[i], &bits)) fail_msg("%s", wrong[i]);
  }
  static const struct {
    enum float_format format;
    uint32_t bits;
    const char *text;
  } texts[] = {{FLOAT_F16, 0x3c00, "1.0"},     {FLOAT_F16, 0x2e66, "0.1"},      {FLOAT_BF16, 0x3fc0, "1.5"},
               {FLOAT_F32, 0x3dcccccd, "0.1"}, {FLOAT_F32, 0x80000000, "-0.0"}, {FLOAT_F32, 0x7f800000, "inf"},
               {FLOAT_F16, 0xfc00, "-inf"},    {FLOAT_F32, 0x7fffffff, "NaN"},  {FLOAT_F32, 0x7149f2ca, "1e+30"}};
  for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
    struct text text = {.arena = &arena};
    float_text(&text, texts[i].format, texts[i].bits);
    assert_string_equal(text_str(&text), texts[i].text);
  }
}

int main(void) { return run_all(open_arena, close_arena); }
