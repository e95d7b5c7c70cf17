/* Floating-point arithmetic in terms (9.7.3, 9.7.4, and the operations of atom, red and multimem). */
#include "exec/walk.h"

static term_id either(struct walk *w, term_id a, term_id b) { return term_or(w->terms, a, b); }

/* Notes that PTX leaves the outcome open if `when` holds. */
static void leave_open(struct walk *w, term_id when, enum reason_id why) {
  walk_hazard(w, term_and(w->terms, w->base.exec, when), why);
}

/* An operation whose rounding, or sign of a zero, does not matter. */
static struct float_result make(struct walk *w, struct float_code code, term_id a, term_id b) {
  return term_float(w->terms, code, (term_id[]){a, b});
}

/* The result, and what PTX leaves open of it. On a multimem address it must be exact in any rounding; with `zero_sign`
 * also the sign of a zero. */
static term_id known(struct walk *w, struct float_result r, bool zero_sign) {
  if (w->instr->kind == INSTR_MULTIMEM) {
    leave_open(w, either(w, r.inexact, r.subnormal), REASON_MULTIMEM_ROUNDING);
    if (zero_sign) leave_open(w, r.zero_sign, REASON_MULTIMEM_ROUNDING);
  } else {
    leave_open(w, r.tiny, REASON_TINY_RESULT);
  }
  leave_open(w, r.nan, REASON_NAN_BITS);
  return r.bits;
}

/* True if some location is in a space. */
static bool has_space(const struct program *program, enum space space) {
  return SOME_BELOW(i, program->object_count, program->objects[i].space == space);
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
  if (w->instr->arith.flush != FLUSH_IN_GLOBAL) return w->instr->arith.flush;
  enum space space = address_space(w);
  if (space != SPACE_GENERIC) return space == SPACE_GLOBAL ? FLUSH_ALWAYS : FLUSH_NEVER;
  if (!has_space(w->s->program, SPACE_SHARED)) return FLUSH_ALWAYS;
  return has_space(w->s->program, SPACE_GLOBAL) ? FLUSH_IN_GLOBAL : FLUSH_NEVER;
}

static term_id not_equal(struct walk *w, term_id a, term_id b) { return term_not(w->terms, term_eq(w->terms, a, b)); }

static term_id test(struct walk *w, struct float_code code, enum float_op op, term_id a, term_id b) {
  code.op = op;
  return make(w, code, a, b).bits;
}

static term_id compare(struct walk *w, struct float_code code, term_id a, term_id b) {
  term_id neither = test(w, code, FLOAT_UNORDERED, a, b), same = test(w, code, FLOAT_EQUAL, a, b), result = TERM_FALSE;
  if (w->instr->arith.unordered == UNORDERED_NAN) return neither;
  if (w->instr->arith.unordered == UNORDERED_NUM) return term_not(w->terms, neither);
  switch (w->instr->arith.compare) {
    case COMPARE_EQ: result = same; break;
    case COMPARE_NE: result = term_not(w->terms, either(w, same, neither)); break;
    case COMPARE_LT: result = test(w, code, FLOAT_LESS, a, b); break;
    case COMPARE_LE: result = either(w, test(w, code, FLOAT_LESS, a, b), same); break;
    case COMPARE_GT: result = test(w, code, FLOAT_LESS, b, a); break;
    case COMPARE_GE: result = either(w, test(w, code, FLOAT_LESS, b, a), same); break;
  }
  return w->instr->arith.unordered == UNORDERED_TRUE ? either(w, result, neither) : result;
}

static enum float_op operation(const struct instr *in) {
  int op = alu_row(in->alu)->floats;
  if (op < 0) BUG("operation %d on floating-point numbers", (int)in->alu);
  if (in->arith.nan) return op == FLOAT_MIN ? FLOAT_MIN_NAN : FLOAT_MAX_NAN;
  return (enum float_op)op;
}

/* The result, with .sat from +0 to 1. */
static term_id result_of(struct walk *w, struct float_code code, struct float_result r) {
  if (!w->instr->arith.sat) return known(w, r, true);
  r.nan = TERM_FALSE;
  code = (struct float_code){.op = FLOAT_SATURATE, .format = code.format};
  return make(w, code, known(w, r, true), TERM_FALSE).bits;
}

static bool is_signed(struct type type) { return type.kind == TYPE_SIGNED; }

static bool converts(const struct instr *in) {
  return in->alu == ALU_CVT && (type_is_float(in->type) || type_is_float(in->from));
}

