/* The arithmetic of PTX in terms (9.7.1, 9.7.8, and the operations of atom and red). */
#include "exec/walk.h"

static term_id less(struct terms *t, bool is_signed, term_id a, term_id b) {
  return term_binary(t, is_signed ? TERM_SLT : TERM_ULT, a, b);
}

static term_id compare_terms(struct terms *t, enum compare compare, bool is_signed, term_id a, term_id b) {
  switch (compare) {
    case COMPARE_EQ: return term_eq(t, a, b);
    case COMPARE_NE: return term_not(t, term_eq(t, a, b));
    case COMPARE_LT: return less(t, is_signed, a, b);
    case COMPARE_LE: return term_not(t, less(t, is_signed, b, a));
    case COMPARE_GT: return less(t, is_signed, b, a);
    case COMPARE_GE: return term_not(t, less(t, is_signed, a, b));
  }
  BUG("comparison %d", (int)compare);
}

static bool is_signed(const struct walk *w) { return w->instr->type.kind == TYPE_SIGNED; }
static unsigned width_of(const struct walk *w) { return w->instr->type.width; }
static term_id number(struct walk *w, value_t value) { return term_const(w->terms, value, width_of(w)); }
static term_id both(struct walk *w, enum term_op op, term_id a, term_id b) { return term_binary(w->terms, op, a, b); }

/* ---- A function for each operation of alu.def: those with an operator of their own, or nearly so */

term_id alu_MOV(struct walk *w, const term_id *v) { return (void)w, v[0]; }
term_id alu_ADD(struct walk *w, const term_id *v) { return walk_sum(w, TERM_ADD, v[0], v[1]); }
term_id alu_SUB(struct walk *w, const term_id *v) { return walk_sum(w, TERM_SUB, v[0], v[1]); }
term_id alu_AND(struct walk *w, const term_id *v) { return both(w, TERM_AND, v[0], v[1]); }
term_id alu_OR(struct walk *w, const term_id *v) { return both(w, TERM_OR, v[0], v[1]); }
term_id alu_XOR(struct walk *w, const term_id *v) { return both(w, TERM_XOR, v[0], v[1]); }
term_id alu_NOT(struct walk *w, const term_id *v) { return term_not(w->terms, v[0]); }
term_id alu_SHL(struct walk *w, const term_id *v) { return both(w, TERM_SHL, v[0], v[1]); }
term_id alu_SHR(struct walk *w, const term_id *v) { return both(w, is_signed(w) ? TERM_SAR : TERM_SHR, v[0], v[1]); }
term_id alu_SELP(struct walk *w, const term_id *v) { return term_ite(w->terms, v[2], v[0], v[1]); }
term_id alu_POPC(struct walk *w, const term_id *v) { return term_popc(w->terms, v[0]); }
term_id alu_NEG(struct walk *w, const term_id *v) { return both(w, TERM_SUB, number(w, 0), v[0]); }

term_id alu_ABS(struct walk *w, const term_id *v) {
  return term_ite(w->terms, less(w->terms, true, v[0], number(w, 0)), alu_NEG(w, v), v[0]);
}

term_id alu_MIN(struct walk *w, const term_id *v) {
  return term_ite(w->terms, less(w->terms, is_signed(w), v[0], v[1]), v[0], v[1]);
}

term_id alu_MAX(struct walk *w, const term_id *v) {
  return term_ite(w->terms, less(w->terms, is_signed(w), v[0], v[1]), v[1], v[0]);
}

term_id alu_MUL_LO(struct walk *w, const term_id *v) { return both(w, TERM_MUL, v[0], v[1]); }

term_id alu_MUL_WIDE(struct walk *w, const term_id *v) {
  term_id a = term_resize(w->terms, v[0], 2 * width_of(w), is_signed(w));
  return both(w, TERM_MUL, a, term_resize(w->terms, v[1], 2 * width_of(w), is_signed(w)));
}

term_id alu_MUL_HI(struct walk *w, const term_id *v) {
  term_id high = both(w, TERM_SHR, alu_MUL_WIDE(w, v), term_const(w->terms, width_of(w), 32));
  return term_resize(w->terms, high, width_of(w), false);
}

term_id alu_MAD_LO(struct walk *w, const term_id *v) { return walk_sum(w, TERM_ADD, alu_MUL_LO(w, v), v[2]); }
term_id alu_MAD_HI(struct walk *w, const term_id *v) { return walk_sum(w, TERM_ADD, alu_MUL_HI(w, v), v[2]); }
term_id alu_MAD_WIDE(struct walk *w, const term_id *v) { return both(w, TERM_ADD, alu_MUL_WIDE(w, v), v[2]); }

term_id alu_SETP(struct walk *w, const term_id *v) {
  return compare_terms(w->terms, w->instr->arith.compare, is_signed(w), v[0], v[1]);
}

term_id alu_SET(struct walk *w, const term_id *v) {
  bool is = w->instr->from.kind == TYPE_SIGNED;
  return term_resize(w->terms, compare_terms(w->terms, w->instr->arith.compare, is, v[0], v[1]), width_of(w), true);
}

term_id alu_INC(struct walk *w, const term_id *v) {
  return term_ite(w->terms, less(w->terms, false, v[0], v[1]), both(w, TERM_ADD, v[0], number(w, 1)), number(w, 0));
}

term_id alu_DEC(struct walk *w, const term_id *v) {
  term_id wraps = both(w, TERM_OR, both(w, TERM_EQ, v[0], number(w, 0)), less(w->terms, false, v[1], v[0]));
  return term_ite(w->terms, wraps, v[1], both(w, TERM_SUB, v[0], number(w, 1)));
}

term_id alu_FMA(struct walk *w, const term_id *v) { return walk_float(w, v); }
term_id alu_EXCH(struct walk *w, const term_id *v) { return (void)w, v[1]; }
term_id alu_CAS(struct walk *w, const term_id *v) { return (void)w, v[2]; }
term_id alu_ISSPACEP(struct walk *w, const term_id *v) { return walk_space(w, v[0]); }
term_id alu_ACTIVEMASK(struct walk *w, const term_id *v) { return (void)v, walk_active(w); }
term_id alu_MAPA(struct walk *w, const term_id *v) { return walk_cta_address(w, v); }
term_id alu_CTARANK(struct walk *w, const term_id *v) { return walk_cta_address(w, v); }
term_id alu_IS_CANCELED(struct walk *w, const term_id *v) { return walk_query(w, v[0]); }
term_id alu_FIRST_CTA(struct walk *w, const term_id *v) { return walk_query(w, v[0]); }

term_id walk_arithmetic(struct walk *w, const term_id *v) {
  static term_id (*const operations[])(struct walk *, const term_id *) = {
#define PTX_ALU(op, result, operands, word, floats) alu_##op,
#include "ptx/alu.def"
  };
  const struct instr *in = w->instr;
  if (type_is_float(in->type) && alu_row(in->alu)->floats != ALU_BITS) return walk_float(w, v);
  if (in->alu == ALU_CVT && (type_is_float(in->type) || type_is_float(in->from))) return walk_convert(w, v[0]);
  return operations[in->alu](w, v);
}
