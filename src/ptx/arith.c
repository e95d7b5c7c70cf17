#include "ptx/lowering.h"

/* The letter of source `index` in isa.def; past the end, the last letter. */
static char letter(const struct lower_instr *in, unsigned index) {
  const char *operands = alu_row(in->out->alu)->operands;
  return index < strlen(operands) ? operands[index] : '\0';
}

static unsigned source_count(const struct lower_instr *in) { return (unsigned)strlen(alu_row(in->out->alu)->operands); }

/* The type if none is written: the type of a predicate, 64-bit or floating-point register, else .u32. */
static struct type default_type(const struct lowering *l, const struct lower_instr *in) {
  struct type type = isa_type(PTX_U32);
  for (unsigned i = 0; i < source_count(in); i++) {
    const struct litmus_operand *operand = letter(in, i) == 't' ? lower_operand_at(in, i + 1) : NULL;
    uint32_t reg =
        operand && operand->kind == LITMUS_NAME ? lower_find_reg(l, in->thread, operand->u.ref.name) : NO_REG;
    if (reg == NO_REG) continue;
    struct type of = l->threads[in->thread].regs.data[reg].type;
    if (of.width == 64 || of.kind == TYPE_PRED || type_is_float(of)) type = of;
  }
  return type;
}

static struct type type_of(const struct lower_instr *in, char what) {
  struct type type = in->out->type;
  switch (what) {
    case 'u': return isa_type(PTX_U32);
    case 'i': return isa_type(PTX_S32);
    case 'p': return isa_type(PTX_PRED);
    case 'n': return isa_type(PTX_B8);
    case 's': return in->out->from;
    case 'w': return (struct type){type.kind, (uint8_t)(type.width * 2)};
  }
  if (in->out->packed) return (struct type){TYPE_BITS, (uint8_t)(2 * type.width)};
  return type;
}

static struct type result_type(const struct lower_instr *in) { return type_of(in, alu_row(in->out->alu)->result); }

/* mov, cvta and Dat3M's `ld r0, x` take the address of a location. */
static bool address_source(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand) {
  value_t address;
  const struct litmus_ref *ref = &operand->u.ref;
  if (!lower_ref_address(l, ref, in->thread, &address)) return false;
  if (in->out->type.width < 32)
    return diag_refuse(l->diags, DIAG_WRONG_TYPE, operand->span, "an address does not fit in %u bits",
                       in->out->type.width);
  in->out->src[0] = (struct operand){.kind = OPERAND_IMM, .imm = address, .span = operand->span};
  return true;
}

static bool names_location(const struct lowering *l, const struct lower_instr *in,
                           const struct litmus_operand *operand) {
  if (in->row->form != FORM_MOV && in->row->form != FORM_CVTA && in->row->form != FORM_MAPA) return false;
  return operand->kind == LITMUS_NAME && !operand->u.ref.percent &&
         (operand->u.ref.owner != LITMUS_OWNER_NONE || lower_find_symbol(l, operand->u.ref.name));
}

static bool needs_constant(struct lowering *l, const struct litmus_operand *operand) {
  if (operand->kind == LITMUS_NUMBER) return true;
  return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span, "expected a constant");
}

static bool lower_sources(struct lowering *l, struct lower_instr *in) {
  for (unsigned i = 0; i < source_count(in); i++) {
    const struct litmus_operand *operand = lower_operand_at(in, i + 1);
    struct type type = type_of(in, letter(in, i));
    if (letter(in, i) == 'n' && !needs_constant(l, operand)) return false;
    bool right = names_location(l, in, operand) ? address_source(l, in, operand)
                                                : lower_src(l, in, operand, type, &in->out->src[i]);
    if (!right) return false;
  }
  return true;
}

