/* Bounds the predefined sets and relations of a skeleton, which src/cat/builtin.def defines. */
#include "exec/build.h"

/* ---- Sets: membership of one event ---- */

static bool in_EVERY(const struct event *e) { return e != NULL; }
static bool in_READ(const struct event *e) { return e->kind == EVENT_READ; }
static bool in_WRITE(const struct event *e) { return e->kind == EVENT_WRITE; }
static bool in_MEM(const struct event *e) { return event_is_memory(e); }
static bool in_FENCE(const struct event *e) { return event_is_fence(e); }
static bool in_INIT(const struct event *e) { return e->thread == NO_THREAD; }
static bool in_UNSET(const struct event *e) { return e->is_unset; }
static bool in_WEAK(const struct event *e) { return event_is_memory(e) && e->sem == SEM_WEAK; }
static bool in_RLX(const struct event *e) { return event_is_memory(e) && e->sem == SEM_RELAXED; }
static bool in_ACQ(const struct event *e) { return e->sem == SEM_ACQUIRE; }
static bool in_REL(const struct event *e) { return e->sem == SEM_RELEASE; }
static bool in_ACQ_REL(const struct event *e) { return e->kind == EVENT_FENCE && e->sem == SEM_ACQ_REL; }
static bool in_SC(const struct event *e) { return e->sem == SEM_SC; }
static bool in_RED(const struct event *e) { return e->kind == EVENT_READ && e->is_red; }
static bool in_ATOM(const struct event *e) { return e->is_rmw; }
static bool in_ARRIVE(const struct event *e) { return e->kind == EVENT_ARRIVE; }
static bool in_WAIT(const struct event *e) { return e->kind == EVENT_WAIT; }
static bool in_WARP(const struct event *e) {
  return (e->kind == EVENT_ARRIVE || e->kind == EVENT_WAIT) && e->meeting.barrier->kind == BARRIER_WARP;
}
static bool in_UNUSED(const struct event *e) { return e->is_unused; }
static bool in_MULTIMEM(const struct event *e) { return e->is_multimem; }
static bool in_VOLATILE(const struct event *e) { return e->is_volatile; }
static bool in_MMIO(const struct event *e) { return e->is_mmio; }

#define PTX_SCOPE(id, word, cuda, set, meaning)                                                                        \
  static bool in_SCOPE_##id(const struct event *e) { return e->scope == SCOPE_##id; }
#include "ptx/words.def"

static bool in_X86(const struct event *e) { return e->host == HOST_X86; }
static bool in_A64(const struct event *e) { return e->host == HOST_A64; }
static bool in_LDAR(const struct event *e) { return e->kind == EVENT_READ && e->marks & HOST_A; }
static bool in_LDAPR(const struct event *e) { return e->kind == EVENT_READ && e->marks & HOST_Q; }
static bool in_STLR(const struct event *e) { return e->kind == EVENT_WRITE && e->marks & HOST_L; }
static bool in_MAPPED(const struct event *e) { return e->is_mapped; }

static bool in_GENERIC(const struct event *e) {
  return e->kind == EVENT_FENCE || (event_is_memory(e) && e->proxy == PROXY_GENERIC);
}

#define PTX_PROXY(id, word, load, store, set, meaning)                                                                 \
  static bool in_##id(const struct event *e) { return e->proxy == PROXY_##id; }
#include "ptx/words.def"

static bool in_ALIAS(const struct event *e) { return e->proxy == PROXY_ALIAS; }

/* An arrival that a thread makes by mbarrier.arrive or .arrive_drop: a release pattern may end in it. */
static bool in_ARRIVAL(const struct event *e) {
  return e->kind == EVENT_SIGNAL && !e->spawned && e->use->kind == USE_SIGNAL && e->use->arrivals > 0;
}

static bool in_ASYNC(const struct event *e) { return event_is_memory(e) && e->proxy == PROXY_ASYNC; }
static bool in_TENSORMAP(const struct event *e) { return event_is_memory(e) && e->proxy == PROXY_TENSORMAP; }
static bool in_ISSUED(const struct event *e) { return e->kind == EVENT_ISSUE; }
static bool in_SPAWNED(const struct event *e) { return e->spawned && event_is_memory(e); }
static bool in_COPIED(const struct event *e) { return in_SPAWNED(e) && e->operation->flies; }
static bool in_WAIT_READ(const struct event *e) { return e->waits_for_reads; }
static bool in_ASYNC_STORE(const struct event *e) {
  return in_SPAWNED(e) && e->operation->async->action == ASYNC_STORE;
}
static bool in_OWN_SHARED(const struct event *e) { return e->spawn.in_own_cta; }
static bool in_SOURCE(const struct event *e) { return e->spawn.is_source; }

