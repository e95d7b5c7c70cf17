/* Arithmetic of addresses that knows where locations are: isspacep, mapa, getctarank (9.7.10). */
#include "exec/walk.h"

static const struct object *object_of(const struct walk *w, uint32_t view) {
  return &w->s->program->objects[w->s->program->views[view].object];
}

/* The address lies in the view. */
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

/* Whether the window of a state space has the object, as the thread sees it (5.1). */
static bool window_has(const struct walk *w, enum space space, bool own_cta, const struct object *object) {
  if (object->space != space) return false;
  if (space != SPACE_SHARED) return true;
  return own_cta ? object->owner == w->s->program->threads[w->base.thread].cta_id : in_cluster(w, object->owner);
}

/* What lies in no other window is global. */
static term_id in_space(struct walk *w, term_id address) {
  static const enum space others[] = {SPACE_SHARED, SPACE_LOCAL, SPACE_CONST};
  const struct instr *in = w->instr;
  term_id inside = TERM_FALSE;
  for (uint32_t v = 0; v < w->s->program->view_count; v++) {
    bool has = in->space != SPACE_GLOBAL && window_has(w, in->space, in->own_cta, object_of(w, v));
    for (size_t i = 0; i < ARRAY_LEN(others) && in->space == SPACE_GLOBAL; i++)
      has |= window_has(w, others[i], false, object_of(w, v));
    if (has) inside = term_binary(w->terms, TERM_OR, inside, lies_in(w, address, v));
  }
  return in->space == SPACE_GLOBAL ? term_not(w->terms, inside) : inside;
}

/* The view of the same variable in a CTA, or the number of views. */
static uint32_t twin(const struct walk *w, uint32_t view, uint32_t cta) {
  const struct program *program = w->s->program;
  const struct object *object = object_of(w, view);
  for (uint32_t v = 0; v < program->view_count; v++) {
    const struct object *other = object_of(w, v);
    if (other->space == SPACE_SHARED && other->owner == cta && other->span.begin == object->span.begin &&
        other->span.source == object->span.source)
      return v;
  }
  return program->view_count;
}

/* 0, which is the address of nothing, where there is no such address. */
static term_id mapped(struct walk *w, term_id address, term_id rank) {
  const struct program *program = w->s->program;
  unsigned width = term_get(w->terms, address)->width;
  term_id result = term_const(w->terms, 0, width);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    uint32_t number = program->threads[t].special.ctarank, cta = program->threads[t].cta_id;
    if (number == NOT_PLACED || !in_cluster(w, cta)) continue;
    term_id here = term_binary(w->terms, TERM_EQ, rank, term_const(w->terms, number, 32));
    for (uint32_t v = 0; v < program->view_count; v++) {
      if (!window_has(w, SPACE_SHARED, false, object_of(w, v))) continue;
      uint32_t other = twin(w, v, cta);
      if (other == program->view_count) continue;
      value_t distance = (value_t)program->views[other].vaddr - program->views[v].vaddr;
      term_id moved = term_binary(w->terms, TERM_ADD, address, term_const(w->terms, distance, width));
      result = term_ite(w->terms, term_binary(w->terms, TERM_AND, here, lies_in(w, address, v)), moved, result);
    }
  }
  return result;
}

static term_id rank_of(struct walk *w, term_id address) {
  const struct program *program = w->s->program;
  term_id result = term_const(w->terms, 0, 32);
  for (uint32_t v = 0; v < program->view_count; v++) {
    if (!window_has(w, SPACE_SHARED, false, object_of(w, v))) continue;
    for (uint32_t t = 0; t < program->thread_count; t++) {
      if (program->threads[t].cta_id != object_of(w, v)->owner) continue;
      term_id rank = term_const(w->terms, program->threads[t].special.ctarank, 32);
      result = term_ite(w->terms, lies_in(w, address, v), rank, result);
    }
  }
  return result;
}

term_id walk_address_of(struct walk *w, const term_id *v) {
  switch (w->instr->alu) {
    case ALU_ISSPACEP: return in_space(w, v[0]);
    case ALU_MAPA: return mapped(w, v[0], v[1]);
    default: return rank_of(w, v[0]);
  }
}
