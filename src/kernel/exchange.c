/* Exchanges among lanes of a warp that run on constants: shfl, vote, match, redux, elect and activemask, and the row
 * addresses of ldmatrix and stmatrix. A lane waits at such an instruction until every lane of its mask waits there too
 * and has no other path to follow. Source: PTX ISA 9.4, 9.7.10 "shfl.sync", 9.7.15 "vote.sync", "match.sync",
 * "activemask", "elect.sync"; K5. */

#include "kernel/run.h"

/* The lanes of a warp that wait at one instruction. */
struct gathered {
  struct kernel_run *run;
  struct runner *lanes[WARP_LANES];      /* NULL: the warp has no such lane, or it is not in the test */
  struct progress_point *at[WARP_LANES]; /* NULL: the lane is elsewhere */
  const struct instr *instr;
  uint32_t mask;
  bool lacks;               /* a lane of the mask has ended without coming, */
  bool passed;              /* or it was there on several paths, before the others */
  bool neutral[WARP_LANES]; /* the exchange has the same results without the lane */
  struct exchanged exchanged;
};

static bool constant(struct runner *r, const struct operand *operand, unsigned width, value_t *out) {
  term_id term = walk_operand(r->walk, operand, width);
  *out = term_get(r->walk->terms, term)->constant;
  return term_is_const(r->walk->terms, term);
}

/* Loops over the gathered lanes. */
#define EACH_GATHERED(i, m)                                                                                            \
  for (uint32_t i = 0; i < WARP_LANES; i++)                                                                            \
    if ((m)->at[i])

/* The mask of elect.sync is its last operand. */
static bool mask_of(struct runner *r, const struct progress_point *s, const struct instr *in, value_t *out) {
  r->path.regs = s->regs;
  walk_begin(r->walk, 0, s->at, s->at);
  if (r->walk->predicate != TERM_TRUE) return false;
  if (run_meeting(in) == MEETING_EXCHANGE) return constant(r, &in->barrier->id, 32, out);
  if (run_meeting(in) == MEETING_ACTIVE) return false;
  *out = UINT32_MAX;
  if (run_meeting(in) == MEETING_ROWS) return true;
  const struct litmus_operand *last = in->ast->operands;
  while (last && last->next) last = last->next;
  if (!last) return false;
  *out = last->u.number.negative ? 0 - last->u.number.value : last->u.number.value;
  if (last->kind == LITMUS_NUMBER) return true;
  struct operand operand = {.kind = OPERAND_REG};
  operand.reg = last->kind == LITMUS_NAME ? body_register(&r->run->body, last->u.ref.name) : (uint32_t)NO_REG;
  return operand.reg != NO_REG && constant(r, &operand, 32, out);
}

static const struct instr *instr_at(const struct runner *r, const struct progress_point *s) {
  return &r->run->body.thread->instrs[s->at];
}

/* The only point at which a lane waits; NULL if the lane has several paths to follow, or if a guard that is not decided
 * may keep it from the exchange. */
static struct progress_point *waits_at(struct runner *r) {
  if (!r || r->waiting.len != 1 || r->pending.len) return NULL;
  struct progress_point *s = &r->waiting.data[0];
  if (!instr_at(r, s)->guard.present) return s;
  r->path.regs = s->regs;
  walk_begin(r->walk, 0, s->at, s->at);
  return r->walk->predicate == TERM_TRUE ? s : NULL;
}

/* ---- Results */

/* True if an exchange has the same result without the lane. */
static bool is_neutral(const struct gathered *m, uint32_t lane, term_id term) {
  const struct terms *terms = m->lanes[lane]->walk->terms;
  value_t value = term_get(terms, term)->constant;
  if (!term_is_const(terms, term)) return false;
  switch (m->instr->barrier->exchange) {
    case EXCHANGE_ALL: return value;
    case EXCHANGE_ANY:
    case EXCHANGE_BALLOT: return !value;
    case EXCHANGE_REDUX: return (m->instr->alu == ALU_ADD || m->instr->alu == ALU_OR) && !value;
    case EXCHANGE_UNI:
    case EXCHANGE_UP:
    case EXCHANGE_DOWN:
    case EXCHANGE_BFLY:
    case EXCHANGE_IDX:
    case EXCHANGE_MATCH_ANY:
    case EXCHANGE_MATCH_ALL: return false;
  }
  BUG("no such exchange");
}

