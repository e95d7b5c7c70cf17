/* mbarrier objects as clauses: the order of the steps on each, the phase that each step falls in, the results of tests
 * (docs/async.md MB3-MB6, MB12).
 *
 * The signals of a completed phase bring the expected number of arrivals and all announced bytes; the signals of the
 * last phase do not. This takes one sum per phase, whatever the order of its signals. The order matters only if a
 * signal other than the last might complete the phase: then the sums before each signal are needed too. Amounts are in
 * units of their greatest common divisor; in most tests these sums are then plain counts. The end of the execution
 * counts as one more step, after all others. A use has a turn if it happens and, for a test, returns true: it then has
 * a place in the order of the object. A life of an object goes from an mbarrier.init to the first mbarrier.init after
 * an mbarrier.inval. */
#include "encode/parts.h"

/* One object; uses by their number in the skeleton's list, and the end as the last one. */
struct encoded_mbarrier {
  const struct mbarrier_object *object;
  uint32_t count;  /* of the uses */
  uint32_t phases; /* of all lives; see mbarrier_object.span */
  lit *before;     /* indexed by two uses; has a meaning if both have a turn */
  lit *present;    /* by use: it has a turn */
  lit *valid;      /* by use: the object is initialised then */
  lit *begins;     /* by use, for initialisations: it begins a life */
  lit **reached;   /* by use and phase: at its turn, at least that phase is current */
  lit *done;       /* by phase: it is completed */
};

static const struct mbarrier_use *use_of(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  static const struct mbarrier_use end = {.kind = USE_INVAL};
  return i < m->count ? encode_event(e, m->object->uses.data[i])->use : &end;
}

static lit and2(struct encoder *e, lit a, lit b) { return gates_and2(&e->gates, a, b, NEED_BOTH); }

static lit value_of(const struct encoder *e, uint32_t test) { return e->words[encode_event(e, test)->value].bits[0]; }

/* ---- Order ---- */

static lit before(const struct encoded_mbarrier *m, uint32_t i, uint32_t k) {
  return m->before[i * (m->count + 1) + k];
}

static void put_before(struct encoded_mbarrier *m, uint32_t i, uint32_t k, lit first) {
  m->before[i * (m->count + 1) + k] = first;
  m->before[k * (m->count + 1) + i] = -first;
}

static bool is_const(lit x) { return x == LIT_TRUE || x == LIT_FALSE; }

/* The order of three uses that have a turn is transitive. */
static void order_three(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t k, uint32_t l) {
  lit a = before(m, i, k), b = before(m, k, l), c = before(m, i, l);
  if (is_const(a) && is_const(b) && is_const(c)) return;
  sat_clause(e->sat, (lit[]){-m->present[i], -m->present[k], -m->present[l], -a, -b, c}, 6);
  sat_clause(e->sat, (lit[]){-m->present[i], -m->present[k], -m->present[l], a, b, -c}, 6);
}

static void choose_order(struct encoder *e, struct encoded_mbarrier *m) {
  const uint32_t *uses = m->object->uses.data, n = m->count;
  const struct bitmat may = e->skeleton->may[CAT_REL_MO];
  m->before = ARENA_ARRAY(e->arena, lit, (size_t)(n + 1) * (n + 1));
  for (uint32_t i = 0; i <= n; i++) m->before[i * (n + 1) + i] = LIT_FALSE;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = i + 1; k < n; k++)
      put_before(m, i, k,
                 !bitmat_has(may, uses[k], uses[i])   ? LIT_TRUE
                 : !bitmat_has(may, uses[i], uses[k]) ? LIT_FALSE
                                                      : sat_variable(e->sat));
    put_before(m, i, n, LIT_TRUE);
  }
  for (uint32_t i = 0; i < n && !encoder_is_late(e); i++)
    for (uint32_t k = i + 1; k < n; k++)
      for (uint32_t l = k + 1; l < n; l++) order_three(e, m, i, k, l);
}

static void find_turns(struct encoder *e, struct encoded_mbarrier *m) {
  m->present = ARENA_ARRAY(e->arena, lit, m->count + 1);
  for (uint32_t i = 0; i < m->count; i++) {
    uint32_t event = m->object->uses.data[i];
    m->present[i] = e->exec[event];
    if (use_of(e, m, i)->kind == USE_TEST) m->present[i] = and2(e, e->exec[event], value_of(e, event));
  }
  m->present[m->count] = LIT_TRUE;
}

