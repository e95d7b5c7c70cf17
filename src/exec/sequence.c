#include "exec/sequence.h"

#include "ptx/alu.h"
#include "term/depend.h"

const enum cat_builtin sequence_waits[] = {CAT_REL_BAR,   CAT_REL_BAR_RELAXED, CAT_REL_EXCHANGE, CAT_REL_PHASE_ORDER,
                                           CAT_REL_PHASE, CAT_REL_NEXT_PHASE,  CAT_REL_ENDED,    CAT_REL_LAUNCH,
                                           CAT_REL_GATHERS};
const size_t sequence_wait_count = ARRAY_LEN(sequence_waits);

const char *sequence_link_name(enum sequence_link link) {
  static const char *const names[] = {"po", "wait", "co", "rf", "fr"};
  return names[link];
}

/* ---- Single events ---- */

bool sequence_is_node(const struct event *e) {
  if (e->thread == NO_THREAD || e->spawned) return false;
  switch (e->kind) {
    case EVENT_READ:
    case EVENT_WRITE:
    case EVENT_ARRIVE:
    case EVENT_WAIT:
    case EVENT_TEST:
    case EVENT_GRID: return true;
    case EVENT_SIGNAL: return e->use->kind == USE_SIGNAL;
    case EVENT_FENCE:
    case EVENT_PROXY_FENCE:
    case EVENT_ISSUE:
    case EVENT_GROUP:
    case EVENT_EXIT: return false;
  }
  BUG("event kind %d", (int)e->kind);
}

uint32_t sequence_node(const struct skeleton *s, uint32_t event) {
  const struct event *e = skeleton_event(s, event);
  return e->kind == EVENT_WRITE && e->is_rmw && e->partner != NO_PARTNER ? e->partner : event;
}

/* The operand of inc and dec is a limit: those with one limit commute. */
static bool commutes(const struct instr *a, const struct instr *b) {
  if (a->alu != b->alu || a->type.kind != b->type.kind || a->type.width != b->type.width) return false;
  if (a->alu == ALU_INC || a->alu == ALU_DEC)
    return a->src[0].kind == OPERAND_IMM && b->src[0].kind == OPERAND_IMM && a->src[0].imm == b->src[0].imm;
  return a->alu != ALU_EXCH && a->alu != ALU_CAS;
}

bool sequence_same_update(const struct skeleton *s, uint32_t a, const struct place *p, uint32_t b,
                          const struct place *q) {
  const struct event *x = skeleton_event(s, a), *y = skeleton_event(s, b);
  if (!x->is_rmw || !y->is_rmw || p->phys != q->phys || x->size != y->size) return false;
  return commutes(skeleton_instr(s, x), skeleton_instr(s, y));
}

static bool is_exchange(const struct skeleton *s, const struct event *e) {
  return e->is_rmw && skeleton_instr(s, e)->alu == ALU_EXCH;
}

bool sequence_same_constant(const struct skeleton *s, uint32_t a, const struct place *p, uint32_t b,
                            const struct place *q, uint32_t chunk) {
  const struct event *x = skeleton_event(s, a), *y = skeleton_event(s, b);
  if ((x->is_rmw && !is_exchange(s, x)) || (y->is_rmw && !is_exchange(s, y))) return false;
  if (!term_is_const(&s->terms, x->value) || !term_is_const(&s->terms, y->value)) return false;
  uint32_t bits = 8 * s->chunks[chunk].size;
  value_t u = term_get(&s->terms, x->value)->constant >> place_bit_offset(s, p, chunk);
  value_t v = term_get(&s->terms, y->value)->constant >> place_bit_offset(s, q, chunk);
  return bits >= 128 ? u == v : ((u ^ v) & (((value_t)1 << bits) - 1)) == 0;
}

/* ---- The reads that count ---- */

struct sequence {
  struct arena *arena;
  const struct execution *x;
  const struct skeleton *s;
  const struct sequence_turns *turns;
  struct bitset joins; /* by term */
  struct bitset reads; /* events: reads that count, whatever the iteration */
  struct bitset nodes;
  struct bitmat before; /* of nodes */
};

/* Marks the terms on which a marked one depends in this execution: of a choice only the alternative that is taken. The
 * condition of a join decides nothing but the path, whose branches count themselves. */
static void mark_operands(const struct sequence *q, bool *marked) {
  const struct terms *terms = &q->s->terms;
  for (term_id id = terms->list.len; id-- > 0;) {
    const struct term *t = term_get(terms, id);
    term_id operands[3];
    if (!marked[id]) continue;
    unsigned count = term_operands(terms, id, operands);
    for (unsigned i = 0; i < count && t->op != TERM_ITE; i++) marked[operands[i]] = true;
    if (t->op != TERM_ITE) continue;
    if (!bitset_has(q->joins, t->a)) marked[t->a] = true;
    marked[q->x->terms[t->a] ? t->b : t->c] = true;
  }
}

