/* Clauses that exclude cycles among edges that are literals.
 *
 * Vertex elimination: nodes are removed one after another, cheapest first; removing v adds an edge u -> w for every u
 * -> v -> w that holds, and a cycle shows as u -> v -> u. No ranks and no closure: the cost follows the number of
 * edges. */
#include "encode/parts.h"

struct elimination {
  struct encoder *e;
  lit off;
  uint32_t m; /* nodes */
  lit *edges; /* m * m; LIT_FALSE: none */
  bool *own;  /* m * m: the literal is a variable made here, and may be implied by several paths */
  struct bitmat out, in;
  struct bitset left;
};

static lit *edge(struct elimination *v, uint32_t a, uint32_t b) { return &v->edges[(size_t)a * v->m + b]; }

static void set_edge(struct elimination *v, uint32_t a, uint32_t b, lit value) {
  *edge(v, a, b) = value;
  bitmat_add(v->out, a, b);
  bitmat_add(v->in, b, a);
}

/* Makes the edge a -> b hold if both literals do. */
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
  EACH (a, v->left) {
    uint32_t cost = bitset_count(bitmat_row_set(v->out, a)) * bitset_count(bitmat_row_set(v->in, a));
    if (cost < best_cost) best = a, best_cost = cost;
  }
  return best;
}

static void eliminate(struct elimination *v, uint32_t a) {
  struct bitset in = bitmat_row_set(v->in, a), out = bitmat_row_set(v->out, a);
  EACH (u, in)
    EACH (w, out) {
      lit x = *edge(v, u, a), y = *edge(v, a, w);
      if (u == w) sat_clause3(v->e->sat, v->off, -x, -y);
      else imply_edge(v, u, w, x, y);
    }
  for (uint32_t u = 0; u < v->m; u++) {
    bitmat_del(v->out, u, a);
    bitmat_del(v->in, u, a);
  }
  bitset_del(v->left, a);
}

void encode_no_cycle(struct encoder *e, lit *edges, uint32_t m, lit off) {
  struct elimination v = {.e = e, .off = off, .m = m, .edges = edges};
  v.own = ARENA_ARRAY(e->scratch, bool, (size_t)m *m);
  v.out = bitmat_new(e->scratch, m);
  v.in = bitmat_new(e->scratch, m);
  v.left = bitset_new(e->scratch, m);
  bitset_fill(v.left);
  for (uint32_t a = 0; a < m; a++)
    for (uint32_t b = 0; b < m; b++) {
      lit holds = *edge(&v, a, b);
      if (a == b) {
        sat_clause2(e->sat, off, -holds);
        *edge(&v, a, b) = LIT_FALSE;
      } else if (holds != LIT_FALSE) {
        set_edge(&v, a, b, holds);
      }
    }
  for (uint32_t i = 0; i < m && !encoder_is_late(e); i++) eliminate(&v, cheapest(&v));
}
