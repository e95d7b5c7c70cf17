#include "explain/trail.h"

#include <string.h>

#include "explain/words.h"

bool trail_in_po(const struct trail *t, uint32_t a, uint32_t b) {
  return bitmat_has(t->x->skeleton->must[CAT_REL_PO], a, b) && bitset_has(t->x->exec, a) && bitset_has(t->x->exec, b);
}

bool trail_same_thread(const struct trail *t, uint32_t a, uint32_t b) {
  return execution_event(t->x, a)->thread == execution_event(t->x, b)->thread;
}

const char *trail_quote(const struct trail *t, uint32_t event) { return words_event(t->story->arena, t->x, event); }

void trail_lacks(struct trail *t, uint32_t from, uint32_t to, const char *text, const char *cure) {
  struct explain_missing missing = {.text = text, .cure = cure};
  missing.from = story_event(t->story, from);
  missing.to = story_event(t->story, to);
  VEC_PUSH(t->story->arena, &t->story->out->missing, missing);
}

uint32_t trail_entry(const struct trail *t, uint32_t step) {
  while (step && trail_same_thread(t, t->steps[step - 1].from, t->steps[step].from)) step--;
  return t->steps[step].from;
}

uint32_t trail_exit(const struct trail *t, uint32_t step) {
  while (step + 2 < t->count && trail_same_thread(t, t->steps[step + 1].to, t->steps[step].to)) step++;
  return t->steps[step].to;
}

bool trail_through_atomic(const struct trail *t, uint32_t step) {
  return step + 2 < t->count && execution_event(t->x, t->steps[step].to)->is_rmw &&
         execution_event(t->x, t->steps[step].to)->partner == t->steps[step + 1].to &&
         strcmp(t->steps[step + 2].relation, "rf") == 0 && step + 3 < t->count;
}