static void find_valid(struct encoder *e, struct encoded_mbarrier *m) {
  m->valid = ARENA_ARRAY(e->arena, lit, m->count + 1);
  for (uint32_t i = 0; i <= m->count; i++) {
    m->valid[i] = e->skeleton->program->objects[m->object->object].expected > 0 ? LIT_TRUE : LIT_FALSE;
    for (uint32_t k = 0; k < m->count; k++)
      if (use_of(e, m, k)->kind == USE_INIT)
        m->valid[i] = gates_or2(&e->gates, m->valid[i], and2(e, m->present[k], before(m, k, i)), NEED_BOTH);
  }
}

/* ---- Phases and lives ---- */

static lit reached(const struct encoded_mbarrier *m, uint32_t i, uint32_t phase) {
  return phase < m->phases ? m->reached[i][phase] : LIT_FALSE;
}

static lit in_phase(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t phase) {
  return and2(e, reached(m, i, phase), -reached(m, i, phase + 1));
}

static uint32_t life_of(const struct encoded_mbarrier *m, uint32_t phase) { return phase / m->object->span; }

/* The first phase of the life after the life of a phase. */
static uint32_t next_life(const struct encoded_mbarrier *m, uint32_t phase) {
  return (life_of(m, phase) + 1) * m->object->span;
}

static lit in_life(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t life) {
  return and2(e, reached(m, i, life * m->object->span), -reached(m, i, (life + 1) * m->object->span));
}

static lit same_life(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t k) {
  lit same = LIT_FALSE;
  for (uint32_t life = 0; life < m->object->lives; life++)
    same = gates_or2(&e->gates, same, and2(e, in_life(e, m, i, life), in_life(e, m, k, life)), NEED_BOTH);
  return m->object->lives > 1 ? same : LIT_TRUE;
}

/* Literals for the phases that a step may be in. */
static void choose_phases(struct encoder *e, struct encoded_mbarrier *m) {
  m->reached = ARENA_ARRAY(e->arena, lit *, m->count + 1);
  m->done = ARENA_ARRAY(e->arena, lit, m->phases);
  for (uint32_t p = 0; p < m->phases; p++)
    m->done[p] = p % m->object->span + 1 < m->object->phases ? sat_variable(e->sat) : LIT_FALSE;
  for (uint32_t i = 0; i <= m->count; i++) {
    const struct event *event = i < m->count ? encode_event(e, m->object->uses.data[i]) : NULL;
    m->reached[i] = ARENA_ARRAY(e->arena, lit, m->phases);
    for (uint32_t p = m->phases; p-- > 0;) {
      bool between = p % m->object->span >= m->object->phases;
      m->reached[i][p] = p == 0 || (event && p <= event->phase_low) ? LIT_TRUE
                         : event && p > event->phase_high           ? LIT_FALSE
                         : between                                  ? reached(m, i, next_life(m, p))
                                                                    : sat_variable(e->sat);
      if (p + 1 < m->phases) sat_clause2(e->sat, -m->reached[i][p + 1], m->reached[i][p]);
    }
  }
}

/* An initialisation begins a life unless the object is valid and no mbarrier.inval has ended that life. */
static void find_begins(struct encoder *e, struct encoded_mbarrier *m) {
  m->begins = ARENA_ARRAY(e->arena, lit, m->count);
  for (uint32_t i = 0; i < m->count; i++) {
    lit ended = LIT_FALSE;
    if (use_of(e, m, i)->kind != USE_INIT) continue;
    for (uint32_t k = 0; k < m->count; k++) {
      if (use_of(e, m, k)->kind != USE_INVAL) continue;
      lit holds[] = {m->present[k], m->valid[k], before(m, k, i), same_life(e, m, k, i)};
      ended = gates_or2(&e->gates, ended, gates_and(&e->gates, holds, 4, NEED_BOTH), NEED_BOTH);
    }
    lit free = gates_or2(&e->gates, -m->valid[i], ended, NEED_BOTH);
    m->begins[i] = and2(e, m->present[i], free);
    encode_misuse(e, and2(e, m->present[i], -free), REASON_MBARRIER_AGAIN, m->object->uses.data[i],
                  m->object->uses.data[i]);
  }
}

