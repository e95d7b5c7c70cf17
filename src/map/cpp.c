/* Scoped RC11 on drafts: models/cuda.cat by bit rows, an exchange as one event. */
#include "map/map.h"

enum { NODES = 8, NOTHING = 255 };

typedef uint8_t set;       /* of nodes */
typedef uint64_t relation; /* row a, the byte number a, is the set of nodes that a leads to */

#define ROWS 0x0101010101010101u /* times a set: that set in every row */
#define DIAGONAL 0x8040201008040201u

struct node {
  const struct draft_event *event;
  uint8_t thread, from; /* from: the node it reads from, NOTHING: the initial value */
};

struct world {
  const struct draft *draft;
  struct node nodes[NODES];
  uint32_t count;
  set reads, writes, fences, sc, releases, acquires;
  relation sb, loc, inclusive;
  /* of the execution */
  relation rf, co, rb;
  uint8_t order[DRAFT_LOCATIONS][NODES], placed[DRAFT_LOCATIONS]; /* the writes of each location, one after another */
  bool old_sequences;
  uint32_t executions; /* seen so far, where they are counted */
};

/* ---- Relations ---- */

static set row(relation r, uint32_t a) { return (set)(r >> 8 * a); }
static relation pair(uint32_t a, uint32_t b) { return (relation)1 << (8 * a + b); }
static relation pairs(uint32_t a, set to) { return (relation)to << 8 * a; }

/* All pairs that begin in the set. */
static relation from(set nodes) {
  relation r = 0;
  for (uint32_t a = 0; a < NODES; a++)
    if (nodes >> a & 1) r |= pairs(a, 0xff);
  return r;
}

static relation to(set nodes) { return nodes * ROWS; }
static relation identity(set nodes) { return from(nodes) & DIAGONAL; }
static relation maybe(relation r) { return r | DIAGONAL; }

/* The rows that have k. */
static relation leading_to(relation r, uint32_t k) { return (r >> k & ROWS) * 0xff; }

static relation sequence(relation a, relation b) {
  relation r = 0;
  for (uint32_t k = 0; k < NODES; k++) r |= leading_to(a, k) & row(b, k) * ROWS;
  return r;
}

static relation closure(relation r) {
  for (uint32_t k = 0; k < NODES; k++) r |= leading_to(r, k) & row(r, k) * ROWS;
  return r;
}

static bool is_irreflexive(relation r) { return !(r & DIAGONAL); }
static bool is_acyclic(relation r) { return is_irreflexive(closure(r)); }

/* ---- What a program has in all executions ---- */

static bool same_scope(const struct draft *d, const struct node *a, const struct node *b) {
  if (a->thread == b->thread) return true;
  enum scope common = draft_common_scope(d, a->thread, b->thread);
  return a->event->scope >= common && b->event->scope >= common;
}

static void classify(struct world *w, uint32_t i) {
  const struct draft_event *e = w->nodes[i].event;
  set bit = (set)(1u << i);
  if (draft_reads(e)) w->reads |= bit;
  if (draft_writes(e)) w->writes |= bit;
  if (!draft_accesses(e)) w->fences |= bit;
  if (e->sem == SEM_SC) w->sc |= bit;
  bool both = e->sem == SEM_ACQ_REL || e->sem == SEM_SC;
  if ((e->sem == SEM_RELEASE || both) && e->kind != DRAFT_READ) w->releases |= bit;
  if ((e->sem == SEM_ACQUIRE || both) && e->kind != DRAFT_WRITE) w->acquires |= bit;
}

static void build(struct world *w, const struct draft *d) {
  *w = (struct world){.draft = d};
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++)
      w->nodes[w->count++] = (struct node){&d->threads[t].events[i], (uint8_t)t, NOTHING};
  for (uint32_t a = 0; a < w->count; a++) {
    classify(w, a);
    for (uint32_t b = 0; b < w->count; b++) {
      const struct node *x = &w->nodes[a], *y = &w->nodes[b];
      if (x->thread == y->thread && a < b) w->sb |= pair(a, b);
      if (draft_accesses(x->event) && draft_accesses(y->event) && x->event->location == y->event->location)
        w->loc |= pair(a, b);
    }
  }
}

static void build_scopes(struct world *w) {
  for (uint32_t a = 0; a < w->count; a++)
    for (uint32_t b = 0; b < w->count; b++)
      if (same_scope(w->draft, &w->nodes[a], &w->nodes[b])) w->inclusive |= pair(a, b);
}

bool map_may_race(const struct draft *draft) {
  struct world w;
  build(&w, draft);
  build_scopes(&w);
  return (w.loc & from(w.writes) & ~w.inclusive) != 0;
}

/* ---- The axioms ---- */

