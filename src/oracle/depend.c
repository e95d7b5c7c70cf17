#include "oracle/paths.h"

#include "exec/unroll.h"

uint32_t *depend_steps(struct arena *arena, const struct thread *thread, const uint32_t *copies,
                       const struct thread_path *path) {
  struct unrolled unrolled;
  unroll(arena, thread, copies, &unrolled);
  uint32_t *steps = ARENA_ARRAY(arena, uint32_t, path->count), at = 0;
  for (uint32_t i = 0; i < path->count; i++) {
    bool fits = at < unrolled.steps.len && unrolled.steps.data[at].instr == path->origins[i];
    steps[i] = fits ? at : NO_STEP;
    if (!fits) at = NO_STEP;
    else at = path->decided[i] == DECISION_TAKEN ? unrolled.steps.data[at].target : unrolled.steps.data[at].next;
  }
  return steps;
}

/* The event of `whole` that corresponds to an event of a path, or NO_EVENT. Both list the events of an instruction in
 * the same order. */
static uint32_t same_event(const struct skeleton *way, uint32_t event, const struct skeleton *whole,
                           const uint32_t *const *steps) {
  const struct event *e = &way->events.data[event];
  uint32_t place = 0, step = steps[e->thread][e->step];
  while (event > place && way->events.data[event - place - 1].thread == e->thread &&
         way->events.data[event - place - 1].step == e->step)
    place++;
  for (uint32_t i = 0; i < whole->first_init; i++)
    if (whole->events.data[i].thread == e->thread && whole->events.data[i].step == step)
      return i + place < whole->first_init && whole->events.data[i + place].step == step ? i + place : NO_EVENT;
  return NO_EVENT;
}

void depend_restrict(struct skeleton *way, const struct skeleton *whole, const uint32_t *const *steps) {
  static const enum cat_builtin kinds[] = {CAT_REL_ADDR, CAT_REL_DATA, CAT_REL_CTRL};
  uint32_t *same = ARENA_ARRAY(way->arena, uint32_t, way->first_init);
  for (uint32_t i = 0; i < way->first_init; i++) {
    same[i] = same_event(way, i, whole, steps);
    bool asked = same[i] == NO_EVENT || bitset_has(whole->sets[CAT_SET_ASKED], same[i]);
    if (!asked) bitset_del(way->sets[CAT_SET_ASKED], i);
  }
  for (unsigned k = 0; k < ARRAY_LEN(kinds); k++)
    for (uint32_t a = 0; a < way->first_init; a++)
      for (uint32_t b = 0; b < way->first_init; b++) {
        if (same[a] == NO_EVENT || same[b] == NO_EVENT || bitmat_has(whole->may[kinds[k]], same[a], same[b])) continue;
        bitmat_del(way->may[kinds[k]], a, b);
        bitmat_del(way->must[kinds[k]], a, b);
      }
}
