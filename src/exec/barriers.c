/* Barrier resources: finds the threads that meet at each barrier, and the phases in which an arrival can be
 * (docs/semantics.md, Barriers).
 *
 * In every execution, the phase of an arrival is its rank in its thread if each participant arrives again only after
 * the phase of its last arrival, each arrival happens only if the thread's earlier ones do, and the number of threads
 * that use the barrier equals its count. Otherwise phases are left open. */
#include "exec/build.h"

enum { WARPGROUP = 128 };

bool skeleton_in_warpgroup(const struct thread *a, const struct thread *b) {
  bool placed = a->special.tid != NOT_PLACED && b->special.tid != NOT_PLACED;
  return placed && a->cta_id == b->cta_id && a->special.tid / WARPGROUP == b->special.tid / WARPGROUP;
}

static bool multiplies_tiles(const struct thread *t) {
  return SOME_BELOW(i, t->instr_count, t->instrs[i].kind == INSTR_ASYNC && t->instrs[i].async->shaped);
}

bool skeleton_shares_products(const struct thread *a, const struct thread *b) {
  return skeleton_in_warpgroup(a, b) && multiplies_tiles(a) && multiplies_tiles(b);
}

static uint32_t first_sharing(const struct skeleton *s, uint32_t thread) {
  uint32_t first = 0;
  while (!skeleton_shares_products(&s->program->threads[first], &s->program->threads[thread])) first++;
  return first;
}

/* The CTA of even rank of the thread's pair. */
static uint32_t first_of_pair(const struct skeleton *s, uint32_t thread) {
  return skeleton_cta_ranked(s->program, thread, s->program->threads[thread].cta & ~1u);
}

static uint32_t owner_of(const struct skeleton *s, const struct event *e) {
  const struct thread *t = &s->program->threads[e->thread];
  switch (e->meeting.barrier->kind) {
    case BARRIER_CTA: return t->cta_id;
    case BARRIER_WARP:
    case BARRIER_LANES: return t->warp_id;
    case BARRIER_CLUSTER: return t->cluster_id;
    case BARRIER_PAIR: return first_of_pair(s, e->thread);
    case BARRIER_PRODUCT: return first_sharing(s, e->thread);
  }
  BUG("barrier kind %d", (int)e->meeting.barrier->kind);
}

static bool is_member(const struct skeleton *s, const struct thread *t, const struct barrier_group *group) {
  switch (group->kind) {
    case BARRIER_CTA: return t->cta_id == group->owner;
    case BARRIER_WARP:
    case BARRIER_LANES: return t->warp_id == group->owner && (group->mask >> (t->lane & 31) & 1);
    case BARRIER_CLUSTER: return t->cluster_id == group->owner;
    case BARRIER_PAIR: return first_of_pair(s, (uint32_t)(t - s->program->threads)) == group->owner;
    case BARRIER_PRODUCT: return skeleton_shares_products(&s->program->threads[group->owner], t);
  }
  return false;
}

static bool has_mask(enum barrier_kind kind) { return kind == BARRIER_WARP || kind == BARRIER_LANES; }

/* True if lanes that execute these two instructions exchange values with each other. */
static bool exchanges_with(const struct instr *a, const struct instr *b) {
  return a->barrier->exchange == b->barrier->exchange && a->alu == b->alu && a->type.kind == b->type.kind &&
         a->type.width == b->type.width;
}

bool skeleton_arrive_as_one(const struct skeleton *s, const struct barrier_group *group, uint32_t a, uint32_t b) {
  const struct thread *threads = s->program->threads;
  return group->kind == BARRIER_CTA && threads[a].warp_id == threads[b].warp_id;
}

uint32_t skeleton_count_units(const struct skeleton *s, const struct barrier_group *group, const uint32_t *threads,
                              uint32_t count) {
  uint32_t units = 0;
  for (uint32_t i = 0, k; i < count; i++) {
    for (k = 0; k < i && threads[i] != threads[k] && !skeleton_arrive_as_one(s, group, threads[i], threads[k]);) k++;
    units += k == i;
  }
  return units;
}

