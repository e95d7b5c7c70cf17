/* mbarrier objects: an order of the steps of each, the phase that each step falls in, and what tests may say of it
 * (docs/async.md MB3-MB6, MB12).
 *
 * A phase is complete with the signal at which as many have arrived, since the object was initialised, as all phases so
 * far expect, and as many bytes have come as were announced. So nothing has to be carried from step to step: for each
 * signal, what comes before it is summed up. Amounts are in units of their greatest common divisor, which mostly makes
 * these sums counts.
 */
#include "encode/parts.h"

/* One object; uses by their number in the skeleton's list. */
struct encoded_mbarrier {
  const struct mbarrier_object *object;
  uint32_t count;
  int32_t expected; /* of the first phase */
  lit *before;      /* by two uses */
  lit *present;     /* by use: it has a turn */
  lit *valid;       /* by use: the object is initialised then */
  lit **complete;   /* by use and phase: it completes that phase */
  lit **reached;    /* by use and phase: at least that phase is current when its turn comes */
};

static const struct mbarrier_use *use_of(const struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  return encode_event(e, m->object->uses.data[i])->use;
}

static lit and2(struct encoder *e, lit a, lit b) { return gates_and2(&e->gates, a, b, NEED_BOTH); }

static lit value_of(const struct encoder *e, uint32_t test) { return e->words[encode_event(e, test)->value].bits[0]; }

/* ---- Order ---- */

static lit before(const struct encoded_mbarrier *m, uint32_t i, uint32_t k) { return m->before[i * m->count + k]; }

static void choose_order(struct encoder *e, struct encoded_mbarrier *m) {
  const uint32_t *uses = m->object->uses.data, n = m->count;
  m->before = ARENA_ARRAY(e->arena, lit, (size_t)n * n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = i + 1; k < n; k++) {
      lit first = skeleton_step_before(e->skeleton, uses[i], uses[k])   ? LIT_TRUE
                  : skeleton_step_before(e->skeleton, uses[k], uses[i]) ? LIT_FALSE
                                                                        : sat_variable(e->sat);
      m->before[i * n + k] = first;
      m->before[k * n + i] = -first;
    }
  for (uint32_t i = 0; i < n; i++) m->before[i * n + i] = LIT_FALSE;
  for (uint32_t i = 0; i < n && !encoder_is_late(e); i++)
    for (uint32_t k = i + 1; k < n; k++)
      for (uint32_t l = k + 1; l < n; l++) {
        sat_clause3(e->sat, -before(m, i, k), -before(m, k, l), before(m, i, l));
        sat_clause3(e->sat, before(m, i, k), before(m, k, l), -before(m, i, l));
      }
}

static void find_turns(struct encoder *e, struct encoded_mbarrier *m) {
  m->present = ARENA_ARRAY(e->arena, lit, m->count);
  for (uint32_t i = 0; i < m->count; i++) {
    uint32_t event = m->object->uses.data[i];
    m->present[i] = e->exec[event];
    if (use_of(e, m, i)->kind == USE_TEST) m->present[i] = and2(e, e->exec[event], value_of(e, event));
  }
  m->valid = ARENA_ARRAY(e->arena, lit, m->count);
  for (uint32_t i = 0; i < m->count; i++) {
    m->valid[i] = e->skeleton->program->objects[m->object->object].expected ? LIT_TRUE : LIT_FALSE;
    for (uint32_t k = 0; k < m->count; k++) {
      if (use_of(e, m, k)->kind != USE_INIT) continue;
      lit begun = and2(e, m->present[k], before(m, k, i));
      m->valid[i] = gates_or2(&e->gates, m->valid[i], begun, NEED_BOTH);
    }
  }
}

/* ---- Sums ---- */

/* Amounts that count where their literals hold. */
struct sum {
  VEC(lit) lits;
  VEC(uint32_t) amounts;
};

