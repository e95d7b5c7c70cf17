/* Finds tests of mbarrier objects whose success only spares their thread a wait for the same phase, as in
 * `if (!try_wait(o, p)) wait(o, p);`. If nothing between the test and the wait orders the thread after others, an
 * execution in which the test succeeds is one in which it fails and the wait succeeds at once, with more order. A
 * question about safety, whose findings lack order, may so take it that each such test fails (G49). */
#include "exec/build.h"

enum { NO_WAIT = UINT32_MAX };

struct tries {
  const struct skeleton *s;
  uint32_t *wait; /* by event: the wait that the success of this test spares; NO_WAIT: none, or more than that */
  bool any;
};

/* A test that leaves its result to the thread. */
static bool is_try(const struct event *e) { return e->kind == EVENT_TEST && e->value != TERM_TRUE && !e->use->waits; }

static bool is_given(const struct skeleton *s, term_id id, const struct supposed *given, size_t count, bool wanted) {
  value_t value;
  return term_follow(&s->terms, id, given, count, &value) && (value != 0) == wanted;
}

/* True if the thread spins whenever the test fails. */
static bool is_spun(const struct skeleton *s, const struct event *test) {
  const struct supposed fails[] = {{test->exec, 1}, {test->value, 0}};
  return SOME(VEC_EACH (end, &s->ends), end->kind == ENDING_SPIN && is_given(s, end->when, fails, 2, true));
}

/* True if the event cannot order its thread after another one. */
static bool only_leaves(const struct skeleton *s, uint32_t event) {
  const struct event *e = skeleton_event(s, event);
  if (e->spawned) return true;
  switch (e->kind) {
    case EVENT_SIGNAL:
    case EVENT_ARRIVE:
    case EVENT_ISSUE: return true;
    case EVENT_READ:
    case EVENT_WRITE: return e->sem == SEM_WEAK && !e->is_volatile;
    case EVENT_PROXY_FENCE: return !e->one_way;
    case EVENT_FENCE:
    case EVENT_WAIT:
    case EVENT_TEST:
    case EVENT_GROUP:
    case EVENT_GRID:
    case EVENT_EXIT: return false;
  }
  BUG("event kind %d", (int)e->kind);
}

/* The wait for the same phase that only the failure of the test leads to; NO_WAIT: none. */
static uint32_t wait_after(const struct skeleton *s, uint32_t test) {
  const struct event *a = skeleton_event(s, test);
  for (uint32_t i = test + 1; i < s->events.len && skeleton_event(s, i)->thread == a->thread; i++) {
    const struct event *b = skeleton_event(s, i);
    if (only_leaves(s, i)) continue;
    const struct supposed fails[] = {{a->value, 0}}, succeeds[] = {{a->value, 1}};
    bool same = b->kind == EVENT_TEST && b->use->object == a->use->object && b->use->parity == a->use->parity &&
                b->use->phase == a->use->phase && b->sem == a->sem && b->scope == a->scope;
    bool spared = same && a->exec == TERM_TRUE && is_given(s, b->exec, fails, 1, true) &&
                  is_given(s, b->exec, succeeds, 1, false) && is_spun(s, b);
    return spared ? i : (uint32_t)NO_WAIT;
  }
  return NO_WAIT;
}

/* Tests that a term depends on decide more than a wait, unless the term is false when they succeed. */
static void look_at(struct tries *t, term_id id, bool is_condition) {
  if (term_get(&t->s->terms, id)->op == TERM_CONST) return;
  bool *has = ARENA_ARRAY(t->s->arena, bool, t->s->terms.list.len);
  has[id] = true;
  term_close(&t->s->terms, has, id + 1);
  EACH_EVENT_OF (i, e, t->s) {
    if (t->wait[i] == NO_WAIT || !has[e->value]) continue;
    const struct supposed succeeds[] = {{e->value, 1}};
    if (!is_condition || !is_given(t->s, id, succeeds, 1, false)) t->wait[i] = NO_WAIT;
  }
}

static void look_at_all(struct tries *t) {
  term_id before = TERM_TRUE;
  EACH_EVENT_OF (i, e, t->s) {
    if (e->exec != before) look_at(t, before = e->exec, true);
    if (event_is_memory(e)) look_at(t, e->address, false);
    if (e->kind == EVENT_READ || e->kind == EVENT_TEST) continue; /* the value is a leaf */
    if (event_is_memory(e)) look_at(t, e->value, false);
  }
  VEC_EACH (end, &t->s->ends) look_at(t, end->when, true);
  VEC_EACH (hazard, &t->s->hazards) look_at(t, hazard->when, true);
}

/* By thread: the instructions of whose tests each only spares a wait; NULL: none. */
struct bitset *skeleton_failing_tries(const struct skeleton *s) {
  struct tries t = {.s = s, .wait = ARENA_ARRAY(s->arena, uint32_t, s->events.len)};
  const struct program *p = s->program;
  if (!program_asks_safety(p) || s->options.precise || s->options.keeps_spins || s->options.further) return NULL;
  for (uint32_t i = 0; i < s->events.len; i++) {
    t.wait[i] = is_try(skeleton_event(s, i)) ? wait_after(s, i) : (uint32_t)NO_WAIT;
    t.any |= t.wait[i] != NO_WAIT;
  }
  if (!t.any) return NULL;
  look_at_all(&t);
  struct bitset *fails = ARENA_ARRAY(s->arena, struct bitset, p->thread_count);
  for (uint32_t k = 0; k < p->thread_count; k++) fails[k] = bitset_new(s->arena, p->threads[k].instr_count);
  for (uint32_t i = 0; i < s->events.len; i++)
    if (t.wait[i] != NO_WAIT) bitset_add(fails[skeleton_event(s, i)->thread], skeleton_event(s, i)->instr);
  for (uint32_t i = 0; i < s->events.len; i++)
    if (t.wait[i] == NO_WAIT && skeleton_event(s, i)->kind == EVENT_TEST)
      bitset_del(fails[skeleton_event(s, i)->thread], skeleton_event(s, i)->instr);
  return fails;
}
