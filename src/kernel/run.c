#include "kernel/run.h"

#include "kernel/rests.h"
#include "ptx/alu.h"
#include "ptx/isa.h"
#include "ptx/lower.h"

enum { TENSOR_UNIT = 32 };

static struct arena *arena_of(const struct runner *r) { return r->run->memory->arena; }
static const struct body *body_of(const struct runner *r) { return &r->run->body; }

void run_set(struct runner *r, uint32_t reg, term_id value, bool is_signed) {
  if (reg != NO_REG) r->path.regs[reg] = (struct reg_state){value, is_signed, body_of(r)->none};
}

/* A value that nothing needs: one leaf for all of a width. */
static void give_up(struct runner *r, uint32_t reg) {
  unsigned width = body_of(r)->thread->regs[reg].type.width;
  run_set(r, reg, term_leaf(r->walk.terms, TERM_READ, UNNEEDED, width < 64 && width > 1 ? 64 : width), false);
}

/* A register keeps its value where the guard of the instruction fails. */
static void give(struct runner *r, uint32_t reg, term_id value, bool is_signed, struct bitset reads) {
  if (reg == NO_REG) return;
  struct reg_state *state = &r->path.regs[reg], given = {value, is_signed, reads};
  bool holds = r->walk.predicate == TERM_TRUE;
  bool wanted = bitset_has(body_of(r)->wanted, reg) || (holds && term_is_const(r->walk.terms, value));
  if (!wanted) give_up(r, reg);
  else *state = holds ? given : walk_choose(&r->walk, r->walk.predicate, &given, state);
}

static term_id guard_of(const struct runner *r) { return r->walk.predicate; }

static bool is_known(const struct runner *r, term_id value) { return term_is_const(r->walk.terms, value); }

static uint32_t reg_count(const struct runner *r) { return body_of(r)->thread->reg_count; }

/* ---- Jumps */

static struct progress_point new_point(struct kernel_run *run) {
  struct arena *arena = run->memory->arena;
  uint32_t loops = run->body.loops.len + 1;
  return (struct progress_point){.regs = ARENA_ARRAY(arena, struct reg_state, run->body.thread->reg_count + 1),
                                 .last = ARENA_ARRAY(arena, uint32_t, loops),
                                 .decided = ARENA_ARRAY(arena, bool, loops),
                                 .polled = ARENA_ARRAY(arena, bool, loops),
                                 .turns = ARENA_ARRAY(arena, uint32_t, loops)};
}

static void is_over(struct runner *r, const struct progress_point *s) { VEC_PUSH(arena_of(r), &r->run->spare, *s); }

/* Copies a point into the memory of one that is over, if there is one: a kernel has thousands of registers. */
static struct progress_point copied(struct runner *r, const struct progress_point *from) {
  struct progress_point to = *from;
  struct progress_point room = r->run->spare.len ? r->run->spare.data[--r->run->spare.len] : new_point(r->run);
  to.regs = room.regs, to.last = room.last, to.decided = room.decided, to.polled = room.polled, to.turns = room.turns;
  to.so_far = r->so_far;
  uint32_t loops = body_of(r)->loops.len;
  memcpy(to.turns, from->turns, loops * sizeof *to.turns);
  memcpy(to.polled, from->polled, loops * sizeof *to.polled);
  memcpy(to.regs, r->path.regs, reg_count(r) * sizeof *to.regs);
  memcpy(to.last, from->last, loops * sizeof *to.last);
  memcpy(to.decided, from->decided, loops * sizeof *to.decided);
  return to;
}

static void go_to(const struct runner *r, struct progress_point *s, uint32_t to) {
  s->from = s->at;
  s->at = to;
  s->arrives = body_of(r)->leader[to];
}

/* True if an exit of a loop stays in an outer loop in which a thread waits, as when it polls a number of times, sleeps,
 * and polls again. */
static bool stays_waiting(const struct runner *r, const struct cycle *inner, uint32_t to) {
  for (uint32_t i = 0; i < body_of(r)->loops.len; i++) {
    const struct cycle *loop = &body_of(r)->loops.data[i];
    if (body_of(r)->waits[i] && bitset_subset(inner->has, loop->has) && bitset_has(loop->has, to)) return true;
  }
  return false;
}

/* Notes that constants decide a branch: unrolls a loop that the other direction leaves, unless to wait. */
static void note_decided(struct runner *r, struct progress_point *s, uint32_t other) {
  for (uint32_t i = 0; i < body_of(r)->loops.len; i++) {
    const struct cycle *loop = &body_of(r)->loops.data[i];
    bool leaves = bitset_has(loop->has, s->at) && !bitset_has(loop->has, other);
    if (leaves && !stays_waiting(r, loop, other)) s->decided[i] = true;
  }
}