/* An atomic's write does not count for its own read: a red is one. */
static void mark_update(const struct sequence *q, uint32_t write, struct bitset reads) {
  struct bitset mentions = bitset_new(q->arena, q->s->n);
  const struct event *e = skeleton_event(q->s, write);
  term_mentions(&q->s->terms, e->value, mentions);
  if (e->partner != NO_PARTNER) bitset_del(mentions, e->partner);
  bitset_or(reads, mentions);
}

/* The reads on which something depends that counts, but for that in `without` (NULL: all). */
static struct bitset reads_used(const struct sequence *q, const struct loop_turn *without) {
  const struct skeleton *s = q->s;
  bool *marked = ARENA_ARRAY(q->arena, bool, s->terms.list.len);
  struct bitset reads = bitset_new(q->arena, s->n);
  VEC_EACH (d, &s->deciders)
    if (q->x->terms[d->when] && !loop_turn_has(without, d->thread, d->step)) marked[d->value] = true;
  EACH_THREAD_EVENT (i, e, s) {
    if (!bitset_has(q->x->exec, i) || loop_turn_has(without, e->thread, e->step)) continue;
    marked[e->address] = true;
    if (e->kind == EVENT_WRITE && e->is_rmw) mark_update(q, i, reads);
    else if (e->kind == EVENT_WRITE) marked[e->value] = true;
    if (e->kind == EVENT_ARRIVE) marked[e->value] = marked[e->meeting.id] = marked[e->meeting.count] = true;
  }
  mark_operands(q, marked);
  EACH_THREAD_EVENT (r, e, s)
    if (e->kind == EVENT_READ && marked[e->value]) bitset_add(reads, r);
  return reads;
}

/* True if an event has an effect that a later iteration can see. */
static bool acts(const struct sequence *q, uint32_t event) {
  const struct event *e = skeleton_event(q->s, event);
  if (!bitset_has(q->x->exec, event) || e->kind == EVENT_READ || event_is_fence(e)) return false;
  bool update = e->kind == EVENT_WRITE && e->is_rmw && e->partner != NO_PARTNER;
  return !update || q->x->values[event] != q->x->values[e->partner];
}

static bool has_effect(const struct sequence *q, const struct loop_turn *turn) {
  struct bitset used = reads_used(q, turn);
  return SOME(EACH_THREAD_EVENT (i, e, q->s),
              loop_turn_has(turn, e->thread, e->step) && (acts(q, i) || bitset_has(used, i)));
}

static const struct sequence_turns *own_turns(const struct sequence *q) {
  struct sequence_turns *turns = ARENA_NEW(q->arena, struct sequence_turns);
  VEC_EACH (t, &q->s->turns)
    if (q->x->terms[t->again]) VEC_PUSH(q->arena, turns, *t);
  return turns;
}

static void find_nodes(struct sequence *q) {
  q->joins = bitset_new(q->arena, q->s->terms.list.len);
  for (uint32_t i = 0; i < q->s->joins.len; i++) bitset_add(q->joins, q->s->joins.data[i]);
  if (!q->turns) q->turns = own_turns(q);
  q->reads = reads_used(q, NULL);
  q->nodes = bitset_new(q->arena, q->s->n);
  EACH_THREAD_EVENT (i, e, q->s) {
    if (!sequence_is_node(e) || !bitset_has(q->x->exec, i)) continue;
    if (e->kind == EVENT_READ ? bitset_has(q->reads, i) : true) bitset_add(q->nodes, sequence_node(q->s, i));
  }
  VEC_EACH (turn, q->turns)
    if (!has_effect(q, turn))
      EACH_THREAD_EVENT (i, e, q->s)
        if (loop_turn_has(turn, e->thread, e->step)) bitset_del(q->nodes, i);
}

/* ---- The order ---- */

static bool reads_at(const struct sequence *q, uint32_t e) {
  return skeleton_event(q->s, e)->kind == EVENT_READ && bitset_has(q->reads, e);
}

/* The write of a node; NO_EVENT: none happens. */
static uint32_t write_of(const struct sequence *q, uint32_t node) {
  const struct event *e = skeleton_event(q->s, node);
  uint32_t write = e->kind == EVENT_WRITE ? node : e->kind == EVENT_READ && e->is_rmw ? e->partner : NO_EVENT;
  return write != NO_EVENT && bitset_has(q->x->exec, write) ? write : NO_EVENT;
}

