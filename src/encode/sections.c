/* Critical sections: the writes of a chain in pairs, the one that takes a lock and the one that gives it back.
 *
 * A thread acquires a lock by an atomic that writes only if it finds the lock free, and leaves it taken; the thread
 * releases the lock by a later write. So the writes of the lock form sections, one after another: the release of its
 * thread follows each write that acquires the lock. In a chain (counting.c) this holds by induction over positions. If
 * all earlier sections are whole, the next write is not a release, because a release follows the acquiring write of its
 * own section; so it acquires the lock. Then no other write can acquire it, and only this section lacks its release.
 *
 * A chain in every execution (encoder.all_axioms) then needs one literal for the order of two sections, instead of two
 * for each of four pairs of writes; and the two writes of a section are ordered. Transitivity takes an eighth of the
 * clauses. */
#include "encode/parts.h"

/* ---- Sections ---- */

/* True if the atomic may write after it has read this value. */
static bool may_write_after(struct encoder *e, uint32_t write, value_t found) {
  const struct terms *terms = &e->skeleton->terms;
  const struct event *ev = encode_event(e, write);
  value_t happens;
  return !encode_follow(terms, ev->exec, encode_event(e, ev->partner)->value, &found, &happens) || happens;
}

/* True if none of these atomics writes after it has read a value that one of them writes. */
static bool exclude_each_other(struct encoder *e, const uint32_t *takes, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const struct event *ev = encode_event(e, takes[i]);
    value_t left;
    if (!encode_follow(&e->skeleton->terms, ev->value, TERM_FALSE, NULL, &left)) return false;
    for (uint32_t k = 0; k < count; k++)
      if (may_write_after(e, takes[k], left)) return false;
  }
  return true;
}

/* True if `give` follows `take` in program order and in coherence, and happens if and only if `take` does. */
static bool is_section(struct encoder *e, const struct chain *chain, uint32_t take, uint32_t give) {
  const struct event *first = encode_event(e, take), *second = encode_event(e, give);
  return first->is_rmw && first->thread == second->thread && e->exec[take] == e->exec[give] &&
         encode_excludes_back(e, take, give, chain->needs);
}

/* True if the writes, in the order of events (of threads, and of the program within one), are pairs of a section. */
static bool pair_writes(struct encoder *e, const struct chain *chain) {
  const uint32_t *writes = chain->ends[0];
  uint32_t *takes = ARENA_ARRAY(e->arena, uint32_t, chain->count);
  if (chain->count % 2) return false;
  for (uint32_t i = 0; i < chain->count; i += 2) {
    if (!is_section(e, chain, writes[i], writes[i + 1])) return false;
    takes[i / 2] = writes[i];
  }
  return exclude_each_other(e, takes, chain->count / 2);
}

/* ---- Their order ---- */

/* Makes two literals, or one and its negation if both writes always happen: one write is before the other. */
static void choose_order(struct encoder *e, uint32_t a, uint32_t b) {
  lit *forth = encode_order(e, a, b), *back = encode_order(e, b, a);
  *forth = sat_variable(e->sat);
  if (e->exec[a] == LIT_TRUE && e->exec[b] == LIT_TRUE) {
    *back = -*forth;
    return;
  }
  *back = sat_variable(e->sat);
  sat_clause2(e->sat, -*forth, -*back);
  sat_clause(e->sat, (lit[]){*forth, *back, -e->exec[a], -e->exec[b]}, 4);
  const lit both[] = {*forth, *back};
  for (unsigned i = 0; i < 2; i++) {
    sat_clause2(e->sat, -both[i], e->exec[a]);
    sat_clause2(e->sat, -both[i], e->exec[b]);
  }
}

static uint32_t head_of(const struct chain *chain, uint32_t i) { return chain->paired ? i - i % 2 : i; }

/* True if write k always follows write i, of the same thread, in coherence. */
static bool is_fixed(struct encoder *e, const struct chain *chain, uint32_t i, uint32_t k) {
  const uint32_t *writes = chain->ends[0];
  if (chain->paired || e->exec[writes[i]] != LIT_TRUE || e->exec[writes[k]] != LIT_TRUE) return false;
  bool together = encode_event(e, writes[i])->thread == encode_event(e, writes[k])->thread;
  return together && encode_excludes_back(e, writes[i], writes[k], chain->needs);
}

