/* The barriers of a cooperative grid (docs/semantics.md K16), as `grid.sync()` of cooperative groups makes them: all
 * threads of a CTA pass a barrier, one of them adds to the counter in the workspace, polls it, and all pass another
 * one.
 *
 * One CTA adds 0x80000000 - (n - 1), the n - 1 others 1: so the highest bit changes with the n-th of each n additions
 * and with no other one, and a poll ends when it differs from what the thread's own addition read. No CTA adds again
 * before that. So the end of the k-th poll of a CTA has seen all k-th additions: each releases, atomics go on with its
 * release sequence, and the poll acquires. That holds if nothing else accesses the workspace, and if all threads of the
 * grid pass the same barriers of their CTA on every way. */
#include "kernel/columns.h"

enum { COUNTER_AT = 4, COUNTER_BYTES = 4, FLIPS = 31 };

struct meetings {
  struct launching *launch;
  struct kernel_run *run;
  VEC(uint32_t) barriers; /* those that each thread passes, by the ends of their remnants; */
  VEC(bool) begins;       /* a meeting of the grid begins there and ends at the next one */
  VEC(uint32_t) own;      /* the same of the present thread */
  VEC(bool) own_begins;
  uint32_t firsts; /* CTAs that add more than 1 */
};

static bool is_workspace(const struct runner *r, const struct touch *touch) {
  return r->run->workspace && touch->region->base == r->run->workspace && touch->region->space == SPACE_GLOBAL;
}

bool grid_barrier_has(const struct runner *r, const struct remnant *remnant) {
  EACH_TOUCH (touch, r, remnant)
    if (is_workspace(r, touch)) return true;
  return false;
}

/* ---- the addition and the poll */

static bool is_wide(const struct instr *in) {
  return in->proxy == PROXY_GENERIC && !in->is_mmio && (in->scope == SCOPE_GPU || in->scope == SCOPE_SYS);
}

static bool is_counter(const struct runner *r, const struct touch *touch) {
  return is_workspace(r, touch) && !touch->open && touch->at == COUNTER_AT && touch->bytes == COUNTER_BYTES;
}

/* The number that an atomic of the thread adds to the counter; 0: another instruction. */
static uint64_t added_by(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  uint64_t added = 0;
  bool releases = in && in->kind == INSTR_ATOM && (in->sem == SEM_RELEASE || in->sem == SEM_ACQ_REL) && is_wide(in);
  if (!releases || in->guard.present || remnant->end != remnant->begin + 1) return 0;
  EACH_TOUCH (touch, r, remnant) {
    if (!is_counter(r, touch) || !touch->draw) return 0;
    added = touch->draw->added;
  }
  return added;
}

static const struct instr *alone(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  return in && remnant->end == remnant->begin + 1 && !in->guard.present ? in : NULL;
}

/* True if the comparison is of the highest bit of a register; *set: it holds if that is set. */
static bool tests_sign(const struct instr *in, uint32_t reg, bool *set) {
  const enum compare compare = in->arith.compare;
  const value_t with = in->src[1].imm & UINT32_MAX;
  const bool below = (compare == COMPARE_LT && with == 0) || (compare == COMPARE_LE && with == UINT32_MAX);
  const bool above = (compare == COMPARE_GE && with == 0) || (compare == COMPARE_GT && with == UINT32_MAX);
  *set = below;
  return in->kind == INSTR_ALU && in->alu == ALU_SETP && in->type.kind == TYPE_SIGNED && in->type.width == 32 &&
         in->src[0].kind == OPERAND_REG && in->src[0].reg == reg && in->src[1].kind == OPERAND_IMM &&
         in->src[2].kind == OPERAND_NONE && (below || above);
}

/* True if a block is a loop that loads the counter until its highest bit differs from that of a register. */
static bool polls(const struct runner *r, uint32_t number, uint32_t old) {
  const struct block *b = &r->blocks.data[number];
  if (b->code.len != 3 || !b->guard) return false;
  const struct instr *load = alone(r, &b->code.data[0]), *mix = alone(r, &b->code.data[1]),
                     *test = alone(r, &b->code.data[2]);
  bool set;
  if (!load || !mix || !test || load->kind != INSTR_LOAD || load->sem != SEM_ACQUIRE || !is_wide(load)) return false;
  EACH_TOUCH (touch, r, &b->code.data[0])
    if (!is_counter(r, touch)) return false;
  const struct operand *x = &mix->src[0], *y = &mix->src[1];
  const uint32_t now = load->dst[0];
  const bool both = x->kind == OPERAND_REG && y->kind == OPERAND_REG && mix->type.width == 32 &&
                    ((x->reg == now && y->reg == old) || (x->reg == old && y->reg == now));
  if (mix->kind != INSTR_ALU || mix->alu != ALU_XOR || !both || now == old || mix->dst[0] == old) return false;
  if (!tests_sign(test, mix->dst[0], &set) || r->run->body.thread->instrs[b->split].guard.reg != test->dst[0])
    return false;
  const uint32_t taken = set != b->negated; /* where the bit differs */
  return b->next[!taken] == number && b->next[taken] != number;
}