static bool is_proxy_fence(const struct event *e, enum proxy proxy, enum one_way one_way) {
  return e->kind == EVENT_PROXY_FENCE && e->proxy == proxy && e->one_way == one_way;
}

static bool in_ASYNC_FENCE(const struct event *e) { return is_proxy_fence(e, PROXY_ASYNC, ONE_WAY_NOT); }
static bool in_ASYNC_ACQUIRE(const struct event *e) { return is_proxy_fence(e, PROXY_ASYNC, ONE_WAY_ACQUIRE); }
static bool in_MAP_RELEASE(const struct event *e) { return is_proxy_fence(e, PROXY_TENSORMAP, ONE_WAY_RELEASE); }
static bool in_MAP_ACQUIRE(const struct event *e) { return is_proxy_fence(e, PROXY_TENSORMAP, ONE_WAY_ACQUIRE); }
static bool in_INIT_FENCE(const struct event *e) { return is_proxy_fence(e, PROXY_GENERIC, ONE_WAY_INIT); }

static bool in_ASYNC_RELEASE(const struct event *e) {
  return is_proxy_fence(e, PROXY_ASYNC, ONE_WAY_RELEASE) || is_proxy_fence(e, PROXY_ASYNC, ONE_WAY_RELEASE_READS);
}

static bool in_RESTRICTED_RELEASE(const struct event *e) { return is_proxy_fence(e, PROXY_GENERIC, ONE_WAY_RELEASE); }
static bool in_RESTRICTED_ACQUIRE(const struct event *e) { return is_proxy_fence(e, PROXY_GENERIC, ONE_WAY_ACQUIRE); }

static bool in_TMEM(const struct event *e) { return event_is_memory(e) && e->proxy == PROXY_TMEM; }
static bool in_tensor(const struct event *e, enum async_action action) {
  return e->spawned && event_is_memory(e) && e->operation->async->action == action;
}
static bool in_TMEM_LOAD(const struct event *e) { return in_tensor(e, ASYNC_TENSOR_LOAD); }
static bool in_TMEM_STORE(const struct event *e) { return in_tensor(e, ASYNC_TENSOR_STORE); }
/* tcgen05.commit includes fence::before_thread_sync. */
static bool in_TMEM_BEFORE(const struct event *e) {
  bool commits = e->kind == EVENT_ISSUE && e->operation->async->action == ASYNC_TENSOR_COMMIT;
  return commits || is_proxy_fence(e, PROXY_TMEM, ONE_WAY_BEFORE);
}
static bool in_TMEM_AFTER(const struct event *e) { return is_proxy_fence(e, PROXY_TMEM, ONE_WAY_AFTER); }
static bool in_TMEM_WAIT_LOAD(const struct event *e) { return is_proxy_fence(e, PROXY_TMEM, ONE_WAY_LOADS); }
static bool in_TMEM_WAIT_STORE(const struct event *e) { return is_proxy_fence(e, PROXY_TMEM, ONE_WAY_STORES); }

static bool in_CELLS(const struct event *e) { return e->spawn.in_cells; }
static bool in_TMEM_ALLOC(const struct event *e) { return e->columns && !e->columns->frees; }
static bool in_PAIR_ALLOC(const struct event *e) { return in_TMEM_ALLOC(e) && e->columns->paired; }

static bool in_TEST(const struct event *e) { return e->kind == EVENT_TEST; }
static bool in_ASKED(const struct event *e) { return e->kind == EVENT_TEST && !e->is_awaited; }
static bool in_MB_INIT(const struct event *e) { return e->use && e->use->kind == USE_INIT; }
static bool in_MB_OPEN(const struct event *e) { return e->use && e->is_open; }
static bool in_EXIT(const struct event *e) { return e->kind == EVENT_EXIT; }
static bool in_MB_INVAL(const struct event *e) { return e->use && e->use->kind == USE_INVAL; }

