/* Barriers of a grid that its CTAs make with a counter (docs/semantics.md K16): all threads of a CTA pass a barrier,
 * one of them adds to the counter, polls it, and all pass another one. No CTA adds again before its poll ends.
 *
 * `grid.sync()` of cooperative groups: one CTA adds 0x80000000 - (n - 1), the n - 1 others 1: so the highest bit
 * changes with the n-th of each n additions and with no other one, and a poll ends when it differs from what the
 * thread's own addition read.
 *
 * With a bound: each CTA adds 1, and its j-th poll of the counter ends at j * n or more. Of the writes that j-th polls
 * end with, take the first in coherence (8.10.1): up to there no CTA has added j + 1 times, since its own j-th poll
 * would have read an earlier one. So all have added j times, there and at each later write.
 *
 * So the end of the k-th poll of a CTA has seen all k-th additions, if counters begin as 0, nothing else accesses them,
 * and all threads of the grid pass the same barriers of their CTA on every way. That orders if additions release and
 * polls acquire, themselves or by a fence (8.8), since atomics go on with the release sequence. */
#include "kernel/conflicts.h"
#include "kernel/grid_counters.h"

enum { FLIPS = 31, MOST_COUNTERS = 64 };

struct meetings {
  struct launching *launch;
  struct kernel_run *run;
  VEC(uint32_t) barriers;          /* those that each thread passes, by the ends of their remnants; */
  VEC(struct grid_meeting) begins; /* the meeting that begins there and ends at the next one */
  VEC(uint32_t) own;               /* the same of the present thread */
  VEC(struct grid_meeting) own_begins;
  uint32_t firsts, bounded; /* CTAs that add more than 1; polls with a bound */
  uint32_t accesses;        /* of all meetings to counters */
  uint8_t *uses;            /* as in kernel_run */
};

static bool counts(const struct runner *r, const struct remnant *remnant) {
  return r->run->grid_uses && remnant->begin != remnant->end && r->run->grid_uses[remnant->end] & GRID_COUNTS;
}

/* ---- the addition and the poll */

bool grid_is_wide(const struct instr *in) {
  return in->proxy == PROXY_GENERIC && !in->is_mmio && (in->scope == SCOPE_GPU || in->scope == SCOPE_SYS);
}

const struct instr *grid_alone(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  return in && remnant->end == remnant->begin + 1 && !in->guard.present ? in : NULL;
}

static bool orders(const struct instr *in, enum sem by) { return in->sem == by || in->sem == SEM_ACQ_REL; }

/* True if a fence is among the remnants, before the first barrier of the CTA. */
static bool has_fence(const struct runner *r, const struct remnant *from, const struct remnant *end) {
  for (; from < end; from++) {
    const struct instr *in = grid_alone(r, from);
    if (in && in->kind == INSTR_BARRIER) return false;
    if (in && in->kind == INSTR_FENCE && (in->sem == SEM_ACQ_REL || in->sem == SEM_SC) && grid_is_wide(in)) return true;
  }
  return false;
}

bool grid_begins_as_zero(const struct region *region, uint32_t at) {
  return EVERY(for (uint32_t k = at; k < at + COUNTER_BYTES; k++),
               memory_byte(region, k)->first == CELL_KNOWN && memory_byte(region, k)->initial == 0);
}

uint64_t grid_added_by(const struct runner *r, const struct remnant *remnant, struct grid_meeting *counter) {
  const struct instr *in = grid_alone(r, remnant);
  if (!in || (in->kind != INSTR_ATOM && in->kind != INSTR_RED) || !grid_is_wide(in) || remnant->touches != 1) return 0;
  const struct touch *touch = &r->touches.data[remnant->touch];
  const struct region *region = touch->region;
  bool zero = touch->draw && !touch->open && !region->view && region->space == SPACE_GLOBAL;
  zero = zero && touch->bytes == COUNTER_BYTES && touch->draw->limit == UINT64_MAX;
  zero = zero && grid_begins_as_zero(region, touch->at);
  *counter = (struct grid_meeting){.region = region, .at = touch->at};
  return zero ? touch->draw->added : 0;
}