/* The initialisation begins this life. */
static lit starts(struct encoder *e, const struct encoded_mbarrier *m, uint32_t init, uint32_t life) {
  if (life == 0) return and2(e, m->begins[init], -m->valid[init]);
  return and2(e, and2(e, m->begins[init], m->valid[init]), in_life(e, m, init, life - 1));
}

static void begin_life(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t life) {
  VEC(lit) ways = {0};
  lit there = reached(m, i, life * m->object->span);
  for (uint32_t k = 0; k < m->count; k++) {
    if (use_of(e, m, k)->kind != USE_INIT) continue;
    lit begun = and2(e, starts(e, m, k, life), before(m, k, i));
    sat_clause2(e->sat, -begun, there);
    VEC_PUSH(e->arena, &ways, begun);
  }
  VEC_PUSH(e->arena, &ways, -there);
  VEC_PUSH(e->arena, &ways, -m->present[i]);
  sat_clause(e->sat, ways.data, ways.len);
}

/* Phases follow the order of the steps; a phase is reached only if the phase before is completed or its life has
 * ended. */
static void tie_phases(struct encoder *e, const struct encoded_mbarrier *m) {
  for (uint32_t i = 0; i <= m->count && !encoder_is_late(e); i++) {
    for (uint32_t k = 0; k <= m->count; k++)
      for (uint32_t p = 1; p < m->phases && before(m, i, k) != LIT_FALSE; p++)
        sat_clause(e->sat,
                   (lit[]){-m->present[i], -m->present[k], -before(m, i, k), -reached(m, i, p), reached(m, k, p)}, 5);
    for (uint32_t p = 0; p + 1 < m->phases; p++)
      if (p % m->object->span + 1 < m->object->phases)
        sat_clause(e->sat, (lit[]){-m->present[i], -reached(m, i, p + 1), m->done[p], reached(m, i, next_life(m, p))},
                   4);
    for (uint32_t life = 1; life < m->object->lives; life++) begin_life(e, m, i, life);
  }
}

/* ---- Arrivals that count ---- */

/* A literal: the signal k counts at the turn of use i, or is i itself. */
static lit counts_at(struct encoder *e, const struct encoded_mbarrier *m, uint32_t k, uint32_t i) {
  if (use_of(e, m, k)->kind != USE_SIGNAL && use_of(e, m, k)->kind != USE_RAISE) return LIT_FALSE;
  lit counts = and2(e, and2(e, m->present[k], m->valid[k]), same_life(e, m, k, i));
  return k == i ? counts : and2(e, counts, before(m, k, i));
}

/* A literal: use k is a signal of the phase, or a raise of its pending count. */
static lit member(struct encoder *e, const struct encoded_mbarrier *m, uint32_t k, uint32_t phase) {
  if (use_of(e, m, k)->kind != USE_SIGNAL && use_of(e, m, k)->kind != USE_RAISE) return LIT_FALSE;
  return gates_and(&e->gates, (lit[]){m->present[k], m->valid[k], in_phase(e, m, k, phase)}, 3, NEED_BOTH);
}

/* Adds the number of arrivals that each phase of the life expects, not counting drops, if `holds` is true. */
static void add_expected(struct encoder *e, const struct encoded_mbarrier *m, uint32_t life, lit holds,
                         struct sum *out) {
  const struct object *object = &e->skeleton->program->objects[m->object->object];
  uint32_t inits = 0;
  if (life == 0) encode_sum_add(e, out, holds, object->expected);
  for (uint32_t k = 0; k < m->count; k++) inits += use_of(e, m, k)->kind == USE_INIT;
  for (uint32_t k = 0; k < m->count; k++) {
    if (use_of(e, m, k)->kind != USE_INIT || (life == 0 && object->expected)) continue;
    lit begun = inits == 1 && life == 0 ? LIT_TRUE : starts(e, m, k, life);
    encode_sum_add(e, out, and2(e, holds, begun), (uint32_t)use_of(e, m, k)->arrivals);
  }
}

enum { NO_USE = UINT32_MAX };

