/* Finds programs whose waits at barriers pass in every execution: the arrivals of each phase are known, all happen if
 * one does, are as many as the phase expects, and all arrivals and waits are in one order. Among threads that wait for
 * ever, the first one in that order would lack no arrival. */
#include "exec/build.h"

/* How a thread takes part in the phase of an arrival. */
enum partaking { TAKES_PART_NEVER, TAKES_PART_SURE, TAKES_PART_OPEN };

static bool are_alike(const struct event *x, const struct event *y) {
  return x->meeting.barrier->action == y->meeting.barrier->action &&
         x->meeting.barrier->aligned == y->meeting.barrier->aligned && x->meeting.id == y->meeting.id &&
         x->meeting.count == y->meeting.count && x->meeting.live == y->meeting.live;
}

static enum partaking part_of(const struct skeleton *s, const struct barrier_group *group, uint32_t arrival,
                              uint32_t thread) {
  enum partaking part = TAKES_PART_NEVER;
  VEC_VALUES (other, &group->arrivals) {
    if (skeleton_event(s, other)->thread != thread || !skeleton_may_share(s, arrival, other)) continue;
    bool sure = part == TAKES_PART_NEVER && skeleton_must_share(s, arrival, other) &&
                bitmat_has(s->forces, arrival, other) &&
                are_alike(skeleton_event(s, arrival), skeleton_event(s, other));
    part = sure ? TAKES_PART_SURE : TAKES_PART_OPEN;
    if (!sure) break;
  }
  return part;
}

/* True if, when an arrival happens, its phase is complete once all threads that surely take part have arrived and the
 * others have ended. */
static bool fills(const struct skeleton *s, uint32_t arrival) {
  const struct event *x = skeleton_event(s, arrival);
  const struct barrier_group *group = &s->groups.data[x->meeting.group];
  uint32_t *threads = ARENA_ARRAY(s->arena, uint32_t, group->members), count = 0;
  bool live = x->meeting.live == TERM_TRUE;
  for (uint32_t m = 0; m < group->members; m++) {
    enum partaking part = part_of(s, group, arrival, group->threads[m]);
    if (part == TAKES_PART_OPEN) return false;
    if (part == TAKES_PART_SURE) threads[count++] = group->threads[m];
    else if (!live && skeleton_arrive_as_one(s, group, x->thread, group->threads[m])) return false;
  }
  const struct term *wanted = term_get(&s->terms, x->meeting.count);
  if (live) return true;
  return x->meeting.live == TERM_FALSE && wanted->op == TERM_CONST &&
         wanted->constant == skeleton_count_units(s, group, threads, count);
}

static bool is_in_order(const struct skeleton *s, const uint32_t *events, uint32_t count) {
  struct bitmat order = bitmat_new(s->arena, count);
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = 0; b < count; b++)
      if (bitmat_has(s->must[CAT_REL_PO], events[a], events[b]) ||
          bitmat_has(s->may[CAT_REL_PHASE_ORDER], events[a], events[b]))
        bitmat_add(order, a, b);
  return !bitmat_cyclic(s->arena, order);
}

bool skeleton_never_blocks(const struct skeleton *s) {
  VEC(uint32_t) events = {0};
  if (s->options.precise || s->ends.len || s->mbarriers.len || s->program->launch_count) return false;
  EACH_THREAD_EVENT (i, e, s) {
    if (e->columns) return false;
    if (e->kind == EVENT_ARRIVE && !fills(s, i)) return false;
    if (e->kind == EVENT_ARRIVE || e->kind == EVENT_WAIT) VEC_PUSH(s->arena, &events, i);
  }
  return is_in_order(s, events.data, events.len);
}
