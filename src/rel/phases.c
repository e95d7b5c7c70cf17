/* An axiom makes the order of the steps on an mbarrier object agree with time (MB3). So a step later in time finds the
 * same or a later phase; a true test finds a phase with the right parity, after the arrivals of the phase before; and a
 * phase ends only after all expected arrivals. This gives the least phase of each step, and from these the largest
 * ones: a phase cannot end before a step without which it lacks arrivals or bytes.
 *
 * Each claim is about a step that has a turn in that order, which a false test has not. */
#include "rel/phases.h"

/* A step of an object with one life and without drops. */
struct step_bounds {
  uint32_t event, object;
  const struct mbarrier_use *use;
  bool counts;        /* an arrival for which no earlier step raises the pending count */
  uint32_t raise;     /* the step that raises the pending count for it; NO_STEP: none */
  uint32_t tests;     /* for the first test of a loop: the number of the loop's tests in a row; for others 0 */
  uint32_t low, high; /* phases; low > high: it never has a turn */
};

enum { NO_STEP = UINT32_MAX, MOST_TESTS = 32 };

struct phases {
  const struct skeleton *s;
  struct arena *arena;
  VEC(struct step_bounds) steps;
  struct bitmat time; /* by step: the first comes before the second */
  struct bitmat sure; /* by step: the first comes before the second, and has a turn whenever the second does; a loop's
                         first test represents all its tests, one of which is true */
  struct bitmat next; /* by step: the second comes after the first, and has a turn whenever the first does */
  uint32_t *expected; /* by object; 0: not known */
  uint32_t *raises;   /* by object: the number of steps that raise its pending count */
  uint32_t *seen;     /* by step and object: every later step finds at least this phase */
  uint32_t object_count, most; /* most: phases of an object */
  struct total *totals;        /* by object and phase */
  struct bitmat comes;         /* by phase and step: the step precedes the end of the phase */
  bool changed;
};

/* Sums of an object at the end of a phase: the possible arrivals, the bytes that are surely announced, and the bytes
 * that may have come. */
struct total {
  uint64_t arrivals, announced, come;
};

/* ---- The axiom ---- */

static const struct cat_expr *node_of(const struct model *model, cat_node node) { return &model->nodes.data[node]; }

/* Recognizes irreflexive (r ; mo), in which the closure r contains the phases. */
static cat_node time_of(const struct model *model, const struct cat_axiom *axiom) {
  const struct cat_expr *x = node_of(model, axiom->node);
  if (axiom->role != CAT_AXIOM || axiom->negated || axiom->test != CAT_IRREFLEXIVE || x->is_set || x->op != CAT_SEQ)
    return CAT_NO_NODE;
  const struct cat_expr *order = node_of(model, x->b), *time = node_of(model, x->a);
  return order->op == CAT_BUILTIN && order->builtin == CAT_REL_MO && time->op == CAT_PLUS ? x->a : CAT_NO_NODE;
}

static bool has_phases(const struct model *model, cat_node node) {
  const struct cat_expr *x = node_of(model, node);
  if (x->op == CAT_UNION) return has_phases(model, x->a) || has_phases(model, x->b);
  return x->op == CAT_BUILTIN && x->builtin == CAT_REL_PHASE;
}

cat_node phases_time(const struct model *model, uint32_t *axiom) {
  for (uint32_t i = 0; i < model->axioms.len; i++) {
    cat_node time = time_of(model, &model->axioms.data[i]);
    *axiom = i;
    if (time != CAT_NO_NODE && has_phases(model, node_of(model, time)->a)) return time;
  }
  return CAT_NO_NODE;
}

/* ---- The steps ---- */

/* The count of an object with one life and without drops; else 0. */
static uint32_t expected_of(const struct skeleton *s, const struct mbarrier_object *object) {
  uint32_t expected = s->program->objects[object->object].expected, inits = expected > 0;
  for (uint32_t i = 0; i < object->uses.len; i++) {
    const struct mbarrier_use *use = skeleton_event(s, object->uses.data[i])->use;
    if (use->dropped) return 0;
    if (use->kind != USE_INIT) continue;
    inits++;
    expected = (uint32_t)use->arrivals;
  }
  return inits == 1 && object->lives == 1 ? expected : 0;
}

