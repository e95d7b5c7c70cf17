/* Values that matter in themselves, and iterations: facts for the question for interleavings (sequence.h), noted while
 * threads are walked (skeleton_options.notes_uses). */
#include "exec/walk.h"

void walk_decides(struct walk *w, term_id when, term_id value) {
  if (!w->s->options.notes_uses || term_is_const(w->terms, value)) return;
  VEC_PUSH(w->s->arena, &w->s->deciders, ((struct decider){w->base.thread, w->base.step, when, value}));
}

/* Notes an iteration, and if it does more than read. An atomic that writes back the value that it read does not. */
void walk_turn(struct walk *w, const struct iteration *iteration, uint32_t first) {
  term_id again = iteration->taken;
  struct loop_turn turn = {w->base.thread, first, w->base.step, again, TERM_FALSE};
  if (!w->s->options.notes_uses || again == TERM_FALSE) return;
  for (uint32_t i = iteration->first; i < w->s->events.len; i++) {
    const struct event *e = skeleton_event(w->s, i);
    if (e->kind == EVENT_READ || event_is_fence(e)) continue;
    term_id effect = e->exec;
    if (e->kind == EVENT_WRITE && e->is_rmw && e->partner != NO_PARTNER) {
      term_id same = term_eq(w->terms, e->value, skeleton_event(w->s, e->partner)->value);
      effect = term_and(w->terms, effect, term_not(w->terms, same));
    }
    turn.effect = term_or(w->terms, turn.effect, effect);
  }
  VEC_PUSH(w->s->arena, &w->s->turns, turn);
}

/* True if the final value of a register of a column can be seen: `locations` names it, or is absent (K18). */
static bool is_observed(const struct program *p, uint32_t thread, uint32_t reg) {
  if (p->threads[thread].of_kernel) return false;
  return SOME_BELOW(i, p->observed_count,
                    p->observables[i].is_reg && p->observables[i].thread == thread && p->observables[i].reg == reg) ||
         !p->observed_count;
}

void walk_decides_at_end(struct walk *w, uint32_t index) {
  w->base.step = UINT32_MAX;
  for (uint32_t r = 0; r < w->s->program->threads[index].reg_count; r++)
    if (is_observed(w->s->program, index, r)) walk_decides(w, TERM_TRUE, w->path->regs[r].value);
}
