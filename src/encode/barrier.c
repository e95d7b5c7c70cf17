/* Barriers: each arrival that happens is in one phase of one barrier; phases fill one after another up to their count;
 * a wait passes when its phase is complete; and all phases can follow one another in time (docs/semantics.md B1-B6).
 *
 * A group whose phases are fixed needs few clauses, and none if its arrivals always happen. */
#include "encode/parts.h"

static lit words_equal(struct encoder *e, term_id a, term_id b) {
  return a == b ? LIT_TRUE : word_equal(&e->gates, e->words[a], e->words[b]);
}

static lit same_id(struct encoder *e, uint32_t a, uint32_t b) {
  return words_equal(e, encode_event(e, a)->meeting.id, encode_event(e, b)->meeting.id);
}

/* A literal: both arrivals are in one phase of one barrier, given that both happen. */
lit encode_share(struct encoder *e, uint32_t a, uint32_t b, unsigned need) {
  if (skeleton_must_share(e->skeleton, a, b)) return LIT_TRUE;
  if (!skeleton_may_share(e->skeleton, a, b)) return LIT_FALSE;
  uint32_t phases = e->skeleton->groups.data[encode_event(e, a)->meeting.group].phases;
  lit *ways = ARENA_ARRAY(e->arena, lit, phases);
  for (uint32_t k = 0; k < phases; k++) ways[k] = gates_and2(&e->gates, e->phase[a][k], e->phase[b][k], need);
  return gates_and2(&e->gates, gates_or(&e->gates, ways, phases, need), same_id(e, a, b), need);
}

/* Chooses one phase for each arrival that happens. */
static void choose_phase(struct encoder *e, const struct barrier_group *group, uint32_t arrival) {
  const struct event *a = encode_event(e, arrival);
  lit *phase = e->phase[arrival] = ARENA_ARRAY(e->arena, lit, group->phases);
  lit *some = ARENA_ARRAY(e->arena, lit, group->phases + 1);
  uint32_t count = 0;
  for (uint32_t k = 0; k < group->phases; k++) {
    bool possible = a->phase_low <= k && k <= a->phase_high;
    bool only = a->phase_low == a->phase_high;
    phase[k] = !possible ? LIT_FALSE : only ? e->exec[arrival] : sat_variable(e->sat);
    if (!possible) continue;
    sat_clause2(e->sat, -phase[k], e->exec[arrival]);
    for (uint32_t i = 0; i < count; i++) sat_clause2(e->sat, -phase[k], -some[i]);
    some[count++] = phase[k];
  }
  some[count++] = -e->exec[arrival];
  sat_clause(e->sat, some, count);
}

/* A literal: this arrival alone completes its phase: then it does not wait, and no other arrival can meet it. */
static lit is_enough(struct encoder *e, uint32_t arrival) {
  struct word count = e->words[encode_event(e, arrival)->meeting.count];
  return word_equal(&e->gates, count, word_const(e->arena, 1, count.width));
}

static lit is_live(struct encoder *e, uint32_t arrival) {
  return e->words[encode_event(e, arrival)->meeting.live].bits[0];
}

/* True if the arrivals are of different threads that arrive as one. */
static bool are_one(const struct encoder *e, uint32_t a, uint32_t b) {
  const struct event *x = encode_event(e, a), *y = encode_event(e, b);
  return x->thread != y->thread &&
         skeleton_arrive_as_one(e->skeleton, &e->skeleton->groups.data[x->meeting.group], x->thread, y->thread);
}

/* Why two arrivals must not share a phase, or NO_REASON; *how is the extra condition. `relieved`: the phase is complete
 * with fewer than all threads of the group. */
