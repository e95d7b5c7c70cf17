/* Arithmetic of threads that are followed before any thread runs, by the terms that threads which run make of it. */
#include "kernel/follow.h"

static const struct region *pointed_by(struct follow *f, value_t bits) {
  const struct region *region = bits >> 64 ? NULL : memory_at(&f->launch->memory, (uint64_t)bits);
  return region && region->space == SPACE_GLOBAL ? region : NULL;
}

/* The location to which a register points in the present lane. */
static const struct region *pointed(struct follow *f, uint32_t reg) {
  const struct follow_reg *k = follow_reg(f, reg);
  return k->unknown ? k->region : pointed_by(f, follow_bits(f, reg));
}

/* Values that were computed although the guard is unknown: the register has one of two values. */
static const struct region *mix_perhaps(struct follow *f, uint32_t reg, const value_t *bits,
                                        const struct region *region) {
  const struct region *old = pointed(f, reg);
  follow_mix(f, MARK_PERHAPS);
  if (!follow_reg(f, reg)->unknown) follow_mix_wide(f, follow_bits(f, reg));
  if (bits) follow_mix_wide(f, *bits), region = pointed_by(f, *bits);
  return region == old ? region : NULL;
}

static value_t value_in(const struct follow_value *value, uint32_t lane) { return value->at[value->varies * lane]; }

/* A value that not all lanes know is unknown in all, and counts in those that know it. */
static void put(struct follow *f, uint32_t reg, enum holds holds, struct follow_value value, uint32_t known,
                const struct region *region) {
  struct follow_reg *k = follow_reg(f, reg);
  const uint32_t first = follow_first_lane(f);
  if (holds == HOLDS && known == f->path.active) {
    *k = (struct follow_reg){.bits = value_in(&value, first), .thread = f->stamp};
    for (uint32_t l = first + 1; l < follow_end_lane(f) && value.varies && !k->varies; l++)
      k->varies = f->path.active >> l & 1 && value.at[l] != k->bits;
    if (k->varies) memcpy(&f->path.lanes[reg * LANES], value.at, LANES * sizeof *value.at);
    return;
  }
  bool mixed = false;
  const struct region *to = region;
  EACH_LANE (f) {
    const bool own = known >> f->lane & 1;
    const value_t bits = own ? value_in(&value, f->lane) : 0;
    if (holds == HOLDS && own) follow_mix(f, MARK_PERHAPS), follow_mix_wide(f, bits), to = NULL;
    if (holds == HOLDS) continue;
    const struct region *next = mix_perhaps(f, reg, own ? &bits : NULL, region);
    if (f->lane == first) to = next;
    mixed = mixed || next != to;
  }
  *k = (struct follow_reg){.thread = f->stamp, .unknown = true, .region = mixed ? NULL : to};
}

void follow_put(struct follow *f, uint32_t reg, enum holds holds, const value_t *bits, uint32_t known, bool same) {
  if (follow_wants(f, reg)) put(f, reg, holds, (struct follow_value){bits, !same}, known, NULL);
}

void follow_put_unknown(struct follow *f, uint32_t reg, enum holds holds, const struct region *region) {
  if (follow_wants(f, reg)) put(f, reg, holds, (struct follow_value){0}, 0, region);
}

static void set_leaf(struct follow *f, uint32_t reg, term_id value) {
  f->runner->path.regs[reg] = (struct reg_state){value, false, f->body->none};
}

