/* In turns (exec/sequence.h) as clauses: a chosen set of nodes, each of which happens, counts, and has a successor in
 * the set. A finite set of that kind contains a cycle, and the nodes of a cycle are such a set.
 *
 * Successors in program order are one literal for each step of a thread; those by conflict are made for pairs of
 * accesses that may meet in a chunk. Only "chosen implies" is needed of all definitions. Nothing here is shared with
 * exec/sequence.c but facts about single events. */
#include "encode/parts.h"

#include "exec/sequence.h"
#include "term/depend.h"

struct choosing {
  struct encoder *e;
  const struct skeleton *s;
  struct arena *scratch;
  struct bitset joins; /* by term */
  lit *counts;         /* by event: of a read, something that counts depends on it */
  lit *lasts;          /* by event: each iteration that it is in has an effect */
  lit *in;             /* by event: the node is chosen; LIT_FALSE: it is none, or not the first event of its node */
  lit *later;          /* by event: a later node of its thread is chosen */
};

static lit both(struct choosing *c, lit a, lit b) { return gates_and2(&c->e->gates, a, b, NEED_ONLY_IF); }

static lit any(struct choosing *c, const struct lits *lits) {
  return gates_or(&c->e->gates, lits->data, lits->len, NEED_ONLY_IF);
}

static void add(struct choosing *c, struct lits *lits, lit value) {
  if (value != LIT_FALSE) VEC_PUSH(c->scratch, lits, value);
}

static lit term_holds(const struct choosing *c, term_id term) { return c->e->words[term].bits[0]; }

/* ---- The reads that count ---- */

/* The uses of an atomic's operands; its own old value is none. */
static void use_update(struct choosing *c, uint32_t write, struct lits *uses) {
  const struct event *e = skeleton_event(c->s, write);
  struct bitset mentions = bitset_new(c->scratch, c->s->n);
  term_mentions(&c->s->terms, e->value, mentions);
  if (e->partner != NO_PARTNER) bitset_del(mentions, e->partner);
  EACH (r, mentions)
    if (skeleton_event(c->s, r)->kind == EVENT_READ) add(c, &uses[skeleton_event(c->s, r)->value], c->e->exec[write]);
}

static void use_values(struct choosing *c, const struct loop_turn *without, struct lits *uses) {
  VEC_EACH (d, &c->s->deciders)
    if (!loop_turn_has(without, d->thread, d->step)) add(c, &uses[d->value], term_holds(c, d->when));
  EACH_THREAD_EVENT (i, e, c->s) {
    if (loop_turn_has(without, e->thread, e->step)) continue;
    add(c, &uses[e->address], c->e->exec[i]);
    if (e->kind == EVENT_WRITE && e->is_rmw) use_update(c, i, uses);
    else if (e->kind == EVENT_WRITE) add(c, &uses[e->value], c->e->exec[i]);
    if (e->kind != EVENT_ARRIVE) continue;
    add(c, &uses[e->value], c->e->exec[i]);
    add(c, &uses[e->meeting.id], c->e->exec[i]);
    add(c, &uses[e->meeting.count], c->e->exec[i]);
  }
}

/* By term: something that counts, outside `without`, depends on it. Of a choice, only the alternative taken is used. */
static lit *find_uses(struct choosing *c, const struct loop_turn *without) {
  const struct terms *terms = &c->s->terms;
  struct lits *uses = ARENA_ARRAY(c->scratch, struct lits, terms->list.len);
  lit *used = ARENA_ARRAY(c->scratch, lit, terms->list.len);
  use_values(c, without, uses);
  for (term_id id = terms->list.len; id-- > 0;) {
    const struct term *t = term_get(terms, id);
    term_id operands[3];
    used[id] = term_is_const(terms, id) ? LIT_FALSE : any(c, &uses[id]);
    if (used[id] == LIT_FALSE) continue;
    unsigned count = term_operands(terms, id, operands);
    bool chooses = t->op == TERM_ITE;
    for (unsigned i = 0; i < count && !chooses; i++) add(c, &uses[operands[i]], used[id]);
    if (!chooses) continue;
    if (!bitset_has(c->joins, t->a)) add(c, &uses[t->a], used[id]);
    add(c, &uses[t->b], both(c, used[id], term_holds(c, t->a)));
    add(c, &uses[t->c], both(c, used[id], -term_holds(c, t->a)));
  }
  return used;
}