/* True for a load of the counter, or an atomic that adds 0 to it. */
static bool reads(const struct runner *r, const struct remnant *remnant, const struct grid_meeting *counter) {
  const struct instr *in = grid_alone(r, remnant);
  if (!in || in->sem == SEM_WEAK || !grid_is_wide(in) || in->elements != 1 || remnant->touches != 1) return false;
  const struct touch *touch = &r->touches.data[remnant->touch];
  const bool adds = in->kind == INSTR_ATOM && in->alu == ALU_ADD && in->src[0].kind == OPERAND_IMM;
  return (in->kind == INSTR_LOAD || (adds && in->src[0].imm == 0)) && touch->region == counter->region &&
         touch->at == counter->at && touch->bytes == COUNTER_BYTES && !touch->open;
}

struct litmus_operand *grid_bound_of(const struct remnant *test) {
  return test->instr->operands->next->next;
}

bool grid_compares(const struct runner *r, const struct remnant *remnant, uint32_t reg, uint32_t *least, bool *set,
                   bool *exact) {
  const struct instr *in = grid_alone(r, remnant);
  if (!in || !remnant->instr || in->kind != INSTR_ALU || in->alu != ALU_SETP || type_is_float(in->type) ||
      in->type.width != 32)
    return false;
  const enum compare by = in->arith.compare;
  *exact = by == COMPARE_EQ || by == COMPARE_NE;
  *set = by == COMPARE_GE || by == COMPARE_GT || by == COMPARE_EQ;
  if (!remnant_number(r, remnant, grid_bound_of(remnant), least)) return false;
  *least += by == COMPARE_GT || by == COMPARE_LE;
  return in->src[0].kind == OPERAND_REG && in->src[0].reg == reg && in->src[2].kind == OPERAND_NONE &&
         (*exact || *set || by == COMPARE_LT || by == COMPARE_LE);
}

/* True for a xor of both registers. */
static bool mixes(const struct instr *in, uint32_t now, uint32_t old) {
  const struct operand *x = &in->src[0], *y = &in->src[1];
  return in->kind == INSTR_ALU && in->alu == ALU_XOR && in->type.width == 32 && x->kind == OPERAND_REG &&
         y->kind == OPERAND_REG && now != old && in->dst[0] != old &&
         ((x->reg == now && y->reg == old) || (x->reg == old && y->reg == now));
}

/* True if a block is a loop that reads the counter until that reaches a bound, or until its highest bit differs from
 * that of `old`: the bound is 0. Nothing else needs what was read there, nor `old`: fewer CTAs read other numbers. */
static bool polls(const struct runner *r, uint32_t number, uint32_t old, uint32_t bound, struct grid_meeting *counter) {
  const struct block *b = &r->blocks.data[number];
  if (b->code.len != (bound ? 2 : 3) || !b->guard || !reads(r, &b->code.data[0], counter)) return false;
  const struct instr *load = grid_alone(r, &b->code.data[0]), *mix = grid_alone(r, &b->code.data[1]);
  const struct remnant *test = &b->code.data[b->code.len - 1];
  bool set;
  uint32_t least;
  if (!mix || (!bound && !mixes(mix, load->dst[0], old))) return false;
  if (!grid_compares(r, test, bound ? load->dst[0] : mix->dst[0], &least, &set, &counter->exact) || least != bound ||
      (!bound && (counter->exact || grid_alone(r, test)->type.kind != TYPE_SIGNED)) ||
      r->run->body.thread->instrs[b->split].guard.reg != grid_alone(r, test)->dst[0])
    return false;
  const uint32_t ends = set == (bound != 0) ? !b->negated : b->negated, next = b->next[ends];
  if (b->next[!ends] != number || next == number || next == NO_BLOCK) return false;
  const struct block *then = &r->blocks.data[next];
  const struct bitset live = r->run->body.live[ends ? r->run->body.thread->instrs[b->split].target : b->split + 1];
  if (bitset_has(live, load->dst[0]) || bitset_has(live, mix->dst[0])) return false;
  if (old != NO_REG && bitset_has(live, old)) return false;
  counter->acquires = orders(load, SEM_ACQUIRE) || has_fence(r, then->code.data, VEC_END(&then->code));
  return true;
}

