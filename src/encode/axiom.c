/* Axioms as clauses, each under a literal that switches it on. */
#include "encode/encode.h"

/* ---- Empty and irreflexive ---- */

/* Forbids the pair unless `off`: a clause for each way in which it can come about, without a gate on top. */
static void forbid(struct encoder *e, cat_node node, uint32_t a, uint32_t b, lit off) {
  if (!bitmat_has(e->graph.bounds.data[node].may, a, b)) return;
  struct cat_expr x = *graph_expr(&e->graph, node);
  lit happen_a = -e->exec[a], happen_b = -e->exec[b];
  if (x.op == CAT_UNION) {
    forbid(e, x.a, a, b, off);
    forbid(e, x.b, a, b, off);
  } else if (x.op == CAT_INTER || x.op == CAT_DIFF) {
    lit left = encode_pair(e, x.a, a, b, NEED_IF);
    lit right = x.op == CAT_INTER ? encode_pair(e, x.b, a, b, NEED_IF) : -encode_pair(e, x.b, a, b, NEED_ONLY_IF);
    sat_clause(e->sat, (lit[]){off, happen_a, happen_b, -left, -right}, 5);
  } else if (x.op == CAT_SEQ) {
    struct bitset middle = bitmat_row_set(e->graph.bounds.data[x.a].may, a);
    for (uint32_t c = bitset_next(middle, 0); c < middle.n; c = bitset_next(middle, c + 1)) {
      if (!bitmat_has(e->graph.bounds.data[x.b].may, c, b)) continue;
      lit first = encode_pair(e, x.a, a, c, NEED_IF), second = encode_pair(e, x.b, c, b, NEED_IF);
      sat_clause(e->sat, (lit[]){off, happen_a, happen_b, -e->exec[c], -first, -second}, 6);
    }
  } else {
    sat_clause(e->sat, (lit[]){off, happen_a, happen_b, -encode_pair(e, node, a, b, NEED_IF)}, 4);
  }
}

static void forbid_all(struct encoder *e, cat_node node, bool diagonal, lit off) {
  for (uint32_t a = 0; a < e->skeleton->n; a++) {
    struct bitset row = bitmat_row_set(e->graph.bounds.data[node].may, a);
    if (diagonal) {
      if (bitset_has(row, a)) forbid(e, node, a, a, off);
      continue;
    }
    for (uint32_t b = bitset_next(row, 0); b < row.n; b = bitset_next(row, b + 1)) forbid(e, node, a, b, off);
  }
}

static void forbid_members(struct encoder *e, cat_node set, lit off) {
  struct bitset may = e->graph.bounds.data[set].may_set;
  for (uint32_t a = bitset_next(may, 0); a < may.n; a = bitset_next(may, a + 1))
    sat_clause3(e->sat, off, -e->exec[a], -encode_member(e, set, a, NEED_IF));
}

/* Some pair (or member) holds, unless `off`. */
static void demand_some(struct encoder *e, cat_node node, bool diagonal, lit off) {
  bool is_set = graph_expr(&e->graph, node)->is_set;
  uint32_t n = e->skeleton->n;
  VEC(lit) some = {0};
  for (uint32_t a = 0; a < n; a++) {
    if (is_set) {
      lit member = encode_member(e, node, a, NEED_ONLY_IF);
      VEC_PUSH(e->arena, &some, gates_and2(&e->gates, member, e->exec[a], NEED_ONLY_IF));
      continue;
    }
    for (uint32_t b = diagonal ? a : 0; b < (diagonal ? a + 1 : n); b++) {
      lit pair = encode_pair(e, node, a, b, NEED_ONLY_IF);
      if (pair == LIT_FALSE) continue;
      VEC_PUSH(e->arena, &some, gates_and(&e->gates, (lit[]){pair, e->exec[a], e->exec[b]}, 3, NEED_ONLY_IF));
    }
  }
  VEC_PUSH(e->arena, &some, off);
  sat_clause(e->sat, some.data, some.len);
}

/* ---- Acyclic ----
 *
 * Vertex elimination: events are removed one after another; removing v adds an edge u -> w for every u -> v -> w that
 * holds, and a cycle shows as u -> v -> u. Linear in what the edges need, no ranks, no closure. */

