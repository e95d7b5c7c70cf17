/* If a thread can get a value from only one other thread, replaces the value by that thread's term: a lane's value in
 * an exchange whose arrivals are known, or the value of a read with a single source. Events of threads whose branches
 * depend on one vote, or one flag in shared memory, then happen under one term. */
#include "exec/build.h"

/* The arrival by which a thread takes part in the phase of a wait, if it does in each execution in which the wait
 * passes; else NO_PARTNER. */
static uint32_t partner_in(const struct skeleton *s, uint32_t wait, uint32_t thread) {
  uint32_t own = skeleton_event(s, wait)->partner, found = NO_PARTNER;
  const struct barrier_group *group = &s->groups.data[skeleton_event(s, wait)->group];
  VEC_VALUES (other, &group->arrivals) {
    if (skeleton_event(s, other)->thread != thread || !skeleton_may_share(s, own, other)) continue;
    if (found != NO_PARTNER || !skeleton_must_share(s, own, other)) return NO_PARTNER;
    found = other;
  }
  if (found == NO_PARTNER) return found;
  return skeleton_forces(s, skeleton_event(s, own)->exec, skeleton_event(s, found)->exec) ? found : NO_PARTNER;
}

static bool find_brought(const struct skeleton *s, term_id *instead) {
  bool some = false;
  for (term_id id = 0; id < s->terms.list.len; id++) {
    const struct term *t = term_get(&s->terms, id);
    uint32_t arrival = t->op == TERM_LANE ? partner_in(s, t->event, (uint32_t)t->constant) : NO_PARTNER;
    if (arrival == NO_PARTNER) continue;
    instead[id] = skeleton_event(s, arrival)->value;
    some = true;
  }
  return some;
}

static void replace_in_event(struct event *e, const term_id *now) {
  e->exec = now[e->exec];
  e->address = now[e->address];
  if (e->kind != EVENT_READ) e->value = now[e->value];
  e->barrier_id = now[e->barrier_id];
  e->barrier_count = now[e->barrier_count];
  e->barrier_live = now[e->barrier_live];
  if (e->columns) e->columns->kept = now[e->columns->kept];
}

static void replace_in_ending(struct ending *ending, const term_id *now) {
  ending->when = now[ending->when];
  for (uint32_t i = 0; i < ending->lap_count; i++) ending->laps[i].same = now[ending->laps[i].same];
}

static void replace_all(struct skeleton *s, const term_id *instead) {
  const term_id *now = term_replace(&s->terms, instead);
  for (uint32_t i = 0; i < s->events.len; i++) replace_in_event(&s->events.data[i], now);
  for (uint32_t i = 0; i < s->ends.len; i++) replace_in_ending(&s->ends.data[i], now);
  for (uint32_t i = 0; i < s->hazards.len; i++) s->hazards.data[i].when = now[s->hazards.data[i].when];
  for (uint32_t i = 0; i < s->assumed.len; i++) s->assumed.data[i] = now[s->assumed.data[i]];
  for (uint32_t i = 0; i < s->tables.len; i++) s->tables.data[i].term = now[s->tables.data[i].term];
  for (uint32_t i = 0; i < s->program->observed_count; i++)
    if (s->finals[i].is_term) s->finals[i].value = now[s->finals[i].value];
  for (uint32_t t = 0; s->ended && t < s->program->thread_count; t++) s->ended[t] = now[s->ended[t]];
}

void skeleton_know_lanes(struct skeleton *s) {
  term_id *instead = ARENA_ARRAY(s->arena, term_id, s->terms.list.len);
  if (find_brought(s, instead)) replace_all(s, instead);
}

struct event_point skeleton_point(const struct skeleton *s, uint32_t event) {
  const struct event *e = skeleton_event(s, event);
  return (struct event_point){e->kind, e->thread, e->step, e->element};
}

static const struct event *event_at(const struct skeleton *s, const struct event_point *point) {
  EACH_EVENT_OF (i, e, s) {
    bool here = e->kind == point->kind && e->thread == point->thread && e->step == point->step;
    if (here && e->element == point->element && !e->spawned) return e;
  }
  return NULL;
}

void skeleton_know_sources(struct skeleton *s, const struct sure_sources *sources) {
  term_id *instead = ARENA_ARRAY(s->arena, term_id, s->terms.list.len);
  for (uint32_t i = 0; i < sources->list.len; i++) {
    const struct event *read = event_at(s, &sources->list.data[i].read);
    const struct event *write = event_at(s, &sources->list.data[i].write);
    if (read && write) instead[read->value] = write->value;
  }
  replace_all(s, instead);
}
