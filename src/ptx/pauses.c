/* Removes branches whose two paths join again without an effect from threads with loops, such as the branches that
 * decide how long a waiting loop sleeps: its iterations are then equal. */
#include "ptx/lowering.h"
#include "ptx/uses.h"

static bool asks_who_runs(const struct thread *thread) {
  return SOME(ARRAY_EACH (in, thread->instrs, thread->instr_count), in->kind == INSTR_ALU && in->alu == ALU_ACTIVEMASK);
}

/* The branches that always matter: those whose predicate comes from a read, because syntactic dependencies lead from
 * the read to all that follows (G34); and all branches if activemask asks for the lanes that run together. */
static struct bitset branches_kept(struct arena *arena, const struct thread *thread) {
  struct bitset kept = bitset_new(arena, thread->instr_count + 1);
  struct bitset reads = bitset_new(arena, thread->instr_count + 1);
  for (uint32_t i = 0; i < thread->instr_count; i++)
    if (!instr_only_computes(&thread->instrs[i])) bitset_add(reads, i);
  const struct bitset read = thread_results(arena, thread, reads);
  bool all = asks_who_runs(thread);
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    const struct instr *in = &thread->instrs[i];
    bool guarded = in->kind == INSTR_BRANCH && in->guard.present;
    if (guarded && (all || bitset_has(read, in->guard.reg))) bitset_add(kept, i);
  }
  return kept;
}

/* A slice of the registers that matter, and of the branches: their items follow those of the registers. */
static struct flow_slice rules_of(struct lowering *l, const struct thread *thread, uint32_t index) {
  struct flow_slice slice = slice_new(l->arena, thread->reg_count + thread->instr_count);
  ARRAY_EACH (o, l->program->observables, l->program->observed_count)
    if (o->is_reg && o->thread == index) slice_want(&slice, o->reg, 1);
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    const struct instr *in = &thread->instrs[i];
    slice_rule(&slice);
    if (in->kind == INSTR_BRANCH) slice_if(&slice, thread->reg_count + i, 1);
    else if (instr_only_computes(in)) slice_if_written(&slice, in, 0);
    else slice_if_always(&slice);
    slice_then_read(&slice, in, 0);
  }
  return slice;
}

static struct bitset effects_of(struct arena *arena, const struct thread *thread, const struct flow_slice *slice) {
  struct bitset effects = bitset_new(arena, thread->instr_count + 1);
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    const struct instr *in = &thread->instrs[i];
    bool matters = instr_only_computes(in) ? instr_gives(in, slice->items) : in->kind != INSTR_NOTHING || in->aligned;
    if (matters && in->kind != INSTR_BRANCH) bitset_add(effects, i);
  }
  return effects;
}

static void drop(struct lowering *l, uint32_t index) {
  struct thread *thread = &l->program->threads[index];
  const struct flow flow = thread_flow(l->arena, thread);
  struct flow_slice slice = rules_of(l, thread, index);
  struct bitset kept = branches_kept(l->arena, thread);
  do {
    EACH (i, kept) slice_want(&slice, thread->reg_count + i, 1);
    slice_close(&slice);
  } while (flow_keep_forks(l->arena, &flow, effects_of(l->arena, thread, &slice), kept));
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    struct instr *in = &thread->instrs[i];
    bool fork = in->kind == INSTR_BRANCH && in->guard.present;
    if (fork && !bitset_has(kept, i)) *in = lower_blank(INSTR_NOTHING, in->ast);
  }
}

void lower_drop_pauses(struct lowering *l) {
  for (uint32_t t = 0; t < l->program->thread_count; t++)
    if (thread_has_loop(&l->program->threads[t])) drop(l, t);
}
