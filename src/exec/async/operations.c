/* Bounds the relations between asynchronous operations and the instructions that issue them, wait for them, and fence
 * them (docs/async.md A4-A7, AC6-AC8, AG4). */
#include "exec/build.h"

const struct object *skeleton_object(const struct skeleton *s, const struct view *view) {
  return &s->program->objects[view->object];
}

const struct view *skeleton_view(const struct skeleton *s, value_t address) {
  return ARRAY_FIND(view, s->program->views, s->program->view_count,
                    address >= view->vaddr && address < (value_t)view->vaddr + skeleton_object(s, view)->size);
}

uint32_t skeleton_thread_in(const struct skeleton *s, uint32_t cta) {
  for (uint32_t t = 0; t < s->program->thread_count; t++)
    if (s->program->threads[t].cta_id == cta) return t;
  BUG("no thread is in CTA %u", cta);
}

uint32_t skeleton_cta_ranked(const struct program *program, uint32_t thread, uint32_t rank) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    if (program->threads[t].cluster_id == program->threads[thread].cluster_id && program->threads[t].cta == rank)
      return program->threads[t].cta_id;
  return NO_THREAD;
}

static uint32_t home_cta(const struct skeleton *s, const struct event *e) {
  return s->program->threads[e->home].cta_id;
}

/* Causality enters an operation at its issue; wgmma at a wgmma.fence or fence.proxy.async before the issue (A6). The
 * last of these is after the others in program order, so all of them may be joined. */
static void enter_operation(struct skeleton *s, const struct operation *operation, uint32_t access) {
  if (operation->async->action != ASYNC_MMA) {
    bitmat_add(s->must[CAT_REL_SPAWN], operation->issue, access);
    return;
  }
  uint32_t thread = skeleton_event(s, operation->issue)->thread;
  EACH_EVENT_BEFORE (f, fence, s, operation->issue) {
    const struct group *group = skeleton_group(s, f);
    bool enters = (group && group->fences) || (fence->kind == EVENT_PROXY_FENCE && fence->proxy == PROXY_ASYNC);
    if (enters && fence->thread == thread) bitmat_add(s->must[CAT_REL_SPAWN], f, access);
  }
}

/* Relates the events of one operation. */
static void relate_operation(struct skeleton *s, const struct operation *operation) {
  for (uint32_t a = operation->issue + 1; a < operation->end; a++) {
    const struct event *x = skeleton_event(s, a);
    bitmat_add(s->must[CAT_REL_ISSUE], operation->issue, a);
    enter_operation(s, operation, a);
    for (uint32_t b = operation->issue + 1; b < operation->end; b++) {
      const struct event *y = skeleton_event(s, b);
      if (event_is_memory(x) && event_is_memory(y)) bitmat_add(s->must[CAT_REL_SAMEOP], a, b);
      bool same_cta = s->program->threads[x->spawn.site].cta_id == s->program->threads[y->spawn.site].cta_id;
      bool part = event_is_memory(x) && (x->spawn.is_source || same_cta);
      if (operation->async->ctas.kind == OPERAND_NONE) part = event_is_memory(x);
      if (part && y->kind == EVENT_SIGNAL) bitmat_add(s->must[CAT_REL_COMP], a, b);
    }
  }
}

/* Relates the accesses of an operation of several threads to each issue event. */
static void relate_first(struct skeleton *s, const struct operation *operation) {
  for (uint32_t a = operation->first->issue + 1; a < operation->first->end; a++) {
    bitmat_add(s->must[CAT_REL_ISSUE], operation->issue, a);
    enter_operation(s, operation, a);
  }
}

/* True if an asynchronous arrival or commit comes after earlier operations of this kind in its thread. */
static bool arrives_after(const struct operation *arrival, const struct operation *operation) {
  enum async_action action = operation->async->action;
  return action != arrival->async->action && async_row(action)->collector == arrival->async->action;
}

static void relate_arrival(struct skeleton *s, const struct operation *arrival) {
  EACH_EVENT_BEFORE (a, x, s, arrival->issue)
    if (x->spawned && event_is_memory(x) && arrives_after(arrival, x->operation))
      for (uint32_t c = arrival->issue + 1; c < arrival->end; c++)
        if (x->thread == skeleton_event(s, c)->thread) bitmat_add(s->must[CAT_REL_COMP], a, c);
}

/* True if tensor memory performs a thread's later operation after an earlier one without a fence or wait (9.7.18.6):
 * products of one shape and kind to one accumulator, those after copies, and products and shifts. */
static bool is_pipelined(const struct operation *a, const struct operation *b) {
  enum async_action earlier = a->async->action, later = b->async->action;
  bool same = a->sum == b->sum && a->shape == b->shape && a->async->tensor->kind == b->async->tensor->kind;
  if (earlier == ASYNC_TENSOR_MMA && later == ASYNC_TENSOR_MMA) return same;
  if (later == ASYNC_TENSOR_MMA) return earlier == ASYNC_TENSOR_COPY || earlier == ASYNC_TENSOR_SHIFT;
  return earlier == ASYNC_TENSOR_MMA && later == ASYNC_TENSOR_SHIFT;
}

static bool is_in_tensor_memory(const struct event *e) {
  return e->spawned && e->proxy == PROXY_TMEM && event_is_memory(e);
}

bool pairs_PIPELINE(const struct skeleton *s, const struct event *x, const struct event *y) {
  (void)s;
  return is_in_tensor_memory(x) && is_in_tensor_memory(y) && x < y && x->operation != y->operation &&
         x->thread == y->thread && is_pipelined(x->operation, y->operation);
}

