/* Executes one instruction of a thread on constants: sets the registers that it writes, and notes the bytes that it
 * accesses. */
#include "kernel/rests.h"
#include "ptx/isa.h"

enum { TENSOR_UNIT = 32 };

static const struct body *body_of(const struct runner *r) { return &r->run->body; }

/* ---- Registers */

void run_set(struct runner *r, uint32_t reg, term_id value, bool is_signed) {
  if (reg != NO_REG) r->path.regs[reg] = (struct reg_state){value, is_signed, body_of(r)->none};
}

void run_give_up(struct runner *r, uint32_t reg) {
  unsigned width = body_of(r)->thread->regs[reg].type.width;
  run_set(r, reg, term_leaf(r->walk->terms, TERM_READ, UNNEEDED, width < 64 && width > 1 ? 64 : width), false);
}

/* A register keeps its value where the guard of the instruction fails. */
void run_write_reg(struct runner *r, uint32_t reg, term_id value, bool is_signed, struct bitset reads) {
  if (reg == NO_REG) return;
  struct reg_state *state = &r->path.regs[reg], given = {value, is_signed, reads};
  bool holds = r->walk->predicate == TERM_TRUE;
  bool wanted = bitset_has(body_of(r)->wanted, reg) || (holds && term_is_const(r->walk->terms, value));
  if (!wanted) run_give_up(r, reg);
  else *state = holds ? given : walk_choose(r->walk, r->walk->predicate, &given, state);
}

bool run_is_constant(const struct runner *r, term_id value) { return term_is_const(r->walk->terms, value); }

void run_forget(struct runner *r, const struct instr *in) {
  EACH_WRITTEN (reg, in) {
    unsigned width = body_of(r)->thread->regs[reg].type.width;
    if (!bitset_has(body_of(r)->wanted, reg)) run_give_up(r, reg);
    else run_write_reg(r, reg, run_unknown(r, width < 64 && width > 1 ? 64 : width), false, body_of(r)->none);
  }
}

void run_begin_instr(struct runner *r, uint32_t index) {
  r->walk->s->hazards.len = 0;
  walk_begin(r->walk, 0, index, index);
  rests_decide(r, r->walk->guard_reads);
}

/* ---- Addresses and operands */

bool run_address(struct runner *r, const struct address *address, uint64_t *out) {
  term_id base = walk_operand(r->walk, &address->base, 64);
  if (address->base.kind == OPERAND_REG) rests_decide(r, r->path.regs[address->base.reg].reads);
  *out = (uint64_t)term_get(r->walk->terms, base)->constant + (uint64_t)address->offset;
  return run_is_constant(r, base);
}

bool run_number(struct runner *r, const struct operand *operand, uint32_t *out) {
  term_id value = walk_operand(r->walk, operand, 32);
  *out = (uint32_t)term_get(r->walk->terms, value)->constant;
  return run_is_constant(r, value);
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
  struct terms *t = r->walk->terms;
  term_id where = walk_operand(r->walk, &in->src[0], in->type.width);
  term_id rank = walk_operand(r->walk, &in->src[1], 32);
  uint64_t address = (uint64_t)term_get(t, where)->constant, cta = (uint64_t)term_get(t, rank)->constant;
  unsigned width = in->alu == ALU_MAPA ? in->type.width : 32;
  if (!run_is_constant(r, where) || (in->alu == ALU_MAPA && !run_is_constant(r, rank)) || !is_shared(address))
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
  term_id a = walk_operand(r->walk, &in->src[0], 32), b = walk_operand(r->walk, &in->src[1], 32);
  if (!run_is_constant(r, a) || !run_is_constant(r, b)) return false;
  uint64_t address = (uint64_t)term_get(r->walk->terms, a)->constant;
  uint32_t mask = (uint32_t)term_get(r->walk->terms, b)->constant, high = mask >> RANK, low = mask & ((1u << RANK) - 1);
  bool first = in->alu == ALU_AND && high == FIRST, other = in->alu == ALU_XOR && high == OTHER && !low;
  if (!is_shared(address) || address > UINT32_MAX || !(first || other)) return false;
  uint64_t rank = first ? rank_of(r, address) & ~1u : rank_of(r, address) ^ 1;
  if (rank >= r->cluster_size) return false;
  uint64_t at = first ? (address % SHARED_WINDOW) & low : address % SHARED_WINDOW;
  *out = term_const(r->walk->terms, run_in_cta(r, address - address % SHARED_WINDOW + at, rank), 32);
  return true;
}