/* Notes that an undecided branch may leave a loop. */
static void note_polled(struct runner *r, struct progress_point *s, uint32_t target) {
  for (uint32_t i = 0; i < body_of(r)->loops.len; i++) {
    struct bitset has = body_of(r)->loops.data[i].has;
    bool jumps = bitset_has(has, target), goes = bitset_has(has, s->at + 1);
    if (!bitset_has(has, s->at) || (jumps && goes)) continue;
    s->polled[i] = true;
    term_id stays = jumps ? guard_of(r) : term_not(r->walk.terms, guard_of(r));
    uint32_t limit =
        (jumps || goes) && does(r->run->x, TECHNIQUE_TURNS) ? learn_limit(&r->run->body.learning, stays) : 0;
    if (limit > body_of(r)->limit[i]) r->run->body.limit[i] = limit;
  }
}

static struct litmus_word *guard_word(struct runner *r, const struct instr *in) {
  struct litmus_word *word = ARENA_NEW(arena_of(r), struct litmus_word);
  const char *name = body_of(r)->thread->regs[in->guard.reg].name;
  *word = (struct litmus_word){.text = arena_printf(arena_of(r), "%%%s", name), .span = in->span};
  return word;
}

/* Follows both directions of an undecided branch. */
static void fork(struct runner *r, struct progress_point *s, const struct instr *in, uint32_t target) {
  struct block *b = &r->blocks.data[s->block];
  uint32_t parent = s->block;
  b->guard = guard_word(r, in);
  b->negated = in->guard.negated;
  b->split = s->at;
  b->settled = run_settled(r, guard_of(r));
  note_polled(r, s, target);
  b->closed = true;
  struct progress_point taken = copied(r, s), other = copied(r, s);
  go_to(r, &taken, target);
  go_to(r, &other, s->at + 1);
  bool learns = does(r->run->x, TECHNIQUE_LEARN);
  if (learns) learn(&r->run->body.learning, taken.regs, reg_count(r), guard_of(r));
  if (learns) learn(&r->run->body.learning, other.regs, reg_count(r), term_not(r->walk.terms, guard_of(r)));
  request_take(r, s, s->at + 1, &taken);
  request_take(r, s, target, &other);
  struct progress_point *ways[] = {&other, &taken};
  for (uint32_t k = 0; k < 2; k++) {
    uint32_t to = block_add(r, NO_BLOCK, NULL, parent); /* empty: leads to the direction's first block */
    r->blocks.data[to].entries = 1;
    r->blocks.data[parent].next[k] = to;
    ways[k]->block = to;
  }
  VEC_PUSH(arena_of(r), &r->pending, taken);
  VEC_PUSH(arena_of(r), &r->pending, other);
}

/* ---- Instructions */

static void begin(struct runner *r, uint32_t index) {
  r->walk.s->hazards.len = 0;
  walk_begin(&r->walk, 0, index, index);
  rests_decide(r, r->walk.guard_reads);
}

static void forget_reg(struct runner *r, uint32_t reg) {
  unsigned width = body_of(r)->thread->regs[reg].type.width;
  if (!bitset_has(body_of(r)->wanted, reg)) give_up(r, reg);
  else give(r, reg, run_unknown(r, width < 64 && width > 1 ? 64 : width), false, body_of(r)->none);
}

static void forget_named(struct runner *r, const struct litmus_operand *operand) {
  bool items = operand->kind == LITMUS_VECTOR || operand->kind == LITMUS_PAIR || operand->kind == LITMUS_LIST;
  for (const struct litmus_operand *item = items ? operand->u.items : NULL; item; item = item->next)
    forget_named(r, item);
  bool named = operand->kind == LITMUS_NAME && operand->u.ref.percent;
  uint32_t reg = named ? body_register(body_of(r), operand->u.ref.name) : (uint32_t)NO_REG;
  if (reg != NO_REG) forget_reg(r, reg);
}

/* An instruction that is not modelled is taken to write all registers of its first operand. */
static void forget(struct runner *r, const struct instr *in) {
  if (in->kind == INSTR_UNSUPPORTED && in->ast->operands) forget_named(r, in->ast->operands);
  EACH_WRITTEN (reg, in) forget_reg(r, reg);
}

bool run_address(struct runner *r, const struct address *address, uint64_t *out) {
  term_id term = walk_address(&r->walk, address, 0);
  if (address->base.kind == OPERAND_REG) rests_decide(r, r->path.regs[address->base.reg].reads);
  *out = (uint64_t)term_get(r->walk.terms, term)->constant;
  return is_known(r, term);
}

static bool is_shared(uint64_t address) {
  return (address >= SHARED_BASE && address < SHARED_BASE + SHARED_WINDOW) || address >= PEERS_BASE;
}

