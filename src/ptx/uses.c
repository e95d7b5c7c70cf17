#include "ptx/uses.h"

/* ---- One instruction */

struct source_list {
  uint32_t *regs, count;
};

static void add_source(struct source_list *list, const struct operand *operand) {
  if (operand->kind != OPERAND_REG) return;
  REQUIRE(list->count < MAX_SOURCES);
  list->regs[list->count++] = operand->reg;
}

static void add_sources(struct source_list *list, const struct operand *const *operands, size_t count) {
  for (size_t i = 0; i < count; i++) add_source(list, operands[i]);
}

static void add_tensor(struct source_list *list, const struct tensor *t) {
  add_sources(list,
              (const struct operand *[]){&t->shape, &t->adds, &t->count, &t->metadata.base, &t->scales[0].base,
                                         &t->scales[1].base},
              6);
  for (uint32_t i = MAX_VECTOR; i < t->value_count; i++) add_source(list, &t->values[i]);
}

uint32_t instr_sources(const struct instr *in, uint32_t sources[MAX_SOURCES]) {
  struct source_list list = {sources, 0};
  const struct mbarrier *m = in->mbarrier;
  const struct async *a = in->async;
  const struct barrier *b = in->barrier;
  for (uint32_t i = 0; i < MAX_VECTOR; i++) add_source(&list, &in->src[i]);
  add_source(&list, &in->addr.base);
  if (in->guard.present && in->guard.reg != NO_REG) list.regs[list.count++] = in->guard.reg;
  if (m) add_sources(&list, (const struct operand *[]){&m->object.base, &m->count, &m->bytes, &m->phase}, 4);
  if (a)
    add_sources(&list,
                (const struct operand *[]){&a->to.base, &a->from.base, &a->other.base, &a->object.base, &a->bytes,
                                           &a->filled, &a->ignored, &a->ctas},
                8);
  if (a && a->tensor) add_tensor(&list, a->tensor);
  if (in->group) add_source(&list, &in->group->left);
  if (b) add_sources(&list, (const struct operand *[]){&b->id, &b->count, &b->predicate}, 3);
  return list.count;
}

bool instr_only_computes(const struct instr *in) {
  return in->kind == INSTR_ALU || (in->kind == INSTR_UNSUPPORTED && in->pure);
}

bool instr_gives(const struct instr *in, struct bitset regs) {
  for (uint32_t i = 0; i < instr_result_count(in); i++)
    if (instr_result(in, i) != NO_REG && bitset_has(regs, instr_result(in, i))) return true;
  return false;
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
  for (uint32_t i = 0; i < thread->instr_count; i++)
    if (thread->instrs[i].kind == INSTR_BRANCH && thread->instrs[i].target <= i) return true;
  return false;
}

struct bitset thread_observed(struct arena *arena, const struct program *program, uint32_t index) {
  struct bitset regs = bitset_new(arena, program->threads[index].reg_count);
  ARRAY_EACH (o, program->observables, program->observed_count)
    if (o->is_reg && o->thread == index) bitset_add(regs, o->reg);
  return regs;
}

void instr_live_before(const struct instr *in, struct bitset live) {
  uint32_t sources[MAX_SOURCES], count = instr_sources(in, sources);
  if (in->kind == INSTR_ALU && !instr_gives(in, live)) return;
  for (uint32_t i = 0; i < instr_result_count(in) && !in->guard.present; i++)
    if (instr_result(in, i) != NO_REG) bitset_del(live, instr_result(in, i));
  for (uint32_t i = 0; i < count; i++) bitset_add(live, sources[i]);
}

static void live_before(const void *code, uint32_t index, struct bitset live) {
  instr_live_before(&((const struct thread *)code)->instrs[index], live);
}

struct bitset *thread_live(struct arena *arena, const struct thread *thread, struct bitset at_end) {
  const struct flow flow = thread_flow(arena, thread);
  return flow_live(arena, &flow, at_end, live_before, thread);
}

/* ---- Rules of slices */

void slice_if_results(struct slice *slice, const struct instr *in, uint32_t first) {
  for (uint32_t k = 0; k < instr_result_count(in); k++)
    if (instr_result(in, k) != NO_REG) slice_if(slice, first + instr_result(in, k), first + instr_result(in, k) + 1);
}

void slice_then_results(struct slice *slice, const struct instr *in, uint32_t first) {
  for (uint32_t k = 0; k < instr_result_count(in); k++)
    if (instr_result(in, k) != NO_REG) slice_then(slice, first + instr_result(in, k), first + instr_result(in, k) + 1);
}

void slice_if_sources(struct slice *slice, const struct instr *in, uint32_t first) {
  uint32_t sources[MAX_SOURCES], count = instr_sources(in, sources);
  for (uint32_t k = 0; k < count; k++) slice_if(slice, first + sources[k], first + sources[k] + 1);
}

void slice_then_sources(struct slice *slice, const struct instr *in, uint32_t first) {
  uint32_t sources[MAX_SOURCES], count = instr_sources(in, sources);
  for (uint32_t k = 0; k < count; k++) slice_then(slice, first + sources[k], first + sources[k] + 1);
}
