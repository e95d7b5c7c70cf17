/* mbarrier objects in one execution: performs the steps of each object one after another, in the chosen order, and
 * checks that the results of tests are those of the states that they find (docs/async.md, MB4, MB6, MB15), and that no
 * use is undefined (MB12). */
#include "exec/execution.h"

bool execution_tests_true(const struct execution *x, uint32_t test) {
  return bitset_has(x->exec, test) && x->terms[execution_event(x, test)->value] != 0;
}

/* True if the step has a turn in the order of its object. */
static bool takes_turn(const struct execution *x, uint32_t e) {
  return execution_event(x, e)->kind == EVENT_TEST ? execution_tests_true(x, e) : bitset_has(x->exec, e);
}

static void note_misuse(struct execution *x, enum reason_id why, uint32_t a, uint32_t b) {
  if (x->misuse) return;
  x->misuse = reason_get(why);
  x->misuse_events[0] = a;
  x->misuse_events[1] = b;
}

/* ---- One object ---- */

static void begin(const struct skeleton *s, const struct mbarrier_object *object, struct mbarrier_state *state) {
  int32_t expected = (int32_t)s->program->objects[object->object].expected;
  *state = (struct mbarrier_state){.valid = expected > 0, .pending = expected, .expected = expected};
}

/* True if an initialisation begins a life; initialising a valid object is undefined. */
static bool begins(const struct mbarrier_state *state) { return !state->valid || state->ended; }

/* Applies a step that is not a test to the state. */
static void advance(struct mbarrier_state *state, const struct mbarrier_use *use, uint32_t span) {
  uint32_t phase = state->valid ? (state->phase / span + 1) * span : 0;
  if (use->kind == USE_INIT && begins(state))
    *state = (struct mbarrier_state){true, false, phase, use->arrivals, use->arrivals, 0};
  if (use->kind == USE_INVAL) state->ended = true;
  if (use->kind == USE_RAISE) state->pending -= use->arrivals;
  if (use->kind != USE_SIGNAL || !state->valid) return;
  state->expected -= use->dropped;
  state->pending -= use->arrivals;
  state->tx += use->bytes;
  if (state->pending != 0 || state->tx != 0) return;
  state->phase++;
  state->pending = state->expected;
}

static void signal(struct execution *x, struct mbarrier_state *state, uint32_t e) {
  const struct mbarrier_use *use = execution_event(x, e)->use;
  uint32_t phase = state->phase;
  if (!state->valid) return; /* undefined by a clause of the model: the object is not initialised before in causality */
  if (state->expected == 0) note_misuse(x, REASON_MBARRIER_DROPPED, e, e);
  advance(state, use, x->skeleton->mbarriers.data[use->object].span);
  if (state->pending < 0) note_misuse(x, REASON_MBARRIER_SURPLUS, e, e);
  if (state->tx > MBARRIER_COUNT_LIMIT || state->tx < -MBARRIER_COUNT_LIMIT) note_misuse(x, REASON_MBARRIER_TX, e, e);
  if (state->phase != phase && use->no_complete) note_misuse(x, REASON_MBARRIER_COMPLETES, e, e);
}

/* True if a test is true in this state. */
static bool test(struct execution *x, const struct mbarrier_state *state, uint32_t e) {
  const struct mbarrier_use *use = execution_event(x, e)->use;
  if (!state->valid) return false;
  if (state->expected == 0) note_misuse(x, REASON_MBARRIER_DROPPED, e, e);
  if (use->parity) return state->phase % 2 != use->phase;
  if (x->reached[use->phase] == NO_PHASE) return false;
  if (state->phase > x->reached[use->phase] + 1) note_misuse(x, REASON_MBARRIER_OLD_STATE, e, use->phase);
  return state->phase > x->reached[use->phase];
}

static bool step(struct execution *x, struct mbarrier_state *state, uint32_t e) {
  const struct mbarrier_use *use = execution_event(x, e)->use;
  x->reached[e] = state->valid ? state->phase : NO_PHASE;
  switch (use->kind) {
    case USE_INIT:
      if (!begins(state)) note_misuse(x, REASON_MBARRIER_AGAIN, e, e);
      break;
    case USE_INVAL:
    case USE_RAISE: break;
    case USE_SIGNAL: signal(x, state, e); return true;
    case USE_TEST: return test(x, state, e);
  }
  advance(state, use, x->skeleton->mbarriers.data[use->object].span);
  return true;
}

