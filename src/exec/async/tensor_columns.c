/* Columns of tensor memory allocated and freed (9.7.18.7; docs/async.md AG4): an event for each tcgen05.alloc and
 * dealloc in program order. If only one warp of a CTA allocates, its program order determines the columns of each
 * allocation; else allocator.c does. */
#include "exec/async/tensor.h"

enum { COLUMN_UNIT = 32 };

/* ---- Pairs of CTAs ---- */

bool pairs_PEER(const struct skeleton *s, const struct event *x, const struct event *y) {
  bool allocates = x->columns && x->columns->paired && !x->columns->frees;
  return allocates && !y->spawned && s->program->threads[y->thread].cta_id == x->columns->peer;
}

static bool has_action(const struct thread *thread, enum async_action action) {
  return SOME(ARRAY_EACH (in, thread->instrs, thread->instr_count),
              in->kind == INSTR_ASYNC && in->async->action == action);
}

/* True if no other warp of the thread's CTA, and at most one of its peer, has such instructions. */
static bool is_of_one_warp(const struct walk *w, uint32_t peer) {
  const struct program *program = w->s->program;
  uint32_t of_peer = (uint32_t)NO_THREAD;
  ARRAY_EACH (t, program->threads, program->thread_count) {
    if (!has_action(t, w->instr->async->action)) continue;
    if (t->cta_id == walk_own(w)->cta_id && t->warp_id != walk_own(w)->warp_id) return false;
    if (t->cta_id != peer) continue;
    if (of_peer != NO_THREAD && of_peer != t->warp_id) return false;
    of_peer = t->warp_id;
  }
  return true;
}

/* tcgen05.alloc, dealloc and relinquish of a pair are one operation of two warps, one in each CTA. The one that comes
 * first may wait or go on. So the meeting orders nothing, and it matters only if the other warp never comes: then the
 * first may wait for ever. */
static void meet_peer(struct walk *w, bool first) {
  uint32_t peer = tensor_peer(w);
  if (!w->s->options.precise || !w->instr->async->tensor->paired || !first || peer == NO_THREAD ||
      !is_of_one_warp(w, peer))
    return;
  struct barrier *barrier = ARENA_NEW(w->s->arena, struct barrier);
  *barrier = (struct barrier){.kind = BARRIER_PAIR,
                              .action = BARRIER_SYNC,
                              .id = {.kind = OPERAND_IMM, .imm = w->instr->async->action},
                              .count = {.kind = OPERAND_IMM, .imm = 2}};
  w->base.meeting.barrier = barrier;
  walk_add_wait(w, walk_add_arrival(w, barrier));
  w->base.meeting.barrier = NULL;
  w->base.exec = term_and(w->terms, w->path->guard, w->predicate);
}

/* ---- Columns ---- */

/* The event of an allocation, or of its end, in program order. */
static struct event columns_event(struct walk *w, uint32_t begin, uint32_t count, bool frees) {
  struct columns *columns = ARENA_NEW(w->s->arena, struct columns);
  struct event event = w->base;
  *columns = (struct columns){.cta = walk_own(w)->cta_id,
                              .begin = begin,
                              .count = count,
                              .frees = frees,
                              .paired = w->instr->async->tensor->paired,
                              .peer = tensor_peer(w),
                              .partner = NO_PARTNER,
                              .kept = TERM_FALSE};
  event.kind = EVENT_PROXY_FENCE;
  event.proxy = PROXY_TMEM;
  event.one_way = ONE_WAY_FREES;
  event.value = TERM_TRUE;
  event.columns = columns;
  return event;
}

/* 32 to 512, a power of 2 (9.7.18.7.1). */
static bool known_columns(struct walk *w, uint32_t *count) {
  if (!walk_known(w, &w->instr->async->tensor->count, 32, REASON_TENSOR_COUNT, count)) return false;
  return walk_needs(w, *count >= COLUMN_UNIT && *count <= TENSOR_COLUMNS && !(*count & (*count - 1)),
                    REASON_TENSOR_COLUMNS);
}

/* Finds the columns that are free when a thread allocates, if only its warp allocates in the CTA. False: the order of
 * warps determines them. */
static bool find_free(struct walk *w, uint32_t count, uint32_t *begin) {
  bool used[TENSOR_COLUMNS] = {false}, before = false;
  EACH_EVENT_OF (e, event, w->s) {
    const struct columns *columns = event->columns;
    if (!columns || event->thread != w->base.thread || columns->begin + columns->count > TENSOR_COLUMNS) continue;
    before = true;
    for (uint32_t i = 0; i < columns->count; i++) used[columns->begin + i] = !columns->frees;
  }
  for (*begin = 0; *begin + count <= TENSOR_COLUMNS; *begin += COLUMN_UNIT) {
    uint32_t i = FIND_BELOW(n, count, used[*begin + n]);
    if (i == count) break;
  }
  return !allocator_decides(w, *begin + count > TENSOR_COLUMNS, before);
}