static term_id in_space(struct runner *r, const struct instr *in) {
  uint32_t at;
  term_id where = walk_operand(r->walk, &in->src[0], 64);
  if (!run_is_constant(r, where)) return run_unknown(r, 1);
  const struct region *region = run_find(r, (uint64_t)term_get(r->walk->terms, where)->constant, &at);
  if (!region) return run_unknown(r, 1);
  return term_const(r->walk->terms, region->space == in->space, 1);
}

/* ---- Arithmetic */

bool run_is_known(const struct runner *r, const struct instr *in) {
  if (type_is_float(in->type) || type_is_float(in->from)) return false;
  for (uint32_t i = 0; i < MAX_VECTOR; i++) {
    const struct operand *o = &in->src[i];
    bool known = o->kind == OPERAND_NONE || o->kind == OPERAND_IMM ||
                 (o->kind == OPERAND_REG && run_is_constant(r, r->path.regs[o->reg].value));
    if (!known) return false;
  }
  return true;
}

/* Executes an operation on constants, whose steps are then forgotten and were not looked for among the terms. False: it
 * is not one, and nothing has changed. */
static bool fold(struct runner *r, const struct instr *in) {
  struct terms *terms = r->walk->terms;
  const uint32_t before = terms->list.len;
  struct reg_state old[MAX_VECTOR];
  struct term results[MAX_VECTOR];
  if (!run_is_known(r, in) || r->walk->s->free.list.len || r->walk->predicate != TERM_TRUE) return false;
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    if (in->dst[i] != NO_REG) old[i] = r->path.regs[in->dst[i]];
  terms->apart = true;
  walk_operate(r->walk);
  terms->apart = false;
  bool known = !r->walk->s->hazards.len && !r->walk->s->refusal;
  for (uint32_t i = 0; i < MAX_VECTOR; i++) {
    if (in->dst[i] == NO_REG) continue;
    results[i] = *term_get(terms, r->path.regs[in->dst[i]].value);
    known = known && results[i].op == TERM_CONST;
  }
  terms->list.len = before;
  r->walk->s->hazards.len = 0;
  r->walk->s->refusal = NULL;
  for (uint32_t i = 0; i < MAX_VECTOR; i++) {
    if (in->dst[i] == NO_REG) continue;
    struct reg_state *reg = &r->path.regs[in->dst[i]];
    if (known) reg->value = term_const(terms, results[i].constant, results[i].width);
    else *reg = old[i];
  }
  return known;
}

static void do_arithmetic(struct runner *r, const struct instr *in) {
  term_id peer;
  if (walk_floats_unknown(r->walk)) { /* terms for all of it would be too many */
    run_forget(r, in);
  } else if (turns_to_peer(r, in, &peer)) {
    run_write_reg(r, in->dst[0], peer, false, body_of(r)->none);
  } else if (in->alu == ALU_MAPA || in->alu == ALU_CTARANK) {
    run_write_reg(r, in->dst[0], other_cta(r, in), false, body_of(r)->none);
  } else if (in->alu == ALU_ISSPACEP) {
    run_write_reg(r, in->dst[0], in_space(r, in), false, body_of(r)->none);
  } else if (in->alu == ALU_IS_CANCELED || in->alu == ALU_FIRST_CTA) {
    run_write_reg(r, in->dst[0], request_answer(r, in), false, body_of(r)->none);
  } else {
    if (fold(r, in)) return;
    walk_operate(r->walk);
    bool open = r->walk->s->hazards.len || r->walk->s->refusal;
    r->walk->s->refusal = NULL;
    if (open) run_forget(r, in);
  }
}

