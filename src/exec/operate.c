/* From an instruction to events and register values, on the path being walked. */
#include "exec/walk.h"

term_id walk_read_reg(struct walk *w, uint32_t reg, unsigned width) {
  const struct reg_state *state = &w->path->regs[reg];
  return term_resize(w->terms, state->value, width, state->is_signed);
}

static term_id operand_value(struct walk *w, const struct operand *operand, unsigned width) {
  if (operand->kind == OPERAND_REG) return walk_read_reg(w, operand->reg, width);
  return term_const(w->terms, operand->kind == OPERAND_IMM ? operand->imm : 0, width);
}

static void add_reads(struct walk *w, struct bitset reads, const struct operand *operand) {
  if (operand->kind == OPERAND_REG) bitset_or(reads, w->path->regs[operand->reg].reads);
}

static struct bitset no_reads(struct walk *w) { return bitset_new(w->s->arena, w->limit); }

static struct bitset just(struct walk *w, uint32_t event) {
  struct bitset reads = no_reads(w);
  bitset_add(reads, event);
  return reads;
}

/* Under a guard the old value stays where the guard does not hold, and the new one depends on the guard too. */
static void write_reg(struct walk *w, uint32_t reg, term_id value, bool is_signed, struct bitset reads) {
  if (reg == NO_REG) return;
  struct reg_state *state = &w->path->regs[reg];
  if (w->predicate != TERM_TRUE) {
    unsigned now = term_get(w->terms, value)->width, before = term_get(w->terms, state->value)->width;
    unsigned width = now > before ? now : before;
    value = term_ite(w->terms, w->predicate, term_resize(w->terms, value, width, is_signed),
                     term_resize(w->terms, state->value, width, state->is_signed));
    bitset_or(reads, state->reads);
    bitset_or(reads, w->guard_reads);
  }
  *state = (struct reg_state){value, is_signed, reads};
}

static void walk_alu(struct walk *w) {
  const struct instr *in = w->instr;
  unsigned width = in->type.width;
  bool shifts = in->alu == ALU_SHL || in->alu == ALU_SHR;
  term_id a = operand_value(w, &in->src[0], width);
  term_id b = operand_value(w, &in->src[1], shifts ? 32 : width);
  term_id c = operand_value(w, &in->src[2], in->alu == ALU_SELP ? 1 : width);
  struct bitset reads = no_reads(w);
  for (unsigned i = 0; i < 3; i++) add_reads(w, reads, &in->src[i]);
  write_reg(w, in->dst[0], walk_arithmetic(w->terms, in, a, b, c), in->type.kind == TYPE_SIGNED, reads);
}

static void depend(struct walk *w, enum cat_builtin kind, struct bitset reads, uint32_t to) {
  for (uint32_t from = bitset_next(reads, 0); from < reads.n; from = bitset_next(reads, from + 1))
    VEC_PUSH(w->s->arena, &w->dependencies->list, (struct dependency){kind, from, to});
}

static uint32_t add_event(struct walk *w, struct event event) {
  uint32_t number = w->s->events.len;
  VEC_PUSH(w->s->arena, &w->s->events, event);
  const struct operand *base = &w->instr->addr.base;
  if (event_is_memory(&event) && base->kind == OPERAND_REG)
    depend(w, CAT_REL_ADDR, w->path->regs[base->reg].reads, number);
  depend(w, CAT_REL_CTRL, w->path->control, number);
  depend(w, CAT_REL_CTRL, w->guard_reads, number);
  return number;
}

static term_id element_address(struct walk *w, uint32_t element) {
  const struct instr *in = w->instr;
  if (in->kind == INSTR_MULTIMEM) return term_const(w->terms, in->multimem->vaddrs[element], 64);
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
  event.value = term_leaf(w->terms, TERM_READ, w->s->events.len, 8 * event.size);
  return add_event(w, event);
}

static term_id value_of(const struct walk *w, uint32_t event) { return w->s->events.data[event].value; }

/* Registers are written after all addresses were taken: `ld.v2 {r1,r2}, [r1]`. */
static void write_elements(struct walk *w, const uint32_t *events) {
  for (uint32_t i = 0; i < w->instr->elements; i++)
    write_reg(w, w->instr->dst[i], value_of(w, events[i]), w->instr->type.kind == TYPE_SIGNED, just(w, events[i]));
}

