/* Floating-point numbers as bits, in the formats of PTX, and its operations on them.
 *
 * Everything except reading decimal numbers is integer arithmetic: no host floating point, rounding mode or flag takes
 * part, and all formats share one code path. Results round to nearest even. If a result depends on a choice that PTX
 * leaves open, a note says so, and the caller can report the result as unknown. tests/unit/test_float.c compares with
 * the host's float and double, and f16 and bf16 with exact sums and products.
 *
 * Source: PTX ISA 9.4, 9.7.3 and 9.7.4 (add, sub, mul, min, max), 9.7.6 (setp), 9.7.15.5 (atom).
 */
#pragma once

#include "base/text.h"

enum float_format { FLOAT_F16, FLOAT_BF16, FLOAT_F32, FLOAT_F64 };

enum float_op {
  FLOAT_ADD,
  FLOAT_SUB,
  FLOAT_MUL,
  FLOAT_MIN, /* -0 is less than +0; for a number and a NaN, the number */
  FLOAT_MAX,
  FLOAT_MIN_NAN, /* the same, but a NaN if either operand is a NaN */
  FLOAT_MAX_NAN,
  FLOAT_LESS,      /* gives 1 or 0, as do the next two; 0 if either operand is a NaN */
  FLOAT_EQUAL,     /* -0 equals +0 */
  FLOAT_UNORDERED, /* 1 if either operand is a NaN */
  FLOAT_TO_F16,    /* the first operand in another format; the second is ignored */
  FLOAT_TO_BF16,
  FLOAT_TO_F32,
  FLOAT_TO_F64,
  FLOAT_TO_SIGNED, /* as an integer of 64 bits; FLOAT_INEXACT if no integer has that value, and for NaNs */
  FLOAT_TO_UNSIGNED,
  FLOAT_FROM_SIGNED, /* the first operand is an integer of 64 bits; the format is that of the result */
  FLOAT_FROM_UNSIGNED,
};

/* The properties of an operand that a result depends on. */
enum float_note {
  FLOAT_NAN = 1,       /* the result is a NaN whose bits PTX leaves open; the canonical NaN was taken */
  FLOAT_INEXACT = 2,   /* the result was rounded */
  FLOAT_SUBNORMAL = 4, /* an operand or the result, before it is flushed, is subnormal */
  FLOAT_ZERO_SIGN = 8, /* a zero computed from numbers of opposite signs: +0, but -0 if rounding down */
  FLOAT_TINY = 16,     /* with .ftz, rounded up to the least normal number: depends on which comes first */
};

struct float_result {
  value_t bits;
  unsigned notes; /* a set of enum float_note */
};

unsigned float_width(enum float_format format); /* in bits */

/* The width of the operands of an operation, and of its result. */
unsigned float_operand_width(enum float_op op, enum float_format format);
unsigned float_result_width(enum float_op op, enum float_format format);

/* `flush`: subnormal operands and results become zeros of the same sign (.ftz). */
struct float_result float_apply(enum float_op op, enum float_format format, bool flush, value_t a, value_t b);

/* The same number in another format, rounded. */
struct float_result float_convert(enum float_format from, enum float_format to, value_t bits);

/* True if the bits are those of a subnormal number. */
bool float_is_subnormal(enum float_format format, value_t bits);

/* A decimal number such as 1.5 or 2e-3, without a sign, as the bits of the nearest f64. False if that is infinite. */
bool float_from_decimal(const char *text, value_t *bits);

/* Adds the number in decimal, with as few digits as identify it. */
void float_text(struct text *out, enum float_format format, value_t bits);