static void list_steps(struct phases *p) {
  const struct skeleton *s = p->s;
  p->object_count = s->mbarriers.len;
  p->expected = ARENA_ARRAY(p->arena, uint32_t, p->object_count);
  p->raises = ARENA_ARRAY(p->arena, uint32_t, p->object_count);
  for (uint32_t o = 0; o < p->object_count; o++) {
    const struct mbarrier_object *object = &s->mbarriers.data[o];
    p->expected[o] = expected_of(s, object);
    for (uint32_t i = 0; i < object->uses.len && p->expected[o]; i++) {
      const struct event *e = skeleton_event(s, object->uses.data[i]);
      struct step_bounds step = {.event = object->uses.data[i], .object = o, .use = e->use, .raise = NO_STEP};
      step.low = e->phase_low, step.high = e->phase_high;
      step.counts = e->use->kind == USE_SIGNAL && e->use->arrivals > 0;
      for (uint32_t k = 0; k < p->steps.len; k++)
        if (e->spawned && p->steps.data[k].event == e->operation->issue) step.raise = k, step.counts = false;
      p->raises[o] += e->use->kind == USE_RAISE;
      VEC_PUSH(p->arena, &p->steps, step);
    }
  }
}

/* True if a condition has the wanted value whenever the first of these tests happens and none of them is true. */
static bool is_unless(const struct skeleton *s, term_id id, uint32_t test, uint32_t tests, bool wanted) {
  struct supposed given[MOST_TESTS + 1];
  value_t value;
  given[0] = (struct supposed){skeleton_event(s, test)->exec, 1};
  for (uint32_t i = 0; i < tests; i++) given[i + 1] = (struct supposed){skeleton_event(s, test + i)->value, 0};
  return term_follow(&s->terms, id, given, tests + 1, &value) && (value != 0) == wanted;
}

/* True if one of these steps has a turn whenever the first one happens: the step is not a test, or the thread ends only
 * if one of the tests is true. */
static bool are_sure(const struct skeleton *s, uint32_t event, uint32_t tests) {
  const struct event *e = skeleton_event(s, event);
  if (e->kind != EVENT_TEST || e->value == TERM_TRUE) return true;
  return SOME(for (uint32_t i = 0; i < s->ends.len && !s->options.precise; i++),
              is_unless(s, s->ends.data[i].when, event, tests, true));
}

static bool is_sure(const struct skeleton *s, uint32_t event) { return are_sure(s, event, 1); }

/* True if one of these steps has a turn whenever another event happens. */
static bool comes_with(const struct skeleton *s, uint32_t first, uint32_t tests, uint32_t second) {
  if (!bitmat_has(s->implies, second, first)) return false;
  return are_sure(s, first, tests) || is_unless(s, skeleton_event(s, second)->exec, first, tests, false);
}

/* Sets `tests` of the first of several tests in a row by one instruction. */
static void join_tests(struct phases *p) {
  for (uint32_t i = 0; i < p->steps.len; i++) {
    struct step_bounds *first = &p->steps.data[i];
    if (first->use->kind != USE_TEST) continue;
    for (uint32_t k = i + 1; k < p->steps.len && k - i < MOST_TESTS; k++) {
      const struct event *e = skeleton_event(p->s, first->event), *o = skeleton_event(p->s, p->steps.data[k].event);
      bool same = p->steps.data[k].event == first->event + (k - i) && e->thread == o->thread && e->instr == o->instr;
      if (!same) break;
      first->tests = k - i + 1;
    }
    if (first->tests) i += first->tests - 1;
    else first->tests = 1;
  }
}

static void relate_steps(struct phases *p, struct bitmat time) {
  uint32_t n = p->steps.len;
  p->time = bitmat_new(p->arena, n);
  p->sure = bitmat_new(p->arena, n);
  p->next = bitmat_new(p->arena, n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) {
      uint32_t a = p->steps.data[i].event, b = p->steps.data[k].event;
      bool inside = p->steps.data[i].object == p->steps.data[k].object && skeleton_step_before(p->s, a, b);
      if (i == k || (!bitmat_has(time, a, b) && !inside)) continue;
      bitmat_add(p->time, i, k);
      const struct step_bounds *x = &p->steps.data[i];
      bool last = !x->tests || bitmat_has(time, a + x->tests - 1, b);
      if ((x->use->kind != USE_TEST || x->tests) && last && comes_with(p->s, a, x->tests, b)) bitmat_add(p->sure, i, k);
      if (comes_with(p->s, b, 1, a)) bitmat_add(p->next, i, k);
    }
}