/* A literal: use k counts in the phase and is use i or before it; with i == NO_USE, anywhere in the phase. */
static lit up_to(struct encoder *e, const struct encoded_mbarrier *m, uint32_t k, uint32_t phase, uint32_t i) {
  lit counts = member(e, m, k, phase);
  return k == i || i == NO_USE ? counts : and2(e, counts, before(m, k, i));
}

/* A literal: the bytes that the signals of a phase announce and those that have come are equal, so that the transaction
 * count is 0. */
static lit bytes_are_even(struct encoder *e, const struct encoded_mbarrier *m, uint32_t phase, uint32_t i) {
  struct sum announced = {0}, come = {0};
  for (uint32_t k = 0; k < m->count; k++) {
    int32_t bytes = use_of(e, m, k)->bytes;
    if (bytes)
      encode_sum_add(e, bytes > 0 ? &announced : &come, up_to(e, m, k, phase, i),
                     (uint32_t)(bytes > 0 ? bytes : -bytes));
  }
  return encode_sums_equal(e, &announced, &come);
}

/* Adds the arrivals of a phase up to use i, with those that earlier drops make unnecessary, and the expected ones. */
static void add_arrivals(struct encoder *e, const struct encoded_mbarrier *m, uint32_t phase, uint32_t i,
                         struct sum *arrived, struct sum *expected) {
  uint32_t life = life_of(m, phase);
  for (uint32_t k = 0; k < m->count; k++) {
    const struct mbarrier_use *use = use_of(e, m, k);
    if (use->arrivals) {
      lit counts = up_to(e, m, k, phase, i);
      encode_sum_add(e, use->arrivals > 0 ? arrived : expected, counts,
              (uint32_t)(use->arrivals > 0 ? use->arrivals : -use->arrivals));
    }
    lit earlier[] = {m->present[k], m->valid[k], in_life(e, m, k, life), -reached(m, k, phase)};
    if (use->dropped) encode_sum_add(e, arrived, gates_and(&e->gates, earlier, 4, NEED_BOTH), (uint32_t)use->dropped);
  }
  add_expected(e, m, life, LIT_TRUE, expected);
}

static struct balance weigh_arrivals(struct encoder *e, const struct encoded_mbarrier *m, uint32_t phase, uint32_t i) {
  struct sum arrived = {0}, expected = {0};
  add_arrivals(e, m, phase, i, &arrived, &expected);
  return encode_weigh(e, &arrived, &expected);
}

static lit arrivals_are_even(struct encoder *e, const struct encoded_mbarrier *m, uint32_t phase) {
  struct sum arrived = {0}, expected = {0};
  add_arrivals(e, m, phase, NO_USE, &arrived, &expected);
  return encode_sums_equal(e, &arrived, &expected);
}

/* ---- Where the order makes no difference ---- */

static const struct event *event_of(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  return encode_event(e, m->object->uses.data[i]);
}

static bool may_be_member(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t k, uint32_t phase) {
  const struct event *event = event_of(e, m, k);
  enum use_kind kind = event->use->kind;
  return (kind == USE_SIGNAL || kind == USE_RAISE) && event->phase_low <= phase && phase <= event->phase_high;
}

/* True if use k announces its bytes in this phase, at or before an arrival of the phase that can happen only if k
 * does. */
static bool is_announced(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t k, uint32_t phase) {
  const struct event *event = event_of(e, m, k);
  if (event->phase_low != phase || event->phase_high != phase) return false;
  return SOME_BELOW(a, m->count,
                    may_be_member(e, m, a, phase) && use_of(e, m, a)->arrivals > 0 &&
                        (a == k || before(m, k, a) == LIT_TRUE) &&
                        bitmat_has(e->skeleton->implies, m->object->uses.data[a], m->object->uses.data[k]));
}

/* The step by which the issue of an operation raised the pending count for the operation's arrival k, or NO_USE. */
static uint32_t raise_of(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t k) {
  const struct event *event = event_of(e, m, k);
  for (uint32_t i = 0; event->spawned && i < m->count; i++)
    if (m->object->uses.data[i] == event->operation->issue && use_of(e, m, i)->kind == USE_RAISE) return i;
  return NO_USE;
}

