/* Grids that come after others (docs/async.md GR1-GR3). */
#include "exec/walk.h"

static bool comes_after(const struct skeleton *s, uint32_t later, uint32_t earlier, bool follows) {
  const struct program *p = s->program;
  for (uint32_t i = 0; i < p->launch_count; i++)
    if (p->launches[i].follows == follows && p->launches[i].grid == p->threads[later].grid &&
        p->launches[i].other == p->threads[earlier].grid)
      return true;
  return false;
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

void walk_grid_start(struct walk *w, uint32_t thread, uint32_t first) {
  if (w->s->options.precise) block(w, thread, unfinished(w, thread, true), NO_PARTNER, first);
}

void walk_grid(struct walk *w) {
  struct event event = w->base;
  event.kind = EVENT_GRID;
  if (w->s->options.precise && w->instr->kind == INSTR_GRID_WAIT) {
    term_id never = unfinished(w, event.thread, false), when = term_and(w->terms, event.exec, never);
    block(w, event.thread, when, w->s->events.len, w->base.instr);
    event.exec = term_and(w->terms, event.exec, term_not(w->terms, never));
  }
  walk_add_event(w, event);
}
