/* Floating-point numbers as bits: against the host's float and double, and against exact arithmetic for the short
 * formats. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/float.h"
#include "base/rng.h"

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

static void f32_is_the_hosts_float(void **state) {
  struct rng rng = {1};
  (void)state;
  for (int i = 0; i < 2000000; i++) {
    uint32_t a = (uint32_t)corner(&rng, 32, 23), b = (uint32_t)corner(&rng, 32, 23);
    volatile float x = as_float(a), y = as_float(b);
    volatile float sums[] = {x + y, x - y, x * y};
    for (int op = FLOAT_ADD; op <= FLOAT_MUL; op++) {
      struct float_result r = float_apply((enum float_op)op, FLOAT_F32, false, a, b);
      bool nan = isnan(sums[op]);
      if (nan ? r.notes & FLOAT_NAN : r.bits == float_bits(sums[op])) continue;
      fail_msg("%08x op %d %08x: %08x, not %08x", a, op, b, (unsigned)r.bits, float_bits(sums[op]));
    }
    assert_int_equal(float_apply(FLOAT_LESS, FLOAT_F32, false, a, b).bits, x < y);
    assert_int_equal(float_apply(FLOAT_EQUAL, FLOAT_F32, false, a, b).bits, x == y);
    assert_int_equal(float_apply(FLOAT_UNORDERED, FLOAT_F32, false, a, b).bits, isnan(x) || isnan(y));
  }
}

static void f64_is_the_hosts_double(void **state) {
  struct rng rng = {2};
  (void)state;
  for (int i = 0; i < 2000000; i++) {
    uint64_t a = corner(&rng, 64, 52), b = corner(&rng, 64, 52);
    volatile double x = as_double(a), y = as_double(b);
    volatile double sums[] = {x + y, x - y, x * y};
    for (int op = FLOAT_ADD; op <= FLOAT_MUL; op++) {
      struct float_result r = float_apply((enum float_op)op, FLOAT_F64, false, a, b);
      if (isnan(sums[op]) ? r.notes & FLOAT_NAN : r.bits == double_bits(sums[op])) continue;
      fail_msg("%016llx op %d %016llx: %016llx", (unsigned long long)a, op, (unsigned long long)b,
               (unsigned long long)r.bits);
    }
    assert_int_equal(float_apply(FLOAT_LESS, FLOAT_F64, false, a, b).bits, x < y);
  }
}

static void conversions_are_the_hosts(void **state) {
  struct rng rng = {3};
  (void)state;
  for (int i = 0; i < 1000000; i++) {
    uint64_t a = corner(&rng, 64, 52);
    uint32_t b = (uint32_t)corner(&rng, 32, 23);
    if (i % 2) a = double_bits((double)as_float(b) * (1 + 1e-9 * (double)(i % 7)));
    volatile float narrow = (float)as_double(a);
    if (!isnan(as_double(a))) assert_int_equal(float_convert(FLOAT_F64, FLOAT_F32, a).bits, float_bits(narrow));
    if (!isnan(as_float(b)))
      assert_true(float_convert(FLOAT_F32, FLOAT_F64, b).bits == double_bits((double)as_float(b)));
  }
}

/* Integers to numbers as the host rounds them, and back where nothing is lost. */
static void integers_are_converted(void **state) {
  struct rng rng = {9};
  (void)state;
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = rng_next(&rng) >> rng_next(&rng) % 64;
    int64_t number = (int64_t)(rng_next(&rng) & 1 ? 0 - bits : bits);
    volatile float f = (float)number;
    volatile double d = (double)bits;
    struct float_result r = float_apply(FLOAT_FROM_SIGNED, FLOAT_F32, false, (uint64_t)number, 0);
    assert_int_equal(r.bits, float_bits(f));
    r = float_apply(FLOAT_FROM_UNSIGNED, FLOAT_F64, false, bits, 0);
    assert_true(r.bits == double_bits(d));
    bool fits = d < 18446744073709551616.0;
    assert_int_equal((r.notes & FLOAT_INEXACT) != 0, !fits || (uint64_t)d != bits);
    struct float_result back = float_apply(FLOAT_TO_UNSIGNED, FLOAT_F64, false, r.bits, 0);
    assert_int_equal((back.notes & FLOAT_INEXACT) != 0, !fits);
    if (fits) assert_true(back.bits == (uint64_t)d);
    double half = (double)(int32_t)number / 2;
    back = float_apply(FLOAT_TO_SIGNED, FLOAT_F64, false, double_bits(half), 0);
    assert_int_equal((back.notes & FLOAT_INEXACT) != 0, half != floor(half));
    if (half == floor(half)) assert_true((int64_t)back.bits == (int64_t)half);
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

/* The short number nearest to a double, found by looking among all. */
static uint32_t nearest_short(enum float_format format, double d) {
  uint32_t low = 0, high = format == FLOAT_F16 ? 0x7c00 : 0x7f80, sign = signbit(d) ? 0x8000 : 0;
  double magnitude = fabs(d), top = ldexp(1, format == FLOAT_F16 ? 16 : 128);
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (short_value(format, middle) <= magnitude) low = middle;
    else high = middle;
  }
  double above = high == (format == FLOAT_F16 ? 0x7c00u : 0x7f80u) ? top : short_value(format, high);
  double down = magnitude - short_value(format, low), up = above - magnitude;
  return sign | (magnitude >= above || up < down || (up == down && (high & 1) == 0) ? high : low);
}

