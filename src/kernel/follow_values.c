/* Arithmetic of threads that are followed before any thread runs, by the terms that threads which run make of it. */
#include "kernel/follow.h"
#include "ptx/alu.h"
#include "ptx/uses.h"

static const struct region *pointed(struct follow *f, const struct follow_reg *k) {
  if (k->unknown) return k->region;
  const struct region *region = k->bits >> 64 ? NULL : memory_at(&f->launch->memory, (uint64_t)k->bits);
  return region && region->space == SPACE_GLOBAL ? region : NULL;
}

/* An instruction that may be executed writes a value; NULL: an unknown one, of an address in `region`. */
void follow_put(struct follow *f, uint32_t reg, enum holds holds, const value_t *bits, const struct region *region) {
  if (!follow_wants(f, reg)) return;
  const struct follow_reg old = *follow_reg(f, reg);
  if (bits) set_known(f, reg, *bits);
  else set_unknown(f, reg, region);
  if (holds == HOLDS) return;
  follow_mix(f, MARK_PERHAPS);
  if (!old.unknown) follow_mix_wide(f, old.bits);
  if (bits) follow_mix_wide(f, *bits);
  const struct region *to = pointed(f, &f->regs[reg]);
  set_unknown(f, reg, to == pointed(f, &old) ? to : NULL);
}

static void set_leaf(struct follow *f, uint32_t reg, term_id value) {
  f->runner->path.regs[reg] = (struct reg_state){value, false, f->body->none};
}

/* The guard holds. False: it is also an operand. */
static bool set_guard(struct follow *f, const struct instr *in) {
  if (!in->guard.present) return true;
  bool operand = false;
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    operand = operand || (in->src[i].kind == OPERAND_REG && in->src[i].reg == in->guard.reg);
  set_leaf(f, in->guard.reg, in->guard.negated ? TERM_FALSE : TERM_TRUE);
  return !operand;
}

static bool is_guard(const struct instr *in, uint32_t reg) { return in->guard.present && in->guard.reg == reg; }

/* Copies the terms of the results. False: some leaf is none of the registers. */
static bool keep_terms(struct follow *f, const struct instr *in, struct follow_formula *formula) {
  const struct terms *terms = f->runner->walk->terms;
  const uint32_t size = terms->list.len;
  bool *set = ARENA_ARRAY(f->arena, bool, size);
  uint32_t *number = ARENA_ARRAY(f->arena, uint32_t, size);
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    if (in->dst[i] != NO_REG) set[f->runner->path.regs[in->dst[i]].value] = true;
  term_close(terms, set, size);
  formula->first = f->terms.len;
  for (uint32_t id = 0; id < size; id++) {
    if (!set[id]) continue;
    struct term term = *term_get(terms, id);
    term_id operands[3];
    if (term_op_is_leaf(term.op) && term.op != TERM_CONST && term.op != TERM_READ) return false;
    if (term_operands(terms, id, operands)) term.a = number[term.a], term.b = number[term.b], term.c = number[term.c];
    number[id] = formula->count++;
    VEC_PUSH(f->arena, &f->terms, term);
  }
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    if (in->dst[i] != NO_REG) {
      const struct reg_state *state = &f->runner->path.regs[in->dst[i]];
      formula->results[i].term = number[state->value], formula->results[i].is_signed = state->is_signed;
    }
  return true;
}

void follow_registers(struct follow *f, const struct instr *in, struct follow_formula *formula) {
  formula->gives = instr_gives(in, f->body->wanted);
  formula->reads = f->registers.len;
  EACH_READ (reg, in)
    if (!is_guard(in, reg)) VEC_PUSH(f->arena, &f->registers, reg);
  formula->writes = f->registers.len;
  EACH_WRITTEN (reg, in) VEC_PUSH(f->arena, &f->registers, reg);
  formula->end = f->registers.len;
}

static void find_formula(struct follow *f, uint32_t index, struct follow_formula *formula) {
  const struct instr *in = &f->body->thread->instrs[index];
  struct walk *walk = f->runner->walk;
  const uint32_t before = walk->terms->list.len;
  formula->how = FORMULA_SLOW;
  if (!set_guard(f, in)) return;
  EACH_OPERAND (reg, f, formula) set_leaf(f, *reg, term_leaf(walk->terms, TERM_READ, *reg, 128));
  run_begin_instr(f->runner, index);
  if (walk_floats_unknown(walk)) return;
  walk_operate(walk);
  if (!walk->s->hazards.len && !walk->s->refusal && keep_terms(f, in, formula) && formula->count <= MOST_TERMS)
    formula->how = FORMULA_TERMS;
  walk->s->hazards.len = 0;
  walk->s->refusal = NULL;
  body_forget_terms(&f->run->body, before);
}

