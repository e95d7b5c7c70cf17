/* Turns an instruction into events and register values, on the path being walked. */
#include "exec/walk.h"

#include "ptx/isa.h"

term_id walk_read_reg(struct walk *w, uint32_t reg, unsigned width) {
  const struct reg_state *state = &w->path->regs[reg];
  walk_use_result(w, state->reads, w->path->guard);
  walk_access(w, reg, w->path->guard);
  return term_resize(w->terms, state->value, width, state->is_signed);
}

term_id walk_operand(struct walk *w, const struct operand *operand, unsigned width) {
  if (operand->kind == OPERAND_REG) return walk_read_reg(w, operand->reg, width);
  if (operand->kind == OPERAND_CLOCK) return walk_free(w, width, NULL);
  return term_const(w->terms, operand->kind == OPERAND_IMM ? operand->imm : 0, width);
}

void walk_add_reads(struct walk *w, struct bitset reads, const struct operand *operand) {
  if (operand->kind == OPERAND_REG) bitset_or(reads, w->path->regs[operand->reg].reads);
}

void walk_limit(struct walk *w, uint32_t limit, struct arena *arena) {
  w->limit = limit;
  w->sets = arena;
  w->none = walk_no_reads(w);
}

struct bitset walk_no_reads(struct walk *w) {
  return bitset_new(w->sets, w->limit);
}

static struct bitset just(struct walk *w, uint32_t event) {
  struct bitset reads = walk_no_reads(w);
  bitset_add(reads, event);
  return reads;
}

/* Under a guard, the register keeps its old value if the guard is false, and the new value also depends on the
 * guard. */
void walk_write_reg(struct walk *w, uint32_t reg, term_id value, bool is_signed, struct bitset reads) {
  if (reg == NO_REG) return;
  struct reg_state *state = &w->path->regs[reg];
  if (w->instr->kind != INSTR_ASYNC) walk_use_result(w, state->reads, w->base.exec), walk_access(w, reg, w->base.exec);
  struct reg_state written = {value, is_signed, reads};
  if (w->predicate == TERM_TRUE) {
    *state = written;
    return;
  }
  *state = walk_choose(w, w->predicate, &written, state);
  bitset_or(state->reads, w->guard_reads);
}

/* half: a half of a packed value. join: two halves as one value. */
static term_id half(struct walk *w, term_id value, uint32_t which, unsigned width) {
  term_id distance = term_const(w->terms, which * width, 32);
  return term_resize(w->terms, term_binary(w->terms, TERM_SHR, value, distance), width, false);
}

static term_id join(struct walk *w, term_id low, term_id high) {
  unsigned width = term_get(w->terms, low)->width;
  term_id distance = term_const(w->terms, width, 32), wide = term_resize(w->terms, high, 2 * width, false);
  term_id raised = term_binary(w->terms, TERM_SHL, wide, distance);
  return term_or(w->terms, raised, term_resize(w->terms, low, 2 * width, false));
}

static void walk_packed_alu(struct walk *w) {
  const struct instr *in = w->instr;
  unsigned width = in->type.width;
  struct bitset reads = walk_no_reads(w);
  term_id operands[2], results[2];
  for (unsigned i = 0; i < 2; i++) {
    operands[i] = walk_operand(w, &in->src[i], 2 * width);
    walk_add_reads(w, reads, &in->src[i]);
  }
  for (uint32_t i = 0; i < 2; i++) {
    term_id a = half(w, operands[0], i, width), b = half(w, operands[1], i, width);
    results[i] = walk_arithmetic(w, (term_id[ALU_OPERANDS]){a, b, b, b});
  }
  walk_write_reg(w, in->dst[0], join(w, results[0], results[1]), false, reads);
}

static void walk_alu(struct walk *w) {
  const struct instr *in = w->instr;
  unsigned width = in->type.width;
  const struct reason *why = walk_float_of_free(w);
  if (why) {
    walk_free_results(w, why);
    return;
  }
  if (in->packed) {
    walk_packed_alu(w);
    return;
  }
  const struct alu_row *shape = alu_row(in->alu);
  struct bitset reads = walk_no_reads(w);
  term_id operands[ALU_OPERANDS];
  for (unsigned i = 0, last = (unsigned)strlen(shape->operands); i < ALU_OPERANDS; i++) {
    unsigned bits = i < last ? alu_letter_width(in, shape->operands[i]) : width;
    operands[i] = walk_operand(w, &in->src[i], bits);
    walk_add_reads(w, reads, &in->src[i]);
  }
  bool is_signed = in->type.kind == TYPE_SIGNED && shape->result != 'p' && shape->result != 'u';
  walk_write_reg(w, in->dst[0], walk_open_free(w, walk_arithmetic(w, operands)), is_signed, reads);
}

