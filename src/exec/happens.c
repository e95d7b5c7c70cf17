/* Finds the events that happen whenever another one does, by the form of the terms of their conditions. */
#include "exec/build.h"

struct forcing {
  const struct terms *terms;
  bool *holds;        /* by term: it holds if the assumed term does */
  VEC(term_id) parts; /* the terms of events and the operands of their and and or, operands first */
};

static bool joins(const struct term *t) { return t->width == 1 && (t->op == TERM_AND || t->op == TERM_OR); }

/* `is_part`: by term; at first, the terms of events. */
static void find_parts(struct forcing *f, const struct skeleton *s, bool *is_part) {
  for (term_id id = s->terms.list.len; id-- > 0;) {
    const struct term *t = term_get(&s->terms, id);
    if (is_part[id] && joins(t)) is_part[t->a] = is_part[t->b] = true;
  }
  for (term_id id = 0; id < s->terms.list.len; id++)
    if (is_part[id]) VEC_PUSH(s->arena, &f->parts, id);
}

static void assume(struct forcing *f, term_id assumed) {
  for (uint32_t i = 0; i < f->parts.len; i++) f->holds[f->parts.data[i]] = false;
  f->holds[TERM_TRUE] = f->holds[assumed] = true;
  for (uint32_t i = f->parts.len; i-- > 0;) {
    const struct term *t = term_get(f->terms, f->parts.data[i]);
    if (f->holds[f->parts.data[i]] && joins(t) && t->op == TERM_AND) f->holds[t->a] = f->holds[t->b] = true;
  }
  for (uint32_t i = 0; i < f->parts.len; i++) {
    const struct term *t = term_get(f->terms, f->parts.data[i]);
    if (!joins(t)) continue;
    bool follows = t->op == TERM_AND ? f->holds[t->a] && f->holds[t->b] : f->holds[t->a] || f->holds[t->b];
    f->holds[f->parts.data[i]] |= follows;
  }
}

bool skeleton_forces(const struct skeleton *s, term_id a, term_id b) {
  struct forcing f = {.terms = &s->terms};
  if (a == b || b == TERM_TRUE) return true;
  bool *is_part = ARENA_ARRAY(s->arena, bool, s->terms.list.len);
  f.holds = ARENA_ARRAY(s->arena, bool, s->terms.list.len);
  is_part[a] = is_part[b] = true;
  find_parts(&f, s, is_part);
  assume(&f, a);
  return f.holds[b];
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

static void fill_rows(struct skeleton *s) {
  struct forcing f = {.terms = &s->terms, .holds = ARENA_ARRAY(s->arena, bool, s->terms.list.len)};
  bool *is_part = ARENA_ARRAY(s->arena, bool, s->terms.list.len);
  for (uint32_t e = 0; e < s->n; e++) is_part[skeleton_event(s, e)->exec] = true;
  find_parts(&f, s, is_part);
  for (uint32_t a = 0; a < s->n; a++) {
    if (copy_row(s, a)) continue;
    assume(&f, skeleton_event(s, a)->exec);
    for (uint32_t b = 0; b < s->n; b++)
      if (f.holds[skeleton_event(s, b)->exec]) bitmat_add(s->implies, a, b);
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
  if (bitset_count(s->always) == s->n) {
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
