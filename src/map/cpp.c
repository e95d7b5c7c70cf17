/* Scoped RC11 on drafts: models/cuda.cat by bit rows, an exchange as one event. */
#include <string.h>

#include "map/map.h"

enum { NODES = 16, NOTHING = 255 };

typedef uint16_t row;

struct relation {
  row to[NODES];
};

struct node {
  const struct draft_event *event;
  uint8_t thread, from; /* from: the node it reads from, NOTHING: the initial value */
};

struct world {
  const struct draft *draft;
  struct node nodes[NODES];
  uint32_t count;
  row reads, writes, fences, sc, releases, acquires;
  struct relation sb, loc, inclusive;
  /* of the execution */
  struct relation rf, co, rb;
  uint8_t order[DRAFT_LOCATIONS][NODES], placed[DRAFT_LOCATIONS]; /* the writes of each location, one after another */
  bool old_sequences;
};

/* ---- Relations ---- */

static struct relation join(const struct relation *a, const struct relation *b) {
  struct relation r;
  for (uint32_t i = 0; i < NODES; i++) r.to[i] = a->to[i] | b->to[i];
  return r;
}

static struct relation meet(const struct relation *a, const struct relation *b) {
  struct relation r;
  for (uint32_t i = 0; i < NODES; i++) r.to[i] = a->to[i] & b->to[i];
  return r;
}

static struct relation without(const struct relation *a, const struct relation *b) {
  struct relation r;
  for (uint32_t i = 0; i < NODES; i++) r.to[i] = (row)(a->to[i] & ~b->to[i]);
  return r;
}

static struct relation sequence(const struct relation *a, const struct relation *b) {
  struct relation r = {{0}};
  for (uint32_t i = 0; i < NODES; i++)
    for (row left = a->to[i]; left; left = (row)(left & (left - 1))) r.to[i] |= b->to[__builtin_ctz(left)];
  return r;
}

static struct relation identity(row set) {
  struct relation r = {{0}};
  for (uint32_t i = 0; i < NODES; i++)
    if (set >> i & 1) r.to[i] = (row)(1u << i);
  return r;
}

static struct relation maybe(struct relation r) {
  for (uint32_t i = 0; i < NODES; i++) r.to[i] |= (row)(1u << i);
  return r;
}

static struct relation from(row set, struct relation r) {
  for (uint32_t i = 0; i < NODES; i++)
    if (!(set >> i & 1)) r.to[i] = 0;
  return r;
}

static struct relation to(struct relation r, row set) {
  for (uint32_t i = 0; i < NODES; i++) r.to[i] &= set;
  return r;
}

static struct relation closure(struct relation r) {
  for (uint32_t k = 0; k < NODES; k++)
    for (uint32_t i = 0; i < NODES; i++)
      if (r.to[i] >> k & 1) r.to[i] |= r.to[k];
  return r;
}

static bool is_irreflexive(const struct relation *r) {
  for (uint32_t i = 0; i < NODES; i++)
    if (r->to[i] >> i & 1) return false;
  return true;
}

static bool is_acyclic(struct relation r) {
  r = closure(r);
  return is_irreflexive(&r);
}

/* ---- What a program has in all executions ---- */

static bool same_scope(const struct draft *d, const struct node *a, const struct node *b) {
  if (a->thread == b->thread) return true;
  enum scope common = draft_common_scope(d, a->thread, b->thread);
  return a->event->scope >= common && b->event->scope >= common;
}

static void classify(struct world *w, uint32_t i) {
  const struct draft_event *e = w->nodes[i].event;
  row bit = (row)(1u << i);
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
      row bit = (row)(1u << b);
      if (x->thread == y->thread && a < b) w->sb.to[a] |= bit;
      if (draft_accesses(x->event) && draft_accesses(y->event) && x->event->location == y->event->location)
        w->loc.to[a] |= bit;
      if (same_scope(d, x, y)) w->inclusive.to[a] |= bit;
    }
  }
}

bool map_may_race(const struct draft *draft) {
  struct world w;
  build(&w, draft);
  for (uint32_t a = 0; a < w.count; a++)
    if (w.writes >> a & 1 && w.loc.to[a] & ~w.inclusive.to[a]) return true;
  return false;
}

