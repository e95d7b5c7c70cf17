/* Chooses the part of an execution that a finding about a kernel is about: the two accesses, or the waits that never
 * end with all uses of their mbarrier objects, the threads that make these, and the synchronisation around them. */
#include "draw/parts.h"

#include "result/result.h"

/* The synchronising instructions that are drawn before and after each instruction of the finding; and the threads of a
 * hang, of which one stands for all that wait at one instruction of a CTA. */
enum { AROUND = 6, WAITING_DRAWN = 4 };

struct chooser {
  const struct pick *pick;
  const struct execution *x;
  const struct skeleton *s;
  struct focus *focus;
  bool *marked; /* by event: it belongs to the finding */
};

static bool is_sync(const struct event *e) {
  bool access = e->kind == EVENT_READ || e->kind == EVENT_WRITE;
  return !e->spawned && e->kind != EVENT_EXIT && (!access || e->scope != SCOPE_NONE);
}

static bool same_step(const struct event *a, const struct event *b) {
  return a->thread == b->thread && a->step == b->step && a->operation == b->operation && a->spawned == b->spawned;
}

/* Marks an event with the other events of its instruction; one of an asynchronous operation with the whole of it. */
static void mark(struct chooser *c, uint32_t event) {
  const struct event *of = skeleton_event(c->s, event);
  if (of->thread == NO_THREAD) return;
  c->focus->threads[of->thread] = true;
  for (uint32_t e = 0; e < c->s->first_init; e++)
    if (same_step(skeleton_event(c->s, e), of)) c->marked[e] = true;
  if (!of->spawned) return;
  c->marked[of->operation->issue] = true;
  for (uint32_t e = of->operation->issue; e < of->operation->end; e++) c->marked[e] = true;
}

static void mark_accesses(struct chooser *c) {
  const struct pick *pick = c->pick;
  for (int i = 0; i < 2; i++)
    if (pick->misuse_events[i] != NO_EVENT) mark(c, pick->misuse_events[i]);
  for (uint32_t e = 0; pick->hazard.source && e < c->s->first_init; e++) {
    const struct span at = event_instr(c->s, e)->span;
    if (bitset_has(c->x->exec, e) && at.source == pick->hazard.source && at.begin == pick->hazard.begin) mark(c, e);
  }
}

/* True if another thread of the CTA, which is drawn, has an event at the same place, and this thread is not drawn. */
static bool is_told(const struct chooser *c, uint32_t event) {
  const struct event *at = skeleton_event(c->s, event);
  const struct thread *threads = c->s->program->threads;
  bool told = false;
  for (uint32_t e = 0; e < c->s->first_init && !told && !c->focus->threads[at->thread]; e++)
    told = c->marked[e] && event_instr(c->s, e)->span.begin == event_instr(c->s, event)->span.begin &&
           threads[skeleton_event(c->s, e)->thread].cta_id == threads[at->thread].cta_id;
  return told;
}

static void mark_uses(struct chooser *c, uint32_t object) {
  const struct mbarrier_object *of = &c->s->mbarriers.data[object];
  for (uint32_t i = 0; i < of->uses.len; i++)
    if (bitset_has(c->x->exec, of->uses.data[i]) && !is_told(c, of->uses.data[i])) mark(c, of->uses.data[i]);
}

/* The last event of a wait that never ends, which may be that of a loop; NO_EVENT: the ending does not happen. */
static uint32_t waits_at(const struct chooser *c, const struct ending *ending) {
  if (!c->x->terms[ending->when]) return NO_EVENT;
  if (ending->wait != NO_PARTNER) return ending->wait;
  for (uint32_t e = ending->end_event; e-- > ending->first_event;)
    if (bitset_has(c->x->exec, e)) return e;
  return NO_EVENT;
}

/* `cause`: only the wait that the finding names; else the others. */
static void mark_waits(struct chooser *c, bool cause) {
  const struct safety_finding *f = c->pick->finding;
  uint32_t count = 0;
  for (uint32_t i = 0; c->pick->stuck && i < c->s->ends.len; i++) {
    uint32_t at = waits_at(c, &c->s->ends.data[i]);
    bool named = at != NO_EVENT && skeleton_event(c->s, at)->thread == f->thread_a;
    if (at == NO_EVENT || named != cause || count == WAITING_DRAWN || is_told(c, at)) continue;
    const struct mbarrier_use *use = skeleton_event(c->s, at)->use;
    mark(c, at);
    if (cause && use) mark_uses(c, use->object);
    count++;
  }
}

/* Keeps the marked events, and of each one's thread the synchronisation around it, in one direction. */
static void keep_around(struct chooser *c, uint32_t event, int direction) {
  const struct event *of = skeleton_event(c->s, event);
  uint32_t left = AROUND;
  for (uint32_t e = event; e < c->s->first_init && left; e += (uint32_t)direction) {
    const struct event *at = skeleton_event(c->s, e);
    if (at->thread != of->thread || !is_sync(at)) continue;
    left -= !c->marked[e] && !c->focus->events[e];
    c->focus->events[e] = true;
  }
}

bool scene_focus(struct arena *arena, const struct pick *pick, struct focus *focus) {
  const struct skeleton *s = pick->skeleton;
  struct chooser c = {.pick = pick, .x = pick->execution, .s = s, .focus = focus};
  if (!pick->finding || !s->program->thread_count || !s->program->threads[0].of_kernel) return false;
  focus->threads = ARENA_ARRAY(arena, bool, s->program->thread_count);
  focus->events = ARENA_ARRAY(arena, bool, s->n);
  c.marked = ARENA_ARRAY(arena, bool, s->n);
  mark_accesses(&c);
  mark_waits(&c, true);
  mark_waits(&c, false);
  bool any = false;
  for (uint32_t e = 0; e < s->first_init; e++) {
    if (!c.marked[e]) continue;
    any = focus->events[e] = true;
    keep_around(&c, e, 1);
    keep_around(&c, e, -1);
  }
  return any;
}
