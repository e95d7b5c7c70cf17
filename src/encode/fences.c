/* The order of fence.sc: a literal for each requested pair, whose negation is the other direction.
 *
 * A choice of directions is part of some total order if and only if it has no cycle, so only pairs in clauses need
 * literals. These pairs are known once the axioms are encoded. Vertex elimination then adds pairs until the graph of
 * pairs is chordal: in such a graph a cycle implies a cycle of three, and it is enough to exclude cycles of three.
 * (Bryant and Velev, "Boolean satisfiability with transitivity constraints", use chordal graphs in this way for
 * equality.) In this way a ring of n fences takes 2(n-2) clauses; a clause for each three fences would take
 * n(n-1)(n-2)/3. */
#include "encode/parts.h"

static lit *slot(const struct encoder *e, uint32_t i, uint32_t k) {
  return &e->fence_order[(size_t)i * e->fence_count + k];
}

void encode_fences(struct encoder *e) {
  e->fence_order = ARENA_ARRAY(e->arena, lit, (size_t)e->fence_count * e->fence_count);
  e->fence_pairs = bitmat_new(e->arena, e->fence_count);
  e->fence_before = bitmat_new(e->arena, e->fence_count);
}

/* The literal of the order of two fences, by fence_index. */
static lit order_of(struct encoder *e, uint32_t i, uint32_t k) {
  if (!*slot(e, i, k)) {
    lit forth = sat_variable(e->sat);
    *slot(e, i < k ? i : k, i < k ? k : i) = forth;
    *slot(e, i < k ? k : i, i < k ? i : k) = -forth;
  }
  return *slot(e, i, k);
}

lit encode_fence_order(struct encoder *e, uint32_t a, uint32_t b) {
  uint32_t i = e->fence_index[a], k = e->fence_index[b];
  return order_of(e, i, k);
}

static void add_pair(struct bitmat pairs, uint32_t i, uint32_t k) {
  bitmat_add(pairs, i, k);
  bitmat_add(pairs, k, i);
}

/* Finds the new pairs since the last call that occur in a clause (`all`: that have a literal). */
static bool find_new_pairs(const struct encoder *e, struct bitmat pairs, bool all) {
  bool found = false;
  for (uint32_t i = 0; i < e->fence_count; i++)
    for (uint32_t k = i + 1; k < e->fence_count; k++) {
      lit order = *slot(e, i, k);
      if (!order || bitmat_has(pairs, i, k) || (!all && !sat_occurs(e->sat, order))) continue;
      add_pair(pairs, i, k);
      found = true;
    }
  return found;
}

static void exclude_cycles(struct encoder *e, uint32_t i, uint32_t k, uint32_t l) {
  lit ik = order_of(e, i, k), kl = order_of(e, k, l), il = order_of(e, i, l);
  sat_clause3(e->sat, -ik, -kl, il);
  sat_clause3(e->sat, ik, kl, -il);
}

static uint32_t fewest_neighbours(struct bitset left, struct bitmat open) {
  uint32_t best = left.n, least = UINT32_MAX;
  EACH (i, left) {
    uint32_t neighbours = bitset_count(bitmat_row_set(open, i));
    if (neighbours < least) best = i, least = neighbours;
  }
  return best;
}

/* Joins the neighbours of `i`, and adds clauses for each triangle that this completes. */
static void eliminate(struct encoder *e, uint32_t i, struct bitmat pairs, struct bitmat open) {
  struct bitset near = bitmat_row_set(open, i);
  EACH (k, near) {
    EACH_FROM (l, near, k + 1) {
      bool done =
          bitmat_has(e->fence_pairs, i, k) && bitmat_has(e->fence_pairs, i, l) && bitmat_has(e->fence_pairs, k, l);
      add_pair(pairs, k, l);
      add_pair(open, k, l);
      if (!done) exclude_cycles(e, i, k, l);
    }
    bitmat_del(open, k, i);
  }
}

static void forbid_cycles(struct encoder *e, bool all) {
  struct bitmat pairs = bitmat_copy(e->arena, e->fence_pairs);
  if (!find_new_pairs(e, pairs, all)) return;
  struct bitmat open = bitmat_copy(e->arena, pairs);
  struct bitset left = bitset_new(e->arena, e->fence_count);
  bitset_fill(left);
  for (uint32_t step = 0; step < e->fence_count && !encoder_is_late(e); step++) {
    uint32_t i = fewest_neighbours(left, open);
    eliminate(e, i, pairs, open);
    bitset_del(left, i);
  }
  bitmat_set(e->fence_pairs, pairs);
}

void encode_fence_cycles(struct encoder *e) { forbid_cycles(e, false); }

void encoder_order_all_fences(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  for (uint32_t i = 0; i < e->fence_count; i++)
    for (uint32_t k = i + 1; k < e->fence_count; k++)
      if (bitmat_has(s->may[CAT_REL_SC_ORDER], e->fences[i], e->fences[k])) order_of(e, i, k);
  forbid_cycles(e, true);
}

/* ---- Reading a solution back ---- */

lit encoder_fence_choice(const struct encoder *e, uint32_t a, uint32_t b) {
  uint32_t i = e->fence_index[a], k = e->fence_index[b];
  return bitmat_has(e->fence_pairs, i, k) ? *slot(e, i, k) : 0;
}

/* The first fence in `left` that no fence in `left` must precede. */
static uint32_t first_left(struct bitmat before, struct bitset left) {
  uint32_t i = bitset_next(left, 0);
  while (i < left.n && bitset_meets(bitmat_row_set(before, i), left)) i = bitset_next(left, i + 1);
  return i;
}

void encode_read_fences(const struct encoder *e, struct bitmat sc) {
  struct bitmat before = e->fence_before;
  struct bitset left = bitset_new(e->arena, e->fence_count);
  bitset_fill(left);
  bitmat_clear(before);
  bitmat_clear(sc);
  for (uint32_t i = 0; i < left.n; i++) {
    struct bitset near = bitmat_row_set(e->fence_pairs, i);
    EACH (k, near)
      if (sat_value(e->sat, *slot(e, k, i))) bitmat_add(before, i, k);
  }
  while (!bitset_empty(left)) {
    uint32_t i = first_left(before, left);
    REQUIRE(i < left.n);
    bitset_del(left, i);
    struct bitset row = bitmat_row_set(e->skeleton->may[CAT_REL_SC_ORDER], e->fences[i]);
    EACH (k, left)
      if (bitset_has(row, e->fences[k])) bitmat_add(sc, e->fences[i], e->fences[k]);
  }
}