/* ---- Least phases ---- */

static void raise_to(struct phases *p, uint32_t *at, uint32_t phase) {
  if (*at >= phase) return;
  *at = phase;
  p->changed = true;
}

static void lower_to(struct phases *p, uint32_t *at, uint32_t phase) {
  if (*at <= phase) return;
  *at = phase;
  p->changed = true;
}

static uint32_t *seen(const struct phases *p, uint32_t step, uint32_t object) {
  return &p->seen[step * p->object_count + object];
}

/* The most arrivals at an object by the end of a phase, without those from step `but_behind` on (NO_STEP: with all). */
static uint64_t arrivals_by(const struct phases *p, uint32_t object, uint32_t phase, uint32_t but_behind) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < p->steps.len; i++) {
    const struct step_bounds *x = &p->steps.data[i];
    if (x->object != object || !x->counts || x->low > phase) continue;
    bool behind = but_behind != NO_STEP && (i == but_behind || bitmat_has(p->time, but_behind, i));
    if (!behind) sum += (uint32_t)x->use->arrivals;
  }
  return sum;
}

static uint64_t wanted_by(const struct phases *p, uint32_t object, uint32_t phase) {
  return (uint64_t)p->expected[object] * (phase + 1);
}

/* The least phase of another object that a true test of the end of a phase has seen: whichever arrivals completed that
 * phase, one of them has seen it. */
static uint32_t seen_through(const struct phases *p, uint32_t test, uint32_t phase, uint32_t object) {
  const struct step_bounds *t = &p->steps.data[test];
  for (uint32_t found = 0;; found++) {
    uint64_t without = 0;
    bool some = false;
    for (uint32_t i = 0; i < p->steps.len; i++) {
      const struct step_bounds *x = &p->steps.data[i];
      bool may = x->object == t->object && x->counts && x->low <= phase && phase <= x->high;
      if (!may || bitmat_has(p->time, test, i)) continue;
      some |= *seen(p, i, object) > found;
      if (*seen(p, i, object) <= found) without += (uint32_t)x->use->arrivals;
    }
    if (!some || without >= p->expected[t->object]) return found;
  }
}

/* A true test of a phase comes after the arrivals of the phase before. If pending counts are raised, the number of
 * these arrivals is known only if no arrival can be surplus. */
static void see_through(struct phases *p, uint32_t test) {
  struct step_bounds *t = &p->steps.data[test];
  if (t->low == 0) return;
  for (uint32_t o = 0; o < p->object_count; o++) {
    uint32_t least = UINT32_MAX;
    for (uint32_t phase = t->low - 1; phase < t->high; phase++) {
      bool exact = !p->raises[t->object] || phase == 0 ||
                   arrivals_by(p, t->object, phase - 1, NO_STEP) == wanted_by(p, t->object, phase - 1);
      uint32_t there = exact ? seen_through(p, test, phase, o) : 0;
      if (there < least) least = there;
    }
    if (least != UINT32_MAX) raise_to(p, seen(p, test, o), least);
  }
}

/* The least phase that a loop's true test has seen, whichever test that is. */
static uint32_t least_seen(const struct phases *p, uint32_t step, uint32_t object) {
  uint32_t least = *seen(p, step, object);
  for (uint32_t i = 1; i < p->steps.data[step].tests; i++)
    if (*seen(p, step + i, object) < least) least = *seen(p, step + i, object);
  return least;
}

static void raise_low(struct phases *p, uint32_t i) {
  struct step_bounds *x = &p->steps.data[i];
  for (uint32_t k = 0; k < p->steps.len; k++)
    if (bitmat_has(p->sure, k, i))
      for (uint32_t o = 0; o < p->object_count; o++) raise_to(p, seen(p, i, o), least_seen(p, k, o));
  if (x->use->kind == USE_TEST) {
    see_through(p, i);
    for (uint32_t k = 0; k < p->steps.len && !x->use->parity; k++)
      if (p->steps.data[k].event == x->use->phase) raise_to(p, &x->low, p->steps.data[k].low + 1);
  }
  raise_to(p, &x->low, *seen(p, i, x->object));
  if (x->use->kind == USE_TEST && x->use->parity && x->low % 2 == x->use->phase) raise_to(p, &x->low, x->low + 1);
  raise_to(p, seen(p, i, x->object), x->low);
}