/* ---- the barriers of a thread */

static bool is_barrier(const struct instr *in) {
  return in && in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_CTA;
}

/* The bound of the next meeting at a counter; 0: none may follow there. */
static uint32_t next_bound(const struct meetings *m, const struct grid_meeting *counter) {
  uint64_t turn = 1;
  VEC_EACH (before, &m->own_begins) {
    if (before->region != counter->region || before->at != counter->at) continue;
    if (before->exact) return 0;
    turn++;
  }
  turn *= litmus_volume(m->run->kernel->grid);
  return turn <= INT32_MAX ? (uint32_t)turn : 0;
}

/* Notes a meeting that begins at the latest barrier, if that is in this block, an addition ends the block, and the next
 * block polls. */
static void note_meeting(struct meetings *m, struct runner *r, const struct block *b, uint32_t begun) {
  const struct remnant *last = b->code.len ? &b->code.data[b->code.len - 1] : NULL, *barrier = last;
  struct grid_meeting counter;
  const uint64_t added = last ? grid_added_by(r, last, &counter) : 0, n = litmus_volume(m->run->kernel->grid);
  if (!added || m->own.len == begun || b->guard || b->next[0] == NO_BLOCK) return;
  while (barrier->begin == barrier->end || barrier->end != m->own.data[m->own.len - 1]) barrier--;
  const struct instr *in = grid_alone(r, last);
  const uint32_t bound = next_bound(m, &counter), old = in->kind == INSTR_ATOM ? in->dst[0] : (uint32_t)NO_REG;
  const bool first = added == (1ull << FLIPS) - (n - 1);
  const bool bounded = added == 1 && bound && polls(r, b->next[0], old, bound, &counter);
  if (!bounded && ((!first && added != 1) || !polls(r, b->next[0], old, 0, &counter))) return;
  counter.releases = orders(in, SEM_RELEASE) || has_fence(r, barrier + 1, last);
  m->own_begins.data[m->own.len - 1] = counter;
  m->firsts += first && !bounded, m->bounded += bounded, m->accesses += 2;
}

/* A thread on its way through its blocks, in order. */
struct barrier_list {
  struct runner *runner;
  struct block_order order;
  uint32_t at, far; /* the present place in the order; the farthest one to which some branch before leads */
  uint32_t latest;  /* one past the place of the latest barrier */
};

static bool take_barrier(struct meetings *m, struct barrier_list *w, const struct remnant *remnant) {
  const struct instr *in = remnant_source(w->runner, remnant);
  const struct barrier *barrier = in->barrier;
  const bool whole = barrier->count.kind == OPERAND_NONE && barrier->id.kind == OPERAND_IMM;
  if (!whole || barrier->action != BARRIER_SYNC || in->guard.present || w->far > w->at) return false;
  VEC_PUSH(m->launch->memory.arena, &m->own, remnant->end);
  VEC_PUSH(m->launch->memory.arena, &m->own_begins, (struct grid_meeting){0});
  w->latest = w->at + 1;
  return true;
}

static bool take_block(struct meetings *m, struct barrier_list *w) {
  const struct block *b = &w->runner->blocks.data[w->order.blocks.data[w->at]];
  const uint32_t begun = m->own.len;
  VEC_EACH (remnant, &b->code)
    if (is_barrier(remnant_source(w->runner, remnant)) && !take_barrier(m, w, remnant)) return false;
  if (w->far <= w->at) note_meeting(m, w->runner, b, begun);
  for (uint32_t k = 0; k < (b->guard ? 2 : 1); k++) {
    const uint32_t to = b->next[k] == NO_BLOCK ? w->order.blocks.len : w->order.place[b->next[k]];
    if (to > w->far) w->far = to;
    if (to < w->latest) return false; /* a loop with a barrier */
  }
  return true;
}