static bool lower_compare(struct lowering *l, struct lower_instr *in) {
  struct type *type = in->out->alu == ALU_SET ? &in->out->from : &in->out->type;
  unsigned value = VALUE(in, COMPARE);
  in->out->arith.compare = (enum compare)(value & COMPARE_MASK);
  if (value & COMPARE_FLOAT(0)) in->out->arith.unordered = (enum unordered)(value >> 5);
  bool is_float = type_is_float(*type);
  if (value & COMPARE_FLOAT(0) ? !is_float : value & COMPARE_UNSIGNED && (is_float || type->kind == TYPE_SIGNED))
    return diag_refuse(l->diags, DIAG_WRONG_TYPE, HAS(in, COMPARE)->span, "'%s' compares %s numbers",
                       HAS(in, COMPARE)->text, value & COMPARE_FLOAT(0) ? "floating-point" : "unsigned");
  if (type->kind == TYPE_BITS && (value & COMPARE_MASK) > COMPARE_NE)
    return diag_refuse(l->diags, DIAG_WRONG_TYPE, HAS(in, COMPARE)->span,
                       "'%s' compares numbers, and these are bits" HINT "choose unsigned or signed: .u%u or .s%u",
                       HAS(in, COMPARE)->text, type->width, type->width);
  if (!(value & COMPARE_UNSIGNED)) return true;
  type->kind = TYPE_UNSIGNED;
  return true;
}

/* mul.lo and mul.hi have the type's width; mul.wide needs a wider register for its result. */
static bool lower_half(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *half = HAS(in, HALF);
  if (!half) return true;
  unsigned which = VALUE(in, HALF) - ALU_MUL_LO;
  if (type_is_float(in->out->type))
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, half->span,
                       "'%s' of floating-point numbers does not take '%s'", in->row->opcode, half->text);
  in->out->alu = (enum alu_op)(in->row->detail + which);
  if (which + ALU_MUL_LO != ALU_MUL_WIDE || in->out->type.width <= 32) return true;
  return diag_refuse(l->diags, DIAG_WRONG_TYPE, HAS(in, HALF)->span, "'.wide' takes types of 16 and 32 bits");
}

/* The second type of cvt, set and the like; the first type must also be written. */
static bool lower_source_type(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *word = HAS(in, SOURCE_TYPE);
  uint32_t types = isa_source_types(in->out->alu);
  if (!word)
    return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span,
                       "'%s' needs two types" HINT "first that of its result, then that of its source: cvt.u64.u32",
                       in->row->opcode);
  in->out->from = isa_type((enum ptx_type)VALUE(in, SOURCE_TYPE));
  if (types >> VALUE(in, SOURCE_TYPE) & 1) return true;
  return diag_refuse(l->diags, DIAG_WRONG_TYPE, word->span, "'%s' does not take '%s' as second type" HINT "it takes %s",
                     in->row->opcode, word->text, isa_type_words(l->arena, types));
}

/* True for sums of .s32, and for conversions to a type that lacks values of the source's type. */
static bool takes_sat(const struct lower_instr *in) {
  struct type to = in->out->type, from = in->out->from;
  if (in->row->detail != ALU_CVT) return to.kind == TYPE_SIGNED && to.width == 32;
  if (from.kind == TYPE_SIGNED) return to.kind != TYPE_SIGNED || to.width < from.width;
  return to.kind == TYPE_SIGNED ? to.width <= from.width : to.width < from.width;
}

static bool is_approximate(const struct litmus_word *rounding) {
  return rounding && (strcmp(rounding->text, ".approx") == 0 || strcmp(rounding->text, ".full") == 0);
}