/* The rank of the CTA of an address of shared memory in its cluster. */
static uint64_t rank_of(const struct runner *r, uint64_t address) {
  return (address < PEERS_BASE ? r->cta : (address - PEERS_BASE) / SHARED_WINDOW) - r->cluster_first;
}

uint64_t run_in_cta(const struct runner *r, uint64_t address, uint64_t rank) {
  uint64_t at = (address - (address < PEERS_BASE ? SHARED_BASE : PEERS_BASE)) % SHARED_WINDOW;
  return PEERS_BASE + (r->cluster_first + rank) * SHARED_WINDOW + at;
}

/* mapa, which maps an address of shared memory to the same place in a given CTA of the cluster; and getctarank. */
static term_id other_cta(struct runner *r, const struct instr *in) {
  struct terms *t = r->walk.terms;
  term_id where = walk_operand(&r->walk, &in->src[0], in->type.width);
  term_id rank = walk_operand(&r->walk, &in->src[1], 32);
  uint64_t address = (uint64_t)term_get(t, where)->constant, cta = (uint64_t)term_get(t, rank)->constant;
  unsigned width = in->alu == ALU_MAPA ? in->type.width : 32;
  if (!is_known(r, where) || (in->alu == ALU_MAPA && !is_known(r, rank)) || !is_shared(address))
    return run_unknown(r, width);
  if (in->alu != ALU_MAPA) return term_const(t, rank_of(r, address), 32);
  if (cta >= r->cluster_size) return run_unknown(r, width);
  return term_const(t, run_in_cta(r, address, cta), width);
}

/* Bit 24 of an address of shared memory is the lowest bit of the rank of its CTA: PTX does not document it, but kernels
 * for pairs of CTAs clear the bit to address the first CTA of a pair, and flip it to address the other (CUTLASS). */
static bool turns_to_peer(struct runner *r, const struct instr *in, term_id *out) {
  enum { RANK = 24, FIRST = 0xfe, OTHER = 1 };
  if ((in->alu != ALU_AND && in->alu != ALU_XOR) || in->type.width != 32 || in->packed) return false;
  term_id a = walk_operand(&r->walk, &in->src[0], 32), b = walk_operand(&r->walk, &in->src[1], 32);
  if (!is_known(r, a) || !is_known(r, b)) return false;
  uint64_t address = (uint64_t)term_get(r->walk.terms, a)->constant;
  uint32_t mask = (uint32_t)term_get(r->walk.terms, b)->constant, high = mask >> RANK, low = mask & ((1u << RANK) - 1);
  bool first = in->alu == ALU_AND && high == FIRST, other = in->alu == ALU_XOR && high == OTHER && !low;
  if (!is_shared(address) || address > UINT32_MAX || !(first || other)) return false;
  uint64_t rank = first ? rank_of(r, address) & ~1u : rank_of(r, address) ^ 1;
  if (rank >= r->cluster_size) return false;
  uint64_t at = first ? (address % SHARED_WINDOW) & low : address % SHARED_WINDOW;
  *out = term_const(r->walk.terms, run_in_cta(r, address - address % SHARED_WINDOW + at, rank), 32);
  return true;
}

static term_id in_space(struct runner *r, const struct instr *in) {
  uint32_t at;
  term_id where = walk_operand(&r->walk, &in->src[0], 64);
  if (!is_known(r, where)) return run_unknown(r, 1);
  const struct region *region = run_find(r, (uint64_t)term_get(r->walk.terms, where)->constant, &at);
  if (!region) return run_unknown(r, 1);
  return term_const(r->walk.terms, region->space == in->space, 1);
}

static void do_arithmetic(struct runner *r, const struct instr *in) {
  term_id peer;
  if (walk_floats_unknown(&r->walk)) { /* terms for all of it would be too many */
    forget(r, in);
  } else if (turns_to_peer(r, in, &peer)) {
    give(r, in->dst[0], peer, false, body_of(r)->none);
  } else if (in->alu == ALU_MAPA || in->alu == ALU_CTARANK) {
    give(r, in->dst[0], other_cta(r, in), false, body_of(r)->none);
  } else if (in->alu == ALU_ISSPACEP) {
    give(r, in->dst[0], in_space(r, in), false, body_of(r)->none);
  } else if (in->alu == ALU_IS_CANCELED || in->alu == ALU_FIRST_CTA) {
    give(r, in->dst[0], request_answer(r, in), false, body_of(r)->none);
  } else {
    walk_operate(&r->walk);
    bool open = r->walk.s->hazards.len || r->walk.s->refusal;
    r->walk.s->refusal = NULL;
    if (open) forget(r, in);
  }
}

/* A thread reads bytes at an address, or with `write` writes `value` to them; NULL: an unknown value. */
static void touch(struct runner *r, const struct address *address, enum space space, uint32_t bytes, bool write,
                  const value_t *value) {
  uint64_t where;
  if (!run_address(r, address, &where)) run_touch_anywhere(r, walk_address(&r->walk, address, 0), space, bytes, write);
  else if (write) run_put(r, where, bytes, value);
  else run_touch(r, where, bytes, false);
}

