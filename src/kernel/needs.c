/* Removes instructions that are irrelevant to safety (docs/semantics.md K4): those whose values reach no address,
 * branch or barrier, through registers or memory. Stores of such values store 0. */

#include "kernel/columns.h"
#include "kernel/rests.h"
#include "ptx/isa.h"

struct need {
  struct launching *launch;
  struct bitset *bytes; /* by region: the bytes whose values matter */
  struct bitset regs;   /* of the current thread */
  bool *kept;           /* of this thread, by block: its branch makes a difference */
  struct bitset brought; /* of its warp, by instruction: exchanges whose result some lane needs, so that every lane
                          * computes the value that it gives; the bit after the last instruction: all exchanges */
  const uint32_t *accumulators; /* of this thread: tiled_accumulators */
  uint32_t **alone;             /* by region and byte: 1 more than the number of the only thread that accesses it;
                                 * SHARED; 0: none */
  struct bitset *stored;        /* by region: the bytes that some thread writes */
  const bool *written;          /* tensors_written */
  bool changed;
};

static void need_reg(struct need *n, uint32_t reg) {
  if (reg == NO_REG || bitset_has(n->regs, reg)) return;
  bitset_add(n->regs, reg);
  n->changed = true;
}

static void need_operand(struct need *n, const struct operand *operand) {
  if (operand->kind == OPERAND_REG) need_reg(n, operand->reg);
}

/* One past the last byte that an access may have. */
static uint32_t reach_end(const struct touch *touch) { return touch->open ? touch->region->size : touch_end(touch); }

static void need_bytes(struct need *n, const struct runner *r, const struct remnant *left) {
  EACH_TOUCH (touch, r, left)
    for (uint32_t k = touch->at; k < reach_end(touch); k++)
      if (!bitset_has(n->bytes[touch->region->number], k))
        bitset_add(n->bytes[touch->region->number], k), n->changed = true;
}

/* True for an instruction that stores into tensor memory: a load from there with a needed result is refused (K3). */
static bool stores_cells(const struct runner *r, const struct remnant *left) {
  const struct instr *in = left->begin == left->end ? NULL : &r->run->body.thread->instrs[left->end - 1];
  return in && in->kind == INSTR_ASYNC && in->async->action == ASYNC_TENSOR_STORE;
}

/* True if a value that the instruction writes matters. */
static bool bytes_needed(const struct need *n, const struct runner *r, const struct remnant *left) {
  bool any = stores_cells(r, left);
  EACH_TOUCH (touch, r, left) {
    any = any || touch->bytes || touch->open;
    for (uint32_t k = touch->at; k < reach_end(touch); k++)
      if (bitset_has(n->bytes[touch->region->number], k)) return true;
  }
  return !any;
}

static bool reaches_anywhere(const struct runner *r, const struct remnant *left) {
  EACH_TOUCH (touch, r, left)
    if (touch->open) return true;
  return false;
}

/* ---- memory that only one thread accesses, or that no thread writes */

enum { SHARED = UINT32_MAX }; /* also marks the bytes that an asynchronous operation accesses */

static void note_alone(struct need *n, const struct runner *r) {
  VEC_EACH (touch, &r->touches) {
    uint32_t *alone = n->alone[touch->region->number];
    for (uint32_t k = touch->at; k < reach_end(touch); k++) {
      alone[k] = !alone[k] || alone[k] == r->number + 1 ? r->number + 1 : (uint32_t)SHARED;
      if (touch->writes) bitset_add(n->stored[touch->region->number], k);
    }
  }
}

/* The accesses of an asynchronous operation are not ordered with those of its thread. */
static void note_operations(struct need *n, struct runner *r) {
  EACH_LEFT (left, r) {
    const struct instr *in = left->begin == left->end ? NULL : &r->run->body.thread->instrs[left->end - 1];
    if (!in || (in->kind != INSTR_ASYNC && tiled_kind(in) == TILED_NONE)) continue;
    EACH_TOUCH (touch, r, left)
      for (uint32_t k = touch->at; k < touch_end(touch); k++) n->alone[touch->region->number][k] = SHARED;
  }
}