static void sum_add(struct encoder *e, struct sum *sum, lit holds, uint32_t amount) {
  if (holds == LIT_FALSE || amount == 0) return;
  VEC_PUSH(e->arena, &sum->lits, holds);
  VEC_PUSH(e->arena, &sum->amounts, amount);
}

static uint32_t divisor(uint32_t a, uint32_t b) {
  while (b) {
    uint32_t rest = a % b;
    a = b, b = rest;
  }
  return a;
}

enum { SUM_WIDTH = 32, UNARY_LIMIT = 24 };

static struct word add(struct encoder *e, struct word a, struct word b) {
  struct term sum = {.op = TERM_ADD, .width = SUM_WIDTH};
  return word_apply(&e->gates, &sum, a, b, (struct word){NULL, 0});
}

static struct word amount_if(struct encoder *e, lit holds, uint32_t amount) {
  struct word word = {ARENA_ARRAY(e->arena, lit, SUM_WIDTH), SUM_WIDTH};
  for (unsigned i = 0; i < SUM_WIDTH; i++) word.bits[i] = amount >> i & 1 ? holds : LIT_FALSE;
  return word;
}

/* Amounts of one unit are counted; the others are added up. */
static struct word sum_up(struct encoder *e, const struct sum *sum, uint32_t unit) {
  VEC(lit) ones = {0};
  for (uint32_t i = 0; i < sum->lits.len; i++)
    if (sum->amounts.data[i] == unit) VEC_PUSH(e->arena, &ones, sum->lits.data[i]);
  struct word total = word_count(&e->gates, ones.data, ones.len, SUM_WIDTH);
  for (uint32_t i = 0; i < sum->lits.len; i++)
    if (sum->amounts.data[i] != unit)
      total = add(e, total, amount_if(e, sum->lits.data[i], sum->amounts.data[i] / unit));
  return total;
}

/* The same in unary; UNARY_LIMIT must suffice. */
static struct word sum_up_unary(struct encoder *e, const struct sum *sum, uint32_t unit, unsigned width) {
  VEC(lit) ones = {0};
  for (uint32_t i = 0; i < sum->lits.len; i++)
    for (uint32_t k = 0; k < sum->amounts.data[i] / unit; k++) VEC_PUSH(e->arena, &ones, sum->lits.data[i]);
  return word_count_unary(&e->gates, ones.data, ones.len, width);
}

static uint32_t total_of(const struct sum *sum, uint32_t unit) {
  uint64_t total = 0;
  for (uint32_t i = 0; i < sum->amounts.len; i++) total += sum->amounts.data[i] / unit;
  return total > UNARY_LIMIT ? UNARY_LIMIT + 1 : (uint32_t)total;
}

/* Both sums, in the largest unit that measures them; small ones in unary. */
struct balance {
  struct word gain, loss;
};

static struct balance weigh(struct encoder *e, const struct sum *gain, const struct sum *loss) {
  uint32_t unit = 0;
  for (uint32_t i = 0; i < gain->amounts.len; i++) unit = divisor(gain->amounts.data[i], unit);
  for (uint32_t i = 0; i < loss->amounts.len; i++) unit = divisor(loss->amounts.data[i], unit);
  if (!unit) unit = 1;
  uint32_t gains = total_of(gain, unit), losses = total_of(loss, unit), most = gains > losses ? gains : losses;
  if (most > 0 && most <= UNARY_LIMIT)
    return (struct balance){sum_up_unary(e, gain, unit, most), sum_up_unary(e, loss, unit, most)};
  return (struct balance){sum_up(e, gain, unit), sum_up(e, loss, unit)};
}

enum { AT_LAST = UINT32_MAX }; /* in place of a use: after all of them */

/* The signal k counts at the turn of i, or is i itself. */
static lit counts_at(struct encoder *e, const struct encoded_mbarrier *m, uint32_t k, uint32_t i) {
  if (use_of(e, m, k)->kind != USE_SIGNAL && use_of(e, m, k)->kind != USE_RAISE) return LIT_FALSE;
  lit counts = and2(e, m->present[k], m->valid[k]);
  return k == i || i == AT_LAST ? counts : and2(e, counts, before(m, k, i));
}

