/* Floating-point arithmetic in terms (9.7.3, 9.7.4, and the operations of atom, red and multimem). */
#include "exec/walk.h"

/* Notes that PTX leaves the outcome open if `when` holds. */
static void leave_open(struct walk *w, term_id when, enum reason_id why) {
  walk_hazard(w, term_and(w->terms, w->base.exec, when), why);
}

static term_id make(struct walk *w, struct float_code code, term_id a, term_id b) {
  term_id made = term_float(w->terms, code, a, b);
  struct table_use use = {made, w->instr->span};
  if (!term_is_const(w->terms, made)) VEC_PUSH(w->s->arena, &w->s->tables, use);
  return made;
}

/* Makes the result an open hazard if the operation has one of the notes. */
static void doubt(struct walk *w, struct float_code code, unsigned notes, term_id a, term_id b, enum reason_id why) {
  code.notes = notes;
  if (notes) leave_open(w, make(w, code, a, b), why);
}

/* An operation. On a multimem address it must be exact in any rounding; with `zero_sign` also the sign of a zero. */
static term_id operate(struct walk *w, struct float_code code, bool zero_sign, term_id a, term_id b) {
  unsigned exact = FLOAT_INEXACT | FLOAT_SUBNORMAL | (zero_sign ? FLOAT_ZERO_SIGN : 0);
  unsigned same = FLOAT_INEXACT | (w->instr->rounding == ROUND_DOWN && zero_sign ? FLOAT_ZERO_SIGN : 0);
  if (w->instr->rounding != ROUND_NEAREST) doubt(w, code, same, a, b, REASON_ROUNDED);
  if (w->instr->kind == INSTR_MULTIMEM) doubt(w, code, exact, a, b, REASON_MULTIMEM_ROUNDING);
  else doubt(w, code, code.flush ? FLOAT_TINY : 0, a, b, REASON_TINY_RESULT);
  doubt(w, code, FLOAT_NAN, a, b, REASON_NAN_BITS);
  return make(w, code, a, b);
}

/* True if some location is in a space. */
static bool has_space(const struct program *program, enum space space) {
  for (uint32_t i = 0; i < program->object_count; i++)
    if (program->objects[i].space == space) return true;
  return false;
}

/* The space in which the instruction's address surely is; SPACE_GENERIC: not known. */
static enum space address_space(struct walk *w) {
  const struct program *program = w->s->program;
  const struct address *addr = &w->instr->addr;
  if (addr->base.kind != OPERAND_REG) return SPACE_GENERIC;
  const struct term *base = term_get(w->terms, walk_read_reg(w, addr->base.reg, 64));
  for (uint32_t i = 0; i < program->view_count && base->op == TERM_CONST; i++) {
    const struct object *object = &program->objects[program->views[i].object];
    value_t at = base->constant + (value_t)(uint64_t)addr->offset, offset = at - program->views[i].vaddr;
    if (offset < object->size) return object->space;
  }
  return SPACE_GENERIC;
}

static enum flush resolved_flush(struct walk *w) {
  if (w->instr->flush != FLUSH_IN_GLOBAL) return w->instr->flush;
  enum space space = address_space(w);
  if (space != SPACE_GENERIC) return space == SPACE_GLOBAL ? FLUSH_ALWAYS : FLUSH_NEVER;
  if (!has_space(w->s->program, SPACE_SHARED)) return FLUSH_ALWAYS;
  return has_space(w->s->program, SPACE_GLOBAL) ? FLUSH_IN_GLOBAL : FLUSH_NEVER;
}

static term_id not_equal(struct walk *w, term_id a, term_id b) { return term_not(w->terms, term_eq(w->terms, a, b)); }

static term_id either(struct walk *w, term_id a, term_id b) { return term_or(w->terms, a, b); }