static enum reason_id conflict(struct encoder *e, uint32_t a, uint32_t b, lit relieved, lit *how) {
  const struct event *x = encode_event(e, a), *y = encode_event(e, b);
  bool lanes =
      x->meeting.barrier->kind == BARRIER_LANES; /* of ldmatrix: arrive and wait around the accesses (ptx/rows.c) */
  bool mixed = !lanes && (x->meeting.barrier->action == BARRIER_RED) != (y->meeting.barrier->action == BARRIER_RED);
  bool waits = x->meeting.barrier->action != BARRIER_ARRIVE, other_waits = y->meeting.barrier->action != BARRIER_ARRIVE;
  bool same_form = shape_reads(&e->skeleton->options.shape, READING_SAME_FORM);
  enum reason_id why = REASON_BARRIER_COUNTS;
  if (x->thread == y->thread) {
    *how = -is_enough(e, a < b ? a : b);
    why = REASON_ARRIVES_TWICE;
  } else if (!lanes && x->meeting.barrier->aligned != y->meeting.barrier->aligned && are_one(e, a, b)) {
    *how = LIT_TRUE;
    why = REASON_DIVERGENT_BARRIER;
  } else if (mixed || (same_form && are_one(e, a, b) && waits != other_waits)) {
    lit enough = are_one(e, a, b) ? LIT_FALSE : gates_and2(&e->gates, is_enough(e, a), is_enough(e, b), NEED_BOTH);
    *how = -enough;
    why = REASON_MIXED_BARRIER;
  } else {
    if (same_form) relieved = LIT_TRUE;
    lit other_kind = gates_and2(&e->gates, relieved, gates_xor(&e->gates, is_live(e, a), is_live(e, b)), NEED_BOTH);
    *how = gates_or2(&e->gates, -words_equal(e, x->meeting.count, y->meeting.count), other_kind, NEED_BOTH);
  }
  return *how == LIT_FALSE ? NO_REASON : why;
}

void encode_misuse(struct encoder *e, lit when, enum reason_id why, uint32_t a, uint32_t b) {
  if (when == LIT_FALSE) return;
  if (e->misuse_count == e->misuse_room) {
    uint32_t room = e->misuse_room ? 2 * e->misuse_room : 8;
    struct misuse *larger = ARENA_ARRAY(e->arena, struct misuse, room);
    for (uint32_t i = 0; i < e->misuse_count; i++) larger[i] = e->misuses[i];
    e->misuses = larger;
    e->misuse_room = room;
  }
  e->misuses[e->misuse_count++] = (struct misuse){when, reason_get(why), a, b};
}

/* The phase of an arrival: it is misused; its count is reached. `complete` has a meaning only if the arrival happens,
 * which is not part of the literal, because the arrivals of one phase share it. */
struct meeting {
  lit misused, complete;
};

/* A phase may have more arrivals than the count of an arrival only if the phase is misused and no other arrival in it
 * has the same count (exec/meet.c, may_be_larger): adds clauses for this. If counts cannot differ, no phase is
 * larger. */
static void limit_size(struct encoder *e, const struct barrier_group *group, uint32_t arrival, const lit *present,
                       lit too_many, lit misused) {
  lit *equal = ARENA_ARRAY(e->arena, lit, group->arrivals.len);
  bool uniform = true;
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    term_id count = encode_event(e, group->arrivals.data[i])->meeting.count;
    equal[i] = present[i] == LIT_FALSE ? LIT_TRUE : words_equal(e, encode_event(e, arrival)->meeting.count, count);
    uniform = uniform && equal[i] == LIT_TRUE;
  }
  sat_clause3(e->sat, -e->exec[arrival], -too_many, uniform ? LIT_FALSE : misused);
  for (uint32_t i = 0; i < group->arrivals.len && !uniform; i++)
    if (group->arrivals.data[i] != arrival && !are_one(e, group->arrivals.data[i], arrival))
      sat_clause(e->sat, (lit[]){-e->exec[arrival], -too_many, -present[i], -equal[i]}, 4);
}

