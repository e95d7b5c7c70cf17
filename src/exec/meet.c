/* Barriers in one execution: checks that the phases chosen for the arrivals are consistent (docs/semantics.md
 * B1-B6). */
#include "exec/execution.h"

static value_t id_of(const struct execution *x, uint32_t arrival) {
  return x->terms[execution_event(x, arrival)->meeting.id];
}
static value_t count_of(const struct execution *x, uint32_t arrival) {
  return x->terms[execution_event(x, arrival)->meeting.count];
}

static const struct barrier_group *group_of(const struct execution *x, uint32_t event) {
  return &x->skeleton->groups.data[execution_event(x, event)->meeting.group];
}

/* True if two arrivals take part in one phase of one barrier. */
static bool share_phase(const struct execution *x, uint32_t a, uint32_t b) {
  return execution_event(x, a)->meeting.group == execution_event(x, b)->meeting.group && x->phase[a] != NO_PHASE &&
         x->phase[a] == x->phase[b] && id_of(x, a) == id_of(x, b);
}

/* Enumerates the arrivals in the phase of an arrival, itself included. */
#define EACH_SHARING(other, x, arrival)                                                                                \
  VEC_VALUES (other, &group_of((x), (arrival))->arrivals)                                                              \
    if (share_phase((x), (arrival), other))

/* True if a thread arrives in the phase of `arrival`; with `later`, in a later phase of the same barrier. */
static bool comes(const struct execution *x, uint32_t thread, uint32_t arrival, bool later) {
  VEC_VALUES (other, &group_of(x, arrival)->arrivals) {
    if (execution_event(x, other)->thread != thread || x->phase[other] == NO_PHASE) continue;
    if (later ? x->phase[other] > x->phase[arrival] && id_of(x, other) == id_of(x, arrival)
              : share_phase(x, arrival, other))
      return true;
  }
  return false;
}

/* True if a thread arrives in the phase of `arrival`, or ends without a later arrival. */
static bool came(const struct execution *x, uint32_t thread, uint32_t arrival) {
  bool counts = shape_reads(&x->skeleton->options.shape, READING_WAITS_FOR_ENDED);
  bool ended = !counts && x->terms[x->skeleton->ended[thread]] && !comes(x, thread, arrival, true);
  return ended || comes(x, thread, arrival, false);
}

static bool all_came(const struct execution *x, uint32_t arrival) {
  const struct barrier_group *group = group_of(x, arrival);
  return EVERY_BELOW(i, group->members, came(x, group->threads[i], arrival));
}

/* True if all lanes that arrive as one with this arrival have come, so that their warp has arrived (B2). */
static bool warp_came(const struct execution *x, uint32_t arrival) {
  const struct barrier_group *group = group_of(x, arrival);
  uint32_t thread = execution_event(x, arrival)->thread;
  return !SOME(for (uint32_t i = 0; i < group->members && group->units < group->members; i++),
               skeleton_arrive_as_one(x->skeleton, group, thread, group->threads[i]) &&
                   !came(x, group->threads[i], arrival));
}

static bool warps_came(const struct execution *x, uint32_t arrival) {
  return EVERY(EACH_SHARING (other, x, arrival), warp_came(x, other));
}

static bool is_live(const struct execution *x, uint32_t arrival) {
  return x->terms[execution_event(x, arrival)->meeting.live] != 0;
}

/* True if the arrivals are of different threads that arrive as one. */
static bool are_one(const struct execution *x, uint32_t a, uint32_t b) {
  uint32_t s = execution_event(x, a)->thread, t = execution_event(x, b)->thread;
  return s != t && skeleton_arrive_as_one(x->skeleton, group_of(x, a), s, t);
}

/* True if this arrival is the one that counts for its warp in its phase. */
static bool leads(const struct execution *x, const struct barrier_group *group, uint32_t arrival) {
  return !SOME(for (uint32_t i = 0; i < group->arrivals.len && group->arrivals.data[i] < arrival; i++),
               are_one(x, group->arrivals.data[i], arrival) && share_phase(x, group->arrivals.data[i], arrival));
}

static uint32_t phase_size(const struct execution *x, uint32_t arrival) {
  const struct barrier_group *group = group_of(x, arrival);
  return COUNT(EACH_SHARING (other, x, arrival), leads(x, group, other));
}

/* True if, for a live arrival, the phase is complete with fewer arrivals than the group has units, because threads
 * ended. */