static void apply_formula(struct follow *f, const struct instr *in, const struct follow_formula *formula,
                          enum holds holds) {
  const struct term *terms = f->terms.data + formula->first;
  for (uint32_t i = 0; i < formula->count; i++) {
    const struct term *t = &terms[i];
    f->values[i] = t->op == TERM_CONST ? t->constant
                   : t->op == TERM_READ
                       ? follow_reg(f, t->event)->bits
                       : term_apply(t, f->values[t->a], terms[t->a].width, f->values[t->b], f->values[t->c]);
  }
  for (uint32_t i = 0; i < MAX_VECTOR; i++) {
    if (in->dst[i] == NO_REG) continue;
    const uint32_t term = formula->results[i].term;
    const value_t bits = extended(f->values[term], terms[term].width, formula->results[i].is_signed);
    follow_put(f, in->dst[i], holds, &bits, NULL);
  }
}

/* Gives the runner the values of the registers that an instruction reads. */
bool follow_give(struct follow *f, uint32_t index) {
  struct terms *terms = f->runner->walk->terms;
  EACH_OPERAND (reg, f, &f->formulas[index]) {
    const struct follow_reg *k = follow_reg(f, *reg);
    set_leaf(f, *reg, k->unknown ? term_leaf(terms, TERM_READ, UNNEEDED, 128) : term_const(terms, k->bits, 128));
  }
  return set_guard(f, &f->body->thread->instrs[index]);
}

/* Executes the instruction as threads that run do (execute.c). */
static void apply_slowly(struct follow *f, uint32_t index, enum holds holds) {
  const struct instr *in = &f->body->thread->instrs[index];
  struct terms *terms = f->runner->walk->terms;
  const uint32_t before = terms->list.len;
  const bool free = follow_give(f, index);
  run_begin_instr(f->runner, index);
  run_execute(f->runner, in);
  for (uint32_t i = 0; i < MAX_VECTOR; i++) {
    if (in->dst[i] == NO_REG) continue;
    const struct reg_state *state = &f->runner->path.regs[in->dst[i]];
    const struct term *term = term_get(terms, state->value);
    const value_t bits = extended(term->constant, term->width, state->is_signed);
    follow_put(f, in->dst[i], holds, free && term->op == TERM_CONST ? &bits : NULL, NULL);
  }
  body_forget_terms(&f->run->body, before);
}

/* The results are unknown: the known values that they are computed from count. */
void follow_unknown(struct follow *f, uint32_t index, enum holds holds) {
  const struct instr *in = &f->body->thread->instrs[index];
  const struct follow_formula *formula = &f->formulas[index];
  const struct region *region = NULL;
  bool several = false;
  if (!formula->gives) return;
  EACH_OPERAND (reg, f, formula) {
    const struct follow_reg *k = follow_reg(f, *reg);
    const struct region *to = pointed(f, k);
    if (!k->unknown) follow_mix_value(f, k->bits);
    several = several || (to && region && to != region);
    if (to) region = to;
  }
  bool sums = in->kind == INSTR_ALU && (in->alu == ALU_ADD || in->alu == ALU_MAD_LO || in->alu == ALU_MAD_WIDE ||
                                        in->alu == ALU_MOV || in->alu == ALU_SELP);
  follow_mix(f, (uint64_t)index << 8 | MARK_OPEN); /* where an unknown value comes from */
  EACH_RESULT (reg, f, formula) follow_put(f, *reg, holds, NULL, sums && !several ? region : NULL);
}

static bool is_computed(const struct instr *in) {
  bool own =
      in->alu != ALU_ISSPACEP && in->alu != ALU_IS_CANCELED && in->alu != ALU_FIRST_CTA && in->alu != ALU_ACTIVEMASK;
  for (uint32_t i = 0; i < MAX_VECTOR; i++) own = own && in->src[i].kind != OPERAND_CLOCK;
  return own;
}

/* True of arithmetic that may give an address in another CTA of the cluster. */
static bool may_turn(struct follow *f, const struct instr *in) {
  if (in->alu == ALU_MAPA || in->alu == ALU_CTARANK) return true;
  if ((in->alu != ALU_AND && in->alu != ALU_XOR) || in->type.width != 32 || in->packed) return false;
  const struct operand *b = &in->src[1];
  const value_t bits = b->kind == OPERAND_REG ? follow_reg(f, b->reg)->bits : b->imm;
  return (uint32_t)bits >> 24 == (in->alu == ALU_AND ? 0xfe : 1);
}

void follow_compute(struct follow *f, uint32_t index, enum holds holds) {
  const struct instr *in = &f->body->thread->instrs[index];
  struct follow_formula *formula = &f->formulas[index];
  if (!formula->gives) return;
  bool known = formula->how == FORMULA_TERMS || is_computed(in);
  EACH_OPERAND (reg, f, formula) known = known && !follow_reg(f, *reg)->unknown;
  if (!known) {
    follow_unknown(f, index, holds);
    return;
  }
  if (may_turn(f, in)) {
    apply_slowly(f, index, holds);
    return;
  }
  if (formula->how == FORMULA_NEW) find_formula(f, index, formula);
  if (formula->how == FORMULA_TERMS) apply_formula(f, in, formula, holds);
  else apply_slowly(f, index, holds);
}