/* A literal: the iteration is the last one, or has an effect. */
static lit turn_counts(struct choosing *c, const struct loop_turn *turn) {
  struct lits reasons = {0};
  add(c, &reasons, -term_holds(c, turn->again));
  add(c, &reasons, term_holds(c, turn->effect));
  const lit *used = find_uses(c, turn);
  EACH_THREAD_EVENT (r, e, c->s)
    if (e->kind == EVENT_READ && loop_turn_has(turn, e->thread, e->step))
      add(c, &reasons, both(c, c->e->exec[r], used[e->value]));
  return any(c, &reasons);
}

static void find_counts(struct choosing *c) {
  c->counts = ARENA_ARRAY(c->e->arena, lit, c->s->n);
  c->lasts = ARENA_ARRAY(c->e->arena, lit, c->s->n);
  for (uint32_t i = 0; i < c->s->n; i++) c->counts[i] = LIT_FALSE, c->lasts[i] = LIT_TRUE;
  const lit *used = find_uses(c, NULL);
  EACH_THREAD_EVENT (r, e, c->s)
    if (e->kind == EVENT_READ) c->counts[r] = used[e->value];
  arena_release(c->scratch);
  VEC_EACH (turn, &c->s->turns) {
    if (encoder_is_late(c->e)) return;
    lit counts = turn_counts(c, turn);
    EACH_THREAD_EVENT (i, e, c->s)
      if (loop_turn_has(turn, e->thread, e->step)) c->lasts[i] = both(c, c->lasts[i], counts);
    arena_release(c->scratch);
  }
}

/* ---- Nodes ---- */

/* The write of a node, or NO_EVENT. */
static uint32_t write_of(const struct choosing *c, uint32_t node) {
  const struct event *e = skeleton_event(c->s, node);
  if (e->kind == EVENT_WRITE) return node;
  return e->kind == EVENT_READ && e->is_rmw && e->partner != NO_PARTNER ? e->partner : NO_EVENT;
}

static bool is_read(const struct choosing *c, uint32_t node) { return skeleton_event(c->s, node)->kind == EVENT_READ; }

static lit node_counts(struct choosing *c, uint32_t node) {
  uint32_t write = write_of(c, node);
  lit reads = is_read(c, node) ? both(c, c->e->exec[node], c->counts[node]) : c->e->exec[node];
  lit happens = is_read(c, node) && write != NO_EVENT
                    ? gates_or2(&c->e->gates, reads, c->e->exec[write], NEED_ONLY_IF)
                    : reads;
  return both(c, happens, c->lasts[node]);
}

static void choose_nodes(struct choosing *c) {
  c->in = ARENA_ARRAY(c->e->arena, lit, c->s->n);
  for (uint32_t i = 0; i < c->s->n; i++) c->in[i] = LIT_FALSE;
  EACH_THREAD_EVENT (i, e, c->s) {
    if (!sequence_is_node(e) || sequence_node(c->s, i) != i) continue;
    lit counts = node_counts(c, i);
    if (counts == LIT_FALSE) continue;
    c->in[i] = sat_variable(c->e->sat);
    if (counts != LIT_TRUE) sat_clause2(c->e->sat, -c->in[i], counts);
  }
}