/* Lists the barriers of a thread, with its meetings. False: it is not as is claimed above. */
static bool list_barriers(struct meetings *m, struct runner *r) {
  struct barrier_list w = {.runner = r};
  m->own.len = m->own_begins.len = 0;
  if (!columns_order(r, &w.order)) return false;
  for (; w.at < w.order.blocks.len; w.at++)
    if (!take_block(m, &w)) return false;
  return true;
}

static bool is_like_first(const struct meetings *m) {
  return m->own.len == m->barriers.len && memcmp(m->own.data, m->barriers.data, m->own.len * sizeof *m->own.data) == 0;
}

static bool are_alike(const struct meetings *m) {
  for (uint32_t i = 0; i < m->begins.len; i++) {
    const struct grid_meeting *a = &m->begins.data[i], *b = &m->own_begins.data[i];
    if (!is_same_word(a, b) || a->releases != b->releases || a->acquires != b->acquires) return false;
  }
  return true;
}

static void keep(struct meetings *m) {
  m->barriers.len = m->begins.len = 0;
  for (uint32_t i = 0; i < m->own.len; i++) {
    VEC_PUSH(m->launch->memory.arena, &m->barriers, m->own.data[i]);
    VEC_PUSH(m->launch->memory.arena, &m->begins, m->own_begins.data[i]);
  }
}

/* Lists what all threads have in common. False: they differ, or a CTA has not one thread that meets those of others. */
static bool list_all(struct meetings *m) {
  uint32_t leaders = 0, cta = UINT32_MAX, ctas = 0;
  bool begun = false;
  VEC_VALUES (r, &m->run->runners) {
    const uint32_t firsts = m->firsts;
    if (!list_barriers(m, r) || (r->number != m->run->runners.data[0]->number && !is_like_first(m))) return false;
    if (r->number == m->run->runners.data[0]->number) keep(m);
    if (r->cta != cta && leaders != ctas) return false;
    if (r->cta != cta) ctas++, cta = r->cta;
    if (!SOME(VEC_EACH (begins, &m->own_begins), begins->region)) continue;
    if (begun && !are_alike(m)) return false;
    if (!begun) keep(m), begun = true;
    if (++leaders != ctas || (m->firsts != firsts && firsts)) return false;
  }
  return begun && leaders == ctas && ctas == litmus_volume(m->run->kernel->grid);
}

/* Either all polls have bounds, or each meeting of the first CTA adds more than 1. */
static bool is_right(const struct meetings *m) {
  uint32_t meetings = COUNT(VEC_EACH (begins, &m->begins), begins->region != NULL);
  const bool bounded = m->bounded == meetings * litmus_volume(m->run->kernel->grid);
  return (bounded || (!m->bounded && m->firsts == meetings)) && !m->begins.data[m->begins.len - 1].region;
}

static bool meets_word(const struct grid_meeting *word, const struct touch *touch) {
  return word->region && touch->region->number == word->region->number && touch->at < word->at + COUNTER_BYTES &&
         word->at < reach_end(touch);
}

static bool is_counter(const struct meetings *m, const struct touch *touch) {
  return SOME(VEC_EACH (c, &m->begins), meets_word(c, touch));
}

/* Marks the instructions that access counters. False: there are other accesses than those of the meetings, or one of
 * the instructions accesses other memory too. */
