/* Finds the values that operands of tables may have.
 *
 * The value sets of places.c hold for every assignment of writes to reads; if a value may depend on itself through
 * memory, its set is "any value", and this is so for nearly every atomic. A table needs few values, so they are counted
 * here for the executions in which no value depends on itself. In these, distinct writes have passed on the value that
 * a read returns, so as many rounds as there are writes that may pass a value on to it reach all values. (Circular
 * executions are excluded by every model's No-Thin-Air axiom; the encoder leaves their results free.) */
#include "exec/build.h"
#include "exec/sets.h"

enum { VALUE_LIMIT = 256, TABLE_LIMIT = 4096 };

struct counting {
  struct skeleton *s;
  struct value_set *sets;   /* by term */
  struct value_set *reads;  /* by event: the values that reads may return in this round */
  struct value_set *chunks; /* the values that writes may give each chunk */
  /* Groups of terms and chunks between which values may pass: a forest of nodes, first the terms, then the chunks. */
  uint32_t *parent;
  uint32_t *passing; /* by root: the number of writes whose value is not a constant */
};

/* ---- Groups ---- */

static uint32_t root_of(const struct counting *c, uint32_t node) {
  while (c->parent[node] != node) node = c->parent[node] = c->parent[c->parent[node]];
  return node;
}

static void join_nodes(struct counting *c, uint32_t a, uint32_t b) { c->parent[root_of(c, a)] = root_of(c, b); }

static bool passes(const struct skeleton *s, const struct event *e) {
  return e->kind == EVENT_WRITE && e->thread != NO_THREAD && !term_is_const(&s->terms, e->value);
}

static void join_term(struct counting *c, term_id id) {
  const struct term *t = term_get(&c->s->terms, id);
  if (term_op_is_leaf(t->op) || t->width == 1) return;
  const term_id operands[] = {t->a, t->b, t->c};
  uint32_t first = t->op == TERM_ITE ? 1 : 0, end = t->op == TERM_ITE ? 3 : term_op_is_unary(t->op) ? 1 : 2;
  for (uint32_t i = first; i < end; i++)
    if (!term_is_const(&c->s->terms, operands[i])) join_nodes(c, id, operands[i]);
}

static void join_event(struct counting *c, const struct event *e) {
  if (e->kind != EVENT_READ && !passes(c->s, e)) return;
  for (uint32_t i = 0; i < e->place_count; i++)
    for (uint32_t k = e->places[i].chunk_begin; k < e->places[i].chunk_end; k++)
      join_nodes(c, e->value, c->s->terms.list.len + k);
}

static void find_groups(struct counting *c) {
  const struct skeleton *s = c->s;
  uint32_t nodes = s->terms.list.len + s->chunk_count;
  c->parent = ARENA_ARRAY(s->arena, uint32_t, nodes);
  c->passing = ARENA_ARRAY(s->arena, uint32_t, nodes);
  for (uint32_t i = 0; i < nodes; i++) c->parent[i] = i;
  for (term_id id = 0; id < s->terms.list.len; id++) join_term(c, id);
  for (uint32_t e = 0; e < s->events.len; e++) join_event(c, &s->events.data[e]);
  for (uint32_t e = 0; e < s->events.len; e++)
    if (passes(s, skeleton_event(s, e))) c->passing[root_of(c, skeleton_event(s, e)->value)]++;
}

/* ---- Sets ---- */

static void add_value(struct counting *c, struct value_set *set, value_t value) {
  value_set_add(c->s->arena, set, value, VALUE_LIMIT);
}

/* The bits that a write gives a chunk. */
static void count_write(struct counting *c, uint32_t chunk, const struct event *write) {
  const struct skeleton *s = c->s;
  const struct chunk *of = &s->chunks[chunk];
  struct value_set *out = &c->chunks[chunk];
  if (write->thread == NO_THREAD) add_value(c, out, skeleton_init_value(s, of->phys, of->size));
  for (uint32_t i = 0; i < write->place_count && write->thread != NO_THREAD; i++) {
    if (!place_covers(&write->places[i], chunk)) continue;
    const struct value_set *from = &c->sets[write->value];
    uint32_t shift = place_bit_offset(s, &write->places[i], chunk);
    if (from->top) out->top = true;
    for (uint32_t v = 0; v < from->count; v++) add_value(c, out, from->values[v] >> shift & value_mask(8 * of->size));
  }
}