struct elimination {
  struct encoder *e;
  lit off;
  uint32_t m;          /* events of the component */
  uint32_t *events;    /* local number to event */
  lit *edges;          /* m * m; LIT_FALSE: none */
  bool *own;           /* m * m: the literal is a variable made here, and may be implied by several paths */
  struct bitmat out, in;
  struct bitset left;
};

static lit *edge(struct elimination *v, uint32_t a, uint32_t b) { return &v->edges[(size_t)a * v->m + b]; }

static void set_edge(struct elimination *v, uint32_t a, uint32_t b, lit value) {
  *edge(v, a, b) = value;
  bitmat_add(v->out, a, b);
  bitmat_add(v->in, b, a);
}

/* Makes the edge a -> b hold wherever both literals do. */
static void imply_edge(struct elimination *v, uint32_t a, uint32_t b, lit x, lit y) {
  lit now = *edge(v, a, b);
  if (now == LIT_TRUE || now == x || now == y) return;
  if (x == LIT_TRUE && y == LIT_TRUE) {
    set_edge(v, a, b, LIT_TRUE);
    return;
  }
  if (now == LIT_FALSE && (x == LIT_TRUE || y == LIT_TRUE)) {
    set_edge(v, a, b, x == LIT_TRUE ? y : x);
    return;
  }
  if (!v->own[(size_t)a * v->m + b]) {
    lit fresh = sat_variable(v->e->sat);
    if (now != LIT_FALSE) sat_clause2(v->e->sat, -now, fresh);
    set_edge(v, a, b, fresh);
    v->own[(size_t)a * v->m + b] = true;
  }
  sat_clause3(v->e->sat, -x, -y, *edge(v, a, b));
}

static uint32_t cheapest(const struct elimination *v) {
  uint32_t best = v->m, best_cost = UINT32_MAX;
  for (uint32_t a = bitset_next(v->left, 0); a < v->m; a = bitset_next(v->left, a + 1)) {
    uint32_t cost = bitset_count(bitmat_row_set(v->out, a)) * bitset_count(bitmat_row_set(v->in, a));
    if (cost < best_cost) best = a, best_cost = cost;
  }
  return best;
}

static void eliminate(struct elimination *v, uint32_t a) {
  struct bitset in = bitmat_row_set(v->in, a), out = bitmat_row_set(v->out, a);
  for (uint32_t u = bitset_next(in, 0); u < v->m; u = bitset_next(in, u + 1))
    for (uint32_t w = bitset_next(out, 0); w < v->m; w = bitset_next(out, w + 1)) {
      lit x = *edge(v, u, a), y = *edge(v, a, w);
      if (u == w)
        sat_clause3(v->e->sat, v->off, -x, -y);
      else
        imply_edge(v, u, w, x, y);
    }
  for (uint32_t u = 0; u < v->m; u++) {
    bitmat_del(v->out, u, a);
    bitmat_del(v->in, u, a);
  }
  bitset_del(v->left, a);
}

/* Fixed edges that a path of fixed edges makes superfluous are left out. */
static struct bitmat reduced(struct encoder *e, struct bitmat fixed) {
  struct bitmat longer = bitmat_new(e->arena, fixed.n), reduced = bitmat_copy(e->arena, fixed);
  bitmat_compose(longer, fixed, fixed);
  bitmat_minus(reduced, longer);
  return reduced;
}

static void fill_edges(struct elimination *v, cat_node node, struct bitmat fixed, struct bitmat wanted) {
  struct encoder *e = v->e;
  for (uint32_t a = 0; a < v->m; a++)
    for (uint32_t b = 0; b < v->m; b++) {
      uint32_t x = v->events[a], y = v->events[b];
      *edge(v, a, b) = LIT_FALSE;
      if (!bitmat_has(e->graph.bounds.data[node].may, x, y)) continue;
      if (bitmat_has(fixed, x, y) && !bitmat_has(wanted, x, y)) continue;
      lit pair = encode_pair(e, node, x, y, NEED_IF);
      lit holds = gates_and(&e->gates, (lit[]){pair, e->exec[x], e->exec[y]}, 3, NEED_IF);
      if (a == b)
        sat_clause2(e->sat, v->off, -holds);
      else if (holds != LIT_FALSE)
        set_edge(v, a, b, holds);
    }
}

