/* From instructions to events: each thread is walked once with symbolic values in its registers. */
#include "exec/build.h"

/* What a register holds: a value, how it is extended when read at a larger width, and the reads it came from. */
struct reg_state {
  term_id value;
  bool is_signed;
  struct bitset reads;
};

struct walk {
  struct skeleton *s;
  struct terms *terms;
  struct dependencies *dependencies;
  const struct instr *instr; /* being walked */
  struct event base;         /* what all events of this instruction share */
  struct reg_state *regs;
  uint32_t limit; /* bound on event numbers, for the sets of reads */
};

static term_id read_reg(struct walk *w, uint32_t reg, unsigned width) {
  return term_resize(w->terms, w->regs[reg].value, width, w->regs[reg].is_signed);
}

static term_id operand_value(struct walk *w, const struct operand *operand, unsigned width) {
  if (operand->kind == OPERAND_REG) return read_reg(w, operand->reg, width);
  return term_const(w->terms, operand->kind == OPERAND_IMM ? operand->imm : 0, width);
}

static void add_reads(struct walk *w, struct bitset reads, const struct operand *operand) {
  if (operand->kind == OPERAND_REG) bitset_or(reads, w->regs[operand->reg].reads);
}

static void write_reg(struct walk *w, uint32_t reg, term_id value, bool is_signed, struct bitset reads) {
  if (reg != NO_REG) w->regs[reg] = (struct reg_state){value, is_signed, reads};
}

/* a op b at the width of the instruction's type; `c` where the operator has a third operand. */
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

/* The arithmetic of PTX in terms. For atomics a is the old value. */
static term_id alu(struct terms *t, const struct instr *in, term_id a, term_id b, term_id c) {
  unsigned width = in->type.width;
  bool is_signed = in->type.kind == TYPE_SIGNED;
  switch (in->alu) {
    case ALU_MOV: return a;
    case ALU_ADD: return term_binary(t, TERM_ADD, a, b);
    case ALU_SUB: return term_binary(t, TERM_SUB, a, b);
    case ALU_MUL_LO: return term_binary(t, TERM_MUL, a, b);
    case ALU_MUL_HI: return multiply_high(t, width, is_signed, a, b);
    case ALU_MUL_WIDE: return multiply_wide(t, width, is_signed, a, b);
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
    case ALU_POPC: return term_popc(t, a);
    case ALU_INC: return increment(t, width, a, b);
    case ALU_DEC: return decrement(t, width, a, b);
    case ALU_EXCH: return b;
    case ALU_CAS: return c;
  }
  BUG("arithmetic %d", (int)in->alu);
}

static void walk_alu(struct walk *w) {
  const struct instr *in = w->instr;
  unsigned width = in->type.width;
  bool shifts = in->alu == ALU_SHL || in->alu == ALU_SHR;
  term_id a = operand_value(w, &in->src[0], width);
  term_id b = operand_value(w, &in->src[1], shifts ? 32 : width);
  term_id c = operand_value(w, &in->src[2], in->alu == ALU_SELP ? 1 : width);
  struct bitset reads = bitset_new(w->s->arena, w->limit);
  for (unsigned i = 0; i < 3; i++) add_reads(w, reads, &in->src[i]);
  write_reg(w, in->dst[0], alu(w->terms, in, a, b, c), in->type.kind == TYPE_SIGNED, reads);
}

static void depend(struct walk *w, enum cat_builtin kind, struct bitset reads, uint32_t to) {
  for (uint32_t from = bitset_next(reads, 0); from < reads.n; from = bitset_next(reads, from + 1))
    VEC_PUSH(w->s->arena, &w->dependencies->list, (struct dependency){kind, from, to});
}

static uint32_t add_event(struct walk *w, struct event event) {
  uint32_t number = w->s->events.len;
  VEC_PUSH(w->s->arena, &w->s->events, event);
  const struct operand *base = &w->instr->addr.base;
  bool is_memory = event_is_memory(&event);
  if (is_memory && base->kind == OPERAND_REG) depend(w, CAT_REL_ADDR, w->regs[base->reg].reads, number);
  return number;
}