static void find_alone(struct need *n) {
  const struct launching *l = n->launch;
  struct arena *arena = l->memory.arena;
  n->alone = ARENA_ARRAY(arena, uint32_t *, l->memory.regions.len);
  n->stored = ARENA_ARRAY(arena, struct bitset, l->memory.regions.len);
  for (uint32_t i = 0; i < l->memory.regions.len; i++) {
    n->alone[i] = ARENA_ARRAY(arena, uint32_t, l->memory.regions.data[i]->size);
    n->stored[i] = bitset_new(arena, l->memory.regions.data[i]->size);
  }
  EACH_RUNNER (r, l) {
    note_alone(n, r);
    note_operations(n, r);
  }
}

/* True for an access to global memory that cannot race and reads an initial value or one of its own thread: a weak
 * access to bytes that no other thread accesses, or a non-acquiring load of bytes that no thread writes. */
static bool is_alone(const struct need *n, const struct runner *r, const struct instr *in, const struct remnant *left) {
  bool loads = in->kind == INSTR_LOAD && (in->sem == SEM_WEAK || in->sem == SEM_RELAXED) && !in->is_mmio;
  bool plain = loads || (in->kind == INSTR_STORE && in->sem == SEM_WEAK);
  if (!plain || in->proxy != PROXY_GENERIC || !left->touches || reaches_anywhere(r, left)) return false;
  if (r->touches.data[left->touch].at % (type_bytes(in->type) * in->elements)) return false; /* misaligned: undefined */
  EACH_TOUCH (touch, r, left) {
    if (touch->region->space != SPACE_GLOBAL || touch->region->whole) return false;
    for (uint32_t k = touch->at; k < touch_end(touch); k++) {
      bool own = in->sem == SEM_WEAK && n->alone[touch->region->number][k] == r->number + 1;
      if (!own && !(loads && !bitset_has(n->stored[touch->region->number], k))) return false;
    }
  }
  return true;
}

static bool is_result_needed(const struct need *n, const struct thread *thread, const struct remnant *left) {
  for (uint32_t i = left->begin; i < left->end; i++)
    for (uint32_t k = 0; k < instr_result_count(&thread->instrs[i]); k++) {
      uint32_t reg = instr_result(&thread->instrs[i], k);
      if (reg != NO_REG && bitset_has(n->regs, reg)) return true;
    }
  return false;
}

static void need_sources(struct need *n, const struct instr *in) {
  uint32_t sources[MAX_SOURCES], count = instr_sources(in, sources);
  for (uint32_t i = 0; i < count; i++) need_reg(n, sources[i]);
}

static void need_values(struct need *n, const struct instr *in) {
  for (uint32_t i = 0; i < MAX_VECTOR; i++) need_operand(n, &in->src[i]);
}

/* True for st.async, red.async and tcgen05.st, whose values come from registers. */
static bool is_async_store(const struct instr *in) {
  return in->kind == INSTR_ASYNC &&
         (in->async->action == ASYNC_STORE || in->async->action == ASYNC_TENSOR_STORE);
}

/* The sources of an operation other than the values that it stores. */
static void need_places(struct need *n, const struct instr *in) {
  struct async async = *in->async;
  struct instr bare = *in;
  memset(bare.src, 0, sizeof bare.src);
  async.tensor = NULL; /* a tcgen05.st has only values there */
  bare.async = &async;
  need_sources(n, &bare);
}

static bool is_exchange(const struct instr *in) {
  return in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES;
}

static bool reduces_replicas(const struct instr *in) {
  return in->kind == INSTR_MULTIMEM && in->multimem->action == MULTIMEM_LOAD_REDUCE;
}

/* True if the instruction itself writes values of registers; ldmatrix, which writes none, may count as well. */
static bool is_write(const struct instr *in) {
  return in->kind == INSTR_STORE || in->kind == INSTR_ATOM || in->kind == INSTR_RED || tiled_kind(in) == TILED_ROWS ||
         (in->kind == INSTR_MULTIMEM && !reduces_replicas(in)) || is_async_store(in);
}

/* True if the instruction only computes. elect does not: it also waits for lanes (G88). */
static bool is_pure(const struct instr *in) {
  if (run_meeting(in) == MEETING_ELECT) return false;
  return in->kind == INSTR_ALU || (in->kind == INSTR_UNSUPPORTED && in->pure);
}

/* True if the atomic may leave memory unwritten, depending on its operands. */
static bool may_not_write(const struct instr *in) { return in->alu == ALU_CAS; }

static bool is_brought(const struct need *n, const struct thread *thread, const struct remnant *left) {
  return bitset_has(n->brought, left->end - 1) || bitset_has(n->brought, thread->instr_count);
}

