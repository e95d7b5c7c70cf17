/* Grids that come after others (docs/async.md GR1-GR3). */
#include "exec/build.h"

static bool comes_after(const struct skeleton *s, uint32_t later, uint32_t earlier, bool follows) {
  const struct program *p = s->program;
  for (uint32_t i = 0; i < p->launch_count; i++)
    if (p->launches[i].follows == follows && p->launches[i].grid == p->threads[later].grid &&
        p->launches[i].other == p->threads[earlier].grid)
      return true;
  return false;
}

/* From whatever a grid does to where another may count on it: its griddepcontrol.wait, or all of it where it follows.
 */
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

/* From griddepcontrol.launch_dependents to whatever the dependent grids do. */
void skeleton_bound_launch(struct skeleton *s) {
  for (uint32_t a = 0; a < s->first_init && s->program->launch_count; a++) {
    const struct event *x = skeleton_event(s, a);
    if (x->kind != EVENT_GRID || event_instr(s, a)->kind != INSTR_GRID_LAUNCH) continue;
    for (uint32_t b = 0; b < s->first_init; b++)
      if (!skeleton_event(s, b)->spawned && comes_after(s, skeleton_event(s, b)->thread, x->thread, false))
        bitmat_add(s->must[CAT_REL_LAUNCH], a, b);
  }
}