static bool mark_counting(const struct meetings *m) {
  uint32_t accesses = 0, others = 0;
  for (uint32_t pass = 0; pass < 2; pass++)
    EACH_RUNNER (r, m->launch)
      EACH_REMNANT (remnant, r)
        EACH_TOUCH (touch, r, remnant) {
          const bool own = r->run == m->run, counter = is_counter(m, touch);
          if (!pass && counter && own) m->uses[remnant->end] |= GRID_COUNTS;
          accesses += !pass && counter, others += counter != (own && m->uses[remnant->end] & GRID_COUNTS);
        }
  return accesses == m->accesses && !others;
}

/* Marks barriers at which meetings that order begin or end. The others take time all the same, so that what is left may
 * be weak (K18). */
static void note_uses(struct meetings *m) {
  struct litmus_test *test = m->launch->x->parse.test;
  bool all = true, orders = false;
  for (uint32_t i = 0; i < m->begins.len; i++) {
    const struct grid_meeting *begins = &m->begins.data[i];
    const bool waits = orders;
    orders = begins->releases && begins->acquires, all = all && (orders || !begins->region);
    const uint8_t use = (orders ? GRID_ARRIVES : 0) | (waits ? GRID_WAITS : 0);
    if (orders && waits) return;
    for (uint32_t k = 0; k < i; k++)
      if (m->barriers.data[k] == m->barriers.data[i] && m->uses[m->barriers.data[i]] != use) return;
    m->uses[m->barriers.data[i]] = use;
  }
  if ((!all && test->quantifier == LITMUS_IN_TURNS) || !mark_counting(m)) return;
  m->run->grid_uses = m->uses;
  test->strong = test->strong || !all;
}

void grid_barriers_find(struct launching *l) {
  VEC_VALUES (run, &l->runs) {
    struct meetings m = {.launch = l, .run = run};
    const bool asked = !run->kernel->host && !run->kernel->threads && does(l->x, TECHNIQUE_GRIDS);
    if (!asked || litmus_volume(run->kernel->grid) == 1) continue;
    m.uses = ARENA_ARRAY(l->memory.arena, uint8_t, run->body.thread->instr_count + 1);
    if (list_all(&m) && is_right(&m)) note_uses(&m);
  }
}

/* ---- CTAs that only meet others */

/* Fences too: all that they order is before the meeting before them, or after the next one. */
static bool only_meets(struct runner *r, bool waits) {
  struct block_order order = {0};
  columns_order(r, &order);
  for (uint32_t i = 0; i < order.blocks.len; i++) {
    const struct block *b = &r->blocks.data[order.blocks.data[i]];
    bool meets = false;
    VEC_EACH (remnant, &b->code) {
      const struct instr *in = remnant_source(r, remnant);
      const bool meeting = counts(r, remnant), fence = in && in->kind == INSTR_FENCE;
      meets = meets || meeting;
      if (meeting || is_barrier(in) || followers_pass_by(r, remnant, waits)) continue;
      if (!fence || remnant->instr->refused) return false;
    }
    if (b->guard && !meets) return false;
  }
  return true;
}

static void set_number(const struct remnant *test, uint64_t number) {
  grid_bound_of(test)->u.number.value = number, grid_bound_of(test)->u.number.negative = false;
}

/* Fewer CTAs meet: one adds another number, or all poll for another bound. */
static void meet_fewer(struct runner *r, uint32_t staying, bool *first) {
  const uint32_t n = litmus_volume(r->run->kernel->grid), adds = *first ? (1u << FLIPS) - (staying - 1) : 1;
  VEC_EACH (b, &r->blocks) {
    const struct remnant *end = b->code.len ? &b->code.data[b->code.len - 1] : NULL;
    struct grid_meeting counter;
    uint32_t bound;
    if (!end || !end->instr) continue;
    if (counts(r, end) &&
        polls(r, b->next[0], grid_alone(r, end)->dst[0], 0, (grid_added_by(r, end, &counter), &counter)))
      set_number(end, adds), *first = false;
    if (!b->guard || b->code.len != 2 || !counts(r, &b->code.data[0])) continue;
    if (!remnant_number(r, end, grid_bound_of(end), &bound)) continue;
    const uint32_t turn = (bound + n - 1) / n; /* the bound is turn * n, or 1 less */
    set_number(end, turn * staying - (turn * n - bound));
  }
}