static void walk_load(struct walk *w) {
  uint32_t numbers[MAX_VECTOR];
  for (uint32_t i = 0; i < w->instr->elements; i++) numbers[i] = add_read(w, memory_event(w, EVENT_READ, i));
  write_elements(w, numbers);
}

static void add_write(struct walk *w, uint32_t element, const struct operand *value) {
  struct event event = memory_event(w, EVENT_WRITE, element);
  event.value = operand_value(w, value, 8 * event.size);
  uint32_t number = add_event(w, event);
  if (value->kind == OPERAND_REG) depend(w, CAT_REL_DATA, w->path->regs[value->reg].reads, number);
}

static void walk_store(struct walk *w) {
  for (uint32_t i = 0; i < w->instr->elements; i++) add_write(w, i, &w->instr->src[i]);
}

/* The read of an atomic acquires where the instruction does; its write releases (P6). */
static enum sem read_part(enum sem sem) { return sem == SEM_ACQUIRE || sem == SEM_ACQ_REL ? SEM_ACQUIRE : SEM_RELAXED; }

static enum sem write_part(enum sem sem) {
  return sem == SEM_RELEASE || sem == SEM_ACQ_REL ? SEM_RELEASE : SEM_RELAXED;
}

/* One element of atom or red; `first` and `second` are the operands b and c. Returns the number of its read. */
static uint32_t add_atomic(struct walk *w, uint32_t element, const struct operand *first,
                           const struct operand *second) {
  const struct instr *in = w->instr;
  bool cas = in->alu == ALU_CAS;
  struct event read = memory_event(w, EVENT_READ, element);
  read.sem = read_part(in->sem);
  read.is_rmw = true;
  read.partner = w->s->events.len + 1;
  uint32_t number = add_read(w, read);
  unsigned width = 8 * read.size;
  struct event write = memory_event(w, EVENT_WRITE, element);
  term_id old = value_of(w, number), b = operand_value(w, first, width);
  write.sem = write_part(in->sem);
  write.is_rmw = true;
  write.partner = number;
  write.value = walk_arithmetic(w->terms, in, old, b, cas ? operand_value(w, second, width) : b);
  if (cas) /* a failed cas is not a write (G22) */
    write.exec = term_binary(w->terms, TERM_AND, write.exec, term_binary(w->terms, TERM_EQ, old, b));
  uint32_t written = add_event(w, write);
  struct bitset reads = no_reads(w);
  add_reads(w, reads, first);
  if (cas) add_reads(w, reads, second);
  if (in->alu != ALU_EXCH) bitset_add(reads, number);
  depend(w, CAT_REL_DATA, reads, written);
  return number;
}

static void walk_atomic(struct walk *w) {
  const struct instr *in = w->instr;
  uint32_t numbers[MAX_VECTOR];
  for (uint32_t i = 0; i < in->elements; i++)
    numbers[i] = add_atomic(w, i, &in->src[in->elements > 1 ? i : 0], &in->src[1]);
  if (in->kind == INSTR_ATOM) write_elements(w, numbers);
}

/* One independent access to each replica, in no order among them (P9); a load folds what they return. */
static void walk_multimem(struct walk *w) {
  const struct instr *in = w->instr;
  term_id sum = TERM_FALSE;
  struct bitset reads = no_reads(w);
  for (uint32_t i = 0; i < in->multimem->count; i++) {
    if (in->multimem->action == MULTIMEM_STORE) {
      add_write(w, i, &in->src[0]);
    } else if (in->multimem->action == MULTIMEM_RED) {
      add_atomic(w, i, &in->src[0], &in->src[1]);
    } else {
      uint32_t number = add_read(w, memory_event(w, EVENT_READ, i));
      bitset_add(reads, number);
      sum = i == 0 ? value_of(w, number) : walk_arithmetic(w->terms, in, sum, value_of(w, number), sum);
    }
  }
  if (in->multimem->action == MULTIMEM_LOAD_REDUCE) write_reg(w, in->dst[0], sum, in->type.kind == TYPE_SIGNED, reads);
}