static const struct place *place_of(const struct sequence *q, uint32_t event) {
  uint32_t place = q->x->place[event];
  return place == NO_PLACE ? NULL : &skeleton_event(q->s, event)->places[place];
}

static bool covers(const struct sequence *q, uint32_t event, uint32_t chunk) {
  const struct place *place = place_of(q, event);
  return place && place_covers(place, chunk);
}

/* The write from which a read takes a chunk. */
static uint32_t source_of(const struct sequence *q, uint32_t read, uint32_t chunk) {
  for (uint32_t i = q->x->slots->first[read]; i < q->x->slots->first[read + 1]; i++)
    if (q->x->slots->list[i].chunk == chunk) return q->x->source[i];
  return NO_EVENT;
}

/* True if two writes of nodes commute at the chunk. */
static bool writes_commute(const struct sequence *q, uint32_t a, uint32_t b, uint32_t u, uint32_t v, uint32_t chunk) {
  if (reads_at(q, a) || reads_at(q, b)) return false;
  return sequence_same_update(q->s, u, place_of(q, u), v, place_of(q, v)) ||
         sequence_same_constant(q->s, u, place_of(q, u), v, place_of(q, v), chunk);
}

/* True if node a is before node b at the chunk, in (co | rf | fr)+, and does not commute with it. */
static bool is_before_at(const struct sequence *q, uint32_t a, uint32_t b, uint32_t chunk, enum sequence_link *link) {
  uint32_t u = write_of(q, a), v = write_of(q, b);
  bool writes_a = u != NO_EVENT && covers(q, u, chunk), writes_b = v != NO_EVENT && covers(q, v, chunk);
  *link = SEQUENCE_CO;
  if (writes_a && writes_b && bitmat_has(q->x->co, u, v) && !writes_commute(q, a, b, u, v, chunk)) return true;
  *link = SEQUENCE_RF;
  if (writes_a && reads_at(q, b)) {
    uint32_t from = source_of(q, b, chunk);
    bool plain = from != NO_EVENT && !skeleton_event(q->s, from)->spawned;
    if (plain && (from == u || bitmat_has(q->x->co, u, from))) return true;
  }
  *link = SEQUENCE_FR;
  uint32_t from = reads_at(q, a) && writes_b ? source_of(q, a, chunk) : NO_EVENT;
  return from != NO_EVENT && from != v && bitmat_has(q->x->co, from, v);
}

static bool is_before(const struct sequence *q, uint32_t a, uint32_t b, enum sequence_link *link) {
  const struct event *x = skeleton_event(q->s, a), *y = skeleton_event(q->s, b);
  *link = SEQUENCE_PO;
  if (a == b) return false;
  if (x->thread == y->thread && x->step < y->step) return true;
  *link = SEQUENCE_WAIT;
  for (size_t i = 0; i < sequence_wait_count; i++)
    if (bitmat_has(execution_relation(q->x, sequence_waits[i]), a, b)) return true;
  if (!event_is_memory(x) || !event_is_memory(y)) return false;
  return SOME_BELOW(chunk, q->s->chunk_count, is_before_at(q, a, b, chunk, link));
}

static void relate(struct sequence *q) {
  enum sequence_link link;
  q->before = bitmat_new(q->arena, q->s->n);
  EACH (a, q->nodes)
    EACH (b, q->nodes)
      if (is_before(q, a, b, &link)) bitmat_add(q->before, a, b);
}

bool sequence_find(struct arena *arena, const struct execution *x, const struct sequence_turns *turns,
                   struct sequence_cycle *out) {
  struct sequence q = {.arena = arena, .x = x, .s = x->skeleton, .turns = turns};
  uint32_t best = UINT32_MAX, *path = ARENA_ARRAY(arena, uint32_t, q.s->n + 1), *kept = NULL;
  find_nodes(&q);
  relate(&q);
  if (!bitmat_cyclic(arena, q.before)) return false;
  EACH (a, q.nodes) {
    uint32_t length = bitmat_path(arena, q.before, a, a, path);
    if (!length || length >= best) continue;
    best = length;
    kept = ARENA_ARRAY(arena, uint32_t, length + 1);
    memcpy(kept, path, (length + 1) * sizeof *kept);
  }
  *out = (struct sequence_cycle){0};
  for (uint32_t i = 0; i < best; i++) {
    struct sequence_step step = {kept[i], SEQUENCE_PO};
    is_before(&q, kept[i], kept[i + 1], &step.link);
    VEC_PUSH(arena, out, step);
  }
  return true;
}