static void forbid_cycles_among(struct encoder *e, cat_node node, const struct bitset component, struct bitmat fixed,
                                struct bitmat wanted, lit off) {
  uint32_t m = bitset_count(component), at = 0;
  struct elimination v = {.e = e, .off = off, .m = m};
  v.events = ARENA_ARRAY(e->arena, uint32_t, m);
  for (uint32_t a = bitset_next(component, 0); a < component.n; a = bitset_next(component, a + 1)) v.events[at++] = a;
  v.edges = ARENA_ARRAY(e->arena, lit, (size_t)m * m);
  v.own = ARENA_ARRAY(e->arena, bool, (size_t)m * m);
  v.out = bitmat_new(e->arena, m);
  v.in = bitmat_new(e->arena, m);
  v.left = bitset_new(e->arena, m);
  bitset_fill(v.left);
  fill_edges(&v, node, fixed, wanted);
  for (uint32_t i = 0; i < m; i++) eliminate(&v, cheapest(&v));
}

/* The pairs that hold in every execution between events that always happen. */
static struct bitmat fixed_pairs(struct encoder *e, cat_node node) {
  struct bitmat fixed = bitmat_copy(e->arena, e->graph.bounds.data[node].must);
  for (uint32_t a = 0; a < fixed.n; a++) {
    struct bitset row = bitmat_row_set(fixed, a);
    if (bitset_has(e->skeleton->always, a))
      bitset_and(row, e->skeleton->always);
    else
      bitset_minus(row, row);
  }
  return fixed;
}

static void forbid_cycles(struct encoder *e, cat_node node, lit off) {
  struct bitmat reach = bitmat_copy(e->arena, e->graph.bounds.data[node].may), fixed = fixed_pairs(e, node);
  struct bitmat back = bitmat_new(e->arena, reach.n), sure = bitmat_copy(e->arena, fixed);
  bitmat_closure(reach);
  bitmat_closure(sure);
  bitmat_inverse(back, reach);
  bitmat_and(back, reach); /* now: events on a common cycle */
  for (uint32_t a = 0; a < sure.n; a++)
    if (bitmat_has(sure, a, a)) {
      sat_clause1(e->sat, off);
      return;
    }
  struct bitmat wanted = reduced(e, fixed);
  struct bitset done = bitset_new(e->arena, reach.n);
  for (uint32_t a = 0; a < reach.n; a++) {
    if (bitset_has(done, a) || !bitmat_has(back, a, a)) continue;
    forbid_cycles_among(e, node, bitmat_row_set(back, a), fixed, wanted, off);
    bitset_or(done, bitmat_row_set(back, a));
  }
}

/* ---- A clause of the model ---- */

static void require_test(struct encoder *e, const struct cat_axiom *axiom, lit off) {
  switch (axiom->test) {
    case CAT_ACYCLIC: forbid_cycles(e, axiom->node, off); return;
    case CAT_IRREFLEXIVE: forbid_all(e, axiom->node, true, off); return;
    case CAT_IS_EMPTY:
      if (graph_expr(&e->graph, axiom->node)->is_set) forbid_members(e, axiom->node, off);
      else forbid_all(e, axiom->node, false, off);
      return;
  }
}

static void violate_test(struct encoder *e, const struct cat_axiom *axiom, lit off) {
  switch (axiom->test) {
    case CAT_ACYCLIC: demand_some(e, encode_closure(e, axiom->node), true, off); return;
    case CAT_IRREFLEXIVE: demand_some(e, axiom->node, true, off); return;
    case CAT_IS_EMPTY: demand_some(e, axiom->node, false, off); return;
  }
}

lit encoder_test(struct encoder *e, uint32_t index, bool holds) {
  const struct cat_axiom *axiom = &e->graph.model->axioms.data[index];
  lit on = sat_variable(e->sat);
  if (holds != axiom->negated)
    require_test(e, axiom, -on);
  else
    violate_test(e, axiom, -on);
  encode_pending(e);
  return on;
}