/* ---- Largest phases ---- */

static struct total *total(const struct phases *p, uint32_t object, uint32_t phase) {
  return &p->totals[object * p->most + phase];
}

/* True if the phase has too few arrivals to end without this one. */
static bool is_needed(const struct phases *p, const struct step_bounds *x, uint32_t phase) {
  if (!x->counts || x->low > phase) return false;
  return total(p, x->object, phase)->arrivals - (uint32_t)x->use->arrivals < wanted_by(p, x->object, phase);
}

/* Finds the steps that precede the end of a phase: its necessary arrivals, and the steps surely before one of these. */
static void find_comers(struct phases *p, uint32_t phase) {
  struct bitset comes = bitmat_row_set(p->comes, phase);
  bitset_clear(comes);
  for (uint32_t i = 0; i < p->steps.len; i++) {
    const struct step_bounds *x = &p->steps.data[i];
    if (!is_needed(p, x, phase)) continue;
    bitset_add(comes, i);
    for (uint32_t k = 0; k < p->steps.len; k++)
      if (p->steps.data[k].object == x->object && bitmat_has(p->sure, k, i)) bitset_add(comes, k);
  }
}

static void sum_up(struct phases *p) {
  for (uint32_t o = 0; o < p->object_count; o++)
    for (uint32_t phase = 0; phase < p->most; phase++)
      *total(p, o, phase) = (struct total){.arrivals = arrivals_by(p, o, phase, NO_STEP)};
  for (uint32_t phase = 0; phase < p->most; phase++) {
    find_comers(p, phase);
    for (uint32_t i = 0; i < p->steps.len; i++) {
      const struct step_bounds *x = &p->steps.data[i];
      struct total *sum = total(p, x->object, phase);
      if (x->use->kind != USE_SIGNAL) continue;
      if (x->use->bytes < 0 && x->low <= phase) sum->come += (uint32_t)-x->use->bytes;
      if (x->use->bytes > 0 && bitset_has(bitmat_row_set(p->comes, phase), i))
        sum->announced += (uint32_t)x->use->bytes;
    }
  }
}

/* True if the phase may end before the step. */
static bool may_be_over(const struct phases *p, uint32_t i, uint32_t phase) {
  const struct step_bounds *x = &p->steps.data[i];
  const struct total *sum = total(p, x->object, phase);
  uint64_t wanted = wanted_by(p, x->object, phase), come = sum->come;
  if (arrivals_by(p, x->object, phase, i) < wanted) return false;
  if (x->raise != NO_STEP && bitset_has(bitmat_row_set(p->comes, phase), x->raise) && sum->arrivals == wanted)
    return false;
  if (x->use->kind == USE_SIGNAL && x->use->bytes < 0 && x->low <= phase) come -= (uint32_t)-x->use->bytes;
  return sum->announced <= come;
}

static void lower_high(struct phases *p, uint32_t i) {
  struct step_bounds *x = &p->steps.data[i];
  for (uint32_t phase = x->low; phase < x->high; phase++)
    if (!may_be_over(p, i, phase)) lower_to(p, &x->high, phase);
  for (uint32_t k = 0; k < p->steps.len; k++)
    if (p->steps.data[k].object == x->object && bitmat_has(p->next, i, k)) lower_to(p, &x->high, p->steps.data[k].high);
  bool tests = x->use->kind == USE_TEST && x->use->parity;
  if (tests && x->high > x->low && x->high % 2 == x->use->phase) lower_to(p, &x->high, x->high - 1);
}