/* False: the memory read has no value yet, and may get one from a thread. */
static bool do_load(struct runner *r, const struct instr *in) {
  uint64_t where;
  uint32_t at = 0, size = type_bytes(in->type);
  struct region *region = run_address(r, &in->addr, &where) ? run_find(r, where, &at) : NULL;
  bool inside = region && memory_holds(r->run->memory, region, at, size * in->elements);
  if (inside && region->space == SPACE_SHARED && needless_load(r, in)) {
    touch(r, &in->addr, in->space, size * in->elements, false, NULL);
    forget(r, in);
    return true;
  }
  value_t values[MAX_VECTOR];
  enum cell cells[MAX_VECTOR];
  for (uint32_t i = 0; i < in->elements; i++) {
    cells[i] = inside ? run_get(r, where + i * size, size, &values[i]) : CELL_OPEN;
    if (cells[i] == CELL_BLANK) return false;
  }
  touch(r, &in->addr, in->space, size * in->elements, false, NULL);
  for (uint32_t i = 0; i < in->elements; i++) {
    bool known = cells[i] == CELL_KNOWN && !(inside && rests_is_data(r, region, at + i * size, size));
    term_id value = known ? term_const(r->walk.terms, values[i], 8 * size)
                          : run_loaded(r, inside ? region : NULL, at + i * size, 8 * size,
                                       inside ? run_state(r, where + i * size, size) : 0);
    struct few few;
    bool is_few = !known && inside && memory_few(region, at + i * size, size, &few);
    bool response = size == type_bytes(isa_type(PTX_B128)) && inside && request_writes(r->run->memory, region, at);
    if (response && r->so_far.took) known = true, value = term_const(r->walk.terms, response_value(false), 8 * size);
    if (response && !known && !is_few)
      is_few = true, few = (struct few){2, size, {response_value(false), response_value(true)}};
    if (is_few) learn_leaf(&r->run->body.learning, value, learn_few(&r->run->body.learning, &few));
    bool rests = known || is_few;
    give(r, in->dst[i], value, in->type.kind == TYPE_SIGNED,
         rests ? rests_mark(r, region, at + i * size, size) : body_of(r)->none);
  }
  return true;
}

static void do_store(struct runner *r, const struct instr *in) {
  uint32_t size = type_bytes(in->type);
  uint64_t where;
  if ((maps_replaces(in) || maps_copies(in)) && run_address(r, &in->addr, &where) && maps_change(r, in, where)) return;
  for (uint32_t i = 0; i < in->elements; i++) {
    struct address address = in->addr;
    address.offset += i * size;
    term_id value = walk_operand(&r->walk, &in->src[in->packed ? i / 2 : i], in->packed ? 16 * size : 8 * size);
    value_t constant = term_get(r->walk.terms, value)->constant;
    if (in->packed && i % 2) constant >>= 8 * size;
    uint32_t t = r->touches.len;
    touch(r, &address, in->space, size, true, is_known(r, value) ? &constant : NULL);
    struct bitset marks = walk_no_reads(&r->walk);
    walk_add_reads(&r->walk, marks, &in->src[in->packed ? i / 2 : i]);
    for (; t < r->touches.len; t++)
      rests_store(r->run->memory, r->touches.data[t].region, r->touches.data[t].at, size, marks);
  }
  if (in->elements > 1 && run_address(r, &in->addr, &where)) run_touch_whole(r, where, size * in->elements);
}

static void do_atom(struct runner *r, const struct instr *in) {
  term_id added = walk_operand(&r->walk, &in->src[0], in->type.width);
  value_t sum = term_get(r->walk.terms, added)->constant;
  bool adds = in->alu == ALU_ADD && in->elements == 1 && !type_is_float(in->type) && guard_of(r) == TERM_TRUE;
  r->sum = adds && is_known(r, added) ? &sum : NULL;
  touch(r, &in->addr, in->space, type_bytes(in->type) * in->elements, true, NULL);
  r->sum = NULL;
  uint64_t where;
  uint32_t at = 0;
  const struct region *region = run_address(r, &in->addr, &where) ? run_find(r, where, &at) : NULL;
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    give(r, in->dst[i], run_loaded(r, region, at, in->type.width, 0), in->type.kind == TYPE_SIGNED, body_of(r)->none);
}

static enum brings brought_by(struct runner *r, const struct barrier *barrier) {
  term_id value = walk_operand(&r->walk, &barrier->predicate, 1);
  return !is_known(r, value) ? BRINGS_ANY : (value == TERM_TRUE) != barrier->negated ? BRINGS_TRUE : BRINGS_FALSE;
}

