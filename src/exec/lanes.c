/* Exchanges among the lanes of a warp: each lane of the mask brings a value, and waits for the values of the others. A
 * lane that has ended brings nothing. 9.7.10 "shfl.sync", 9.7.15 "vote.sync", "match.sync", "redux.sync". And
 * activemask (9.7.15): the lanes that run together, which PTX defines only until lanes diverge. */
#include "exec/walk.h"

static term_id number(const struct walk *w, uint32_t value) { return term_const(w->terms, value, 32); }

static term_id binary(const struct walk *w, enum term_op op, term_id a, term_id b) {
  return term_binary(w->terms, op, a, b);
}

static term_id pick_value(const struct walk *w, term_id when, term_id yes, term_id no) {
  return term_ite(w->terms, when, yes, no);
}

#define EACH_LANE(i, x)                                                                                                \
  for (uint32_t i = 0; i < EXCHANGE_LANES; i++)                                                                        \
    if ((x)->mask >> i & 1)

/* ---- vote, match, redux */

static term_id ballot(const struct walk *w, const struct exchanged *x) {
  term_id mask = number(w, 0);
  EACH_LANE (i, x) mask = binary(w, TERM_OR, mask, pick_value(w, x->values[i], number(w, 1u << i), number(w, 0)));
  return mask;
}

static term_id vote(const struct walk *w, const struct exchanged *x, enum exchange how) {
  term_id all = TERM_TRUE, any = TERM_FALSE;
  EACH_LANE (i, x) {
    all = binary(w, TERM_AND, all, binary(w, TERM_OR, x->values[i], term_not(w->terms, x->comes[i])));
    any = binary(w, TERM_OR, any, x->values[i]);
  }
  if (how == EXCHANGE_ALL) return all;
  return how == EXCHANGE_ANY ? any : binary(w, TERM_OR, all, term_not(w->terms, any));
}

static term_id match_any(const struct walk *w, const struct exchanged *x, uint32_t lane) {
  term_id mask = number(w, 0);
  EACH_LANE (i, x) {
    term_id same = binary(w, TERM_AND, x->comes[i], binary(w, TERM_EQ, x->values[i], x->values[lane]));
    mask = binary(w, TERM_OR, mask, pick_value(w, same, number(w, 1u << i), number(w, 0)));
  }
  return mask;
}

/* The lanes that take part if all of them bring one value, else 0. */
static term_id match_all(const struct walk *w, struct exchanged *x, uint32_t lane) {
  term_id mask = number(w, 0), all = TERM_TRUE;
  EACH_LANE (i, x) {
    term_id same = binary(w, TERM_EQ, x->values[i], x->values[lane]);
    all = binary(w, TERM_AND, all, binary(w, TERM_OR, same, term_not(w->terms, x->comes[i])));
    mask = binary(w, TERM_OR, mask, pick_value(w, x->comes[i], number(w, 1u << i), number(w, 0)));
  }
  x->second = all;
  return pick_value(w, all, mask, number(w, 0));
}

static term_id reduction(struct walk *w, const struct exchanged *x, uint32_t lane) {
  term_id result = x->values[lane];
  EACH_LANE (i, x) {
    term_id v = x->values[i];
    if (i == lane) continue;
    result = pick_value(w, x->comes[i], walk_arithmetic(w, (term_id[ALU_OPERANDS]){result, v, v, v}), result);
  }
  return result;
}

/* ---- shfl */

static term_id low_bits(const struct walk *w, term_id value, unsigned from) {
  const struct term *term = term_get(w->terms, value);
  if (term->op == TERM_CONST) return number(w, (uint32_t)(term->constant >> from & 31)); /* most are */
  return binary(w, TERM_AND, binary(w, TERM_SHR, value, number(w, from)), number(w, 31));
}

