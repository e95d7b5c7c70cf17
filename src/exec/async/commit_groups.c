/* Groups of asynchronous operations (docs/async.md AG1): a commit makes a group of the operations that its thread has
 * issued since the last commit; a wait waits for all groups but some of the newest. */
#include "exec/walk.h"

/* A product completes only after all threads have issued it: a wait for it waits for all of them (K5). */
static void meet_for_products(struct walk *w) {
  const struct program *program = w->s->program;
  for (uint32_t t = 0; t < program->thread_count; t++)
    if (t != w->base.thread && skeleton_shares_products(&program->threads[t], &program->threads[w->base.thread])) {
      walk_add_wait(w, walk_add_arrival(w, w->instr->barrier));
      return;
    }
}

void walk_group(struct walk *w) {
  const struct group *group = w->instr->group;
  struct event event = w->base;
  event.kind = EVENT_GROUP;
  event.value = TERM_TRUE;
  if (group->waits && !walk_known(w, &group->left, 32, REASON_GROUP_COUNT, &event.left)) return;
  if (w->instr->barrier) meet_for_products(w);
  walk_add_event(w, event);
  if (group->fences) walk_fence_registers(w);
}

/* The list of groups of an access; GROUP_NONE: no group has it. */
static enum group_list list_of(const struct event *e) {
  if (e->spawned && e->proxy == PROXY_TENSORMAP) return GROUP_BULK; /* also of those that signal an mbarrier (A7) */
  return e->spawned && event_is_memory(e) ? e->operation->async->list : GROUP_NONE;
}

const struct group *skeleton_group(const struct skeleton *s, uint32_t event) {
  const struct event *e = skeleton_event(s, event);
  return e->kind == EVENT_GROUP ? event_instr(s, event)->group : NULL;
}

uint32_t skeleton_issue_in(const struct skeleton *s, uint32_t access, uint32_t thread) {
  LIST_EACH (o, skeleton_event(s, access)->operation)
    if (skeleton_event(s, o->issue)->thread == thread) return o->issue;
  return NO_PARTNER;
}

bool skeleton_may_wait_for(const struct skeleton *s, uint32_t access, uint32_t wait) {
  const struct event *a = skeleton_event(s, access), *w = skeleton_event(s, wait);
  const struct group *group = skeleton_group(s, wait);
  if (!group || !group->waits || !a->spawned) return false;
  uint32_t issue = skeleton_issue_in(s, access, w->thread);
  if (issue == NO_PARTNER || issue > wait) return false;
  return list_of(a) == group->list && (!group->reads_only || a->spawn.is_source);
}

/* The number of commits between an operation and a wait: of all commits, and of those that happen whenever both ends
 * do. */
static void count_commits(const struct skeleton *s, uint32_t issue, uint32_t wait, uint32_t *may, uint32_t *must) {
  const struct group *waits = skeleton_group(s, wait);
  *may = *must = 0;
  for (uint32_t e = issue + 1; e < wait; e++) {
    const struct group *group = skeleton_group(s, e);
    term_id exec = skeleton_event(s, e)->exec;
    if (!group || !group->commits || group->list != waits->list) continue;
    ++*may;
    *must += exec == TERM_TRUE || exec == skeleton_event(s, issue)->exec || exec == skeleton_event(s, wait)->exec;
  }
}

void bound_WAITED(struct skeleton *s) {
  for (uint32_t w = 0; w < s->first_init; w++) {
    if (!skeleton_group(s, w) || !skeleton_group(s, w)->waits) continue;
    for (uint32_t a = 0; a < s->first_init; a++) {
      uint32_t may, must, needed = skeleton_group(s, w)->commits ? 0 : skeleton_event(s, w)->left + 1;
      if (!skeleton_may_wait_for(s, a, w)) continue;
      count_commits(s, skeleton_issue_in(s, a, skeleton_event(s, w)->thread), w, &may, &must);
      if (may < needed) continue;
      bitmat_add(s->may[CAT_REL_WAITED], a, w);
      if (must >= needed) bitmat_add(s->must[CAT_REL_WAITED], a, w);
      else s->open_groups = true;
    }
  }
}

/* Two cp.async of one group to one place: undefined (AG2). */
static term_id commits_between(struct skeleton *s, uint32_t from, uint32_t to) {
  term_id some = TERM_FALSE;
  for (uint32_t e = from + 1; e < to; e++) {
    const struct group *group = skeleton_group(s, e);
    if (group && group->commits && group->list == GROUP_COPY &&
        skeleton_event(s, e)->thread == skeleton_event(s, from)->thread)
      some = term_or(&s->terms, some, skeleton_event(s, e)->exec);
  }
  return some;
}

static bool writes_meet(const struct skeleton *s, const struct operation *a, const struct operation *b) {
  for (uint32_t x = a->issue + 1; x < a->end; x++)
    for (uint32_t y = b->issue + 1; y < b->end; y++) {
      const struct event *e = skeleton_event(s, x), *f = skeleton_event(s, y);
      if (e->kind != EVENT_WRITE || f->kind != EVENT_WRITE) continue;
      value_t p = term_get(&s->terms, e->address)->constant, q = term_get(&s->terms, f->address)->constant;
      if (p < q + f->size && q < p + e->size) return true;
    }
  return false;
}

void skeleton_groups(struct skeleton *s) {
  for (uint32_t i = 0; i < s->operations.len; i++)
    for (uint32_t k = i + 1; k < s->operations.len; k++) {
      const struct operation *a = s->operations.data[i], *b = s->operations.data[k];
      const struct event *x = skeleton_event(s, a->issue), *y = skeleton_event(s, b->issue);
      bool copies = a->async->action == ASYNC_COPY && b->async->action == ASYNC_COPY;
      if (!copies || x->thread != y->thread || !writes_meet(s, a, b)) continue;
      term_id apart = commits_between(s, a->issue, b->issue), closed = commits_between(s, b->issue, s->events.len);
      term_id both = term_and(&s->terms, x->exec, y->exec);
      term_id together = term_and(&s->terms, closed, term_not(&s->terms, apart));
      term_id when = term_and(&s->terms, both, together);
      skeleton_event_hazard(s, when, REASON_COPY_TWICE, y);
    }
}

/* ---- Registers that tcgen05.ld writes ---- */

/* The condition that no tcgen05.wait::ld has come after a load so far. */
static term_id unwaited_load(struct walk *w, uint32_t issue) {
  term_id waited = TERM_FALSE;
  for (uint32_t e = issue + 1; e < w->s->events.len; e++)
    if (skeleton_event(w->s, e)->one_way == ONE_WAY_LOADS)
      waited = term_or(w->terms, waited, skeleton_event(w->s, e)->exec);
  return term_not(w->terms, waited);
}

/* Accessing a register that a load still writes is undefined (AG4). */
void walk_use_result(struct walk *w, struct bitset reads, term_id when) {
  if (!w->s->operations.len) return;
  EACH (r, reads) {
    const struct operation *operation = skeleton_event(w->s, r)->operation;
    if (!operation || operation->async->action != ASYNC_TENSOR_LOAD) continue;
    term_id used = term_and(w->terms, when, skeleton_event(w->s, operation->issue)->exec);
    walk_hazard(w, term_and(w->terms, used, unwaited_load(w, operation->issue)), REASON_TENSOR_RESULT);
  }
}