static bool is_surely_in(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t k, uint32_t phase) {
  const struct event *event = event_of(e, m, k);
  return event->phase_low == phase && event->phase_high == phase;
}

/* True if the step raises the pending count in this phase before some arrival of the phase that has no raise of its
 * own. */
static bool is_raised_in_time(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t raise,
                              uint32_t phase) {
  if (!is_surely_in(e, m, raise, phase)) return false;
  return SOME_BELOW(a, m->count,
                    may_be_member(e, m, a, phase) && use_of(e, m, a)->arrivals > 0 && before(m, raise, a) == LIT_TRUE &&
                        raise_of(e, m, a) == NO_USE);
}

/* True if the pending count is raised for the arrival in its own phase. Both steps count, or neither does. */
static bool is_raised_for(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t k, uint32_t phase) {
  uint32_t raise = raise_of(e, m, k);
  return is_surely_in(e, m, k, phase) && is_surely_in(e, m, raise, phase) && m->valid[raise] == m->valid[k] &&
         use_of(e, m, raise)->arrivals == -use_of(e, m, k)->arrivals;
}

/* The possible totals of the signals of a phase, without arrivals for which the pending count is raised. */
struct delivered {
  uint64_t arrivals, announced, come;
};

/* Adds the arrivals and bytes of a step. False if it might come too late, after signals that complete the phase. */
static bool deliver(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t k, uint32_t phase,
                    struct delivered *sum) {
  const struct mbarrier_use *use = use_of(e, m, k);
  if (use->kind == USE_RAISE) return is_raised_in_time(e, m, k, phase);
  if (!use->arrivals && !use->bytes) return false;
  if (use->bytes > 0 && !is_announced(e, m, k, phase)) return false;
  if (raise_of(e, m, k) != NO_USE) return is_raised_for(e, m, k, phase);
  sum->arrivals += (uint32_t)use->arrivals;
  *(use->bytes > 0 ? &sum->announced : &sum->come) += (uint32_t)(use->bytes > 0 ? use->bytes : -use->bytes);
  return true;
}

/* True if only the last signal can complete the phase: it expects all arrivals that it may have, bytes are announced
 * and counts raised before the last of these, and no more bytes may come than are announced. */
static bool is_calm(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t phase) {
  uint64_t expected = e->skeleton->program->objects[m->object->object].expected;
  uint32_t inits = expected > 0;
  struct delivered sum = {0};
  for (uint32_t k = 0; k < m->count; k++) {
    const struct mbarrier_use *use = use_of(e, m, k);
    inits += use->kind == USE_INIT;
    if (use->kind == USE_INIT) expected = (uint32_t)use->arrivals;
    if (use->dropped || (may_be_member(e, m, k, phase) && !deliver(e, m, k, phase, &sum))) return false;
  }
  return inits <= 1 && m->object->lives == 1 && expected > 0 &&
         (sum.arrivals < expected || (sum.arrivals == expected && sum.come <= sum.announced));
}

/* ---- Undefined uses ---- */

static void misuse_surplus(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t phase,
                           struct balance arrivals) {
  lit surplus = word_less(&e->gates, arrivals.loss, arrivals.gain, false);
  encode_misuse(e, and2(e, member(e, m, i, phase), surplus), REASON_MBARRIER_SURPLUS, m->object->uses.data[i],
                m->object->uses.data[i]);
}

/* Notes a misuse if the transaction count leaves its range; it cannot if all amounts together are within the limit. */
static void misuse_range(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  struct sum sums[2] = {{.fixed = 0}, {.fixed = 0}};
  uint64_t all[2] = {0, 0};
  for (uint32_t k = 0; k < m->count; k++) {
    int32_t bytes = use_of(e, m, k)->bytes;
    uint32_t amount = (uint32_t)(bytes > 0 ? bytes : -bytes);
    all[bytes > 0] += use_of(e, m, k)->kind == USE_SIGNAL ? amount : 0;
    encode_sum_add(e, &sums[bytes > 0], counts_at(e, m, k, i), amount);
  }
  for (int side = 0; side < 2; side++) {
    if (all[side] <= MBARRIER_COUNT_LIMIT) continue;
    struct word over = encode_sum_up(e, &sums[side], 1), other = encode_sum_up(e, &sums[!side], 1);
    struct word limit = word_const(e->arena, MBARRIER_COUNT_LIMIT, SUM_WIDTH);
    lit beyond = and2(e, word_less(&e->gates, encode_sum_plus(e, other, limit), over, false), counts_at(e, m, i, i));
    encode_misuse(e, beyond, REASON_MBARRIER_TX, m->object->uses.data[i], m->object->uses.data[i]);
  }
}

