/* Floating-point numbers as bits, in the formats of PTX, and its operations on them.
 *
 * An operation is a circuit of the gates of term.h: shifts, sums, comparisons and choices. Of constants it is a
 * constant, by the same circuit. No floating-point arithmetic of the host takes part, except in reading and writing
 * decimal numbers. If a result depends on a choice that PTX leaves open, a condition says so, and the caller can report
 * the result as unknown. tests/unit/test_float.c compares with the host's float and double.
 *
 * Source: PTX ISA 9.4, 9.7.3 and 9.7.4 (add, sub, mul, fma, min, max), 9.7.6 (setp), 9.7.10 (cvt), 9.7.15.5 (atom).
 */
#pragma once

#include "base/text.h"
#include "term/term.h"

enum float_format { FLOAT_F16, FLOAT_BF16, FLOAT_F32, FLOAT_F64 };

enum float_op {
  FLOAT_ADD,
  FLOAT_SUB,
  FLOAT_MUL,
  FLOAT_FMA, /* a * b + c, rounded once */
  FLOAT_MIN, /* -0 is less than +0; for a number and a NaN, the number */
  FLOAT_MAX,
  FLOAT_MIN_NAN, /* the same, but a NaN if either operand is a NaN */
  FLOAT_MAX_NAN,
  FLOAT_NEG,
  FLOAT_ABS,
  FLOAT_SATURATE,  /* from +0 to 1; +0 for a NaN */
  FLOAT_LESS,      /* of width 1, as the next two; false if either operand is a NaN */
  FLOAT_EQUAL,     /* -0 equals +0 */
  FLOAT_UNORDERED, /* true if either operand is a NaN */
  FLOAT_CONVERT,   /* the number in another format */
  FLOAT_WHOLE,     /* an integer in the same format */
  FLOAT_TO_SIGNED, /* an integer: the nearest of its type, if the number is outside */
  FLOAT_TO_UNSIGNED,
  FLOAT_FROM_SIGNED, /* from an integer of any width */
  FLOAT_FROM_UNSIGNED,
};

/* The directions of rounding: to the nearest number, of two the even one; towards zero; down; up. */
enum float_rounding { FLOAT_NEAREST, FLOAT_TOWARDS_ZERO, FLOAT_DOWN, FLOAT_UP };

struct float_code {
  enum float_op op;
  enum float_format format; /* of the operands; FLOAT_FROM_*: of the result */
  enum float_format to;     /* FLOAT_CONVERT */
  unsigned width;           /* FLOAT_TO_*: of the integer */
  enum float_rounding rounding;
  bool flush; /* subnormal operands and results become zeros of the same sign (.ftz); FLOAT_CONVERT: those of f32 */
};

/* The result, and conditions on the operands. */
struct float_result {
  term_id bits;
  term_id nan;       /* it is a NaN, whose bits PTX leaves open; the canonical NaN was taken */
  term_id inexact;   /* it was rounded */
  term_id subnormal; /* an operand or the result, before it is flushed, is subnormal */
  term_id zero_sign; /* it is a zero computed from numbers of opposite signs: +0, but -0 if rounding down */
  term_id tiny;      /* with `flush`, rounded up to the least normal number: depends on which comes first */
};

unsigned float_width(enum float_format format); /* in bits */

/* Operations take one to three operands. */
struct float_result term_float(struct terms *terms, struct float_code code, const term_id *operands);

/* The same number in another format, rounded to nearest even. */
value_t float_convert(struct arena *arena, enum float_format from, enum float_format to, value_t bits);

/* True if the bits are those of a subnormal number. */
bool float_is_subnormal(enum float_format format, value_t bits);

/* A decimal number such as 1.5 or 2e-3, without a sign, as the bits of the nearest f64. False if that is infinite. */
bool float_from_decimal(const char *text, value_t *bits);

/* Adds the number in decimal, with as few digits as identify it. */
void float_text(struct text *out, enum float_format format, value_t bits);