static void use_object(struct runner *r, const struct address *object) {
  uint64_t where;
  if (run_address(r, object, &where)) run_touch_object(r, where);
  else run_touch_anywhere(r, TERM_FALSE, SPACE_SHARED, 0, true), memory_by_turns(r->run->memory);
}

bool run_number(struct runner *r, const struct operand *operand, uint32_t *out) {
  term_id value = walk_operand(&r->walk, operand, 32);
  *out = (uint32_t)term_get(r->walk.terms, value)->constant;
  return is_known(r, value);
}

/* Bits for units of 32 columns. */
static uint32_t units(uint32_t begin, uint32_t columns) {
  uint32_t count = (columns + TENSOR_UNIT - 1) / TENSOR_UNIT;
  return count >= 32 ? 0 : ((1u << count) - 1) << begin / TENSOR_UNIT % 32;
}

static struct column_use use_of(const struct runner *r, bool frees) {
  return (struct column_use){r->cta, r->tid / WARP_LANES, frees};
}

/* tcgen05.alloc stores the address of the lowest free columns (K7), if no other warp allocates. It is one operation of
 * the warp, whose first lane writes. */
static void do_alloc(struct runner *r, const struct instr *in) {
  uint32_t columns, begin = 0;
  bool known = run_number(r, &in->async->tensor->count, &columns) && columns && columns <= TENSOR_COLUMNS;
  uint32_t *used = &r->so_far.columns;
  while (known && begin + columns <= TENSOR_COLUMNS && *used & units(begin, columns)) begin += TENSOR_UNIT;
  bool shared = memory_shares_columns(r->run->memory, use_of(r, false), *used != 0);
  known = known && !shared && begin + columns <= TENSOR_COLUMNS;
  value_t value = begin;
  touch(r, &in->async->to, SPACE_SHARED, TENSOR_CELL, r->tid % WARP_LANES == 0, known ? &value : NULL);
  *used |= known && guard_of(r) == TERM_TRUE ? units(begin, columns) : UINT32_MAX; /* all: no later address is known */
}

static void do_dealloc(struct runner *r, const struct instr *in) {
  uint32_t columns, begin;
  bool known = run_number(r, &in->async->tensor->count, &columns);
  memory_shares_columns(r->run->memory, use_of(r, true), false);
  known = run_number(r, &in->async->from.base, &begin) && known && guard_of(r) == TERM_TRUE;
  if (!known) r->so_far.columns = UINT32_MAX;
  else if (begin < TENSOR_COLUMNS && r->so_far.columns != UINT32_MAX) r->so_far.columns &= ~units(begin, columns);
}

/* Touches the bytes at the multimem address, after which the operand is named, and the same bytes of each replica. */
static void do_multimem(struct runner *r, const struct instr *in) {
  uint64_t where;
  uint32_t at = 0, bytes = type_bytes(in->type) * in->elements;
  bool writes = in->multimem->action != MULTIMEM_LOAD_REDUCE;
  const struct region *region = run_address(r, &in->addr, &where) ? run_find(r, where, &at) : NULL;
  touch(r, &in->addr, SPACE_GLOBAL, bytes, writes, NULL);
  for (const struct litmus_value *v = region ? region->replicas : NULL; v; v = v->next)
    run_touch(r, memory_named(r->run->memory, v->ref.name)->base + at, bytes, writes);
  forget(r, in);
}

static void do_multicast(struct runner *r, const struct async *a, uint32_t bytes) {
  uint64_t where, object;
  uint32_t mask;
  if (!run_number(r, &a->ctas, &mask)) mask = UINT32_MAX;
  if (run_address(r, &a->to, &where)) run_touch_ctas(r, where, bytes, mask);
  if (a->has_object && run_address(r, &a->object, &object)) run_touch_ctas(r, object, 0, mask);
}

static void do_async(struct runner *r, const struct instr *in) {
  const struct async *a = in->async;
  term_id bytes = walk_operand(&r->walk, &a->bytes, 32);
  uint32_t count = is_known(r, bytes) ? (uint32_t)term_get(r->walk.terms, bytes)->constant : 0;
  bool writes = a->action == ASYNC_COPY || a->action == ASYNC_BULK || a->action == ASYNC_STORE;
  if (a->action == ASYNC_STORE) count = type_bytes(in->type) * in->elements;
  if (writes && !a->to_map) touch(r, &a->to, SPACE_GENERIC, count, true, NULL);
  if (writes && a->ctas.kind != OPERAND_NONE) do_multicast(r, a, count);
  bool reads = a->action == ASYNC_COPY || (a->action == ASYNC_BULK && !a->from_map);
  uint32_t filled = count;
  if (a->filled.kind != OPERAND_NONE && !(run_number(r, &a->filled, &filled) && filled <= count)) filled = count;
  if (reads && filled) touch(r, &a->from, SPACE_GENERIC, filled, false, NULL);
  if (a->action == ASYNC_CANCEL) request_send(r, in);
  if (a->has_object) use_object(r, &a->object);
  if (a->action == ASYNC_TENSOR_ALLOC) do_alloc(r, in);
  if (a->action == ASYNC_TENSOR_FREE) do_dealloc(r, in);
  forget(r, in);
}

