#include "ptx/lowering.h"

/* The type when none is written: predicates and 64-bit registers bring their own, else .u32. */
static struct type default_type(const struct lowering *l, const struct lower_instr *in, unsigned first, unsigned last) {
  struct type type = isa_type(PTX_U32);
  for (unsigned i = first; i <= last; i++) {
    const struct litmus_operand *operand = lower_operand_at(in, i);
    uint32_t reg =
        operand && operand->kind == LITMUS_NAME ? lower_find_reg(l, in->thread, operand->u.ref.name) : NO_REG;
    if (reg == NO_REG) continue;
    struct type of = l->threads[in->thread].regs.data[reg].type;
    if (of.width == 64 || of.kind == TYPE_PRED) type = of;
  }
  return type;
}

static struct type result_type(const struct lower_instr *in) {
  struct type type = in->out->type;
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
  in->out->compare = (enum compare)(value & ~(unsigned)COMPARE_UNSIGNED);
  if (!(value & COMPARE_UNSIGNED)) return true;
  if (in->out->type.kind == TYPE_SIGNED) {
    diag_report(l->diags, DIAG_WRONG_TYPE, in->q.found[QUALIFIER_COMPARE]->span, "'%s' compares unsigned numbers",
                in->q.found[QUALIFIER_COMPARE]->text);
    return false;
  }
  in->out->type.kind = TYPE_UNSIGNED;
  return true;
}

/* Multiplication by halves is of the type's width; the wide one needs room for its result. */
static bool lower_half(struct lowering *l, struct lower_instr *in) {
  if (in->q.found[QUALIFIER_HALF]) in->out->alu = (enum alu_op)in->q.value[QUALIFIER_HALF];
  if (in->out->alu != ALU_MUL_WIDE || in->out->type.width <= 32) return true;
  diag_report(l->diags, DIAG_WRONG_TYPE, in->q.found[QUALIFIER_HALF]->span, "'.wide' takes types of 16 and 32 bits");
  return false;
}

static void check_modelled(struct lowering *l, struct lower_instr *in, enum ptx_type type) {
  if (type < PTX_TYPES && in->row->later_types >> type & 1)
    lower_unsupported(l, in, "floating-point arithmetic is not modelled");
  else if (type < PTX_TYPES && isa_type_packed(type)) lower_unsupported(l, in, "packed arithmetic is not modelled");
  else if (in->q.found[QUALIFIER_FLOATING] || in->q.found[QUALIFIER_ROUNDING])
    lower_unsupported(l, in, "saturating and rounding arithmetic is not modelled");
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
  if (in->row->form == FORM_MOV && has_vector(in)) {
    lower_unsupported(l, in, "moves that pack or unpack a vector are not modelled");
    return true;
  }
  if (location_operand(l, in)) fallback = isa_type(PTX_U64);
  if (!lower_type(l, in, fallback, in->row->types, in->row->later_types, &type, &in->out->type)) return false;
  check_modelled(l, in, type);
  if (in->row->form == FORM_SETP && !lower_compare(l, in)) return false;
  if (in->row->form == FORM_MUL && !lower_half(l, in)) return false;
  return lower_sources(l, in, count) && (!combines || in->out->kind == INSTR_UNSUPPORTED || combine(l, in)) &&
         lower_dst(l, in, lower_operand_at(in, 0), result_type(in), false, &in->out->dst[0]);
}