static uint32_t add_arrival(struct walk *w, const struct barrier *barrier) {
  struct event arrive = w->base;
  struct bitset reads = no_reads(w);
  arrive.kind = EVENT_ARRIVE;
  arrive.barrier_id = operand_value(w, &barrier->id, 32);
  arrive.barrier_count = operand_value(w, &barrier->count, 32);
  term_id predicate = operand_value(w, &barrier->predicate, 1);
  arrive.value = barrier->negated ? term_not(w->terms, predicate) : predicate;
  arrive.partner = NO_PARTNER;
  uint32_t number = add_event(w, arrive);
  if (barrier->action != BARRIER_RED) return number;
  add_reads(w, reads, &barrier->predicate);
  depend(w, CAT_REL_DATA, reads, number);
  return number;
}

/* In a skeleton of complete executions every wait is let through; else what follows depends on it. */
static void add_wait(struct walk *w, uint32_t arrival) {
  struct event wait = w->base;
  wait.kind = EVENT_WAIT;
  wait.partner = arrival;
  uint32_t number = w->s->events.len;
  if (w->s->precise) {
    term_id pass = term_leaf(w->terms, TERM_PASS, number, 1);
    term_id waits = wait.exec;
    wait.exec = term_binary(w->terms, TERM_AND, waits, pass);
    term_id blocked = term_binary(w->terms, TERM_AND, waits, term_not(w->terms, pass));
    VEC_PUSH(w->s->arena, &w->s->ends,
             (struct ending){ENDING_BLOCKED, blocked, number, w->base.thread, 0, 0, w->instr->span});
    w->path->guard = term_binary(w->terms, TERM_AND, w->path->guard, term_not(w->terms, blocked));
  }
  add_event(w, wait);
  w->s->events.data[arrival].partner = number;
  const struct barrier *barrier = w->instr->barrier;
  if (barrier->action != BARRIER_RED) return;
  unsigned width = barrier->reduction == REDUCE_POPC ? 32 : 1;
  write_reg(w, w->instr->dst[0], term_leaf(w->terms, TERM_REDUCE, number, width), false, just(w, number));
}

static void walk_barrier(struct walk *w) {
  const struct barrier *barrier = w->instr->barrier;
  uint32_t arrival = w->path->cluster_arrival;
  if (barrier->action != BARRIER_WAIT) arrival = add_arrival(w, barrier);
  if (barrier->kind == BARRIER_CLUSTER) w->path->cluster_arrival = arrival;
  if (barrier->action == BARRIER_ARRIVE) return;
  if (barrier->kind == BARRIER_CLUSTER) w->path->cluster_arrival = NO_PARTNER; /* used up */
  if (arrival == AMBIGUOUS_PARTNER) {
    walk_refuse(w, "a wait whose arrival differs from path to path", w->instr->span);
    return;
  }
  if (arrival == NO_PARTNER) {
    struct hazard hazard = {w->base.exec, "barrier.cluster.wait without an arrive since the last one", w->instr->span};
    VEC_PUSH(w->s->arena, &w->s->hazards, hazard);
    return;
  }
  add_wait(w, arrival);
}

void walk_operate(struct walk *w) {
  switch (w->instr->kind) {
    case INSTR_ALU: walk_alu(w); return;
    case INSTR_LOAD: walk_load(w); return;
    case INSTR_STORE: walk_store(w); return;
    case INSTR_ATOM:
    case INSTR_RED: walk_atomic(w); return;
    case INSTR_FENCE:
      w->base.kind = EVENT_FENCE;
      add_event(w, w->base);
      return;
    case INSTR_PROXY_FENCE:
      w->base.kind = EVENT_PROXY_FENCE;
      w->base.sem = SEM_WEAK;
      w->base.scope = SCOPE_NONE;
      add_event(w, w->base);
      return;
    case INSTR_MULTIMEM: walk_multimem(w); return;
    case INSTR_BARRIER: walk_barrier(w); return;
    case INSTR_BRANCH:
    case INSTR_EXIT:
    case INSTR_UNSUPPORTED: break;
  }
  BUG("an instruction of kind %d reached the walk", (int)w->instr->kind);
}
