/* Exchanges among the lanes of a warp: each lane of the mask brings a value, and waits for the values of the others. A
 * lane that has ended brings nothing. 9.7.10 "shfl.sync", 9.7.15 "vote.sync", "match.sync", "redux.sync". And
 * activemask (9.7.15): the lanes that run together, which PTX defines only until lanes diverge. */
#include "exec/walk.h"

enum { LANES = 32 };

/* The exchange being walked: the value of each lane, with an additional top bit that is set if the lane arrives. */
struct gathering {
  struct walk *w;
  uint32_t mask, lane, width;
  uint32_t wait;
  term_id own, parts[LANES];
};

static term_id number(const struct gathering *g, uint32_t value) { return term_const(g->w->terms, value, 32); }

static term_id binary(const struct gathering *g, enum term_op op, term_id a, term_id b) {
  return term_binary(g->w->terms, op, a, b);
}

static term_id came(const struct gathering *g, uint32_t lane) {
  if (lane == g->lane) return TERM_TRUE;
  struct terms *t = g->w->terms;
  term_id top = term_binary(t, TERM_SHR, g->parts[lane], term_const(t, g->width, 32));
  return term_resize(t, top, 1, false);
}

/* The value of a lane in the exchange; 0 if it has none. */
static term_id value_of(const struct gathering *g, uint32_t lane) {
  return lane == g->lane ? g->own : term_resize(g->w->terms, g->parts[lane], g->width, false);
}

static term_id pick_value(const struct gathering *g, term_id when, term_id yes, term_id no) {
  return term_ite(g->w->terms, when, yes, no);
}

static uint32_t thread_in(const struct walk *w, uint32_t lane) {
  const struct program *program = w->s->program;
  for (uint32_t t = 0; t < program->thread_count; t++)
    if (program->threads[t].warp_id == program->threads[w->base.thread].warp_id && program->threads[t].lane == lane)
      return t;
  return NO_THREAD;
}

#define EACH_LANE(i, g)                                                                                                \
  for (uint32_t i = 0; i < LANES; i++)                                                                                 \
    if ((g)->mask >> i & 1)

static bool all_placed(const struct gathering *g) {
  EACH_LANE(i, g)
  if (thread_in(g->w, i) == NO_THREAD) return walk_refuse(g->w, REASON_LANES_ABSENT, g->w->instr->span);
  return true;
}

/* Adds the arrival with this lane's value. */
static uint32_t bring(const struct gathering *g) {
  struct walk *w = g->w;
  struct event arrive = w->base;
  arrive.kind = EVENT_ARRIVE;
  arrive.meeting.id = term_const(w->terms, g->mask, 32);
  arrive.meeting.count = term_const(w->terms, 0, 32);
  arrive.partner = NO_PARTNER;
  term_id wide = term_resize(w->terms, g->own, g->width + 1, false);
  arrive.value = term_or(w->terms, wide, term_const(w->terms, (value_t)1 << g->width, g->width + 1));
  uint32_t arrival = walk_add_event(w, arrive);
  walk_depend_on(w, CAT_REL_DATA, &w->instr->src[0], arrival);
  return arrival;
}

/* Adds the arrival, and the wait for the others. */
static void gather(struct gathering *g) {
  struct walk *w = g->w;
  g->wait = walk_add_wait(w, bring(g));
  EACH_LANE(i, g)
  if (i != g->lane) g->parts[i] = term_lane(w->terms, g->wait, thread_in(w, i), g->width + 1);
}

/* ---- vote, match, redux */

static term_id ballot(const struct gathering *g) {
  term_id mask = number(g, 0);
  EACH_LANE(i, g)
  mask = binary(g, TERM_OR, mask, pick_value(g, value_of(g, i), number(g, 1u << i), number(g, 0)));
  return mask;
}

static term_id vote(const struct gathering *g, enum exchange how) {
  term_id all = TERM_TRUE, any = TERM_FALSE;
  EACH_LANE(i, g) {
    all = binary(g, TERM_AND, all, binary(g, TERM_OR, value_of(g, i), term_not(g->w->terms, came(g, i))));
    any = binary(g, TERM_OR, any, value_of(g, i));
  }
  if (how == EXCHANGE_ALL) return all;
  return how == EXCHANGE_ANY ? any : binary(g, TERM_OR, all, term_not(g->w->terms, any));
}

static term_id match_any(const struct gathering *g) {
  term_id mask = number(g, 0);
  EACH_LANE(i, g) {
    term_id same = binary(g, TERM_AND, came(g, i), binary(g, TERM_EQ, value_of(g, i), g->own));
    mask = binary(g, TERM_OR, mask, pick_value(g, same, number(g, 1u << i), number(g, 0)));
  }
  return mask;
}

/* The lanes that take part if all of them bring one value, else 0. */
static term_id match_all(const struct gathering *g, term_id *all) {
  term_id mask = number(g, 0);
  *all = TERM_TRUE;
  EACH_LANE(i, g) {
    term_id same = binary(g, TERM_EQ, value_of(g, i), g->own), here = came(g, i);
    *all = binary(g, TERM_AND, *all, binary(g, TERM_OR, same, term_not(g->w->terms, here)));
    mask = binary(g, TERM_OR, mask, pick_value(g, here, number(g, 1u << i), number(g, 0)));
  }
  return pick_value(g, *all, mask, number(g, 0));
}

static term_id reduction(const struct gathering *g) {
  term_id result = g->own;
  EACH_LANE(i, g) {
    if (i == g->lane) continue;
    term_id v = value_of(g, i);
    result = pick_value(g, came(g, i), walk_arithmetic(g->w, (term_id[ALU_OPERANDS]){result, v, v, v}), result);
  }
  return result;
}

