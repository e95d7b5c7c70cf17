#include "ptx/lowering.h"

/* The type when none is written: predicates, 64-bit and floating-point registers bring their own, else .u32. */
static struct type default_type(const struct lowering *l, const struct lower_instr *in, unsigned first, unsigned last) {
  struct type type = isa_type(PTX_U32);
  for (unsigned i = first; i <= last; i++) {
    const struct litmus_operand *operand = lower_operand_at(in, i);
    uint32_t reg =
        operand && operand->kind == LITMUS_NAME ? lower_find_reg(l, in->thread, operand->u.ref.name) : NO_REG;
    if (reg == NO_REG) continue;
    struct type of = l->threads[in->thread].regs.data[reg].type;
    if (of.width == 64 || of.kind == TYPE_PRED || type_is_float(of)) type = of;
  }
  return type;
}

static struct type result_type(const struct lower_instr *in) {
  struct type type = in->out->type;
  if (in->out->packed) return (struct type){TYPE_BITS, (uint8_t)(2 * type.width)};
  switch (in->out->alu) {
    case ALU_SETP: return isa_type(PTX_PRED);
    case ALU_POPC: return isa_type(PTX_U32);
    case ALU_MUL_WIDE: return (struct type){type.kind, (uint8_t)(type.width * 2)};
    default: return type;
  }
}

/* Type of source `index`: shift counts have 32 bits, the choice of selp is a predicate. */
static struct type source_type(const struct lower_instr *in, unsigned index) {
  if ((in->row->form == FORM_SHIFT && index == 1)) return isa_type(PTX_U32);
  if (in->row->form == FORM_SELP && index == 2) return isa_type(PTX_PRED);
  if (in->out->packed) return (struct type){TYPE_BITS, (uint8_t)(2 * in->out->type.width)};
  return in->out->type;
}

/* mov, cvta and Dat3M's `ld r0, x` take the address of a location. */
static bool address_source(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand) {
  value_t address;
  const struct litmus_ref *ref = &operand->u.ref;
  if (!lower_ref_address(l, ref, in->thread, &address)) return false;
  if (in->out->type.width < 32) {
    diag_report(l->diags, DIAG_WRONG_TYPE, operand->span, "an address does not fit in %u bits", in->out->type.width);
    return false;
  }
  in->out->src[0] = (struct operand){.kind = OPERAND_IMM, .imm = address, .span = operand->span};
  return true;
}

static bool names_location(const struct lowering *l, const struct lower_instr *in,
                           const struct litmus_operand *operand) {
  if (in->row->form != FORM_MOV && in->row->form != FORM_CVTA) return false;
  return operand->kind == LITMUS_NAME && !operand->u.ref.percent &&
         (operand->u.ref.owner != LITMUS_OWNER_NONE || lower_find_symbol(l, operand->u.ref.name));
}

static unsigned source_count(enum isa_form form) {
  switch (form) {
    case FORM_MOV:
    case FORM_CVTA:
    case FORM_UNARY:
    case FORM_POPC:
    case FORM_LOAD: return 1;
    case FORM_SELP: return 3;
    default: return 2;
  }
}

static bool lower_sources(struct lowering *l, struct lower_instr *in, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    const struct litmus_operand *operand = lower_operand_at(in, i + 1);
    bool right = names_location(l, in, operand) ? address_source(l, in, operand)
                                                : lower_src(l, in, operand, source_type(in, i), &in->out->src[i]);
    if (!right) return false;
  }
  return true;
}

static bool lower_compare(struct lowering *l, struct lower_instr *in) {
  unsigned value = in->q.value[QUALIFIER_COMPARE];
  if (!in->q.found[QUALIFIER_COMPARE]) {
    struct diagnostic *d =
        diag_report(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span, "'setp' needs a comparison");
    diag_hint(l->diags, d, "add '.eq', '.ne', '.lt', '.le', '.gt' or '.ge'");
    return false;
  }
  in->out->compare = (enum compare)(value & COMPARE_MASK);
  if (value & COMPARE_FLOAT(0)) in->out->unordered = (enum unordered)(value >> 5);
  bool is_float = type_is_float(in->out->type);
  if (value & COMPARE_FLOAT(0) ? !is_float
                               : value & COMPARE_UNSIGNED && (is_float || in->out->type.kind == TYPE_SIGNED)) {
    diag_report(l->diags, DIAG_WRONG_TYPE, in->q.found[QUALIFIER_COMPARE]->span, "'%s' compares %s numbers",
                in->q.found[QUALIFIER_COMPARE]->text, value & COMPARE_FLOAT(0) ? "floating-point" : "unsigned");
    return false;
  }
  if (!(value & COMPARE_UNSIGNED)) return true;
  in->out->type.kind = TYPE_UNSIGNED;
  return true;
}