/* Sums and products of which a double holds the exact value. */
static bool exact_in_double(enum float_format format, enum float_op op, double x, double y) {
  if (format == FLOAT_F16 || op == FLOAT_MUL || x == 0 || y == 0) return true;
  int a, b;
  frexp(x, &a);
  frexp(y, &b);
  return abs(a - b) < 40;
}

static void check_short(enum float_format format, enum float_op op, uint32_t a, uint32_t b) {
  double x = short_value(format, a), y = short_value(format, b);
  volatile double exact = op == FLOAT_ADD ? x + y : op == FLOAT_SUB ? x - y : x * y;
  struct float_result r = float_apply(op, format, false, a, b);
  if (isnan(exact)) {
    assert_true(r.notes & FLOAT_NAN);
    return;
  }
  uint32_t expected =
      isinf(exact) ? (exact < 0 ? 0x8000u : 0) | (format == FLOAT_F16 ? 0x7c00 : 0x7f80) : nearest_short(format, exact);
  if (!exact_in_double(format, op, x, y)) expected = fabs(x) > fabs(y) ? a : op == FLOAT_SUB ? b ^ 0x8000 : b;
  if (r.bits != expected)
    fail_msg("format %d: %04x op %d %04x: %04x, not %04x", format, a, op, b, (unsigned)r.bits, expected);
  bool inexact = (r.notes & FLOAT_INEXACT) != 0, same = short_value(format, (uint32_t)r.bits) == exact;
  if (exact_in_double(format, op, x, y)) assert_int_equal(inexact, !same);
}

/* All numbers against many, both ways round. */
static void short_formats_are_exact(void **state) {
  struct rng rng = {4};
  (void)state;
  for (int format = FLOAT_F16; format <= FLOAT_BF16; format++)
    for (uint32_t a = 0; a < 0x10000; a++)
      for (int i = 0; i < 6; i++) {
        uint32_t b = (uint32_t)(i < 4 ? corner(&rng, 16, format == FLOAT_F16 ? 10 : 7) : rng_next(&rng) & 0xffff);
        enum float_op op = (enum float_op)(FLOAT_ADD + ((uint32_t)i + a) % 3);
        check_short((enum float_format)format, op, a, b);
        check_short((enum float_format)format, op, b, a);
      }
}