/* A word that this cvt does not take: .relu and .satfinite, for example, are only for .f32 to narrower floats. */
static const struct litmus_word *wrong_in_cvt(const struct lower_instr *in) {
  const struct litmus_word *rounding = HAS(in, ROUNDING), *sat = HAS(in, SAT), *relu = HAS(in, RELU),
                           *flush = HAS(in, FTZ);
  struct type to = in->out->type, from = in->out->from;
  bool finite = sat && strcmp(sat->text, ".satfinite") == 0, approximate = is_approximate(rounding);
  bool single = (type_is_float(to) && to.width == 32) || (type_is_float(from) && from.width == 32);
  bool narrows = type_is_float(to) && to.width < 32 && type_is_float(from) && from.width == 32;
  bool simple = rounding && (strcmp(rounding->text, ".rn") == 0 || strcmp(rounding->text, ".rz") == 0) && !flush;
  if (relu && (!narrows || !simple || (sat && !finite))) return relu;
  if (finite && (!narrows || !simple)) return sat;
  if (sat && !finite && (to.kind == TYPE_BFLOAT || from.kind == TYPE_BFLOAT)) return sat;
  if (flush && !single) return flush;
  if (approximate) return rounding;
  return NULL;
}

/* A word that this instruction does not take (9.7.3, 9.7.4): for example, half precision only rounds to nearest. */
static const struct litmus_word *wrong_in_arithmetic(const struct lower_instr *in) {
  const struct litmus_word *rounding = HAS(in, ROUNDING), *sat = HAS(in, SAT), *relu = HAS(in, RELU),
                           *half = HAS(in, HALF);
  struct type type = in->out->type;
  bool is_float = type_is_float(type), narrow = is_float && type.width == 16, divides = in->row->detail == ALU_DIV;
  bool approximate = is_approximate(rounding);
  bool otherwise = rounding && VALUE(in, ROUNDING) == ROUND_OTHERWISE;
  if (otherwise && !(approximate && divides && type.kind == TYPE_FLOAT && type.width == 32)) return rounding;
  if (rounding && narrow && strcmp(rounding->text, ".rn") != 0) return rounding;
  if (sat && (divides || strcmp(sat->text, ".satfinite") == 0)) return sat;
  if (sat && is_float && (type.kind == TYPE_BFLOAT || (in->out->packed && !narrow))) return sat;
  bool only_high = in->row->detail == ALU_MAD_LO || in->row->detail == ALU_MAD24_LO;
  if (sat && half && !(only_high && strcmp(half->text, ".hi") == 0)) return sat;
  if (relu && (!narrow || sat)) return relu;
  if (HAS(in, NAN) && type.width == 64) return HAS(in, NAN);
  return NULL;
}

static bool check_modifiers(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *wrong = in->row->detail == ALU_CVT ? wrong_in_cvt(in) : wrong_in_arithmetic(in);
  if (!wrong) return true;
  return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, wrong->span, "'%s' of these types does not take '%s'",
                     in->row->opcode, wrong->text);
}

/* The kinds of rounding that an instruction takes: none, of arithmetic, to an integer (9.7.3, 9.7.10 "cvt"). */
enum { ROUNDS_NOT = 1, ROUNDS = 2, ROUNDS_TO_INTEGER = 4 };

static unsigned roundings(const struct lower_instr *in) {
  struct type to = in->out->type, from = in->out->from;
  bool must = in->out->alu == ALU_FMA || in->out->alu == ALU_DIV;
  if (in->row->detail != ALU_CVT) return (must ? 0 : ROUNDS_NOT) | ROUNDS;
  if (!type_is_float(to)) return ROUNDS_TO_INTEGER;
  if (!type_is_float(from)) return ROUNDS;
  if (to.width == from.width) return to.kind == from.kind ? ROUNDS_NOT | ROUNDS_TO_INTEGER : ROUNDS_NOT | ROUNDS;
  return to.width < from.width ? ROUNDS : ROUNDS_NOT;
}