void walk_depend(struct walk *w, enum cat_builtin kind, struct bitset reads, uint32_t to) {
  EACH (from, reads) VEC_PUSH(w->s->arena, w->dependencies, (struct dependency){kind, from, to});
}

void walk_depend_on(struct walk *w, enum cat_builtin kind, const struct operand *operand, uint32_t to) {
  if (operand->kind == OPERAND_REG) walk_depend(w, kind, w->path->regs[operand->reg].reads, to);
}

uint32_t walk_add_event(struct walk *w, struct event event) {
  uint32_t number = w->s->events.len;
  VEC_PUSH(w->s->arena, &w->s->events, event);
  if (event_is_memory(&event)) walk_depend_on(w, CAT_REL_ADDR, &w->instr->addr.base, number);
  walk_depend(w, CAT_REL_CTRL, w->path->control, number);
  walk_depend(w, CAT_REL_CTRL, w->guard_reads, number);
  return number;
}

bool walk_hazard(struct walk *w, term_id when, enum reason_id why) {
  return skeleton_event_hazard(w->s, when, why, &w->base);
}

term_id walk_address(struct walk *w, const struct address *address, uint32_t more) {
  term_id base = walk_operand(w, &address->base, 64);
  return term_binary(w->terms, TERM_ADD, base, term_const(w->terms, (value_t)address->offset + more, 64));
}

/* Elements of a multimem access are counted replica by replica. */
static term_id element_address(struct walk *w, uint32_t element) {
  const struct instr *in = w->instr;
  uint32_t size = type_bytes(in->type);
  if (in->kind == INSTR_MULTIMEM)
    return term_const(w->terms, in->multimem->vaddrs[element / in->elements] + element % in->elements * size, 64);
  return walk_address(w, &in->addr, element * size);
}

static struct event memory_event(struct walk *w, enum event_kind kind, uint32_t element) {
  struct event event = w->base;
  event.kind = kind;
  event.element = element;
  event.size = type_bytes(w->instr->type);
  event.is_torn = event.sem == SEM_WEAK && shape_reads(&w->s->options.shape, READING_TEARS);
  event.address = element_address(w, element);
  return event;
}

static uint32_t add_read(struct walk *w, struct event event) {
  event.value = term_leaf(w->terms, TERM_READ, w->s->events.len, 8 * event.size);
  return walk_add_event(w, event);
}

static term_id value_of(const struct walk *w, uint32_t event) { return skeleton_event(w->s, event)->value; }

/* The value that an element of a load or an atomic returns, and the reads from which it comes. */
struct returned {
  term_id value;
  struct bitset reads;
};

static struct returned returned_by(struct walk *w, uint32_t event) {
  const struct instr *in = w->instr;
  bool any = in->opaque && !w->s->options.shape.late;
  term_id value = any ? walk_free(w, 8 * type_bytes(in->type), in->opaque) : value_of(w, event);
  return (struct returned){value, just(w, event)};
}

/* True if nothing depends on the values that the instruction reads and writes (struct further). */
static bool is_idle(const struct walk *w) {
  const struct relevant *matters = w->s->options.further ? w->s->options.further->matters : NULL;
  return matters && !relevant_instr(matters, w->base.thread, w->base.instr);
}

/* The value of a read without an event (struct further): any of its set. */
static struct returned returned_anything(struct walk *w, uint32_t element) {
  uint32_t size = type_bytes(w->instr->type);
  if (is_idle(w)) return (struct returned){term_const(w->terms, 0, 8 * size), walk_no_reads(w)};
  if (w->instr->opaque) return (struct returned){walk_free(w, 8 * size, w->instr->opaque), walk_no_reads(w)};
  const struct value_set *set = &w->s->options.further->reads[w->base.thread][w->base.instr * MAX_VECTOR + element];
  struct returned any = {term_const(w->terms, set->count ? set->values[0] : 0, 8 * size), walk_no_reads(w)};
  if (set->top) walk_refuse(w, REASON_BOUND, w->instr->span);
  for (uint32_t i = 1; i < set->count && !set->top; i++) {
    term_id other = term_const(w->terms, set->values[i], 8 * size);
    term_id open = term_leaf(w->terms, TERM_GO, w->s->go_threads.len, 1);
    VEC_PUSH(w->s->arena, &w->s->go_threads, NO_THREAD);
    any.value = term_ite(w->terms, open, other, any.value);
  }
  return any;
}