/* A literal: arrival b is at the same barrier as a in a later phase, given that both happen. */
static lit is_later(struct encoder *e, uint32_t a, uint32_t b, unsigned need) {
  const struct event *x = encode_event(e, a), *y = encode_event(e, b);
  if (!skeleton_may_meet(e->skeleton, a, b) || x->phase_low >= y->phase_high) return LIT_FALSE;
  uint32_t phases = e->skeleton->groups.data[encode_event(e, a)->meeting.group].phases;
  VEC(lit) ways = {0};
  for (uint32_t k = 0; k < phases; k++)
    for (uint32_t m = k + 1; m < phases; m++) {
      lit way = gates_and2(&e->gates, e->phase[a][k], e->phase[b][m], need);
      if (way != LIT_FALSE) VEC_PUSH(e->arena, &ways, way);
    }
  return gates_and2(&e->gates, gates_or(&e->gates, ways.data, ways.len, need), same_id(e, a, b), need);
}

/* For each member of the group: it arrives in the phase of `arrival`, or ends without a later arrival. */
static lit *list_came(struct encoder *e, const struct barrier_group *group, uint32_t arrival, const lit *present) {
  lit *came = ARENA_ARRAY(e->arena, lit, group->members);
  for (uint32_t m = 0; m < group->members; m++) {
    VEC(lit) here = {0}, later = {0};
    /* A thread that surely arrives in this phase has not ended instead. */
    bool sure = shape_reads(&e->skeleton->options.shape, READING_WAITS_FOR_ENDED);
    for (uint32_t i = 0; i < group->arrivals.len; i++) {
      uint32_t other = group->arrivals.data[i];
      if (encode_event(e, other)->thread != group->threads[m]) continue;
      sure |= skeleton_surely_comes(e->skeleton, other, arrival);
      if (present[i] != LIT_FALSE) VEC_PUSH(e->arena, &here, present[i]);
    }
    for (uint32_t i = 0; i < group->arrivals.len && !sure; i++)
      if (encode_event(e, group->arrivals.data[i])->thread == group->threads[m])
        VEC_PUSH(e->arena, &later, is_later(e, arrival, group->arrivals.data[i], NEED_BOTH));
    lit ended = sure ? LIT_FALSE : e->words[e->skeleton->ended[group->threads[m]]].bits[0];
    lit comes = sure ? LIT_FALSE : gates_or(&e->gates, later.data, later.len, NEED_BOTH);
    VEC_PUSH(e->arena, &here, gates_and2(&e->gates, ended, -comes, NEED_BOTH));
    came[m] = gates_or(&e->gates, here.data, here.len, NEED_BOTH);
  }
  return came;
}

/* For each arrival of the group: it counts, as the first of its warp in the phase. */
static lit *list_leading(struct encoder *e, const struct barrier_group *group, const lit *present) {
  lit *leading = ARENA_ARRAY(e->arena, lit, group->arrivals.len);
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    VEC(lit) parts = {0};
    VEC_PUSH(e->arena, &parts, present[i]);
    for (uint32_t k = 0; k < i; k++)
      if (are_one(e, group->arrivals.data[k], group->arrivals.data[i])) VEC_PUSH(e->arena, &parts, -present[k]);
    leading[i] = gates_and(&e->gates, parts.data, parts.len, NEED_BOTH);
  }
  return leading;
}

/* For each arrival of the group, given that it is in the phase: all lanes of its warp have come to the phase
 * (exec/meet.c, warp_came). */
static lit *list_whole(struct encoder *e, const struct barrier_group *group, const lit *came) {
  lit *whole = ARENA_ARRAY(e->arena, lit, group->arrivals.len);
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    VEC(lit) lanes = {0};
    uint32_t thread = encode_event(e, group->arrivals.data[i])->thread;
    for (uint32_t m = 0; m < group->members && group->units < group->members; m++)
      if (group->threads[m] != thread && skeleton_arrive_as_one(e->skeleton, group, thread, group->threads[m]))
        VEC_PUSH(e->arena, &lanes, came[m]);
    whole[i] = gates_and(&e->gates, lanes.data, lanes.len, NEED_BOTH);
  }
  return whole;
}