static bool check_rounding(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *word = HAS(in, ROUNDING), *sat = HAS(in, SAT);
  unsigned takes = roundings(in), how = !word                               ? ROUNDS_NOT
                                        : VALUE(in, ROUNDING) & ROUND_WHOLE ? ROUNDS_TO_INTEGER
                                                                            : ROUNDS;
  if (sat && in->row->detail != ALU_CVT && in->out->type.width == 64)
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, sat->span, "'.sat' cannot be combined with '.f64'");
  if (takes & how || (word && VALUE(in, ROUNDING) == ROUND_OTHERWISE)) return true;
  struct diagnostic *d = word ? diag_report(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span,
                                            "'%s' of these types does not take '%s'", in->row->opcode, word->text)
                              : diag_report(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span,
                                            "'%s' of these types needs a rounding mode", in->row->opcode);
  if (takes & ROUNDS_TO_INTEGER) diag_hint(l->diags, d, "it rounds to an integer: '.rni', '.rzi', '.rmi' or '.rpi'");
  else if (takes & ROUNDS) diag_hint(l->diags, d, "it takes '.rn', '.rz', '.rm' or '.rp'");
  return false;
}

/* Rounding and NaNs are for floating-point types, and flushing for some of them (9.7.3, 9.7.4). */
static bool lower_modifiers(struct lowering *l, struct lower_instr *in, enum ptx_type type) {
  static const enum qualifier_class classes[] = {QUALIFIER_FTZ, QUALIFIER_ROUNDING, QUALIFIER_NAN, QUALIFIER_XORSIGN,
                                                 QUALIFIER_ABS};
  bool two = in->row->form == FORM_TWO_TYPES && type_is_float(in->out->from);
  bool is_float = two || type_is_float(in->out->type);
  bool single = in->out->type.kind == TYPE_FLOAT && in->out->type.width < 64;
  bool flushes = two || (single && in->row->detail != ALU_SLCT);
  for (size_t i = 0; i < ARRAY_LEN(classes); i++) {
    const struct litmus_word *word = in->q.found[classes[i]];
    if (!word || (classes[i] == QUALIFIER_FTZ ? flushes : is_float)) continue;
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "'%s' does not take '%s' with '%s'",
                       in->row->opcode, word->text, isa_type_spelling(type));
  }
  in->out->arith.flush = HAS(in, FTZ) ? FLUSH_ALWAYS : FLUSH_NEVER;
  in->out->arith.nan = HAS(in, NAN) != NULL;
  bool rounds = is_float && (in->row->classes >> QUALIFIER_ROUNDING & 1);
  if (!check_modifiers(l, in) || (rounds && !check_rounding(l, in))) return false;
  if (HAS(in, ROUNDING)) in->out->arith.rounding = VALUE(in, ROUNDING);
  if (in->out->arith.rounding == ROUND_OTHERWISE || HAS(in, RELU)) lower_unsupported(l, in, REASON_ROUNDING);
  bool clamped = HAS(in, SAT) != NULL;
  const struct litmus_word *carry = HAS(in, CARRY);
  bool carries = !is_float && in->out->type.width >= 32 && in->out->alu != ALU_MAD_WIDE;
  if (carry && !carries)
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, carry->span,
                       "'%s' takes '.cc' with integers of 32 and 64 bits", in->row->opcode);
  in->out->arith.sat = clamped;
  if (clamped && !is_float && !takes_sat(in))
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, HAS(in, SAT)->span, "%s",
                       in->row->detail == ALU_CVT
                           ? "'.sat' is only for values that may be outside the range of the result"
                           : "only '.s32' takes '.sat'");
  if ((clamped && in->out->packed) || HAS(in, XORSIGN) || HAS(in, ABS)) lower_unsupported(l, in, REASON_SATURATION);
  return true;
}

static bool location_operand(const struct lowering *l, const struct lower_instr *in) {
  const struct litmus_operand *operand = lower_operand_at(in, 1);
  return operand && names_location(l, in, operand);
}

static bool has_vector(const struct lower_instr *in) {
  return SOME(LIST_EACH (operand, in->ast->operands), operand->kind == LITMUS_VECTOR);
}