static uint32_t group_for(struct skeleton *s, const struct event *e) {
  const struct instr *in = &s->program->threads[e->thread].instrs[e->instr];
  const struct event *arrival = e->kind == EVENT_WAIT ? skeleton_event(s, e->partner) : e;
  enum barrier_kind kind = e->meeting.barrier->kind;
  uint32_t owner = owner_of(s, e), mask = 0;
  if (has_mask(kind)) mask = (uint32_t)term_get(&s->terms, arrival->meeting.id)->constant;
  for (uint32_t i = 0; i < s->groups.len; i++) {
    const struct barrier_group *g = &s->groups.data[i];
    bool same = kind != BARRIER_LANES || (g->like && exchanges_with(g->like, in));
    if (g->kind == kind && g->owner == owner && g->mask == mask && same) return i;
  }
  struct barrier_group group = {.kind = kind, .owner = owner, .mask = mask, .like = kind == BARRIER_LANES ? in : NULL};
  group.threads = ARENA_ARRAY(s->arena, uint32_t, s->program->thread_count);
  for (uint32_t t = 0; t < s->program->thread_count; t++)
    if (is_member(s, &s->program->threads[t], &group)) group.threads[group.members++] = t;
  group.units = skeleton_count_units(s, &group, group.threads, group.members);
  VEC_PUSH(s->arena, &s->groups, group);
  return s->groups.len - 1;
}

/* The count under G38=users: all threads that name the barrier, instead of all of the CTA. A thread that names a
 * barrier by a computed id counts for every barrier that this may be. */
static uint32_t count_users(const struct skeleton *s, const struct barrier_group *group, term_id id) {
  VEC(uint32_t) users = {0};
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    const struct event *e = skeleton_event(s, group->arrivals.data[i]);
    bool same = e->meeting.id == id || !term_is_const(&s->terms, e->meeting.id) || !term_is_const(&s->terms, id);
    if (same) VEC_PUSH(s->arena, &users, e->thread);
  }
  return skeleton_count_units(s, group, users.data, users.len);
}

static void find_groups(struct skeleton *s) {
  for (uint32_t i = 0; i < s->events.len; i++) {
    struct event *e = &s->events.data[i];
    if (e->kind != EVENT_ARRIVE && e->kind != EVENT_WAIT) continue;
    e->meeting.group = group_for(s, e);
    if (e->kind == EVENT_ARRIVE) VEC_PUSH(s->arena, &s->groups.data[e->meeting.group].arrivals, i);
  }
}

/* True if the group, for arrivals without a count, also waits for threads that have ended (B2, B7). */
static bool waits_for_ended(const struct skeleton *s, enum barrier_kind kind) {
  if (kind == BARRIER_WARP && shape_reads(&s->options.shape, READING_WAITS_FOR_LANES)) return true;
  if (shape_reads(&s->options.shape, READING_WAITS_FOR_ENDED)) return true;
  return shape_reads(&s->options.shape, READING_WAITS_FOR_USERS) && !has_mask(kind);
}

/* Fills in the counts that are omitted or 0. */
static void find_counts(struct skeleton *s) {
  bool users = shape_reads(&s->options.shape, READING_WAITS_FOR_USERS);
  VEC_EACH (group, &s->groups)
    VEC_VALUES (arrival, &group->arrivals) {
      struct event *e = &s->events.data[arrival];
      uint32_t count = users && group->kind == BARRIER_CTA ? count_users(s, group, e->meeting.id) : group->units;
      term_id all = term_const(&s->terms, count, 32),
              none = term_eq(&s->terms, e->meeting.count, term_const(&s->terms, 0, 32));
      if (none != TERM_FALSE && e->meeting.barrier->count.kind != OPERAND_NONE &&
          e->meeting.barrier->action == BARRIER_ARRIVE)
        skeleton_event_hazard(s, term_and(&s->terms, e->exec, none), REASON_ARRIVE_ZERO, e);
      e->meeting.count = term_ite(&s->terms, none, all, e->meeting.count);
      e->meeting.live = waits_for_ended(s, group->kind) ? TERM_FALSE : none;
      if (!term_is_const(&s->terms, e->meeting.live)) s->open_phases = true;
    }
}