/* Least phases only grow and largest ones only fall. */
static void find_bounds(struct phases *p) {
  p->seen = ARENA_ARRAY(p->arena, uint32_t, (size_t)p->steps.len * p->object_count);
  p->totals = ARENA_ARRAY(p->arena, struct total, (size_t)p->most * p->object_count);
  p->comes = bitmat_new(p->arena, p->steps.len > p->most ? p->steps.len : p->most);
  do {
    p->changed = false;
    arena_poll(p->arena);
    for (uint32_t i = 0; i < p->steps.len; i++)
      if (p->steps.data[i].low <= p->steps.data[i].high) raise_low(p, i);
    sum_up(p);
    for (uint32_t i = 0; i < p->steps.len; i++)
      if (p->steps.data[i].low <= p->steps.data[i].high) lower_high(p, i);
  } while (p->changed);
}

/* ---- Consequences for the skeleton ---- */

static struct bitmat copy(struct arena *arena, struct bitmat m) {
  struct bitmat out = bitmat_new(arena, m.n);
  bitmat_or(out, m);
  return out;
}

/* True if the object is valid whenever the step has a turn. */
static bool is_valid(const struct phases *p, uint32_t i) {
  const struct step_bounds *x = &p->steps.data[i];
  bool valid = x->low > 0 || p->s->program->objects[p->s->mbarriers.data[x->object].object].expected > 0;
  for (uint32_t k = 0; k < p->steps.len && !valid; k++) {
    const struct step_bounds *y = &p->steps.data[k];
    valid = y->object == x->object && y->use->kind == USE_INIT && bitmat_has(p->sure, k, i);
  }
  return valid;
}

static void narrow_phases(struct phases *p, struct skeleton *s, enum cat_builtin relation, uint32_t i, uint32_t k) {
  const struct step_bounds *x = &p->steps.data[i], *y = &p->steps.data[k];
  if (!bitmat_has(s->may[relation], x->event, y->event)) return;
  if (y->high < x->low + 1 || x->high + 1 < y->low) bitmat_del(s->may[relation], x->event, y->event);
  else if (x->low == x->high && y->low == x->low + 1 && y->high == y->low && is_valid(p, i) && is_sure(s, y->event))
    bitmat_add(s->must[relation], x->event, y->event);
}

static void narrow_pair(struct phases *p, struct skeleton *s, uint32_t i, uint32_t k) {
  const struct step_bounds *x = &p->steps.data[i], *y = &p->steps.data[k];
  if (i == k || x->object != y->object || x->low > x->high || y->low > y->high) return;
  narrow_phases(p, s, CAT_REL_PHASE, i, k);
  narrow_phases(p, s, CAT_REL_NEXT_PHASE, i, k);
  if (x->high >= y->low && !bitmat_has(p->time, i, k)) return;
  bitmat_del(s->may[CAT_REL_MO], y->event, x->event);
  if (is_sure(s, x->event) && is_sure(s, y->event)) bitmat_add(s->must[CAT_REL_MO], x->event, y->event);
}

static struct skeleton *narrow(struct phases *p) {
  static const enum cat_builtin relations[] = {CAT_REL_MO, CAT_REL_PHASE, CAT_REL_NEXT_PHASE};
  struct skeleton *s = ARENA_COPY(p->arena, p->s);
  for (size_t i = 0; i < ARRAY_LEN(relations); i++) {
    s->may[relations[i]] = copy(p->arena, s->may[relations[i]]);
    s->must[relations[i]] = copy(p->arena, s->must[relations[i]]);
  }
  s->events.data = ARENA_ARRAY(p->arena, struct event, s->events.len);
  memcpy(s->events.data, p->s->events.data, s->events.len * sizeof *s->events.data);
  for (uint32_t i = 0; i < p->steps.len; i++) {
    const struct step_bounds *x = &p->steps.data[i];
    if (x->low > x->high) continue;
    s->events.data[x->event].phase_low = x->low;
    s->events.data[x->event].phase_high = x->high;
    for (uint32_t k = 0; k < p->steps.len; k++) narrow_pair(p, s, i, k);
  }
  return s;
}

const struct skeleton *phases_narrow(struct arena *arena, const struct graph *graph, cat_node time) {
  struct phases p = {.s = graph->skeleton, .arena = arena};
  list_steps(&p);
  join_tests(&p);
  if (!p.steps.len) return NULL;
  for (uint32_t i = 0; i < p.steps.len; i++)
    if (p.steps.data[i].high >= p.most) p.most = p.steps.data[i].high + 1;
  relate_steps(&p, graph->bounds.data[time].must);
  find_bounds(&p);
  return narrow(&p);
}