/* Writes the registers after all addresses are computed: `ld.v2 {r1,r2}, [r1]`. */
static void write_elements(struct walk *w, const struct returned *elements) {
  const struct instr *in = w->instr;
  for (uint32_t i = 0; i < in->elements && !in->packed; i++)
    walk_write_reg(w, in->dst[i], elements[i].value, in->type.kind == TYPE_SIGNED, elements[i].reads);
  for (uint32_t i = 0; i < in->elements && in->packed; i += 2) {
    bitset_or(elements[i].reads, elements[i + 1].reads);
    walk_write_reg(w, in->dst[i / 2], join(w, elements[i].value, elements[i + 1].value), false, elements[i].reads);
  }
}

/* The operand of one element of an atomic or multimem store. */
static term_id element_value(struct walk *w, const struct operand *operand, uint32_t element) {
  unsigned width = w->instr->type.width;
  if (!w->instr->packed) return walk_operand(w, operand, 8 * type_bytes(w->instr->type));
  return half(w, walk_operand(w, operand, 2 * width), element % 2, width);
}

static const struct operand *element_operand(const struct walk *w, uint32_t element) {
  element %= w->instr->elements;
  return &w->instr->src[w->instr->packed ? element / 2 : element];
}

/* One element of a load. */
static struct returned load_element(struct walk *w, uint32_t element) {
  struct event read = memory_event(w, EVENT_READ, element);
  if (walk_leaves_out(w)) return (struct returned){term_const(w->terms, 0, 8 * read.size), walk_no_reads(w)};
  return returned_by(w, add_read(w, read));
}

static void walk_load(struct walk *w) {
  struct returned elements[MAX_VECTOR];
  for (uint32_t i = 0; i < w->instr->elements; i++)
    elements[i] = w->between ? returned_anything(w, i) : load_element(w, i);
  write_elements(w, elements);
}

static void add_write(struct walk *w, uint32_t element, const struct operand *value) {
  struct event event = memory_event(w, EVENT_WRITE, element);
  event.value = is_idle(w) ? term_const(w->terms, 0, 8 * event.size) : element_value(w, value, element);
  uint32_t number = walk_add_event(w, event);
  if (!is_idle(w)) walk_depend_on(w, CAT_REL_DATA, value, number);
}

static void walk_store(struct walk *w) {
  for (uint32_t i = 0; i < w->instr->elements && !walk_leaves_out(w); i++) add_write(w, i, &w->instr->src[i]);
}

/* The read of an atomic acquires if the instruction does; its write releases (P6). For seq_cst of C++, both are
 * seq_cst. */
static enum sem read_part(enum sem sem) {
  if (sem == SEM_SC) return SEM_SC;
  return sem == SEM_ACQUIRE || sem == SEM_ACQ_REL ? SEM_ACQUIRE : SEM_RELAXED;
}

static enum sem write_part(enum sem sem) {
  if (sem == SEM_SC) return SEM_SC;
  return sem == SEM_RELEASE || sem == SEM_ACQ_REL ? SEM_RELEASE : SEM_RELAXED;
}

/* The read of one element of atom or red, whose write comes next. */
static struct returned add_atomic_read(struct walk *w, uint32_t element) {
  const struct instr *in = w->instr;
  struct event read = memory_event(w, EVENT_READ, element);
  read.sem = read_part(in->sem);
  read.is_rmw = true;
  read.is_unused = in->kind == INSTR_ATOM && in->dst[in->packed ? element / 2 : element] == NO_REG;
  read.partner = w->s->events.len + 1;
  return returned_by(w, add_read(w, read));
}

