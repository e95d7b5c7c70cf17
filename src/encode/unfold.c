/* Exact closures and recursive definitions, for uses in which a one-sided one would be wrong.
 *
 * A closure becomes iterated squaring: t0 = r, t(i+1) = t(i) | t(i);t(i). After log2(n) rounds this is the least
 * fixpoint, not just any fixpoint. A `let rec` group becomes rounds of substitution from empty; it is exact after as
 * many rounds as the longest derivation has steps, at most the number of pairs. Larger groups than the cap are
 * refused. */
#include "encode/parts.h"

enum { ROUND_CAP = 64 };

cat_node encode_closure(struct encoder *e, cat_node relation) {
  cat_node t = relation;
  uint32_t length = 1; /* paths up to this length are in t */
  while (length < e->skeleton->n) {
    struct cat_expr step = {.op = CAT_SEQ, .a = t, .b = t, .body = CAT_NO_NODE};
    cat_node square = graph_add(&e->graph, step);
    if (bitmat_empty(e->graph.bounds.data[square].may)) break;
    struct cat_expr both = {.op = CAT_UNION, .a = t, .b = square, .body = CAT_NO_NODE};
    t = graph_add(&e->graph, both);
    length *= 2;
  }
  return t;
}

/* The nodes of a group that must be copied in each round: those that use its variables, operands first. */
static struct bitset group_nodes(struct encoder *e, uint32_t group, uint32_t count) {
  struct bitset uses = bitset_new(e->arena, count);
  for (cat_node i = 0; i < count; i++) {
    const struct cat_expr *x = graph_expr(&e->graph, i);
    bool own = x->op == CAT_REC && x->group == group;
    bool operand = (x->a != CAT_NO_NODE && bitset_has(uses, x->a)) || (x->b != CAT_NO_NODE && bitset_has(uses, x->b));
    if (own || operand) bitset_add(uses, i);
  }
  return uses;
}

static uint64_t group_pairs(const struct encoder *e, uint32_t group, uint32_t count) {
  uint64_t pairs = 0;
  for (cat_node i = 0; i < count; i++) {
    const struct cat_expr *x = graph_expr(&e->graph, i);
    if (x->op != CAT_REC || x->group != group) continue;
    const struct bounds *b = &e->graph.bounds.data[i];
    pairs += x->is_set ? bitset_count(b->may_set) : bitmat_count(b->may);
  }
  return pairs;
}

/* One round: copies of the group's nodes in which `value` replaces its variables. value[i] becomes the copy of i. */
static void unfold_round(struct encoder *e, uint32_t group, struct bitset uses, cat_node *value) {
  EACH (i, uses) {
    struct cat_expr x = *graph_expr(&e->graph, i);
    if (x.op == CAT_REC) continue;
    if (x.a != CAT_NO_NODE && bitset_has(uses, x.a)) x.a = value[x.a];
    if (x.b != CAT_NO_NODE && bitset_has(uses, x.b)) x.b = value[x.b];
    value[i] = x.op == CAT_PLUS ? encode_closure(e, x.a) : graph_add(&e->graph, x);
  }
  EACH (i, uses) {
    const struct cat_expr *x = graph_expr(&e->graph, i);
    if (x->op == CAT_REC && x->group == group) value[i] = bitset_has(uses, x->body) ? value[x->body] : x->body;
  }
}

/* True if nodes are too deep: rounds of substitution nest them, and encoding is recursive. */
static bool is_too_deep(struct encoder *e) {
  uint32_t *depths = ARENA_ARRAY(e->arena, uint32_t, e->graph.nodes.len), deepest = 0;
  for (cat_node i = 0; i < e->graph.nodes.len; i++) {
    const struct cat_expr *x = graph_expr(&e->graph, i);
    if (x->a != CAT_NO_NODE) depths[i] = depths[x->a] + 1;
    if (x->b != CAT_NO_NODE && depths[x->b] >= depths[i]) depths[i] = depths[x->b] + 1;
    if (depths[i] > deepest) deepest = depths[i];
  }
  return deepest > MODEL_DEPTH_LIMIT;
}

static void unfold_group(struct encoder *e, uint32_t group) {
  uint32_t count = e->graph.model->nodes.len;
  uint64_t rounds = group_pairs(e, group, count);
  if (rounds > ROUND_CAP) {
    e->refusal = reason_get(REASON_UNFOLD_SIZE);
    return;
  }
  struct bitset uses = group_nodes(e, group, count);
  cat_node *value = ARENA_ARRAY(e->arena, cat_node, count);
  EACH (i, uses) {
    struct cat_expr none = {.op = CAT_EMPTY,
                            .is_set = graph_expr(&e->graph, i)->is_set,
                            .a = CAT_NO_NODE,
                            .b = CAT_NO_NODE,
                            .body = CAT_NO_NODE};
    if (graph_expr(&e->graph, i)->op == CAT_REC) value[i] = graph_add(&e->graph, none);
  }
  for (uint64_t round = 0; round < rounds; round++) unfold_round(e, group, uses, value);
  if (is_too_deep(e)) {
    e->refusal = reason_get(REASON_UNFOLD_DEPTH);
    return;
  }
  EACH (i, uses) {
    const struct cat_expr *x = graph_expr(&e->graph, i);
    if (x->op == CAT_REC && x->group == group) e->exact[i] = value[i];
  }
}

cat_node encode_exact(struct encoder *e, cat_node node) {
  if (e->exact[node] != CAT_NO_NODE || e->refusal) return e->exact[node];
  if (graph_expr(&e->graph, node)->op == CAT_PLUS) e->exact[node] = encode_closure(e, graph_expr(&e->graph, node)->a);
  else unfold_group(e, graph_expr(&e->graph, node)->group);
  return e->exact[node];
}