/* Multiplication by halves is of the type's width; the wide one needs room for its result. */
static bool lower_half(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *half = in->q.found[QUALIFIER_HALF];
  if (half && type_is_float(in->out->type)) {
    diag_report(l->diags, DIAG_QUALIFIER_NOT_TAKEN, half->span, "'mul' of floating-point numbers does not take '%s'",
                half->text);
    return false;
  }
  if (half) in->out->alu = (enum alu_op)in->q.value[QUALIFIER_HALF];
  if (in->out->alu != ALU_MUL_WIDE || in->out->type.width <= 32) return true;
  diag_report(l->diags, DIAG_WRONG_TYPE, in->q.found[QUALIFIER_HALF]->span, "'.wide' takes types of 16 and 32 bits");
  return false;
}

/* Rounding and NaNs are for floating-point types, and flushing for some of them (9.7.3, 9.7.4). */
static bool lower_modifiers(struct lowering *l, struct lower_instr *in, enum ptx_type type) {
  static const enum qualifier_class classes[] = {QUALIFIER_FTZ, QUALIFIER_ROUNDING, QUALIFIER_NAN, QUALIFIER_XORSIGN,
                                                 QUALIFIER_ABS};
  bool is_float = type_is_float(in->out->type), flushes = in->out->type.kind == TYPE_FLOAT && in->out->type.width < 64;
  for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
    const struct litmus_word *word = in->q.found[classes[i]];
    if (!word || (classes[i] == QUALIFIER_FTZ ? flushes : is_float)) continue;
    diag_report(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "'%s' does not take '%s' with '%s'", in->row->opcode,
                word->text, isa_type_spelling(type));
    return false;
  }
  in->out->flush = in->q.found[QUALIFIER_FTZ] ? FLUSH_ALWAYS : FLUSH_NEVER;
  in->out->nan = in->q.found[QUALIFIER_NAN] != NULL;
  if (in->q.value[QUALIFIER_ROUNDING] != ROUND_NEAREST) lower_unsupported(l, in, REASON_ROUNDING);
  if (in->q.found[QUALIFIER_SAT] || in->q.found[QUALIFIER_XORSIGN] || in->q.found[QUALIFIER_ABS])
    lower_unsupported(l, in, REASON_SATURATION);
  return true;
}

static bool location_operand(const struct lowering *l, const struct lower_instr *in) {
  const struct litmus_operand *operand = lower_operand_at(in, 1);
  return operand && names_location(l, in, operand);
}

static bool has_vector(const struct lower_instr *in) {
  for (const struct litmus_operand *operand = in->ast->operands; operand; operand = operand->next)
    if (operand->kind == LITMUS_VECTOR) return true;
  return false;
}

/* `setp.eq.and p, a, b, c` is a comparison into a predicate of its own, and then `and.pred p, that, c`. */
static bool combine(struct lowering *l, struct lower_instr *in) {
  const struct litmus_operand *operand = lower_operand_at(in, 3);
  struct litmus_operand plain = *operand;
  struct type pred = isa_type(PTX_PRED);
  struct instr compared = *in->out, inverse = lower_alu(in, ALU_NOT, pred);
  struct operand other;
  if (operand->kind == LITMUS_NEGATED) plain.kind = LITMUS_NAME;
  if (plain.kind == LITMUS_NUMBER) {
    diag_report(l->diags, DIAG_WRONG_OPERAND, operand->span, "here stands a predicate");
    return false;
  }
  if (!lower_src(l, in, &plain, pred, &other)) return false;
  compared.dst[0] = lower_hidden_reg(l, in, pred);
  lower_emit(l, in, compared);
  if (operand->kind == LITMUS_NEGATED) {
    inverse.src[0] = other;
    inverse.dst[0] = lower_hidden_reg(l, in, pred);
    lower_emit(l, in, inverse);
    other = lower_register(inverse.dst[0], operand->span);
  }
  *in->out = lower_alu(in, (enum alu_op)in->q.value[QUALIFIER_COMBINE], pred);
  in->out->src[0] = lower_register(compared.dst[0], in->ast->span);
  in->out->src[1] = other;
  return true;
}

/* mov.b64 {a,b}, c and mov.b64 c, {a,b}: the first element is in the lowest bits (9.7.10, mov). They become shifts of
 * the whole; `part` has the width of the whole. */
static struct instr part(const struct lower_instr *in, enum alu_op alu, struct operand a, value_t b, uint32_t to) {
  struct instr instr = lower_alu(in, alu, in->out->type);
  instr.src[0] = a;
  instr.src[1] = lower_constant(b, in->ast->span);
  instr.dst[0] = to;
  return instr;
}

static bool unpack(struct lowering *l, struct lower_instr *in, const struct litmus_operand *items,
                   struct type element) {
  struct operand source;
  struct type whole = in->out->type;
  if (!lower_src(l, in, lower_operand_at(in, 1), whole, &source)) return false;
  uint32_t kept = lower_hidden_reg(l, in, whole); /* the source may be one of the results */
  unsigned count = 0, wanted = whole.width / element.width;
  lower_emit(l, in, part(in, ALU_OR, source, 0, kept));
  for (const struct litmus_operand *item = items; item; item = item->next, count++) {
    uint32_t to, shifted = lower_hidden_reg(l, in, whole);
    if (!lower_dst(l, in, item, element, true, &to)) return false;
    lower_emit(l, in, part(in, ALU_SHR, lower_register(kept, item->span), count * element.width, shifted));
    struct instr result =
        part(in, ALU_AND, lower_register(shifted, item->span), value_mask(element.width), to == NO_REG ? shifted : to);
    if (count + 1 == wanted) {
      *in->out = result;
    } else {
      struct lower_instr own = *in;
      own.out = &result;
      if (in->ast->guard) lower_guard(l, &own);
      lower_emit(l, in, result);
    }
  }
  return true;
}

