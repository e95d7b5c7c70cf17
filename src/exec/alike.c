/* Decides if two threads of a test are alike: every execution, with the two exchanged, is an execution too.
 *
 * The exchange maps the first event of one thread to the first event of the other, and so on. An execution consists of
 * events with their members in the skeleton, terms over the values of reads, pairs of the predefined relations, and
 * choices among these. If the exchange leaves all of these unchanged, it maps the choices of any execution to those of
 * another; and because a model distinguishes events only by the predefined sets and relations, its axioms hold for both
 * or for neither. Nothing is concluded from the text of the threads: any difference (scopes, initial values of
 * registers, special registers, private memory) shows in some value, place or pair. */
#include "exec/skeleton.h"

struct swap {
  const struct skeleton *s;
  uint32_t first[2], count; /* the events of each of the threads */
  term_id *image;           /* by term: its image; 0: not known yet */
  uint32_t depth;           /* of the term that is looked at */
};

enum { DEEPEST_TERM = 20000 };

static uint32_t other_event(const struct swap *w, uint32_t e) {
  for (unsigned i = 0; i < 2; i++)
    if (e >= w->first[i] && e < w->first[i] + w->count) return e - w->first[i] + w->first[1 - i];
  return e;
}

/* ---- Terms ---- */

/* Not handled: leaves that barriers, clocks or the scheduler determine. */
static bool leaf_becomes(const struct swap *w, const struct term *t, const struct term *u) {
  if (t->op == TERM_READ) return other_event(w, t->event) == u->event;
  return t->op == TERM_CONST && t->constant == u->constant;
}

static bool becomes(struct swap *w, term_id a, term_id b) {
  const struct terms *terms = &w->s->terms;
  const struct term *t = term_get(terms, a), *u = term_get(terms, b);
  term_id from[3], to[3];
  if (w->image[a]) return w->image[a] == b;
  if (t->op != u->op || t->width != u->width || w->depth == DEEPEST_TERM) return false;
  if (term_op_is_leaf(t->op) && !leaf_becomes(w, t, u)) return false;
  unsigned operands = term_operands(terms, a, from), same = 0;
  term_operands(terms, b, to);
  w->depth++;
  while (same < operands && becomes(w, from[same], to[same])) same++;
  w->depth--;
  if (same == operands) w->image[a] = b;
  return same == operands;
}

/* ---- Events and their relations ---- */

static bool places_become(struct swap *w, const struct event *x, const struct event *y) {
  if (x->place_count != y->place_count) return false;
  for (uint32_t i = 0; i < x->place_count; i++) {
    const struct place *p = &x->places[i], *q = &y->places[i];
    if (p->vaddr != q->vaddr || p->phys != q->phys || !becomes(w, p->guard, q->guard)) return false;
  }
  return true;
}

/* The predefined sets show the kind of an event. */
static bool event_becomes(struct swap *w, uint32_t e) {
  const struct event *x = skeleton_event(w->s, e), *y = skeleton_event(w->s, other_event(w, e));
  return event_is_basic(x) && becomes(w, x->exec, y->exec) && becomes(w, x->value, y->value) && places_become(w, x, y);
}

static bool pairs_stay(const struct swap *w, struct bitmat m, uint32_t x) {
  uint32_t y = other_event(w, x);
  for (uint32_t e = 0; e < m.n; e++) {
    uint32_t f = other_event(w, e);
    if (bitmat_has(m, x, e) != bitmat_has(m, y, f) || bitmat_has(m, e, x) != bitmat_has(m, f, y)) return false;
  }
  return true;
}

static bool relations_stay(const struct swap *w, uint32_t x) {
  const struct skeleton *s = w->s;
  for (int set = 0; set < CAT_SET_COUNT; set++)
    if (bitset_has(s->sets[set], x) != bitset_has(s->sets[set], other_event(w, x))) return false;
  for (int id = CAT_SET_COUNT; id < CAT_BUILTIN_COUNT; id++) {
    if (builtins_have(&s->absent, (enum cat_builtin)id)) continue;
    if (!pairs_stay(w, s->may[id], x)) return false;
    if (s->must[id].words != s->may[id].words && !pairs_stay(w, s->must[id], x)) return false;
  }
  return true;
}

/* The exchange must preserve the endings, because executions that end in these ways are all excluded. */
static bool ends_stay(struct swap *w) {
  const struct skeleton *s = w->s;
  for (uint32_t i = 0; i < s->ends.len; i++) {
    uint32_t k = 0;
    while (k < s->ends.len && !becomes(w, s->ends.data[i].when, s->ends.data[k].when)) k++;
    if (k == s->ends.len) return false;
  }
  return true;
}

/* ---- The question of the test ---- */

