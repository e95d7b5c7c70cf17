/* Finds reads with a single source, such as a flag in shared memory that one thread writes and all read after a
 * barrier: the write comes before the reads in causality, so that the model forbids every other source. */

#include "exec/execution.h"
#include "rel/refute.h"
#include "term/depend.h"

struct bitset sources_wanted(struct arena *arena, const struct skeleton *s) {
  struct bitset reads = bitset_new(arena, s->n);
  bool *seen = ARENA_ARRAY(arena, bool, s->terms.list.len);
  for (uint32_t e = 0; e < s->n; e++) {
    term_id exec = skeleton_event(s, e)->exec;
    if (!seen[exec]) term_mentions(&s->terms, exec, reads);
    seen[exec] = true;
  }
  bitset_and(reads, s->sets[CAT_SET_READ]);
  return reads;
}

static bool has_one_place(const struct event *e) {
  return e->place_count == 1 && e->places->guard == TERM_TRUE && e->places->chunk_end == e->places->chunk_begin + 1;
}

static bool excluded(const struct graph *g, const uint32_t events[3], struct fact from, struct fact order,
                     struct fact before) {
  const struct fact list[] = {from, order, before};
  const struct facts facts = {.graph = g, .events = events, .event_count = 3, .list = list, .count = 3};
  return refute(&facts) != NO_AXIOM;
}

/* True if, whenever `write` happens too, the read does not read from `other`. */
static bool never_from(const struct graph *g, uint32_t read, uint32_t other, uint32_t write) {
  const uint32_t events[] = {other, read, write};
  const struct fact from = {CAT_REL_RF, other, read, true}, over = {CAT_REL_FR, read, write, true};
  const struct fact later = {CAT_REL_CO, other, write, true}, earlier = {CAT_REL_CO, write, other, true};
  bool first = other >= g->skeleton->first_init;
  return excluded(g, events, from, later, over) && (first || excluded(g, events, from, earlier, earlier));
}

/* The only write that the read may take its value from; NO_EVENT: there may be several, or the write has other
 * bytes. */
static uint32_t source_of(const struct graph *g, uint32_t read) {
  const struct skeleton *s = g->skeleton;
  const struct event *r = skeleton_event(s, read);
  if (!has_one_place(r)) return NO_EVENT;
  struct bitset writers = s->writers[r->places->chunk_begin];
  EACH (w, writers) {
    const struct event *write = skeleton_event(s, w);
    bool same = w < s->first_init && has_one_place(write) && write->places->phys == r->places->phys;
    bool sure = same && write->size == r->size && bitmat_has(s->forces, read, w) &&
                EVERY(EACH (v, writers), v == w || never_from(g, read, v, w));
    if (sure) return w;
  }
  return NO_EVENT;
}

struct sure_sources *sources_find(struct arena *arena, const struct graph *graph, struct bitset reads) {
  struct sure_sources *found = ARENA_NEW(arena, struct sure_sources);
  EACH (r, reads) {
    uint32_t w = source_of(graph, r);
    if (w == NO_EVENT) continue;
    struct sure_source source = {skeleton_point(graph->skeleton, r), skeleton_point(graph->skeleton, w)};
    VEC_PUSH(arena, found, source);
  }
  return found->len ? found : NULL;
}