/* For each arrival of the group: it happens, in the phase of `arrival`. */
static lit *list_present(struct encoder *e, const struct barrier_group *group, uint32_t arrival) {
  lit *present = ARENA_ARRAY(e->arena, lit, group->arrivals.len);
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    uint32_t other = group->arrivals.data[i];
    present[i] = e->exec[other];
    if (present[i] != LIT_FALSE)
      present[i] = gates_and2(&e->gates, present[i], encode_share(e, arrival, other, NEED_BOTH), NEED_BOTH);
  }
  return present;
}

/* True if the number of arrivals in a phase may matter: it does not if all are live and no thread may arrive twice. */
static bool is_counted(struct encoder *e, const struct barrier_group *group, const lit *present) {
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    uint32_t a = group->arrivals.data[i], next = i + 1 < group->arrivals.len ? group->arrivals.data[i + 1] : a;
    if (is_live(e, a) != LIT_TRUE) return true;
    bool again = next != a && encode_event(e, a)->thread == encode_event(e, next)->thread;
    if (again && present[i] != LIT_FALSE && present[i + 1] != LIT_FALSE) return true;
  }
  return false;
}

/* A literal: some arrival of the phase conflicts with this one. `whole`: list_whole. */
static lit find_misuse(struct encoder *e, const struct barrier_group *group, uint32_t arrival, const lit *present,
                       const lit *whole, lit relieved) {
  uint32_t count = group->arrivals.len, own = 0;
  lit *bad = ARENA_ARRAY(e->arena, lit, count);
  while (group->arrivals.data[own] != arrival) own++;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t other = group->arrivals.data[i];
    lit how = LIT_TRUE;
    bad[i] = LIT_FALSE;
    bool alone = other == arrival || present[i] == LIT_FALSE;
    enum reason_id why = alone ? NO_REASON : conflict(e, arrival, other, relieved, &how);
    if (!why) continue;
    bad[i] = gates_and(&e->gates, (lit[]){e->exec[arrival], present[i], how, whole[own], whole[i]}, 5, NEED_BOTH);
    if (arrival < other) encode_misuse(e, bad[i], why, arrival, other);
  }
  return gates_or(&e->gates, bad, count, NEED_BOTH);
}

static struct meeting meet(struct encoder *e, const struct barrier_group *group, uint32_t arrival) {
  uint32_t count = group->arrivals.len;
  bool live = SOME_BELOW(i, group->arrivals.len, is_live(e, group->arrivals.data[i]) != LIT_FALSE),
       lanes = group->units < group->members;
  lit *present = list_present(e, group, arrival), *parts = ARENA_ARRAY(e->arena, lit, count + 1);
  struct word wanted = e->words[encode_event(e, arrival)->meeting.count], size = wanted;
  bool counted = is_counted(e, group, present);
  if (counted) size = word_count(&e->gates, lanes ? list_leading(e, group, present) : present, count, 32);
  const lit *came = live || lanes ? list_came(e, group, arrival, present) : NULL, *whole = list_whole(e, group, came);
  lit all = live ? gates_and(&e->gates, came, group->members, NEED_BOTH) : LIT_FALSE;
  lit full = counted ? word_equal(&e->gates, size, word_const(e->arena, group->units, 32)) : LIT_TRUE;
  lit relieved = gates_and2(&e->gates, all, -full, NEED_BOTH);
  for (uint32_t i = 0; i < count; i++) parts[i] = gates_or2(&e->gates, -present[i], whole[i], NEED_BOTH);
  parts[count] = word_equal(&e->gates, size, wanted);
  struct meeting m = {.misused = find_misuse(e, group, arrival, present, whole, relieved)};
  m.complete = gates_ite(&e->gates, is_live(e, arrival), all, gates_and(&e->gates, parts, count + 1, NEED_BOTH));
  limit_size(e, group, arrival, present, word_less(&e->gates, wanted, size, false), m.misused);
  return m;
}