/* True if the exchange maps observable i to k; a final value in memory keeps its place. */
static bool final_becomes(struct swap *w, uint32_t i, uint32_t k) {
  const struct final *x = &w->s->finals[i], *y = &w->s->finals[k];
  return i == k ? !x->is_term || becomes(w, x->value, x->value)
                : x->is_term && y->is_term && becomes(w, x->value, y->value);
}

static bool finals_stay(struct swap *w) {
  for (uint32_t i = 0; i < w->s->program->observed_count; i++)
    if (!final_becomes(w, i, i)) return false;
  return true;
}

static bool side_becomes(struct swap *w, const struct cond_term *a, const struct cond_term *b) {
  const struct observable *all = w->s->program->observables;
  if (a->is_constant || b->is_constant) return a->is_constant && b->is_constant && a->constant == b->constant;
  return all[a->observable].type.kind == all[b->observable].type.kind && final_becomes(w, a->observable, b->observable);
}

struct parts {
  VEC(const struct cond *) list;
};

/* The operands of a chain of /\ or of \/. */
static void list_parts(struct swap *w, enum cond_kind kind, const struct cond *c, struct parts *out) {
  for (; c->kind == kind; c = c->left) list_parts(w, kind, c->right, out);
  VEC_PUSH(w->s->arena, &out->list, c);
}

static bool condition_becomes(struct swap *w, const struct cond *c, const struct cond *d);

/* True if the exchange maps the parts of one chain to those of the other, in any order. */
static bool parts_become(struct swap *w, const struct cond *c, const struct cond *d) {
  struct parts from = {0}, to = {0};
  list_parts(w, c->kind, c, &from);
  list_parts(w, d->kind, d, &to);
  if (from.list.len != to.list.len) return false;
  for (uint32_t i = 0; i < from.list.len; i++) {
    uint32_t k = 0;
    while (k < to.list.len && !condition_becomes(w, from.list.data[i], to.list.data[k])) k++;
    if (k == to.list.len) return false;
    to.list.data[k] = to.list.data[--to.list.len];
  }
  return true;
}

static bool condition_becomes(struct swap *w, const struct cond *c, const struct cond *d) {
  if (c->kind != d->kind) return false;
  switch (c->kind) {
    case COND_TRUE: return true;
    case COND_NOT: return condition_becomes(w, c->left, d->left);
    case COND_AND:
    case COND_OR: return parts_become(w, c, d);
    case COND_COMPARE: {
      bool turns = c->compare == COMPARE_EQ || c->compare == COMPARE_NE;
      return c->compare == d->compare && ((side_becomes(w, &c->a, &d->a) && side_becomes(w, &c->b, &d->b)) ||
                                          (turns && side_becomes(w, &c->a, &d->b) && side_becomes(w, &c->b, &d->a)));
    }
  }
  BUG("condition %d", (int)c->kind);
}

static bool condition_stays(struct swap *w, const struct cond *c) { return !c || condition_becomes(w, c, c); }

/* ---- All of it ---- */

/* The number of a thread's events, which are consecutive; *first: the first of them. */
static uint32_t find_events(const struct skeleton *s, uint32_t thread, uint32_t *first) {
  uint32_t end;
  for (*first = 0; *first < s->first_init && skeleton_event(s, *first)->thread != thread;) ++*first;
  for (end = *first; end < s->first_init && skeleton_event(s, end)->thread == thread;) end++;
  return end - *first;
}

/* Checks all events, because those of other threads may have terms over reads of the two threads. */
static bool events_stay(struct swap *w) {
  for (uint32_t i = 0; i < w->count; i++)
    if (!event_becomes(w, w->first[0] + i))
      return false; /* for threads that are not alike, usually the first event
                       differs */
  for (uint32_t e = 0; e < w->s->first_init; e++)
    if (!event_becomes(w, e)) return false;
  for (uint32_t i = 0; i < w->count; i++)
    if (!relations_stay(w, w->first[0] + i)) return false;
  return ends_stay(w);
}

static bool question_stays(struct swap *w, bool in_outcomes) {
  const struct program *program = w->s->program;
  return in_outcomes ? finals_stay(w) : condition_stays(w, program->condition) && condition_stays(w, program->filter);
}

bool skeleton_alike(const struct skeleton *s, uint32_t thread_a, uint32_t thread_b, bool in_outcomes) {
  struct swap w = {.s = s};
  if (s->options.precise || s->options.further || s->assumed.len) return false; /* not handled here */
  w.count = find_events(s, thread_a, &w.first[0]);
  if (find_events(s, thread_b, &w.first[1]) != w.count) return false;
  struct arena_mark mark = arena_mark(s->arena);
  w.image = ARENA_ARRAY(s->arena, term_id, s->terms.list.len);
  bool alike = question_stays(&w, in_outcomes) && events_stay(&w);
  arena_rewind(s->arena, mark);
  return alike;
}