/* Marks the exchange as needed. Lanes that have not met may be at different instructions: marks all exchanges. */
static void bring(struct need *n, const struct thread *thread, const struct remnant *left) {
  if (is_brought(n, thread, left)) return;
  bitset_add(n->brought, left->met ? left->end - 1 : thread->instr_count);
  n->changed = true;
}

/* The register that has the address of rows outside every location. */
static void need_rows(struct need *n, const struct runner *r, const struct remnant *left) {
  for (const struct litmus_operand *o = left->instr->operands; o; o = o->next)
    if (o->kind == LITMUS_TENSOR && o->u.tensor.ref.percent)
      need_reg(n, body_register(&r->run->body, o->u.tensor.ref.name));
}

static void need_left(struct need *n, const struct runner *r, const struct remnant *left) {
  const struct thread *thread = r->run->body.thread;
  const struct instr *in = &thread->instrs[left->end - 1];
  bool result = is_result_needed(n, thread, left) && !left->folded;
  if (left->begin == left->end) { /* a move of a constant, or a mark */
    if (aligned_is_mark(left->instr) && left->instr->guard) need_reg(n, thread->instrs[left->begin].guard.reg);
    return;
  }
  for (uint32_t i = left->begin; i < left->end; i++) {
    const struct instr *part = &thread->instrs[i];
    if (part->guard.present) need_reg(n, part->guard.reg);
    need_operand(n, &part->addr.base);
    if (is_async_store(part)) need_places(n, part);
    else if (is_pure(part) ? result : part->kind != INSTR_LOAD && !is_write(part) && !is_exchange(part))
      need_sources(n, part);
  }
  bool reads =
      in->kind == INSTR_LOAD || in->kind == INSTR_ATOM || reduces_replicas(in) || tiled_kind(in) == TILED_ROWS;
  if (reads && result) need_bytes(n, r, left);
  if (tiled_kind(in) == TILED_ROWS) need_rows(n, r, left);
  bool copies = in->kind == INSTR_ASYNC || tiled_kind(in) == TILED_COPY || tiled_kind(in) == TILED_PRODUCT;
  if (copies && bytes_needed(n, r, left)) need_bytes(n, r, left); /* the bytes it copies */
  if (is_exchange(in) && result) bring(n, thread, left);
  if (is_exchange(in) && is_brought(n, thread, left)) need_sources(n, in);
  if (is_write(in) && (bytes_needed(n, r, left) || may_not_write(in))) need_values(n, in);
}

static void each_left(struct need *n, struct runner *r) {
  for (uint32_t b = 0; b < r->blocks.len; b++) {
    const struct block *block = &r->blocks.data[b];
    if (block->guard && n->kept[b]) need_reg(n, r->run->body.thread->instrs[block->split].guard.reg);
    for (uint32_t k = 0; k < block->code.len; k++) need_left(n, r, &block->code.data[k]);
  }
}

/* ---- The instructions to remove */

static struct litmus_number zero(const struct instr *in, struct span span) {
  struct litmus_number number = {.span = span};
  if (in->type.kind == TYPE_FLOAT && in->type.width == 32) number.kind = LITMUS_F32;
  if (in->type.kind == TYPE_FLOAT && in->type.width == 64) number.kind = LITMUS_F64;
  return number;
}

/* Replaces a register computed from an accumulator by that accumulator's first: a use of either requires the wait. */
static bool is_accumulator(const struct need *n, const struct runner *r, struct litmus_ref *ref) {
  uint32_t reg = body_register(&r->run->body, ref->name), stands = reg == NO_REG ? reg : n->accumulators[reg];
  if (stands == NO_REG) return false;
  ref->name = r->run->body.thread->regs[stands].name;
  return true;
}

/* Registers among the values become 0. */
static void clear_values(const struct need *n, const struct runner *r, const struct instr *in,
                         struct litmus_operand *operand) {
  for (; operand; operand = operand->next) {
    if (operand->kind == LITMUS_VECTOR) clear_values(n, r, in, operand->u.items);
    if (operand->kind != LITMUS_NAME || !operand->u.ref.percent) continue;
    if (in->type.width <= 32 && is_accumulator(n, r, &operand->u.ref)) continue;
    operand->kind = LITMUS_NUMBER;
    operand->u.number = zero(in, operand->span);
  }
}