/* One element of atom or red; `first` and `second` are the operands b and c. */
static struct returned add_atomic(struct walk *w, uint32_t element, const struct operand *first,
                                  const struct operand *second) {
  const struct instr *in = w->instr;
  bool cas = in->alu == ALU_CAS;
  if (walk_leaves_out(w)) return load_element(w, element);
  struct event write = memory_event(w, EVENT_WRITE, element);
  struct returned got = w->between ? returned_anything(w, element) : add_atomic_read(w, element);
  unsigned width = 8 * write.size;
  term_id old = got.value, b = element_value(w, first, element);
  write.sem = write_part(in->sem);
  write.is_rmw = true;
  write.partner = w->between ? NO_PARTNER : w->s->events.len - 1;
  term_id c = cas ? walk_operand(w, second, width) : b;
  write.value = is_idle(w) ? term_const(w->terms, 0, width) : walk_arithmetic(w, (term_id[ALU_OPERANDS]){old, b, c, c});
  term_id succeeds = cas ? walk_open_free(w, term_eq(w->terms, old, b)) : TERM_TRUE;
  if (cas && shape_reads(&w->s->options.shape, READING_CAS_WRITES)) {
    write.value = term_ite(w->terms, succeeds, c, old);
  } else if (cas) { /* a failed cas is not a write (G22) */
    write.exec = term_and(w->terms, write.exec, succeeds);
    write.reach = term_and(w->terms, write.reach, succeeds);
  }
  uint32_t written = walk_add_event(w, write);
  if (cas) walk_decides(w, w->base.exec, b);
  if (is_idle(w)) return got;
  struct bitset reads = walk_no_reads(w);
  walk_add_reads(w, reads, first);
  if (cas) walk_add_reads(w, reads, second);
  if (in->alu != ALU_EXCH) bitset_or(reads, got.reads);
  walk_depend(w, CAT_REL_DATA, reads, written);
  return got;
}

static void walk_atomic(struct walk *w) {
  const struct instr *in = w->instr;
  struct returned elements[MAX_VECTOR];
  for (uint32_t i = 0; i < in->elements; i++) elements[i] = add_atomic(w, i, element_operand(w, i), &in->src[1]);
  if (in->kind == INSTR_ATOM) write_elements(w, elements);
}

/* The result of multimem.ld_reduce for one element of all replicas. */
static struct returned reduce_replicas(struct walk *w, uint32_t element) {
  const struct instr *in = w->instr;
  uint32_t count = in->multimem->count;
  struct bitset reads = walk_no_reads(w);
  term_id *values = ARENA_ARRAY(w->s->arena, term_id, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t number = add_read(w, memory_event(w, EVENT_READ, i * in->elements + element));
    bitset_add(reads, number);
    values[i] = value_of(w, number);
  }
  if (type_is_float(in->type)) return (struct returned){walk_float_reduction(w, values, count), reads};
  for (uint32_t i = 1; i < count; i++)
    values[0] = walk_arithmetic(w, (term_id[ALU_OPERANDS]){values[0], values[i], values[0], values[0]});
  return (struct returned){values[0], reads};
}

static void walk_load_reduce(struct walk *w) {
  struct returned elements[MAX_VECTOR];
  for (uint32_t i = 0; i < w->instr->elements; i++) elements[i] = reduce_replicas(w, i);
  write_elements(w, elements);
}

/* One independent access to each replica, in no order among them (P9); a load folds their values. */
static void walk_multimem(struct walk *w) {
  const struct instr *in = w->instr;
  if (in->multimem->action == MULTIMEM_LOAD_REDUCE) {
    walk_load_reduce(w);
    return;
  }
  for (uint32_t i = 0; i < in->multimem->count * in->elements; i++) {
    if (in->multimem->action == MULTIMEM_STORE) add_write(w, i, element_operand(w, i));
    else add_atomic(w, i, element_operand(w, i), &in->src[1]);
  }
}

uint32_t walk_add_arrival(struct walk *w, const struct barrier *barrier) {
  struct event arrive = w->base;
  arrive.kind = EVENT_ARRIVE;
  arrive.meeting.id = walk_operand(w, &barrier->id, 32);
  arrive.meeting.count = walk_operand(w, &barrier->count, 32);
  term_id predicate = walk_operand(w, &barrier->predicate, 1);
  arrive.value = barrier->negated ? term_not(w->terms, predicate) : predicate;
  arrive.partner = NO_PARTNER;
  uint32_t number = walk_add_event(w, arrive);
  if (barrier->action == BARRIER_RED) walk_depend_on(w, CAT_REL_DATA, &barrier->predicate, number);
  return number;
}

term_id walk_passes(struct walk *w, term_id tried, uint32_t number) {
  term_id pass = term_leaf(w->terms, TERM_PASS, number, 1);
  term_id passes = term_and(w->terms, tried, pass);
  term_id blocked = term_and(w->terms, tried, term_not(w->terms, pass));
  struct ending ending = {
      .kind = ENDING_BLOCKED, .when = blocked, .wait = number, .thread = w->base.thread, .instr = w->base.instr};
  ending.span = w->instr->span;
  VEC_PUSH(w->s->arena, &w->s->ends, ending);
  w->path->guard = tried == w->path->guard ? passes : term_and(w->terms, w->path->guard, term_not(w->terms, blocked));
  return passes;
}

