/* Finds the events that happen whenever another one does, by the form of the terms of their conditions. */
#include "exec/build.h"

struct forcing {
  const struct terms *terms;
  struct arena *arena;
  struct bitset are_parts, hold; /* by term; hold: those that hold if the assumed one does */
  VEC(term_id) parts;            /* the terms of events and the operands of their and and or, operands first */
};

static bool joins(const struct term *t) { return t->width == 1 && (t->op == TERM_AND || t->op == TERM_OR); }

static struct forcing forcing_of(const struct skeleton *s) {
  const uint32_t terms = s->terms.list.len;
  return (struct forcing){.terms = &s->terms,
                          .arena = s->arena,
                          .are_parts = bitset_new(s->arena, terms),
                          .hold = bitset_new(s->arena, terms)};
}

static void add_part(struct forcing *f, term_id id) {
  if (bitset_has(f->are_parts, id)) return;
  bitset_add(f->are_parts, id);
  VEC_PUSH(f->arena, &f->parts, id);
}

/* Adds the operands of the parts, and theirs; operands have lower numbers. */
static void add_operands(struct forcing *f) {
  for (uint32_t i = 0; i < f->parts.len; i++) {
    const struct term *t = term_get(f->terms, f->parts.data[i]);
    if (joins(t)) add_part(f, t->a), add_part(f, t->b);
  }
  f->parts.len = 0;
  EACH (id, f->are_parts) f->parts.data[f->parts.len++] = id;
}

static void assume(struct forcing *f, term_id assumed) {
  bitset_clear(f->hold);
  bitset_add(f->hold, TERM_TRUE);
  bitset_add(f->hold, assumed);
  for (uint32_t i = f->parts.len; i-- > 0;) {
    const struct term *t = term_get(f->terms, f->parts.data[i]);
    if (!bitset_has(f->hold, f->parts.data[i]) || !joins(t) || t->op != TERM_AND) continue;
    bitset_add(f->hold, t->a);
    bitset_add(f->hold, t->b);
  }
  for (uint32_t i = 0; i < f->parts.len; i++) {
    const struct term *t = term_get(f->terms, f->parts.data[i]);
    if (!joins(t)) continue;
    const bool a = bitset_has(f->hold, t->a), b = bitset_has(f->hold, t->b);
    if (t->op == TERM_AND ? a && b : a || b) bitset_add(f->hold, f->parts.data[i]);
  }
}

bool skeleton_forces(const struct skeleton *s, term_id a, term_id b) {
  if (a == b || b == TERM_TRUE) return true;
  struct forcing f = forcing_of(s);
  add_part(&f, a);
  add_part(&f, b);
  add_operands(&f);
  assume(&f, a);
  return bitset_has(f.hold, b);
}

/* Copies the row of an earlier event that happens under the same term. */
static bool copy_row(struct skeleton *s, uint32_t a) {
  for (uint32_t b = 0; b < a; b++) {
    if (skeleton_event(s, b)->exec != skeleton_event(s, a)->exec) continue;
    bitset_set(bitmat_row_set(s->implies, a), bitmat_row_set(s->implies, b));
    return true;
  }
  return false;
}

/* The events without which their thread does not reach its end. */
static void fill_sure(struct skeleton *s, struct forcing *f) {
  for (uint32_t e = 0, thread = NO_THREAD; e < s->first_init; e++) {
    if (skeleton_event(s, e)->thread != thread) assume(f, s->reach_end[thread = skeleton_event(s, e)->thread]);
    if (bitset_has(f->hold, skeleton_event(s, e)->exec)) bitset_add(s->sure, e);
  }
}

static void fill_rows(struct skeleton *s) {
  struct forcing f = forcing_of(s);
  for (uint32_t e = 0; e < s->n; e++) add_part(&f, skeleton_event(s, e)->exec);
  for (uint32_t t = 0; t < s->program->thread_count; t++) add_part(&f, s->reach_end[t]);
  add_operands(&f);
  fill_sure(s, &f);
  for (uint32_t a = 0; a < s->n; a++) {
    if (copy_row(s, a)) continue;
    assume(&f, skeleton_event(s, a)->exec);
    for (uint32_t b = 0; b < s->n; b++)
      if (bitset_has(f.hold, skeleton_event(s, b)->exec)) bitmat_add(s->implies, a, b);
  }
}

/* True if the phase of a wait is never complete without the arrival, which then precedes the wait's end. */
static bool is_needed(const struct skeleton *s, uint32_t arrival, const struct event *wait) {
  const struct event *a = skeleton_event(s, arrival), *own = skeleton_event(s, wait->partner);
  if (a->kind != EVENT_ARRIVE || !skeleton_must_share(s, arrival, wait->partner)) return false;
  return a->is_awaited || (own->meeting.live == TERM_TRUE && skeleton_surely_comes(s, arrival, wait->partner));
}

/* Adds to a row the events that happen whenever a wait in it passes. */
static void follow_waits(struct skeleton *s, struct bitset row, const struct bitmat needed) {
  bool grew;
  do {
    grew = false;
    EACH (w, s->sets[CAT_SET_WAIT]) {
      struct bitset arrivals = bitmat_row_set(needed, w);
      if (!bitset_has(row, w) || bitset_subset(arrivals, row)) continue;
      EACH (x, arrivals) bitset_or(row, bitmat_row_set(s->implies, x));
      grew = true;
    }
  } while (grew);
}

static void add_arrivals(struct skeleton *s) {
  struct bitmat needed = bitmat_new(s->arena, s->n);
  EACH (w, s->sets[CAT_SET_WAIT])
    EACH (x, s->sets[CAT_SET_ARRIVE])
      if (is_needed(s, x, skeleton_event(s, w))) bitmat_add(needed, w, x);
  for (uint32_t a = 0; a < s->n; a++) follow_waits(s, bitmat_row_set(s->implies, a), needed);
}

void skeleton_happens(struct skeleton *s) {
  s->always = bitset_new(s->arena, s->n);
  for (uint32_t e = 0; e < s->n; e++)
    if (skeleton_event(s, e)->exec == TERM_TRUE) bitset_add(s->always, e);
  s->implies = s->implied = bitmat_new(s->arena, s->n);
  s->sure = bitset_new(s->arena, s->n);
  if (bitset_count(s->always) == s->n) {
    bitset_or(s->sure, s->always);
    bitmat_fill(s->implies);
    s->forces = s->implies;
    return;
  }
  fill_rows(s);
  s->forces = bitmat_copy(s->arena, s->implies);
  add_arrivals(s);
  s->implied = bitmat_new(s->arena, s->n);
  bitmat_inverse(s->implied, s->implies);
}
