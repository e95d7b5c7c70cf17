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

/* From all events of a grid to those of another that may rely on them: behind its griddepcontrol.wait, or all if it
 * follows. */
void skeleton_bound_ended(struct skeleton *s) {
  for (uint32_t b = 0; b < s->first_init && s->program->launch_count; b++) {
    const struct event *y = skeleton_event(s, b);
    bool waits = y->kind == EVENT_GRID && event_instr(s, b)->kind == INSTR_GRID_WAIT;
    for (uint32_t a = 0; a < s->first_init && !y->spawned; a++) {
      uint32_t earlier = skeleton_event(s, a)->thread;
      if (comes_after(s, y->thread, earlier, true) || (waits && comes_after(s, y->thread, earlier, false)))
        bitmat_add(s->must[CAT_REL_ENDED], a, b);
    }
  }
}

/* From griddepcontrol.launch_dependents to all events of the dependent grids. */
void skeleton_bound_launch(struct skeleton *s) {
  for (uint32_t a = 0; a < s->first_init && s->program->launch_count; a++) {
    const struct event *x = skeleton_event(s, a);
    if (x->kind != EVENT_GRID || event_instr(s, a)->kind != INSTR_GRID_LAUNCH) continue;
    for (uint32_t b = 0; b < s->first_init; b++)
      if (!skeleton_event(s, b)->spawned && comes_after(s, skeleton_event(s, b)->thread, x->thread, false))
        bitmat_add(s->must[CAT_REL_LAUNCH], a, b);
  }
}

/* From all events of a grid to all of the grids that are launched with programmatic dependence on it. */
void skeleton_bound_dependent(struct skeleton *s) {
  for (uint32_t a = 0; a < s->first_init && s->program->launch_count; a++)
    for (uint32_t b = 0; b < s->first_init; b++)
      if (comes_after(s, skeleton_event(s, b)->thread, skeleton_event(s, a)->thread, false))
        bitmat_add(s->must[CAT_REL_DEPENDENT], a, b);
}

/* ---- Waiting for grids that may never end ---- */

/* The condition that some thread of the grids before does not end; these are walked already. */
static term_id unfinished(struct walk *w, uint32_t own, bool follows) {
  const struct skeleton *s = w->s;
  term_id some = TERM_FALSE;
  for (uint32_t i = 0; i < s->ends.len; i++)
    if (comes_after(s, own, s->ends.data[i].thread, follows))
      some = term_binary(w->terms, TERM_OR, some, s->ends.data[i].when);
  return some;
}

static void block(struct walk *w, uint32_t thread, term_id when, uint32_t wait, uint32_t instr) {
  if (when == TERM_FALSE) return;
  struct ending ending = {.kind = ENDING_BLOCKED, .when = when, .wait = wait, .thread = thread, .instr = instr};
  ending.span = w->s->program->threads[thread].instrs[instr].span;
  VEC_PUSH(w->s->arena, &w->s->ends, ending);
  w->path->guard = term_binary(w->terms, TERM_AND, w->path->guard, term_not(w->terms, when));
}

void walk_grid_start(struct walk *w, uint32_t thread, uint32_t first) {
  if (w->s->precise) block(w, thread, unfinished(w, thread, true), NO_PARTNER, first);
}

void walk_grid(struct walk *w) {
  struct event event = w->base;
  event.kind = EVENT_GRID;
  if (w->s->precise && w->instr->kind == INSTR_GRID_WAIT) {
    term_id never = unfinished(w, event.thread, false), when = term_binary(w->terms, TERM_AND, event.exec, never);
    block(w, event.thread, when, w->s->events.len, w->base.instr);
    event.exec = term_binary(w->terms, TERM_AND, event.exec, term_not(w->terms, never));
  }
  walk_add_event(w, event);
}