static term_id element_address(struct walk *w, uint32_t element) {
  const struct instr *in = w->instr;
  term_id base = operand_value(w, &in->addr.base, 64);
  value_t offset = (value_t)in->addr.offset + element * type_bytes(in->type);
  return term_binary(w->terms, TERM_ADD, base, term_const(w->terms, offset, 64));
}

static struct event memory_event(struct walk *w, enum event_kind kind, uint32_t element) {
  struct event event = w->base;
  event.kind = kind;
  event.element = element;
  event.size = type_bytes(w->instr->type);
  event.address = element_address(w, element);
  return event;
}

static uint32_t add_read(struct walk *w, struct event event) {
  event.value = term_read(w->terms, w->s->events.len, 8 * event.size);
  return add_event(w, event);
}

static struct bitset just(struct walk *w, uint32_t event) {
  struct bitset reads = bitset_new(w->s->arena, w->limit);
  bitset_add(reads, event);
  return reads;
}

static void walk_load(struct walk *w) {
  const struct instr *in = w->instr;
  uint32_t numbers[MAX_VECTOR];
  for (uint32_t i = 0; i < in->elements; i++) numbers[i] = add_read(w, memory_event(w, EVENT_READ, i));
  /* Registers are written after all addresses were taken: `ld.v2 {r1,r2}, [r1]`. */
  for (uint32_t i = 0; i < in->elements; i++)
    write_reg(w, in->dst[i], w->s->events.data[numbers[i]].value, in->type.kind == TYPE_SIGNED, just(w, numbers[i]));
}

static void walk_store(struct walk *w) {
  const struct instr *in = w->instr;
  for (uint32_t i = 0; i < in->elements; i++) {
    struct event event = memory_event(w, EVENT_WRITE, i);
    event.value = operand_value(w, &in->src[i], 8 * event.size);
    uint32_t number = add_event(w, event);
    if (in->src[i].kind == OPERAND_REG) depend(w, CAT_REL_DATA, w->regs[in->src[i].reg].reads, number);
  }
}

/* The read of an atomic acquires where the instruction does; its write releases (P6). */
static enum sem read_part(enum sem sem) {
  return sem == SEM_ACQUIRE || sem == SEM_ACQ_REL ? SEM_ACQUIRE : SEM_RELAXED;
}

static enum sem write_part(enum sem sem) {
  return sem == SEM_RELEASE || sem == SEM_ACQ_REL ? SEM_RELEASE : SEM_RELAXED;
}

/* One element of atom or red. Returns the number of its read. */
static uint32_t walk_atomic_element(struct walk *w, uint32_t element) {
  const struct instr *in = w->instr;
  bool cas = in->alu == ALU_CAS;
  const struct operand *first = &in->src[in->elements > 1 ? element : 0], *second = &in->src[1];
  struct event read = memory_event(w, EVENT_READ, element);
  read.sem = read_part(in->sem);
  read.is_rmw = true;
  read.partner = w->s->events.len + 1;
  uint32_t number = add_read(w, read);
  unsigned width = 8 * read.size;
  struct event write = memory_event(w, EVENT_WRITE, element);
  term_id old = w->s->events.data[number].value, b = operand_value(w, first, width);
  write.sem = write_part(in->sem);
  write.is_rmw = true;
  write.partner = number;
  write.value = alu(w->terms, in, old, b, cas ? operand_value(w, second, width) : b);
  if (cas) write.exec = term_binary(w->terms, TERM_EQ, old, b); /* a failed cas is not a write (G22) */
  uint32_t written = add_event(w, write);
  struct bitset reads = bitset_new(w->s->arena, w->limit);
  add_reads(w, reads, first);
  if (cas) add_reads(w, reads, second);
  if (in->alu != ALU_EXCH) bitset_add(reads, number);
  depend(w, CAT_REL_DATA, reads, written);
  return number;
}

static void walk_atomic(struct walk *w) {
  const struct instr *in = w->instr;
  uint32_t numbers[MAX_VECTOR];
  for (uint32_t i = 0; i < in->elements; i++) numbers[i] = walk_atomic_element(w, i);
  for (uint32_t i = 0; i < in->elements && in->kind == INSTR_ATOM; i++)
    write_reg(w, in->dst[i], w->s->events.data[numbers[i]].value, in->type.kind == TYPE_SIGNED, just(w, numbers[i]));
}