static bool is_consistent(struct world *w) {
  set sc_fences = w->sc & w->fences;
  relation observed = w->inclusive & w->rf, heads = identity(w->writes);
  if (w->old_sequences) heads |= w->sb & w->loc & from(w->writes) & to(w->writes);
  relation updates = closure(sequence(observed, identity(w->reads & w->writes)));
  relation released = from(w->releases) & maybe(from(w->fences) & w->sb);
  relation acquired = maybe(w->sb & to(w->fences)) & to(w->acquires);
  relation sw = sequence(sequence(released, heads), maybe(updates));
  sw = sequence(sequence(sw, observed), acquired);
  relation hb = closure(w->sb | (w->inclusive & sw)), eco = closure(w->rf | w->co | w->rb);
  if (!is_irreflexive(sequence(hb, maybe(eco)))) return false;
  relation other = w->sb & ~w->loc;
  relation scb = w->sb | sequence(sequence(other, hb), other) | (hb & w->loc) | w->co | w->rb;
  relation begins = identity(w->sc) | (from(sc_fences) & maybe(hb));
  relation ends = identity(w->sc) | (maybe(hb) & to(sc_fences));
  relation psc = sequence(sequence(begins, scb), ends);
  psc |= (hb | sequence(sequence(hb, eco), hb)) & from(sc_fences) & to(sc_fences);
  return is_acyclic(psc & w->inclusive);
}

/* ---- All executions with the outcome ---- */

/* The execution found last is the one that was asked for when it says so. */
typedef bool world_test(struct world *w);

static void relate(struct world *w) {
  w->rf = w->co = w->rb = 0;
  for (uint32_t l = 0; l < w->draft->location_count; l++)
    for (uint32_t i = 0; i < w->placed[l]; i++)
      for (uint32_t k = i + 1; k < w->placed[l]; k++) w->co |= pair(w->order[l][i], w->order[l][k]);
  for (uint32_t r = 0; r < w->count; r++) {
    if (!(w->reads >> r & 1)) continue;
    uint32_t source = w->nodes[r].from;
    set later = source == NOTHING ? row(w->loc, r) & w->writes : row(w->co, source);
    if (source != NOTHING) w->rf |= pair(source, r);
    w->rb |= pairs(r, later) & ~pair(r, r);
  }
}

/* Whether the write may come next: a location ends with the value asked for, and an exchange follows what it reads. */
static bool may_follow(const struct world *w, uint32_t location, uint32_t node) {
  const struct draft_event *e = w->nodes[node].event;
  uint32_t at = w->placed[location];
  bool ends = at + 1 == draft_write_count(w->draft, location);
  uint8_t last = w->draft->last[location];
  if (last != DRAFT_FREE && ends != (e->writes == last)) return false;
  if (!draft_reads(e)) return true;
  return w->nodes[node].from == (at ? w->order[location][at - 1] : NOTHING);
}

static bool each_order(struct world *w, uint32_t location, set left, world_test *test) {
  if (location == w->draft->location_count) {
    relate(w);
    return test(w);
  }
  bool any = false;
  for (uint32_t i = 0; i < w->count; i++) {
    if (!(left >> i & 1) || w->nodes[i].event->location != location) continue;
    any = true;
    if (!may_follow(w, location, i)) continue;
    w->order[location][w->placed[location]++] = (uint8_t)i;
    bool found = each_order(w, location, (set)(left & ~(1u << i)), test);
    w->placed[location]--;
    if (found) return true;
  }
  return !any && each_order(w, location + 1, left, test);
}

static bool each_source(struct world *w, uint32_t node, world_test *test) {
  while (node < w->count && !(w->reads >> node & 1)) node++;
  if (node == w->count) return each_order(w, 0, w->writes, test);
  struct node *n = &w->nodes[node];
  uint8_t reads = n->event->reads;
  n->from = NOTHING;
  if ((reads == DRAFT_FREE || reads == 0) && each_source(w, node + 1, test)) return true;
  for (uint32_t i = 0; i < w->count && reads != 0; i++) {
    const struct draft_event *e = w->nodes[i].event;
    if (!(w->writes >> i & 1) || i == node || e->location != n->event->location) continue;
    if (reads != DRAFT_FREE && e->writes != reads) continue;
    n->from = (uint8_t)i;
    if (each_source(w, node + 1, test)) return true;
  }
  return false;
}

static bool some_execution(struct world *w, world_test *test) { return each_source(w, 0, test); }

bool map_forbids(const struct draft *draft, bool old_sequences) {
  struct world w;
  build(&w, draft);
  build_scopes(&w);
  w.old_sequences = old_sequences;
  return !some_execution(&w, is_consistent);
}

static bool is_coherent(struct world *w) { return is_acyclic(w->rf | w->co | w->rb | (w->sb & w->loc)); }
static bool interleaves(struct world *w) { return is_acyclic(w->rf | w->co | w->rb | w->sb); }

static bool is_second(struct world *w) { return ++w->executions == 2; }

bool map_orders_vary(const struct draft *draft) {
  struct world w;
  build(&w, draft);
  return some_execution(&w, is_second);
}

bool map_outcome_matters(const struct draft *draft) {
  struct world w;
  build(&w, draft);
  if (draft->location_count == 1) return !some_execution(&w, is_coherent);
  return !some_execution(&w, interleaves) && some_execution(&w, is_coherent);
}