/* ---- Accesses */

/* A thread reads bytes at an address, or with `write` writes `value` to them; NULL: an unknown value. */
static void touch(struct runner *r, const struct address *address, enum space space, uint32_t bytes, bool write,
                  const value_t *value) {
  uint64_t where;
  if (!run_address(r, address, &where)) run_touch_anywhere(r, walk_address(r->walk, address, 0), space, bytes, write);
  else if (write) run_put(r, where, bytes, value);
  else run_touch(r, where, bytes, false);
}

/* The bytes of one element of a load. */
struct loading {
  struct region *region; /* NULL: the address is unknown, or not in one location */
  uint32_t at, size;
  enum cell cell;
  value_t constant; /* of a CELL_KNOWN */
};

static bool is_response(const struct runner *r, const struct loading *e) {
  return e->region && e->size == type_bytes(isa_type(PTX_B128)) && request_writes(r->run->memory, e->region, e->at);
}

static struct few both_responses(void) {
  return (struct few){2, type_bytes(isa_type(PTX_B128)), {response_value(false), response_value(true)}};
}

/* The values that the bytes may have. False: they are not few. */
static bool few_values(const struct runner *r, const struct loading *e, struct few *few) {
  if (e->region && memory_few(e->region, e->at, e->size, few)) return true;
  if (!is_response(r, e)) return false;
  *few = both_responses();
  return true;
}

/* A response as the elements of a vector: parts of one value. False: the load has another size, or no response. */
static bool load_parts(struct runner *r, const struct instr *in, const struct loading *first) {
  const struct loading whole = {.region = first->region, .at = first->at, .size = first->size * in->elements};
  struct terms *terms = r->walk->terms;
  const unsigned bits = 8 * whole.size, part = 8 * first->size;
  if (in->elements == 1 || first->cell == CELL_KNOWN || !is_response(r, &whole)) return false;
  term_id value = r->so_far.canceled ? term_const(terms, response_value(false), bits)
                                     : run_loaded(r, whole.region, whole.at, bits, 0);
  const struct few few = both_responses();
  if (!r->so_far.canceled) learn_leaf(&r->run->body.learning, value, learn_few(&r->run->body.learning, &few));
  for (uint32_t i = 0; i < in->elements; i++) {
    term_id from = term_binary(terms, TERM_SHR, value, term_const(terms, i * part, bits));
    run_write_reg(r, in->dst[i], term_resize(terms, from, part, false), in->type.kind == TYPE_SIGNED, body_of(r)->none);
  }
  return true;
}

/* A value is the number that an atomic or a load read. */
static void mark_draw(struct runner *r, term_id value, const struct draw *draw) {
  const uint64_t most = (uint64_t)value_mask(8 * draw->bytes);
  run_mark_drawn(r, value, &(struct drawn){.from = draw, .scale = 1, .most = most, .limit = most});
}

static void load_element(struct runner *r, const struct instr *in, uint32_t reg, const struct loading *e,
                         uint64_t state, uint32_t touches) {
  struct few few;
  bool canceled = r->so_far.canceled && is_response(r, e),
       known = canceled || (e->cell == CELL_KNOWN && !(e->region && rests_is_data(r, e->region, e->at, e->size)));
  bool is_few = !known && few_values(r, e, &few);
  value_t constant = canceled ? response_value(false) : e->constant;
  term_id value =
      known ? term_const(r->walk->terms, constant, 8 * e->size) : run_loaded(r, e->region, e->at, 8 * e->size, state);
  if (is_few) learn_leaf(&r->run->body.learning, value, learn_few(&r->run->body.learning, &few));
  if (!known && e->region && e->region->space == SPACE_SHARED && in->elements == 1)
    mark_draw(r, value, run_draw(r, touches, (struct draw){.region = e->region, .at = e->at, .bytes = e->size}));
  run_write_reg(r, reg, value, in->type.kind == TYPE_SIGNED,
                known || is_few ? rests_mark(r, e->region, e->at, e->size) : body_of(r)->none);
}