/* In a skeleton of complete executions every wait passes; in a precise one the later events depend on it. */
uint32_t walk_add_wait(struct walk *w, uint32_t arrival) {
  struct event wait = w->base;
  wait.kind = EVENT_WAIT;
  wait.partner = arrival;
  uint32_t number = w->s->events.len;
  if (w->s->options.precise) wait.exec = walk_passes(w, wait.exec, number);
  walk_add_event(w, wait);
  w->s->events.data[arrival].partner = number;
  return number;
}

static void walk_reduction(struct walk *w, uint32_t number) {
  const struct barrier *barrier = w->instr->barrier;
  unsigned width = barrier->reduction == REDUCE_POPC ? 32 : 1;
  term_id result = term_leaf(w->terms, TERM_REDUCE, number, width);
  walk_write_reg(w, w->instr->dst[0], result, false, just(w, number));
  walk_agree(w, result, number);
}

/* The mask of lanes must be known, and name the lane itself. */
static bool walk_mask(struct walk *w) {
  uint32_t mask, lane = walk_own(w)->lane;
  if (!walk_known(w, &w->instr->barrier->id, 32, REASON_LANES_IN_REGISTER, &mask)) return false;
  return walk_needs(w, mask >> lane & 1, REASON_LANE_NOT_NAMED);
}

static void walk_barrier(struct walk *w) {
  const struct barrier *barrier = w->instr->barrier;
  uint32_t arrival = w->path->cluster_arrival;
  if ((barrier->kind == BARRIER_WARP || barrier->kind == BARRIER_LANES) && !walk_mask(w)) return;
  if (barrier->kind == BARRIER_LANES) {
    walk_exchange(w);
    return;
  }
  if (barrier->action != BARRIER_WAIT) arrival = walk_add_arrival(w, barrier);
  if (barrier->kind == BARRIER_CLUSTER) w->path->cluster_arrival = arrival;
  if (barrier->action == BARRIER_ARRIVE) return;
  if (barrier->kind == BARRIER_CLUSTER) w->path->cluster_arrival = NO_PARTNER; /* used up */
  if (!walk_models(w, arrival != AMBIGUOUS_PARTNER, REASON_ARRIVAL_BY_PATH)) return;
  if (!walk_needs(w, arrival != NO_PARTNER, REASON_CLUSTER_WAIT)) return;
  uint32_t wait = walk_add_wait(w, arrival);
  if (barrier->action == BARRIER_RED) walk_reduction(w, wait);
}

static void walk_fence(struct walk *w) {
  w->base.kind = EVENT_FENCE;
  walk_add_event(w, w->base);
}

static void walk_proxy_fence(struct walk *w) {
  w->base.kind = EVENT_PROXY_FENCE;
  w->base.sem = SEM_WEAK;
  w->base.one_way = w->instr->one_way;
  if (!w->base.one_way) w->base.scope = SCOPE_NONE;
  if (w->instr->addr.base.kind != OPERAND_NONE) w->base.address = walk_address(w, &w->instr->addr, 0);
  walk_add_event(w, w->base);
}

static void walk_trap(struct walk *w) {
  walk_hazard(w, w->base.exec, w->instr->unsupported ? w->instr->unsupported->id : REASON_TRAP);
}
static void walk_nothing(struct walk *w) { (void)w; }

/* True if an iteration between the first and the last one (struct further) may have the instruction. */
static bool may_be_between(const struct instr *in) {
  bool quiet = in->kind == INSTR_ALU || in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE;
  return (quiet || in->kind == INSTR_NOTHING || instr_is_access(in)) && !in->packed;
}

void walk_operate(struct walk *w) {
  if (!walk_models(w, !w->between || may_be_between(w->instr), REASON_BOUND)) return;
  static void (*const walks[])(struct walk *) = {
#define PTX_INSTR(id, walk, events, numbers) walk,
#include "ptx/instr.def"
  };
  REQUIRE(walks[w->instr->kind]);
  if (w->instr->aligned)
    VEC_PUSH(w->s->arena, &w->s->aligned, (struct aligned_step){w->base.thread, w->base.instr, w->base.exec});
  walks[w->instr->kind](w);
  if (w->instr->opaque && !instr_is_access(w->instr)) walk_free_results(w, w->instr->opaque);
}