/* ---- Phases ---- */

static lit in_phase(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t phase) {
  lit next = phase + 1 < m->object->phases ? m->reached[i][phase + 1] : LIT_FALSE;
  return and2(e, m->reached[i][phase], -next);
}

/* What has been announced and come by signal i: equal where the transaction count is 0. */
static struct balance weigh_bytes(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  struct sum announced = {0}, come = {0};
  for (uint32_t k = 0; k < m->count; k++) {
    int32_t bytes = use_of(e, m, k)->bytes;
    sum_add(e, bytes > 0 ? &announced : &come, counts_at(e, m, k, i), (uint32_t)(bytes > 0 ? bytes : -bytes));
  }
  return weigh(e, &announced, &come);
}

/* What signal k adds at the turn of i: arrivals, and what it spares phases up to `phase` by dropping out; or what they
 * expect the more. */
static void add_arrivals(struct encoder *e, const struct encoded_mbarrier *m, uint32_t k, uint32_t i, uint32_t phase,
                         struct sum *arrived, struct sum *expected) {
  const struct mbarrier_use *use = use_of(e, m, k);
  lit counts = counts_at(e, m, k, i);
  sum_add(e, use->arrivals > 0 ? arrived : expected, counts,
          (uint32_t)(use->arrivals > 0 ? use->arrivals : -use->arrivals));
  for (uint32_t later = 1; later <= phase && use->dropped; later++)
    sum_add(e, arrived, and2(e, counts, -m->reached[k][later]), (uint32_t)use->dropped);
}

/* The arrivals by signal i and those that drops spare in phases up to `phase`, and all that these phases expect. */
static struct balance weigh_arrivals(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t phase) {
  struct sum arrived = {0}, expected = {0};
  for (uint32_t k = 0; k < m->count; k++) add_arrivals(e, m, k, i, phase, &arrived, &expected);
  sum_add(e, &expected, LIT_TRUE, (uint32_t)m->expected * (phase + 1));
  return weigh(e, &arrived, &expected);
}

/* ---- Undefined uses ---- */

static void misuse_surplus(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t phase,
                           struct balance arrivals) {
  lit surplus = word_less(&e->gates, arrivals.loss, arrivals.gain, false);
  lit holds[] = {m->present[i], m->valid[i], in_phase(e, m, i, phase), surplus};
  encode_misuse(e, gates_and(&e->gates, holds, 4, NEED_BOTH), REASON_MBARRIER_SURPLUS, m->object->uses.data[i],
                m->object->uses.data[i]);
}

/* The transaction count is within its limits wherever all amounts together are. */
static void misuse_range(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  struct sum sums[2] = {{{0}, {0}}, {{0}, {0}}};
  uint64_t all[2] = {0, 0};
  for (uint32_t k = 0; k < m->count; k++) {
    int32_t bytes = use_of(e, m, k)->bytes;
    uint32_t amount = (uint32_t)(bytes > 0 ? bytes : -bytes);
    all[bytes > 0] += use_of(e, m, k)->kind == USE_SIGNAL ? amount : 0;
    sum_add(e, &sums[bytes > 0], counts_at(e, m, k, i), amount);
  }
  for (int side = 0; side < 2; side++) {
    if (all[side] <= MBARRIER_COUNT_LIMIT) continue;
    struct word over = sum_up(e, &sums[side], 1), other = sum_up(e, &sums[!side], 1);
    struct word limit = word_const(e->arena, MBARRIER_COUNT_LIMIT, SUM_WIDTH);
    lit beyond = and2(e, word_less(&e->gates, add(e, other, limit), over, false), counts_at(e, m, i, i));
    encode_misuse(e, beyond, REASON_MBARRIER_TX, m->object->uses.data[i], m->object->uses.data[i]);
  }
}