/* ---- the barriers of a thread */

static bool is_barrier(const struct instr *in) {
  return in && in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_CTA;
}

/* Notes that a meeting begins at the latest barrier, of this block; its addition is the block's last instruction. */
static bool note_meeting(struct meetings *m, struct runner *r, uint32_t number, uint32_t begun) {
  const struct block *b = &r->blocks.data[number];
  const struct remnant *last = &b->code.data[b->code.len - 1];
  const uint64_t added = added_by(r, last), n = litmus_volume(m->run->kernel->grid);
  const bool first = added == (1ull << FLIPS) - (n - 1);
  if (m->own.len == begun || b->guard || b->next[0] == NO_BLOCK || (!first && added != 1)) return false;
  m->own_begins.data[m->own.len - 1] = true;
  m->firsts += first;
  return polls(r, b->next[0], remnant_source(r, last)->dst[0]);
}

/* A thread on its way through its blocks, in order. */
struct barrier_list {
  struct runner *runner;
  struct block_order order;
  uint32_t at, far;  /* the present place in the order; the farthest one to which some branch before leads */
  uint32_t latest;   /* one past the place of the latest barrier */
  bool polls;        /* an addition came, and its poll has not */
  uint32_t accesses; /* to the workspace so far */
};

static bool take_barrier(struct meetings *m, struct barrier_list *w, const struct remnant *remnant) {
  const struct instr *in = remnant_source(w->runner, remnant);
  const struct barrier *barrier = in->barrier;
  const bool whole = barrier->count.kind == OPERAND_NONE && barrier->id.kind == OPERAND_IMM;
  if (!whole || barrier->action != BARRIER_SYNC || in->guard.present || w->far > w->at || w->polls) return false;
  VEC_PUSH(m->launch->memory.arena, &m->own, remnant->end);
  VEC_PUSH(m->launch->memory.arena, &m->own_begins, false);
  w->latest = w->at + 1;
  return true;
}

/* An access to the workspace: the last instruction of a block, whose loop is the next block; or the load there. */
static bool take_access(struct meetings *m, struct barrier_list *w, const struct block *b,
                        const struct remnant *remnant, uint32_t begun) {
  EACH_TOUCH (touch, w->runner, remnant) w->accesses += is_workspace(w->runner, touch);
  const bool loads = remnant_source(w->runner, remnant)->kind == INSTR_LOAD;
  if (loads != w->polls) return false;
  w->polls = !loads;
  if (loads) return true;
  const bool last = remnant == &b->code.data[b->code.len - 1] && w->at + 1 < w->order.blocks.len;
  return last && w->far <= w->at && w->order.blocks.data[w->at + 1] == b->next[0] &&
         note_meeting(m, w->runner, w->order.blocks.data[w->at], begun);
}

static bool take_block(struct meetings *m, struct barrier_list *w) {
  const struct block *b = &w->runner->blocks.data[w->order.blocks.data[w->at]];
  const uint32_t begun = m->own.len;
  VEC_EACH (remnant, &b->code) {
    if (grid_barrier_has(w->runner, remnant) && !take_access(m, w, b, remnant, begun)) return false;
    if (is_barrier(remnant_source(w->runner, remnant)) && !take_barrier(m, w, remnant)) return false;
  }
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
  VEC_EACH (touch, &r->touches) w.accesses -= is_workspace(r, touch);
  return !w.accesses && !w.polls;
}

static bool is_like_first(const struct meetings *m) {
  return m->own.len == m->barriers.len && memcmp(m->own.data, m->barriers.data, m->own.len * sizeof *m->own.data) == 0;
}

static bool has_meeting(const struct meetings *m) {
  VEC_EACH (begins, &m->own_begins)
    if (*begins) return true;
  return false;
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
    if (r->cta != cta) ctas++, cta = r->cta;
    if (!has_meeting(m)) continue;
    if (begun && memcmp(m->own_begins.data, m->begins.data, m->begins.len * sizeof(bool)) != 0) return false;
    if (!begun) keep(m), begun = true;
    if (++leaders != ctas || (m->firsts != firsts && firsts)) return false;
  }
  return begun && leaders == ctas && ctas == litmus_volume(m->run->kernel->grid);
}

