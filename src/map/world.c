/* Enumerates the executions of drafts. */

#include "map/world.h"

/* ---- Relations that a program has in all executions ---- */

static void relate_nodes(struct map_world *w, uint32_t a, uint32_t b) {
  const struct map_node *x = &w->nodes[a], *y = &w->nodes[b];
  enum scope common = x->thread == y->thread ? SCOPE_NONE : draft_common_scope(w->draft, x->thread, y->thread);
  if (x->thread == y->thread && a < b) w->sb |= relation_pair(a, b);
  for (uint32_t scope = common; scope <= SCOPE_SYS; scope++) w->near[scope] |= relation_pair(a, b);
  if (draft_accesses(x->event) && draft_accesses(y->event) && x->event->location == y->event->location)
    w->loc |= relation_pair(a, b);
}

/* Events before a barrier in one thread precede the events after it in another. */
static void relate_barriers(struct map_world *w) {
  relation by_barriers = relation_sequence(w->sb, w->meets) | relation_sequence(w->meets, w->sb);
  by_barriers |= relation_sequence(relation_sequence(w->sb, w->meets), w->sb);
  w->before = w->barriers ? relation_closure(w->sb | by_barriers) : w->sb;
}

static void find_meetings(struct map_world *w) {
  uint32_t round[NODES] = {0};
  for (uint32_t a = 0; a < w->count; a++)
    for (uint32_t b = 0; b < a; b++)
      if (w->barriers >> a & 1 && w->barriers >> b & 1 && w->nodes[a].thread == w->nodes[b].thread) round[a]++;
  for (uint32_t a = 0; a < w->count; a++)
    for (uint32_t b = 0; b < w->count; b++)
      if (w->barriers >> a & 1 && w->barriers >> b & 1 && w->nodes[a].thread != w->nodes[b].thread &&
          w->near[SCOPE_CTA] & relation_pair(a, b) && round[a] == round[b])
        w->meets |= relation_pair(a, b);
}

void world_build(struct map_world *w, const struct draft *d) {
  *w = (struct map_world){.draft = d};
  for (uint32_t t = 0; t < d->thread_count; t++)
    ARRAY_EACH (e, d->threads[t].events, d->threads[t].count) {
      node_set bit = (node_set)(1u << w->count);
      w->nodes[w->count++] = (struct map_node){e, (uint8_t)t, NOTHING};
      if (draft_reads(e)) w->reads |= bit;
      if (draft_writes(e)) w->writes |= bit, w->write_count[e->location]++;
      if (e->kind == DRAFT_FENCE) w->fences |= bit;
      if (e->kind == DRAFT_BARRIER) w->barriers |= bit;
    }
  for (uint32_t a = 0; a < w->count; a++)
    for (uint32_t b = 0; b < w->count; b++) relate_nodes(w, a, b);
  find_meetings(w);
  relate_barriers(w);
  w->present = (node_set)((1u << w->count) - 1);
  memcpy(w->last, d->last, sizeof w->last);
}

/* True if the value is the initial one, or some write that is not removed writes it. */
static bool is_written(const struct map_world *w, uint32_t location, uint8_t value) {
  bool found = value == 0;
  for (uint32_t i = 0; i < w->count && !found; i++)
    found = w->writes >> i & 1 && w->nodes[i].event->location == location && w->nodes[i].event->writes == value;
  return found;
}

static void cut(struct map_world *w, node_set gone) {
  w->present &= (node_set)~gone;
  for (uint32_t i = 0; i < w->count; i++) w->write_count[w->nodes[i].event->location] -= (gone & w->writes) >> i & 1;
  relation left = relation_from(w->present) & relation_to(w->present);
  w->reads &= w->present, w->writes &= w->present, w->fences &= w->present, w->barriers &= w->present;
  w->sb &= left, w->loc &= left, w->meets &= left;
  relate_barriers(w);
}

void world_leave_out(struct map_world *w, node_set gone) {
  cut(w, gone);
  for (uint32_t i = 0; i < w->count; i++) {
    const struct draft_event *e = w->nodes[i].event;
    if (!draft_accesses(e)) continue;
    if (draft_reads(e) && !is_written(w, e->location, e->reads)) w->free |= (node_set)(1u << i);
    if (w->write_count[e->location] < 2 || !is_written(w, e->location, w->last[e->location]))
      w->last[e->location] = DRAFT_FREE;
  }
}

/* ---- All executions with the outcome ---- */

static void forget(struct map_world *w) { w->now = (struct map_execution){0}; }

/* Adds the relations of a location once its writes are ordered. */
static void relate_location(struct map_world *w, uint32_t l) {
  for (uint32_t i = 0; i < w->placed[l]; i++)
    for (uint32_t k = i + 1; k < w->placed[l]; k++) w->now.co |= relation_pair(w->order[l][i], w->order[l][k]);
  for (uint32_t r = 0; r < w->count; r++) {
    if (!(w->reads >> r & 1) || w->nodes[r].event->location != l) continue;
    uint32_t source = w->nodes[r].from;
    node_set later = source == NOTHING ? relation_row(w->loc, r) & w->writes : relation_row(w->now.co, source);
    if (source != NOTHING) w->now.rf |= relation_pair(source, r);
    w->now.rb |= relation_pairs(r, later) & ~relation_pair(r, r);
  }
}

/* True if the write may come next: a location ends with its value in the outcome, and an exchange directly follows the
 * write that it reads from. */
static bool may_follow(const struct map_world *w, uint32_t location, uint32_t node) {
  const struct draft_event *e = w->nodes[node].event;
  uint32_t at = w->placed[location];
  bool ends = at + 1u == w->write_count[location];
  uint8_t last = w->last[location];
  if (last != DRAFT_FREE && ends != (e->writes == last)) return false;
  if (!draft_reads(e)) return true;
  return w->nodes[node].from == (at ? w->order[location][at - 1] : NOTHING);
}