void bound_ISSUE(struct skeleton *s) {
  for (uint32_t i = 0; i < s->operations.len; i++) {
    relate_operation(s, s->operations.data[i]);
    if (s->operations.data[i]->first) relate_first(s, s->operations.data[i]);
    relate_arrival(s, s->operations.data[i]);
  }
  skeleton_join_stores(s);
}

bool pairs_HOME(const struct skeleton *s, const struct event *x, const struct event *y) {
  return home_cta(s, x) == home_cta(s, y);
}

/* True if a fence for the async proxy covers the memory of an access (9.7.15.4, G56). */
static bool in_space(const struct skeleton *s, const struct event *fence, const struct event *access) {
  const struct instr *in = skeleton_instr(s, fence);
  const struct term *address = term_get(&s->terms, access->address);
  const struct view *view = skeleton_view(s, address->constant);
  if (in->space == SPACE_GENERIC) return true;
  if (address->op != TERM_CONST) return in->space == SPACE_GLOBAL; /* through a tensor map */
  if (!view || skeleton_object(s, view)->space != in->space) return false;
  return !in->own_cta || skeleton_object(s, view)->owner == s->program->threads[fence->thread].cta_id;
}

/* True if the release half of a one-way fence can serve the access: accesses of its CTA to its shared memory, or reads
 * of its own thread (AC7). */
static bool releases(const struct skeleton *s, const struct event *fence, const struct event *access) {
  const struct thread *threads = s->program->threads;
  if (access->spawned || !event_is_memory(access) || !access->place_count) return false;
  bool reads = fence->one_way == ONE_WAY_RELEASE_READS;
  if (reads && (access->kind != EVENT_READ || access->thread != fence->thread)) return false;
  if (threads[access->thread].cta_id != threads[fence->thread].cta_id) return false;
  for (uint32_t i = 0; i < access->place_count; i++) {
    const struct object *object = skeleton_object(s, skeleton_view(s, access->places[i].vaddr));
    if (object->space != SPACE_SHARED || (!reads && object->owner != threads[fence->thread].cta_id)) return false;
  }
  return true;
}

/* From a two-way fence to the accesses in the space that it names, in any CTA. */
bool pairs_SPANS(const struct skeleton *s, const struct event *fence, const struct event *access) {
  if (fence->kind != EVENT_PROXY_FENCE || fence->proxy != PROXY_ASYNC || fence->one_way) return false;
  return access->spawned && access->proxy == PROXY_ASYNC && event_is_memory(access) && in_space(s, fence, access);
}

/* True if a two-way fence can serve the access: it belongs to the fence's CTA, or was issued there (AC6). */
static bool serves(const struct skeleton *s, const struct event *fence, const struct event *access) {
  uint32_t cta = s->program->threads[fence->thread].cta_id;
  if (!access->spawned || !event_is_memory(access)) return false;
  bool near = home_cta(s, access) == cta || s->program->threads[access->thread].cta_id == cta;
  return near && in_space(s, fence, access);
}

/* True if a fence restricted to shared memory can serve the access: to shared memory of its CTA, or of its cluster
 * (G80). */
static bool restricts(const struct skeleton *s, const struct event *fence, const struct event *access) {
  const struct thread *threads = s->program->threads;
  if (!event_is_memory(access) || !access->place_count) return false;
  for (uint32_t i = 0; i < access->place_count; i++) {
    const struct object *object = skeleton_object(s, skeleton_view(s, access->places[i].vaddr));
    if (object->space != SPACE_SHARED) return false;
    uint32_t cluster = threads[skeleton_thread_in(s, object->owner)].cluster_id;
    bool own = object->owner == threads[fence->thread].cta_id, near = cluster == threads[fence->thread].cluster_id;
    if (fence->one_way == ONE_WAY_RELEASE ? !own : !near) return false;
  }
  return true;
}

bool pairs_COVERS(const struct skeleton *s, const struct event *fence, const struct event *access) {
  if (fence->kind != EVENT_PROXY_FENCE) return false;
  if (fence->proxy == PROXY_GENERIC && fence->one_way && fence->one_way != ONE_WAY_INIT)
    return restricts(s, fence, access);
  if (fence->proxy != PROXY_ASYNC || fence->one_way == ONE_WAY_ACQUIRE) return false;
  return fence->one_way ? releases(s, fence, access) : serves(s, fence, access);
}

/* True for a read of the map, or of a part of it if the map is bytes of a location. */
static bool is_in_map(const struct skeleton *s, const struct event *read, const struct event *fence) {
  const struct term *at = term_get(&s->terms, read->address), *map = term_get(&s->terms, fence->address);
  bool known = at->op == TERM_CONST && map->op == TERM_CONST;
  return known ? at->constant - map->constant < MAP_BYTES : read->address == fence->address;
}

/* From an acquiring fence for a tensor map to the reads of that map by copies of its CTA (AC8). */
bool pairs_NAMES(const struct skeleton *s, const struct event *fence, const struct event *read) {
  if (fence->proxy != PROXY_TENSORMAP || fence->one_way != ONE_WAY_ACQUIRE) return false;
  if (!read->spawned || read->proxy != PROXY_TENSORMAP || !is_in_map(s, read, fence)) return false;
  return s->program->threads[read->thread].cta_id == s->program->threads[fence->thread].cta_id;
}
