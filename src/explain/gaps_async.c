/* When gaps of the document about asynchronous operations (gaps.def, G43 to G81) bear on an explanation. */
#include "explain/look.h"
#include "litmus/ast.h"

static const struct instr *instr_of(const struct look *l, uint32_t event) {
  return event_of(l, event)->thread == NO_THREAD ? NULL : event_instr(l->skeleton, event);
}

static bool is_async(const struct look *l, uint32_t event, enum async_action action) {
  const struct instr *in = instr_of(l, event);
  return in && in->kind == INSTR_ASYNC && in->async->action == action;
}

static bool is_access_of(const struct event *e, enum proxy proxy) { return event_is_memory(e) && e->proxy == proxy; }

static bool from_other_cta(const struct look *l, uint32_t a, uint32_t b) {
  const struct thread *threads = l->skeleton->program->threads;
  return threads[event_of(l, a)->thread].cta_id != threads[event_of(l, b)->thread].cta_id;
}

static bool is_copy_signal(const struct look *l, uint32_t a, uint32_t b) {
  const struct instr *in = instr_of(l, a);
  return in && in->kind == INSTR_ASYNC && event_of(l, a)->thread != event_of(l, b)->thread;
}

static bool is_relaxed_test(const struct look *l, uint32_t event, const struct event *e) {
  const struct instr *in = instr_of(l, event);
  return in && in->kind == INSTR_MBARRIER && in->mbarrier->action >= MBARRIER_TEST && e->sem == SEM_RELAXED;
}

static bool waits_for_reads(const struct look *l, uint32_t a, uint32_t b) {
  const struct instr *in = instr_of(l, b);
  (void)a;
  return in && in->kind == INSTR_GROUP && in->group->reads_only;
}

static bool copy_then_read(const struct look *l, uint32_t write, uint32_t read) {
  return is_access_of(event_of(l, write), PROXY_ASYNC) && is_access_of(event_of(l, read), PROXY_GENERIC);
}

static bool is_async_access(const struct look *l, uint32_t event, const struct event *e) {
  (void)l, (void)event;
  return is_access_of(e, PROXY_ASYNC);
}

static bool is_cp_async(const struct look *l, uint32_t event, const struct event *e) {
  return event_is_memory(e) && is_async(l, event, ASYNC_COPY);
}

static bool is_async_store(const struct look *l, uint32_t event, const struct event *e) {
  return event_is_memory(e) && is_async(l, event, ASYNC_STORE);
}

static bool is_mma_fence(const struct look *l, uint32_t event, const struct event *e) {
  const struct instr *in = instr_of(l, event);
  (void)e;
  return in && in->kind == INSTR_GROUP && in->group->fences;
}

static bool is_async_fence(const struct look *l, uint32_t event, const struct event *e) {
  (void)l, (void)event;
  return e->kind == EVENT_PROXY_FENCE && e->proxy == PROXY_ASYNC;
}

static bool is_map_fence(const struct look *l, uint32_t event, const struct event *e) {
  (void)l, (void)event;
  return e->kind == EVENT_PROXY_FENCE && e->proxy == PROXY_TENSORMAP;
}

static bool is_one_way(const struct look *l, uint32_t event, const struct event *e) {
  const struct instr *in = instr_of(l, event);
  bool restricted = e->kind == EVENT_PROXY_FENCE && e->proxy == PROXY_GENERIC && e->one_way != ONE_WAY_INIT;
  return in && (restricted || (is_async_fence(l, event, e) && in->one_way != ONE_WAY_NOT));
}

static bool is_async_atomic(const struct look *l, uint32_t event, const struct event *e) {
  return is_async_access(l, event, e) && e->is_rmw;
}

static bool is_atomic(const struct look *l, uint32_t event, const struct event *e) {
  (void)l, (void)event;
  return is_access_of(e, PROXY_GENERIC) && e->is_rmw;
}

bool remote_signal(const struct look *l) { return some_step(l, "phase", from_other_cta); }
bool phase_told(const struct look *l) { return some_step(l, "phase", NULL); }
bool copy_signal(const struct look *l) { return some_step(l, "phase", is_copy_signal); }
bool relaxed_test(const struct look *l) { return some_event(l, is_relaxed_test); }
bool read_waited(const struct look *l) { return some_step(l, "waited", waits_for_reads); }
bool proxy_fence(const struct look *l) { return some_event(l, is_async_fence) || some_missing(l, "fence.proxy.async"); }
bool write_after_read(const struct look *l) {
  return l->out->kind == EXPLAIN_ALLOWED && some_step(l, "rf", copy_then_read);
}
bool copied_generic(const struct look *l) { return some_event(l, is_cp_async) && some_event(l, is_async_access); }
bool async_store(const struct look *l) { return some_event(l, is_async_store); }
bool mma_fence(const struct look *l) { return some_event(l, is_mma_fence); }
bool map_fence(const struct look *l) { return some_event(l, is_map_fence); }
bool one_way(const struct look *l) { return some_event(l, is_one_way); }
bool inner_step(const struct look *l) { return some_step(l, "inner", NULL); }
bool two_atomics(const struct look *l) { return some_event(l, is_async_atomic) && some_event(l, is_atomic); }
bool grid_proxy(const struct look *l) { return some_step(l, "ended", NULL) && some_event(l, is_async_access); }

