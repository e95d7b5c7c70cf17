#include "ptx/lowering.h"

bool lower_number(struct lowering *l, const struct litmus_number *number, unsigned width, value_t *out) {
  if (number->decimal)
    return diag_refuse(l->diags, DIAG_WRONG_TYPE, number->span,
                       "'%s' suits floating-point types only" HINT
                       "declare a location as '.f32', or write the bits, such as 0f%08X of an f32",
                       number->text, (unsigned)float_convert(l->arena, FLOAT_F64, FLOAT_F32, number->value));
  value_t most = number->negative ? ((value_t)1) << (width - 1) : value_mask(width);
  bool cut = !l->stating && lower_of_module(l, number->span); /* as ptxas does */
  if (number->value > most && !cut)
    return diag_refuse(l->diags, DIAG_VALUE_RANGE, number->span, "the value does not fit in %u bit%s", width,
                       width == 1 ? "" : "s");
  *out = (number->negative ? ~number->value + 1 : number->value) & value_mask(width);
  return true;
}

/* An integer gives the bits of a float. Negative integers, and small ones, the bits of subnormal numbers, are refused,
 * because the number is more likely meant; but not 0x00000001, the form in which outcomes show bits. */
static bool float_bits(struct lowering *l, const struct litmus_number *number, enum float_format format, value_t *out) {
  struct diagnostic *d;
  if (!lower_number(l, number, float_width(format), out)) return false;
  if (!number->negative && (number->text || !float_is_subnormal(format, *out))) return true;
  d = number->negative ? diag_report(l->diags, DIAG_VALUE_RANGE, number->span,
                                     "an integer gives the bits of a floating-point number, and has no sign")
                       : diag_report(l->diags, DIAG_VALUE_RANGE, number->span,
                                     "an integer gives the bits of a floating-point number, here of a subnormal one");
  bool is_double = format == FLOAT_F64;
  unsigned long long bits = (unsigned long long)(is_double ? *out : float_convert(l->arena, format, FLOAT_F32, *out));
  if (number->negative) diag_hint(l->diags, d, "write the number with a point, such as -1.0");
  else
    diag_hint(l->diags, d, "write %llu.0 for the number, or 0%c%0*llX for the bits", (unsigned long long)number->value,
              is_double ? 'd' : 'f', is_double ? 16 : 8, bits);
  return false;
}

bool lower_value(struct lowering *l, const struct litmus_number *number, struct type type, value_t *out) {
  if (!type_is_float(type)) return lower_number(l, number, type.width, out);
  enum float_format format = type_format(type), from = number->kind == LITMUS_F32 ? FLOAT_F32 : FLOAT_F64;
  if (number->kind == LITMUS_INTEGER) return float_bits(l, number, format, out);
  *out = from == format ? number->value : float_convert(l->arena, from, format, number->value);
  if (number->negative) *out ^= (value_t)1 << (type.width - 1);
  return true;
}

bool lower_missing(struct lowering *l, const struct lower_instr *in, const char *what, const char *hint) {
  return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span, "this '%s' needs %s" HINT "%s",
                     in->row->opcode, what, hint);
}

bool lower_refuse_word(struct lowering *l, const struct lower_instr *in, enum qualifier_class kind) {
  const struct litmus_word *word = in->q.found[kind];
  if (!word) return true;
  return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "this '%s' does not take '%s'", in->row->opcode,
                     word->text);
}

const struct litmus_operand *lower_operand_at(const struct lower_instr *in, unsigned index) {
  const struct litmus_operand *operand = in->ast->operands;
  while (operand && index-- > 0) operand = operand->next;
  return operand;
}

bool lower_operand_count(struct lowering *l, const struct lower_instr *in, unsigned least, unsigned most) {
  if (in->count >= least && in->count <= most) return true;
  struct span span = in->ast->span;
  struct text name = {.arena = l->arena}; /* other qualifiers may take another number */
  text_add(&name, in->row->opcode);
  LIST_EACH (word, in->ast->qualifiers.first) text_add(&name, word->text);
  if (in->count > most) span = lower_operand_at(in, most)->span;
  if (least == most)
    return diag_refuse(l->diags, DIAG_OPERAND_COUNT, span, "'%s' takes %u operand%s, not %u", text_str(&name), most,
                       most == 1 ? "" : "s", in->count);
  return diag_refuse(l->diags, DIAG_OPERAND_COUNT, span, "'%s' takes %u to %u operands, not %u", text_str(&name), least,
                     most, in->count);
}

static bool wrong_operand(struct lowering *l, struct span span, const char *what) {
  return diag_refuse(l->diags, DIAG_WRONG_OPERAND, span, "%s", what);
}

/* True if the operand is a bare name, without owner, index and offset. */
static bool plain_name(const struct litmus_operand *operand) {
  return operand->kind == LITMUS_NAME && operand->u.ref.owner == LITMUS_OWNER_NONE && !operand->u.ref.has_index &&
         operand->u.ref.offset == 0;
}

static bool is_special(struct lowering *l, const struct litmus_operand *operand) {
  const char *name = lower_special_name(l, operand);
  return operand->kind == LITMUS_SPECIAL || (name && isa_special(name) != SPECIAL_NONE);
}

