/* Decides if two threads of a test are alike: every execution, with the two exchanged, is an execution too.
 *
 * The exchange maps the first event of one thread to the first event of the other, and so on, and with them the places
 * that they access, such as shared memory of two CTAs, and the initial writes there. An execution consists of
 * events with their members in the skeleton, terms over the values of reads, pairs of the predefined relations, and
 * choices among these. If the exchange leaves all of these unchanged, it maps the choices of any execution to those of
 * another; and because a model distinguishes events only by the predefined sets and relations, its axioms hold for both
 * or for neither. Nothing is concluded from the text of the threads: any difference (scopes, initial values of
 * registers, special registers, private memory) shows in some value, place or pair. */
#include "exec/skeleton.h"

struct moved {
  const struct place *from, *to;
};

struct swap {
  const struct skeleton *s;
  uint32_t thread[2], first[2], count; /* the threads, and the events of each */
  uint32_t *event, *chunk;  /* the image of each */
  VEC(struct moved) moved;  /* places that are exchanged with others */
  term_id *image;           /* by term: its image; 0: not known yet */
  uint32_t depth;           /* of the term that is looked at */
};

enum { DEEPEST_TERM = 20000 };

static uint32_t other_event(const struct swap *w, uint32_t e) { return w->event[e]; }

/* ---- Places ---- */

static bool is_place(const struct place *p, const struct place *q) {
  return p->vaddr == q->vaddr && p->phys == q->phys;
}

static bool chunks_become(const struct swap *w, const struct place *p, const struct place *q) {
  bool become = p->chunk_end - p->chunk_begin == q->chunk_end - q->chunk_begin;
  for (uint32_t k = 0; k < p->chunk_end - p->chunk_begin && become; k++)
    become = w->chunk[p->chunk_begin + k] == q->chunk_begin + k;
  return become;
}

static bool place_becomes(const struct swap *w, const struct place *p, const struct place *q) {
  const struct place *to = p;
  VEC_EACH (moved, &w->moved)
    if (is_place(moved->from, p)) to = moved->to;
  return is_place(to, q) && chunks_become(w, p, q);
}

static bool begin_alike(const struct skeleton *s, const struct chunk *a, const struct chunk *b) {
  bool same = a->size == b->size && a->size <= sizeof(value_t);
  return same && skeleton_init_value(s, a->phys, a->size) == skeleton_init_value(s, b->phys, b->size);
}

/* Exchanges two places. False: they differ in more than where they are, or one is exchanged with another one. */
static bool move_place(struct swap *w, const struct place *p, const struct place *q) {
  uint32_t chunks = p->chunk_end - p->chunk_begin;
  if (is_place(p, q) || place_becomes(w, p, q)) return true;
  if (q->chunk_end - q->chunk_begin != chunks) return false;
  for (uint32_t k = 0; k < chunks; k++) {
    uint32_t a = p->chunk_begin + k, b = q->chunk_begin + k;
    bool same = w->chunk[a] == b && w->chunk[b] == a, fresh = w->chunk[a] == a && w->chunk[b] == b;
    if ((!same && !fresh) || !begin_alike(w->s, &w->s->chunks[a], &w->s->chunks[b])) return false;
    w->chunk[a] = b, w->chunk[b] = a;
  }
  VEC_PUSH(w->s->arena, &w->moved, ((struct moved){p, q}));
  VEC_PUSH(w->s->arena, &w->moved, ((struct moved){q, p}));
  return true;
}

/* The initial write whose places are the images of those of another one; itself: there is none. */
static uint32_t init_image(const struct swap *w, uint32_t e) {
  const struct event *x = skeleton_event(w->s, e);
  if (x->place_count != 1 || w->chunk[x->places[0].chunk_begin] == x->places[0].chunk_begin) return e;
  for (uint32_t f = w->s->first_init; f < w->s->n; f++) {
    const struct event *y = skeleton_event(w->s, f);
    if (y->place_count == 1 && y->places[0].chunk_begin == w->chunk[x->places[0].chunk_begin]) return f;
  }
  return e;
}

/* Finds the images of events and chunks. */
static bool find_images(struct swap *w) {
  w->event = ARENA_ARRAY(w->s->arena, uint32_t, w->s->n);
  w->chunk = ARENA_ARRAY(w->s->arena, uint32_t, w->s->chunk_count);
  for (uint32_t e = 0; e < w->s->n; e++) w->event[e] = e;
  for (uint32_t c = 0; c < w->s->chunk_count; c++) w->chunk[c] = c;
  for (uint32_t i = 0; i < w->count; i++) {
    const struct event *x = skeleton_event(w->s, w->first[0] + i), *y = skeleton_event(w->s, w->first[1] + i);
    w->event[w->first[0] + i] = w->first[1] + i, w->event[w->first[1] + i] = w->first[0] + i;
    if (x->place_count != y->place_count) return false;
    for (uint32_t k = 0; k < x->place_count; k++)
      if (!move_place(w, &x->places[k], &y->places[k])) return false;
  }
  for (uint32_t e = w->s->first_init; e < w->s->n && w->moved.len; e++) w->event[e] = init_image(w, e);
  return true;
}