/* Executes one instruction: sets its results and notes the bytes that it accesses. False: the thread waits. */
static bool perform(struct runner *r, const struct instr *in) {
  switch (in->kind) {
    case INSTR_ALU: do_arithmetic(r, in); return true;
    case INSTR_LOAD: return do_load(r, in);
    case INSTR_STORE: do_store(r, in); return true;
    case INSTR_ATOM:
    case INSTR_RED: do_atom(r, in); return true;
    case INSTR_MBARRIER:
      if (in->mbarrier->action != MBARRIER_PENDING) use_object(r, &in->mbarrier->object);
      forget(r, in);
      return true;
    case INSTR_ASYNC: do_async(r, in); return true;
    case INSTR_BARRIER:
      epochs_pass(r, in);
      r->brings = in->barrier->action == BARRIER_RED ? brought_by(r, in->barrier) : BRINGS_ANY;
      if (in->barrier->predicate.kind == OPERAND_REG) rests_decide(r, r->path.regs[in->barrier->predicate.reg].reads);
      forget(r, in);
      return true;
    case INSTR_MULTIMEM: do_multimem(r, in); return true;
    case INSTR_UNSUPPORTED:
      if (tiled_waits(r, in)) return false;
      if (lower_is_texture(in)) r->run->memory->textures = true;
      tiled_touch(r, in);
      forget(r, in);
      return true;
    case INSTR_FENCE:
    case INSTR_PROXY_FENCE:
    case INSTR_GRID_LAUNCH:
    case INSTR_GRID_WAIT:
    case INSTR_HOST_LAUNCH: case INSTR_HOST_SYNC:
    case INSTR_GROUP:
    case INSTR_BRANCH:
    case INSTR_EXIT:
    case INSTR_TRAP:
    case INSTR_NOTHING: return true;
  }
  BUG("no instruction kind %d", (int)in->kind);
}

enum meeting_kind run_meeting(const struct instr *in) {
  const char *name = in->ast->opcode.text; /* most differ in the first two letters */
  if (name[0] == 'e' && name[1] == 'l' && strcmp(name, "elect") == 0) return MEETING_ELECT;
  if (name[0] == 'a' && name[1] == 'c' && strcmp(name, "activemask") == 0) return MEETING_ACTIVE;
  if (tiled_kind(in) == TILED_ROWS) return MEETING_ROWS;
  return in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES ? MEETING_EXCHANGE : MEETING_NONE;
}

/* A register that instructions write, and its value before them: the remnant of the instructions reads that value. */
struct kept_reg {
  uint32_t reg;
  struct reg_state before;
};

static void exchange_regs(struct runner *r, struct kept_reg *kept, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    struct reg_state now = r->path.regs[kept[i].reg];
    r->path.regs[kept[i].reg] = kept[i].before;
    kept[i].before = now;
  }
}

static uint32_t keep_regs(const struct runner *r, uint32_t begin, uint32_t end, struct kept_reg *kept) {
  uint32_t count = 0;
  for (uint32_t i = begin; i < end; i++)
    for (uint32_t k = 0; k < MAX_VECTOR; k++) {
      uint32_t reg = body_of(r)->thread->instrs[i].dst[k], at = 0;
      while (at < count && kept[at].reg != reg) at++;
      if (reg != NO_REG && at == count) kept[count++] = (struct kept_reg){reg, r->path.regs[reg]};
    }
  return count;
}

/* Adds the remnant of executed instructions, whose operands have the values from before them. */
static void leave(struct runner *r, const struct progress_point *s, uint32_t end, bool folded, uint32_t touches,
                  struct kept_reg *kept, uint32_t count) {
  uint32_t all = r->touches.len - touches;
  exchange_regs(r, kept, count);
  r->latest = touches;
  struct remnant *last = remnant_add(r, s->block, s->at, end, folded);
  exchange_regs(r, kept, count);
  last->strays = r->strays;
  last->touch = touches;
  last->touches = all;
  last->brings = r->brings;
}

static bool pass_by(struct runner *r, struct progress_point *s, uint32_t end) {
  if (!needless_here(r, s->at, end)) return false;
  for (uint32_t i = s->at; i < end; i++) forget(r, &body_of(r)->thread->instrs[i]);
  go_to(r, s, end);
  return true;
}

enum { MOST_GROUPED = 16 };