static bool has_relinquished(const struct walk *w) {
  EACH_EVENT_OF (e, event, w->s) {
    bool own = event->columns && event->thread == w->base.thread;
    if (own && event->columns->frees && !event->columns->count) return true;
  }
  return false;
}

/* The k-th allocation of each lane of a warp is the same allocation: the first lane in the test writes the address. */
static bool is_first_lane(const struct walk *w) {
  const struct thread *threads = w->s->program->threads;
  return EVERY_BELOW(t, w->base.thread, threads[t].warp_id != threads[w->base.thread].warp_id);
}

/* tcgen05.alloc blocks until there are enough columns, and allocates the lowest ones. Its write is a weak generic one,
 * in program order (G89). */
void walk_tensor_alloc(struct walk *w) {
  const struct async *async = w->instr->async;
  struct allocation own = {.reads = walk_no_reads(w)};
  uint32_t count;
  bool first = is_first_lane(w);
  if (!walk_models(w, !w->path->parted && term_is_const(w->terms, w->predicate), REASON_TENSOR_ALLOC)) return;
  if (!tensor_group(w) || !known_columns(w, &count)) return;
  if (has_relinquished(w)) walk_hazard(w, w->base.exec, REASON_TENSOR_RELINQUISHED);
  if (!find_free(w, count, &own.begin) && !allocator_take(w, count, first, &own)) return;
  meet_peer(w, first);
  struct event event = columns_event(w, own.begin, count, false);
  term_id where = walk_address(w, &async->to, 0);
  if (!term_is_const(w->terms, where)) walk_refuse(w, REASON_ASYNC_ADDRESS, w->instr->span);
  tensor_columns(w, own.begin, count);
  tensor_slot(w, (uint32_t)term_get(w->terms, where)->constant, own.begin);
  if (first) {
    event.kind = EVENT_WRITE;
    event.proxy = PROXY_GENERIC;
    event.one_way = ONE_WAY_NOT;
    event.sem = SEM_WEAK;
    event.scope = SCOPE_NONE;
    event.size = TENSOR_CELL;
    event.element = own.address ? 2 : 0;
    event.address = where;
    event.value = own.address ? own.address : term_const(w->terms, own.begin, 8 * TENSOR_CELL);
  }
  walk_depend(w, CAT_REL_DATA, own.reads, walk_add_event(w, event));
}

/* Finds the allocation of the thread that a dealloc ends: the last one of these columns that is not freed. */
static void pair_columns(struct walk *w, uint32_t number) {
  struct columns *freed = skeleton_event(w->s, number)->columns;
  for (uint32_t e = number; e-- > 0 && freed->partner == NO_PARTNER;) {
    struct columns *columns = skeleton_event(w->s, e)->columns;
    if (!columns || columns->frees || skeleton_event(w->s, e)->thread != w->base.thread ||
        columns->begin != freed->begin || columns->count != freed->count || columns->partner != NO_PARTNER)
      continue;
    columns->partner = number;
    freed->partner = e;
  }
}

void walk_tensor_free(struct walk *w) {
  uint32_t where, count;
  if (!tensor_group(w) || !known_columns(w, &count) || !tensor_address(w, &w->instr->async->from, &where)) return;
  if (where >> 16) {
    walk_hazard(w, w->base.exec, REASON_TENSOR_FREED);
    return;
  }
  meet_peer(w, is_first_lane(w));
  pair_columns(w, walk_add_event(w, columns_event(w, where & 0xffff, count, true)));
  if (allocator_rules(w) && is_first_lane(w)) allocator_free(w, count);
}

/* tcgen05.relinquish_alloc_permit: no allocation may follow. */
void walk_tensor_relinquish(struct walk *w) {
  if (!tensor_group(w)) return;
  meet_peer(w, is_first_lane(w));
  walk_add_event(w, columns_event(w, 0, 0, true));
  if (allocator_rules(w) && is_first_lane(w)) allocator_relinquish(w);
}

/* ---- The end ---- */

void walk_tensor_end(struct walk *w, uint32_t thread) {
  EACH_EVENT_OF (e, event, w->s) {
    if (!event->columns || event->columns->frees || event->thread != thread) continue;
    term_id freed =
        event->columns->partner == NO_PARTNER ? TERM_FALSE : skeleton_event(w->s, event->columns->partner)->exec;
    event->columns->kept = term_and(w->terms, w->path->guard, term_not(w->terms, freed));
  }
}

/* True if an allocation may be freed by this dealloc of another thread. */
static bool may_free(const struct skeleton *s, uint32_t allocation, uint32_t free) {
  const struct event *a = skeleton_event(s, allocation), *b = skeleton_event(s, free);
  if (!b->columns || !b->columns->frees || !b->columns->count || b->columns->partner != NO_PARTNER) return false;
  return a->thread != b->thread && a->columns->cta == b->columns->cta && a->columns->begin == b->columns->begin &&
         a->columns->count == b->columns->count && a->columns->partner == NO_PARTNER;
}