static bool zero_fits(const struct instr *in) {
  bool half = type_is_float(in->type) && in->type.width == 16;
  return !half && !in->packed;
}

static void clear_written(const struct need *n, const struct runner *r, const struct instr *in,
                          struct litmus_instr *instr) {
  bool result = in->kind == INSTR_ATOM;
  struct litmus_operand *place = result && instr->operands ? instr->operands->next : instr->operands;
  if (place && zero_fits(in)) clear_values(n, r, in, place->next);
}

/* Clears the value that a lane brings; a predicate stays a predicate. */
static void clear_brought(const struct instr *in, struct litmus_instr *instr) {
  struct litmus_operand *value = instr->operands ? instr->operands->next : NULL;
  if (!value || in->barrier->exchange <= EXCHANGE_BALLOT || value->kind != LITMUS_NAME) return;
  value->kind = LITMUS_NUMBER;
  value->u.number = zero(in, value->span);
}

static bool moves_needed(const struct need *n, const struct runner *r, const struct litmus_instr *instr) {
  if (aligned_is_mark(instr)) return true;
  uint32_t reg = body_register(&r->run->body, instr->operands->u.ref.name);
  return reg == NO_REG || bitset_has(n->regs, reg);
}

/* A product writes one register, which represents its accumulator. If the value of a register matters, the product is
 * not modelled. */
static void drop_accumulators(const struct need *n, const struct runner *r, struct litmus_instr *instr) {
  struct litmus_operand *to = instr->operands, *first = to->kind == LITMUS_VECTOR ? to->u.items : NULL;
  for (struct litmus_operand *item = first; item; item = item->next) {
    uint32_t reg = body_register(&r->run->body, item->u.ref.name);
    if (reg == NO_REG || bitset_has(n->regs, reg)) return;
  }
  if (!first || !is_accumulator(n, r, &first->u.ref)) return;
  struct litmus_operand *rest = to->next;
  *to = *first;
  to->next = rest;
}

/* True if threads without a column write bytes that the instruction reads, so that its value is unknown (K3, K5). */
static bool reads_behind(const struct runner *r, const struct remnant *left) {
  EACH_TOUCH (touch, r, left)
    for (uint32_t k = touch->at; k < touch_end(touch); k++)
      if (touch->region->behind[k]) return true;
  return false;
}

/* True for an access to local memory, whose values are known or lost: it has no place in columns. */
static bool is_local(const struct runner *r, const struct remnant *left) {
  EACH_TOUCH (touch, r, left)
    if (touch->region->space == SPACE_LOCAL) return true;
  return false;
}

/* True for a weak access to known bytes, or a cp.async of known sizes or a product, whose values do not matter. */
static bool is_idle(const struct need *n, const struct runner *r, const struct remnant *left, const struct instr *in,
                    bool result) {
  struct row_access rows;
  if (left->instr->guard || left->instr->refused || !left->touches || reaches_anywhere(r, left)) return false;
  for (uint32_t i = 0; i < instr_result_count(in); i++) /* an unfinished product still writes its register (AG3) */
    if (instr_result(in, i) != NO_REG && n->accumulators[instr_result(in, i)] != NO_REG &&
        tiled_kind(in) != TILED_PRODUCT)
      return false;
  if (rows_read(in->ast, &rows)) return rows.loads ? !result : !bytes_needed(n, r, left);
  if (strcmp(in->ast->opcode.text, "wgmma") == 0 && tiled_kind(in) == TILED_PRODUCT)
    return left->instr->operands->kind == LITMUS_NAME;
  bool weak = in->sem == SEM_WEAK && !in->is_volatile && !in->is_mmio && in->proxy == PROXY_GENERIC;
  if (in->kind == INSTR_LOAD) return weak && (!result || left->folded);
  if (in->kind == INSTR_STORE) return weak && !bytes_needed(n, r, left);
  if (in->kind != INSTR_ASYNC || in->async->action != ASYNC_COPY || bytes_needed(n, r, left)) return false;
  for (const struct litmus_operand *o = left->instr->operands->next->next; o; o = o->next)
    if (o->kind != LITMUS_NUMBER) return false;
  return true;
}

/* ---- uses, in dropped instructions, of registers that an asynchronous operation writes (AG3, AG4) */