/* True if a thread's arrivals happen in textual order, each only if the one before did. */
static bool is_straight(const struct thread *thread) {
  ARRAY_EACH (in, thread->instrs, thread->instr_count) {
    if (in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT) return false;
    if (in->kind == INSTR_BARRIER && in->guard.present) return false;
  }
  return true;
}

/* The arrivals of a group on one resource: those with the same known id. Sets *known to false if some id is computed.
 */
static uint32_t arrivals_on(struct skeleton *s, const struct barrier_group *group, term_id id, uint32_t *out,
                            bool *known) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    const struct event *e = skeleton_event(s, group->arrivals.data[i]);
    if (!term_is_const(&s->terms, e->meeting.id)) *known = false;
    if (e->meeting.id == id) out[count++] = group->arrivals.data[i];
  }
  return count;
}

/* A barrier of a group: the arrivals with one known id, thread by thread in program order. */
struct resource {
  const struct barrier_group *group;
  uint32_t *arrivals, count;
  bool known;   /* no other arrival of the group may have this id */
  bool regular; /* the phase of an arrival is its rank in its thread */
};

struct resources {
  struct skeleton *s;
  VEC(struct resource) list;
  uint32_t *of; /* by arrival: its index in the list */
};

/* True if each arrival of a thread happens only if the one before did, unless that may lack, and all have one count:
 * the number of threads that use the barrier, or a larger one (then the first phase never completes). */
static bool counts_all(const struct skeleton *s, const struct barrier_group *group, const uint32_t *arrivals,
                       uint32_t count) {
  uint32_t *threads = ARENA_ARRAY(s->arena, uint32_t, count);
  const struct event *first = skeleton_event(s, arrivals[0]);
  for (uint32_t i = 0; i < count; i++) {
    const struct event *e = skeleton_event(s, arrivals[i]);
    uint32_t last = i ? i - 1 : 0;
    while (last > 0 && skeleton_event(s, arrivals[last])->may_lack) last--;
    const struct event *before = skeleton_event(s, arrivals[last]);
    bool chained = before->thread != e->thread || before->may_lack || skeleton_forces(s, e->exec, before->exec);
    if (!chained) return false;
    if (e->meeting.count != first->meeting.count) return false;
    threads[i] = e->thread;
  }
  const struct term *wanted = term_get(&s->terms, first->meeting.count);
  return wanted->op == TERM_CONST && wanted->constant >= skeleton_count_units(s, group, threads, count);
}

/* True if the thread of an arrival cannot end without it, or arrives as one with no other thread: if a phase that has
 * the arrival is complete, the arrival has happened. */
static bool surely_came(const struct skeleton *s, const struct resource *r, uint32_t arrival) {
  const struct event *e = skeleton_event(s, arrival);
  bool alone = e->meeting.live == TERM_FALSE;
  for (uint32_t i = 0; i < r->count && alone; i++) {
    uint32_t other = skeleton_event(s, r->arrivals[i])->thread;
    alone = other == e->thread || !skeleton_arrive_as_one(s, r->group, other, e->thread);
  }
  return alone || skeleton_forces(s, s->reach_end[e->thread], e->exec);
}

/* The arrivals that are found to precede another one. */
struct earlier {
  struct resources *all;
  VEC(uint32_t) list;
  struct bitset has;
};

/* A wait for a rank of a regular barrier comes after all arrivals of this rank. */
static void add_arrivals(struct earlier *earlier, const struct resource *r, uint32_t rank) {
  const struct skeleton *s = earlier->all->s;
  for (uint32_t i = 0; i < r->count; i++) {
    uint32_t arrival = r->arrivals[i];
    bool same = skeleton_event(s, arrival)->phase_low == rank && !bitset_has(earlier->has, arrival);
    if (!same || !surely_came(s, r, arrival)) continue;
    bitset_add(earlier->has, arrival);
    VEC_PUSH(s->arena, &earlier->list, arrival);
  }
}

/* The rank of the last arrival before this one in its thread on its barrier which does not lack whenever this one
 * happens, plus one; 0: none. Its thread waits at once for each later one that happens. */