/* Hazards for columns that are never freed, and for columns freed that were not allocated. */
void walk_tensor_ends(struct walk *w) {
  struct skeleton *s = w->s;
  allocator_check(w);
  EACH_EVENT_OF (e, event, s) {
    if (!event->columns || (event->columns->frees && !event->columns->count)) continue;
    bool frees = event->columns->frees, matched = frees && event->columns->partner != NO_PARTNER;
    term_id when = frees ? event->exec : event->columns->kept;
    for (uint32_t other = 0; other < s->events.len && !matched; other++) {
      const struct event *x = skeleton_event(s, other);
      matched = frees ? x->columns && !x->columns->frees && may_free(s, other, e) : may_free(s, e, other);
    }
    if (!matched) skeleton_event_hazard(s, when, frees ? REASON_TENSOR_FREED : REASON_TENSOR_KEPT, event);
  }
}

/* ---- Relations ---- */

static bool has_access(const struct skeleton *s, const struct columns *columns, const struct event *access) {
  if (!access->spawn.in_cells) return false;
  value_t address = term_get(&s->terms, access->address)->constant;
  const struct view *view = skeleton_view(s, address);
  uint32_t column = (uint32_t)(address - view->vaddr) / TENSOR_CELL % TENSOR_WIDTH;
  return skeleton_object(s, view)->owner == columns->cta && column >= columns->begin &&
         column < columns->begin + columns->count;
}

void bound_COLUMNS(struct skeleton *s) {
  for (uint32_t a = 0; a < s->first_init; a++) {
    const struct columns *columns = skeleton_event(s, a)->columns;
    for (uint32_t x = 0; x < s->first_init && columns; x++) {
      if (has_access(s, columns, skeleton_event(s, x))) bitmat_add(s->must[CAT_REL_COLUMNS], a, x);
      if (!columns->frees && (columns->partner == x || may_free(s, a, x))) bitmat_add(s->must[CAT_REL_FREED], a, x);
    }
  }
}

/* ---- Lanes of a warp ---- */

/* Loads, stores and waits are operations of a warp (.sync.aligned): the k-th one of each lane is the same. */
typedef bool is_of_warp(const struct event *e);

static bool is_wait(const struct event *e) {
  return e->kind == EVENT_PROXY_FENCE && (e->one_way == ONE_WAY_LOADS || e->one_way == ONE_WAY_STORES);
}

static bool is_store(const struct event *e) {
  return e->kind == EVENT_ISSUE && e->operation->async->action == ASYNC_TENSOR_STORE;
}

static uint32_t next_of(const struct skeleton *s, is_of_warp *is, uint32_t thread, uint32_t from) {
  while (from < s->first_init && !(skeleton_event(s, from)->thread == thread && is(skeleton_event(s, from)))) from++;
  return from;
}

static uint32_t count_of(const struct skeleton *s, is_of_warp *is, uint32_t thread) {
  uint32_t count = 0;
  for (uint32_t e = next_of(s, is, thread, 0); e < s->first_init; e = next_of(s, is, thread, e + 1)) count++;
  return count;
}

static void join_waits(struct skeleton *s, uint32_t a, uint32_t b) {
  if (skeleton_event(s, a)->one_way != skeleton_event(s, b)->one_way) return;
  bitmat_add(s->must[CAT_REL_TOGETHER], a, b);
  bitmat_add(s->must[CAT_REL_TOGETHER], b, a);
}

static void join_stores(struct skeleton *s, uint32_t a, uint32_t b) {
  const struct operation *x = skeleton_event(s, a)->operation, *y = skeleton_event(s, b)->operation;
  for (uint32_t i = x->issue + 1; i < x->end; i++)
    for (uint32_t k = y->issue + 1; k < y->end; k++) {
      bitmat_add(s->must[CAT_REL_SAMEOP], i, k);
      bitmat_add(s->must[CAT_REL_SAMEOP], k, i);
    }
}

static void join_lanes(struct skeleton *s, is_of_warp *is, void (*join)(struct skeleton *, uint32_t, uint32_t)) {
  const struct thread *threads = s->program->threads;
  for (uint32_t t = 0; t < s->program->thread_count; t++)
    for (uint32_t u = t + 1; u < s->program->thread_count; u++) {
      if (threads[t].warp_id != threads[u].warp_id || count_of(s, is, t) != count_of(s, is, u)) continue;
      uint32_t a = next_of(s, is, t, 0), b = next_of(s, is, u, 0);
      for (; a < s->first_init; a = next_of(s, is, t, a + 1), b = next_of(s, is, u, b + 1)) join(s, a, b);
    }
}

void bound_TOGETHER(struct skeleton *s) { join_lanes(s, is_wait, join_waits); }
void skeleton_join_stores(struct skeleton *s) { join_lanes(s, is_store, join_stores); }