/* False: the memory read has no value yet, and may get one from a thread. */
static bool do_load(struct runner *r, const struct instr *in) {
  uint64_t where;
  uint32_t at = 0, size = type_bytes(in->type);
  struct region *region = run_address(r, &in->addr, &where) ? run_find(r, where, &at) : NULL;
  if (region && !memory_holds(r->run->memory, region, at, size * in->elements)) region = NULL;
  if (region && region->space == SPACE_SHARED && !instr_gives(in, r->run->body.wanted)) {
    touch(r, &in->addr, in->space, size * in->elements, false, NULL);
    run_forget(r, in);
    return true;
  }
  struct loading elements[MAX_VECTOR];
  for (uint32_t i = 0; i < in->elements; i++) {
    struct loading *e = &elements[i];
    *e = (struct loading){.region = region, .at = at + i * size, .size = size, .cell = CELL_OPEN};
    if (region) e->cell = run_get(r, where + i * size, size, &e->constant);
    if (e->cell == CELL_BLANK) return false;
  }
  const uint32_t touches = r->touches.len;
  touch(r, &in->addr, in->space, size * in->elements, false, NULL);
  if (load_parts(r, in, &elements[0])) return true;
  for (uint32_t i = 0; i < in->elements; i++)
    load_element(r, in, in->dst[i], &elements[i], region ? run_state(r, where + i * size, size) : 0, touches);
  return true;
}

/* Notes what a store to shared memory writes, whose touch is the last one. */
static void mark_stored(struct runner *r, uint32_t touches, term_id value) {
  struct touch *touch = r->touches.len == touches + 1 ? &r->touches.data[touches] : NULL;
  const bool is_store = touch && !touch->open && touch->region->space == SPACE_SHARED;
  struct drawn drawn;
  if (is_store && r->walk->predicate == TERM_TRUE && (run_drawn(r, value, &drawn) || run_chosen(r, value, &drawn)) &&
      !drawn.begins)
    touch->drawn = ARENA_COPY(r->run->memory->kept, &drawn);
}

static void do_store(struct runner *r, const struct instr *in) {
  uint32_t size = type_bytes(in->type);
  uint64_t where;
  if ((maps_replaces(in) || maps_copies(in)) && run_address(r, &in->addr, &where) && maps_change(r, in, where)) return;
  const bool vector = in->elements > 1 && run_address(r, &in->addr, &where);
  if (vector && !run_touch_whole(r, where, size * in->elements)) { /* its elements alone would be in order */
    run_touch(r, where, size * in->elements, true);
    return;
  }
  for (uint32_t i = 0; i < in->elements; i++) {
    struct address address = in->addr;
    address.offset += i * size;
    term_id value = walk_operand(r->walk, &in->src[in->packed ? i / 2 : i], in->packed ? 16 * size : 8 * size);
    value_t constant = term_get(r->walk->terms, value)->constant;
    if (in->packed && i % 2) constant >>= 8 * size;
    uint32_t t = r->touches.len;
    touch(r, &address, in->space, size, true, run_is_constant(r, value) ? &constant : NULL);
    struct bitset marks = walk_no_reads(r->walk);
    walk_add_reads(r->walk, marks, &in->src[in->packed ? i / 2 : i]);
    if (!in->packed) mark_stored(r, t, value);
    for (; t < r->touches.len; t++)
      rests_store(r->run->memory, r->touches.data[t].region, r->touches.data[t].at, size, marks);
  }
}

