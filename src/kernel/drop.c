/* Removes instructions that are irrelevant to safety (docs/semantics.md K4): those whose values reach no address,
 * branch or barrier, through registers or memory. Stores of such values store 0. */

#include "kernel/needs.h"

#include "kernel/rests.h"
#include "ptx/isa.h"

struct dropping {
  const struct column_needs *column;
  struct runner *runner;        /* of it */
  const uint32_t *accumulators; /* of the thread: tiled_accumulators */
  const bool *written;          /* tensors_written */
};

/* ---- Values that do not matter */

static struct litmus_number zero(const struct instr *in, struct span span) {
  struct litmus_number number = {.span = span};
  if (in->type.kind == TYPE_FLOAT && in->type.width == 32) number.kind = LITMUS_F32;
  if (in->type.kind == TYPE_FLOAT && in->type.width == 64) number.kind = LITMUS_F64;
  return number;
}

/* Replaces a register computed from an accumulator by that accumulator's first: a use of either requires the wait. */
static bool is_accumulator(const struct dropping *d, struct litmus_ref *ref) {
  uint32_t reg = body_register(&d->runner->run->body, ref->name), first = reg == NO_REG ? reg : d->accumulators[reg];
  if (first == NO_REG) return false;
  ref->name = d->runner->run->body.thread->regs[first].name;
  return true;
}

/* Registers among the values become 0. */
static void clear_values(const struct dropping *d, const struct instr *in, struct litmus_operand *operand) {
  for (; operand; operand = operand->next) {
    if (operand->kind == LITMUS_VECTOR) clear_values(d, in, operand->u.items);
    if (operand->kind != LITMUS_NAME || !operand->u.ref.percent) continue;
    if (in->type.width <= 32 && is_accumulator(d, &operand->u.ref)) continue;
    operand->kind = LITMUS_NUMBER;
    operand->u.number = zero(in, operand->span);
  }
}

static bool zero_fits(const struct instr *in) {
  bool half = type_is_float(in->type) && in->type.width == 16;
  return !half && !in->packed;
}

static void clear_written(const struct dropping *d, const struct instr *in, struct litmus_instr *instr) {
  bool result = in->kind == INSTR_ATOM;
  struct litmus_operand *place = result && instr->operands ? instr->operands->next : instr->operands;
  if (place && zero_fits(in)) clear_values(d, in, place->next);
}

/* Clears the value that a lane brings; a predicate stays a predicate. */
static void clear_lane_value(const struct instr *in, struct litmus_instr *instr) {
  struct litmus_operand *value = instr->operands ? instr->operands->next : NULL;
  if (!value || in->barrier->exchange <= EXCHANGE_BALLOT || value->kind != LITMUS_NAME) return;
  value->kind = LITMUS_NUMBER;
  value->u.number = zero(in, value->span);
}

/* A product writes one register, which represents its accumulator. If the value of a register matters, the product is
 * not modelled. */
static void drop_accumulators(const struct dropping *d, struct litmus_instr *instr) {
  struct litmus_operand *to = instr->operands, *first = to->kind == LITMUS_VECTOR ? to->u.items : NULL;
  LIST_EACH (item, first) {
    uint32_t reg = body_register(&d->runner->run->body, item->u.ref.name);
    if (reg == NO_REG || needs_reg(d->column, reg)) return;
  }
  if (!first || !is_accumulator(d, &first->u.ref)) return;
  struct litmus_operand *rest = to->next;
  *to = *first;
  to->next = rest;
}

/* ---- What remains */

/* True for an access to local memory, whose values are known or lost: it has no place in columns. */
static bool is_local(const struct runner *r, const struct remnant *remnant) {
  return SOME(EACH_TOUCH (touch, r, remnant), touch->region->space == SPACE_LOCAL);
}

/* True for an access to known bytes, or an update of any bytes, a cp.async of known sizes or a product, whose values do
 * not matter. */
static bool is_idle(const struct dropping *d, const struct remnant *remnant, const struct instr *in) {
  struct row_access rows;
  const bool result = needs_result(d->column, remnant), written = needs_written(d->column, remnant);
  const bool updates = in->kind == INSTR_ATOM || in->kind == INSTR_RED;
  if (remnant->instr->guard || remnant->instr->refused || !remnant->touches ||
      (!updates && remnant_reaches_anywhere(d->runner, remnant)))
    return false;
  EACH_WRITTEN (reg, in) /* an unfinished product still writes its register (AG3) */
    if (d->accumulators[reg] != NO_REG && in->tiled != TILED_PRODUCT) return false;
  if (rows_read(in->ast, &rows)) return rows.loads ? !result : !written;
  if (tiled_multiplies(in)) return remnant->instr->operands->kind == LITMUS_NAME;
  if (updates) return !needs_read(d->column, remnant) && !written;
  if (in->kind == INSTR_LOAD) return !result || remnant->folded;
  if (in->kind == INSTR_STORE) return !written;
  if (in->kind != INSTR_ASYNC || in->async->action != ASYNC_COPY || written) return false;
  return EVERY(LIST_EACH (o, remnant->instr->operands->next->next), o->kind == LITMUS_NUMBER);
}

/* ---- uses, in dropped instructions, of registers that an asynchronous operation writes (AG3, AG4) */

static bool is_loaded(const struct thread *thread, uint32_t wanted) {
  ARRAY_EACH (in, thread->instrs, thread->instr_count)
    if (instr_loads_tensor(in))
      EACH_WRITTEN (reg, in)
        if (reg == wanted) return true;
  return false;
}

/* The first register of an accumulator, or of the results of tcgen05.ld, that an instruction uses. Arithmetic counts
 * only if it uses a result of tcgen05.ld itself. */