/* A phase exists only if the phase before exists and is complete or misused: after misuse nothing has a meaning. If the
 * arrivals of that one may lack, so does the one before it. */
static void fill_in_order(struct encoder *e, const struct barrier_group *group, const struct meeting *meetings) {
  VEC_VALUES (a, &group->arrivals)
    for (uint32_t k = 1; k < group->phases; k++) {
      if (e->phase[a][k] == LIT_FALSE) continue;
      VEC(lit) before = {0};
      VEC_PUSH(e->arena, &before, -e->phase[a][k]);
      bool lacks = true;
      for (uint32_t last = k; lacks && last-- > 0;) {
        lacks = false;
        for (uint32_t j = 0; j < group->arrivals.len; j++) {
          uint32_t b = group->arrivals.data[j];
          lit there = gates_and2(&e->gates, e->phase[b][last], same_id(e, a, b), NEED_BOTH);
          if (there == LIT_FALSE) continue;
          VEC_PUSH(e->arena, &before, there);
          sat_clause(e->sat, (lit[]){-e->phase[a][k], -there, meetings[j].complete, meetings[j].misused}, 4);
          lacks |= encode_event(e, b)->may_lack;
        }
      }
      if (!lacks) sat_clause(e->sat, before.data, before.len);
    }
}

/* A thread's later arrival on a barrier is not in an earlier phase, nor in one that the earlier arrival completes
 * without any other warp. */
static void keep_thread_order(struct encoder *e, const struct barrier_group *group) {
  for (uint32_t i = 0; i < group->arrivals.len; i++)
    for (uint32_t j = i + 1; j < group->arrivals.len; j++) {
      uint32_t a = group->arrivals.data[i], b = group->arrivals.data[j];
      if (encode_event(e, a)->thread != encode_event(e, b)->thread || !skeleton_may_share(e->skeleton, a, b)) continue;
      lit id = same_id(e, a, b);
      for (uint32_t k = 0; k < group->phases; k++)
        for (uint32_t m = 0; m <= k; m++)
          sat_clause(e->sat, (lit[]){-id, -e->phase[a][k], -e->phase[b][m], m < k ? LIT_FALSE : -is_enough(e, a)}, 4);
    }
}

/* A misused phase lets no wait pass: the events after it would have no meaning. */
static void let_through(struct encoder *e, uint32_t wait, const struct meeting *meeting, uint32_t arrival) {
  lit open = gates_and2(&e->gates, meeting->complete, -meeting->misused, NEED_BOTH);
  if (!e->skeleton->options.precise) {
    sat_clause2(e->sat, -e->exec[wait], open);
    return;
  }
  lit pass = e->pass[wait];
  if (pass == 0) return;
  sat_clause3(e->sat, -e->exec[arrival], -pass, open);
  sat_clause3(e->sat, -e->exec[arrival], pass, -open);
  sat_clause2(e->sat, e->exec[arrival], -pass);
}

/* Defines the word for the result of a bar.red. */
static void reduce(struct encoder *e, const struct barrier_group *group, uint32_t wait, struct word out) {
  uint32_t arrival = encode_event(e, wait)->partner, count = group->arrivals.len;
  enum barrier_reduction how = encode_event(e, wait)->meeting.barrier->reduction;
  lit *parts = ARENA_ARRAY(e->arena, lit, count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t other = group->arrivals.data[i];
    lit value = e->words[encode_event(e, other)->value].bits[0];
    lit share = gates_and(
        &e->gates, (lit[]){e->exec[arrival], e->exec[other], encode_share(e, arrival, other, NEED_BOTH)}, 3, NEED_BOTH);
    parts[i] = how == REDUCE_AND ? gates_or2(&e->gates, -share, value, NEED_BOTH)
                                 : gates_and2(&e->gates, share, value, NEED_BOTH);
  }
  struct word value = word_count(&e->gates, parts, how == REDUCE_POPC ? count : 0, out.width);
  if (how == REDUCE_AND)
    value.bits[0] = gates_and2(&e->gates, e->exec[arrival], gates_and(&e->gates, parts, count, NEED_BOTH), NEED_BOTH);
  if (how == REDUCE_OR) value.bits[0] = gates_or(&e->gates, parts, count, NEED_BOTH);
  for (unsigned i = 0; i < out.width; i++) {
    sat_clause2(e->sat, -out.bits[i], value.bits[i]);
    sat_clause2(e->sat, out.bits[i], -value.bits[i]);
  }
}