static void drop_meeting(struct launching *l, struct kernel_run *run, bool waits) {
  bool *stays = ARENA_ARRAY(l->memory.arena, bool, litmus_volume(run->kernel->grid)), first = true;
  uint32_t staying = 0;
  VEC_VALUES (r, &run->runners)
    if (r->column && !stays[r->block] && !only_meets(r, waits)) stays[r->block] = true, staying++;
  if (!staying) stays[0] = true, staying++;
  VEC_VALUES (r, &run->runners) {
    if (!r->column) continue;
    r->column = stays[r->block];
    if (r->column) meet_fewer(r, staying, &first);
  }
}

/* ---- CTAs that only count */

/* The atomic of the remnant, if it draws. */
static const struct draw *draw_of(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant->instr ? grid_alone(r, remnant) : NULL;
  const struct draw *draw =
      in && in->kind == INSTR_ATOM && remnant->touches == 1 ? r->touches.data[remnant->touch].draw : NULL;
  return draw && draw->added ? draw : NULL;
}

/* The comparison of what an atomic drew, or a constant more, with the last number, if nothing else needs it; NULL:
 * there is none. */
static struct remnant *test_after(const struct runner *r, struct block *b, struct remnant *atom, uint64_t last) {
  uint32_t reg = grid_alone(r, atom)->dst[0], least;
  for (struct remnant *to = atom + 1; to < VEC_END(&b->code); to++) {
    const struct instr *in = remnant_source(r, to);
    bool set, exact;
    if (to->instr && (!in || !grid_alone(r, to))) return NULL;
    if (!to->instr || !is_read_by(in, reg)) continue;
    if (last > INT32_MAX || bitset_has(r->run->body.live[to->end], reg)) return NULL;
    if (in->kind == INSTR_ALU && in->alu == ALU_ADD && remnant_number(r, to, grid_bound_of(to), &least)) {
      reg = in->dst[0], last += least;
      continue;
    }
    const bool tests = grid_compares(r, to, reg, &least, &set, &exact) && least == last;
    return tests && grid_bound_of(to)->kind == LITMUS_NUMBER ? to : NULL;
  }
  return NULL;
}

bool grid_is_word(const struct tickets *t, const struct touch *touch) {
  return meets_word(&t->words[0], touch) || meets_word(&t->words[1], touch);
}

static bool only_counts(const struct tickets *t, const struct runner *r, const struct remnant *remnant, bool waits) {
  const struct instr *in = remnant_source(r, remnant);
  if (followers_pass_by(r, remnant, waits)) return true;
  if (!in || remnant->strays || remnant->is_use || remnant->instr->refused) return false;
  if (is_barrier(in) || in->kind == INSTR_FENCE || remnant_only_computes(r, remnant)) return true;
  EACH_TOUCH (touch, r, remnant) {
    const bool own = touch->region->space == SPACE_SHARED && touch->region->owner == r->cta && !touch->open;
    const bool counter = grid_is_word(t, touch) && !touch->open;
    const bool plain = (in->kind == INSTR_LOAD || in->kind == INSTR_STORE) && is_plain_weak(in);
    if (!(own && plain && !touch->meets) && !(counter && !touch->witness)) return false;
  }
  return remnant->touches != 0;
}

/* Notes the atomics of columns. False: some has no such comparison. */
static bool list_tickets(struct tickets *t) {
  VEC_VALUES (r, &t->run->runners) {
    if (!r->column) continue;
    VEC_EACH (b, &r->blocks)
      VEC_EACH (remnant, &b->code) {
        const struct draw *draw = draw_of(r, remnant);
        struct remnant *test = draw && run_draws_of(draw, t->draw) ? test_after(r, b, remnant, t->last) : NULL;
        if (draw && run_draws_of(draw, t->draw) && !test) return false;
        if (!test) continue;
        VEC_PUSH(t->launch->memory.arena, &t->tests, test);
        VEC_PUSH(t->launch->memory.arena, &t->drawers, r);
      }
  }
  return true;
}