static bool moves(const struct gathered *m) {
  return m->instr->barrier->exchange >= EXCHANGE_UP && m->instr->barrier->exchange <= EXCHANGE_IDX;
}

/* A lane that ended on another path takes no part there: a vote, match or redux then has the result without it. To move
 * a value from a lane that has ended is undefined. */
static bool may_be_missing(const struct gathered *m, uint32_t lane) {
  return m->lanes[lane]->has_ended && !moves(m) && !m->neutral[lane];
}

/* Sets what the lanes bring. Operations on an unknown value must not fold: in another lane, the same leaf may have
 * another value. */
static void read_values(struct gathered *m) {
  m->exchanged.mask = 0;
  EACH_GATHERED (i, m) {
    struct runner *r = m->lanes[i];
    unsigned width;
    r->path.regs = m->at[i]->regs;
    r->walk->instr = m->instr;
    term_id value = walk_brought(r->walk, &width);
    m->neutral[i] = is_neutral(m, i, value);
    bool known = term_is_const(r->walk->terms, value) && !may_be_missing(m, i) && does(m->run->x, TECHNIQUE_EXCHANGE);
    m->exchanged.values[i] =
        known || (moves(m) && !term_is_const(r->walk->terms, value)) ? value : run_unknown(r, width);
    m->exchanged.comes[i] = TERM_TRUE;
    m->exchanged.mask |= 1u << i;
  }
}

/* The lanes whose values decide the result of a lane. */
static uint32_t lanes_wanted(const struct gathered *m) {
  uint32_t lanes = m->exchanged.from;
  EACH_GATHERED (i, m)
    if (m->neutral[i]) lanes &= ~(1u << i);
  return lanes;
}

/* The results of a lane. False: they are unknown. */
static bool result_of(struct gathered *m, uint32_t lane, term_id out[2]) {
  struct runner *r = m->lanes[lane];
  out[0] = walk_exchanged(r->walk, &m->exchanged, lane);
  out[1] = m->exchanged.second;
  return term_is_const(r->walk->terms, out[0]) && term_is_const(r->walk->terms, out[1]) &&
         m->exchanged.away == TERM_FALSE;
}

static void pass(struct gathered *m, uint32_t lane, bool known, const term_id results[2]) {
  struct runner *r = m->lanes[lane];
  struct progress_point s = *m->at[lane];
  r->waiting.len = 0;
  r->lacks = m->lacks;
  run_pass(r, &s, known, results);
  r->lacks = false;
}

static void pass_number(struct gathered *m, uint32_t lane, uint32_t value, bool second) {
  struct terms *terms = m->lanes[lane]->walk->terms;
  pass(m, lane, !m->passed, (term_id[]){term_const(terms, value, 32), second ? TERM_TRUE : TERM_FALSE});
}

/* Sets the results of elect.sync: the lowest lane of the mask that has not ended is elected. */
static void elect(struct gathered *m) {
  uint32_t leader = FIND_BELOW(n, WARP_LANES - 1, m->at[n]);
  EACH_GATHERED (i, m) pass_number(m, i, leader, i == leader);
}

static void active(struct gathered *m) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < WARP_LANES; i++) mask |= m->at[i] ? 1u << i : 0;
  EACH_GATHERED (i, m) pass_number(m, i, mask, false);
}

/* A lane comes to an exchange without the others, or after they ended, and constants gave results before: the others
 * may be in an iteration of a loop that looks like an earlier one to them, while this lane brings another value. */
static void loosen(struct runner *r, uint32_t at) {
  uint8_t *loose = &r->run->body.loose[at];
  if (*loose != GIVEN) return;
  *loose = LOOSE;
  r->run->memory->again = true;
}

