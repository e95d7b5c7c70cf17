/* Replaces the value of a read with a single source by that thread's term. Events of threads whose branches depend on
 * one flag in shared memory then happen under one term. */
#include "exec/build.h"

static void replace_in_event(struct event *e, const term_id *now) {
  e->exec = now[e->exec];
  e->address = now[e->address];
  if (e->kind != EVENT_READ) e->value = now[e->value];
  e->meeting.id = now[e->meeting.id];
  e->meeting.count = now[e->meeting.count];
  e->meeting.live = now[e->meeting.live];
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
  for (uint32_t i = 0; i < s->program->observed_count; i++)
    if (s->finals[i].is_term) s->finals[i].value = now[s->finals[i].value];
  for (uint32_t t = 0; s->ended && t < s->program->thread_count; t++) s->ended[t] = now[s->ended[t]];
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
  for (uint32_t i = 0; i < sources->len; i++) {
    const struct event *read = event_at(s, &sources->data[i].read);
    const struct event *write = event_at(s, &sources->data[i].write);
    if (read && write) instead[read->value] = write->value;
  }
  replace_all(s, instead);
}