/* Those of the drops that count at `when`, which is a use or AT_LAST, leave nothing that is expected. With `own`: of
 * those that must come before use i. */
static void misuse_if_dropped(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, lit holds, uint32_t when,
                              bool own) {
  struct sum dropped = {0}, expected = {0};
  const uint32_t *uses = m->object->uses.data;
  for (uint32_t k = 0; k < m->count; k++)
    if (k != i && (!own || skeleton_step_before(e->skeleton, uses[k], uses[i])))
      sum_add(e, &dropped, counts_at(e, m, k, when), (uint32_t)use_of(e, m, k)->dropped);
  if (!dropped.lits.len || holds == LIT_FALSE) return;
  sum_add(e, &expected, LIT_TRUE, (uint32_t)m->expected);
  struct balance balance = weigh(e, &dropped, &expected);
  lit none = word_equal(&e->gates, balance.gain, balance.loss);
  encode_misuse(e, and2(e, holds, none), REASON_MBARRIER_DROPPED, uses[i], uses[i]);
}

static void misuse_dropped(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  enum use_kind kind = use_of(e, m, i)->kind;
  uint32_t event = m->object->uses.data[i];
  if (kind == USE_SIGNAL || kind == USE_TEST)
    misuse_if_dropped(e, m, i, and2(e, m->present[i], m->valid[i]), i, false);
  if (kind == USE_TEST) /* not true: exec/signals.c */
    misuse_if_dropped(e, m, i, and2(e, e->exec[event], -value_of(e, event)), AT_LAST, !use_of(e, m, i)->waits);
}

/* ---- Signals ---- */

static void define_completion(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  struct balance bytes = weigh_bytes(e, m, i);
  lit balanced = word_equal(&e->gates, bytes.gain, bytes.loss);
  for (uint32_t phase = 0; phase < m->object->phases; phase++) {
    struct balance arrivals = weigh_arrivals(e, m, i, phase);
    misuse_surplus(e, m, i, phase, arrivals);
    if (phase + 1 == m->object->phases) break;
    lit all = word_equal(&e->gates, arrivals.gain, arrivals.loss);
    lit holds[] = {m->present[i], m->valid[i], in_phase(e, m, i, phase), balanced, all};
    lit completes = gates_and(&e->gates, holds, 5, NEED_BOTH);
    sat_clause2(e->sat, -m->complete[i][phase], completes);
    sat_clause2(e->sat, m->complete[i][phase], -completes);
    if (use_of(e, m, i)->no_complete)
      encode_misuse(e, completes, REASON_MBARRIER_COMPLETES, m->object->uses.data[i], m->object->uses.data[i]);
  }
}

/* Some signal, before use i unless that is AT_LAST, completes the phase. */
static lit completed(struct encoder *e, const struct encoded_mbarrier *m, uint32_t phase, uint32_t i) {
  lit *ways = ARENA_ARRAY(e->arena, lit, m->count);
  uint32_t n = 0;
  for (uint32_t k = 0; k < m->count; k++)
    if (k != i && use_of(e, m, k)->kind == USE_SIGNAL)
      ways[n++] = i == AT_LAST ? m->complete[k][phase] : and2(e, m->complete[k][phase], before(m, k, i));
  return gates_or(&e->gates, ways, n, NEED_BOTH);
}