/* The predicate of an operand, inverted if it is negated. */
static bool lower_predicate_value(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand,
                                  struct operand *out) {
  struct litmus_operand plain = *operand;
  struct type pred = isa_type(PTX_PRED);
  struct instr inverse = lower_alu(in, ALU_NOT, pred);
  if (operand->kind == LITMUS_NEGATED) plain.kind = LITMUS_NAME;
  if (!lower_src(l, in, &plain, pred, out)) return false;
  inverse.src[0] = *out;
  if (operand->kind == LITMUS_NEGATED) *out = lower_computed(l, in, inverse, pred);
  return true;
}

/* `setp.eq.and p, a, b, c` is a comparison into a predicate of its own, and then `and.pred p, that, c`; for set a
 * choice by that. */
static bool combine(struct lowering *l, struct lower_instr *in) {
  const struct litmus_operand *operand = lower_operand_at(in, 3);
  struct type pred = isa_type(PTX_PRED);
  struct instr compared = *in->out, combined = lower_alu(in, (enum alu_op)VALUE(in, COMBINE), pred);
  struct instr chosen = lower_alu(in, ALU_SELP, in->out->type);
  if (operand->kind == LITMUS_NUMBER)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span, "expected a predicate");
  if (compared.alu == ALU_SET) compared.alu = ALU_SETP, compared.type = compared.from;
  combined.src[0] = lower_computed(l, in, compared, pred);
  if (!lower_predicate_value(l, in, operand, &combined.src[1])) return false;
  bool sets = in->out->alu == ALU_SET;
  *in->out = combined;
  if (!sets) return true;
  chosen.src[0] = lower_constant(value_mask(chosen.type.width), in->ast->span);
  chosen.src[1] = lower_constant(0, in->ast->span);
  chosen.src[2] = lower_computed(l, in, combined, pred);
  *in->out = chosen;
  return true;
}

/* mov.b64 {a,b}, c and mov.b64 c, {a,b}: the first element is in the lowest bits (9.7.10, mov). They become shifts of
 * the whole; `part` has the width of the whole. */
static struct instr part(const struct lower_instr *in, enum alu_op alu, struct operand a, value_t b) {
  struct instr instr = lower_alu(in, alu, in->out->type);
  instr.src[0] = a;
  instr.src[1] = lower_constant(b, in->ast->span);
  return instr;
}

static bool unpack(struct lowering *l, struct lower_instr *in, const struct litmus_operand *items,
                   struct type element) {
  struct operand source;
  struct type whole = in->out->type;
  if (!lower_src(l, in, lower_operand_at(in, 1), whole, &source)) return false;
  /* The source may be one of the results. */
  struct operand kept = lower_computed(l, in, part(in, ALU_OR, source, 0), whole);
  unsigned count = 0, wanted = whole.width / element.width;
  for (const struct litmus_operand *item = items; item; item = item->next, count++) {
    uint32_t to;
    if (!lower_dst(l, in, item, element, true, &to)) return false;
    struct operand shifted = lower_computed(l, in, part(in, ALU_SHR, kept, count * element.width), whole);
    struct instr result = part(in, ALU_AND, shifted, value_mask(element.width));
    result.dst[0] = to == NO_REG ? shifted.reg : to;
    if (count + 1 == wanted) *in->out = result;
    else lower_emit_guarded(l, in, result);
  }
  return true;
}

static bool pack(struct lowering *l, struct lower_instr *in, const struct litmus_operand *items, struct type element) {
  struct operand so_far = lower_constant(0, in->ast->span);
  struct type whole = in->out->type;
  unsigned count = 0;
  for (const struct litmus_operand *item = items; item; item = item->next, count++) {
    struct operand source;
    if (!lower_src(l, in, item, element, &source)) return false;
    struct operand cut = lower_computed(l, in, part(in, ALU_AND, source, value_mask(element.width)), whole);
    struct instr join = part(in, ALU_OR, so_far, 0);
    join.src[1] = lower_computed(l, in, part(in, ALU_SHL, cut, count * element.width), whole);
    so_far = lower_computed(l, in, join, whole);
  }
  *in->out = part(in, ALU_OR, so_far, 0);
  return lower_dst(l, in, lower_operand_at(in, 0), whole, false, &in->out->dst[0]);
}