static bool is_loaded(const struct runner *r, uint32_t reg) {
  const struct thread *thread = r->run->body.thread;
  for (uint32_t i = 0; i < thread->instr_count; i++)
    for (uint32_t k = 0; k < instr_result_count(&thread->instrs[i]) && instr_loads_tensor(&thread->instrs[i]); k++)
      if (instr_result(&thread->instrs[i], k) == reg) return true;
  return false;
}

/* The first register of an accumulator, or of the results of tcgen05.ld, that an instruction uses. Arithmetic counts
 * only if it uses a result of tcgen05.ld itself. */
static uint32_t result_used(const struct need *n, const struct runner *r, const struct remnant *left) {
  const struct thread *thread = r->run->body.thread;
  for (uint32_t i = left->begin; i < left->end; i++) {
    uint32_t sources[MAX_SOURCES], count = instr_sources(&thread->instrs[i], sources);
    for (uint32_t k = 0; k < count; k++)
      if (n->accumulators[sources[k]] != NO_REG && (!is_pure(&thread->instrs[i]) || is_loaded(r, sources[k])))
        return n->accumulators[sources[k]];
  }
  return NO_REG;
}

/* A move of the register to itself, in place of the dropped instruction. */
static void drop_instr(const struct need *n, struct runner *r, struct remnant *left) {
  uint32_t reg = result_used(n, r, left);
  left->instr = reg == NO_REG ? NULL : remnant_use(r, reg, left->instr->span);
}

/* tcgen05.st is one operation of a warp (K5), which stays in the first column only. */
static bool is_behind_warp(const struct runner *r, const struct instr *in) {
  return in->kind == INSTR_ASYNC && in->async->action == ASYNC_TENSOR_STORE && !rows_first_of_warp(r);
}

/* True if the value that the instruction reads from memory matters. */
static bool matters(const struct need *n, const struct runner *r, const struct remnant *left) {
  const struct thread *thread = r->run->body.thread;
  const struct instr *in = &thread->instrs[left->end - 1];
  bool result = is_result_needed(n, thread, left);
  if (in->kind == INSTR_LOAD || reduces_replicas(in) || tiled_kind(in) == TILED_ROWS) return result;
  return in->kind == INSTR_ATOM && (result || may_not_write(in));
}

/* True if a thread changes the result of a bar.red. */
static bool brings(const struct runner *r, const struct instr *in, const struct remnant *like) {
  EACH_LEFT (left, r) {
    if (left->begin != like->begin || left->end != like->end) continue;
    enum brings neutral = in->barrier->reduction == REDUCE_AND ? BRINGS_TRUE : BRINGS_FALSE;
    if (left->brings != neutral) return true;
  }
  return false;
}

/* Calls a function for each thread without a column that changes the needed result of a bar.red. */
static bool each_bringing(const struct need *n, const struct runner *r, const struct remnant *left,
                          bool (*each)(const struct kernel_run *, struct runner *)) {
  const struct instr *in = left->begin == left->end ? NULL : &r->run->body.thread->instrs[left->end - 1];
  if (!in || in->kind != INSTR_BARRIER || in->barrier->kind != BARRIER_CTA || in->barrier->action != BARRIER_RED)
    return false;
  bool any = false;
  if (!is_result_needed(n, r->run->body.thread, left)) return false;
  VEC_VALUES (other, &r->run->runners)
    if (!other->column && other->block == r->block && brings(other, in, left)) any = each(r->run, other) || any;
  return any;
}

static bool always(const struct kernel_run *run, struct runner *r) { return run == r->run; }