static void find_phases(struct encoder *e, struct encoded_mbarrier *m) {
  uint32_t phases = m->object->phases;
  m->complete = ARENA_ARRAY(e->arena, lit *, m->count);
  m->reached = ARENA_ARRAY(e->arena, lit *, m->count);
  for (uint32_t i = 0; i < m->count; i++) {
    m->complete[i] = ARENA_ARRAY(e->arena, lit, phases);
    m->reached[i] = ARENA_ARRAY(e->arena, lit, phases);
    for (uint32_t phase = 0; phase + 1 < phases && use_of(e, m, i)->kind == USE_SIGNAL; phase++)
      m->complete[i][phase] = sat_variable(e->sat);
  }
  for (uint32_t i = 0; i < m->count; i++)
    for (uint32_t phase = 0; phase < phases; phase++)
      m->reached[i][phase] = phase ? completed(e, m, phase - 1, i) : LIT_TRUE;
  for (uint32_t i = 0; i < m->count && !encoder_is_late(e); i++) {
    if (use_of(e, m, i)->kind == USE_SIGNAL) define_completion(e, m, i);
    if (use_of(e, m, i)->kind == USE_SIGNAL) misuse_range(e, m, i);
    misuse_dropped(e, m, i);
  }
}

/* ---- Pending counts ---- */

/* What is pending in a phase when signal i comes. */
static struct word pending_in(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, uint32_t phase) {
  struct sum arrived = {0}, expected = {0};
  struct term minus = {.op = TERM_SUB, .width = SUM_WIDTH};
  for (uint32_t k = 0; k < m->count; k++)
    if (k != i) add_arrivals(e, m, k, i, phase, &arrived, &expected);
  sum_add(e, &expected, LIT_TRUE, (uint32_t)m->expected * (phase + 1));
  return word_apply(&e->gates, &minus, sum_up(e, &expected, 1), sum_up(e, &arrived, 1), (struct word){NULL, 0});
}

static void define_pending(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i, struct word count) {
  lit counts = counts_at(e, m, i, i);
  encode_equate(e, (lit[]){-counts, LIT_TRUE, LIT_TRUE}, count, word_const(e->arena, 0, count.width));
  for (uint32_t phase = 0; phase < m->object->phases; phase++)
    encode_equate(e, (lit[]){counts, in_phase(e, m, i, phase), LIT_TRUE}, count, pending_in(e, m, i, phase));
}

/* ---- Tests ---- */

static uint32_t index_of(const struct encoded_mbarrier *m, uint32_t event) {
  for (uint32_t i = 0; i < m->count; i++)
    if (m->object->uses.data[i] == event) return i;
  BUG("e%u is no step of this mbarrier object", event);
}

/* Whether a test holds in a state, given for each phase whether it is reached. */
static lit holds_in(struct encoder *e, const struct encoded_mbarrier *m, const struct mbarrier_use *test,
                    const lit *reached, uint32_t beyond) {
  lit *ways = ARENA_ARRAY(e->arena, lit, m->object->phases);
  uint32_t n = 0;
  for (uint32_t phase = 0; phase < m->object->phases; phase++) {
    lit next = phase + 1 < m->object->phases ? reached[phase + 1] : LIT_FALSE;
    if (test->parity && phase % 2 != test->phase) ways[n++] = and2(e, reached[phase], -next);
    if (test->parity || phase + beyond >= m->object->phases) continue;
    ways[n++] = and2(e, in_phase(e, m, index_of(m, test->phase), phase), reached[phase + beyond]);
  }
  return gates_or(&e->gates, ways, n, NEED_BOTH);
}

static lit holds_at_last(struct encoder *e, const struct encoded_mbarrier *m, const struct mbarrier_use *test) {
  lit *reached = ARENA_ARRAY(e->arena, lit, m->object->phases), valid = LIT_FALSE;
  for (uint32_t phase = 0; phase < m->object->phases; phase++)
    reached[phase] = phase ? completed(e, m, phase - 1, AT_LAST) : LIT_TRUE;
  if (e->skeleton->program->objects[m->object->object].expected) valid = LIT_TRUE;
  for (uint32_t i = 0; i < m->count; i++)
    if (use_of(e, m, i)->kind == USE_INIT) valid = gates_or2(&e->gates, valid, m->present[i], NEED_BOTH);
  return and2(e, valid, holds_in(e, m, test, reached, 1));
}

