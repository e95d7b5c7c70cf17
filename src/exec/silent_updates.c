/* Atomics that write back the value that they read, in loops that poll with them (`atomicAdd(p, 0)`, a held lock that
 * is tried again by exchange): such an iteration can be left out.
 *
 * Let an execution have an atomic with the read r and the write w, r reading from a write v of the same value, in an
 * iteration that leaves the registers unchanged; and let all accesses to the location be pairwise morally strong.
 * Without the iteration, let the reads that returned w return v. They get the same value, and memory ends with it. This
 * is also an execution, by the axioms of chapter 8:
 * - Coherence is total there, and by Atomicity (8.10.3) no write is between v and w. So such a read comes before (fr)
 *   the same writes as before, except w, and Atomicity holds.
 * - Observation (8.9.2) led from v through r and w to those reads, so it gains no pair. Nor do patterns of release and
 *   acquire, base causality and causality, which had more events to pass through. An iteration that releases or
 *   acquires only adds order. So Coherence, Fence-SC and the part of Causality with fr hold. If
 *   such a read came before v in causality, so did w, from which observation leads to the read; but w follows v in
 *   coherence.
 * - SC-per-Location: v is before w in coherence, and w before those reads.
 * - No-Thin-Air: r and w were between v and those reads, if the value or the existence of w depends on r. For an
 *   exchange of a constant neither does: then no chain of dependencies and reads may lead from a read of the location
 *   through others back to a write of it; SC-per-Location excludes chains that stay at the location.
 * - Two accesses that raced still race, because there is less causality; w and r race with nothing.
 * So every outcome is that of an execution without such iterations, and each of these is an execution.
 *
 * A failed cas writes nothing (G22), and needs none of this. The walk assumes all this and notes the writes; once
 * places and relations are known, the assumptions are checked; if they do not hold, the walk is repeated without them.
 */
#include "exec/walk.h"

term_id walk_write_effect(struct walk *w, uint32_t write) {
  const struct event *e = skeleton_event(w->s, write);
  bool loud = !w->s->premises.silent || w->s->program->host || w->s->options.further; /* a lock prefix is a fence */
  if (!e->is_rmw || loud || e->partner == NO_PARTNER || e->is_multimem) return e->exec;
  const struct event *read = skeleton_event(w->s, e->partner);
  /* A cas is assumed to change the value, unless constants show that it does not. */
  bool open = term_get(w->terms, e->value)->op != TERM_CONST;
  bool cas = w->s->program->threads[e->thread].instrs[e->instr].alu == ALU_CAS;
  if (cas && (open || term_substitute(w->terms, e->exec, read->value, e->value) == TERM_FALSE)) return e->exec;
  term_id changes = term_not(w->terms, term_eq(w->terms, e->value, read->value));
  term_id effect = term_and(w->terms, e->exec, changes);
  if (effect != e->exec) VEC_PUSH(w->s->arena, &w->s->silent, write);
  return effect;
}

/* ---- Once relations are known ---- */

/* Memory accesses that may be to the location of an event, except its initial write. */
static struct bitset accesses_of(const struct skeleton *s, uint32_t event) {
  struct bitset near = bitset_copy(s->arena, bitmat_row_set(s->may[CAT_REL_LOC], event));
  bitset_add(near, event);
  for (uint32_t e = s->first_init; e < s->n; e++) bitset_del(near, e);
  return near;
}

static bool are_strong(const struct skeleton *s, uint32_t a, uint32_t b) {
  const struct event *x = skeleton_event(s, a), *y = skeleton_event(s, b);
  bool plain = x->proxy == PROXY_GENERIC && y->proxy == PROXY_GENERIC && !x->spawned && !y->spawned;
  bool whole = bitmat_has(s->must[CAT_REL_SAME_RANGE], a, b) && bitmat_has(s->must[CAT_REL_VLOC], a, b);
  bool scopes = event_is_strong(x) && event_is_strong(y) && bitmat_has(s->must[CAT_REL_INCL], a, b) &&
                bitmat_has(s->must[CAT_REL_INCL], b, a);
  return plain && whole && (x->thread == y->thread || scopes);
}

static bool depends(const struct skeleton *s, uint32_t read, uint32_t event) {
  return bitmat_has(s->may[CAT_REL_DATA], read, event) || bitmat_has(s->may[CAT_REL_CTRL], read, event) ||
         bitmat_has(s->may[CAT_REL_ADDR], read, event);
}

/* True if an event passes on a dependency on a read, but not through memory. Barriers pass on only values (P10). */
static bool passes_on(const struct skeleton *s, uint32_t read, uint32_t event) {
  const struct event *e = skeleton_event(s, event);
  if (e->kind == EVENT_ARRIVE) return bitmat_has(s->may[CAT_REL_DATA], read, event);
  return !event_is_basic(e) && e->kind != EVENT_WAIT && e->kind != EVENT_EXIT;
}

/* True if dependencies and reads may lead from a read in `accesses` through other events back to one of them. */
static bool comes_back(const struct skeleton *s, struct bitset accesses) {
  struct bitset reached = bitset_copy(s->arena, accesses);
  for (bool grows = true; grows;) {
    grows = false;
    EACH (r, reached)
      for (uint32_t e = 0; e < s->first_init; e++) {
        if (skeleton_event(s, r)->kind != EVENT_READ || !depends(s, r, e)) continue;
        bool here = bitset_has(accesses, e);
        if (here ? !bitset_has(accesses, r) : passes_on(s, r, e)) return true;
        if (here || skeleton_event(s, e)->kind != EVENT_WRITE) continue;
        grows |= !bitset_subset(bitmat_row_set(s->may[CAT_REL_RF], e), reached);
        bitset_or(reached, bitmat_row_set(s->may[CAT_REL_RF], e));
      }
  }
  return false;
}

static bool is_silent(const struct skeleton *s, uint32_t write) {
  const struct event *e = skeleton_event(s, write);
  struct bitset accesses = accesses_of(s, write);
  if (e->place_count != 1 || SOME(EACH (a, accesses) EACH (b, accesses), a != b && !are_strong(s, a, b)))
    return false;
  return depends(s, e->partner, write) || !comes_back(s, accesses);
}

bool skeleton_stays_silent(const struct skeleton *s) {
  return EVERY_BELOW(i, s->silent.len, is_silent(s, s->silent.data[i]));
}