/* Notes a misuse if the drops that count at turn `when` leave no expected arrival. `own`: only drops before use i. */
static void misuse_if_dropped(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, lit holds, uint32_t when,
                              bool own) {
  struct sum dropped = {0}, expected = {0};
  const uint32_t *uses = m->object->uses.data;
  bool some = false;
  for (uint32_t k = 0; k < m->count; k++) {
    if (k == i || !use_of(e, m, k)->dropped || (own && !skeleton_step_before(e->skeleton, uses[k], uses[i]))) continue;
    lit counts = counts_at(e, m, k, when);
    some |= counts != LIT_FALSE;
    encode_sum_add(e, &dropped, counts, (uint32_t)use_of(e, m, k)->dropped);
  }
  if (!some || holds == LIT_FALSE) return;
  for (uint32_t life = 0; life < m->object->lives; life++)
    add_expected(e, m, life, in_life(e, m, when, life), &expected);
  encode_misuse(e, and2(e, holds, encode_sums_equal(e, &dropped, &expected)), REASON_MBARRIER_DROPPED, uses[i],
                uses[i]);
}

static void misuse_dropped(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  enum use_kind kind = use_of(e, m, i)->kind;
  uint32_t event = m->object->uses.data[i];
  if (kind == USE_SIGNAL || kind == USE_TEST) misuse_if_dropped(e, m, i, and2(e, m->present[i], m->valid[i]), i, false);
  if (kind == USE_TEST) /* also if it returns false: exec/async/signals.c */
    misuse_if_dropped(e, m, i, and2(e, e->exec[event], -value_of(e, event)), m->count, !use_of(e, m, i)->waits);
}

/* ---- Signals ---- */

static void completes(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, lit when) {
  if (use_of(e, m, i)->no_complete)
    encode_misuse(e, when, REASON_MBARRIER_COMPLETES, m->object->uses.data[i], m->object->uses.data[i]);
}

/* Defines the completion of a phase that only its last signal can complete. */
static void define_calm(struct encoder *e, const struct encoded_mbarrier *m, uint32_t phase) {
  lit even = and2(e, bytes_are_even(e, m, phase, NO_USE), arrivals_are_even(e, m, phase));
  sat_clause2(e->sat, -m->done[phase], even);
  sat_clause2(e->sat, m->done[phase], -even);
  for (uint32_t i = 0; i <= m->count; i++) { /* other steps come before its last signal */
    VEC(lit) later = {0};
    lit here = and2(e, m->present[i], in_phase(e, m, i, phase));
    if (here == LIT_FALSE) continue;
    for (uint32_t k = 0; k < m->count; k++)
      VEC_PUSH(e->arena, &later, and2(e, member(e, m, k, phase), before(m, i, k)));
    lit last = -gates_or(&e->gates, later.data, later.len, NEED_BOTH);
    if (use_of(e, m, i)->kind != USE_SIGNAL) sat_clause3(e->sat, -here, -m->done[phase], -last);
    else completes(e, m, i, and2(e, and2(e, member(e, m, i, phase), m->done[phase]), last));
  }
}

/* Defines the completion of a phase that any of its signals may complete. */
static void define_done(struct encoder *e, const struct encoded_mbarrier *m, uint32_t phase) {
  VEC(lit) ways = {0};
  bool last = m->done[phase] == LIT_FALSE;
  for (uint32_t i = 0; i < m->count && !encoder_is_late(e); i++) {
    lit here = member(e, m, i, phase);
    if (use_of(e, m, i)->kind != USE_SIGNAL || here == LIT_FALSE) continue;
    struct balance arrivals = weigh_arrivals(e, m, phase, i);
    misuse_surplus(e, m, i, phase, arrivals);
    if (last) continue;
    lit all = word_equal(&e->gates, arrivals.gain, arrivals.loss);
    lit even = and2(e, bytes_are_even(e, m, phase, i), all), done = and2(e, here, even);
    for (uint32_t k = 0; k <= m->count; k++)
      sat_clause(e->sat, (lit[]){-done, -m->present[k], -before(m, i, k), reached(m, k, phase + 1)}, 4);
    completes(e, m, i, done);
    VEC_PUSH(e->arena, &ways, done);
  }
  lit some = gates_or(&e->gates, ways.data, ways.len, NEED_BOTH);
  sat_clause2(e->sat, -m->done[phase], some);
  sat_clause2(e->sat, m->done[phase], -some);
}

