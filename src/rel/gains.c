/* Which nodes can lose or gain a pair of events through some others. */
#include "rel/graph.h"

/* The effect of a third event on a pair (or on an event, in a set). */
enum { ADDS = 1, REMOVES = 2 };

struct gains {
  const struct graph *g;
  struct bitset third;
  unsigned char *known; /* by node: 0 not yet, else 1 + the mask */
};

static unsigned opposite(unsigned mask) { return (mask & ADDS ? REMOVES : 0u) | (mask & REMOVES ? ADDS : 0u); }

static struct bitmat may_of(const struct gains *s, cat_node node) { return s->g->bounds.data[node].may; }

/* Some third event ends a pair of the first relation and begins one of the second. An identity leads to none. */
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
  EACH (t, s->third)
    if (!bitset_empty(bitmat_row_set(may_of(s, node), t))) return true;
  return false;
}

static bool has_second(const struct gains *s, cat_node node) {
  for (uint32_t a = 0; a < s->g->skeleton->n; a++)
    if (bitset_meets(bitmat_row_set(may_of(s, node), a), s->third)) return true;
  return false;
}

static unsigned survey(struct gains *s, cat_node node) {
  const struct cat_expr *x = graph_expr(s->g, node);
  if (s->known[node]) return s->known[node] - 1u;
  unsigned a = x->a == CAT_NO_NODE ? 0 : survey(s, x->a), b = x->b == CAT_NO_NODE ? 0 : survey(s, x->b);
  unsigned mask = a | b;
  switch (x->op) {
    case CAT_BUILTIN:
    case CAT_EMPTY:
    case CAT_UNION:
    case CAT_INTER:
    case CAT_INVERSE:
    case CAT_PRODUCT:
    case CAT_IDENTITY: break;
    case CAT_DIFF: mask = a | opposite(b); break;
    case CAT_COMPL: mask = opposite(a); break;
    case CAT_SEQ: mask |= leads_through(s, x->a, x->b) ? ADDS : 0; break;
    case CAT_PLUS: mask |= leads_through(s, x->a, x->a) ? ADDS : 0; break;
    case CAT_DOMAIN: mask |= has_second(s, x->a) ? ADDS : 0; break;
    case CAT_RANGE: mask |= has_first(s, x->a) ? ADDS : 0; break;
    case CAT_REC: mask = ADDS | REMOVES; break; /* whatever its body does */
  }
  s->known[node] = (unsigned char)(1 + mask);
  return mask;
}

bool graph_gains(const struct graph *g, cat_node node, struct bitset third) {
  struct gains s = {g, third, ARENA_ARRAY(g->arena, unsigned char, g->nodes.len)};
  return (survey(&s, node) & ADDS) != 0;
}