/* Executes the instructions lowered from one source instruction. False: the thread waits. */
static bool do_group(struct runner *r, struct progress_point *s, uint32_t end) {
  struct kept_reg kept[MOST_GROUPED * MAX_VECTOR];
  REQUIRE(end - s->at <= MOST_GROUPED);
  uint32_t before = r->touches.len, count = keep_regs(r, s->at, end, kept);
  bool any = false, computes;
  r->strays = false;
  for (uint32_t i = s->at; i < end; i++) {
    const struct instr *in = &body_of(r)->thread->instrs[i];
    begin(r, i);
    if (guard_of(r) == TERM_FALSE || (maps_copies(in) && !r->leads)) continue; /* one operation of the warp (K5) */
    if (run_meeting(in) != MEETING_NONE) return false;
    if (!perform(r, in)) return false;
    any = true;
    r->ended = guard_of(r) == TERM_TRUE && strcmp(in->ast->opcode.text, "trap") == 0;
  }
  if (any) run_access_fragments(r, s->block, s->at, end);
  bool folded = remnant_is_folded(r, s->at, end, before, &computes);
  if (any && !(folded && computes)) leave(r, s, end, folded, before, kept, count);
  go_to(r, s, end);
  return true;
}

static void jump(struct runner *r, struct progress_point *s, const struct instr *in, bool *open) {
  begin(r, s->at);
  uint32_t target = in->kind == INSTR_EXIT ? body_of(r)->thread->instr_count : in->target;
  term_id guard = guard_of(r);
  *open = !is_known(r, guard);
  if (*open) {
    fork(r, s, in, target);
    return;
  }
  bool taken = guard == TERM_TRUE;
  if (in->guard.present) note_decided(r, s, taken ? s->at + 1 : target);
  go_to(r, s, taken ? target : s->at + 1);
}

/* Runs a thread as far as it goes. False: it waits. */
static bool go_on(struct runner *r, struct progress_point *s) {
  const struct thread *thread = body_of(r)->thread;
  r->path.regs = s->regs;
  r->so_far = s->so_far;
  while (s->at < thread->instr_count) {
    const struct instr *in = &thread->instrs[s->at];
    uint32_t end = body_of(r)->group_end[s->at];
    bool open = false;
    if (!body_of(r)->needless[s->at] && ++r->written > MOST_WRITTEN_OUT && !r->stopped) r->stopped = s->at + 1;
    if (r->stopped || (s->arrives && !block_arrive(r, s))) return true;
    if (in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT) jump(r, s, in, &open);
    else if (pass_by(r, s, end)) continue;
    else if (!do_group(r, s, end)) {
      s->so_far = r->so_far;
      VEC_PUSH(arena_of(r), &r->waiting, *s);
      return false;
    }
    if (open) return true;
    if (r->ended) break;
  }
  for (uint32_t i = 0; i < reg_count(r) && !r->ended; i++)
    if (r->run->observed && r->run->observed[i] && is_known(r, r->path.regs[i].value))
      remnant_move(r, s->block, i, r->path.regs[i], r->run->kernel->span);
  if (!r->ended) epochs_end(r); /* after a trap, no thread goes on */
  r->ended = false;
  block_close(r, s->block, NO_BLOCK);
  return true;
}

bool run_go_on(struct runner *r) {
  bool any = r->pending.len > 0;
  while (r->pending.len && !r->stopped) {
    struct progress_point s = r->pending.data[--r->pending.len];
    if (block_is_obsolete(r, s.block) || go_on(r, &s)) is_over(r, &s);
  }
  uint32_t kept = 0;
  VEC_EACH (s, &r->waiting) {
    if (block_is_obsolete(r, s->block)) is_over(r, s);
    else r->waiting.data[kept++] = *s;
  }
  r->waiting.len = kept;
  return any;
}

/* The registers of elect.sync lane|p. */
static void elected(const struct runner *r, const struct litmus_instr *ast, uint32_t to[2]) {
  const struct litmus_operand *pair = ast->operands, *item = pair && pair->kind == LITMUS_PAIR ? pair->u.items : NULL;
  for (uint32_t i = 0; i < 2; i++, item = item ? item->next : NULL)
    to[i] = item && item->u.ref.percent ? body_register(body_of(r), item->u.ref.name) : (uint32_t)NO_REG;
}

/* A vote's result is unknown, but it still implies something about the condition of this lane. */
static void pass_unknown(struct runner *r, const struct instr *in) {
  bool votes = run_meeting(in) == MEETING_EXCHANGE && guard_of(r) == TERM_TRUE && in->dst[0] != NO_REG;
  votes = votes && does(r->run->x, TECHNIQUE_VOTES);
  bool all = votes && in->barrier->exchange == EXCHANGE_ALL, any = votes && in->barrier->exchange == EXCHANGE_ANY;
  term_id brought = all || any ? walk_operand(&r->walk, &in->src[0], 1) : TERM_FALSE;
  if (brought != TERM_FALSE && in->barrier->negated) brought = term_not(r->walk.terms, brought);
  forget(r, in);
  if (brought != TERM_FALSE) learn_vote(&r->run->body.learning, r->path.regs[in->dst[0]].value, brought, all);
}

