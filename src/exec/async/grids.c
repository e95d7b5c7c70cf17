/* Grids that come after others (docs/async.md GR1-GR3). */
#include "exec/walk.h"

static bool comes_after(const struct skeleton *s, uint32_t later, uint32_t earlier, bool follows) {
  const struct program *p = s->program;
  return SOME_BELOW(i, p->launch_count,
                    p->launches[i].follows == follows && p->launches[i].grid == p->threads[later].grid &&
                        p->launches[i].other == p->threads[earlier].grid);
}

/* From all events of a grid to the events of another grid that may rely on them: its griddepcontrol.wait, or all events
 * if the grid follows. */
bool pairs_ENDED(const struct skeleton *s, const struct event *x, const struct event *y) {
  if (y->spawned) return false;
  bool waits = y->kind == EVENT_GRID && skeleton_instr(s, y)->kind == INSTR_GRID_WAIT;
  return comes_after(s, y->thread, x->thread, true) || (waits && comes_after(s, y->thread, x->thread, false));
}

/* From griddepcontrol.launch_dependents to all events of the dependent grids. */
bool pairs_LAUNCH(const struct skeleton *s, const struct event *x, const struct event *y) {
  if (x->kind != EVENT_GRID || skeleton_instr(s, x)->kind != INSTR_GRID_LAUNCH) return false;
  return !y->spawned && comes_after(s, y->thread, x->thread, false);
}

/* From all events of a grid to all events of the grids that are launched with programmatic dependence on it. */
bool pairs_DEPENDENT(const struct skeleton *s, const struct event *x, const struct event *y) {
  return comes_after(s, y->thread, x->thread, false);
}

/* The grid that a host launches, or waits for. */
static bool names_grid(const struct skeleton *s, const struct event *x, enum instr_kind kind, uint32_t thread) {
  const struct instr *in = x->kind == EVENT_GRID ? skeleton_instr(s, x) : NULL;
  const struct thread *other = &s->program->threads[thread];
  return in && in->kind == kind && !other->host && in->src[0].imm == other->grid;
}

bool pairs_API(const struct skeleton *s, const struct event *x, const struct event *y) {
  return (names_grid(s, x, INSTR_HOST_LAUNCH, y->thread) && !y->spawned) ||
         names_grid(s, y, INSTR_HOST_SYNC, x->thread);
}

/* ---- Waiting for grids that may never end ---- */

/* The condition that some thread of the earlier grids, which are walked already, does not end. */
static term_id unfinished(struct walk *w, uint32_t own, bool follows) {
  const struct skeleton *s = w->s;
  term_id some = TERM_FALSE;
  for (uint32_t i = 0; i < s->ends.len; i++)
    if (comes_after(s, own, s->ends.data[i].thread, follows)) some = term_or(w->terms, some, s->ends.data[i].when);
  return some;
}

static void block(struct walk *w, uint32_t thread, term_id when, uint32_t wait, uint32_t instr) {
  if (when == TERM_FALSE) return;
  struct ending ending = {.kind = ENDING_BLOCKED, .when = when, .wait = wait, .thread = thread, .instr = instr};
  ending.span = w->s->program->threads[thread].instrs[instr].span;
  VEC_PUSH(w->s->arena, &w->s->ends, ending);
  w->path->guard = term_and(w->terms, w->path->guard, term_not(w->terms, when));
}

/* The condition that some thread of a grid, all of which are walked already, does not end. */
static term_id unfinished_grid(struct walk *w, value_t grid) {
  const struct skeleton *s = w->s;
  term_id some = TERM_FALSE;
  VEC_EACH (end, &s->ends)
    if (!s->program->threads[end->thread].host && s->program->threads[end->thread].grid == grid)
      some = term_or(w->terms, some, end->when);
  return some;
}

/* A grid that a host launches does not begin while a grid with which the host synchronizes before has not ended. */
static void start_by_host(struct walk *w, uint32_t thread, uint32_t first, const struct thread *host) {
  const struct instr *launch = host->instrs, *end = host->instrs + host->instr_count;
  uint32_t grid = w->s->program->threads[thread].grid;
  while (launch < end && !(launch->kind == INSTR_HOST_LAUNCH && launch->src[0].imm == grid)) launch++;
  for (const struct instr *in = host->instrs; in < launch && launch < end; in++) {
    bool waits = in->kind == INSTR_HOST_SYNC;
    if (in->kind == INSTR_BRANCH || (waits && in->src[0].imm >= grid)) walk_refuse(w, REASON_HOST_ENDS, launch->span);
    else if (waits) block(w, thread, unfinished_grid(w, in->src[0].imm), NO_PARTNER, first);
  }
}

void walk_grid_start(struct walk *w, uint32_t thread, uint32_t first) {
  const struct program *p = w->s->program;
  if (!w->s->options.precise) return;
  block(w, thread, unfinished(w, thread, true), NO_PARTNER, first);
  for (uint32_t t = 0; t < p->thread_count && !p->threads[thread].host; t++)
    if (p->threads[t].host) start_by_host(w, thread, first, &p->threads[t]);
}

void walk_grid(struct walk *w) {
  struct event event = w->base;
  event.kind = EVENT_GRID;
  bool waits = w->instr->kind == INSTR_GRID_WAIT, syncs = w->instr->kind == INSTR_HOST_SYNC;
  if (w->s->options.precise && (waits || syncs)) {
    term_id never = waits ? unfinished(w, event.thread, false) : unfinished_grid(w, w->instr->src[0].imm);
    term_id when = term_and(w->terms, event.exec, never);
    block(w, event.thread, when, w->s->events.len, w->base.instr);
    event.exec = term_and(w->terms, event.exec, term_not(w->terms, never));
  }
  walk_add_event(w, event);
}