static uint32_t least_rank(const struct resources *all, uint32_t arrival) {
  const struct skeleton *s = all->s;
  const struct event *e = skeleton_event(s, arrival);
  uint32_t rank = e->phase_low;
  for (uint32_t i = arrival; i-- > 0 && skeleton_event(s, i)->thread == e->thread && rank > 0;) {
    const struct event *before = skeleton_event(s, i);
    if (before->kind != EVENT_ARRIVE || all->of[i] != all->of[arrival]) continue;
    bool waits = before->partner == i + 1 && skeleton_event(s, i + 1)->exec == before->exec;
    if (!before->may_lack || !waits || skeleton_forces(s, e->exec, before->exec)) break;
    rank--;
  }
  return rank;
}

/* True if an arrival comes after a wait for the rank before it on its barrier, in its thread or over waits and arrivals
 * of regular barriers in others. */
static bool comes_later(struct resources *all, uint32_t arrival) {
  const struct skeleton *s = all->s;
  struct earlier earlier = {.all = all, .has = bitset_new(s->arena, s->events.len)};
  uint32_t own = all->of[arrival], rank = least_rank(all, arrival);
  if (!rank) return true;
  VEC_PUSH(s->arena, &earlier.list, arrival);
  for (uint32_t i = 0; i < earlier.list.len; i++) {
    const struct event *from = skeleton_event(s, earlier.list.data[i]);
    for (uint32_t w = earlier.list.data[i]; w-- > 0 && skeleton_event(s, w)->thread == from->thread;) {
      const struct event *wait = skeleton_event(s, w);
      const struct resource *r = wait->kind == EVENT_WAIT ? &all->list.data[all->of[wait->partner]] : NULL;
      if (!r || !r->regular || !skeleton_forces(s, from->exec, wait->exec)) continue;
      uint32_t reached = skeleton_event(s, wait->partner)->phase_low;
      if (all->of[wait->partner] == own && reached + 1 >= rank) return true;
      add_arrivals(&earlier, r, reached);
    }
  }
  return false;
}

/* The last phase of a barrier: each one before it has an arrival, and two if one is never enough, since it is complete
 * or two of its arrivals misuse it. */
static uint32_t last_phase(const struct skeleton *s, const struct resource *r) {
  bool two = true;
  if (!r->known) return r->group->arrivals.len - 1;
  for (uint32_t i = 0; i < r->count && two; i++) {
    const struct event *e = skeleton_event(s, r->arrivals[i]);
    const struct term *count = term_get(&s->terms, e->meeting.count);
    two = e->meeting.live == TERM_FALSE && count->op == TERM_CONST && count->constant > 1;
  }
  return (r->count - 1) / (two ? 2 : 1);
}

/* Bounds the phase of each arrival: its rank in its thread or, if the barrier is not regular, any phase. */
static void bound_resource(struct skeleton *s, const struct resource *r) {
  const uint32_t most = last_phase(s, r);
  uint32_t rank = 0, last = NO_THREAD;
  for (uint32_t i = 0; i < r->count; i++) {
    struct event *e = &s->events.data[r->arrivals[i]];
    rank = e->thread == last ? rank + 1 : 0;
    last = e->thread;
    e->phase_low = r->regular ? rank : 0;
    e->phase_high = r->regular ? rank : most;
    e->may_lack = e->may_lack && r->regular;
  }
}

static bool is_regular(struct resources *all, const struct resource *r) {
  return !SOME_BELOW(i, r->count,
                     skeleton_event(all->s, r->arrivals[i])->phase_low && !comes_later(all, r->arrivals[i]));
}

/* True if the arrivals of a rank may all lack, by one instruction, or none may. */
static bool lack_alike(const struct skeleton *s, const struct resource *r) {
  for (uint32_t i = 0; i < r->count; i++)
    for (uint32_t k = 0; k < i; k++) {
      const struct event *a = skeleton_event(s, r->arrivals[i]), *b = skeleton_event(s, r->arrivals[k]);
      bool same =
          !a->may_lack || event_instr(s, r->arrivals[i])->span.begin == event_instr(s, r->arrivals[k])->span.begin;
      if (a->phase_low == b->phase_low && (a->may_lack != b->may_lack || !same)) return false;
    }
  return true;
}