bool *grid_find_leaving(const struct tickets *t) {
  const struct launching *l = t->launch;
  const bool waits = rendezvous_are_timed(l);
  const uint32_t blocks = litmus_volume(t->run->kernel->grid);
  bool *stays = t->stays, *leaves = ARENA_ARRAY(l->memory.arena, bool, blocks);
  struct hash_index seen = {0};
  VEC_VALUES (r, &t->run->runners) {
    stays[r->block] = stays[r->block] || !l->regular[r->number];
    if (!r->column) continue;
    EACH_REMNANT (remnant, r) stays[r->block] = stays[r->block] || !only_counts(t, r, remnant, waits);
  }
  VEC_VALUES (r, &t->drawers) {
    if (stays[r->block] || leaves[r->block]) continue;
    const uint64_t kind = l->kinds[r->number];
    HASH_EACH (n, &seen, kind)
      leaves[r->block] = leaves[r->block] || (l->runners.data[n]->block != r->block && l->kinds[n] == kind);
    if (!leaves[r->block]) hash_add(l->memory.arena, &seen, kind, r->number);
  }
  return leaves;
}

/* Leaves out CTAs that only count themselves by a number that nothing but a comparison with the last one needs. They
 * may have come before all others: so in an execution with two accesses of others that race, or a thread that waits,
 * if another CTA of the same kind stays that may be the last one in place of one of them. From their atomics no order
 * comes but that of the atomics before them, as those that stay give it (8.8, "release sequence"). */
static void drop_counting(struct launching *l, struct kernel_run *run, const struct draw *draw) {
  struct tickets t = {.launch = l, .run = run, .draw = draw, .words = {{.region = draw->region, .at = draw->at}}};
  t.stays = ARENA_ARRAY(l->memory.arena, bool, litmus_volume(run->kernel->grid));
  const uint64_t count = conflict_numbers(l->conflicts, draw, &t.last);
  uint32_t gone = 0;
  if (draw->added != 1 || !count || !list_tickets(&t) || t.tests.len != count) return;
  const bool *leaves = grid_find_leaving(&t);
  VEC_VALUES (r, &t.drawers) gone += leaves[r->block];
  VEC_VALUES (test, &t.tests)
    if (grid_bound_of(test)->u.number.value < gone) return;
  VEC_VALUES (test, &t.tests) set_number(test, (uint64_t)grid_bound_of(test)->u.number.value - gone);
  VEC_VALUES (r, &run->runners) r->column = r->column && !leaves[r->block];
}

static void drop_all_counting(struct launching *l, struct kernel_run *run) {
  VEC(const struct draw *) seen = {0};
  VEC_VALUES (r, &run->runners) {
    if (!r->column) continue;
    EACH_REMNANT (remnant, r) {
      const struct draw *draw = draw_of(r, remnant);
      VEC_VALUES (other, &seen) draw = draw && run_draws_of(draw, other) ? NULL : draw;
      if (!draw || seen.len == MOST_COUNTERS) continue;
      VEC_PUSH(l->memory.arena, &seen, draw);
      drop_counting(l, run, draw);
    }
  }
}

void grid_barriers_drop(struct launching *l) {
  const bool waits = rendezvous_are_timed(l);
  if (l->x->parse.test->condition || !l->conflicts || !does(l->x, TECHNIQUE_GRIDS)) return;
  VEC_VALUES (run, &l->runs) {
    if (run->grid_uses) drop_meeting(l, run, waits);
    else if (l->kinds && !run->kernel->cluster.x) {
      drop_all_counting(l, run);
      if (l->runs.len == 1) lockers_drop(l, run);
    }
  }
}
