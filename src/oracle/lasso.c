#include "oracle/paths.h"

struct lasso {
  const struct execution *x;
  struct bitset part; /* the events that are repeated for ever */
};

/* True if `relation` leads from the event to an event that happens and is not repeated. */
static bool leads_out(const struct lasso *l, struct bitmat relation, uint32_t event) {
  struct bitset row = bitmat_row_set(relation, event);
  return SOME(EACH (other, row), bitset_has(l->x->exec, other) && !bitset_has(l->part, other));
}

static bool covers(const struct execution *x, uint32_t write, uint32_t chunk) {
  const struct event *e = execution_event(x, write);
  return bitset_has(x->exec, write) && x->place[write] != NO_PLACE && place_covers(&e->places[x->place[write]], chunk);
}

/* True if all writes to the same memory that are not repeated precede the write in coherence. */
static bool is_after_the_rest(const struct lasso *l, uint32_t write) {
  for (uint32_t c = 0; c < l->x->skeleton->chunk_count; c++) {
    struct bitset writers = l->x->skeleton->writers[c];
    EACH (w, writers) {
      bool both = covers(l->x, write, c) && covers(l->x, w, c) && !bitset_has(l->part, w);
      if (both && !bitmat_has(l->x->co, w, write)) return false;
    }
  }
  return true;
}

/* The last repeated write to the chunk (with `part` false, the last other write); NO_EVENT: none. */
static uint32_t last_of(const struct lasso *l, uint32_t chunk, bool part) {
  struct bitset writers = l->x->skeleton->writers[chunk];
  EACH (w, writers) {
    bool last = covers(l->x, w, chunk) && bitset_has(l->part, w) == part;
    EACH (v, writers) {
      bool rival = v != w && covers(l->x, v, chunk) && bitset_has(l->part, v) == part;
      if (rival && !bitmat_has(l->x->co, v, w)) last = false;
    }
    if (last) return w;
  }
  return NO_EVENT;
}

static bool keeps_value(const struct lasso *l, uint32_t chunk) {
  bool written = false;
  struct bitset writers = l->x->skeleton->writers[chunk];
  EACH (w, writers) written |= covers(l->x, w, chunk) && bitset_has(l->part, w);
  if (!written || skeleton_may_change(l->x->skeleton, chunk)) return true;
  uint32_t inside = last_of(l, chunk, true), outside = last_of(l, chunk, false);
  if (inside == NO_EVENT || outside == NO_EVENT) return false;
  return execution_chunk_value(l->x, inside, chunk) == execution_chunk_value(l->x, outside, chunk);
}

static bool goes_on(const struct lasso *l) {
  const struct execution *x = l->x;
  EACH (e, l->part) {
    switch (execution_event(x, e)->kind) {
      case EVENT_READ:
        if (leads_out(l, x->fr, e)) return false;
        break;
      case EVENT_WRITE:
        if (leads_out(l, x->rf, e) || !is_after_the_rest(l, e)) return false;
        break;
      case EVENT_FENCE:
      case EVENT_PROXY_FENCE:
      case EVENT_ARRIVE:
      case EVENT_WAIT:
      case EVENT_SIGNAL:
      case EVENT_TEST:
      case EVENT_ISSUE:
      case EVENT_GRID:
      case EVENT_EXIT:
      case EVENT_GROUP:
        if (leads_out(l, x->sc, e)) return false;
    }
  }
  return EVERY_BELOW(c, x->skeleton->chunk_count, keeps_value(l, c));
}

/* Adds the events of a range that happen, or removes them. True if all events so far can recur. */
static bool set_part(struct lasso *l, uint32_t first, uint32_t end, bool in) {
  bool recurs = true;
  for (uint32_t e = first; e < end; e++) {
    if (!bitset_has(l->x->exec, e)) continue;
    if (in) bitset_add(l->part, e);
    else bitset_del(l->part, e);
    recurs = recurs && event_is_basic(execution_event(l->x, e));
  }
  return recurs;
}

/* True if each test of an mbarrier object that was false is also false in the object's last state. */
static bool tests_fail(const struct execution *x, const struct ending *ending) {
  for (uint32_t t = ending->first_event; t < ending->end_event; t++) {
    const struct event *e = execution_event(x, t);
    bool failed = e->kind == EVENT_TEST && bitset_has(x->exec, t) && !execution_tests_true(x, t);
    if (failed && execution_test_holds(x, &x->states[e->use->object], t)) return false;
  }
  return true;
}

/* Tries each lap of the endings from `index` on. */
static bool choose_laps(struct lasso *l, uint32_t index) {
  const struct skeleton *s = l->x->skeleton;
  while (index < s->ends.len && (!l->x->terms[s->ends.data[index].when] ||
                                 (s->ends.data[index].kind != ENDING_SPIN && s->ends.data[index].kind != ENDING_LASSO)))
    index++;
  if (index == s->ends.len) return goes_on(l);
  const struct ending *ending = &s->ends.data[index];
  if (ending->kind == ENDING_SPIN) {
    set_part(l, ending->first_event, ending->end_event, true);
    return tests_fail(l->x, ending) && choose_laps(l, index + 1);
  }
  ARRAY_EACH (lap, ending->laps, ending->lap_count) {
    if (!l->x->terms[lap->same]) continue;
    bool recurs = set_part(l, lap->first_event, ending->end_event, true);
    if (recurs && choose_laps(l, index + 1)) return true;
    set_part(l, lap->first_event, ending->end_event, false);
  }
  return false;
}

bool lasso_goes_on(struct arena *arena, const struct execution *x) {
  struct lasso l = {.x = x, .part = bitset_new(arena, x->skeleton->n)};
  return choose_laps(&l, 0);
}