bool async_twice(const struct look *l) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < l->out->events.len; i++) count += is_access_of(event_at(l, i), PROXY_ASYNC);
  return count > 1;
}

bool grids_unordered(const struct look *l) {
  const struct thread *threads = l->skeleton->program->threads;
  uint32_t grid = UINT32_MAX;
  if (l->out->kind != EXPLAIN_ALLOWED || some_step(l, "ended", NULL)) return false;
  for (uint32_t i = 0; i < l->out->events.len; i++) {
    uint32_t thread = event_at(l, i)->thread;
    if (thread == NO_THREAD) continue;
    if (grid != UINT32_MAX && threads[thread].grid != grid) return true;
    grid = threads[thread].grid;
  }
  return false;
}

/* ---- Phases ---- */

/* Whether the last signal of the phase that a test is true of is an expect_tx. */
static bool ends_with_expect(const struct look *l, uint32_t signal, uint32_t test) {
  uint32_t last = signal;
  for (uint32_t s = 0; s < l->skeleton->first_init; s++)
    if (bitmat_has(l->x->phases, s, test) && l->x->turn[s] > l->x->turn[last]) last = s;
  const struct instr *in = instr_of(l, last);
  return in && in->kind == INSTR_MBARRIER && in->mbarrier->action == MBARRIER_EXPECT;
}

static bool is_fresh_test(const struct look *l, uint32_t event, const struct event *e) {
  return e->kind == EVENT_TEST && e->use->parity && e->use->phase == 1 && l->x->reached[event] == 0;
}

/* An arrival in a phase though no true test of the one before comes before it. */
static bool is_unseen(const struct look *l, uint32_t event, const struct event *e) {
  bool next = false;
  if (e->kind != EVENT_SIGNAL || e->spawned) return false;
  for (uint32_t s = 0; s < l->skeleton->first_init; s++) {
    if (!bitmat_has(l->x->next_phase, s, event)) continue;
    next = true;
    for (uint32_t t = 0; t < l->skeleton->first_init; t++)
      if (bitmat_has(l->x->phases, s, t) && bitmat_has(l->x->mo, t, event)) return false;
  }
  return next;
}

static bool is_given_up(const struct look *l, uint32_t event, const struct event *e) {
  const struct instr *in = instr_of(l, event);
  return e->kind == EVENT_TEST && in->mbarrier->action == MBARRIER_TRY && !l->x->terms[e->value];
}

/* Of an outcome that is allowed, all that happens in the execution bears on it, told or not. */
static bool some_happening(const struct look *l, test_event *test) {
  if (l->out->kind != EXPLAIN_ALLOWED) return some_event(l, test);
  for (uint32_t e = 0; e < l->skeleton->first_init; e++)
    if (bitset_has(l->x->exec, e) && test(l, e, event_of(l, e))) return true;
  return false;
}

bool expect_completes(const struct look *l) { return some_step(l, "phase", ends_with_expect); }
bool fresh_parity(const struct look *l) { return some_happening(l, is_fresh_test); }
bool phase_unseen(const struct look *l) { return some_happening(l, is_unseen); }
bool gave_up(const struct look *l) { return some_happening(l, is_given_up); }

/* ---- Pairs of accesses that are told ---- */

static bool some_pair(const struct look *l, test_pair *test) {
  for (uint32_t i = 0; i < l->out->events.len; i++)
    for (uint32_t k = 0; k < l->out->events.len; k++)
      if (i != k && test(l, told_at(l, i), told_at(l, k))) return true;
  return false;
}

static bool is_flight(const struct event *e) { return e->spawned && event_is_memory(e); }

static bool of_two_homes(const struct look *l, uint32_t a, uint32_t b) {
  bool both = is_access_of(event_of(l, a), PROXY_ASYNC) && is_access_of(event_of(l, b), PROXY_ASYNC);
  return both && bitmat_has(l->x->loc, a, b) && !bitmat_has(l->skeleton->must[CAT_REL_HOME], a, b);
}

static bool strong_by_two_proxies(const struct look *l, uint32_t a, uint32_t b) {
  const struct event *e = event_of(l, a), *f = event_of(l, b);
  return is_access_of(e, PROXY_ASYNC) && is_access_of(f, PROXY_GENERIC) && event_is_strong(e) && event_is_strong(f) &&
         !e->is_rmw && bitmat_has(l->x->loc, a, b);
}