static bool lower_vector_move(struct lowering *l, struct lower_instr *in) {
  const struct litmus_operand *to = lower_operand_at(in, 0), *from = lower_operand_at(in, 1);
  bool unpacks = to->kind == LITMUS_VECTOR;
  const struct litmus_operand *vector = unpacks ? to : from;
  const struct litmus_word *word = HAS(in, TYPE);
  enum ptx_type type;
  if (unpacks && from->kind == LITMUS_VECTOR)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, from->span, "'mov' has a list on one side only");
  if (!word)
    return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span,
                       "a 'mov' of a list needs its type, such as '.b64'");
  uint32_t types = 1u << PTX_B16 | 1u << PTX_B32 | 1u << PTX_B64 | 1u << PTX_B128;
  if (!lower_type(l, in, isa_type(PTX_B64), types, 0, &type, &in->out->type)) return false;
  unsigned width = in->out->type.width, count = LIST_LENGTH(vector->u.items);
  if (!(count == 2 || (count == 4 && (width == 32 || width == 64))))
    return diag_refuse(l->diags, DIAG_OPERAND_COUNT, vector->span, "the list has %u operand%s" HINT "'mov%s' takes 2%s",
                       count, count == 1 ? "" : "s", word->text, width == 32 || width == 64 ? " or 4" : "");
  struct type element = {TYPE_BITS, (uint8_t)(width / count)};
  return unpacks ? unpack(l, in, vector->u.items, element) : pack(l, in, vector->u.items, element);
}

/* Carries (9.7.2): an instruction reads the carry that an earlier instruction of its thread wrote. PTX's CC.CF is a
 * predicate without a name. */

static uint32_t carry_reg(struct lowering *l, const struct lower_instr *in) {
  uint32_t reg = lower_reg(l, in->thread, intern(l->names, "?carry"), in->ast->span);
  struct reg *carry = &l->threads[in->thread].regs.data[reg];
  carry->hidden = true;
  lower_write_reg(l, in->thread, reg, isa_type(PTX_PRED));
  return reg;
}

static bool takes_carry(const struct lower_instr *in) {
  static const char *const takers[] = {"addc", "subc", "madc"};
  return SOME_BELOW(i, ARRAY_LEN(takers), strcmp(in->row->opcode, takers[i]) == 0);
}

/* add.cc, addc, madc and the like: the sum with the carry in, and the carry out. */
static bool lower_carry(struct lowering *l, struct lower_instr *in) {
  bool takes = takes_carry(in), gives = HAS(in, CARRY) != NULL;
  enum alu_op alu = in->out->alu;
  bool subtracts = alu == ALU_SUB, multiplies = alu == ALU_MAD_LO || alu == ALU_MAD_HI;
  struct operand sources[2] = {in->out->src[0], in->out->src[1]}, carry = lower_constant(0, in->ast->span);
  if (multiplies) {
    struct instr product = lower_alu(in, alu == ALU_MAD_LO ? ALU_MUL_LO : ALU_MUL_HI, in->out->type);
    memcpy(product.src, sources, sizeof sources);
    sources[0] = lower_computed(l, in, product, in->out->type);
    sources[1] = in->out->src[2];
  }
  if (takes) carry = lower_register(carry_reg(l, in), in->ast->span);
  struct instr sum = lower_alu(in, subtracts ? ALU_SUB_BORROW : ALU_ADD_CARRY, in->out->type), out = sum;
  memcpy(sum.src, sources, sizeof sources);
  sum.src[2] = carry;
  out = sum;
  out.alu = subtracts ? ALU_BORROW : ALU_CARRY;
  struct operand result = lower_computed(l, in, sum, in->out->type);
  if (gives) {
    out.dst[0] = carry_reg(l, in);
    lower_emit_guarded(l, in, out);
  }
  uint32_t to = in->out->dst[0];
  *in->out = lower_alu(in, ALU_MOV, in->out->type);
  in->out->dst[0] = to;
  in->out->src[0] = result;
  return true;
}