static uint32_t result_used(const struct dropping *d, const struct remnant *remnant) {
  const struct thread *thread = d->runner->run->body.thread;
  for (uint32_t i = remnant->begin; i < remnant->end; i++)
    EACH_READ (reg, &thread->instrs[i])
      if (d->accumulators[reg] != NO_REG && (!only_computes(&thread->instrs[i]) || is_loaded(thread, reg)))
        return d->accumulators[reg];
  return NO_REG;
}

/* A move of the register to itself, in place of the dropped instruction. */
static void drop_instr(const struct dropping *d, struct remnant *remnant) {
  uint32_t reg = result_used(d, remnant);
  remnant->instr = reg == NO_REG ? NULL : remnant_use(d->runner, reg, remnant->instr->span);
}

/* tcgen05.st is one operation of a warp (K5), which stays in the first column only. */
static bool is_repeated_in_warp(const struct runner *r, const struct instr *in) {
  return in->kind == INSTR_ASYNC && in->async->action == ASYNC_TENSOR_STORE && !rows_first_of_warp(r);
}

static bool always(const struct kernel_run *run, struct runner *r) { return run == r->run; }

/* A value that matters and is not modelled is refused, or any (K3).
 *
 * Any value of what threads without columns write: in an execution of the launch, let a read of a column take its value
 * from such a thread. A weak read may, without these threads, take it from the last write that base causality orders
 * before it; that adds no order, and coherence asks no more of it. The columns have all their other events, since any
 * value is allowed. A strong read instead takes it from the write before that one in coherence, as other strong reads
 * of its thread may have seen it. Between the two are writes of the other threads, and if all of them are atomics, the
 * release sequence goes on through them, so that it adds no order either; a store would end it. */
static void refuse(const struct dropping *d, struct remnant *remnant, const struct instr *in) {
  const struct column_needs *c = d->column;
  const struct reason *opaque = reason_get(REASON_OPAQUE_VALUE);
  bool read = needs_read(c, remnant) && !remnant->folded;
  bool loaded = instr_loads_tensor(in) && needs_result(c, remnant); /* a product may have made it (K3) */
  bool changes_map = maps_replaces(in) || maps_copies(in);
  if (each_bringing(c, remnant, always)) remnant->instr->refused = opaque;
  if (read && reads_represented(d->runner, remnant)) {
    if (is_plain_weak(in) || alone_are_updated(c->all->launch->alone, d->runner, remnant))
      remnant_any(d->runner, remnant, opaque);
    else remnant->instr->refused = opaque;
  }
  if (read && is_local(d->runner, remnant)) remnant->instr->refused = reason_get(REASON_LOCAL_VALUE);
  if (loaded) remnant->instr->refused = opaque;
  if (changes_map && needs_written(c, remnant)) remnant->instr->refused = reason_get(REASON_TENSOR_MADE);
}

/* True if the columns do without the instruction. */
static bool is_unneeded(const struct dropping *d, const struct remnant *remnant, const struct instr *in) {
  const struct column_needs *c = d->column;
  bool result = needs_result(c, remnant), computes = remnant_only_computes(d->runner, remnant);
  bool needed = in->kind == INSTR_LOAD ? result : in->kind == INSTR_STORE && needs_written(c, remnant);
  bool local = !needs_read(c, remnant) && is_local(d->runner, remnant); /* nothing in columns reads what it writes */
  bool alone = !needed && alone_has(c->all->launch->alone, d->runner, in, remnant);
  return local || (computes && !result) || alone || is_repeated_in_warp(d->runner, in);
}

static void drop_remnant(const struct dropping *d, struct remnant *remnant) {
  const struct column_needs *c = d->column;
  const struct instr *in = remnant_source(d->runner, remnant);
  const struct litmus_instr *own = remnant->instr;
  remnant->quiet = !in;
  if (remnant->is_use) return;
  if (!in) {
    if (!needs_move(c, remnant->instr)) remnant->instr = NULL;
    return;
  }
  bool used = needs_read(c, remnant), written = needs_written(c, remnant);
  refuse(d, remnant, in);
  if (used && in->kind == INSTR_LOAD) rests_load(d->runner, remnant);
  if (in->tiled == TILED_PRODUCT) drop_accumulators(d, remnant->instr);
  if (in->tiled == TILED_COPY && !written) tensor_settle(c->all->launch, remnant->instr, d->written);
  if (is_unneeded(d, remnant, in)) drop_instr(d, remnant);
  else if (is_write(in) && !written && !may_not_write(in)) clear_written(d, in, remnant->instr);
  if (is_exchange(in)) remnant->folded = !needs_exchange(c, remnant);
  if (is_exchange(in) && remnant->folded) clear_lane_value(in, remnant->instr);
  remnant->quiet = remnant_only_computes(d->runner, remnant) || remnant->instr != own; /* a use of a register remains */
  const bool idle = remnant->instr == own && is_idle(d, remnant, in), weak = !instr_is_access(in) || is_plain_weak(in);
  remnant->idle = idle && weak, remnant->blind = idle && !weak && !written;
}

void drop_unneeded(const struct column_needs *column, const bool *written) {
  struct runner *r = column->runner;
  struct dropping d = {column, r, tiled_accumulators(r->run->memory->arena, &r->run->body), written};
  for (uint32_t b = 0; b < r->blocks.len; b++) {
    struct block *block = &r->blocks.data[b];
    if (!block->guard || bitset_has(column->kept, b)) continue;
    block->guard = false;
    block->next[1] = NO_BLOCK;
  }
  EACH_REMNANT (remnant, r) drop_remnant(&d, remnant);
}