static void drop_left(const struct need *n, struct runner *r, struct remnant *left) {
  const struct thread *thread = r->run->body.thread;
  left->quiet = left->begin == left->end;
  if (left->is_use) return;
  if (left->quiet) {
    if (!moves_needed(n, r, left->instr)) left->instr = NULL;
    return;
  }
  const struct instr *in = &thread->instrs[left->end - 1];
  const struct litmus_instr *own = left->instr;
  bool pure = true, result = is_result_needed(n, thread, left);
  for (uint32_t i = left->begin; i < left->end; i++) pure = pure && is_pure(&thread->instrs[i]);
  bool used = matters(n, r, left);
  const struct reason *opaque = reason_get(REASON_OPAQUE_VALUE);
  if (used && !left->folded && reads_behind(r, left)) left->instr->refused = opaque;
  if (each_bringing(n, r, left, always)) left->instr->refused = opaque;
  if (used && !left->folded && is_local(r, left)) left->instr->refused = reason_get(REASON_LOCAL_VALUE);
  if (used && in->kind == INSTR_LOAD && r->column) rests_load(r, left);
  if (instr_loads_tensor(in) && result) left->instr->refused = opaque; /* a product may have made it (K3) */
  if ((maps_replaces(in) || maps_copies(in)) && bytes_needed(n, r, left))
    left->instr->refused = reason_get(REASON_TENSOR_MADE);
  if (tiled_kind(in) == TILED_PRODUCT) drop_accumulators(n, r, left->instr);
  if (tiled_kind(in) == TILED_COPY && !bytes_needed(n, r, left)) tensor_settle(n->launch, left->instr, n->written);
  bool needed = in->kind == INSTR_LOAD ? result : in->kind == INSTR_STORE && bytes_needed(n, r, left);
  bool local = !used && is_local(r, left); /* nothing in columns reads what it writes */
  if (local || (pure && !result) || (!needed && is_alone(n, r, in, left)) || is_behind_warp(r, in))
    drop_instr(n, r, left);
  else if (is_write(in) && !bytes_needed(n, r, left) && !may_not_write(in)) clear_written(n, r, in, left->instr);
  if (is_exchange(in)) left->folded = !is_brought(n, thread, left);
  if (is_exchange(in) && left->folded) clear_brought(in, left->instr);
  bool updates = in->kind == INSTR_ATOM || in->kind == INSTR_RED;
  left->blind = updates && !used && !bytes_needed(n, r, left) && left->instr && !own->guard && !own->refused;
  left->quiet = pure || left->instr != own; /* a use of a register remains */
  left->idle = left->instr == own && is_idle(n, r, left, in, result);
}

static void need_observed(const struct runner *r, struct bitset regs) {
  for (uint32_t i = 0; i < r->run->body.thread->reg_count && r->run->observed; i++)
    if (r->run->observed[i]) bitset_add(regs, i);
}

/* ---- branches that make no difference: both paths reach the same point without an effect in between */

enum { NOT_YET = 0, AT_END = 1, FIRST_PLACE = 2, PLACES = 1 << 12 };

static bool has_effect(const struct need *n, const struct runner *r, const struct remnant *left) {
  const struct thread *thread = r->run->body.thread;
  if (left->begin == left->end) return left->is_use || moves_needed(n, r, left->instr);
  bool pure = true;
  for (uint32_t i = left->begin; i < left->end; i++) pure = pure && is_pure(&thread->instrs[i]);
  const struct instr *in = &thread->instrs[left->end - 1];
  bool idle = pure || (in->kind == INSTR_LOAD && is_alone(n, r, in, left));
  return !idle || is_result_needed(n, thread, left);
}

/* The first place with an effect that all paths from a block share. */
static uint64_t first_of(const struct need *n, const struct runner *r, const uint64_t *first, uint32_t block) {
  const struct block *b = &r->blocks.data[block];
  for (uint32_t k = 0; k < b->code.len; k++)
    if (has_effect(n, r, &b->code.data[k])) return FIRST_PLACE + (uint64_t)block * PLACES + (k < PLACES - 1 ? k : 0);
  uint64_t other = b->next[0] == NO_BLOCK ? (uint64_t)AT_END : first[b->next[0]];
  if (!b->guard) return other;
  if (n->kept[block]) return FIRST_PLACE + (uint64_t)block * PLACES + PLACES - 1;
  uint64_t taken = b->next[1] == NO_BLOCK ? (uint64_t)AT_END : first[b->next[1]];
  return taken == other ? other : (uint64_t)NOT_YET;
}

static bool keep_some(struct need *n, const struct runner *r, const uint64_t *first, bool all) {
  bool any = false;
  for (uint32_t b = 0; b < r->blocks.len; b++) {
    const struct block *block = &r->blocks.data[b];
    if (!block->guard || n->kept[b] || first[b] != NOT_YET) continue;
    uint64_t other = block->next[0] == NO_BLOCK ? (uint64_t)AT_END : first[block->next[0]];
    uint64_t taken = block->next[1] == NO_BLOCK ? (uint64_t)AT_END : first[block->next[1]];
    if (!all && (other == NOT_YET || taken == NOT_YET)) continue;
    n->kept[b] = n->changed = any = true;
  }
  return any;
}