/* Defines the word for the value of a thread in an exchange of lanes: the value of its arrival in the phase. */
static void take_lane(struct encoder *e, const struct term *t, struct word out) {
  const struct barrier_group *group = &e->skeleton->groups.data[encode_event(e, t->event)->meeting.group];
  uint32_t arrival = encode_event(e, t->event)->partner, count = group->arrivals.len;
  for (unsigned bit = 0; bit < out.width; bit++) {
    lit *ways = ARENA_ARRAY(e->arena, lit, count);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t other = group->arrivals.data[i];
      ways[i] = LIT_FALSE;
      if (encode_event(e, other)->thread != t->constant) continue;
      lit share = encode_share(e, arrival, other, NEED_BOTH), value = e->words[encode_event(e, other)->value].bits[bit];
      ways[i] = gates_and(&e->gates, (lit[]){e->exec[arrival], e->exec[other], share, value}, 4, NEED_BOTH);
    }
    lit value = gates_or(&e->gates, ways, count, NEED_BOTH);
    sat_clause2(e->sat, -out.bits[bit], value);
    sat_clause2(e->sat, out.bits[bit], -value);
  }
}

/* ---- In time ---- */

/* A literal: the wait passes because the thread has ended, not because it has arrived. */
static lit ends_before(struct encoder *e, uint32_t thread, uint32_t wait, unsigned need) {
  uint32_t own = encode_event(e, wait)->partner;
  const struct barrier_group *group = &e->skeleton->groups.data[encode_event(e, wait)->meeting.group];
  if (!skeleton_may_end_before(e->skeleton, thread, wait)) return LIT_FALSE;
  VEC(lit) comes = {0}, awaited = {0};
  VEC_PUSH(e->arena, &awaited, is_live(e, own));
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    uint32_t other = group->arrivals.data[i], t = encode_event(e, other)->thread;
    bool lane = t != thread && skeleton_arrive_as_one(e->skeleton, group, t, thread) &&
                !shape_reads(&e->skeleton->options.shape, READING_WAITS_FOR_ENDED);
    if (!lane && t != thread) continue;
    unsigned how = lane ? need : need_flip(need);
    lit in = gates_and2(&e->gates, e->exec[other], encode_share(e, own, other, how), how);
    if (lane) VEC_PUSH(e->arena, &awaited, in);
    else VEC_PUSH(e->arena, &comes, in);
  }
  return gates_and2(&e->gates, gates_or(&e->gates, awaited.data, awaited.len, need),
                    -gates_or(&e->gates, comes.data, comes.len, need_flip(need)), need);
}

/* A literal: arrivals a and b are in one phase, which b alone completes, so that b must have met a there
 * (exec/meet.c). */
static lit finds(struct encoder *e, uint32_t a, uint32_t b, unsigned need) {
  lit counts = gates_and2(&e->gates, is_enough(e, b), -is_enough(e, a), need);
  if (counts == LIT_FALSE) return LIT_FALSE;
  return gates_and2(&e->gates, encode_share(e, a, b, need), counts, need);
}