static void find_phases(struct encoder *e, struct encoded_mbarrier *m) {
  choose_phases(e, m);
  find_begins(e, m);
  tie_phases(e, m);
  for (uint32_t phase = 0; phase < m->phases && !encoder_is_late(e); phase++) {
    if (phase % m->object->span >= m->object->phases) continue;
    if (!is_calm(e, m, phase)) define_done(e, m, phase);
    else if (m->done[phase] != LIT_FALSE) define_calm(e, m, phase);
  }
  for (uint32_t i = 0; i < m->count && !encoder_is_late(e); i++) {
    if (use_of(e, m, i)->kind == USE_SIGNAL) misuse_range(e, m, i);
    misuse_dropped(e, m, i);
  }
}

/* ---- Pending counts ---- */

/* The pending count of a phase just before signal i. */
static struct word pending_in(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t phase) {
  struct sum arrived = {0}, expected = {0};
  struct term minus = {.op = TERM_SUB, .width = SUM_WIDTH};
  add_arrivals(e, m, phase, i, &arrived, &expected);
  struct word all = encode_sum_up(e, &expected, 1), come = encode_sum_up(e, &arrived, 1);
  struct word left = word_apply(&e->gates, &minus, all, come, (struct word){NULL, 0});
  return encode_sum_plus(e, left, word_const(e->arena, (uint32_t)use_of(e, m, i)->arrivals, SUM_WIDTH));
}

static void define_pending(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, struct word count) {
  lit counts = and2(e, m->present[i], m->valid[i]);
  encode_equate(e, (lit[]){-counts, LIT_TRUE, LIT_TRUE}, count, word_const(e->arena, 0, count.width));
  for (uint32_t phase = 0; phase < m->phases; phase++)
    if (phase % m->object->span < m->object->phases)
      encode_equate(e, (lit[]){member(e, m, i, phase), LIT_TRUE, LIT_TRUE}, count, pending_in(e, m, i, phase));
}

/* ---- Tests ---- */

static uint32_t index_of(const struct encoded_mbarrier *m, uint32_t event) {
  for (uint32_t i = 0; i < m->count; i++)
    if (m->object->uses.data[i] == event) return i;
  BUG("e%u is not a step of this mbarrier object", event);
}

/* True if a test holds at the turn of use i. */
static lit holds_at(struct encoder *e, const struct encoded_mbarrier *m, const struct mbarrier_use *test, uint32_t i,
                    uint32_t beyond) {
  lit *ways = ARENA_ARRAY(e->arena, lit, m->phases);
  uint32_t n = 0;
  for (uint32_t phase = 0; phase < m->phases; phase++) {
    if (test->parity && phase % 2 != test->phase) ways[n++] = in_phase(e, m, i, phase);
    if (test->parity || phase + beyond >= m->phases) continue;
    ways[n++] = and2(e, in_phase(e, m, index_of(m, test->phase), phase), reached(m, i, phase + beyond));
  }
  return gates_or(&e->gates, ways, n, NEED_BOTH);
}

static lit holds_at_last(struct encoder *e, const struct encoded_mbarrier *m, const struct mbarrier_use *test) {
  return and2(e, m->valid[m->count], holds_at(e, m, test, m->count, 1));
}