/* Assumes that all barriers are regular, and then drops those with an arrival that may come before the wait for its
 * thread's previous arrival. In time, the first arrival that is not in the phase of its rank would come after this
 * wait: so there is none. */
static void bound_resources(struct resources *all) {
  VEC_EACH (r, &all->list) {
    bound_resource(all->s, r);
    if (!r->regular || lack_alike(all->s, r)) continue;
    r->regular = false;
    bound_resource(all->s, r);
  }
  for (bool changed = true; changed;) {
    changed = false;
    VEC_EACH (r, &all->list) {
      if (!r->regular || is_regular(all, r)) continue;
      r->regular = false;
      bound_resource(all->s, r);
      changed = true;
    }
  }
}

static void find_resources(struct skeleton *s) {
  struct resources all = {.s = s, .of = ARENA_ARRAY(s->arena, uint32_t, s->events.len)};
  EACH_EVENT_OF (i, e, s)
    if (e->kind == EVENT_ARRIVE) s->events.data[i].may_lack = skeleton_leaves_alike(s, e);
  VEC_EACH (group, &s->groups)
    for (uint32_t i = 0; i < group->arrivals.len; i++) {
      struct resource r = {.group = group, .known = true};
      r.arrivals = ARENA_ARRAY(s->arena, uint32_t, group->arrivals.len);
      term_id id = skeleton_event(s, group->arrivals.data[i])->meeting.id;
      r.count = arrivals_on(s, group, id, r.arrivals, &r.known);
      if (r.arrivals[0] != group->arrivals.data[i]) continue;
      r.regular = r.known && counts_all(s, group, r.arrivals, r.count);
      for (uint32_t k = 0; k < r.count; k++) all.of[r.arrivals[k]] = all.list.len;
      VEC_PUSH(s->arena, &all.list, r);
    }
  bound_resources(&all);
}

term_id skeleton_thread_ends(struct skeleton *s, uint32_t thread) {
  term_id ends = TERM_TRUE;
  for (uint32_t i = 0; i < s->ends.len && s->options.precise; i++)
    if (s->ends.data[i].thread == thread) ends = term_and(&s->terms, ends, term_not(&s->terms, s->ends.data[i].when));
  return ends;
}

/* True if a phase is never complete without this arrival. Then a wait that passes in the phase implies that the arrival
 * happened, and the wait's result does not depend on the path to the arrival (P10). */
static bool is_needed(const struct skeleton *s, uint32_t arrival) {
  const struct event *e = skeleton_event(s, arrival);
  const struct barrier_group *group = &s->groups.data[e->meeting.group];
  uint32_t *threads = ARENA_ARRAY(s->arena, uint32_t, group->arrivals.len), count = 0;
  if (e->exec == TERM_TRUE) return true;
  VEC_VALUES (other, &group->arrivals)
    if (skeleton_may_share(s, arrival, other)) threads[count++] = skeleton_event(s, other)->thread;
  const struct term *wanted = term_get(&s->terms, e->meeting.count);
  bool each = skeleton_count_units(s, group, threads, count) == count;
  return each && e->meeting.live == TERM_FALSE && wanted->op == TERM_CONST && wanted->constant == count;
}

void skeleton_barriers(struct skeleton *s) {
  find_groups(s);
  find_counts(s);
  s->ended = ARENA_ARRAY(s->arena, term_id, s->program->thread_count);
  for (uint32_t t = 0; t < s->program->thread_count; t++)
    s->ended[t] = s->groups.len ? skeleton_thread_ends(s, t) : TERM_TRUE;
  find_resources(s);
  VEC_EACH (group, &s->groups) {
    VEC_VALUES (arrival, &group->arrivals) {
      struct event *e = &s->events.data[arrival];
      if (e->phase_high + 1 > group->phases) group->phases = e->phase_high + 1;
      if (e->phase_low != e->phase_high) s->open_phases = true;
      if (e->meeting.barrier->kind != BARRIER_CTA) continue;
      term_id high = term_binary(&s->terms, TERM_ULT, e->meeting.id, term_const(&s->terms, 16, 32));
      term_id bad = term_and(&s->terms, e->exec, term_not(&s->terms, high));
      skeleton_event_hazard(s, bad, REASON_BARRIER_NUMBER, e);
    }
  }
  for (uint32_t i = 0; i < s->events.len; i++)
    if (s->events.data[i].kind == EVENT_ARRIVE) s->events.data[i].is_awaited = is_needed(s, i);
  skeleton_aligned(s);
}