/* `lop3.or.b32 d|p, a, b, c, table, q`: p is (d != 0) or q (9.7.8, lop3). */
static bool lower_lop3_predicate(struct lowering *l, struct lower_instr *in) {
  const struct litmus_operand *to = lower_operand_at(in, 0), *with = lower_operand_at(in, 5);
  struct type b32 = isa_type(PTX_B32), pred = isa_type(PTX_PRED);
  struct instr value = *in->out, copied = lower_alu(in, ALU_MOV, b32), nonzero = lower_alu(in, ALU_SETP, b32);
  if (to->kind != LITMUS_PAIR || (with->kind != LITMUS_NAME && with->kind != LITMUS_NEGATED))
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, to->kind == LITMUS_PAIR ? with->span : to->span,
                       to->kind == LITMUS_PAIR ? "expected a predicate"
                                               : "with a predicate 'lop3' has two results: d|p");
  if (!lower_dst(l, in, to->u.items, b32, true, &copied.dst[0])) return false;
  copied.src[0] = nonzero.src[0] = lower_computed(l, in, value, b32);
  nonzero.src[1] = lower_constant(0, in->ast->span);
  nonzero.arith.compare = COMPARE_NE;
  struct instr result = lower_alu(in, (enum alu_op)VALUE(in, COMBINE), pred);
  result.src[0] = lower_computed(l, in, nonzero, pred);
  if (!lower_predicate_value(l, in, with, &result.src[1])) return false;
  if (copied.dst[0] != NO_REG) lower_emit_guarded(l, in, copied);
  *in->out = result;
  return lower_dst(l, in, to->u.items->next, pred, false, &in->out->dst[0]);
}

/* One of the two results of setp p|q: the comparison or its inverse, combined as the instruction says. */
static bool half_of_pair(struct lowering *l, struct lower_instr *in, struct operand compared, bool combines,
                         struct operand *out) {
  struct type pred = isa_type(PTX_PRED);
  struct instr combined = lower_alu(in, combines ? (enum alu_op)VALUE(in, COMBINE) : ALU_MOV, pred);
  combined.src[0] = compared;
  if (combines && !lower_predicate_value(l, in, lower_operand_at(in, 3), &combined.src[1])) return false;
  *out = lower_computed(l, in, combined, pred);
  return true;
}

/* `setp.lt.and p|q, a, b, c`: p is (a < b) and c, q is !(a < b) and c; either may be `_` (9.7.6, setp). */
static bool lower_setp_pair(struct lowering *l, struct lower_instr *in, bool combines) {
  const struct litmus_operand *items = lower_operand_at(in, 0)->u.items;
  struct type pred = isa_type(PTX_PRED);
  struct instr compared = *in->out, inverse = lower_alu(in, ALU_NOT, pred), first = lower_alu(in, ALU_MOV, pred),
               second = first;
  inverse.src[0] = lower_computed(l, in, compared, pred);
  if (!half_of_pair(l, in, inverse.src[0], combines, &first.src[0])) return false;
  if (!half_of_pair(l, in, lower_computed(l, in, inverse, pred), combines, &second.src[0])) return false;
  if (!lower_dst(l, in, items, pred, true, &first.dst[0])) return false;
  if (!lower_dst(l, in, items->next, pred, true, &second.dst[0])) return false;
  bool both = first.dst[0] != NO_REG && second.dst[0] != NO_REG;
  if (both) lower_emit_guarded(l, in, first);
  *in->out = both || first.dst[0] == NO_REG ? second : first;
  return true;
}