static bool is_relieved(const struct execution *x, uint32_t arrival) {
  const struct barrier_group *group = group_of(x, arrival);
  return all_came(x, arrival) && phase_size(x, arrival) < group->units;
}

static bool reduces(const struct execution *x, uint32_t arrival) {
  return execution_event(x, arrival)->meeting.barrier->action == BARRIER_RED;
}

static bool waits(const struct execution *x, uint32_t arrival) {
  return execution_event(x, arrival)->meeting.barrier->action != BARRIER_ARRIVE;
}

/* The arrival is of `bar` or an instruction with .aligned. */
static bool is_aligned(const struct execution *x, uint32_t arrival) {
  return execution_event(x, arrival)->meeting.barrier->aligned;
}

/* The reason why two arrivals must not be in one phase (B5), or NO_REASON. An arrival that completes its phase alone
 * does not wait, so no other arrival can meet it; and a warp has not arrived while one of its lanes is missing. */
static enum reason_id conflict(const struct execution *x, uint32_t a, uint32_t b) {
  uint32_t first = a < b ? a : b;
  if (!warp_came(x, a) || !warp_came(x, b)) return NO_REASON;
  if (execution_event(x, a)->thread == execution_event(x, b)->thread)
    return count_of(x, first) == 1 ? NO_REASON : REASON_ARRIVES_TWICE;
  if (count_of(x, a) == 1 && count_of(x, b) == 1 && !are_one(x, a, b)) return NO_REASON;
  bool same_form = shape_reads(&x->skeleton->options.shape, READING_SAME_FORM);
  bool apart = same_form && are_one(x, a, b) && waits(x, a) != waits(x, b);
  bool lanes = group_of(x, a)->kind == BARRIER_LANES; /* of ldmatrix: arrive and wait around the accesses (rows.c) */
  if (!lanes && are_one(x, a, b) && is_aligned(x, a) != is_aligned(x, b)) return REASON_DIVERGENT_BARRIER;
  if (apart || (!lanes && reduces(x, a) != reduces(x, b))) return REASON_MIXED_BARRIER;
  bool other_kind = is_live(x, a) != is_live(x, b) && (same_form || is_relieved(x, a));
  bool other_count = count_of(x, a) != count_of(x, b) || other_kind;
  return other_count ? REASON_BARRIER_COUNTS : NO_REASON;
}

/* True if an arrival of the phase conflicts with this one; notes the misuse. */
static bool find_misuse(struct execution *x, uint32_t arrival) {
  bool misused = false;
  EACH_SHARING (other, x, arrival) {
    enum reason_id why = other == arrival ? NO_REASON : conflict(x, arrival, other);
    if (!why) continue;
    misused = true;
    x->misuse = reason_get(why);
    x->misuse_events[0] = arrival < other ? arrival : other;
    x->misuse_events[1] = arrival < other ? other : arrival;
  }
  return misused;
}

/* True if a misused phase may have more arrivals than the count of this arrival: that is so if no other arrival has the
 * same count, because then the misuse happens before the surplus arrival comes. Among equal counts a phase is full
 * before it is too large, the next arrival begins the next phase, and the misuse is among earlier arrivals. */
static bool may_be_larger(const struct execution *x, uint32_t arrival) {
  return !SOME(EACH_SHARING (other, x, arrival),
               other != arrival && !are_one(x, other, arrival) && count_of(x, other) == count_of(x, arrival));
}

/* True if an arrival at the barrier of `like` is in one of these phases; `lacks`: if it may lack there. */
static bool phase_exists(const struct execution *x, const struct barrier_group *group, uint32_t like, uint32_t low,
                         uint32_t high, bool lacks) {
  VEC_VALUES (other, &group->arrivals) {
    const struct event *e = execution_event(x, other);
    uint32_t phase = lacks && e->may_lack ? e->phase_low : x->phase[other];
    if (low <= phase && phase <= high && id_of(x, other) == id_of(x, like)) return true;
  }
  return false;
}

/* Checks the phase of one arrival against its group: its size, no skipped phase, and waits pass if and only if the
 * phase is complete. A misused phase lets no wait pass: the events after it would have no meaning. */