void run_pass(struct runner *r, struct progress_point *waiting, bool known, const term_id results[2]) {
  struct progress_point s = *waiting;
  const struct instr *in = &body_of(r)->thread->instrs[s.at];
  uint32_t end = body_of(r)->group_end[s.at];
  r->path.regs = s.regs, r->so_far = s.so_far;
  begin(r, s.at);
  uint32_t to[2] = {in->dst[0], in->dst[1]};
  bool elects = run_meeting(in) == MEETING_ELECT;
  if (elects) elected(r, in->ast, to);
  run_access_fragments(r, s.block, s.at, end);
  bool exchanges = elects || run_meeting(in) == MEETING_EXCHANGE || !known;
  r->latest = r->touches.len;
  r->strays = false;
  tiled_touch(r, in);
  uint32_t touches = r->touches.len - r->latest;
  if (exchanges) {
    struct remnant *left = remnant_add(r, s.block, s.at, end, known);
    left->met = results != NULL && !r->lacks;
    left->wanted = r->wanted;
    left->rows = r->rows;
    left->strays = r->strays;
    left->touch = r->latest, left->touches = touches;
  }
  for (uint32_t i = 0; i < 2 && known; i++)
    if (to[i] != NO_REG) {
      struct bitset reads = walk_no_reads(&r->walk);
      walk_add_reads(&r->walk, reads, &in->src[0]);
      give(r, to[i], results[i], false, reads);
    }
  if (!known) pass_unknown(r, in);
  s.so_far = r->so_far;
  go_to(r, &s, end);
  VEC_PUSH(arena_of(r), &r->pending, s);
}

void run_blank(struct runner *r, struct progress_point *standing) {
  uint64_t where;
  uint32_t at;
  r->path.regs = standing->regs;
  for (uint32_t i = standing->at; i < body_of(r)->group_end[standing->at]; i++) {
    const struct instr *in = &body_of(r)->thread->instrs[i];
    begin(r, i);
    bool loads = in->kind == INSTR_LOAD && run_address(r, &in->addr, &where), maps = !loads && tiled_map(r, in, &where);
    struct region *region = loads || maps ? run_find(r, where, &at) : NULL;
    uint32_t bytes = maps ? (uint32_t)MAP_BYTES : type_bytes(in->type) * in->elements;
    for (uint32_t k = 0; k < bytes && region && at + k < region->size; k++)
      if (region->cells[at + k] == CELL_BLANK) region->open[at + k] = true, region->cells[at + k] = CELL_OPEN;
  }
  VEC_PUSH(arena_of(r), &r->pending, *standing);
}

void run_give(struct runner *r, const char *name, uint64_t value) {
  uint32_t reg = body_register(body_of(r), intern(r->run->x->parse.names, name));
  if (reg != NO_REG) run_set(r, reg, term_const(r->walk.terms, value, 64), false);
}

struct runner *run_begin(struct kernel_run *run, uint32_t block, uint32_t tid, uint32_t number) {
  struct arena *arena = run->memory->arena;
  struct runner *r = ARENA_NEW(arena, struct runner);
  struct progress_point s = new_point(run);
  uint32_t loops = run->body.loops.len, registers = run->body.thread->reg_count;
  const struct runner *before = run->runners.len ? run->runners.data[run->runners.len - 1] : NULL;
  *r = (struct runner){.run = run, .number = number, .block = block, .tid = tid, .cta = run->first_cta + block};
  r->leads = !before || before->block != block || before->tid / WARP_LANES != tid / WARP_LANES;
  struct skeleton *skeleton = run->body.skeleton;
  r->walk = (struct walk){.s = skeleton, .terms = &skeleton->terms, .limit = REST_MARKS, .path = &r->path};
  r->walk.dependencies = ARENA_NEW(arena, struct dependencies);
  r->path =
      (struct path){.guard = TERM_TRUE, .reach = TERM_TRUE, .control = run->body.none, .cluster_arrival = NO_PARTNER};
  r->path.regs = s.regs;
  s.arrives = run->body.leader[0];
  s.from = UINT32_MAX;
  for (uint32_t i = 0; i < loops; i++) s.last[i] = NO_BLOCK;
  for (uint32_t i = 0; i < registers; i++) {
    unsigned width = run->body.thread->regs[i].type.width == 1 ? 1 : 64;
    run_set(r, i, term_const(r->walk.terms, 0, width), false);
  }
  s.block = block_add(r, NO_BLOCK, ARENA_ARRAY(arena, uint32_t, registers), NO_BLOCK);
  VEC_PUSH(arena, &r->pending, s);
  return r;
}