static void choose_orders(struct encoder *e, const struct chain *chain, uint32_t step) {
  const uint32_t *writes = chain->ends[0];
  for (uint32_t i = 0; i < chain->count; i += step)
    for (uint32_t k = i + step; k < chain->count; k += step) {
      if (is_fixed(e, chain, i, k)) *encode_order(e, writes[i], writes[k]) = LIT_TRUE;
      else choose_order(e, writes[i], writes[k]);
    }
}

/* If two writes have a fixed order, another write is after the second only if after the first, and before the first
 * only if before the second. The clauses of neighbours are enough: false if a write is between the two. */
static bool are_neighbours(struct encoder *e, const uint32_t *writes, uint32_t i, uint32_t k) {
  return !SOME(for (uint32_t between = i + 1; between < k; between++),
               *encode_order(e, writes[i], writes[between]) == LIT_TRUE &&
                   *encode_order(e, writes[between], writes[k]) == LIT_TRUE);
}

/* True if one literal and its negation give the order of each two: then the clauses of the three rotations are one. */
static bool all_opposite(struct encoder *e, const uint32_t *writes, const uint32_t at[3]) {
  for (unsigned i = 0; i < 3; i++) {
    uint32_t a = writes[at[i]], b = writes[at[(i + 1) % 3]];
    if (*encode_order(e, a, b) != -*encode_order(e, b, a)) return false;
  }
  return true;
}

static void order_three(struct encoder *e, const uint32_t *writes, const bool *apart, uint32_t count,
                        const uint32_t at[3]) {
  lit first = *encode_order(e, writes[at[0]], writes[at[1]]), then = *encode_order(e, writes[at[1]], writes[at[2]]);
  lit whole = *encode_order(e, writes[at[0]], writes[at[2]]);
  bool far = apart[at[0] * count + at[1]] || apart[at[1] * count + at[2]];
  bool fixed = whole == LIT_TRUE || whole == LIT_FALSE; /* follows from the order of the other two */
  bool open = first != LIT_TRUE && then != LIT_TRUE, rotated = at[0] > at[1] || at[0] > at[2];
  if (first == LIT_FALSE || then == LIT_FALSE || far || fixed) return;
  if (open && rotated && all_opposite(e, writes, at)) return;
  sat_clause3(e->sat, -first, -then, whole);
}

static void order_transitive(struct encoder *e, const struct chain *chain, uint32_t step) {
  const uint32_t *writes = chain->ends[0];
  uint32_t n = chain->count;
  bool *apart = ARENA_ARRAY(e->arena, bool, (size_t)n * n);
  for (uint32_t i = 0; i < n && !chain->paired; i++)
    for (uint32_t k = i + 1; k < n; k++)
      apart[i * n + k] = *encode_order(e, writes[i], writes[k]) == LIT_TRUE && !are_neighbours(e, writes, i, k);
  for (uint32_t a = 0; a < n && !encoder_is_late(e); a += step)
    for (uint32_t b = 0; b < n; b += step)
      for (uint32_t c = 0; c < n; c += step)
        if (a != b && b != c && a != c) order_three(e, writes, apart, n, (uint32_t[]){a, b, c});
}

void encode_section_order(struct encoder *e, struct chain *chain) {
  chain->paired = encode_does(e, TECHNIQUE_SECTIONS) && pair_writes(e, chain);
  const uint32_t *writes = chain->ends[0];
  uint32_t step = chain->paired ? 2 : 1;
  choose_orders(e, chain, step);
  for (uint32_t i = 0; i < chain->count && chain->paired; i++)
    for (uint32_t k = 0; k < chain->count; k++) {
      uint32_t a = head_of(chain, i), b = head_of(chain, k);
      if (a != b) *encode_order(e, writes[i], writes[k]) = *encode_order(e, writes[a], writes[b]);
      else if (i < k) *encode_order(e, writes[i], writes[k]) = e->exec[writes[i]];
    }
  order_transitive(e, chain, step);
}