static bool arrival_fits(struct execution *x, const struct barrier_group *group, uint32_t arrival) {
  uint32_t phase = x->phase[arrival], wait = execution_event(x, arrival)->partner, count = phase_size(x, arrival);
  bool misused = find_misuse(x, arrival);
  bool complete = is_live(x, arrival) ? all_came(x, arrival) : count == count_of(x, arrival) && warps_came(x, arrival);
  if (count > count_of(x, arrival) && !(misused && may_be_larger(x, arrival))) return false;
  for (uint32_t last = phase; last-- > 0 && !phase_exists(x, group, arrival, last, last, false);)
    if (!phase_exists(x, group, arrival, last, last, true)) return false;
  if (!complete && !misused && phase_exists(x, group, arrival, phase + 1, NO_PHASE - 1, false)) return false;
  if (wait == NO_PARTNER) return true;
  bool passes = complete && !misused;
  return x->skeleton->options.precise ? x->pass[wait] == passes : !bitset_has(x->exec, wait) || passes;
}

/* True if no arrival of a thread on one barrier is in an earlier phase than its previous arrival. Two in one phase are
 * a misuse, which find_misuse notes; but no arrival can share the phase of an earlier one of its thread whose count is
 * 1. */
static bool in_order(const struct execution *x, const struct barrier_group *group) {
  for (uint32_t i = 0; i < group->arrivals.len; i++)
    for (uint32_t k = i + 1; k < group->arrivals.len; k++) {
      uint32_t a = group->arrivals.data[i], b = group->arrivals.data[k];
      bool both = x->phase[a] != NO_PHASE && x->phase[b] != NO_PHASE &&
                  execution_event(x, a)->thread == execution_event(x, b)->thread;
      if (!both || id_of(x, a) != id_of(x, b)) continue;
      if (x->phase[b] < x->phase[a] || (x->phase[b] == x->phase[a] && count_of(x, a) == 1)) return false;
    }
  return true;
}

static bool is_known(const struct execution *x, uint32_t arrival) {
  return x->known[execution_event(x, arrival)->meeting.id] && x->known[execution_event(x, arrival)->meeting.live];
}

/* True if another lane of the thread's warp arrives in the phase of `arrival`. */
static bool lane_comes(const struct execution *x, uint32_t thread, uint32_t arrival) {
  if (shape_reads(&x->skeleton->options.shape, READING_WAITS_FOR_ENDED)) return false;
  EACH_SHARING (other, x, arrival) {
    uint32_t t = execution_event(x, other)->thread;
    if (t != thread && skeleton_arrive_as_one(x->skeleton, group_of(x, arrival), t, thread)) return true;
  }
  return false;
}

/* True if a wait passes because a thread has ended, not because it has arrived. */
static bool ends_before(const struct execution *x, uint32_t thread, uint32_t wait) {
  uint32_t own = execution_event(x, wait)->partner;
  const struct barrier_group *group = group_of(x, wait);
  if (x->phase[own] == NO_PHASE || !skeleton_may_end_before(x->skeleton, thread, wait)) return false;
  return EVERY_BELOW(i, group->arrivals.len, is_known(x, group->arrivals.data[i])) &&
         (is_live(x, own) || lane_comes(x, thread, own)) && !comes(x, thread, own, false);
}

/* True if arrivals a and b are in one phase, which b alone completes, so that b must have met a, which has another
 * count, there: a misuse. */
static bool finds(const struct execution *x, uint32_t a, uint32_t b) {
  if (!x->known[execution_event(x, a)->meeting.count] || !x->known[execution_event(x, b)->meeting.count]) return false;
  return x->phase[a] == x->phase[b] && count_of(x, a) != 1 && count_of(x, b) == 1;
}

/* True if the phases order a before b: an arrival precedes the arrivals of later phases and the waits of its own phase;
 * the events of a thread that ends precede the waits that its end lets pass. */
static bool is_earlier(const struct execution *x, uint32_t a, uint32_t b) {
  const struct event *e = execution_event(x, a), *f = execution_event(x, b);
  bool waits = f->kind == EVENT_WAIT;
  uint32_t other = waits ? f->partner : b;
  if (waits && ends_before(x, e->thread, b)) return true;
  if (e->kind != EVENT_ARRIVE || e->meeting.group != f->meeting.group || x->phase[a] == NO_PHASE ||
      x->phase[other] == NO_PHASE)
    return false;
  if (!is_known(x, a) || !is_known(x, other) || id_of(x, a) != id_of(x, other)) return false;
  return waits ? x->phase[a] == x->phase[other] : x->phase[a] < x->phase[other] || finds(x, a, b);
}