bool skeleton_flows(const struct skeleton *s, uint32_t arrival, uint32_t wait) {
  const struct event *a = skeleton_event(s, arrival), *w = skeleton_event(s, wait);
  if (a->kind != EVENT_ARRIVE || w->kind != EVENT_WAIT || w->meeting.barrier->action != BARRIER_RED) return false;
  if (w->meeting.barrier->kind == BARRIER_LANES && !(w->meeting.lanes >> s->program->threads[a->thread].lane & 1))
    return false;
  return skeleton_may_share(s, arrival, w->partner);
}

bool skeleton_may_meet(const struct skeleton *s, uint32_t x, uint32_t y) {
  const struct event *a = skeleton_event(s, x), *b = skeleton_event(s, y);
  bool known = term_is_const(&s->terms, a->meeting.id) && term_is_const(&s->terms, b->meeting.id);
  return a->meeting.group == b->meeting.group && (a->meeting.id == b->meeting.id || !known);
}

bool skeleton_must_share(const struct skeleton *s, uint32_t x, uint32_t y) {
  const struct event *a = skeleton_event(s, x), *b = skeleton_event(s, y);
  bool fixed = a->phase_low == a->phase_high && b->phase_low == b->phase_high && a->phase_low == b->phase_low;
  return x == y || (a->meeting.group == b->meeting.group && a->meeting.id == b->meeting.id && fixed);
}

bool skeleton_may_share(const struct skeleton *s, uint32_t x, uint32_t y) {
  const struct event *a = skeleton_event(s, x), *b = skeleton_event(s, y);
  return skeleton_may_meet(s, x, y) && a->phase_low <= b->phase_high && b->phase_low <= a->phase_high;
}

bool skeleton_surely_comes(const struct skeleton *s, uint32_t x, uint32_t y) {
  const struct event *e = skeleton_event(s, x);
  if (!skeleton_must_share(s, x, y)) return false;
  return bitmat_has(s->forces, y, x) || is_straight(&s->program->threads[e->thread]) || bitset_has(s->sure, x);
}

enum cat_builtin skeleton_bar_relation(const struct event *arrival) {
  switch (arrival->meeting.barrier->kind) {
    case BARRIER_LANES:
    case BARRIER_PAIR: /* only where threads may wait for ever */
    case BARRIER_PRODUCT: return CAT_REL_EXCHANGE;
    case BARRIER_CTA:
    case BARRIER_WARP:
    case BARRIER_CLUSTER: break;
  }
  return arrival->meeting.barrier->relaxed ? CAT_REL_BAR_RELAXED : CAT_REL_BAR;
}

void bound_BAR(struct skeleton *s) {
  for (uint32_t x = 0; x < s->first_init; x++)
    for (uint32_t w = 0; w < s->first_init; w++) {
      const struct event *arrive = skeleton_event(s, x), *wait = skeleton_event(s, w);
      if (arrive->kind != EVENT_ARRIVE || wait->kind != EVENT_WAIT) continue;
      enum cat_builtin relation = skeleton_bar_relation(arrive);
      if (skeleton_may_share(s, x, wait->partner)) bitmat_add(s->may[relation], x, w);
      if (skeleton_must_share(s, x, wait->partner)) bitmat_add(s->must[relation], x, w);
    }
}

bool skeleton_may_end_before(const struct skeleton *s, uint32_t thread, uint32_t wait) {
  return s->may_end[(size_t)wait * s->program->thread_count + thread];
}