/* The guard holds. False: it is also an operand. */
static bool set_guard(struct follow *f, const struct instr *in) {
  if (!in->guard.present) return true;
  bool operand = SOME_BELOW(i, MAX_VECTOR, in->src[i].kind == OPERAND_REG && in->src[i].reg == in->guard.reg);
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

/* The value of a term over those before it, in each lane on this path. */
static void apply_term(struct follow *f, const struct term *terms, uint32_t i) {
  const struct term *t = &terms[i];
  struct follow_value *out = &f->values[i];
  if (t->op == TERM_CONST) {
    *out = (struct follow_value){.at = &t->constant};
    return;
  }
  if (t->op == TERM_READ) {
    const struct follow_reg *k = follow_reg(f, t->event);
    *out = (struct follow_value){k->varies ? &f->path.lanes[t->event * LANES] : &k->bits, k->varies};
    return;
  }
  const struct follow_value a = f->values[t->a], b = f->values[t->b], c = f->values[t->c];
  value_t *to = &f->space[i * LANES];
  *out = (struct follow_value){to, a.varies || b.varies || c.varies};
  const unsigned width = terms[t->a].width;
  if (!out->varies) *to = term_apply(t, *a.at, width, *b.at, *c.at);
  else
    for (uint32_t l = follow_first_lane(f); l < follow_end_lane(f); l++)
      to[l] = term_apply(t, a.at[a.varies * l], width, b.at[b.varies * l], c.at[c.varies * l]);
}

static void apply_formula(struct follow *f, const struct instr *in, const struct follow_formula *formula,
                          enum holds holds) {
  const struct term *terms = f->terms.data + formula->first;
  value_t bits[MAX_VECTOR][LANES];
  bool varies[MAX_VECTOR] = {false};
  for (uint32_t i = 0; i < formula->count; i++) apply_term(f, terms, i);
  for (uint32_t i = 0; i < MAX_VECTOR; i++) {
    if (!follow_wants(f, in->dst[i])) continue;
    const uint32_t term = formula->results[i].term;
    const struct follow_value *value = &f->values[term];
    varies[i] = value->varies;
    for (uint32_t l = varies[i] ? follow_first_lane(f) : 0, end = varies[i] ? follow_end_lane(f) : 1; l < end; l++)
      bits[i][l] = extended(value->at[l], terms[term].width, formula->results[i].is_signed);
  }
  for (uint32_t i = 0; i < MAX_VECTOR; i++) follow_put(f, in->dst[i], holds, bits[i], f->path.active, !varies[i]);
}

/* Gives the runner the values of the registers that an instruction reads. */
bool follow_give(struct follow *f, uint32_t index) {
  struct terms *terms = f->runner->walk->terms;
  EACH_OPERAND (reg, f, &f->formulas[index])
    set_leaf(f, *reg,
             follow_reg(f, *reg)->unknown ? term_leaf(terms, TERM_READ, UNNEEDED, 128)
                                          : term_const(terms, follow_bits(f, *reg), 128));
  return set_guard(f, &f->body->thread->instrs[index]);
}

/* Executes the instruction in each lane as threads that run do (execute.c). */
static void apply_slowly(struct follow *f, uint32_t index, enum holds holds) {
  const struct instr *in = &f->body->thread->instrs[index];
  struct terms *terms = f->runner->walk->terms;
  const uint32_t before = terms->list.len;
  value_t bits[MAX_VECTOR][LANES];
  uint32_t known[MAX_VECTOR] = {0};
  EACH_LANE (f) {
    const bool free = follow_give(f, index);
    run_begin_instr(f->runner, index);
    run_execute(f->runner, in);
    for (uint32_t i = 0; i < MAX_VECTOR; i++) {
      if (in->dst[i] == NO_REG) continue;
      const struct reg_state *state = &f->runner->path.regs[in->dst[i]];
      const struct term *term = term_get(terms, state->value);
      bits[i][f->lane] = extended(term->constant, term->width, state->is_signed);
      known[i] |= (uint32_t)(free && term->op == TERM_CONST) << f->lane;
    }
    body_forget_terms(&f->run->body, before);
  }
  for (uint32_t i = 0; i < MAX_VECTOR; i++) follow_put(f, in->dst[i], holds, bits[i], known[i], false);
}

/* Mixes the known values from which unknown ones are computed. Returns the only location to which one of them points;
 * NULL: there is none, or there are several. */
static const struct region *mix_operands(struct follow *f, uint32_t index) {
  const struct region *region = NULL;
  bool several = false;
  EACH_OPERAND (reg, f, &f->formulas[index]) {
    const struct region *to = pointed(f, *reg);
    if (!follow_reg(f, *reg)->unknown) follow_mix_value(f, follow_bits(f, *reg));
    several = several || (to && region && to != region);
    if (to) region = to;
  }
  follow_mix(f, (uint64_t)index << 8 | MARK_OPEN); /* where an unknown value comes from */
  return several ? NULL : region;
}

/* The results are unknown: the known values that they are computed from count. */
void follow_unknown(struct follow *f, uint32_t index, enum holds holds) {
  const struct instr *in = &f->body->thread->instrs[index];
  const struct follow_formula *formula = &f->formulas[index];
  const struct region *region = NULL;
  bool sums = in->kind == INSTR_ALU && (in->alu == ALU_ADD || in->alu == ALU_MAD_LO || in->alu == ALU_MAD_WIDE ||
                                        in->alu == ALU_MOV || in->alu == ALU_SELP);
  if (!formula->gives) return;
  EACH_LANE (f) {
    const struct region *own = mix_operands(f, index);
    if (f->lane == follow_first_lane(f)) region = own;
    sums = sums && own == region;
  }
  EACH_RESULT (reg, f, formula) follow_put_unknown(f, *reg, holds, sums ? region : NULL);
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
  const struct follow_reg *k = b->kind == OPERAND_REG ? follow_reg(f, b->reg) : NULL;
  const value_t bits = k ? k->bits : b->imm;
  return (k && k->varies) || (uint32_t)bits >> 24 == (in->alu == ALU_AND ? 0xfe : 1);
}

void follow_compute(struct follow *f, uint32_t index, enum holds holds) {
  const struct instr *in = &f->body->thread->instrs[index];
  struct follow_formula *formula = &f->formulas[index];
  if (!formula->gives) return;
  bool known = (formula->how == FORMULA_TERMS || is_computed(in)) &&
               EVERY(EACH_OPERAND (reg, f, formula), !follow_reg(f, *reg)->unknown);
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