static term_id compare(struct walk *w, struct float_code code, term_id a, term_id b) {
  struct float_code less = code, equal = code, unordered = code;
  less.op = FLOAT_LESS;
  equal.op = FLOAT_EQUAL;
  unordered.op = FLOAT_UNORDERED;
  term_id neither = make(w, unordered, a, b), same = make(w, equal, a, b), result = TERM_FALSE;
  if (w->instr->unordered == UNORDERED_NAN) return neither;
  if (w->instr->unordered == UNORDERED_NUM) return term_not(w->terms, neither);
  switch (w->instr->compare) {
    case COMPARE_EQ: result = same; break;
    case COMPARE_NE: result = term_not(w->terms, either(w, same, neither)); break;
    case COMPARE_LT: result = make(w, less, a, b); break;
    case COMPARE_LE: result = either(w, make(w, less, a, b), same); break;
    case COMPARE_GT: result = make(w, less, b, a); break;
    case COMPARE_GE: result = either(w, make(w, less, b, a), same); break;
  }
  return w->instr->unordered == UNORDERED_TRUE ? either(w, result, neither) : result;
}

static enum float_op operation(const struct instr *in) {
  int op = alu_row(in->alu)->floats;
  if (op < 0) BUG("operation %d on floating-point numbers", (int)in->alu);
  if (in->nan) return op == FLOAT_MIN ? FLOAT_MIN_NAN : FLOAT_MAX_NAN;
  return (enum float_op)op;
}

/* -a is -0 - a, and |a| is the greater of a and -a. */
static term_id negate(struct walk *w, struct float_code code, term_id a, bool magnitude) {
  value_t sign = (value_t)1 << (w->instr->type.width - 1);
  code.op = FLOAT_SUB;
  term_id negated = operate(w, code, true, term_const(w->terms, sign, w->instr->type.width), a);
  code.op = FLOAT_MAX;
  return magnitude ? operate(w, code, true, a, negated) : negated;
}

/* .sat: from +0 to 1. */
static term_id saturated(struct walk *w, struct float_code code, term_id value) {
  static const value_t ones[] = {[FLOAT_F16] = 0x3c00, [FLOAT_BF16] = 0x3f80, [FLOAT_F32] = 0x3f800000,
                                 [FLOAT_F64] = (value_t)0x3ff << 52};
  unsigned width = float_width(code.format);
  if (!w->instr->sat) return value;
  code.op = FLOAT_MAX;
  term_id positive = operate(w, code, true, value, term_const(w->terms, 0, width));
  code.op = FLOAT_MIN;
  return operate(w, code, true, positive, term_const(w->terms, ones[code.format], width));
}

/* fma rounds once: this is the rounding of the sum, if the product is exact (else an open hazard). */
static term_id fused(struct walk *w, struct float_code code, const term_id *v) {
  code.op = FLOAT_MUL;
  doubt(w, code, FLOAT_INEXACT | FLOAT_SUBNORMAL, v[0], v[1], REASON_ROUNDED);
  term_id product = operate(w, code, true, v[0], v[1]);
  code.op = FLOAT_ADD;
  return operate(w, code, true, product, v[2]);
}

static bool is_signed(struct type type) { return type.kind == TYPE_SIGNED; }

static term_id from_integer(struct walk *w, term_id a) {
  const struct instr *in = w->instr;
  struct float_code code = {.format = type_format(in->type)};
  code.op = is_signed(in->from) ? FLOAT_FROM_SIGNED : FLOAT_FROM_UNSIGNED;
  term_id wide = term_resize(w->terms, a, 64, is_signed(in->from));
  return saturated(w, code, operate(w, code, true, wide, wide));
}

/* Converts to an integer; open unless the number is one in the range of the type. */
static term_id to_integer(struct walk *w, term_id a, struct type type) {
  struct terms *t = w->terms;
  struct float_code code = {.format = type_format(w->instr->from), .flush = w->instr->flush == FLUSH_ALWAYS};
  code.op = is_signed(type) ? FLOAT_TO_SIGNED : FLOAT_TO_UNSIGNED;
  doubt(w, code, FLOAT_INEXACT, a, a, REASON_ROUNDED);
  term_id whole = make(w, code, a, a), low = term_resize(t, whole, type.width, false);
  leave_open(w, not_equal(w, term_resize(t, low, 64, is_signed(type)), whole), REASON_ROUNDED);
  return low;
}