static bool may_end_before(const struct skeleton *s, uint32_t thread, uint32_t wait) {
  const struct event *w = skeleton_event(s, wait), *own = skeleton_event(s, w->partner);
  const struct barrier_group *group = &s->groups.data[w->meeting.group];
  bool member = false, awaited = own->meeting.live != TERM_FALSE;
  bool lanes = !shape_reads(&s->options.shape, READING_WAITS_FOR_ENDED);
  for (uint32_t i = 0; i < group->members; i++) member |= group->threads[i] == thread;
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    uint32_t x = group->arrivals.data[i], comes = skeleton_event(s, x)->thread;
    if (comes == thread && skeleton_surely_comes(s, x, w->partner)) return false;
    if (comes != thread && lanes && skeleton_arrive_as_one(s, group, comes, thread))
      awaited |= skeleton_may_share(s, x, w->partner);
  }
  return member && awaited;
}

/* True if a thread has an arrival that may be in the phase of a wait. */
static bool may_come(const struct skeleton *s, uint32_t thread, uint32_t wait) {
  const struct event *w = skeleton_event(s, wait);
  const struct barrier_group *group = &s->groups.data[w->meeting.group];
  return SOME(VEC_VALUES (x, &group->arrivals),
              skeleton_event(s, x)->thread == thread && skeleton_may_share(s, x, w->partner));
}

/* Bounds the pairs from the events of an ended thread to the waits that its end lets pass. */
static void bound_ends(struct skeleton *s, uint32_t wait) {
  const struct event *own = skeleton_event(s, skeleton_event(s, wait)->partner);
  const struct barrier_group *group = &s->groups.data[own->meeting.group];
  for (uint32_t t = 0; t < s->program->thread_count; t++) {
    bool may = s->may_end[(size_t)wait * s->program->thread_count + t] = may_end_before(s, t, wait);
    if (!may) continue;
    bool awaited = own->meeting.live == TERM_TRUE || skeleton_arrive_as_one(s, group, own->thread, t);
    bool sure = awaited && !may_come(s, t, wait);
    if (!sure) s->open_phases = true;
    for (uint32_t e = 0; e < s->first_init; e++) {
      if (skeleton_event(s, e)->thread != t) continue;
      bitmat_add(s->may[CAT_REL_PHASE_ORDER], e, wait);
      if (sure) bitmat_add(s->must[CAT_REL_PHASE_ORDER], e, wait);
    }
  }
}

/* True if arrival y may complete alone a phase in which it finds x, which has another count. */
static bool may_find(const struct skeleton *s, uint32_t x, uint32_t y) {
  const struct term *a = term_get(&s->terms, skeleton_event(s, x)->meeting.count);
  const struct term *b = term_get(&s->terms, skeleton_event(s, y)->meeting.count);
  bool never = (a->op == TERM_CONST && a->constant == 1) || (b->op == TERM_CONST && b->constant != 1);
  return !never && skeleton_may_share(s, x, y);
}

void bound_PHASE_ORDER(struct skeleton *s) {
  struct bitmat may = s->may[CAT_REL_PHASE_ORDER], must = s->must[CAT_REL_PHASE_ORDER];
  for (uint32_t x = 0; x < s->first_init; x++)
    for (uint32_t y = 0; y < s->first_init; y++) {
      const struct event *a = skeleton_event(s, x), *b = skeleton_event(s, y);
      if (a->kind == EVENT_ARRIVE && b->kind == EVENT_WAIT) {
        if (skeleton_may_share(s, x, b->partner)) bitmat_add(may, x, y);
        if (skeleton_must_share(s, x, b->partner)) bitmat_add(must, x, y);
      } else if (a->kind == EVENT_ARRIVE && b->kind == EVENT_ARRIVE && skeleton_may_meet(s, x, y)) {
        if (a->phase_low < b->phase_high || may_find(s, x, y)) bitmat_add(may, x, y);
        if (a->phase_high < b->phase_low && a->meeting.id == b->meeting.id) bitmat_add(must, x, y);
      }
    }
  s->may_end = ARENA_ARRAY(s->arena, bool, (size_t)s->n * s->program->thread_count);
  EACH (w, s->sets[CAT_SET_WAIT]) bound_ends(s, w);
}