/* Enumerates the orders of the remaining writes of a location; then calls `next`. */
static bool each_order(struct map_world *w, uint32_t location, node_set left, uint32_t end, world_test *test) {
  if (location == end) return test(w);
  bool any = false;
  for (uint32_t i = 0; i < w->count; i++) {
    if (!(left >> i & 1) || w->nodes[i].event->location != location) continue;
    any = true;
    if (!may_follow(w, location, i)) continue;
    w->order[location][w->placed[location]++] = (uint8_t)i;
    bool found = each_order(w, location, (node_set)(left & ~(1u << i)), end, test);
    w->placed[location]--;
    if (found) return true;
  }
  if (any) return false;
  const struct map_execution before = w->now;
  relate_location(w, location);
  bool found = each_order(w, location + 1, left, end, test);
  w->now = before;
  return found;
}

/* True if the read may return the value. */
static bool may_return(const struct map_world *w, uint32_t node, uint8_t value) {
  uint8_t asked = w->nodes[node].event->reads;
  return asked == DRAFT_FREE || w->free >> node & 1 || (asked == value) != (w->stray >> node & 1);
}

static bool each_source(struct map_world *w, uint32_t node, world_test *test) {
  while (node < w->count && !(w->reads >> node & 1)) node++;
  if (node == w->count) return each_order(w, 0, w->writes, w->draft->location_count, test);
  struct map_node *n = &w->nodes[node];
  n->from = NOTHING;
  if (may_return(w, node, 0) && each_source(w, node + 1, test)) return true;
  for (uint32_t i = 0; i < w->count; i++) {
    const struct draft_event *e = w->nodes[i].event;
    if (!(w->writes >> i & 1) || i == node || e->location != n->event->location) continue;
    if (!may_return(w, node, e->writes)) continue;
    n->from = (uint8_t)i;
    if (each_source(w, node + 1, test)) return true;
  }
  return false;
}

bool world_some_execution(struct map_world *w, world_test *test) {
  forget(w);
  return each_source(w, 0, test);
}

/* ---- Races ---- */

struct race_question {
  struct map_strengths strengths;
  relation conflicts;
  bool old_sequences;
};

/* True if values come out of thin air: a cycle of reads-from and dependencies. Later writes depend on a
 * read on whose value the thread branches, and the write of a compare_exchange depends on its own read. */
static bool is_out_of_thin_air(const struct map_world *w) {
  relation depends = 0;
  for (uint32_t i = 0; i < w->count; i++) {
    const struct draft_event *e = w->nodes[i].event;
    if (map_is_asked(e) && !(w->free >> i & 1)) depends |= relation_pairs(i, relation_row(w->sb, i) & w->writes);
    if (map_compares(e) && w->writes >> i & 1) depends |= relation_pair(i, i);
  }
  return !relation_is_acyclic(relation_sequence(depends, w->now.rf));
}

static bool has_race(struct map_world *w) {
  const struct race_question *q = w->state;
  struct map_execution x = w->now;
  if (is_out_of_thin_air(w) || !world_relate(w, &x)) return false;
  relation hb = world_happens_before(w, &q->strengths, &x, q->old_sequences);
  relation ordered = hb;
  for (uint32_t a = 0; a < w->count; a++)
    for (uint32_t b = 0; b < w->count; b++)
      if (hb & relation_pair(b, a)) ordered |= relation_pair(a, b);
  return (q->conflicts & ~ordered) && world_is_consistent(w, &q->strengths, &x, q->old_sequences);
}

/* True if there is a race among the events that still happen if the stray reads return other values (world.h). */
static bool some_race(const struct map_world *w, node_set gone, node_set stray, bool old_sequences) {
  struct map_world less = *w;
  cut(&less, gone);
  for (uint32_t i = 0; i < w->count; i++) {
    if (!((stray & less.writes & less.reads) >> i & 1) || !map_compares(w->nodes[i].event)) continue;
    less.writes &= (node_set) ~(1u << i);
    less.write_count[w->nodes[i].event->location]--;
  }
  less.stray = stray;
  memset(less.last, DRAFT_FREE, sizeof less.last);
  struct race_question q = {.strengths = world_strengths(&less), .old_sequences = old_sequences};
  q.conflicts = world_conflicts(&less, &q.strengths);
  less.state = &q;
  return q.conflicts && world_some_execution(&less, has_race);
}

/* For each read from this node on that is asked or compares, tries its value in the outcome and any other value. */
static bool each_stray(const struct map_world *w, uint32_t node, node_set gone, node_set stray, bool old_sequences) {
  if (node == w->count) return some_race(w, gone, stray, old_sequences);
  if (each_stray(w, node + 1, gone, stray, old_sequences)) return true;
  const struct draft_event *e = w->nodes[node].event;
  node_set bit = (node_set)(1u << node), open = w->reads & (node_set) ~(w->free | gone);
  if (!(open & bit) || e->reads == DRAFT_FREE || !(map_is_asked(e) || map_compares(e))) return false;
  if (map_is_asked(e)) gone |= relation_row(w->sb, node) & (node_set)~w->barriers;
  return each_stray(w, node + 1, gone, stray | bit, old_sequences);
}

bool world_races(const struct map_world *w, bool old_sequences) {
  struct map_world any = *w;
  for (uint32_t i = 0; i < w->count; i++)
    if (!map_is_asked(w->nodes[i].event) && !map_compares(w->nodes[i].event)) any.free |= (node_set)(1u << i);
  return each_stray(&any, 0, 0, 0, old_sequences);
}