bool lower_dst(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand, struct type type,
               bool sink, uint32_t *out) {
  if (is_special(l, operand)) return wrong_operand(l, operand->span, "a special register cannot be written");
  if (!plain_name(operand)) return wrong_operand(l, operand->span, "the result must go to a register");
  const struct litmus_ref *ref = &operand->u.ref;
  if (strcmp(ref->name, "_") == 0) {
    *out = NO_REG;
    return sink || wrong_operand(l, operand->span, "the result cannot be thrown away here");
  }
  if (!ref->percent && lower_find_symbol(l, ref->name))
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span,
                       "'%s' is a location, not a register" HINT "a register of that name is written %%%s", ref->name,
                       ref->name);
  *out = lower_reg(l, in->thread, ref->name, operand->span);
  l->threads[in->thread].states.data[*out].bare |= !ref->percent;
  lower_write_reg(l, in->thread, *out, type);
  return true;
}

static bool source_name(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand,
                        struct operand *out) {
  const struct litmus_ref *ref = &operand->u.ref;
  if (!ref->percent && lower_find_symbol(l, ref->name))
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span,
                       "'%s' is a location; use a register or a constant here" HINT
                       "load its value first, or take its address with mov",
                       ref->name);
  if (strcmp(ref->name, "_") == 0) return wrong_operand(l, operand->span, "'_' has no value");
  if (!plain_name(operand)) return wrong_operand(l, operand->span, "expected a register or a constant");
  out->kind = OPERAND_REG;
  out->reg = lower_reg(l, in->thread, ref->name, operand->span);
  l->threads[in->thread].states.data[out->reg].bare |= !ref->percent;
  lower_read_reg(l, in->thread, out->reg);
  return true;
}

struct instr lower_blank(enum instr_kind kind, const struct litmus_instr *ast) {
  const struct isa_row *row = isa_find(ast->opcode.text);
  struct instr instr = {.kind = kind, .span = ast->span, .ast = ast, .form = (uint8_t)(row ? row->form : FORM_LATER)};
  for (unsigned i = 0; i < MAX_VECTOR; i++) instr.dst[i] = NO_REG;
  return instr;
}

struct instr lower_alu(const struct lower_instr *in, enum alu_op alu, struct type type) {
  struct instr instr = lower_blank(INSTR_ALU, in->ast);
  instr.alu = alu;
  instr.type = type;
  instr.elements = 1;
  return instr;
}

void lower_emit(struct lowering *l, const struct lower_instr *in, struct instr instr) {
  VEC_PUSH(l->arena, &l->threads[in->thread].code, instr);
}

void lower_emit_guarded(struct lowering *l, const struct lower_instr *in, struct instr instr) {
  struct lower_instr own = *in;
  own.out = &instr;
  if (in->ast->guard) lower_guard(l, &own);
  lower_emit(l, in, instr);
}

struct operand lower_computed(struct lowering *l, const struct lower_instr *in, struct instr instr, struct type type) {
  instr.dst[0] = lower_hidden_reg(l, in, type);
  lower_emit(l, in, instr);
  return lower_register(instr.dst[0], in->ast->span);
}

struct operand lower_register(uint32_t reg, struct span span) {
  return (struct operand){.kind = OPERAND_REG, .reg = reg, .span = span};
}

struct operand lower_constant(value_t value, struct span span) {
  return (struct operand){.kind = OPERAND_IMM, .imm = value, .span = span};
}

unsigned lower_operand_width(const struct lowering *l, const struct lower_instr *in, unsigned index) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  uint32_t reg = operand && operand->kind == LITMUS_NAME ? lower_find_reg(l, in->thread, operand->u.ref.name) : NO_REG;
  return reg == NO_REG ? 32 : l->threads[in->thread].regs.data[reg].type.width;
}

bool lower_src(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand, struct type type,
               struct operand *out) {
  *out = (struct operand){.span = operand->span};
  if (is_special(l, operand)) return lower_special(l, in, operand, type, out);
  if (operand->kind == LITMUS_NAME) {
    if (!source_name(l, in, operand, out)) return false;
    if (type.kind == TYPE_PRED) lower_use_predicate(l, in->thread, out->reg, operand->span);
    else lower_use_number(l, in->thread, out->reg, operand->span);
    return true;
  }
  if (operand->kind != LITMUS_NUMBER) return wrong_operand(l, operand->span, "expected a register or a constant");
  out->kind = OPERAND_IMM;
  return lower_value(l, &operand->u.number, type, &out->imm);
}

bool lower_type(struct lowering *l, const struct lower_instr *in, struct type fallback, uint32_t types, uint32_t later,
                enum ptx_type *chosen, struct type *out) {
  const struct litmus_word *word = HAS(in, TYPE);
  if (word) types |= later;
  if (word) {
    *chosen = (enum ptx_type)VALUE(in, TYPE);
    *out = isa_type(*chosen);
    if (types >> *chosen & 1) return true;
    const struct litmus_word *op = HAS(in, OP);
    return diag_refuse(l->diags, DIAG_WRONG_TYPE, word->span, "'%s%s' does not take the type '%s'" HINT "it takes %s",
                       in->row->opcode, op ? op->text : "", word->text, isa_type_words(l->arena, types));
  }
  *chosen = isa_type_fitting(fallback, types);
  *out = fallback;
  if (*chosen != PTX_TYPES) return true;
  return diag_refuse(l->diags, DIAG_WRONG_TYPE, in->ast->span,
                     "no type is given, and operands of %u bits do not suit '%s'" HINT "it takes %s", fallback.width,
                     in->row->opcode, isa_type_words(l->arena, types));
}

void lower_unsupported_with(struct lower_instr *in, const struct reason *why) {
  in->out->kind = INSTR_UNSUPPORTED;
  if (!in->out->unsupported) in->out->unsupported = why;
}

bool lower_unsupported(struct lowering *l, struct lower_instr *in, enum reason_id why) {
  (void)l;
  lower_unsupported_with(in, reason_get(why));
  return true;
}
