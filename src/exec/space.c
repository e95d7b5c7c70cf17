/* isspacep: finds the window of the address space that contains an address (5.1, 9.7.10). */
#include "exec/walk.h"

static const struct object *object_of(const struct walk *w, uint32_t view) {
  return &w->s->program->objects[w->s->program->views[view].object];
}

/* The condition that the address is in the view. */
static term_id lies_in(struct walk *w, term_id address, uint32_t view) {
  unsigned width = term_get(w->terms, address)->width;
  term_id start = term_const(w->terms, w->s->program->views[view].vaddr, width);
  term_id offset = term_binary(w->terms, TERM_SUB, address, start);
  return term_binary(w->terms, TERM_ULT, offset, term_const(w->terms, object_of(w, view)->size, width));
}

static bool in_cluster(const struct walk *w, uint32_t cta) {
  const struct program *program = w->s->program;
  for (uint32_t t = 0; t < program->thread_count; t++)
    if (program->threads[t].cta_id == cta)
      return program->threads[t].cluster_id == program->threads[w->base.thread].cluster_id;
  return false;
}

/* True if the window of a state space, as the thread sees it, contains the view (5.1). */
static bool window_has(const struct walk *w, enum space space, bool own_cta, uint32_t view) {
  const struct object *object = object_of(w, view);
  if (w->s->program->views[view].space != space) return false;
  if (space != SPACE_SHARED) return true;
  return own_cta ? object->owner == walk_own(w)->cta_id : in_cluster(w, object->owner);
}

/* An address in no other window is global. */
term_id walk_space(struct walk *w, term_id address) {
  static const enum space others[] = {SPACE_SHARED, SPACE_LOCAL, SPACE_CONST};
  const struct instr *in = w->instr;
  term_id inside = TERM_FALSE;
  for (uint32_t v = 0; v < w->s->program->view_count; v++) {
    bool has = (in->space != SPACE_GLOBAL && window_has(w, in->space, in->own_cta, v)) ||
               SOME(for (size_t i = 0; i < ARRAY_LEN(others) && in->space == SPACE_GLOBAL; i++),
                    window_has(w, others[i], false, v));
    if (has) inside = term_or(w->terms, inside, lies_in(w, address, v));
  }
  return in->space == SPACE_GLOBAL ? term_not(w->terms, inside) : inside;
}