/* Finds the form of a value that comes from the same lane in each execution (draws.c). False: it has another one. */
static bool is_moved(const struct gathered *m, uint32_t lane, term_id result, struct drawn *out) {
  bool one = (m->exchanged.from & (m->exchanged.from - 1)) == 0;
  return moves(m) && one && m->exchanged.away == TERM_FALSE && run_drawn(m->lanes[lane], result, out);
}

/* Notes this form of what the exchange gave the lane. */
static void mark_moved(struct runner *r, const struct instr *in, const struct drawn *drawn) {
  const term_id value = in->dst[0] == NO_REG ? TERM_FALSE : r->path.regs[in->dst[0]].value;
  const struct term *term = term_get(r->walk->terms, value);
  if (term->op == TERM_READ && term->event != UNNEEDED) run_mark_drawn(r, value, drawn);
}

static void exchange(struct gathered *m) {
  const enum exchange how = m->instr->barrier->exchange;
  const bool common = !moves(m) && how != EXCHANGE_MATCH_ANY; /* all lanes have the first one's results */
  const uint32_t at = (uint32_t)(m->instr - m->run->body.thread->instrs);
  uint8_t *loose = &m->run->body.loose[at];
  term_id results[WARP_LANES][2];
  bool known[WARP_LANES] = {false};
  struct drawn drawn[WARP_LANES] = {{0}};
  uint32_t first = WARP_LANES;
  read_values(m);
  EACH_GATHERED (i, m) {
    if (m->lacks) loosen(m->lanes[i], at);
    if (first == WARP_LANES || !common) known[i] = result_of(m, i, results[i]), first = i;
    else known[i] = known[first], results[i][0] = results[first][0], results[i][1] = results[first][1];
    known[i] = known[i] && *loose != LOOSE && !m->passed;
    bool is_drawn = !known[i] && *loose != LOOSE && !m->passed && is_moved(m, i, results[i][0], &drawn[i]);
    m->lanes[i]->wanted = m->passed ? UINT32_MAX : lanes_wanted(m);
    if (!is_drawn) drawn[i].from = NULL;
    if (known[i] || is_drawn) *loose = GIVEN;
  }
  EACH_GATHERED (i, m) {
    pass(m, i, known[i], results[i]);
    if (drawn[i].from) mark_moved(m->lanes[i], m->instr, &drawn[i]);
  }
}

/* Gathers the row addresses that lanes give to ldmatrix and stmatrix. */
static void rows(struct gathered *m) {
  struct warp_rows *rows = ARENA_NEW(m->run->memory->kept, struct warp_rows);
  rows_read(m->instr->ast, &rows->access);
  EACH_GATHERED (i, m) {
    m->lanes[i]->path.regs = m->at[i]->regs;
    rows->lanes |= 1u << i;
    if (tiled_row(m->lanes[i], m->instr, &rows->addresses[i])) rows->known |= 1u << i;
  }
  EACH_GATHERED (i, m) {
    m->lanes[i]->rows = rows;
    pass(m, i, false, (term_id[]){TERM_FALSE, TERM_FALSE});
    m->lanes[i]->rows = NULL;
  }
}

/* ---- the lanes that exchange */

static bool is_over(const struct runner *r) { return r && r->has_ended && !r->waiting.len && !r->pending.len; }

/* True if the lane passed the instruction on several paths, without the others (force_lane). */
static bool has_passed(const struct runner *r, uint32_t at) {
  return SOME(VEC_VALUES (other, &r->forced), other == at);
}

/* Collects the lanes that wait at this lane's instruction. True if all lanes of its mask that have not ended do, or
 * without a mask, all lanes that can still reach it. */