static void keep_branches(struct need *n, const struct runner *r) {
  uint64_t *first = ARENA_ARRAY(n->launch->memory.arena, uint64_t, r->blocks.len);
  for (bool found = true; found;) {
    found = false;
    for (uint32_t b = r->blocks.len; b-- > 0;) {
      uint64_t now = first[b] == NOT_YET ? first_of(n, r, first, b) : first[b];
      found = found || now != first[b];
      first[b] = now;
    }
  }
  if (!keep_some(n, r, first, false)) keep_some(n, r, first, true);
}

static bool *branches_kept(struct arena *arena, const struct runner *r) {
  bool *kept = ARENA_ARRAY(arena, bool, r->blocks.len);
  for (uint32_t b = 0; b < r->blocks.len; b++) {
    const struct block *block = &r->blocks.data[b];
    if (block->guard) kept[b] = bitset_has(r->run->body.read, r->run->body.thread->instrs[block->split].guard.reg);
  }
  return kept;
}

static void drop_branches(const struct need *n, struct runner *r) {
  for (uint32_t b = 0; b < r->blocks.len; b++) {
    struct block *block = &r->blocks.data[b];
    if (!block->guard || n->kept[b]) continue;
    block->guard = NULL;
    block->next[1] = NO_BLOCK;
  }
}

static void drop_all(struct need *n, struct runner *r) {
  n->accumulators = tiled_accumulators(n->launch->memory.arena, &r->run->body);
  drop_branches(n, r);
  EACH_LEFT (left, r)
    drop_left(n, r, left);
}

/* ---- all columns */

/* A column, with its needed registers and instructions. */
struct needed_column {
  struct runner *runner;
  struct bitset regs, brought;
  bool *kept;
};

struct needed_columns {
  VEC(struct needed_column) list;
};

static void add_column(struct arena *arena, struct needed_columns *columns, struct runner *r) {
  const struct needed_column *last = columns->list.len ? &columns->list.data[columns->list.len - 1] : NULL;
  uint32_t instrs = r->run->body.thread->instr_count;
  struct needed_column column = {.runner = r, .regs = bitset_new(arena, r->run->body.thread->reg_count + 1)};
  column.brought = last && run_same_warp(last->runner, r) ? last->brought : bitset_new(arena, instrs + 1);
  column.kept = branches_kept(arena, r);
  need_observed(r, column.regs);
  VEC_PUSH(arena, &columns->list, column);
}

static struct runner *look_at(struct need *n, const struct needed_columns *columns, uint32_t index) {
  const struct needed_column *column = &columns->list.data[index];
  n->regs = column->regs;
  n->brought = column->brought;
  n->kept = column->kept;
  return column->runner;
}

/* Finds the needed registers (flow-insensitively) and the needed bytes of all threads. */
static void find_needed(struct need *n, struct needed_columns *columns) {
  struct launching *l = n->launch;
  struct arena *arena = l->memory.arena;
  n->bytes = ARENA_ARRAY(arena, struct bitset, l->memory.regions.len);
  for (uint32_t i = 0; i < l->memory.regions.len; i++) n->bytes[i] = bitset_new(arena, l->memory.regions.data[i]->size);
  EACH_COLUMN (r, l)
    add_column(arena, columns, r);
  for (uint32_t i = 0; i < l->memory.regions.len && l->x->parse.test->condition; i++) bitset_fill(n->bytes[i]);
  for (n->changed = true; n->changed;) {
    n->changed = false;
    for (uint32_t i = 0; i < columns->list.len; i++) each_left(n, look_at(n, columns, i));
    for (uint32_t i = 0; i < columns->list.len && !n->changed; i++) keep_branches(n, look_at(n, columns, i));
  }
}

/* Lanes whose values decide results that are needed. */
static uint32_t lanes_wanted(const struct need *n, const struct runner *r) {
  const struct thread *thread = r->run->body.thread;
  uint32_t lanes = 0;
  EACH_LEFT (left, r) {
    if (left->begin == left->end || left->folded || !is_exchange(&thread->instrs[left->end - 1])) continue;
    if (is_result_needed(n, thread, left)) lanes |= left->wanted;
  }
  return lanes;
}