/* Events of a thread are in the order of its steps. */
static void find_later(struct choosing *c) {
  c->later = ARENA_ARRAY(c->e->arena, lit, c->s->n);
  for (uint32_t i = 0; i < c->s->n; i++) c->later[i] = LIT_FALSE;
  for (uint32_t i = c->s->first_init; i-- > 0;) {
    const struct event *e = skeleton_event(c->s, i);
    uint32_t next = i + 1;
    while (next < c->s->first_init && skeleton_event(c->s, next)->thread == e->thread &&
           skeleton_event(c->s, next)->step == e->step)
      next++;
    if (next == c->s->first_init || skeleton_event(c->s, next)->thread != e->thread) continue;
    struct lits chosen = {0};
    add(c, &chosen, c->later[next]);
    for (uint32_t k = next; k < c->s->first_init && skeleton_event(c->s, k)->thread == e->thread &&
                            skeleton_event(c->s, k)->step == skeleton_event(c->s, next)->step;
         k++)
      add(c, &chosen, c->in[k]);
    c->later[i] = i + 1 < next ? c->later[i + 1] : any(c, &chosen);
  }
  arena_release(c->scratch);
}

/* ---- Successors ---- */

static lit waits_for(struct choosing *c, enum cat_builtin relation, uint32_t a, uint32_t b) {
  if (!bitmat_has(c->s->may[relation], a, b)) return LIT_FALSE;
  return bitmat_has(c->s->must[relation], a, b) ? LIT_TRUE : encode_builtin(c->e, relation, a, b, NEED_ONLY_IF);
}

static void add_waits(struct choosing *c, uint32_t a, struct lits *next) {
  for (size_t i = 0; i < sequence_wait_count; i++) {
    struct bitset row = bitmat_row_set(c->s->may[sequence_waits[i]], a);
    EACH (b, row)
      if (b != a && c->in[b] != LIT_FALSE) add(c, next, both(c, c->in[b], waits_for(c, sequence_waits[i], a, b)));
  }
}

/* A literal: both writes happen, at places where they do not commute. */
static lit writes_conflict(struct choosing *c, uint32_t a, uint32_t b, uint32_t u, uint32_t v, uint32_t chunk) {
  const struct event *x = skeleton_event(c->s, u), *y = skeleton_event(c->s, v);
  struct lits ways = {0};
  struct lits used = {0};
  if (is_read(c, a)) add(c, &used, c->counts[a]);
  if (is_read(c, b)) add(c, &used, c->counts[b]);
  for (uint32_t i = 0; i < x->place_count; i++)
    for (uint32_t k = 0; k < y->place_count; k++) {
      const struct place *p = &x->places[i], *q = &y->places[k];
      if (!place_covers(p, chunk) || !place_covers(q, chunk)) continue;
      bool commute = sequence_same_update(c->s, u, p, v, q) || sequence_same_constant(c->s, u, p, v, q, chunk);
      lit there = both(c, c->e->at[u][i], c->e->at[v][k]);
      add(c, &ways, commute ? both(c, there, any(c, &used)) : there);
    }
  return both(c, any(c, &ways), both(c, c->e->exec[u], c->e->exec[v]));
}

static lit written_before(const struct choosing *c, uint32_t a, uint32_t b) {
  if (skeleton_event(c->s, a)->thread == NO_THREAD) return LIT_TRUE;
  return skeleton_event(c->s, b)->thread == NO_THREAD ? LIT_FALSE : *encode_order(c->e, a, b);
}

/* Node a writes the chunk before the write from which node b reads it, or is that write. */
static void add_reads_from(struct choosing *c, uint32_t u, uint32_t b, uint32_t slot, uint32_t chunk,
                           struct lits *ways) {
  struct bitset writers = c->s->writers[chunk];
  struct lits from = {0};
  EACH (w, writers) {
    if (skeleton_event(c->s, w)->spawned) continue;
    lit source = c->e->source[slot][c->e->writer_index[w]];
    if (source) add(c, &from, w == u ? source : both(c, source, written_before(c, u, w)));
  }
  lit covered = encode_covers(c->e, u, chunk);
  add(c, ways, both(c, both(c, covered, c->counts[b]), any(c, &from)));
}