static bool (*const members[])(const struct event *) = {
#define SET(id, name, meaning) [CAT_SET_##id] = in_##id,
#include "cat/builtin.def"
};

bool event_is_in(const struct event *event, enum cat_builtin set) { return members[set](event); }

static void fill_sets(struct skeleton *s) {
  uint32_t length = bitset_words(s->n);
  uint64_t *words = ARENA_ARRAY(s->arena, uint64_t, (size_t)length * CAT_SET_COUNT);
  for (int set = 0; set < CAT_SET_COUNT; set++, words += length) {
    s->sets[set] = (struct bitset){s->n, words};
    for (uint32_t e = 0; e < s->n; e++)
      if (event_is_in(skeleton_event(s, e), (enum cat_builtin)set)) bitset_add(s->sets[set], e);
    if (bitset_empty(s->sets[set])) builtins_add(&s->absent, (enum cat_builtin)set);
  }
}

/* ---- Relations ---- */

/* The number of a thread's part of the thread tree at a scope: equal for threads of one part. */
static uint32_t group_of(const struct skeleton *s, uint32_t thread, enum scope scope) {
  const struct thread *t = &s->program->threads[thread];
  switch (scope) {
    case SCOPE_NONE: return thread;
    case SCOPE_CTA: return t->cta_id;
    case SCOPE_CLUSTER: return t->cluster_id;
    case SCOPE_GPU: return t->gpu_id;
    case SCOPE_SYS: return 0;
  }
  BUG("scope %d", (int)scope);
}

/* The events of each group of a level (SCOPE_NONE: of each thread), for adding whole rows at a time. `home`: by the CTA
 * to which the events belong, else by their thread. */
static struct bitset *group_events(struct skeleton *s, enum scope scope, bool home) {
  struct bitset *groups = ARENA_ARRAY(s->arena, struct bitset, s->program->thread_count + 1);
  EACH_THREAD_EVENT (e, event, s) {
    struct bitset *group = &groups[group_of(s, home ? event->home : event->thread, scope)];
    if (!group->n) *group = bitset_new(s->arena, s->n);
    bitset_add(*group, e);
  }
  return groups;
}

static void same_group(struct skeleton *s, enum cat_builtin relation, enum scope scope) {
  struct bitset *groups = group_events(s, scope, false);
  for (uint32_t e = 0; e < s->first_init; e++)
    bitset_or(bitmat_row_set(s->must[relation], e), groups[group_of(s, skeleton_event(s, e)->thread, scope)]);
}

void bound_ID(struct skeleton *s) {
  for (uint32_t e = 0; e < s->n; e++) bitmat_add(s->must[CAT_REL_ID], e, e);
}

void bound_INT(struct skeleton *s) {
  same_group(s, CAT_REL_INT, SCOPE_NONE);
  for (uint32_t e = s->first_init; e < s->n; e++) bitmat_add(s->must[CAT_REL_INT], e, e);
}

void bound_EXT(struct skeleton *s) {
  bitmat_fill(s->must[CAT_REL_EXT]);
  bitmat_minus(s->must[CAT_REL_EXT], s->must[CAT_REL_INT]);
}

void bound_SCTA(struct skeleton *s) { same_group(s, CAT_REL_SCTA, SCOPE_CTA); }
void bound_SCLUSTER(struct skeleton *s) { same_group(s, CAT_REL_SCLUSTER, SCOPE_CLUSTER); }
void bound_SGPU(struct skeleton *s) { same_group(s, CAT_REL_SGPU, SCOPE_GPU); }

/* Program order: instructions in order; within one, a read before the write of its atomic, an arrival before its wait
 * (B1), and nothing between the elements of a vector (8.2.4). */
void bound_PO(struct skeleton *s) {
  for (uint32_t a = 0; a < s->first_init; a++)
    for (uint32_t b = a + 1; b < s->first_init && skeleton_event(s, b)->thread == skeleton_event(s, a)->thread; b++) {
      const struct event *x = skeleton_event(s, a), *y = skeleton_event(s, b);
      if (x->spawned || y->spawned) continue;
      if (x->step != y->step || (y->is_rmw && y->kind == EVENT_WRITE && y->partner == a) ||
          (y->kind == EVENT_WAIT && y->partner == a))
        bitmat_add(s->must[CAT_REL_PO], a, b);
    }
}