/* ---- The axioms ---- */

static bool is_consistent(const struct world *w) {
  struct relation rmw = identity(w->reads & w->writes);
  struct relation observed = meet(&w->inclusive, &w->rf);
  struct relation chain = sequence(&observed, &rmw);
  struct relation heads = identity(w->writes), later = meet(&w->sb, &w->loc);
  if (w->old_sequences) {
    later = to(from(w->writes, later), w->writes);
    heads = join(&heads, &later);
  }
  chain = maybe(closure(chain));
  struct relation rs = sequence(&heads, &chain);
  struct relation before = from(w->fences, w->sb), after = to(w->sb, w->fences);
  before = maybe(before), after = maybe(after);
  before = from(w->releases, before), after = to(after, w->acquires);
  struct relation sw = sequence(&before, &rs);
  sw = sequence(&sw, &observed);
  sw = sequence(&sw, &after);
  sw = meet(&sw, &w->inclusive);
  struct relation hb = closure(join(&w->sb, &sw));
  struct relation com = join(&w->rf, &w->co);
  com = closure(join(&com, &w->rb));
  struct relation eco = maybe(com);
  eco = sequence(&hb, &eco);
  if (!is_irreflexive(&eco)) return false;
  struct relation apart = without(&w->sb, &w->loc), scb = sequence(&apart, &hb);
  scb = sequence(&scb, &apart);
  struct relation near = meet(&hb, &w->loc);
  scb = join(&scb, &near);
  scb = join(&scb, &w->sb);
  scb = join(&scb, &w->co);
  scb = join(&scb, &w->rb);
  row sc_fences = w->sc & w->fences;
  struct relation maybe_hb = maybe(hb), head = from(sc_fences, maybe_hb), tail = to(maybe_hb, sc_fences);
  struct relation own = identity(w->sc);
  head = join(&head, &own);
  tail = join(&tail, &own);
  struct relation psc = sequence(&head, &scb);
  psc = sequence(&psc, &tail);
  struct relation around = sequence(&hb, &com);
  around = sequence(&around, &hb);
  around = join(&around, &hb);
  around = to(from(sc_fences, around), sc_fences);
  psc = join(&psc, &around);
  return is_acyclic(meet(&psc, &w->inclusive));
}

/* ---- All executions with the outcome ---- */

typedef bool world_test(const struct world *w);

static void relate(struct world *w) {
  memset(&w->rf, 0, sizeof w->rf + sizeof w->co + sizeof w->rb);
  for (uint32_t l = 0; l < w->draft->location_count; l++)
    for (uint32_t i = 0; i < w->placed[l]; i++)
      for (uint32_t k = i + 1; k < w->placed[l]; k++) w->co.to[w->order[l][i]] |= (row)(1u << w->order[l][k]);
  for (uint32_t r = 0; r < w->count; r++) {
    if (!(w->reads >> r & 1)) continue;
    uint32_t source = w->nodes[r].from;
    row bit = (row)(1u << r);
    if (source == NOTHING) {
      w->rb.to[r] = (row)(w->loc.to[r] & w->writes & ~bit);
    } else {
      w->rf.to[source] |= bit;
      w->rb.to[r] = (row)(w->co.to[source] & ~bit);
    }
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

static bool each_order(struct world *w, uint32_t location, row left, world_test *test) {
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
    bool found = each_order(w, location, (row)(left & ~(1u << i)), test);
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
  w.old_sequences = old_sequences;
  return !some_execution(&w, is_consistent);
}

static struct relation communication(const struct world *w) {
  struct relation com = join(&w->rf, &w->co);
  return join(&com, &w->rb);
}

static bool is_coherent(const struct world *w) {
  struct relation com = communication(w), near = meet(&w->sb, &w->loc);
  return is_acyclic(join(&com, &near));
}

static bool interleaves(const struct world *w) {
  struct relation com = communication(w);
  return is_acyclic(join(&com, &w->sb));
}

bool map_outcome_matters(const struct draft *draft) {
  struct world w;
  build(&w, draft);
  bool coherent = some_execution(&w, is_coherent);
  if (draft->location_count == 1) return !coherent;
  return coherent && !some_execution(&w, interleaves);
}