static bool lower_variants(struct lowering *l, struct lower_instr *in, enum ptx_type type) {
  if (in->out->alu == ALU_MAD_LO && type_is_float(in->out->type)) in->out->alu = ALU_FMA;
  if (in->row->classes >> QUALIFIER_HALF & 1 && !lower_half(l, in)) return false;
  if (in->row->form == FORM_TWO_TYPES && !lower_source_type(l, in)) return false;
  if (!lower_modifiers(l, in, type)) return false;
  if (HAS(in, ALU_MODE)) in->out->arith.mode = (enum alu_mode)VALUE(in, ALU_MODE);
  if (HAS(in, DIRECTION)) in->out->alu = (enum alu_op)VALUE(in, DIRECTION);
  bool compares = in->row->classes >> QUALIFIER_COMPARE & 1;
  return !compares || lower_compare(l, in);
}

/* True if arithmetic on these types is not modelled. */
static bool later(const struct lower_instr *in, enum ptx_type type) {
  if (type < PTX_TYPES && in->row->later_types >> type & 1) return true;
  if (in->out->alu == ALU_CVT) return VALUE(in, SOURCE_TYPE) > PTX_F64;
  return in->row->form == FORM_TWO_TYPES && type_is_float(in->out->from);
}

/* The state space that cvta and isspacep name; mapa and getctarank name none, or the cluster's. */
static bool lower_space(struct lowering *l, struct lower_instr *in) {
  unsigned value = VALUE(in, SPACE), space = value & SPACE_MASK;
  const struct litmus_word *word = HAS(in, SPACE);
  bool of_cluster = in->out->alu == ALU_MAPA || in->out->alu == ALU_CTARANK;
  if (word && (!(in->row->spaces >> space & 1) || value & SPACE_FUNC || (of_cluster && !(value & SPACE_ANY_CTA))))
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "'%s' does not take '%s'", in->row->opcode,
                       word->text);
  if (in->out->alu != ALU_ISSPACEP) return true;
  in->out->space = (enum space)space;
  in->out->own_cta = space == SPACE_SHARED && !(value & SPACE_ANY_CTA);
  return true;
}

bool lower_arith(struct lowering *l, struct lower_instr *in) {
  enum ptx_type type;
  bool combines = HAS(in, COMBINE) != NULL;
  in->out->kind = INSTR_ALU;
  in->out->alu = in->row->form == FORM_LOAD ? ALU_MOV : (enum alu_op)in->row->detail;
  in->out->elements = 1;
  if (in->row->form == FORM_MOV && has_vector(in) && in->count == 2) return lower_vector_move(l, in);
  bool address = location_operand(l, in) || in->out->alu == ALU_ISSPACEP;
  struct type fallback = address ? isa_type(PTX_U64) : default_type(l, in);
  if (!lower_type(l, in, fallback, in->row->types, in->row->later_types, &type, &in->out->type)) return false;
  lower_lanes(in, type);
  if (!lower_variants(l, in, type) || !lower_space(l, in)) return false;
  if (in->out->alu == ALU_ACTIVEMASK && lower_lane_open(l, in)) return true;
  if (later(in, type)) return lower_unsupported(l, in, REASON_FLOAT_ARITHMETIC);
  unsigned count = source_count(in) + 1 + combines;
  if (!lower_operand_count(l, in, count, count) || !lower_sources(l, in)) return false;
  if (combines && in->out->alu == ALU_LOP3) return lower_lop3_predicate(l, in);
  bool pair = in->row->form == FORM_SETP && lower_operand_at(in, 0)->kind == LITMUS_PAIR;
  if (pair && in->out->kind != INSTR_UNSUPPORTED) return lower_setp_pair(l, in, combines);
  if (combines && in->out->kind != INSTR_UNSUPPORTED && !combine(l, in)) return false;
  if (!lower_dst(l, in, lower_operand_at(in, 0), result_type(in), false, &in->out->dst[0])) return false;
  bool carries = takes_carry(in) || HAS(in, CARRY);
  return !carries || lower_carry(l, in);
}