static bool write_in_flight(const struct look *l, uint32_t a, uint32_t b) {
  const struct event *e = event_of(l, a), *f = event_of(l, b);
  bool writes =
      e->kind == EVENT_WRITE && f->kind == EVENT_WRITE && f->thread != NO_THREAD && e->operation != f->operation;
  return writes && is_flight(e) && e->operation->flies && bitmat_has(l->x->loc, a, b) && !bitmat_has(l->x->co, a, b) &&
         !bitmat_has(l->x->co, b, a);
}

static bool of_two_products(const struct look *l, uint32_t a, uint32_t b) {
  return is_async(l, a, ASYNC_MMA) && is_async(l, b, ASYNC_MMA) &&
         event_of(l, a)->operation != event_of(l, b)->operation;
}

bool copy_to_copy(const struct look *l) { return some_pair(l, of_two_homes); }
bool strong_proxies(const struct look *l) { return some_pair(l, strong_by_two_proxies); }
bool writes_race(const struct look *l) { return some_pair(l, write_in_flight); }
bool mma_again(const struct look *l) { return some_pair(l, of_two_products); }

/* ---- Fences, copies ---- */

/* A fence for the CTA's own memory, and an access to that by an instruction that says .shared::cluster. */
static bool reaches_own(const struct look *l, uint32_t a, uint32_t b) {
  const struct instr *fence = instr_of(l, a), *in = instr_of(l, b);
  if (!fence || fence->kind != INSTR_PROXY_FENCE || !fence->own_cta || !in || !is_flight(event_of(l, b))) return false;
  bool named = false;
  for (const struct litmus_word *word = in->ast->qualifiers.first; word; word = word->next)
    named |= strcmp(word->text, ".shared::cluster") == 0;
  return named && bitmat_has(l->skeleton->must[CAT_REL_COVERS], a, b);
}

static bool is_multicast_read(const struct look *l, uint32_t event, const struct event *e) {
  const struct instr *in = instr_of(l, event);
  return is_flight(e) && e->is_source && in->async->ctas.kind != OPERAND_NONE;
}

static bool is_piece(const struct look *l, uint32_t event, const struct event *e) {
  uint32_t accesses = 0;
  (void)event;
  if (!is_access_of(e, PROXY_ASYNC)) return false;
  for (uint32_t i = e->operation->issue + 1; i < e->operation->end; i++) {
    const struct event *other = event_of(l, i);
    accesses += other->kind == e->kind && other->home == e->home && other->is_source == e->is_source &&
                other->proxy == e->proxy;
  }
  return accesses > 1;
}

/* An access of a copy that no wait and no signal tells of. */
static bool is_abandoned(const struct look *l, uint32_t event, const struct event *e) {
  if (!is_flight(e) || !e->operation->flies) return false;
  uint32_t n = l->skeleton->n;
  return bitset_next(bitmat_row_set(l->skeleton->may[CAT_REL_WAITED], event), 0) == n &&
         bitset_next(bitmat_row_set(l->skeleton->must[CAT_REL_COMP], event), 0) == n;
}

static bool is_tensor_operand(const struct look *l, uint32_t event, const struct event *e) {
  return is_access_of(e, PROXY_ASYNC) &&
         (is_async(l, event, ASYNC_TENSOR_MMA) || is_async(l, event, ASYNC_TENSOR_COPY));
}

static bool is_tensor_commit(const struct look *l, uint32_t event, const struct event *e) {
  return e->kind == EVENT_SIGNAL && is_async(l, event, ASYNC_TENSOR_COMMIT);
}

bool named_by_cluster(const struct look *l) { return some_pair(l, reaches_own); }
bool multicast_told(const struct look *l) { return some_happening(l, is_multicast_read); }
bool pieces_told(const struct look *l) { return some_event(l, is_piece); }
bool never_waited(const struct look *l) { return some_happening(l, is_abandoned); }
bool not_carried(const struct look *l) { return some_missing(l, "nothing that came before its issue"); }
bool tensor_operand(const struct look *l) { return some_event(l, is_tensor_operand); }
bool tensor_commit(const struct look *l) { return some_event(l, is_tensor_commit); }

/* ---- Grids ---- */

static bool launched_after(const struct program *p, uint32_t grid, uint32_t other) {
  for (uint32_t i = 0; i < p->launch_count; i++)
    if (p->launches[i].grid == grid && p->launches[i].other == other) return true;
  return false;
}

/* The grid of b depends on that of a by way of another only. */
static bool is_beyond(const struct look *l, uint32_t a, uint32_t b) {
  const struct program *p = l->skeleton->program;
  if (event_of(l, a)->thread == NO_THREAD || event_of(l, b)->thread == NO_THREAD) return false;
  uint32_t first = p->threads[event_of(l, a)->thread].grid, last = p->threads[event_of(l, b)->thread].grid;
  for (uint32_t i = 0; i < p->launch_count; i++)
    if (p->launches[i].grid == last && launched_after(p, p->launches[i].other, first) &&
        !launched_after(p, last, first))
      return true;
  return false;
}

bool grids_beyond(const struct look *l) { return some_pair(l, is_beyond); }