/* The lane from which the value comes, by the formula of shfl.sync. `inside`: it is in the segment. */
static term_id source_lane(struct walk *w, uint32_t lane, term_id *inside) {
  term_id b = walk_operand(w, &w->instr->src[1], 32), c = walk_operand(w, &w->instr->src[2], 32);
  term_id own = number(w, lane), offset = low_bits(w, b, 0), clamp = low_bits(w, c, 0), segment = low_bits(w, c, 8);
  term_id others = term_not(w->terms, segment), least = binary(w, TERM_AND, own, segment);
  term_id most = binary(w, TERM_OR, least, binary(w, TERM_AND, clamp, others)), from;
  enum exchange how = w->instr->barrier->exchange;
  if (how == EXCHANGE_IDX) from = binary(w, TERM_OR, least, binary(w, TERM_AND, offset, others));
  else from = binary(w, how == EXCHANGE_UP ? TERM_SUB : how == EXCHANGE_DOWN ? TERM_ADD : TERM_XOR, own, offset);
  bool up = how == EXCHANGE_UP;
  *inside = term_not(w->terms, up ? binary(w, TERM_SLT, from, most) : binary(w, TERM_SLT, most, from));
  return pick_value(w, *inside, from, own);
}

static term_id shuffle(struct walk *w, struct exchanged *x, uint32_t lane) {
  term_id from = source_lane(w, lane, &x->second), result = x->values[lane];
  x->from = 0;
  x->away = TERM_TRUE;
  EACH_LANE (i, x) {
    if (term_is_const(w->terms, from) && term_get(w->terms, from)->constant != i) continue;
    term_id here = binary(w, TERM_EQ, from, number(w, i));
    x->away = pick_value(w, here, term_not(w->terms, x->comes[i]), x->away);
    result = pick_value(w, here, x->values[i], result);
    x->from |= 1u << i;
  }
  return result;
}

/* ---- */

term_id walk_exchanged(struct walk *w, struct exchanged *x, uint32_t lane) {
  const enum exchange how = w->instr->barrier->exchange;
  x->second = x->away = TERM_FALSE;
  x->from = x->mask;
  switch (how) {
    case EXCHANGE_UP:
    case EXCHANGE_DOWN:
    case EXCHANGE_BFLY:
    case EXCHANGE_IDX: return shuffle(w, x, lane);
    case EXCHANGE_BALLOT: return ballot(w, x);
    case EXCHANGE_MATCH_ANY: return match_any(w, x, lane);
    case EXCHANGE_MATCH_ALL: return match_all(w, x, lane);
    case EXCHANGE_REDUX: return reduction(w, x, lane);
    case EXCHANGE_ALL:
    case EXCHANGE_ANY:
    case EXCHANGE_UNI: return vote(w, x, how);
  }
  BUG("exchange %d", (int)how);
}

term_id walk_brought(struct walk *w, unsigned *width) {
  const struct instr *in = w->instr;
  *width = in->barrier->exchange <= EXCHANGE_BALLOT ? 1 : in->type.width;
  term_id value = walk_operand(w, &in->src[0], *width);
  return in->barrier->negated ? term_not(w->terms, value) : value;
}

/* ---- Its events: each lane brings a value with an additional top bit, which is set if the lane arrives */

static uint32_t thread_in(const struct walk *w, uint32_t lane) {
  const struct program *program = w->s->program;
  for (uint32_t t = 0; t < program->thread_count; t++)
    if (program->threads[t].warp_id == program->threads[w->base.thread].warp_id && program->threads[t].lane == lane)
      return t;
  return NO_THREAD;
}

static bool all_placed(struct walk *w, const struct exchanged *x) {
  EACH_LANE (i, x)
    if (thread_in(w, i) == NO_THREAD) return walk_refuse(w, REASON_LANES_ABSENT, w->instr->span);
  return true;
}

/* Adds the arrival with this lane's value. */
static uint32_t bring(struct walk *w, const struct exchanged *x, term_id own, unsigned width) {
  struct event arrive = w->base;
  arrive.kind = EVENT_ARRIVE;
  arrive.meeting.id = number(w, x->mask);
  arrive.meeting.count = number(w, 0);
  arrive.partner = NO_PARTNER;
  term_id wide = term_resize(w->terms, own, width + 1, false);
  arrive.value = term_or(w->terms, wide, term_const(w->terms, (value_t)1 << width, width + 1));
  uint32_t arrival = walk_add_event(w, arrive);
  walk_depend_on(w, CAT_REL_DATA, &w->instr->src[0], arrival);
  return arrival;
}

