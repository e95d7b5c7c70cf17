/* Answers, for each barrier and fence of a kernel, if it is needed: with it removed from the module, the whole launch
 * is run and checked again. */
#include "explain/words.h"
#include "repair/candidates.h"

static struct litmus_instr *none(struct arena *arena, const void *changer, const struct litmus_instr *from) {
  (void)arena, (void)changer, (void)from;
  return NULL;
}

/* A group removed as one: the instructions that one line of the source made, as copies of an unrolled loop, and with
 * the arrivals at a cluster barrier the waits behind them. */
struct removal {
  struct edit_place place; /* the first */
  VEC(struct kernel_edit) edits;
};

static bool orders(const struct instr *i) {
  bool waits = i->kind == INSTR_GROUP && i->group->waits,
       fence = i->kind == INSTR_FENCE || i->kind == INSTR_PROXY_FENCE;
  if (i->kind != INSTR_BARRIER) return waits || fence;
  bool meets = i->barrier->kind <= BARRIER_CLUSTER && i->barrier->action != BARRIER_RED;
  return meets && !(i->barrier->kind == BARRIER_CLUSTER && i->barrier->action == BARRIER_WAIT);
}

static bool waits_for_cluster(const struct instr *i) {
  return i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_CLUSTER && i->barrier->action == BARRIER_WAIT;
}

static void remove_at(struct arena *arena, struct removal *r, struct span at) {
  VEC_EACH (edit, &r->edits)
    if (edit->at.source == at.source && edit->at.begin == at.begin) return;
  VEC_PUSH(arena, &r->edits, ((struct kernel_edit){.kind = KERNEL_CHANGE, .at = at, .change = none}));
}

static void add_to(struct search_fix *f, struct removal *r, uint32_t t, uint32_t n) {
  const struct thread *thread = &f->input->program->threads[t];
  const struct instr *i = &thread->instrs[n];
  remove_at(f->arena, r, i->span);
  bool cluster = i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_CLUSTER;
  for (uint32_t k = n + 1; cluster && k < thread->instr_count; k++)
    if (waits_for_cluster(&thread->instrs[k])) {
      remove_at(f->arena, r, thread->instrs[k].span);
      return;
    }
}

struct removals {
  VEC(struct removal) list;
};

static struct removal *find_removal(struct search_fix *f, struct removals *all, uint32_t t, uint32_t n) {
  const struct thread *threads = f->input->program->threads;
  VEC_EACH (r, &all->list)
    if (candidates_one_line(&threads[r->place.thread].instrs[r->place.instr], &threads[t].instrs[n])) return r;
  VEC_PUSH(f->arena, &all->list, ((struct removal){.place = {t, n}}));
  return &all->list.data[all->list.len - 1];
}

/* Notes what the removal makes of the launch. True if it is not needed. */
static bool note(struct search_fix *f, const struct removal *r, const struct fix_trial *judged,
                 enum sequential before) {
  struct fix_change change = {.kind = FIX_KEEP, .thread = r->place.thread, .instr = r->place.instr};
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
static void remove_more(struct search_fix *f, const struct removals *free, enum sequential before) {
  VEC(struct kernel_edit) edits = {0};
  for (uint32_t i = 0; i < free->list.len && !fix_out_of_time(f); i++) {
    const struct removal *r = &free->list.data[i];
    uint32_t kept = edits.len;
    VEC_EACH (edit, &r->edits) VEC_PUSH(f->arena, &edits, *edit);
    const struct fix_trial judged = module_try(f, edits.data, edits.len, before == SEQUENTIAL_YES);
    arena_release(f->scratch);
    if (module_is_right(f, &judged)) VEC_PUSH(f->arena, &f->out->together.changes, f->out->alone.data[i]);
    else edits.len = kept;
  }
}

void fix_find_needed(struct search_fix *f) {
  struct removals all = {0}, free = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &f->input->program->threads[t].instrs[n];
    if (f->input->program->threads[t].of_kernel && orders(i)) add_to(f, find_removal(f, &all, t, n), t, n);
  }
  const enum sequential before = module_try(f, NULL, 0, true).turns;
  arena_release(f->scratch);
  VEC_EACH (r, &all.list) {
    struct fix_trial judged = {0};
    if (!fix_out_of_time(f)) judged = module_try(f, r->edits.data, r->edits.len, before == SEQUENTIAL_YES);
    arena_release(f->scratch);
    if (note(f, r, &judged, before)) VEC_PUSH(f->arena, &free.list, *r);
  }
  if (free.list.len > 1) remove_more(f, &free, before);
  f->out->outcome = f->out->alone.len ? FIX_FOUND : f->out->limit ? FIX_NOT_FOUND : FIX_NONE;
}