static void walk_instr(struct walk *w, uint32_t thread, uint32_t index) {
  const struct instr *in = w->instr = &w->s->program->threads[thread].instrs[index];
  w->base = (struct event){.thread = thread, .instr = index, .sem = in->sem, .scope = in->scope, .proxy = in->proxy,
                           .is_red = in->kind == INSTR_RED, .is_volatile = in->is_volatile, .is_mmio = in->is_mmio,
                           .exec = TERM_TRUE};
  switch (in->kind) {
    case INSTR_ALU: walk_alu(w); return;
    case INSTR_LOAD: walk_load(w); return;
    case INSTR_STORE: walk_store(w); return;
    case INSTR_ATOM:
    case INSTR_RED: walk_atomic(w); return;
    case INSTR_FENCE:
    case INSTR_PROXY_FENCE:
      w->base.kind = in->kind == INSTR_FENCE ? EVENT_FENCE : EVENT_PROXY_FENCE;
      if (in->kind == INSTR_PROXY_FENCE) w->base.sem = SEM_WEAK, w->base.scope = SCOPE_NONE;
      add_event(w, w->base);
      return;
    case INSTR_UNSUPPORTED: break;
  }
  BUG("an instruction of kind %d reached the walk", (int)in->kind);
}

static void walk_thread(struct walk *w, uint32_t index) {
  const struct thread *thread = &w->s->program->threads[index];
  w->regs = ARENA_ARRAY(w->s->arena, struct reg_state, thread->reg_count);
  struct bitset none = bitset_new(w->s->arena, w->limit);
  for (uint32_t r = 0; r < thread->reg_count; r++) {
    const struct reg *reg = &thread->regs[r];
    unsigned width = reg->type.width < 64 ? 64 : reg->type.width; /* an address fits whatever the last writer's type */
    w->regs[r] = (struct reg_state){term_const(w->terms, reg->init, width), false, none};
  }
  for (uint32_t i = 0; i < thread->instr_count; i++) walk_instr(w, index, i);
}

/* Final values of registers, while the thread's registers are at hand. */
static void finish_thread(struct walk *w, uint32_t index) {
  const struct program *program = w->s->program;
  for (uint32_t i = 0; i < program->observed_count; i++) {
    const struct observable *o = &program->observables[i];
    if (o->is_reg && o->thread == index)
      w->s->finals[i] = (struct final){.is_term = true, .value = read_reg(w, o->reg, o->type.width)};
  }
}

static uint32_t count_events(const struct program *program) {
  uint64_t count = 0;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *in = &program->threads[t].instrs[i];
      bool atomic = in->kind == INSTR_ATOM || in->kind == INSTR_RED, memory = in->kind == INSTR_LOAD || in->kind == INSTR_STORE;
      count += atomic ? 2u * in->elements : memory ? in->elements : in->kind != INSTR_ALU;
    }
  return count > UINT32_MAX ? UINT32_MAX : (uint32_t)count;
}

static bool refuse(struct skeleton *s) {
  const struct program *program = s->program;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *in = &program->threads[t].instrs[i];
      if (in->kind != INSTR_UNSUPPORTED && !in->unsupported) continue;
      s->refusal = in->unsupported ? in->unsupported : "an instruction that is not modelled";
      s->refusal_place = in->span;
      return true;
    }
  uint32_t count = count_events(program);
  if (count <= SKELETON_MAX_EVENTS) return false;
  s->refusal = arena_printf(s->arena, "the test has %u events; the limit is %d", count, SKELETON_MAX_EVENTS);
  s->refusal_place = program->span;
  return true;
}

void skeleton_walk(struct skeleton *s, struct dependencies *dependencies) {
  if (refuse(s)) return;
  struct walk w = {.s = s, .terms = &s->terms, .dependencies = dependencies, .limit = count_events(s->program)};
  s->finals = ARENA_ARRAY(s->arena, struct final, s->program->observed_count);
  for (uint32_t t = 0; t < s->program->thread_count; t++) {
    walk_thread(&w, t);
    finish_thread(&w, t);
  }
}
