/* Closures along a chain of atomics (counting.c): what leads from each atomic to the next leads from each to all later
 * ones, by the order of the chain alone. */
#include "encode/parts.h"

enum { WRITES, READS };
enum { FOLLOWS_NOT = 1, FOLLOWS };

/* The literal of "the second atomic reads from the first one". */
static lit is_next(const struct encoder *e, const struct chain *c, uint32_t i, uint32_t k) {
  uint32_t slot = e->slots->first[c->ends[READS][k]];
  return e->source[slot][e->writer_index[c->ends[WRITES][i]]];
}

/* True if the relation leads from one atomic to the next: directly, or by the first's write and the second's read. */
static bool leads_when_next(struct encoder *e, const struct chain *c, unsigned side, cat_node relation, uint32_t i,
                            uint32_t k) {
  const struct bounds *bounds = &e->graph.bounds.data[relation];
  uint32_t own = side == WRITES ? k : i, write = c->ends[WRITES][i], read = c->ends[READS][k];
  if (bitmat_has(bounds->may, c->ends[side][i], c->ends[side][k]) &&
      encoder_pair(e, relation, c->ends[side][i], c->ends[side][k], NEED_IF) == is_next(e, c, i, k))
    return true;
  return bitmat_has(bounds->must, c->ends[READS][own], c->ends[WRITES][own]) && bitmat_has(bounds->may, write, read) &&
         encoder_pair(e, relation, write, read, NEED_IF) == is_next(e, c, i, k);
}

/* True if, for any two of these events of a chain, the relation leads from the first to the second whenever the second
 * atomic is next. */
static bool follows(struct encoder *e, struct chain *c, unsigned side, cat_node relation) {
  uint8_t *known = &c->follows[side][relation];
  bool all = *known != FOLLOWS_NOT;
  for (uint32_t i = 0; i < c->count && all && !*known; i++)
    for (uint32_t k = 0; k < c->count && all; k++) all = i == k || leads_when_next(e, c, side, relation, i, k);
  *known = all ? FOLLOWS : FOLLOWS_NOT;
  return all;
}

/* The number of the event among the ends of the chain; their count: it is none. */
static uint32_t index_of_end(const struct chain *c, unsigned side, uint32_t event) {
  return FIND_BELOW(i, c->count, c->ends[side][i] == event);
}

/* True if the relation leads from the write of one atomic to the read of another one exactly if that is next. */
static bool is_step(struct encoder *e, const struct chain *c, cat_node relation) {
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t k = 0; k < c->count; k++)
      if (i != k && encoder_pair(e, relation, c->ends[WRITES][i], c->ends[READS][k], NEED_IF) != is_next(e, c, i, k))
        return false;
  return true;
}

static bool leads_to_reads(struct encoder *e, struct chain *c, cat_node relation) {
  struct cat_expr x = *graph_expr(&e->graph, relation);
  if (x.op == CAT_UNION) return leads_to_reads(e, c, x.a) || leads_to_reads(e, c, x.b);
  return x.op == CAT_PLUS && follows(e, c, READS, x.a);
}

/* A composition of a step from each atomic to the next and of a closure of such steps leads from the write of each
 * atomic to the reads of all later ones. */
static bool composes(struct encoder *e, struct chain *c, cat_node first, cat_node second) {
  uint8_t *known = &c->composes[first];
  bool all = *known != FOLLOWS_NOT;
  for (uint32_t k = 0; k < c->count && all; k++)
    all = bitmat_has(e->graph.bounds.data[second].must, c->ends[READS][k], c->ends[READS][k]);
  if (!all) return false;
  if (!*known) *known = is_step(e, c, first) ? FOLLOWS : FOLLOWS_NOT;
  return *known == FOLLOWS && leads_to_reads(e, c, second);
}

void encode_step_along(struct encoder *e, cat_node first, cat_node second, uint32_t a, uint32_t b, lit pair) {
  if (first >= e->graph.model->nodes.len || second >= e->graph.model->nodes.len) return;
  for (uint32_t n = 0; n < e->chains.len && encode_does(e, TECHNIQUE_ALONG); n++) {
    struct chain *c = &e->chains.data[n];
    uint32_t i = c->ends[READS] ? index_of_end(c, WRITES, a) : c->count;
    uint32_t k = i < c->count ? index_of_end(c, READS, b) : c->count;
    if (k == c->count || k == i || !composes(e, c, first, second)) continue;
    sat_clause3(e->sat, -c->straight, -*encode_order(e, c->ends[WRITES][i], c->ends[WRITES][k]), pair);
  }
}

/* A closure that leads from each atomic to the next leads from each to all later ones: (a, b) holds if b is a later
 * one, or (k, b) does for a later k. The solver would have to derive this step by step, for each order. */
static void join_along(struct encoder *e, struct chain *c, unsigned side, cat_node closure, uint32_t a, uint32_t b) {
  uint32_t i = index_of_end(c, side, a), end = index_of_end(c, side, b);
  lit pair = encode_known_pair(e, closure, a, b);
  if (i == c->count || closure >= e->graph.model->nodes.len || !follows(e, c, side, graph_expr(&e->graph, closure)->a))
    return;
  if (end < c->count && end != i) {
    sat_clause3(e->sat, -c->straight, -*encode_order(e, c->ends[WRITES][i], c->ends[WRITES][end]), pair);
    return;
  }
  for (uint32_t k = 0; k < c->count; k++) {
    lit other = k == i ? 0 : encode_known_pair(e, closure, c->ends[side][k], b);
    if (!other) continue; /* its own call adds the clauses once it exists */
    uint32_t x = c->ends[WRITES][i], y = c->ends[WRITES][k];
    sat_clause(e->sat, (lit[]){-c->straight, -*encode_order(e, x, y), -other, pair}, 4);
    sat_clause(e->sat, (lit[]){-c->straight, -*encode_order(e, y, x), -pair, other}, 4);
  }
}

void encode_along_chains(struct encoder *e, cat_node closure, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < e->chains.len && encode_does(e, TECHNIQUE_ALONG); i++)
    for (unsigned side = WRITES; side <= READS && e->chains.data[i].ends[READS]; side++)
      join_along(e, &e->chains.data[i], side, closure, a, b);
}