lit encode_phase_order(struct encoder *e, uint32_t a, uint32_t b, unsigned need) {
  const struct event *x = encode_event(e, a), *y = encode_event(e, b);
  if (bitmat_has(e->skeleton->must[CAT_REL_PHASE_ORDER], a, b)) return LIT_TRUE;
  if (!bitmat_has(e->skeleton->may[CAT_REL_PHASE_ORDER], a, b)) return LIT_FALSE;
  if (y->kind != EVENT_WAIT) return gates_or2(&e->gates, is_later(e, a, b, need), finds(e, a, b, need), need);
  lit share = x->kind == EVENT_ARRIVE ? encode_share(e, a, y->partner, need) : LIT_FALSE;
  return gates_or2(&e->gates, share, ends_before(e, x->thread, b, need), need);
}

/* True if b must come after a: by program order or by the phases. */
static lit before(struct encoder *e, uint32_t a, uint32_t b) {
  bool follows = bitmat_has(e->skeleton->must[CAT_REL_PO], a, b);
  lit order = follows ? LIT_TRUE : encode_phase_order(e, a, b, NEED_IF);
  return gates_and(&e->gates, (lit[]){e->exec[a], e->exec[b], order}, 3, NEED_IF);
}

static void keep_in_time(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  VEC(uint32_t) events = {0};
  for (uint32_t i = 0; i < s->first_init; i++)
    if (encode_event(e, i)->kind == EVENT_ARRIVE || encode_event(e, i)->kind == EVENT_WAIT)
      VEC_PUSH(e->arena, &events, i);
  uint32_t m = events.len;
  lit *edges = ARENA_ARRAY(e->arena, lit, (size_t)m * m);
  struct bitmat fixed = bitmat_new(e->arena, m), longer = bitmat_new(e->arena, m);
  for (uint32_t a = 0; a < m && !encoder_is_late(e); a++)
    for (uint32_t b = 0; b < m; b++) {
      edges[(size_t)a * m + b] = a == b ? LIT_FALSE : before(e, events.data[a], events.data[b]);
      if (edges[(size_t)a * m + b] == LIT_TRUE) bitmat_add(fixed, a, b);
    }
  if (e->refusal) return;
  /* Leaves out fixed edges that paths of fixed edges imply, unless they close a cycle. */
  bitmat_compose(longer, fixed, fixed);
  if (!bitmat_cyclic(e->arena, fixed))
    for (uint32_t a = 0; a < m; a++)
      for (uint32_t b = 0; b < m; b++)
        if (bitmat_has(longer, a, b) && bitmat_has(fixed, a, b)) edges[(size_t)a * m + b] = LIT_FALSE;
  encode_no_cycle(e, edges, m, LIT_FALSE);
}

/* ---- All groups ---- */

static void encode_group(struct encoder *e, const struct barrier_group *group) {
  struct meeting *meetings = ARENA_ARRAY(e->arena, struct meeting, group->arrivals.len);
  for (uint32_t i = 0; i < group->arrivals.len; i++) choose_phase(e, group, group->arrivals.data[i]);
  for (uint32_t i = 0; i < group->arrivals.len && !encoder_is_late(e); i++)
    meetings[i] = meet(e, group, group->arrivals.data[i]);
  if (e->refusal) return;
  fill_in_order(e, group, meetings);
  keep_thread_order(e, group);
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    uint32_t wait = encode_event(e, group->arrivals.data[i])->partner;
    if (wait != NO_PARTNER) let_through(e, wait, &meetings[i], group->arrivals.data[i]);
  }
}

void encode_barriers(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  if (!s->groups.len) return;
  e->phase = ARENA_ARRAY(e->arena, lit *, s->n);
  for (uint32_t g = 0; g < s->groups.len; g++) encode_group(e, &s->groups.data[g]);
  if (e->refusal) return;
  for (term_id id = 0; id < s->terms.list.len; id++) {
    const struct term *t = term_get(&s->terms, id);
    if (t->op == TERM_REDUCE && e->words[id].width)
      reduce(e, &s->groups.data[encode_event(e, t->event)->meeting.group], t->event, e->words[id]);
    if (t->op == TERM_LANE && e->words[id].width) take_lane(e, t, e->words[id]);
  }
  keep_in_time(e);
}