static void do_atom(struct runner *r, const struct instr *in) {
  term_id added = walk_operand(r->walk, &in->src[0], in->type.width);
  value_t sum = term_get(r->walk->terms, added)->constant;
  bool one = run_is_constant(r, added) && in->elements == 1 && r->walk->predicate == TERM_TRUE;
  bool adds = in->alu == ALU_ADD && one && !type_is_float(in->type), begins = in->alu == ALU_INC && one;
  r->sum = adds ? &sum : NULL;
  const uint32_t before = r->touches.len;
  touch(r, &in->addr, in->space, type_bytes(in->type) * in->elements, true, NULL);
  uint64_t where;
  uint32_t at = 0;
  struct region *region = run_address(r, &in->addr, &where) ? run_find(r, where, &at) : NULL;
  const struct draw own = {.region = region,
                           .at = at,
                           .bytes = type_bytes(in->type),
                           .added = begins ? 1 : (uint64_t)sum,
                           .limit = begins ? (uint64_t)sum : UINT64_MAX};
  struct draw *draw = (adds || begins) && region && sum ? run_draw(r, before, own) : NULL;
  r->sum = NULL;
  for (uint32_t i = 0; i < MAX_VECTOR; i++) {
    if (in->dst[i] == NO_REG) continue;
    term_id value = run_loaded(r, region, at, in->type.width, 0);
    if (draw) mark_draw(r, value, draw);
    run_write_reg(r, in->dst[i], value, in->type.kind == TYPE_SIGNED, body_of(r)->none);
  }
}

/* Touches the bytes at the multimem address, after which the operand is named, and the same bytes of each replica. */
static void do_multimem(struct runner *r, const struct instr *in) {
  uint64_t where;
  uint32_t at = 0, bytes = type_bytes(in->type) * in->elements;
  bool writes = in->multimem->action != MULTIMEM_LOAD_REDUCE;
  const struct region *region = run_address(r, &in->addr, &where) ? run_find(r, where, &at) : NULL;
  touch(r, &in->addr, SPACE_GLOBAL, bytes, writes, NULL);
  LIST_EACH (v, region ? region->replicas : NULL)
    run_touch(r, memory_named(r->run->memory, v->ref.name)->base + at, bytes, writes);
  run_forget(r, in);
}

/* ---- Tensor memory */

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
  *used |= known && r->walk->predicate == TERM_TRUE ? units(begin, columns)
                                                    : UINT32_MAX; /* all: no later address is known */
}

static void do_dealloc(struct runner *r, const struct instr *in) {
  uint32_t columns, begin;
  bool known = run_number(r, &in->async->tensor->count, &columns);
  memory_shares_columns(r->run->memory, use_of(r, true), false);
  known = run_number(r, &in->async->from.base, &begin) && known && r->walk->predicate == TERM_TRUE;
  if (!known) r->so_far.columns = UINT32_MAX;
  else if (begin < TENSOR_COLUMNS && r->so_far.columns != UINT32_MAX) r->so_far.columns &= ~units(begin, columns);
}

/* ---- Asynchronous operations and barriers */

static void use_object(struct runner *r, const struct address *object) {
  uint64_t where;
  if (run_address(r, object, &where)) run_touch_object(r, where);
  else run_touch_anywhere(r, TERM_FALSE, SPACE_SHARED, 0, true), memory_by_turns(r->run->memory);
}

static void do_multicast(struct runner *r, const struct async *a, uint32_t bytes) {
  uint64_t where, object;
  uint32_t mask;
  if (!run_number(r, &a->ctas, &mask)) mask = UINT32_MAX;
  if (run_address(r, &a->to, &where)) run_touch_ctas(r, where, bytes, mask);
  if (a->has_object && run_address(r, &a->object, &object)) run_touch_ctas(r, object, 0, mask);
}