/* True if some order in time agrees with phases and program order, whatever the model (B9). */
static bool in_time(const struct execution *x) {
  const struct skeleton *s = x->skeleton;
  const struct arena_mark mark = arena_mark(s->arena);
  struct bitset meeting = bitset_copy(s->arena, s->sets[CAT_SET_ARRIVE]);
  bitset_or(meeting, s->sets[CAT_SET_WAIT]);
  bitset_and(meeting, x->exec);
  struct bitmat before = bitmat_new(s->arena, s->n);
  EACH (a, meeting)
    EACH (b, meeting)
      if (bitmat_has(s->must[CAT_REL_PO], a, b) || is_earlier(x, a, b)) bitmat_add(before, a, b);
  bool cyclic = bitmat_cyclic(s->arena, before);
  arena_rewind(s->arena, mark);
  return !cyclic;
}

bool execution_meets(struct execution *x) {
  const struct skeleton *s = x->skeleton;
  x->misuse = NULL;
  VEC_EACH (group, &s->groups) {
    for (uint32_t i = 0; i < group->arrivals.len; i++) {
      uint32_t arrival = group->arrivals.data[i], wait = execution_event(x, arrival)->partner;
      bool happens = bitset_has(x->exec, arrival);
      if (happens != (x->phase[arrival] != NO_PHASE)) return false;
      if (!happens && wait != NO_PARTNER && x->pass[wait]) return false;
      if (happens && !arrival_fits(x, group, arrival)) return false;
    }
    if (!in_order(x, group)) return false;
  }
  return !s->groups.len || in_time(x);
}

bool execution_reduce(const struct execution *x, uint32_t wait, value_t *out) {
  const struct barrier_group *group = group_of(x, wait);
  enum barrier_reduction how = execution_event(x, wait)->meeting.barrier->reduction;
  uint32_t arrival = execution_event(x, wait)->partner, ones = 0, all = 0;
  *out = 0;
  if (x->phase[arrival] == NO_PHASE) return true;
  VEC_VALUES (other, &group->arrivals) {
    const struct event *e = execution_event(x, other);
    if (x->phase[other] == NO_PHASE || x->phase[other] != x->phase[arrival]) continue;
    if (!x->known[e->meeting.id] || !x->known[execution_event(x, arrival)->meeting.id]) return false;
    if (id_of(x, other) != id_of(x, arrival)) continue;
    if (!x->known[e->value]) return false;
    all++;
    ones += x->terms[e->value] != 0;
  }
  *out = how == REDUCE_POPC ? ones : how == REDUCE_AND ? ones == all : ones > 0;
  return true;
}

bool execution_lane(const struct execution *x, uint32_t wait, uint32_t thread, value_t *out) {
  const struct barrier_group *group = group_of(x, wait);
  uint32_t arrival = execution_event(x, wait)->partner;
  *out = 0;
  for (uint32_t i = 0; i < group->arrivals.len && x->phase[arrival] != NO_PHASE; i++) {
    uint32_t other = group->arrivals.data[i];
    const struct event *e = execution_event(x, other);
    if (e->thread != thread || x->phase[other] != x->phase[arrival]) continue;
    if (!x->known[e->value]) return false;
    *out = x->terms[e->value];
  }
  return true;
}

void execution_relate_barriers(struct execution *x) {
  const struct skeleton *s = x->skeleton;
  if (!s->open_phases) return;
  bitmat_clear(x->bar);
  bitmat_clear(x->bar_relaxed);
  bitmat_clear(x->exchange);
  bitmat_clear(x->phase_order);
  bitmat_set(x->data, s->must[CAT_REL_DATA]);
  for (uint32_t a = 0; a < s->first_init; a++)
    EACH (b, bitmat_row_set(s->may[CAT_REL_PHASE_ORDER], a)) {
      if (!is_earlier(x, a, b)) continue;
      bitmat_add(x->phase_order, a, b);
      const struct event *arrive = execution_event(x, a), *wait = execution_event(x, b);
      if (arrive->kind != EVENT_ARRIVE || wait->kind != EVENT_WAIT || !share_phase(x, a, wait->partner)) continue;
      if (skeleton_flows(s, a, b)) bitmat_add(x->data, a, b);
      enum cat_builtin relation = skeleton_bar_relation(arrive);
      bitmat_add(relation == CAT_REL_EXCHANGE      ? x->exchange
                 : relation == CAT_REL_BAR_RELAXED ? x->bar_relaxed
                                                   : x->bar,
                 a, b);
    }
}
