#include "ptx/uses.h"

/* ---- One instruction */

static void add_reg(struct instr_regs *regs, uint32_t reg) {
  if (reg == NO_REG) return;
  REQUIRE(regs->count < MOST_INSTR_REGS);
  regs->list[regs->count++] = reg;
}

static void add_source(struct instr_regs *regs, const struct operand *operand) {
  if (operand->kind == OPERAND_REG) add_reg(regs, operand->reg);
}

static void add_sources(struct instr_regs *list, const struct operand *const *operands, size_t count) {
  for (size_t i = 0; i < count; i++) add_source(list, operands[i]);
}

static void add_tensor(struct instr_regs *list, const struct tensor *t) {
  add_sources(list,
              (const struct operand *[]){&t->shape, &t->adds, &t->count, &t->metadata.base, &t->scales[0].base,
                                         &t->scales[1].base},
              6);
  for (uint32_t i = MAX_VECTOR; i < t->value_count; i++) add_source(list, &t->values[i]);
}

struct instr_regs instr_reads(const struct instr *in) {
  struct instr_regs regs;
  const struct mbarrier *m = in->mbarrier;
  const struct async *a = in->async;
  const struct barrier *b = in->barrier;
  const struct named_regs *n = in->named;
  uint32_t first = n && in->pure ? n->begin[NAMED_PLACE] : 0;
  regs.count = 0;
  regs.named = n && n->regs ? n->regs + first : NULL;
  regs.named_count = n ? n->begin[NAMED_PARTS] - first : 0;
  for (uint32_t i = 0; i < MAX_VECTOR && !n; i++) add_source(&regs, &in->src[i]);
  add_source(&regs, &in->addr.base);
  if (in->guard.present) add_reg(&regs, in->guard.reg);
  if (m) add_sources(&regs, (const struct operand *[]){&m->object.base, &m->count, &m->bytes, &m->phase}, 4);
  if (a)
    add_sources(&regs,
                (const struct operand *[]){&a->to.base, &a->from.base, &a->other.base, &a->object.base, &a->bytes,
                                           &a->filled, &a->ignored, &a->ctas},
                8);
  if (a && a->tensor) add_tensor(&regs, a->tensor);
  if (in->group) add_source(&regs, &in->group->left);
  if (b) add_sources(&regs, (const struct operand *[]){&b->id, &b->count, &b->predicate}, 3);
  return regs;
}

struct instr_regs instr_writes(const struct instr *in) {
  struct instr_regs regs;
  regs.count = 0;
  regs.named = in->named ? in->named->regs : NULL;
  regs.named_count = in->named ? in->named->begin[NAMED_PLACE] : 0;
  for (uint32_t i = 0; !in->named && i < instr_result_count(in); i++) add_reg(&regs, instr_result(in, i));
  return regs;
}

bool instr_only_computes(const struct instr *in) {
  return in->kind == INSTR_ALU || (in->kind == INSTR_UNSUPPORTED && in->pure);
}

bool instr_gives(const struct instr *in, struct bitset wanted) {
  return SOME(EACH_WRITTEN (reg, in), bitset_has(wanted, reg));
}

/* ---- The code of a thread */

struct flow thread_flow(struct arena *arena, const struct thread *thread) {
  struct flow flow = flow_new(arena, thread->instr_count);
  for (uint32_t i = 0; i < flow.count; i++) {
    const struct instr *in = &thread->instrs[i];
    bool jumps = in->kind == INSTR_BRANCH, leaves = jumps || in->kind == INSTR_EXIT;
    if (!leaves || in->guard.present) flow.next[i][0] = i + 1;
    if (leaves) flow.next[i][1] = jumps ? in->target : flow.count;
  }
  return flow;
}

bool thread_has_loop(const struct thread *thread) {
  return SOME_BELOW(i, thread->instr_count, thread->instrs[i].kind == INSTR_BRANCH && thread->instrs[i].target <= i);
}

struct bitset thread_observed(struct arena *arena, const struct program *program, uint32_t index) {
  struct bitset regs = bitset_new(arena, program->threads[index].reg_count);
  ARRAY_EACH (o, program->observables, program->observed_count)
    if (o->is_reg && o->thread == index) bitset_add(regs, o->reg);
  return regs;
}

/* Arithmetic matters only for its results, so that a count on which only itself depends does not. */
static void live_before(const void *code, uint32_t index, struct bitset live) {
  const struct instr *in = &((const struct thread *)code)->instrs[index];
  if (in->kind == INSTR_ALU && !instr_gives(in, live)) return;
  if (!in->guard.present)
    EACH_WRITTEN (reg, in) bitset_del(live, reg);
  EACH_READ (reg, in) bitset_add(live, reg);
}

struct bitset *thread_live(struct arena *arena, const struct thread *thread, struct bitset at_end) {
  const struct flow flow = thread_flow(arena, thread);
  return flow_live(arena, &flow, at_end, live_before, thread);
}

/* ---- Rules of slices */

struct bitset thread_results(struct arena *arena, const struct thread *thread, struct bitset instrs) {
  struct flow_slice slice = slice_new(arena, thread->reg_count + 1);
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    slice_rule(&slice);
    if (bitset_has(instrs, i)) slice_if_always(&slice);
    EACH_READ (reg, &thread->instrs[i]) slice_if(&slice, reg, 1);
    EACH_WRITTEN (reg, &thread->instrs[i]) slice_then(&slice, reg, 1);
  }
  slice_close(&slice);
  return slice.items;
}

void slice_if_written(struct flow_slice *slice, const struct instr *in, uint32_t first) {
  EACH_WRITTEN (reg, in) slice_if(slice, first + reg, 1);
}

void slice_then_read(struct flow_slice *slice, const struct instr *in, uint32_t first) {
  EACH_READ (reg, in) slice_then(slice, first + reg, 1);
}