/* Each meeting of the first CTA adds more than 1: as often as there are meetings. */
static bool is_right(const struct meetings *m) {
  uint32_t meetings = 0;
  VEC_EACH (begins, &m->begins) meetings += *begins;
  return m->firsts == meetings && m->begins.len && !m->begins.data[m->begins.len - 1];
}

/* Marks the instructions that access the workspace. False: one of them accesses other memory too. */
static bool mark_counting(const struct meetings *m, uint8_t *uses) {
  bool only = true;
  VEC_VALUES (r, &m->run->runners)
    EACH_REMNANT (remnant, r)
      if (grid_barrier_has(r, remnant)) uses[remnant->end] |= GRID_COUNTS;
  VEC_VALUES (r, &m->run->runners)
    EACH_REMNANT (remnant, r) only = only && (!(uses[remnant->end] & GRID_COUNTS) || grid_barrier_has(r, remnant));
  return only;
}

/* By the end of a remnant, what the barrier is to the grid: it begins a meeting, or ends one. */
static void note_uses(struct meetings *m) {
  const uint32_t count = m->run->body.thread->instr_count + 1;
  uint8_t *uses = ARENA_ARRAY(m->launch->memory.arena, uint8_t, count);
  for (uint32_t i = 0; i < m->begins.len; i++) {
    const uint8_t use = (m->begins.data[i] ? GRID_ARRIVES : 0) | (i && m->begins.data[i - 1] ? GRID_WAITS : 0);
    if (use == (GRID_ARRIVES | GRID_WAITS)) return;
    for (uint32_t k = 0; k < i; k++)
      if (m->barriers.data[k] == m->barriers.data[i] && uses[m->barriers.data[i]] != use) return;
    uses[m->barriers.data[i]] = use;
  }
  if (mark_counting(m, uses)) m->run->grid_uses = uses;
}

static bool is_accessed_by_others(const struct launching *l, const struct kernel_run *run) {
  EACH_RUNNER (r, l)
    VEC_EACH (touch, &r->touches)
      if (r->run != run && touch->region->space == SPACE_GLOBAL && touch->region->base == run->workspace) return true;
  return false;
}

void grid_barriers_find(struct launching *l) {
  VEC_VALUES (run, &l->runs) {
    struct meetings m = {.launch = l, .run = run};
    if (!run->workspace || run->kernel->threads || !does(l->x, TECHNIQUE_GRIDS)) continue;
    if (!is_accessed_by_others(l, run) && list_all(&m) && is_right(&m)) note_uses(&m);
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
      const bool counts = grid_barrier_has(r, remnant), fence = in && in->kind == INSTR_FENCE;
      meets = meets || counts;
      if (counts || is_barrier(in) || followers_pass_by(r, remnant, waits)) continue;
      if (!fence || remnant->instr->refused) return false;
    }
    if (b->guard && !meets) return false;
  }
  return true;
}

static void set_added(const struct runner *r, uint64_t added) {
  EACH_REMNANT (remnant, r)
    if (remnant->instr && added_by(r, remnant)) {
      struct litmus_operand *value = remnant->instr->operands->next->next;
      value->u.number.value = added, value->u.number.negative = false;
    }
}

void grid_barriers_drop(struct launching *l) {
  const bool waits = rendezvous_are_timed(l);
  VEC_VALUES (run, &l->runs) {
    const uint32_t ctas = litmus_volume(run->kernel->grid);
    bool *stays = run->grid_uses ? ARENA_ARRAY(l->memory.arena, bool, ctas) : NULL;
    uint32_t staying = 0;
    if (!stays || l->x->parse.test->condition || !l->conflicts) continue;
    VEC_VALUES (r, &run->runners)
      if (r->column && !stays[r->block] && !only_meets(r, waits)) stays[r->block] = true, staying++;
    if (!staying) stays[0] = true, staying++;
    bool first = true;
    VEC_VALUES (r, &run->runners) {
      if (!r->column) continue;
      r->column = stays[r->block];
      bool adds = false;
      EACH_REMNANT (remnant, r) adds = adds || (remnant->instr && added_by(r, remnant));
      if (r->column && adds) set_added(r, first ? (1ull << FLIPS) - (staying - 1) : 1), first = false;
    }
  }
}
