/* Answers, for each barrier and fence of a kernel, if it is needed: with it removed from the module, the whole launch
 * is run and checked again. A removal is of all copies of an instruction that a line of the source made, and with
 * arrivals at a cluster barrier of the waits behind them. */
#include "explain/words.h"
#include "repair/proposals.h"

static bool waits_for_cluster(const struct instr *i) {
  return i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_CLUSTER && i->barrier->action == BARRIER_WAIT;
}

static bool orders(const struct instr *i) {
  bool waits = i->kind == INSTR_GROUP && i->group->waits,
       fence = i->kind == INSTR_FENCE || i->kind == INSTR_PROXY_FENCE;
  if (i->kind != INSTR_BARRIER) return waits || fence;
  return i->barrier->kind <= BARRIER_CLUSTER && i->barrier->action != BARRIER_RED && !waits_for_cluster(i);
}

static void add_removal(struct search_fix *f, struct proposals *all, uint32_t t, uint32_t n) {
  const struct thread *thread = &f->input->program->threads[t];
  const struct instr *i = &thread->instrs[n];
  struct edit edit = {.kind = EDIT_DROP, .thread = t, .instr = n};
  struct proposal *c = proposals_add(f, all, edit);
  bool cluster = i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_CLUSTER;
  for (uint32_t k = n + 1; cluster && k < thread->instr_count; k++) {
    if (!waits_for_cluster(&thread->instrs[k])) continue;
    edit.instr = k;
    proposals_extend(f, c, edit);
    return;
  }
}

static struct fix_trial try_without(struct search_fix *f, const struct proposals *removed, bool turns) {
  struct kernel_edits edits = {0};
  struct fix_trial judged = {0};
  bool fits =
      !fix_out_of_time(f) && EVERY(VEC_EACH (c, removed), module_changes(f, c->edits.data, c->edits.len, &edits));
  if (fits) judged = module_try(f, edits.data, edits.len, turns);
  arena_release(f->scratch);
  return judged;
}

/* Notes what the removal makes of the launch. True if it is not needed. */
static bool note(struct search_fix *f, const struct proposal *r, const struct fix_trial *judged,
                 enum sequential before) {
  const struct edit *first = &r->edits.data[0];
  struct fix_change change = {.kind = FIX_KEEP, .thread = first->thread, .instr = first->instr};
  change.before = words_instr(f->arena, f->input->program, change.thread, change.instr);
  bool weaker = before == SEQUENTIAL_YES && judged->turns == SEQUENTIAL_NO;
  bool open = !judged->decided || (!judged->bad && before == SEQUENTIAL_YES && judged->turns == SEQUENTIAL_UNKNOWN);
  bool needed = judged->decided && (judged->bad || weaker);
  if (needed) {
    change.remark = judged->bad ? judged->finding : "outcomes that no interleaving of the threads has";
    VEC_PUSH(f->arena, &f->out->needed, change);
  } else if (open) {
    change.remark = judged->reason;
    VEC_PUSH(f->arena, &f->out->untried, change);
  } else {
    VEC_PUSH(f->arena, &f->out->alone, change);
  }
  return !needed && !open;
}

/* Removes as many as can go together, in the order of the text. */
static void remove_more(struct search_fix *f, const struct proposals *free, enum sequential before) {
  struct proposals removed = {0};
  for (uint32_t i = 0; i < free->len && !fix_out_of_time(f); i++) {
    VEC_PUSH(f->arena, &removed, free->data[i]);
    const struct fix_trial judged = try_without(f, &removed, before == SEQUENTIAL_YES);
    if (module_is_right(f, &judged)) VEC_PUSH(f->arena, &f->out->together.changes, f->out->alone.data[i]);
    else removed.len--;
  }
}

void fix_find_needed(struct search_fix *f) {
  struct proposals all = {0}, free = {0}, none = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct thread *thread = &f->input->program->threads[t];
    if (thread->of_kernel && orders(&thread->instrs[n])) add_removal(f, &all, t, n);
  }
  proposals_sort(&all);
  const enum sequential before = try_without(f, &none, true).turns;
  VEC_EACH (r, &all) {
    const struct proposals one = {r, 1, 1};
    const struct fix_trial judged = try_without(f, &one, before == SEQUENTIAL_YES);
    if (note(f, r, &judged, before)) VEC_PUSH(f->arena, &free, *r);
  }
  if (free.len > 1) remove_more(f, &free, before);
  f->out->outcome = f->out->alone.len ? FIX_FOUND : f->out->limit ? FIX_NOT_FOUND : FIX_NONE;
}