/* Adds the arrival, and the wait for the others. */
static uint32_t gather(struct walk *w, struct exchanged *x, term_id own, unsigned width) {
  const uint32_t wait = walk_add_wait(w, bring(w, x, own, width)), lane = walk_own(w)->lane;
  EACH_LANE (i, x) {
    if (i == lane) continue;
    term_id part = term_lane(w->terms, wait, thread_in(w, i), width + 1);
    x->values[i] = term_resize(w->terms, part, width, false);
    x->comes[i] = term_resize(w->terms, binary(w, TERM_SHR, part, number(w, width)), 1, false);
  }
  x->values[lane] = own;
  x->comes[lane] = TERM_TRUE;
  return wait;
}

/* The lane's arrival at the present instruction, after which there are only the instruction's accesses. */
static uint32_t arrival_before(const struct walk *w) {
  uint32_t event = w->s->events.len - 1;
  while (skeleton_event(w->s, event)->kind != EVENT_ARRIVE) event--;
  return event;
}

void walk_exchange(struct walk *w) {
  const struct instr *in = w->instr;
  const uint32_t own = walk_own(w)->lane;
  struct exchanged x;
  unsigned width;
  if (!walk_known(w, &in->barrier->id, 32, REASON_LANES_IN_REGISTER, &x.mask) || !all_placed(w, &x)) return;
  term_id value = walk_brought(w, &width);
  if (in->barrier->action == BARRIER_ARRIVE) bring(w, &x, value, width);
  if (in->barrier->action == BARRIER_WAIT) walk_add_wait(w, arrival_before(w));
  if (in->barrier->action != BARRIER_RED) return;
  uint32_t wait = gather(w, &x, value, width);
  struct bitset reads = walk_no_reads(w);
  for (unsigned i = 0; i < 3; i++) walk_add_reads(w, reads, &in->src[i]);
  term_id first = walk_exchanged(w, &x, own);
  walk_hazard(w, binary(w, TERM_AND, w->base.exec, x.away), REASON_LANE_AWAY);
  x.from &= ~(1u << own);
  w->s->events.data[wait].meeting.lanes = x.from;
  if (x.from) bitset_add(reads, wait);
  if (in->barrier->exchange <= EXCHANGE_BALLOT) walk_agree(w, first, wait);
  walk_write_reg(w, in->dst[0], first, in->type.kind == TYPE_SIGNED, reads);
  walk_write_reg(w, in->dst[1], x.second, false, reads);
}

/* ---- activemask */

term_id walk_active(struct walk *w) {
  uint32_t mask = 0;
  struct active active = {w->base.thread, w->base.instr, w->instr->span, w->path->way, w->path->parted};
  active.parted |= !term_is_const(w->terms, w->predicate);
  VEC_PUSH(w->s->arena, &w->actives, active);
  for (uint32_t i = 0; i < EXCHANGE_LANES; i++)
    if (thread_in(w, i) != NO_THREAD) mask |= 1u << i;
  return number(w, mask);
}

/* True if a thread reaches the same instruction on the same path. */
static bool comes_along(const struct walk *w, const struct active *active, uint32_t thread) {
  const struct thread *threads = w->s->program->threads;
  if (threads[thread].body != threads[active->thread].body) return false;
  VEC_EACH (other, &w->actives) {
    bool here = other->place.begin == active->place.begin || other->instr == active->instr;
    if (other->thread == thread && here && other->way == active->way) return true;
  }
  return false;
}

void walk_active_together(struct walk *w) {
  const struct program *p = w->s->program;
  VEC_EACH (active, &w->actives)
    for (uint32_t t = 0; t < p->thread_count; t++) {
      if (t == active->thread || p->threads[t].warp_id != p->threads[active->thread].warp_id) continue;
      if (active->parted || !comes_along(w, active, t)) walk_refuse(w, REASON_LANES_PARTED, active->place);
    }
}
