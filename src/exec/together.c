/* Loops that threads repeat together while a vote or a bar.red on values that they read has some result (K12). All of
 * them get the same result, so they leave the loop in the same iteration; and an iteration that all repeat without any
 * other effect can be left out. */
#include "exec/walk.h"

void walk_agree(struct walk *w, term_id result, uint32_t wait) {
  VEC_PUSH(w->s->arena, &w->agreed, ((struct agreed){result, wait}));
}

static bool meets(const struct event *e) { return e->kind == EVENT_ARRIVE || e->kind == EVENT_WAIT; }

/* True if a term says that a wait of the iteration lets its thread through, or that it does not block it. */
static bool is_let_through(struct walk *w, const struct iteration *iteration, term_id term) {
  const struct term *t = term_get(w->terms, term);
  if (t->op == TERM_PASS) return t->event >= iteration->first;
  for (uint32_t i = w->s->ends.len; i-- > 0;) {
    const struct ending *ending = &w->s->ends.data[i];
    if (ending->kind != ENDING_BLOCKED || ending->wait < iteration->first) continue;
    if (ending->thread == w->base.thread && term_not(w->terms, ending->when) == term) return true;
  }
  return false;
}

/* True if a term holds in each such iteration whose waits let the thread through, provided that `asked` does; *seen:
 * the term contains `asked`. */
static bool holds(struct walk *w, const struct iteration *iteration, term_id term, term_id asked, bool *seen) {
  const struct term t = *term_get(w->terms, term);
  if (term == asked) return *seen = true;
  if (term == iteration->guard || term == TERM_TRUE || is_let_through(w, iteration, term)) return true;
  if (t.op == TERM_AND && t.width == 1)
    return holds(w, iteration, t.a, asked, seen) && holds(w, iteration, t.b, asked, seen);
  return skeleton_forces(w->s, iteration->guard, term);
}

/* True if the iteration only reads, and waits at barriers that it always reaches. */
static bool only_looks(struct walk *w, const struct iteration *iteration) {
  bool seen = false;
  for (uint32_t i = iteration->first; i < w->s->events.len; i++) {
    const struct event *e = skeleton_event(w->s, i);
    bool silent = e->kind == EVENT_WRITE && walk_write_effect(w, i) == TERM_FALSE;
    bool quiet = silent || e->kind == EVENT_READ || e->kind == EVENT_FENCE || e->kind == EVENT_PROXY_FENCE;
    bool whole = e->kind == EVENT_WAIT || (e->kind == EVENT_ARRIVE && e->partner != NO_PARTNER);
    if (!quiet && !whole) return false;
    if (e->operation || e->use || (meets(e) && e->meeting.barrier->kind == BARRIER_CLUSTER)) return false;
    if (e->kind == EVENT_ARRIVE && !holds(w, iteration, e->exec, TERM_TRUE, &seen)) return false;
  }
  return true;
}

/* True if the iteration is repeated if and only if the term holds. */
static bool follows(struct walk *w, const struct iteration *iteration, term_id asked) {
  bool seen = false;
  return holds(w, iteration, iteration->taken, asked, &seen) && seen;
}

/* True if the iteration is repeated if and only if a result has the value, or if and only if it has not. */
static bool follows_value(struct walk *w, const struct iteration *iteration, const struct agreed *agreed,
                          value_t value) {
  unsigned width = term_get(w->terms, agreed->result)->width;
  term_id equal = term_eq(w->terms, agreed->result, term_const(w->terms, value, width));
  if (width == 1) equal = value ? agreed->result : term_not(w->terms, agreed->result);
  bool until = width > 1 && follows(w, iteration, term_not(w->terms, equal));
  if (!until && !follows(w, iteration, equal)) return false;
  struct together together = {iteration->first, w->s->events.len, agreed->wait, value, until};
  VEC_PUSH(w->s->arena, &w->s->together, together);
  return true;
}

bool walk_repeats_together(struct walk *w, const struct iteration *iteration) {
  if (!w->s->premises.together) return false;
  for (uint32_t i = w->agreed.len; i-- > 0 && w->agreed.data[i].wait >= iteration->first;) {
    const struct agreed *agreed = &w->agreed.data[i];
    uint32_t arrival = skeleton_event(w->s, agreed->wait)->partner;
    value_t named = term_get(w->terms, skeleton_event(w->s, arrival)->meeting.id)->constant;
    bool wide = term_get(w->terms, agreed->result)->width > 1;
    if (!only_looks(w, iteration)) return false;
    if (follows_value(w, iteration, agreed, 0) || follows_value(w, iteration, agreed, wide ? named : 1)) return true;
  }
  return false;
}

/* ---- All threads ---- */

static const struct together *of_event(const struct skeleton *s, uint32_t event) {
  for (uint32_t i = 0; i < s->together.len; i++)
    if (s->together.data[i].first_event <= event && event < s->together.data[i].end_event) return &s->together.data[i];
  return NULL;
}

static bool are_alike(const struct skeleton *s, const struct together *a, const struct together *b) {
  uint32_t x = skeleton_event(s, a->wait)->partner, y = skeleton_event(s, b->wait)->partner;
  return a->value == b->value && a->until == b->until && skeleton_must_share(s, x, y);
}

static bool meets_alike(const struct skeleton *s, const struct together *together, uint32_t arrival) {
  const struct barrier_group *group = &s->groups.data[skeleton_event(s, arrival)->meeting.group];
  VEC_VALUES (other, &group->arrivals) {
    if (other == arrival || !skeleton_may_share(s, arrival, other)) continue;
    const struct together *its = of_event(s, other);
    if (!its || !are_alike(s, together, its)) return false;
  }
  return true;
}

bool skeleton_repeats_alike(const struct skeleton *s) {
  for (uint32_t i = 0; i < s->together.len; i++)
    for (uint32_t e = s->together.data[i].first_event; e < s->together.data[i].end_event; e++)
      if (skeleton_event(s, e)->kind == EVENT_ARRIVE && !meets_alike(s, &s->together.data[i], e)) return false;
  return true;
}