bool pairs_RMW(const struct skeleton *s, const struct event *x, const struct event *y) {
  return x->is_rmw && x->kind == EVENT_READ && skeleton_event(s, x->partner) == y;
}

void bound_INCL(struct skeleton *s) {
  struct bitmat incl = s->must[CAT_REL_INCL];
  for (int scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++) {
    struct bitset *groups = group_events(s, (enum scope)scope, true);
    EACH_THREAD_EVENT (e, event, s)
      if (event->scope == (enum scope)scope)
        bitset_or(bitmat_row_set(incl, e), groups[group_of(s, event->home, event->scope)]);
  }
}

void bound_SR(struct skeleton *s) {
  bitmat_inverse(s->must[CAT_REL_SR], s->must[CAT_REL_INCL]);
  bitmat_and(s->must[CAT_REL_SR], s->must[CAT_REL_INCL]);
}

/* The overlap of two byte ranges. */
struct overlap {
  bool loc, vloc, same, partial;
};

static struct overlap compare_places(const struct event *x, const struct place *p, const struct event *y,
                                     const struct place *q) {
  bool init = x->thread == NO_THREAD || y->thread == NO_THREAD;
  struct overlap o;
  o.loc = p->phys < q->phys + y->size && q->phys < p->phys + x->size;
  bool equal = p->phys == q->phys && x->size == y->size;
  /* An initial write is at every virtual address of its location. */
  o.vloc = init ? o.loc : p->vaddr < q->vaddr + y->size && q->vaddr < p->vaddr + x->size;
  o.same = init ? equal : p->vaddr == q->vaddr && x->size == y->size;
  o.partial = o.loc && !equal;
  return o;
}

static const enum cat_builtin place_relations[] = {CAT_REL_LOC, CAT_REL_VLOC, CAT_REL_SAME_RANGE, CAT_REL_PARTIAL};

bool skeleton_places_related(const struct skeleton *s, enum cat_builtin relation, uint32_t a, uint32_t place_a,
                             uint32_t b, uint32_t place_b) {
  const struct event *x = skeleton_event(s, a), *y = skeleton_event(s, b);
  struct overlap o = compare_places(x, &x->places[place_a], y, &y->places[place_b]);
  if (relation == CAT_REL_LOC) return o.loc;
  if (relation == CAT_REL_VLOC) return o.vloc;
  REQUIRE(relation == CAT_REL_SAME_RANGE || relation == CAT_REL_PARTIAL);
  return relation == CAT_REL_PARTIAL ? o.partial : o.same;
}

static void relate_places(struct skeleton *s, uint32_t a, uint32_t b) {
  const struct event *x = skeleton_event(s, a), *y = skeleton_event(s, b);
  unsigned may = 0, must = 15;
  for (uint32_t i = 0; i < x->place_count; i++)
    for (uint32_t j = 0; j < y->place_count; j++) {
      if (a == b && i != j) continue;
      struct overlap o = compare_places(x, &x->places[i], y, &y->places[j]);
      unsigned holds = (unsigned)o.loc | (unsigned)o.vloc << 1 | (unsigned)o.same << 2 | (unsigned)o.partial << 3;
      may |= holds;
      must &= holds;
    }
  for (unsigned k = 0; k < ARRAY_LEN(place_relations); k++) {
    if (may >> k & 1) bitmat_add(s->may[place_relations[k]], a, b);
    if (may >> k & must >> k & 1) bitmat_add(s->must[place_relations[k]], a, b);
  }
}

/* The events whose cells a given event may touch, from the lists by chunk. */
static void near_events(const struct skeleton *s, const struct event *e, struct bitset out) {
  ARRAY_EACH (place, e->places, e->place_count)
    for (uint32_t c = place->chunk_begin; c < place->chunk_end; c++) {
      bitset_or(out, s->readers[c]);
      bitset_or(out, s->writers[c]);
    }
}

void bound_LOC(struct skeleton *s) {
  for (uint32_t a = 0; a < s->n; a++) {
    struct bitset near = bitset_new(s->arena, s->n);
    near_events(s, skeleton_event(s, a), near);
    EACH (b, near) relate_places(s, a, b);
  }
}

