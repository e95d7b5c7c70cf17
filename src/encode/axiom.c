/* Axioms as clauses, each under a literal that switches it on. */
#include "encode/parts.h"

/* ---- Empty and irreflexive ---- */

/* Forbids the pair unless `off`: a clause for each way in which it can hold, without a gate on top. */
static void forbid(struct encoder *e, cat_node node, uint32_t a, uint32_t b, lit off) {
  if (!bitmat_has(e->graph.bounds.data[node].may, a, b)) return;
  struct cat_expr x = *graph_expr(&e->graph, node);
  lit happen_a = -e->exec[a], happen_b = -e->exec[b];
  if (x.op == CAT_UNION) {
    forbid(e, x.a, a, b, off);
    forbid(e, x.b, a, b, off);
  } else if (x.op == CAT_INTER || x.op == CAT_DIFF) {
    lit left = encoder_pair(e, x.a, a, b, NEED_IF);
    lit right = x.op == CAT_INTER ? encoder_pair(e, x.b, a, b, NEED_IF) : -encoder_pair(e, x.b, a, b, NEED_ONLY_IF);
    sat_clause(e->sat, (lit[]){off, happen_a, happen_b, -left, -right}, 5);
  } else if (x.op == CAT_SEQ) {
    ENCODE_BETWEEN(c, e, x.a, a, x.b, b) {
      lit first = encoder_pair(e, x.a, a, c, NEED_IF), second = encoder_pair(e, x.b, c, b, NEED_IF);
      sat_clause(e->sat, (lit[]){off, happen_a, happen_b, -encode_happens(e, a, c, b), -first, -second}, 6);
    }
  } else {
    sat_clause(e->sat, (lit[]){off, happen_a, happen_b, -encoder_pair(e, node, a, b, NEED_IF)}, 4);
  }
}

static void forbid_all(struct encoder *e, cat_node node, bool diagonal, lit off) {
  for (uint32_t a = 0; a < e->skeleton->n; a++) {
    struct bitset row = bitmat_row_set(e->graph.bounds.data[node].may, a);
    if (diagonal) {
      if (bitset_has(row, a)) forbid(e, node, a, a, off);
      continue;
    }
    EACH (b, row) forbid(e, node, a, b, off);
  }
}

static void forbid_members(struct encoder *e, cat_node set, lit off) {
  struct bitset may = e->graph.bounds.data[set].may_set;
  EACH (a, may) sat_clause3(e->sat, off, -e->exec[a], -encode_member(e, set, a, NEED_IF));
}

/* Requires some pair (or member), unless `off`. */
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
      lit pair = encoder_pair(e, node, a, b, NEED_ONLY_IF);
      if (pair == LIT_FALSE) continue;
      VEC_PUSH(e->arena, &some, gates_and(&e->gates, (lit[]){pair, e->exec[a], e->exec[b]}, 3, NEED_ONLY_IF));
    }
  }
  VEC_PUSH(e->arena, &some, off);
  sat_clause(e->sat, some.data, some.len);
}

/* ---- Acyclic ---- */

/* Leaves out fixed edges that a path of fixed edges implies. */
static struct bitmat reduced(struct encoder *e, struct bitmat fixed) {
  struct bitmat longer = bitmat_new(e->scratch, fixed.n), reduced = bitmat_copy(e->scratch, fixed);
  bitmat_compose(longer, fixed, fixed);
  bitmat_minus(reduced, longer);
  return reduced;
}

static void forbid_cycles_among(struct encoder *e, cat_node node, const struct bitset component, struct bitmat fixed,
                                struct bitmat wanted, lit off) {
  uint32_t m = bitset_count(component), at = 0;
  uint32_t *events = ARENA_ARRAY(e->scratch, uint32_t, m);
  lit *edges = ARENA_ARRAY(e->scratch, lit, (size_t)m * m);
  EACH (a, component) events[at++] = a;
  for (uint32_t a = 0; a < m && !encoder_is_late(e); a++)
    for (uint32_t b = 0; b < m; b++) {
      uint32_t x = events[a], y = events[b];
      lit *edge = &edges[(size_t)a * m + b];
      *edge = LIT_FALSE;
      if (!bitmat_has(e->graph.bounds.data[node].may, x, y)) continue;
      if (bitmat_has(fixed, x, y) && !bitmat_has(wanted, x, y)) continue;
      lit pair = encoder_pair(e, node, x, y, NEED_IF);
      *edge = gates_and(&e->gates, (lit[]){pair, e->exec[x], e->exec[y]}, 3, NEED_IF);
    }
  if (!e->refusal) encode_no_cycle(e, edges, m, off);
}

/* The pairs that hold in every execution between events that always happen. */
static struct bitmat fixed_pairs(struct encoder *e, cat_node node) {
  struct bitmat fixed = bitmat_copy(e->scratch, e->graph.bounds.data[node].must);
  for (uint32_t a = 0; a < fixed.n; a++) {
    struct bitset row = bitmat_row_set(fixed, a);
    if (bitset_has(e->skeleton->always, a)) bitset_and(row, e->skeleton->always);
    else bitset_clear(row);
  }
  return fixed;
}

static void forbid_cycles(struct encoder *e, cat_node node, lit off) {
  struct bitmat reach = bitmat_copy(e->scratch, e->graph.bounds.data[node].may), fixed = fixed_pairs(e, node);
  struct bitmat back = bitmat_new(e->scratch, reach.n), sure = bitmat_copy(e->scratch, fixed);
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
  struct bitset done = bitset_new(e->scratch, reach.n);
  for (uint32_t a = 0; a < reach.n; a++) {
    if (bitset_has(done, a) || !bitmat_has(back, a, a)) continue;
    forbid_cycles_among(e, node, bitmat_row_set(back, a), fixed, wanted, off);
    bitset_or(done, bitmat_row_set(back, a));
  }
}

/* ---- A clause of the model ---- */

static void require_test(struct encoder *e, const struct cat_axiom *axiom, lit off) {
  switch (axiom->test) {
    case CAT_ACYCLIC:
      forbid_cycles(e, axiom->node, off);
      arena_release(e->scratch);
      return;
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

lit encode_test(struct encoder *e, uint32_t index, bool holds) {
  const struct cat_axiom *axiom = &e->graph.model->axioms.data[index];
  lit on = sat_variable(e->sat);
  if (holds != axiom->negated) require_test(e, axiom, -on);
  else violate_test(e, axiom, -on);
  return on;
}

lit encoder_test(struct encoder *e, uint32_t index, bool holds) {
  lit on = encode_test(e, index, holds);
  encoder_define_pairs(e);
  return on;
}