/* ---- shfl */

static term_id low_bits(const struct gathering *g, term_id value, unsigned from) {
  return binary(g, TERM_AND, binary(g, TERM_SHR, value, number(g, from)), number(g, 31));
}

/* The lane from which the value comes, by the formula of shfl.sync. `inside`: it is in the segment. */
static term_id source_lane(const struct gathering *g, term_id b, term_id c, term_id *inside) {
  struct terms *t = g->w->terms;
  term_id own = number(g, g->lane), offset = low_bits(g, b, 0), clamp = low_bits(g, c, 0), segment = low_bits(g, c, 8);
  term_id others = term_not(t, segment), least = binary(g, TERM_AND, own, segment);
  term_id most = binary(g, TERM_OR, least, binary(g, TERM_AND, clamp, others)), from;
  enum exchange how = g->w->instr->barrier->exchange;
  if (how == EXCHANGE_IDX) from = binary(g, TERM_OR, least, binary(g, TERM_AND, offset, others));
  else from = binary(g, how == EXCHANGE_UP ? TERM_SUB : how == EXCHANGE_DOWN ? TERM_ADD : TERM_XOR, own, offset);
  bool up = how == EXCHANGE_UP;
  *inside = term_not(t, up ? binary(g, TERM_SLT, from, most) : binary(g, TERM_SLT, most, from));
  return pick_value(g, *inside, from, own);
}

static bool may_be(const struct gathering *g, term_id lane, uint32_t which) {
  return !term_is_const(&g->w->s->terms, lane) || term_get(&g->w->s->terms, lane)->constant == which;
}

static term_id shuffle(struct gathering *g, term_id *inside) {
  struct walk *w = g->w;
  term_id b = walk_operand(w, &w->instr->src[1], 32), c = walk_operand(w, &w->instr->src[2], 32);
  term_id lane = source_lane(g, b, c, inside), result = g->own, away = TERM_TRUE;
  for (uint32_t i = 0; i < LANES; i++) {
    if (!may_be(g, lane, i) || !(g->mask >> i & 1)) continue;
    term_id here = binary(g, TERM_EQ, lane, number(g, i));
    away = pick_value(g, here, term_not(w->terms, came(g, i)), away);
    result = pick_value(g, here, value_of(g, i), result);
    if (i != g->lane) w->s->events.data[g->wait].meeting.lanes |= 1u << i;
  }
  walk_hazard(w, binary(g, TERM_AND, w->base.exec, away), REASON_LANE_AWAY);
  return result;
}

/* ---- */

static term_id exchanged(struct gathering *g, term_id *second) {
  enum exchange how = g->w->instr->barrier->exchange;
  uint32_t *from = &g->w->s->events.data[g->wait].meeting.lanes;
  *from = g->mask & ~(1u << g->lane);
  switch (how) {
    case EXCHANGE_UP:
    case EXCHANGE_DOWN:
    case EXCHANGE_BFLY:
    case EXCHANGE_IDX: *from = 0; return shuffle(g, second);
    case EXCHANGE_BALLOT: return ballot(g);
    case EXCHANGE_MATCH_ANY: return match_any(g);
    case EXCHANGE_MATCH_ALL: return match_all(g, second);
    case EXCHANGE_REDUX: return reduction(g);
    case EXCHANGE_ALL:
    case EXCHANGE_ANY:
    case EXCHANGE_UNI: return vote(g, how);
  }
  BUG("exchange %d", (int)how);
}

/* The lane's arrival at the present instruction, after which there are only the instruction's accesses. */
static uint32_t arrival_before(const struct walk *w) {
  uint32_t event = w->s->events.len - 1;
  while (skeleton_event(w->s, event)->kind != EVENT_ARRIVE) event--;
  return event;
}

void walk_exchange(struct walk *w) {
  const struct instr *in = w->instr;
  const struct thread *thread = walk_own(w);
  bool votes = in->barrier->exchange <= EXCHANGE_BALLOT;
  struct gathering g = {.w = w, .lane = thread->lane, .width = votes ? 1 : in->type.width};
  if (!walk_known(w, &in->barrier->id, 32, REASON_LANES_IN_REGISTER, &g.mask) || !all_placed(&g)) return;
  g.own = walk_operand(w, &in->src[0], g.width);
  if (in->barrier->negated) g.own = term_not(w->terms, g.own);
  if (in->barrier->action == BARRIER_ARRIVE) bring(&g);
  if (in->barrier->action == BARRIER_WAIT) walk_add_wait(w, arrival_before(w));
  if (in->barrier->action != BARRIER_RED) return;
  gather(&g);
  struct bitset reads = walk_no_reads(w);
  for (unsigned i = 0; i < 3; i++) walk_add_reads(w, reads, &in->src[i]);
  term_id second = TERM_FALSE, first = exchanged(&g, &second);
  if (skeleton_event(w->s, g.wait)->meeting.lanes) bitset_add(reads, g.wait);
  if (votes) walk_agree(w, first, g.wait);
  walk_write_reg(w, in->dst[0], first, in->type.kind == TYPE_SIGNED, reads);
  walk_write_reg(w, in->dst[1], second, false, reads);
}

/* ---- activemask */

term_id walk_active(struct walk *w) {
  struct gathering g = {.w = w};
  struct active active = {w->base.thread, w->base.instr, w->instr->span, w->path->way, w->path->parted};
  active.parted |= !term_is_const(w->terms, w->predicate);
  VEC_PUSH(w->s->arena, &w->actives, active);
  for (uint32_t i = 0; i < LANES; i++)
    if (thread_in(w, i) != NO_THREAD) g.mask |= 1u << i;
  return number(&g, g.mask);
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