/* ---- Terms ---- */

/* Not handled: leaves that barriers or the scheduler determine, and free values. */
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
    bool init = x->thread == NO_THREAD; /* its virtual address shows in vloc alone */
    if (!(init ? chunks_become(w, p, q) : place_becomes(w, p, q)) || !becomes(w, p->guard, q->guard)) return false;
  }
  return true;
}

/* True for an event of a barrier that stays as it is: no exchanged thread is in its cluster, so that none arrives there
 * or lets it pass by its end (B2). */
static bool barrier_stays(struct swap *w, const struct event *x) {
  const struct thread *threads = w->s->program->threads;
  const struct barrier_part *m = &x->meeting;
  if (x->kind != EVENT_ARRIVE && x->kind != EVENT_WAIT) return false;
  for (unsigned i = 0; i < 2; i++)
    if (threads[w->thread[i]].cluster_id == threads[x->thread].cluster_id) return false;
  bool arrives = x->kind == EVENT_ARRIVE;
  return !arrives || (becomes(w, m->id, m->id) && becomes(w, m->count, m->count) && becomes(w, m->live, m->live));
}

/* The predefined sets show the kind of an event. */
static bool event_becomes(struct swap *w, uint32_t e) {
  const struct event *x = skeleton_event(w->s, e), *y = skeleton_event(w->s, other_event(w, e));
  if (!event_is_basic(x) && !barrier_stays(w, x)) return false;
  if (x->is_unset != y->is_unset || x->is_mapped != y->is_mapped) return false;
  return x->size == y->size && becomes(w, x->exec, y->exec) && becomes(w, x->value, y->value) && places_become(w, x, y);
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
    uint32_t k = FIND_BELOW(n, s->ends.len, becomes(w, s->ends.data[i].when, s->ends.data[n].when));
    if (k == s->ends.len) return false;
  }
  return true;
}

/* ---- The question of the test ---- */

/* True if the exchange maps observable i to k; a final value in memory keeps its place. */
static bool final_becomes(struct swap *w, uint32_t i, uint32_t k) {
  const struct final *x = &w->s->finals[i], *y = &w->s->finals[k];
  for (uint32_t c = x->chunk_begin; c < x->chunk_end && !x->is_term; c++)
    if (w->chunk[c] != c) return false;
  return i == k ? !x->is_term || becomes(w, x->value, x->value)
                : x->is_term && y->is_term && becomes(w, x->value, y->value);
}

static bool side_becomes(struct swap *w, const struct cond_term *a, const struct cond_term *b) {
  const struct observable *all = w->s->program->observables;
  if (a->is_constant || b->is_constant) return a->is_constant && b->is_constant && a->constant == b->constant;
  return all[a->observable].type.kind == all[b->observable].type.kind && final_becomes(w, a->observable, b->observable);
}

VEC_NAMED(parts, const struct cond *);

/* The operands of a chain of /\ or of \/. */
static void list_parts(struct swap *w, enum cond_kind kind, const struct cond *c, struct parts *out) {
  for (; c->kind == kind; c = c->left) list_parts(w, kind, c->right, out);
  VEC_PUSH(w->s->arena, out, c);
}

static bool condition_becomes(struct swap *w, const struct cond *c, const struct cond *d);

/* True if the exchange maps the parts of one chain to those of the other, in any order. */
static bool parts_become(struct swap *w, const struct cond *c, const struct cond *d) {
  struct parts from = {0}, to = {0};
  list_parts(w, c->kind, c, &from);
  list_parts(w, d->kind, d, &to);
  if (from.len != to.len) return false;
  for (uint32_t i = 0; i < from.len; i++) {
    uint32_t k = FIND_BELOW(n, to.len, condition_becomes(w, from.data[i], to.data[n]));
    if (k == to.len) return false;
    to.data[k] = to.data[--to.len];
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
  for (uint32_t e = 0; e < w->s->n; e++)
    if (!event_becomes(w, e)) return false;
  return !SOME_BELOW(e, w->s->n, e < w->event[e] && !relations_stay(w, e)) && ends_stay(w);
}

static bool question_stays(struct swap *w, bool in_outcomes) {
  const struct program *program = w->s->program;
  return in_outcomes ? EVERY_BELOW(i, w->s->program->observed_count, final_becomes(w, i, i))
                     : condition_stays(w, program->condition) && condition_stays(w, program->filter);
}

bool skeleton_alike(const struct skeleton *s, uint32_t thread_a, uint32_t thread_b, bool in_outcomes) {
  struct swap w = {.s = s, .thread = {thread_a, thread_b}};
  if (s->options.precise || s->options.further || s->assumed.len) return false; /* not handled here */
  w.count = find_events(s, thread_a, &w.first[0]);
  if (find_events(s, thread_b, &w.first[1]) != w.count) return false;
  struct arena_mark mark = arena_mark(s->arena);
  w.image = ARENA_ARRAY(s->arena, term_id, s->terms.list.len);
  bool alike = find_images(&w) && question_stays(&w, in_outcomes) && events_stay(&w);
  arena_rewind(s->arena, mark);
  return alike;
}