term_id walk_convert(struct walk *w, term_id a) {
  static const enum float_op ops[] = {FLOAT_TO_F16, FLOAT_TO_BF16, FLOAT_TO_F32, FLOAT_TO_F64};
  const struct instr *in = w->instr;
  if (!type_is_float(in->from)) return from_integer(w, a);
  if (!type_is_float(in->type)) return to_integer(w, a, in->type);
  struct float_code code = {.format = type_format(in->from), .flush = in->flush == FLUSH_ALWAYS}, result = code;
  result.format = type_format(in->type);
  if (in->rounding == ROUND_INTEGER) {
    struct float_code whole = code;
    whole.op = FLOAT_TO_SIGNED;
    doubt(w, whole, FLOAT_INEXACT, a, a, REASON_ROUNDED);
  }
  code.op = ops[result.format];
  return saturated(w, result, operate(w, code, true, a, a));
}

term_id walk_float(struct walk *w, const term_id *v) {
  const struct instr *in = w->instr;
  term_id a = v[0], b = v[1];
  enum flush flush = resolved_flush(w);
  struct float_code code = {.format = type_format(in->type), .flush = flush == FLUSH_ALWAYS};
  if (in->alu == ALU_SETP) return compare(w, code, a, b);
  if (in->alu == ALU_NEG || in->alu == ALU_ABS) return negate(w, code, a, in->alu == ALU_ABS);
  if (in->alu == ALU_FMA) return saturated(w, code, fused(w, code, v));
  code.op = operation(in);
  term_id result = saturated(w, code, operate(w, code, true, a, b));
  if (flush != FLUSH_IN_GLOBAL) return result;
  code.flush = true;
  leave_open(w, not_equal(w, result, operate(w, code, true, a, b)), REASON_SUBNORMAL_SPACE);
  return result;
}

/* Every order of adding the values adds up two disjoint sets of them at each step. If the sum of each set is exact, all
 * orders and roundings give one result, except for the sign of a zero, which shows if the whole sum is zero. */
static term_id sum(struct walk *w, struct float_code code, const term_id *values, uint32_t count) {
  enum { MOST = 4 };
  term_id sums[1 << MOST] = {0}, signs = TERM_FALSE;
  struct float_code sign = code, equal = code;
  if (!walk_models(w, count <= MOST, REASON_SUM_ORDER)) return values[0];
  sign.notes = FLOAT_ZERO_SIGN;
  equal.op = FLOAT_EQUAL;
  for (uint32_t set = 1; set < 1u << count; set++) {
    uint32_t first = (uint32_t)__builtin_ctz(set), rest = set & (set - 1);
    sums[set] = rest ? operate(w, code, false, values[first], sums[rest]) : values[first];
    if (rest) signs = either(w, signs, make(w, sign, values[first], sums[rest]));
  }
  term_id whole = sums[(1u << count) - 1], zero = term_const(w->terms, 0, float_width(code.format));
  leave_open(w, term_and(w->terms, signs, make(w, equal, whole, zero)), REASON_MULTIMEM_ROUNDING);
  return whole;
}

term_id walk_float_reduction(struct walk *w, const term_id *values, uint32_t count) {
  const struct instr *in = w->instr;
  struct float_code code = {.op = operation(in), .format = type_format(in->type)}, narrow = code;
  term_id *wide = ARENA_ARRAY(w->s->arena, term_id, count), zero = term_const(w->terms, 0, 32), result;
  bool widens = in->multimem->wide && in->alu == ALU_ADD;
  for (uint32_t i = 0; i < count; i++) {
    code.op = FLOAT_TO_F32;
    wide[i] = widens ? make(w, code, values[i], zero) : values[i];
  }
  code = (struct float_code){.op = narrow.op, .format = widens ? FLOAT_F32 : narrow.format};
  if (in->alu == ALU_ADD) {
    result = sum(w, code, wide, count);
  } else {
    result = wide[0];
    for (uint32_t i = 1; i < count; i++) result = operate(w, code, true, result, wide[i]);
  }
  if (!widens) return result;
  code.op = narrow.format == FLOAT_F16 ? FLOAT_TO_F16 : FLOAT_TO_BF16;
  return operate(w, code, true, result, zero);
}