void bound_RF(struct skeleton *s) {
  for (uint32_t c = 0; c < s->chunk_count; c++) {
    uint32_t only = bitset_next(s->writers[c], 0);
    bool one = bitset_next(s->writers[c], only + 1) == s->n;
    EACH (w, s->writers[c]) bitset_or(bitmat_row_set(s->may[CAT_REL_RF], w), s->readers[c]);
    EACH (r, s->readers[c])
      if (one && skeleton_event(s, r)->place_count == 1) bitmat_add(s->must[CAT_REL_RF], only, r);
  }
}

void bound_CO(struct skeleton *s) {
  for (uint32_t c = 0; c < s->chunk_count; c++)
    EACH (w, s->writers[c]) bitset_or(bitmat_row_set(s->may[CAT_REL_CO], w), s->writers[c]);
  for (uint32_t w = 0; w < s->n; w++) {
    struct bitset row = bitmat_row_set(s->may[CAT_REL_CO], w);
    bitset_del(row, w);
    for (uint32_t init = s->first_init; init < s->n; init++) bitset_del(row, init);
  }
  for (uint32_t init = s->first_init; init < s->n; init++) {
    bitset_or(bitmat_row_set(s->must[CAT_REL_CO], init), bitmat_row_set(s->must[CAT_REL_LOC], init));
    bitset_and(bitmat_row_set(s->must[CAT_REL_CO], init), bitmat_row_set(s->may[CAT_REL_CO], init));
  }
}

void bound_FR(struct skeleton *s) {
  for (uint32_t c = 0; c < s->chunk_count; c++)
    EACH (r, s->readers[c]) {
      struct bitset row = bitmat_row_set(s->may[CAT_REL_FR], r);
      bitset_or(row, s->writers[c]);
      for (uint32_t init = s->first_init; init < s->n; init++) bitset_del(row, init);
    }
}

void bound_SC_ORDER(struct skeleton *s) {
  struct bitset fences = s->sets[CAT_SET_SC];
  EACH (a, fences) {
    struct bitset row = bitmat_row_set(s->may[CAT_REL_SC_ORDER], a);
    bitset_or(row, bitmat_row_set(s->must[CAT_REL_SR], a));
    bitset_or(row, bitmat_row_set(s->must[CAT_REL_INT], a));
    bitset_and(row, fences);
    bitset_del(row, a);
  }
}

bool pairs_SDOMAIN(const struct skeleton *s, const struct event *x, const struct event *y) {
  return s->program->threads[x->thread].domain == s->program->threads[y->thread].domain;
}

/* The value of an arrival flows to the waits of its phase (G35): reads that it depends on also reach their bar.red or
 * shfl. */
void bound_DATA(struct skeleton *s) {
  struct bitmat may = s->may[CAT_REL_DATA], must = s->must[CAT_REL_DATA];
  for (uint32_t x = 0; x < s->first_init; x++)
    EACH_THREAD_EVENT (w, wait, s) {
      if (!skeleton_flows(s, x, w)) continue;
      bitmat_add(may, x, w);
      if (skeleton_must_share(s, x, wait->partner)) bitmat_add(must, x, w);
    }
}

/* Bounds `gathers`: only accesses of one instruction are between the arrival of a lane and its wait. */
void bound_GATHERS(struct skeleton *s) {
  EACH_THREAD_EVENT (w, wait, s) {
    if (wait->kind != EVENT_WAIT || wait->meeting.barrier->kind != BARRIER_LANES) continue;
    for (uint32_t e = wait->partner + 1; e < w; e++) {
      bitmat_add(s->must[CAT_REL_GATHERS], e, wait->partner);
      bitmat_add(s->must[CAT_REL_GATHERS], w, e);
    }
  }
}

static const struct {
  void (*all)(struct skeleton *s);
  bool (*pairs)(const struct skeleton *s, const struct event *x, const struct event *y);
  bool joined;
} bounds_of[CAT_BUILTIN_COUNT] = {
#define BOUNDS(id) [CAT_REL_##id] = {.all = bound_##id},
#define PAIRS(id) [CAT_REL_##id] = {.pairs = pairs_##id},
#define JOINED(id) [CAT_REL_##id] = {.joined = true},
#define GIVEN(id)
#define REL(id, name, needs, bounds, traits, meaning) bounds(id)
#define REL_OPEN(id, name, needs, bounds, member, depends, traits, meaning) bounds(id)
#include "cat/builtin.def"
};