bool walk_floats_unknown(const struct walk *w) {
  const struct instr *in = w->instr;
  const struct alu_row *row = alu_row(in->alu);
  bool unknown =
      SOME_BELOW(i, strlen(row->operands),
                 in->src[i].kind == OPERAND_REG && !term_is_const(w->terms, w->path->regs[in->src[i].reg].value));
  return unknown && (converts(in) || (type_is_float(in->type) && row->floats >= 0));
}

term_id walk_convert(struct walk *w, term_id a) {
  const struct instr *in = w->instr;
  bool from = type_is_float(in->from), to = type_is_float(in->type), whole = in->arith.rounding & ROUND_WHOLE;
  struct float_code code = {.format = type_format(from ? in->from : in->type),
                            .to = type_format(in->type),
                            .width = in->type.width,
                            .rounding = (enum float_rounding)(in->arith.rounding & ROUND_DIRECTION),
                            .flush = in->arith.flush == FLUSH_ALWAYS};
  code.op = !from   ? is_signed(in->from) ? FLOAT_FROM_SIGNED : FLOAT_FROM_UNSIGNED
            : !to   ? is_signed(in->type) ? FLOAT_TO_SIGNED : FLOAT_TO_UNSIGNED
            : whole ? FLOAT_WHOLE
                    : FLOAT_CONVERT;
  struct float_result r = make(w, code, a, TERM_FALSE);
  code.format = code.to;
  return to ? result_of(w, code, r) : r.bits;
}

term_id walk_float(struct walk *w, const term_id *v) {
  const struct instr *in = w->instr;
  enum flush flush = resolved_flush(w);
  struct float_code code = {.format = type_format(in->type),
                            .rounding = (enum float_rounding)(in->arith.rounding & ROUND_DIRECTION),
                            .flush = flush == FLUSH_ALWAYS};
  if (in->alu == ALU_SETP) return compare(w, code, v[0], v[1]);
  code.op = operation(in);
  term_id result = result_of(w, code, term_float(w->terms, code, v));
  if (flush != FLUSH_IN_GLOBAL) return result;
  code.flush = true;
  leave_open(w, not_equal(w, result, known(w, term_float(w->terms, code, v), true)), REASON_SUBNORMAL_SPACE);
  return result;
}

/* Every order of adding the values adds up two disjoint sets of them at each step. If the sum of each set is exact, all
 * orders and roundings give one result, except for the sign of a zero, which shows if the whole sum is zero. */
static term_id sum(struct walk *w, struct float_code code, const term_id *values, uint32_t count) {
  enum { MOST = 4 };
  term_id sums[1 << MOST] = {0}, signs = TERM_FALSE;
  if (!walk_models(w, count <= MOST, REASON_SUM_ORDER)) return values[0];
  for (uint32_t set = 1; set < 1u << count; set++) {
    uint32_t first = (uint32_t)__builtin_ctz(set), rest = set & (set - 1);
    struct float_result r = {.bits = values[first]};
    if (rest) r = make(w, code, values[first], sums[rest]);
    sums[set] = known(w, r, false);
    signs = either(w, signs, r.zero_sign);
  }
  term_id whole = sums[(1u << count) - 1], zero = term_const(w->terms, 0, float_width(code.format));
  leave_open(w, term_and(w->terms, signs, test(w, code, FLOAT_EQUAL, whole, zero)), REASON_MULTIMEM_ROUNDING);
  return whole;
}

term_id walk_float_reduction(struct walk *w, const term_id *values, uint32_t count) {
  const struct instr *in = w->instr;
  struct float_code code = {.op = operation(in), .format = type_format(in->type)}, change = {.op = FLOAT_CONVERT};
  term_id *wide = ARENA_ARRAY(w->s->arena, term_id, count), result;
  bool widens = in->multimem->wide && in->alu == ALU_ADD;
  change.format = code.format, change.to = widens ? FLOAT_F32 : code.format;
  for (uint32_t i = 0; i < count; i++) wide[i] = widens ? make(w, change, values[i], TERM_FALSE).bits : values[i];
  code.format = change.to;
  result = wide[0];
  if (in->alu == ALU_ADD) result = sum(w, code, wide, count);
  else
    for (uint32_t i = 1; i < count; i++) result = known(w, make(w, code, result, wide[i]), true);
  if (!widens) return result;
  change.to = change.format, change.format = FLOAT_F32;
  return known(w, make(w, change, result, TERM_FALSE), true);
}