static void judge_test(struct encoder *e, const struct encoded_mbarrier *m, uint32_t i) {
  const struct mbarrier_use *use = use_of(e, m, i);
  uint32_t event = m->object->uses.data[i];
  lit value = value_of(e, event), attempted = e->words[use->attempted].bits[0];
  sat_clause2(e->sat, -m->present[i], m->valid[i]);
  sat_clause2(e->sat, -m->present[i], holds_in(e, m, use, m->reached[i], 1));
  if (!use->parity)
    encode_misuse(e, and2(e, m->present[i], holds_in(e, m, use, m->reached[i], 2)), REASON_MBARRIER_OLD_STATE, event,
                  use->phase);
  if (use->waits) { /* not let through only where that would never be right */
    if (value != LIT_TRUE) sat_clause3(e->sat, -attempted, value, -holds_at_last(e, m, use));
    return;
  }
  sat_clause2(e->sat, attempted, -value);
  if (use->at_will || !use->parity || use->phase == 0) return;
  lit flipped = m->object->phases > 1 ? completed(e, m, 0, AT_LAST) : LIT_FALSE;
  sat_clause3(e->sat, -attempted, value, flipped);
}

/* ---- All objects ---- */

void encode_mbarriers(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  e->mbarriers = ARENA_ARRAY(e->arena, struct encoded_mbarrier, s->mbarriers.len);
  for (uint32_t o = 0; o < s->mbarriers.len && !encoder_is_late(e); o++) {
    struct encoded_mbarrier *m = &e->mbarriers[o];
    *m = (struct encoded_mbarrier){.object = &s->mbarriers.data[o], .count = s->mbarriers.data[o].uses.len};
    m->expected = (int32_t)s->program->objects[m->object->object].expected;
    for (uint32_t i = 0; i < m->count && !m->expected; i++)
      if (use_of(e, m, i)->kind == USE_INIT) m->expected = use_of(e, m, i)->arrivals;
    choose_order(e, m);
    find_turns(e, m);
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

/* Two signals, the second in the phase after that of the first. */
lit encode_next_phase(struct encoder *e, uint32_t a, uint32_t b, unsigned need) {
  const struct encoded_mbarrier *m = &e->mbarriers[encode_event(e, a)->use->object];
  uint32_t i = index_of(m, a), k = index_of(m, b);
  lit *ways = ARENA_ARRAY(e->arena, lit, m->object->phases);
  for (uint32_t phase = 0; phase + 1 < m->object->phases; phase++)
    ways[phase] = and2(e, in_phase(e, m, i, phase), in_phase(e, m, k, phase + 1));
  lit next = gates_or(&e->gates, ways, m->object->phases - 1, need);
  return gates_and(&e->gates, (lit[]){m->valid[i], m->present[i], m->present[k], next}, 4, need);
}

/* A signal of the phase that a true test is true of: the test stands in the phase after it. */
lit encode_phase(struct encoder *e, uint32_t signal, uint32_t test, unsigned need) {
  return encode_next_phase(e, signal, test, need);
}

lit encode_test_fails_at_last(struct encoder *e, uint32_t test) {
  const struct encoded_mbarrier *m = &e->mbarriers[encode_event(e, test)->use->object];
  return gates_or2(&e->gates, value_of(e, test), -holds_at_last(e, m, encode_event(e, test)->use), NEED_BOTH);
}

/* After SAT_YES: the turns of the steps of all objects. */
void encode_read_turns(const struct encoder *e, uint32_t *turn) {
  for (uint32_t o = 0; o < e->skeleton->mbarriers.len; o++) {
    const struct encoded_mbarrier *m = &e->mbarriers[o];
    for (uint32_t i = 0; i < m->count; i++) {
      uint32_t earlier = 0;
      for (uint32_t k = 0; k < m->count; k++)
        earlier += k != i && sat_value(e->sat, m->present[k]) && sat_value(e->sat, before(m, k, i));
      turn[m->object->uses.data[i]] = sat_value(e->sat, m->present[i]) ? earlier : NO_TURN;
    }
  }
}