static void bound(struct skeleton *s, enum cat_builtin relation) {
  if (bounds_of[relation].all) bounds_of[relation].all(s);
  if (!bounds_of[relation].pairs) return;
  EACH_THREAD_EVENT (a, x, s)
    EACH_THREAD_EVENT (b, y, s)
      if (bounds_of[relation].pairs(s, x, y)) bitmat_add(s->must[relation], a, b);
}

/* True if a test has no event of the kind at which the relation begins, or ends: then it has no pair. */
static bool is_absent(const struct skeleton *s, enum cat_builtin relation) {
  const bool operations = s->operations.len, mbarriers = s->mbarriers.len, launches = s->program->launch_count;
  switch (relation) {
#define HAS(set) !builtins_have(&s->absent, CAT_SET_##set)
#define ANY true
#define DEPENDENCIES s->must[relation].words != NULL
#define ATOMICS HAS(ATOM)
#define SC_FENCES HAS(SC)
#define BARRIERS HAS(ARRIVE) || HAS(WAIT)
#define OPERATIONS operations
#define FENCES HAS(FENCE)
#define MAP_FENCES HAS(MAP_ACQUIRE)
#define ALLOCATIONS HAS(TMEM_ALLOC)
#define TMEM_WAITS HAS(TMEM_WAIT_LOAD) || HAS(TMEM_WAIT_STORE)
#define EXITS HAS(EXIT)
#define HOSTS s->program->host != HOST_NONE
#define LAUNCHES launches
#define MBARRIERS mbarriers
#define REL(id, name, needs, bounds, traits, meaning) case CAT_REL_##id: return !(needs);
#define REL_OPEN(id, name, needs, bounds, member, depends, traits, meaning) case CAT_REL_##id: return !(needs);
#define SET(id, name, meaning) case CAT_SET_##id:
#include "cat/builtin.def"
    case CAT_BUILTIN_COUNT: return false;
  }
  BUG("builtin %d", (int)relation);
}

/* Spare matrices. Most relations are empty in a test, and most others have equal bounds and share one matrix; a matrix
 * that this frees serves the next relation. */
struct room {
  struct bitmat nothing;
  VEC(struct bitmat) spare;
};

static struct bitmat take(struct skeleton *s, struct room *room) {
  return room->spare.len ? room->spare.data[--room->spare.len] : bitmat_new(s->arena, s->n);
}

static void make_room(struct skeleton *s, struct room *room, enum cat_builtin relation) {
  if (!s->may[relation].words) s->may[relation] = take(s, room);
  if (!s->must[relation].words) s->must[relation] = take(s, room);
}

static void share(struct skeleton *s, struct room *room, struct bitmat *m, struct bitmat equal) {
  VEC_PUSH(s->arena, &room->spare, *m);
  *m = equal;
}

static void share_bounds(struct skeleton *s, struct room *room, enum cat_builtin relation) {
  struct bitmat *may = &s->may[relation], *must = &s->must[relation];
  bool fixed = bitmat_equal(*may, *must), never = bitmat_empty(*may);
  if (never) builtins_add(&s->absent, relation);
  if (never || bitmat_empty(*must)) bitmat_clear(*must), share(s, room, must, room->nothing);
  if (never) share(s, room, may, room->nothing);
  else if (fixed) bitmat_clear(*must), share(s, room, must, *may);
}

void skeleton_relate(struct skeleton *s, const struct dependencies *dependencies) {
  struct room room = {.nothing = bitmat_new(s->arena, s->n)};
  fill_sets(s);
  skeleton_happens(s);
  for (int id = CAT_SET_COUNT; id < CAT_BUILTIN_COUNT; id++)
    if (bounds_of[id].joined && !is_absent(s, (enum cat_builtin)id)) make_room(s, &room, (enum cat_builtin)id);
  VEC_EACH (d, dependencies) {
    make_room(s, &room, d->kind);
    bitmat_add(s->must[d->kind], d->from, d->to);
  }
  for (int id = CAT_SET_COUNT; id < CAT_BUILTIN_COUNT; id++) {
    enum cat_builtin relation = (enum cat_builtin)id;
    if (is_absent(s, relation)) {
      s->may[relation] = s->must[relation] = room.nothing;
      builtins_add(&s->absent, relation);
      continue;
    }
    make_room(s, &room, relation);
    bound(s, relation);
    bitmat_or(s->may[relation], s->must[relation]);
    share_bounds(s, &room, relation);
  }
}