static void count_chunks(struct counting *c) {
  const struct skeleton *s = c->s;
  for (uint32_t chunk = 0; chunk < s->chunk_count; chunk++)
    EACH (e, s->writers[chunk])
      if (!c->chunks[chunk].top) count_write(c, chunk, skeleton_event(s, e));
}

static value_t put_above(const void *shift, const value_t values[3]) {
  return values[0] | values[1] << *(const uint32_t *)shift;
}

/* Adds a chunk of a read's value: every value so far with every value of the chunk. */
static struct value_set join_chunk(struct counting *c, const struct value_set *so_far, const struct value_set *part,
                                   uint32_t shift) {
  struct value_set joined = {0};
  const struct value_set *const parts[3] = {so_far, part, &value_set_zero};
  value_set_combine(c->s->arena, &joined, parts, put_above, &shift, VALUE_LIMIT);
  return joined;
}

static void count_read(struct counting *c, uint32_t number) {
  const struct event *read = skeleton_event(c->s, number);
  struct value_set *set = &c->reads[number];
  if (!read->place_count) add_value(c, set, 0); /* has no place: undefined anyway */
  ARRAY_EACH (place, read->places, read->place_count) {
    struct value_set whole = {0};
    add_value(c, &whole, 0);
    for (uint32_t chunk = place->chunk_begin; chunk < place->chunk_end; chunk++) {
      whole = join_chunk(c, &whole, &c->chunks[chunk], place_bit_offset(c->s, place, chunk));
    }
    value_set_join(c->s->arena, set, &whole, VALUE_LIMIT);
  }
}

static void count_terms(struct counting *c) {
  for (term_id id = 0; id < c->s->terms.list.len; id++) {
    const struct term *t = term_get(&c->s->terms, id);
    if (t->op == TERM_CONST) add_value(c, &c->sets[id], t->constant);
    else if (t->op == TERM_READ) value_set_join(c->s->arena, &c->sets[id], &c->reads[t->event], VALUE_LIMIT);
    else if (term_op_is_leaf(t->op)) value_set_join(c->s->arena, &c->sets[id], &c->s->value_sets[id], VALUE_LIMIT);
    else value_set_evaluate(c->s->arena, &c->s->terms, c->sets, id, VALUE_LIMIT);
  }
}

static uint64_t size_of_all(const struct counting *c) {
  uint64_t size = 0;
  for (uint32_t e = 0; e < c->s->events.len; e++) size += c->reads[e].top ? VALUE_LIMIT + 1 : c->reads[e].count;
  return size;
}

static void check_limits(struct counting *c) {
  struct skeleton *s = c->s;
  for (uint32_t i = 0; i < s->tables.len && !s->refusal; i++) {
    const struct term *t = term_get(&s->terms, s->tables.data[i].term);
    const struct value_set *x = &c->sets[t->a], *y = &c->sets[t->b];
    if (!x->top && !y->top && x->count * y->count <= TABLE_LIMIT) continue;
    uint32_t limit = x->top || y->top ? VALUE_LIMIT : TABLE_LIMIT / VALUE_LIMIT;
    const char *text = arena_printf(
        s->arena, "too many values: an operand of this floating-point operation may be any of more than %u", limit);
    skeleton_refuse(s, reason_with(s->arena, REASON_MANY_VALUES, text), s->tables.data[i].span);
  }
}

void skeleton_tabulate(struct skeleton *s) {
  if (!s->tables.len) return;
  struct counting c = {.s = s};
  c.sets = ARENA_ARRAY(s->arena, struct value_set, s->terms.list.len);
  c.reads = ARENA_ARRAY(s->arena, struct value_set, s->events.len);
  c.chunks = ARENA_ARRAY(s->arena, struct value_set, s->chunk_count);
  find_groups(&c);
  uint64_t before;
  uint32_t round = 0;
  do { /* the reads of the last round give the terms of this one, so that a round passes values on once */
    before = size_of_all(&c);
    count_terms(&c);
    count_chunks(&c);
    EACH_EVENT_OF (e, read, s)
      if (read->kind == EVENT_READ && round <= c.passing[root_of(&c, read->value)]) count_read(&c, e);
    round++;
  } while (size_of_all(&c) != before);
  count_terms(&c);
  check_limits(&c);
  s->tabled = c.sets;
}