/* Turns the lanes whose values decide needed results into columns. */
static bool add_lanes(struct need *n, const struct needed_columns *columns) {
  bool any = false;
  for (uint32_t i = 0; i < columns->list.len; i++) {
    const struct runner *r = look_at(n, columns, i);
    uint32_t lanes = lanes_wanted(n, r);
    EACH_RUNNER (other, n->launch)
    if (!other->column && run_same_warp(r, other) && lanes >> other->tid % WARP_LANES & 1)
      any = groups_add_column(r->run, other) || any;
  }
  if (any) groups_stand(n->launch);
  return any;
}

/* Turns the threads that change the result of a bar.red that is needed into columns. */
static bool add_bringing(struct need *n, const struct needed_columns *columns) {
  bool any = false;
  for (uint32_t i = 0; i < columns->list.len; i++) {
    struct runner *r = look_at(n, columns, i);
    EACH_LEFT (left, r)
      if (!left->folded) any = each_bringing(n, r, left, groups_add_column) || any;
  }
  if (any) groups_stand(n->launch);
  return any;
}

/* Notes the bytes whose values matter to a column and that threads without a column write. */
static bool note_wanted(const struct need *n, const struct runner *r) {
  bool any = false;
  EACH_LEFT (left, r) {
    if (left->begin == left->end || left->folded || !matters(n, r, left) || !reads_behind(r, left)) continue;
    any = true;
    for (uint32_t t = left->touch; t < left->touch + left->touches; t++) {
      const struct touch *touch = &r->touches.data[t];
      for (uint32_t k = touch->at; k < touch->at + touch->bytes && k < touch->region->size && !touch->pointer; k++)
        touch->region->wanted[k] = true;
    }
  }
  return any;
}

/* By region and byte: the number of threads that write it, up to 2. */
static uint8_t **count_writers(const struct launching *l) {
  const struct memory *m = &l->memory;
  uint8_t **writers = ARENA_ARRAY(m->arena, uint8_t *, m->regions.len);
  uint32_t **last = ARENA_ARRAY(m->arena, uint32_t *, m->regions.len);
  for (uint32_t i = 0; i < m->regions.len; i++) {
    writers[i] = ARENA_ARRAY(m->arena, uint8_t, m->regions.data[i]->size);
    last[i] = ARENA_ARRAY(m->arena, uint32_t, m->regions.data[i]->size);
  }
  EACH_RUNNER (r, l)
    VEC_EACH (one, &r->touches) {
      const uint32_t i = one->region->number;
      for (uint32_t k = one->at; k < touch_end(one) && one->writes; k++) {
        if (writers[i][k] < 2 && last[i][k] != r->number + 1) writers[i][k]++;
        last[i][k] = r->number + 1;
      }
    }
  return writers;
}

/* True if the thread writes a byte that matters; with `writers`, such a byte that another thread writes too. */
static bool writes_wanted(const struct runner *r, uint8_t *const *writers) {
  VEC_EACH (one, &r->touches)
    for (uint32_t k = one->at; k < touch_end(one) && one->writes; k++)
      if (one->region->wanted[k] && (!writers || writers[one->region->number][k] > 1)) return true;
  return false;
}

/* Threads that write a value that matters become columns. Those that write the same bytes become columns only if they
 * are few: the value of a counter depends on every thread that writes it. */
static bool add_writers(struct need *n, const struct needed_columns *columns) {
  enum { MOST_WRITERS = 24 };
  uint32_t count = columns->list.len;
  bool wanted = false, any = false, contended = false;
  for (uint32_t i = 0; i < columns->list.len; i++) wanted = note_wanted(n, look_at(n, columns, i)) || wanted;
  if (!wanted) return false;
  uint8_t **writers = count_writers(n->launch);
  EACH_RUNNER (r, n->launch) {
    contended = contended || writes_wanted(r, writers);
    count += !r->column && writes_wanted(r, NULL);
  }
  EACH_RUNNER (r, n->launch)
    if ((count <= MOST_WRITERS || !contended) && !r->column && writes_wanted(r, NULL))
      any = groups_add_column(r->run, r) || any;
  if (any) groups_stand(n->launch);
  return any;
}

void needs_drop(struct launching *l) {
  struct need n = {.launch = l, .written = tensors_written(l)};
  struct needed_columns columns;
  find_alone(&n);
  do {
    columns = (struct needed_columns){0};
    find_needed(&n, &columns);
  } while (add_lanes(&n, &columns) || add_bringing(&n, &columns) || add_writers(&n, &columns));
  for (uint32_t i = 0; i < columns.list.len; i++) drop_all(&n, look_at(&n, &columns, i));
}