/* True if some state can give a false result; a wait blocks only if no later state would let it pass. */
static bool may_be_false(const struct execution *x, const struct mbarrier_state *last, uint32_t e) {
  const struct mbarrier_use *use = execution_event(x, e)->use;
  bool attempted = x->terms[use->attempted] != 0;
  if (!attempted) return use->waits || !x->pass[e];
  if (use->waits) return !execution_test_holds(x, last, e);
  return use->at_will || !use->parity || use->phase == 0 || last->phase > 0;
}

bool execution_test_holds(const struct execution *x, const struct mbarrier_state *state, uint32_t e) {
  const struct mbarrier_use *use = execution_event(x, e)->use;
  if (!state->valid) return false;
  if (use->parity) return state->phase % 2 != use->phase;
  return x->reached[use->phase] != NO_PHASE && state->phase > x->reached[use->phase];
}

/* True if a false test finds an object that expects no more arrivals: a wait that never ends finds the last state,
 * another test at least the steps of its own thread. */
static bool finds_dropped(const struct execution *x, const struct mbarrier_object *object, uint32_t test) {
  const struct mbarrier_use *use = execution_event(x, test)->use;
  int32_t left = x->states[use->object].expected;
  if (!bitset_has(x->exec, test) || !x->states[use->object].valid) return false;
  for (uint32_t i = 0; i < object->uses.len && !use->waits; i++) {
    uint32_t e = object->uses.data[i];
    if (x->turn[e] == NO_TURN || x->reached[e] == NO_PHASE || skeleton_step_before(x->skeleton, e, test)) continue;
    left += execution_event(x, e)->use->dropped;
  }
  return left == 0;
}

static bool object_fits(struct execution *x, uint32_t index) {
  const struct skeleton *s = x->skeleton;
  const struct mbarrier_object *object = &s->mbarriers.data[index];
  struct mbarrier_state *state = &x->states[index];
  uint32_t count = 0;
  begin(s, object, state);
  VEC_VALUES (e, &object->uses) {
    x->reached[e] = NO_PHASE;
    if (takes_turn(x, e) != (x->turn[e] != NO_TURN)) return false;
    count += takes_turn(x, e);
  }
  for (uint32_t turn = 0; turn < count; turn++)
    for (uint32_t i = 0; i < object->uses.len; i++)
      if (x->turn[object->uses.data[i]] == turn && !step(x, state, object->uses.data[i])) return false;
  VEC_VALUES (e, &object->uses) {
    if (execution_event(x, e)->kind != EVENT_TEST || takes_turn(x, e)) continue;
    if (!may_be_false(x, state, e)) return false;
    if (finds_dropped(x, object, e)) note_misuse(x, REASON_MBARRIER_DROPPED, e, e);
  }
  return true;
}

value_t execution_pending(const struct execution *x, uint32_t arrival) {
  const struct mbarrier_object *object = &x->skeleton->mbarriers.data[execution_event(x, arrival)->use->object];
  struct mbarrier_state state;
  begin(x->skeleton, object, &state);
  if (x->turn[arrival] == NO_TURN) return 0;
  for (uint32_t turn = 0; turn < x->turn[arrival]; turn++)
    for (uint32_t i = 0; i < object->uses.len; i++)
      if (x->turn[object->uses.data[i]] == turn)
        advance(&state, execution_event(x, object->uses.data[i])->use, object->span);
  return state.valid ? (uint32_t)state.pending : 0;
}

bool execution_signals(struct execution *x) { return EVERY_BELOW(i, x->skeleton->mbarriers.len, object_fits(x, i)); }

void execution_relate_mbarriers(struct execution *x) {
  const struct skeleton *s = x->skeleton;
  if (!s->mbarriers.len) return;
  bitmat_clear(x->mo);
  bitmat_clear(x->phases);
  bitmat_clear(x->next_phase);
  VEC_EACH (object, &s->mbarriers)
    for (uint32_t k = 0; k < object->uses.len; k++)
      for (uint32_t m = 0; m < object->uses.len; m++) {
        uint32_t a = object->uses.data[k], b = object->uses.data[m];
        if (x->turn[a] == NO_TURN || x->turn[b] == NO_TURN || x->turn[a] >= x->turn[b]) continue;
        bitmat_add(x->mo, a, b);
        bool signal = execution_event(x, a)->use->kind == USE_SIGNAL;
        if (!signal || x->reached[a] == NO_PHASE || x->reached[a] + 1 != x->reached[b]) continue;
        if (execution_event(x, b)->use->kind == USE_TEST) bitmat_add(x->phases, a, b);
        if (execution_event(x, b)->use->kind == USE_SIGNAL) bitmat_add(x->next_phase, a, b);
      }
}