/* Node b overwrites what node a reads in the chunk. */
static void add_overwrites(struct choosing *c, uint32_t a, uint32_t v, uint32_t slot, uint32_t chunk,
                           struct lits *ways) {
  struct bitset writers = c->s->writers[chunk];
  struct lits from = {0};
  EACH (w, writers) {
    lit source = c->e->source[slot][c->e->writer_index[w]];
    if (source && w != v) add(c, &from, both(c, source, written_before(c, w, v)));
  }
  lit covered = encode_covers(c->e, v, chunk);
  add(c, ways, both(c, both(c, covered, c->counts[a]), any(c, &from)));
}

static void add_slots(struct choosing *c, uint32_t a, uint32_t b, struct lits *ways) {
  uint32_t u = write_of(c, a), v = write_of(c, b);
  for (uint32_t i = c->e->slots->first[b]; u != NO_EVENT && i < c->e->slots->first[b + 1]; i++)
    if (bitset_has(c->s->writers[c->e->slots->list[i].chunk], u))
      add_reads_from(c, u, b, i, c->e->slots->list[i].chunk, ways);
  for (uint32_t i = c->e->slots->first[a]; v != NO_EVENT && i < c->e->slots->first[a + 1]; i++)
    if (bitset_has(c->s->writers[c->e->slots->list[i].chunk], v))
      add_overwrites(c, a, v, i, c->e->slots->list[i].chunk, ways);
}

/* A literal: node a is before node b at some byte, and does not commute with it. */
static lit conflicts(struct choosing *c, uint32_t a, uint32_t b) {
  uint32_t u = write_of(c, a), v = write_of(c, b);
  struct lits ways = {0};
  for (uint32_t chunk = 0; u != NO_EVENT && v != NO_EVENT && chunk < c->s->chunk_count; chunk++)
    if (bitset_has(c->s->writers[chunk], u) && bitset_has(c->s->writers[chunk], v))
      add(c, &ways, both(c, *encode_order(c->e, u, v), writes_conflict(c, a, b, u, v, chunk)));
  add_slots(c, a, b, &ways);
  return any(c, &ways);
}

/* The accesses of one thread that may meet are in program order, unless one instruction makes both. */
static void add_conflicts(struct choosing *c, uint32_t a, struct lits *next) {
  const struct event *x = skeleton_event(c->s, a);
  if (!event_is_memory(x)) return;
  struct bitset near = bitmat_row_set(c->s->may[CAT_REL_LOC], a);
  EACH (b, near)
    if (b != a && c->in[b] != LIT_FALSE && event_is_memory(skeleton_event(c->s, b)))
      add(c, next, both(c, c->in[b], conflicts(c, a, b)));
}

lit encoder_out_of_turn(struct encoder *e) {
  struct choosing c = {.e = e, .s = e->skeleton, .scratch = arena_scratch(e->arena)};
  struct lits some = {0};
  REQUIRE(c.s->options.notes_uses);
  c.joins = bitset_new(e->arena, c.s->terms.list.len);
  for (uint32_t i = 0; i < c.s->joins.len; i++) bitset_add(c.joins, c.s->joins.data[i]);
  find_counts(&c);
  if (e->refusal) return LIT_FALSE;
  choose_nodes(&c);
  find_later(&c);
  for (uint32_t i = 0; i < c.s->first_init && !encoder_is_late(e); i++) {
    if (c.in[i] == LIT_FALSE) continue;
    struct lits next = {0};
    add(&c, &next, c.later[i]);
    add_waits(&c, i, &next);
    add_conflicts(&c, i, &next);
    add(&c, &next, -c.in[i]);
    sat_clause(e->sat, next.data, next.len);
    VEC_PUSH(e->arena, &some, c.in[i]);
    arena_release(c.scratch);
  }
  lit on = sat_variable(e->sat);
  VEC_PUSH(e->arena, &some, -on);
  sat_clause(e->sat, some.data, some.len);
  return on;
}
