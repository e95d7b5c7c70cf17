/* The arithmetic of PTX in terms (9.7.1, 9.7.8, and the operations of atom and red). */
#include "exec/walk.h"

static term_id less(struct terms *t, bool is_signed, term_id a, term_id b) {
  return term_binary(t, is_signed ? TERM_SLT : TERM_ULT, a, b);
}

static term_id compare_terms(struct terms *t, enum compare compare, bool is_signed, term_id a, term_id b) {
  switch (compare) {
    case COMPARE_EQ: return term_binary(t, TERM_EQ, a, b);
    case COMPARE_NE: return term_not(t, term_binary(t, TERM_EQ, a, b));
    case COMPARE_LT: return less(t, is_signed, a, b);
    case COMPARE_LE: return term_not(t, less(t, is_signed, b, a));
    case COMPARE_GT: return less(t, is_signed, b, a);
    case COMPARE_GE: return term_not(t, less(t, is_signed, a, b));
  }
  BUG("comparison %d", (int)compare);
}

static term_id multiply_wide(struct terms *t, unsigned width, bool is_signed, term_id a, term_id b) {
  return term_binary(t, TERM_MUL, term_resize(t, a, 2 * width, is_signed), term_resize(t, b, 2 * width, is_signed));
}

static term_id multiply_high(struct terms *t, unsigned width, bool is_signed, term_id a, term_id b) {
  term_id product = multiply_wide(t, width, is_signed, a, b);
  return term_resize(t, term_binary(t, TERM_SHR, product, term_const(t, width, 32)), width, false);
}

static term_id increment(struct terms *t, unsigned width, term_id old, term_id bound) {
  term_id next = term_binary(t, TERM_ADD, old, term_const(t, 1, width));
  return term_ite(t, less(t, false, old, bound), next, term_const(t, 0, width));
}

static term_id decrement(struct terms *t, unsigned width, term_id old, term_id bound) {
  term_id zero = term_binary(t, TERM_EQ, old, term_const(t, 0, width));
  term_id wraps = term_binary(t, TERM_OR, zero, less(t, false, bound, old));
  return term_ite(t, wraps, bound, term_binary(t, TERM_SUB, old, term_const(t, 1, width)));
}

static bool on_floats(const struct instr *in) {
  static const bool arithmetic[] = {[ALU_ADD] = true, [ALU_SUB] = true, [ALU_MUL_LO] = true, [ALU_MIN] = true,
                                    [ALU_MAX] = true, [ALU_NEG] = true, [ALU_ABS] = true,    [ALU_SETP] = true,
                                    [ALU_FMA] = true};
  return type_is_float(in->type) && in->alu < ARRAY_LEN(arithmetic) && arithmetic[in->alu];
}

/* A product, or its part, and c beside it where the operation adds one. */
static term_id multiply(struct walk *w, const term_id *v) {
  struct terms *t = w->terms;
  unsigned width = w->instr->type.width;
  bool is_signed = w->instr->type.kind == TYPE_SIGNED;
  switch (w->instr->alu) {
    case ALU_MUL_LO: return term_binary(t, TERM_MUL, v[0], v[1]);
    case ALU_MUL_HI: return multiply_high(t, width, is_signed, v[0], v[1]);
    case ALU_MUL_WIDE: return multiply_wide(t, width, is_signed, v[0], v[1]);
    case ALU_MAD_LO: return walk_sum(w, TERM_ADD, term_binary(t, TERM_MUL, v[0], v[1]), v[2]);
    case ALU_MAD_HI: return walk_sum(w, TERM_ADD, multiply_high(t, width, is_signed, v[0], v[1]), v[2]);
    default: return term_binary(t, TERM_ADD, multiply_wide(t, width, is_signed, v[0], v[1]), v[2]);
  }
}

static term_id set(struct walk *w, term_id a, term_id b) {
  const struct instr *in = w->instr;
  unsigned width = in->type.width;
  term_id holds = compare_terms(w->terms, in->compare, in->from.kind == TYPE_SIGNED, a, b);
  return term_resize(w->terms, holds, width, true);
}

term_id walk_arithmetic(struct walk *w, const term_id *v) {
  struct terms *t = w->terms;
  const struct instr *in = w->instr;
  unsigned width = in->type.width;
  bool is_signed = in->type.kind == TYPE_SIGNED;
  term_id zero = term_const(t, 0, width), a = v[0], b = v[1], c = v[2];
  if (on_floats(in)) return walk_float(w, v);
  if (in->alu == ALU_CVT && (type_is_float(in->type) || type_is_float(in->from))) return walk_convert(w, a);
  switch (in->alu) {
    case ALU_MOV: return a;
    case ALU_ADD: return walk_sum(w, TERM_ADD, a, b);
    case ALU_SUB: return walk_sum(w, TERM_SUB, a, b);
    case ALU_MUL_LO:
    case ALU_MUL_HI:
    case ALU_MUL_WIDE:
    case ALU_MAD_LO:
    case ALU_MAD_HI:
    case ALU_MAD_WIDE: return multiply(w, v);
    case ALU_AND: return term_binary(t, TERM_AND, a, b);
    case ALU_OR: return term_binary(t, TERM_OR, a, b);
    case ALU_XOR: return term_binary(t, TERM_XOR, a, b);
    case ALU_NOT: return term_not(t, a);
    case ALU_SHL: return term_binary(t, TERM_SHL, a, b);
    case ALU_SHR: return term_binary(t, is_signed ? TERM_SAR : TERM_SHR, a, b);
    case ALU_MIN: return term_ite(t, less(t, is_signed, a, b), a, b);
    case ALU_MAX: return term_ite(t, less(t, is_signed, a, b), b, a);
    case ALU_SELP: return term_ite(t, c, a, b);
    case ALU_SETP: return compare_terms(t, in->compare, is_signed, a, b);
    case ALU_SET: return set(w, a, b);
    case ALU_POPC: return term_popc(t, a);
    case ALU_ISSPACEP: return walk_space(w, v[0]);
    case ALU_ACTIVEMASK: return walk_active(w);
    case ALU_NEG: return term_binary(t, TERM_SUB, zero, a);
    case ALU_ABS: return term_ite(t, less(t, true, a, zero), term_binary(t, TERM_SUB, zero, a), a);
    case ALU_INC: return increment(t, width, a, b);
    case ALU_DEC: return decrement(t, width, a, b);
    case ALU_EXCH: return b;
    case ALU_CAS: return c;
    case ALU_MAPA:
    case ALU_CTARANK: return walk_cta_address(w, v);
    case ALU_IS_CANCELED:
    case ALU_FIRST_CTA: return walk_query(w, a);
    default: return walk_integer(w, v);
  }
}