static void judge_test(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  const struct mbarrier_use *use = use_of(e, m, i);
  uint32_t event = m->object->uses.data[i];
  lit value = value_of(e, event), attempted = e->words[use->attempted].bits[0];
  sat_clause2(e->sat, -m->present[i], m->valid[i]);
  sat_clause2(e->sat, -m->present[i], holds_at(e, m, use, i, 1));
  if (!use->parity)
    encode_misuse(e, and2(e, m->present[i], holds_at(e, m, use, i, 2)), REASON_MBARRIER_OLD_STATE, event, use->phase);
  if (use->waits) { /* a wait blocks only if its test never holds */
    if (value != LIT_TRUE) sat_clause3(e->sat, -attempted, value, -holds_at_last(e, m, use));
    return;
  }
  sat_clause2(e->sat, attempted, -value);
  if (use->at_will || !use->parity || use->phase == 0) return;
  sat_clause3(e->sat, -attempted, value, reached(m, m->count, 1));
}

/* ---- All objects ---- */

void encode_mbarriers(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  e->mbarriers = ARENA_ARRAY(e->arena, struct encoded_mbarrier, s->mbarriers.len);
  for (uint32_t o = 0; o < s->mbarriers.len && !encoder_is_late(e); o++) {
    struct encoded_mbarrier *m = &e->mbarriers[o];
    *m = (struct encoded_mbarrier){.object = &s->mbarriers.data[o], .count = s->mbarriers.data[o].uses.len};
    m->phases = m->object->lives == 1 ? m->object->phases : m->object->lives * m->object->span;
    find_turns(e, m);
    choose_order(e, m);
    find_valid(e, m);
    find_phases(e, m);
    for (uint32_t i = 0; i < m->count; i++)
      if (use_of(e, m, i)->kind == USE_TEST) judge_test(e, m, i);
  }
  for (term_id id = 0; id < s->terms.list.len && !encoder_is_late(e); id++) {
    const struct term *t = term_get(&s->terms, id);
    if (t->op != TERM_PENDING || !e->words[id].width) continue;
    const struct encoded_mbarrier *m = &e->mbarriers[encode_event(e, t->event)->use->object];
    define_pending(e, m, index_of(m, t->event), e->words[id]);
  }
}

lit encode_mo(struct encoder *e, uint32_t a, uint32_t b, unsigned need) {
  const struct encoded_mbarrier *m = &e->mbarriers[encode_event(e, a)->use->object];
  uint32_t i = index_of(m, a), k = index_of(m, b);
  return gates_and(&e->gates, (lit[]){before(m, i, k), m->present[i], m->present[k]}, 3, need);
}

/* A literal: b is in the phase after that of the signal a. */
lit encode_next_phase(struct encoder *e, uint32_t a, uint32_t b, unsigned need) {
  const struct encoded_mbarrier *m = &e->mbarriers[encode_event(e, a)->use->object];
  uint32_t i = index_of(m, a), k = index_of(m, b);
  lit *ways = ARENA_ARRAY(e->arena, lit, m->phases);
  for (uint32_t phase = 0; phase + 1 < m->phases; phase++)
    ways[phase] = and2(e, in_phase(e, m, i, phase), in_phase(e, m, k, phase + 1));
  lit next = gates_or(&e->gates, ways, m->phases - 1, need);
  return gates_and(&e->gates, (lit[]){m->valid[i], m->present[i], m->present[k], next}, 4, need);
}

/* A literal: the signal is in the phase that the true test found complete, the phase before the test's own. */
lit encode_phase(struct encoder *e, uint32_t signal, uint32_t test, unsigned need) {
  return encode_next_phase(e, signal, test, need);
}

lit encode_test_fails_at_last(struct encoder *e, uint32_t test) {
  const struct encoded_mbarrier *m = &e->mbarriers[encode_event(e, test)->use->object];
  return gates_or2(&e->gates, value_of(e, test), -holds_at_last(e, m, encode_event(e, test)->use), NEED_BOTH);
}

/* After SAT_YES: reads the turns of the steps, their positions in the order of each object. */
void encode_read_turns(const struct encoder *e, uint32_t *turn) {
  ARRAY_EACH (m, e->mbarriers, e->skeleton->mbarriers.len)
    for (uint32_t i = 0; i < m->count; i++) {
      uint32_t earlier = COUNT(for (uint32_t k = 0; k < m->count; k++),
                               k != i && sat_value(e->sat, m->present[k]) && sat_value(e->sat, before(m, k, i)));
      turn[m->object->uses.data[i]] = sat_value(e->sat, m->present[i]) ? earlier : NO_TURN;
    }
}