static void least_and_greatest(void **state) {
  static const struct {
    enum float_op op;
    uint32_t a, b, result;
    unsigned notes;
  } cases[] = {
      {FLOAT_MIN, 0x3f800000, 0x40000000, 0x3f800000, 0},
      {FLOAT_MAX, 0x3f800000, 0x40000000, 0x40000000, 0},
      {FLOAT_MIN, 0xbf800000, 0xc0000000, 0xc0000000, 0},
      {FLOAT_MIN, 0x00000000, 0x80000000, 0x80000000, 0},
      {FLOAT_MAX, 0x80000000, 0x00000000, 0x00000000, 0},
      {FLOAT_MIN, 0x7fc00000, 0x3f800000, 0x3f800000, 0},
      {FLOAT_MAX, 0x3f800000, 0x7f800001, 0x3f800000, 0},
      {FLOAT_MIN, 0x7fc00000, 0x7fc00000, 0x7fffffff, FLOAT_NAN},
      {FLOAT_MIN_NAN, 0x7fc00000, 0x3f800000, 0x7fffffff, FLOAT_NAN},
      {FLOAT_MAX_NAN, 0xff800000, 0x3f800000, 0x3f800000, 0},
  };
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct float_result r = float_apply(cases[i].op, FLOAT_F32, false, cases[i].a, cases[i].b);
    if (r.bits != cases[i].result || r.notes != cases[i].notes) fail_msg("case %zu", i);
  }
}

static void notes_say_what_a_result_hangs_on(void **state) {
  static const struct {
    enum float_op op;
    bool flush;
    uint32_t a, b, result;
    unsigned notes;
  } cases[] = {
      {FLOAT_ADD, false, 0x3f800000, 0x3f800000, 0x40000000, 0},
      {FLOAT_ADD, false, 0x3f800000, 0x33000000, 0x3f800000, FLOAT_INEXACT},
      {FLOAT_ADD, false, 0x3f800000, 0xbf800000, 0x00000000, FLOAT_ZERO_SIGN},
      {FLOAT_ADD, false, 0x80000000, 0x80000000, 0x80000000, 0},
      {FLOAT_ADD, false, 0x7f7fffff, 0x7f7fffff, 0x7f800000, FLOAT_INEXACT},
      {FLOAT_ADD, false, 0x7f800000, 0xff800000, 0x7fffffff, FLOAT_NAN},
      {FLOAT_ADD, false, 0x00000001, 0x00000001, 0x00000002, FLOAT_SUBNORMAL},
      {FLOAT_ADD, true, 0x00000001, 0x80000001, 0x00000000, FLOAT_SUBNORMAL | FLOAT_ZERO_SIGN},
      {FLOAT_ADD, true, 0x80000001, 0x80000001, 0x80000000, FLOAT_SUBNORMAL},
      {FLOAT_SUB, true, 0x00800001, 0x00800000, 0x00000000, FLOAT_SUBNORMAL},
      {FLOAT_SUB, false, 0x00800001, 0x00800000, 0x00000001, FLOAT_SUBNORMAL},
      {FLOAT_MUL, true, 0x3f000000, 0x00800000, 0x00000000, FLOAT_SUBNORMAL},
      {FLOAT_MUL, true, 0x3f7fffff, 0x00800000, 0x00800000, FLOAT_INEXACT | FLOAT_TINY},
      {FLOAT_MUL, false, 0x7f800000, 0x00000000, 0x7fffffff, FLOAT_NAN},
  };
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct float_result r = float_apply(cases[i].op, FLOAT_F32, cases[i].flush, cases[i].a, cases[i].b);
    if (r.bits != cases[i].result || r.notes != cases[i].notes)
      fail_msg("case %zu: %08x, notes %u", i, (unsigned)r.bits, r.notes);
  }
}

static void decimals(void **state) {
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
                                      "12345678901234567.89", "1e-30", "1.7976931348623157e308", "4.9e-324", "1e-400",
                                      "12345678901234567890123.5", "0.00000000000000000001"};
  static const char *const wrong[] = {"1e400", "1.8e308"};
  struct arena arena;
  (void)state;
  arena_init(&arena, NULL);
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
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(f32_is_the_hosts_float),
      cmocka_unit_test(f64_is_the_hosts_double),
      cmocka_unit_test(conversions_are_the_hosts),
      cmocka_unit_test(integers_are_converted), cmocka_unit_test(short_formats_are_exact),
      cmocka_unit_test(least_and_greatest),
      cmocka_unit_test(notes_say_what_a_result_hangs_on),
      cmocka_unit_test(decimals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