/* Returns the number of bytes that the operation writes, 0 if it is unknown. */
static uint32_t touch_destination(struct runner *r, const struct instr *in) {
  const struct async *a = in->async;
  bool writes = a->action == ASYNC_COPY || a->action == ASYNC_BULK || a->action == ASYNC_STORE;
  uint32_t bytes;
  if (!run_number(r, &a->bytes, &bytes)) bytes = 0;
  if (a->action == ASYNC_STORE) bytes = type_bytes(in->type) * in->elements;
  if (writes && !a->to_map) touch(r, &a->to, SPACE_GENERIC, bytes, true, NULL);
  if (writes && a->ctas.kind != OPERAND_NONE) do_multicast(r, a, bytes);
  return bytes;
}

/* Of cp.async, the bytes past those that it fills with zeros are not read. */
static void touch_source(struct runner *r, const struct async *a, uint32_t bytes) {
  bool reads = a->action == ASYNC_COPY || (a->action == ASYNC_BULK && !a->from_map);
  uint32_t filled = bytes;
  if (a->filled.kind != OPERAND_NONE && !(run_number(r, &a->filled, &filled) && filled <= bytes)) filled = bytes;
  if (reads && filled) touch(r, &a->from, SPACE_GENERIC, filled, false, NULL);
}

static void do_async(struct runner *r, const struct instr *in) {
  const struct async *a = in->async;
  touch_source(r, a, touch_destination(r, in));
  if (a->action == ASYNC_CANCEL) request_send(r, in);
  if (a->has_object) use_object(r, &a->object);
  if (a->action == ASYNC_TENSOR_ALLOC) do_alloc(r, in);
  if (a->action == ASYNC_TENSOR_FREE) do_dealloc(r, in);
  run_forget(r, in);
}

static enum brings predicate_of(struct runner *r, const struct barrier *barrier) {
  term_id value = walk_operand(r->walk, &barrier->predicate, 1);
  return !run_is_constant(r, value)                 ? BRINGS_ANY
         : (value == TERM_TRUE) != barrier->negated ? BRINGS_TRUE
                                                    : BRINGS_FALSE;
}

static void do_barrier(struct runner *r, const struct instr *in) {
  const struct operand *predicate = &in->barrier->predicate;
  epochs_pass(r, in);
  r->brings = in->barrier->action == BARRIER_RED ? predicate_of(r, in->barrier) : BRINGS_ANY;
  if (predicate->kind == OPERAND_REG) rests_decide(r, r->path.regs[predicate->reg].reads);
  run_forget(r, in);
}

/* False: it waits for the value of a tensor map. */
static bool do_unmodelled(struct runner *r, const struct instr *in) {
  if (tiled_waits(r, in)) return false;
  if (in->form == FORM_TEXTURE) r->run->memory->textures = true;
  tiled_touch(r, in);
  run_forget(r, in);
  return true;
}

bool run_execute(struct runner *r, const struct instr *in) {
  switch (in->kind) {
    case INSTR_ALU: do_arithmetic(r, in); return true;
    case INSTR_LOAD: return do_load(r, in);
    case INSTR_STORE: do_store(r, in); return true;
    case INSTR_ATOM:
    case INSTR_RED: do_atom(r, in); return true;
    case INSTR_MBARRIER:
      if (in->mbarrier->action != MBARRIER_PENDING) use_object(r, &in->mbarrier->object);
      run_forget(r, in);
      return true;
    case INSTR_ASYNC: do_async(r, in); return true;
    case INSTR_BARRIER: do_barrier(r, in); return true;
    case INSTR_MULTIMEM: do_multimem(r, in); return true;
    case INSTR_UNSUPPORTED: return do_unmodelled(r, in);
    case INSTR_FENCE:
    case INSTR_PROXY_FENCE:
    case INSTR_GRID_LAUNCH:
    case INSTR_GRID_WAIT:
    case INSTR_HOST_LAUNCH:
    case INSTR_HOST_SYNC:
    case INSTR_GROUP:
    case INSTR_BRANCH:
    case INSTR_EXIT:
    case INSTR_TRAP:
    case INSTR_NOTHING: return true;
  }
  BUG("no instruction kind %d", (int)in->kind);
}
