/* Finds the nodes that can gain a pair of events through a third event. */
#include "rel/graph.h"

struct gains {
  const struct graph *g;
  struct bitset third;
};

static struct bitmat may_of(const struct gains *s, cat_node node) { return s->g->bounds.data[node].may; }

/* True if a third event may end a pair of the first relation and begin one of the second. An identity joins no
 * pairs. */
static bool leads_through(const struct gains *s, cat_node first, cat_node second) {
  bool identity = graph_expr(s->g, first)->op == CAT_IDENTITY || graph_expr(s->g, second)->op == CAT_IDENTITY;
  for (uint32_t a = 0; a < s->g->skeleton->n && !identity; a++) {
    struct bitset row = bitmat_row_set(may_of(s, first), a);
    EACH (t, s->third)
      if (bitset_has(row, t) && !bitset_empty(bitmat_row_set(may_of(s, second), t))) return true;
  }
  return false;
}

static bool has_first(const struct gains *s, cat_node node) {
  return SOME(EACH (t, s->third), !bitset_empty(bitmat_row_set(may_of(s, node), t)));
}

static bool has_second(const struct gains *s, cat_node node) {
  return SOME_BELOW(a, s->g->skeleton->n, bitset_meets(bitmat_row_set(may_of(s, node), a), s->third));
}

static bool adds(const void *state, const struct cat_expr *x) {
  const struct gains *s = state;
  if (x->op == CAT_SEQ) return leads_through(s, x->a, x->b);
  if (x->op == CAT_PLUS) return leads_through(s, x->a, x->a);
  return x->op == CAT_DOMAIN ? has_second(s, x->a) : x->op == CAT_RANGE && has_first(s, x->a);
}

bool graph_gains(const struct graph *g, cat_node node, struct bitset third) {
  const struct gains s = {g, third};
  struct third_events survey = {g->nodes.data, ARENA_ARRAY(g->arena, unsigned char, g->nodes.len), adds, &s};
  return (model_survey(&survey, node) & THIRD_ADDS) != 0;
}