static bool pack(struct lowering *l, struct lower_instr *in, const struct litmus_operand *items, struct type element) {
  struct operand so_far = lower_constant(0, in->ast->span);
  struct type whole = in->out->type;
  unsigned count = 0;
  for (const struct litmus_operand *item = items; item; item = item->next, count++) {
    struct operand source;
    uint32_t cut = lower_hidden_reg(l, in, whole), moved = lower_hidden_reg(l, in, whole),
             joined = lower_hidden_reg(l, in, whole);
    if (!lower_src(l, in, item, element, &source)) return false;
    lower_emit(l, in, part(in, ALU_AND, source, value_mask(element.width), cut));
    lower_emit(l, in, part(in, ALU_SHL, lower_register(cut, item->span), count * element.width, moved));
    struct instr join = part(in, ALU_OR, so_far, 0, joined);
    join.src[1] = lower_register(moved, item->span);
    lower_emit(l, in, join);
    so_far = lower_register(joined, item->span);
  }
  *in->out = part(in, ALU_OR, so_far, 0, NO_REG);
  return lower_dst(l, in, lower_operand_at(in, 0), whole, false, &in->out->dst[0]);
}

static bool lower_vector_move(struct lowering *l, struct lower_instr *in) {
  const struct litmus_operand *to = lower_operand_at(in, 0), *from = lower_operand_at(in, 1);
  bool unpacks = to->kind == LITMUS_VECTOR;
  const struct litmus_operand *vector = unpacks ? to : from;
  const struct litmus_word *word = in->q.found[QUALIFIER_TYPE];
  enum ptx_type type;
  unsigned count = 0;
  if (unpacks && from->kind == LITMUS_VECTOR) {
    diag_report(l->diags, DIAG_WRONG_OPERAND, from->span, "'mov' has a list on one side only");
    return false;
  }
  if (!word) {
    diag_report(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span,
                "a 'mov' of a list needs its type, such as '.b64'");
    return false;
  }
  uint32_t types = 1u << PTX_B16 | 1u << PTX_B32 | 1u << PTX_B64 | 1u << PTX_B128;
  if (!lower_type(l, in, isa_type(PTX_B64), types, 0, &type, &in->out->type)) return false;
  for (const struct litmus_operand *item = vector->u.items; item; item = item->next) count++;
  unsigned width = in->out->type.width;
  if (!(count == 2 || (count == 4 && (width == 32 || width == 64)))) {
    struct diagnostic *d = diag_report(l->diags, DIAG_OPERAND_COUNT, vector->span, "the list has %u operand%s", count,
                                       count == 1 ? "" : "s");
    diag_hint(l->diags, d, "'mov%s' takes 2%s", word->text, width == 32 || width == 64 ? " or 4" : "");
    return false;
  }
  struct type element = {TYPE_BITS, (uint8_t)(width / count)};
  return unpacks ? unpack(l, in, vector->u.items, element) : pack(l, in, vector->u.items, element);
}

bool lower_arith(struct lowering *l, struct lower_instr *in) {
  enum ptx_type type;
  unsigned count = source_count(in->row->form), last = in->row->form == FORM_SELP ? 2 : count;
  bool combines = in->q.found[QUALIFIER_COMBINE] != NULL;
  in->out->kind = INSTR_ALU;
  in->out->alu = in->row->form == FORM_LOAD ? ALU_MOV : (enum alu_op)in->row->detail;
  in->out->elements = 1;
  for (unsigned i = 0; i < MAX_VECTOR; i++) in->out->dst[i] = NO_REG;
  if (!lower_operand_count(l, in, count + 1 + combines, count + 1 + combines)) return false;
  struct type fallback = in->row->form == FORM_SHIFT ? default_type(l, in, 1, 1) : default_type(l, in, 1, last);
  if (in->row->form == FORM_MOV && has_vector(in)) return lower_vector_move(l, in);
  if (location_operand(l, in)) fallback = isa_type(PTX_U64);
  if (!lower_type(l, in, fallback, in->row->types, in->row->later_types, &type, &in->out->type)) return false;
  lower_lanes(in, type);
  if (!lower_modifiers(l, in, type)) return false;
  if (in->row->form == FORM_SETP && !lower_compare(l, in)) return false;
  if (in->row->form == FORM_MUL && !lower_half(l, in)) return false;
  return lower_sources(l, in, count) && (!combines || in->out->kind == INSTR_UNSUPPORTED || combine(l, in)) &&
         lower_dst(l, in, lower_operand_at(in, 0), result_type(in), false, &in->out->dst[0]);
}