static bool meets(struct gathered *m, uint32_t lane) {
  struct progress_point *own = waits_at(m->lanes[lane]);
  value_t mask = 0;
  bool all = true;
  m->instr = instr_at(m->lanes[lane], own);
  if (run_meeting(m->instr) != MEETING_ACTIVE && !mask_of(m->lanes[lane], own, m->instr, &mask)) return false;
  m->mask = (uint32_t)mask;
  m->lacks = m->passed = false;
  for (uint32_t i = 0; i < WARP_LANES; i++) {
    struct progress_point *s = waits_at(m->lanes[i]);
    bool here = s && s->at == own->at;
    bool wanted =
        run_meeting(m->instr) == MEETING_ACTIVE ? m->lanes[i] && (m->lanes[i]->waiting.len || here) : mask >> i & 1;
    m->at[i] = here && (wanted || run_meeting(m->instr) == MEETING_ACTIVE) ? s : NULL;
    m->lacks = m->lacks || (wanted && is_over(m->lanes[i]));
    m->passed = m->passed || (m->lanes[i] && !here && has_passed(m->lanes[i], own->at));
    all = all && (!wanted || here || is_over(m->lanes[i]) || (run_meeting(m->instr) != MEETING_ACTIVE && !m->lanes[i]));
  }
  return all && m->at[lane]; /* a lane that its own mask lacks never meets */
}

static bool go(struct gathered *m) {
  switch (run_meeting(m->instr)) {
    case MEETING_EXCHANGE: exchange(m); return true;
    case MEETING_ELECT: elect(m); return true;
    case MEETING_ACTIVE: active(m); return true;
    case MEETING_ROWS: rows(m); return true;
    case MEETING_NONE: break;
  }
  BUG("no kind of exchange");
}

/* True if the mask lacks the lane: then the exchange is undefined (9.7.9.6 "shfl.sync", 9.7.15.2). */
static bool lacks_itself(struct runner *r, const struct progress_point *s) {
  value_t mask;
  enum meeting_kind kind = run_meeting(instr_at(r, s));
  bool masked = kind == MEETING_EXCHANGE || kind == MEETING_ELECT;
  return masked && mask_of(r, s, instr_at(r, s), &mask) && !(mask >> r->tid % WARP_LANES & 1);
}

/* Handles an exchange that no other lane will reach, or a lane reaches on several paths: its result is unknown, but
 * activemask gives the lanes that have reached it. All paths of the lane go on: one that stayed would count as its
 * only one. */
static bool force_lane(struct gathered *m, uint32_t lane) {
  struct runner *r = m->lanes[lane];
  const struct progress_point *only = waits_at(r);
  bool any = false;
  if (only && run_meeting(instr_at(r, only)) == MEETING_ACTIVE) {
    meets(m, lane);
    return go(m);
  }
  r->wanted = UINT32_MAX;
  for (uint32_t k = r->waiting.len; k-- > 0;) {
    struct progress_point s = r->waiting.data[k];
    if (run_meeting(instr_at(r, &s)) == MEETING_NONE) continue;
    r->waiting.data[k] = r->waiting.data[--r->waiting.len];
    any = true;
    if (lacks_itself(r, &s)) {
      block_refuse(r, s.block, s.at, reason_get(REASON_LANE_NOT_NAMED));
      continue;
    }
    loosen(r, s.at);
    VEC_PUSH(r->run->memory->work, &r->forced, s.at);
    run_pass(r, &s, false, NULL);
  }
  return any;
}

static bool warp_goes_on(struct gathered *m, bool force) {
  for (uint32_t i = 0; i < WARP_LANES; i++) {
    struct progress_point *s = waits_at(m->lanes[i]);
    if (s && run_meeting(instr_at(m->lanes[i], s)) != MEETING_NONE && meets(m, i)) return go(m);
  }
  return SOME(for (uint32_t i = 0; i < WARP_LANES && force; i++),
              m->lanes[i] && m->lanes[i]->waiting.len && force_lane(m, i));
}

bool run_exchange(struct kernel_run *run, uint32_t begin, uint32_t end, bool force) {
  bool any = false;
  for (uint32_t first = begin, last; first < end; first = last) {
    struct gathered m = {.run = run};
    const struct runner *r = run->runners.data[first];
    for (last = first; last < end; last++) {
      struct runner *other = run->runners.data[last];
      if (!run_same_warp(other, r)) break;
      m.lanes[other->tid % WARP_LANES] = other;
    }
    bool goes = warp_goes_on(&m, force);
    any = any || goes;
    if (force && goes) return true;
  }
  return any;
}
