#include "repair/edits.h"

#include "explain/words.h"
#include "ptx/isa.h"

/* ---- The threads that a scope contains ---- */

static uint32_t reached(const struct program *program, uint32_t thread, enum scope scope) {
  return COUNT(for (uint32_t t = 0; t < program->thread_count; t++),
               thread == t || words_common_scope(program, thread, t) <= scope);
}

/* True if a scope reaches more threads than the next narrower scope; other scopes need not be tried. */
static bool counts(const struct program *program, uint32_t thread, enum scope scope) {
  uint32_t narrower = scope == SCOPE_CTA ? 1 : reached(program, thread, (enum scope)(scope - 1));
  return reached(program, thread, scope) > narrower;
}

/* ---- Strengths of an instruction ---- */

static bool touches_memory(const struct instr *i) {
  return instr_is_access(i) || i->kind == INSTR_MULTIMEM;
}

/* True if the order of this instruction can matter: accesses, and instructions that issue accesses or wait for them. */
static bool takes_part(const struct instr *i) {
  return touches_memory(i) || i->kind == INSTR_ASYNC || i->kind == INSTR_MBARRIER || i->kind == INSTR_GROUP ||
         i->kind == INSTR_GRID_WAIT || i->kind == INSTR_GRID_LAUNCH;
}

static bool is_signal(const struct instr *i) {
  if (i->kind != INSTR_MBARRIER) return false;
  enum mbarrier_action action = i->mbarrier->action;
  return action == MBARRIER_ARRIVE || action == MBARRIER_DROP || action >= MBARRIER_TEST;
}

static bool is_access(const struct instr *i) {
  return touches_memory(i) && i->proxy == PROXY_GENERIC && i->space != SPACE_LOCAL && i->space != SPACE_PARAM &&
         i->space != SPACE_CONST;
}

static bool is_some_fence(const struct instr *i) { return i->kind == INSTR_FENCE || i->kind == INSTR_PROXY_FENCE; }

/* A mask of the semantics that the instruction can have. Every memory fence can be written as `fence`. */
static uint32_t sems_of(const struct edit_finder *f, uint32_t t, uint32_t n) {
  const struct instr *i = &f->program->threads[t].instrs[n];
  const struct litmus_instr *written = edits_written(f->test, f->program, t, n);
  if (!written) return 0;
  if (i->kind == INSTR_MULTIMEM) return isa_multimem_sems(i->multimem->action);
  if (is_signal(i)) return 1u << SEM_RELAXED | 1u << (i->mbarrier->action >= MBARRIER_TEST ? SEM_ACQUIRE : SEM_RELEASE);
  const struct isa_row *row = isa_find(i->kind == INSTR_FENCE ? "fence" : written->opcode.text);
  return row ? row->sems : 0;
}

/* True if a is weaker than b or equal to b. */
static bool at_most(enum sem a, enum sem b) {
  if (a == SEM_ACQUIRE && b == SEM_RELEASE) return false;
  return a <= b;
}

static unsigned sem_cost(enum sem sem) {
  switch (sem) {
    case SEM_WEAK: return 0;
    case SEM_RELAXED: return 2;
    case SEM_ACQUIRE:
    case SEM_RELEASE: return 5;
    case SEM_ACQ_REL: return 7;
    case SEM_SC: return 12;
  }
  BUG("semantics %d", (int)sem);
}

static unsigned strength_cost(enum sem sem, enum scope scope) { return 4 * sem_cost(sem) + (unsigned)scope; }

enum { COST_ADD = 24, COST_ADD_PROXY = 30, COST_MOVE = 10, COST_WORD = 14, COST_BARRIER = 90 };

/* Adds the stronger, or weaker, forms of an access or memory fence. */
static void vary_strength(struct edit_finder *f, uint32_t t, uint32_t n, bool stronger, struct site *site) {
  const struct instr *i = &f->program->threads[t].instrs[n];
  uint32_t sems = sems_of(f, t, n);
  for (enum sem sem = SEM_WEAK; sem <= SEM_SC; sem++)
    for (enum scope scope = SCOPE_NONE; scope <= SCOPE_SYS; scope++) {
      if (!(sems >> sem & 1) || (sem == SEM_WEAK) != (scope == SCOPE_NONE)) continue;
      if (f->program->threads[t].host && sem == SEM_WEAK) continue; /* one instruction with relaxed */
      bool up = at_most(i->sem, sem) && i->scope <= scope, down = at_most(sem, i->sem) && scope <= i->scope;
      bool same = sem == i->sem && scope == i->scope;
      if (same || !(stronger ? up : down)) continue;
      if (scope != SCOPE_NONE && scope != i->scope && !counts(f->program, t, scope)) continue;
      if (is_signal(i) && scope > SCOPE_CLUSTER) continue;
      unsigned cost = strength_cost(sem, scope), now = strength_cost(i->sem, i->scope);
      struct edit edit = {.kind = EDIT_STRENGTH, .thread = t, .instr = n, .sem = sem, .scope = scope};
      edit.cost = stronger ? cost - now : cost;
      sites_add_variant(f->arena, site, edit);
    }
}

/* Adds another qualifier for a barrier: for an arrival at a cluster barrier, ordering or not; for a CTA barrier whose
 * thread count is given, as an arrival alone needs, waiting or not. */
static void vary_barrier(struct edit_finder *f, uint32_t t, uint32_t n, bool stronger, struct site *site) {
  const struct instr *i = &f->program->threads[t].instrs[n];
  struct edit edit = {.kind = EDIT_WORD, .thread = t, .instr = n, .cost = COST_WORD};
  if (i->kind != INSTR_BARRIER) return;
  const struct barrier *b = i->barrier;
  bool arrives = b->action == BARRIER_ARRIVE, counted = b->count.kind != OPERAND_NONE;
  if (b->kind == BARRIER_CLUSTER && arrives && b->relaxed == stronger) {
    edit.from = stronger ? ".relaxed" : ".release";
    edit.to = stronger ? ".release" : ".relaxed";
  } else if (b->kind == BARRIER_CTA && counted && b->action == (stronger ? BARRIER_ARRIVE : BARRIER_SYNC)) {
    edit.from = stronger ? ".arrive" : ".sync";
    edit.to = stronger ? ".sync" : ".arrive";
  }
  if (edit.to) sites_add_variant(f->arena, site, edit);
}

/* Adds the same load without .nc: by the generic proxy. */
static void vary_proxy(struct edit_finder *f, uint32_t t, uint32_t n, struct site *site) {
  const struct litmus_instr *written = edits_written(f->test, f->program, t, n);
  LIST_EACH (word, written ? written->qualifiers.first : NULL)
    if (strcmp(word->text, ".nc") == 0)
      sites_add_variant(f->arena, site, (struct edit){.kind = EDIT_WORD, .thread = t, .instr = n, .from = ".nc",
                                                      .cost = COST_WORD});
}

/* ---- Gaps ---- */

/* True if the thread accesses memory or reaches a barrier both up to instruction n and after it. */
static bool is_gap(const struct thread *t, uint32_t n) {
  bool before = false, after = false;
  for (uint32_t i = 0; i < t->instr_count; i++)
    if (takes_part(&t->instrs[i]) || t->instrs[i].kind == INSTR_BARRIER) *(i <= n ? &before : &after) = true;
  return before && after;
}

/* True if the instruction orders nothing, so that the gap after it is equivalent to the gap before it. */
static bool doubles(const struct thread *t, uint32_t n) {
  const struct instr *i = &t->instrs[n];
  return !takes_part(i) && i->kind != INSTR_BARRIER && !is_some_fence(i) && i->kind != INSTR_BRANCH;
}

static void vary_fence(struct edit_finder *f, uint32_t t, uint32_t n, bool late, struct site *site) {
  static const enum sem sems[] = {SEM_ACQUIRE, SEM_ACQ_REL, SEM_SC}; /* the first for hosts: dmb ishld */
  for (size_t k = f->program->threads[t].host ? 0 : 1; k < ARRAY_LEN(sems); k++)
    for (enum scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++) {
      if (!counts(f->program, t, scope)) continue;
      struct edit edit = {.kind = EDIT_ADD, .thread = t, .instr = n, .sem = sems[k], .scope = scope, .late = late};
      edit.cost = COST_ADD + strength_cost(sems[k], scope);
      edit.added = arena_printf(f->arena, "fence%s%s", sem_word(sems[k]), scope_word(scope));
      sites_add_variant(f->arena, site, edit);
    }
}

static bool uses_proxy(const struct program *program, enum proxy proxy) {
  if (proxy == PROXY_ALIAS) return program->view_count > program->object_count;
  for (uint32_t t = 0; t < program->thread_count; t++)
    ARRAY_EACH (instr, program->threads[t].instrs, program->threads[t].instr_count) {
      bool issues = proxy == PROXY_ASYNC && instr->kind == INSTR_ASYNC && instr->async->action != ASYNC_COPY;
      if (issues || (touches_memory(instr) && instr->proxy == proxy)) return true;
    }
  return false;
}

static void fence_site(struct edit_finder *f, uint32_t t, uint32_t n, bool late) {
  struct site site = {0};
  vary_fence(f, t, n, late, &site);
  sites_add(f, &site);
}

/* True if the thread issues asynchronous operations: a fence of the async proxy belongs in the other threads. */
static bool issues(const struct program *program, uint32_t t) {
  return SOME_BELOW(i, program->threads[t].instr_count, program->threads[t].instrs[i].kind == INSTR_ASYNC);
}

static void proxy_site(struct edit_finder *f, uint32_t t, uint32_t n, enum proxy proxy, bool late) {
  if (f->program->threads[t].host || !uses_proxy(f->program, proxy) || !program_fences_proxy(f->program, proxy)) return;
  edits_add(f, (struct edit){.kind = EDIT_ADD,
                             .thread = t,
                             .instr = n,
                             .added = arena_printf(f->arena, "fence.proxy.%s", proxy_word(proxy)),
                             .late = late,
                             .cost = COST_ADD_PROXY + (proxy == PROXY_ASYNC && issues(f->program, t) ? 1u : 0u)});
}

/* Adds the sites of a gap, in the order that added fences would have. Each kind occurs before and after the alias
 * fence, because the order of fences in a gap matters (8.9.5). */
static void gap_sites(struct edit_finder *f, uint32_t t, uint32_t n) {
  bool proxies = false;
  if (!is_gap(&f->program->threads[t], n) || doubles(&f->program->threads[t], n)) return;
  for (enum proxy p = PROXY_GENERIC + 1; p <= PROXY_ALIAS; p++) proxies = proxies || uses_proxy(f->program, p);
  fence_site(f, t, n, false);
  for (enum proxy p = PROXY_GENERIC + 1; p <= PROXY_ASYNC; p++) proxy_site(f, t, n, p, false);
  if (!proxies) return;
  for (enum proxy p = PROXY_GENERIC + 1; p < PROXY_ALIAS; p++) proxy_site(f, t, n, p, true);
  fence_site(f, t, n, true);
}

/* ---- Places for a barrier ---- */

/* True if every path through the thread passes exactly once between instruction n and the next. */
static bool all_pass(const struct thread *t, uint32_t n) {
  uint32_t next = n == EDIT_AT_START ? 0 : n + 1;
  for (uint32_t i = 0; i < t->instr_count; i++) {
    const struct instr *instr = &t->instrs[i];
    if (instr->kind == INSTR_EXIT && i < next) return false;
    if (instr->kind != INSTR_BRANCH) continue;
    if (i < next ? instr->target >= next : instr->target < next) return false;
  }
  /* One written instruction may be lowered to several. */
  return next == 0 || next == t->instr_count || t->instrs[n].span.begin != t->instrs[next].span.begin;
}

static uint32_t accesses_up_to(const struct thread *t, uint32_t n) {
  return COUNT(for (uint32_t i = 0; n != EDIT_AT_START && i <= n; i++), takes_part(&t->instrs[i]));
}

static uint32_t accesses(const struct thread *t) { return t->instr_count ? accesses_up_to(t, t->instr_count - 1) : 0; }

/* The gaps of a thread for a new barrier, one per number of accesses before it. */
VEC_NAMED(gaps, uint32_t);

static void find_gaps(struct edit_finder *f, const struct thread *t, struct gaps *gaps) {
  if (all_pass(t, EDIT_AT_START)) VEC_PUSH(f->arena, gaps, EDIT_AT_START);
  for (uint32_t n = 0; n < t->instr_count; n++) {
    bool fresh = !gaps->len || accesses_up_to(t, gaps->data[gaps->len - 1]) < accesses_up_to(t, n);
    if (fresh && all_pass(t, n)) VEC_PUSH(f->arena, gaps, n);
  }
}

static uint32_t owner_of(const struct thread *t, enum barrier_kind kind) {
  return kind == BARRIER_CTA ? t->cta_id : kind == BARRIER_WARP ? t->warp_id : t->cluster_id;
}

/* The number of extra steps before and after a barrier: a barrier of a cluster whose CTAs use each other's shared
 * memory (K9) also orders the start and the end of each CTA. */
static uint32_t ends_ordered(const struct program *program, const struct edit *edit) {
  return edit->barrier == BARRIER_CLUSTER && program_lends(program);
}

static const struct thread *thread_at(const struct program *program, const struct edit *edit, uint32_t i) {
  return &program->threads[edit_place(edit, i).thread];
}

/* The number of steps before a new barrier in the thread of this place. The next function: the number after it. */
static uint32_t before_it(const struct program *program, const struct edit *edit, uint32_t i) {
  return accesses_up_to(thread_at(program, edit, i), edit_place(edit, i).instr) + ends_ordered(program, edit);
}

static uint32_t behind_it(const struct program *program, const struct edit *edit, uint32_t i) {
  return accesses(thread_at(program, edit, i)) + 2 * ends_ordered(program, edit) - before_it(program, edit, i);
}

/* True if the threads of two places share a new barrier: the edit may add one in each of several CTAs. */
static bool meet_at(const struct program *program, const struct edit *edit, uint32_t i, uint32_t k) {
  return owner_of(thread_at(program, edit, i), edit->barrier) == owner_of(thread_at(program, edit, k), edit->barrier);
}

/* The number of pairs of accesses of different threads that the new barriers order; 0 if one of several orders none. */
static uint32_t pairs_ordered(const struct program *program, const struct edit *edit) {
  uint32_t all = 0, more = ends_ordered(program, edit);
  for (uint32_t first = 0; first < edit_places(edit); first++) {
    uint32_t pairs = 0;
    bool again = SOME_BELOW(i, first, meet_at(program, edit, first, i));
    for (uint32_t i = 0; i < edit_places(edit); i++)
      for (uint32_t k = 0; k < edit_places(edit) && meet_at(program, edit, first, i); k++)
        if (i != k && meet_at(program, edit, i, k))
          pairs += before_it(program, edit, i) * behind_it(program, edit, k) - more * more;
    if (!pairs) return 0;
    if (!again) all += pairs;
  }
  return all;
}

/* True if a orders only pairs that b orders. */
static bool orders_no_more(const struct program *program, const struct edit *a, const struct edit *b) {
  if (a->other_count > b->other_count) return false;
  for (uint32_t i = 0; i < edit_places(a); i++)
    for (uint32_t k = 0; k < edit_places(a); k++) {
      uint32_t before = before_it(program, a, i), behind = behind_it(program, a, k);
      if (i == k || !before || !behind || !meet_at(program, a, i, k)) continue;
      if (before > before_it(program, b, i) || behind > behind_it(program, b, k)) return false;
    }
  return true;
}

enum { BARRIER_PLACES = 256 };

/* A new barrier, and its threads. */
struct common_barrier {
  enum barrier_kind kind;
  const char *added;
  uint32_t count;
  uint32_t *threads;
  struct gaps *gaps;
};

static struct edit_place pick_place(const struct common_barrier *m, uint32_t i, uint32_t pick) {
  uint32_t last = m->gaps[i].len - 1;
  return (struct edit_place){m->threads[i], m->gaps[i].data[pick < last ? pick : last]};
}

static void add_barrier(struct edit_finder *f, const struct common_barrier *m, const uint32_t *picks) {
  struct edit_place *others = ARENA_ARRAY(f->arena, struct edit_place, m->count), first = pick_place(m, 0, picks[0]);
  struct edit edit = {.kind = EDIT_ADD_BARRIER,
                      .thread = first.thread,
                      .instr = first.instr,
                      .others = others,
                      .other_count = m->count - 1,
                      .added = m->added,
                      .barrier = m->kind};
  for (uint32_t i = 1; i < m->count; i++) others[i - 1] = pick_place(m, i, picks[i]);
  uint32_t pairs = pairs_ordered(f->program, &edit);
  edit.cost = COST_BARRIER + (unsigned)m->kind + (pairs < 100 ? pairs : 100);
  if (pairs) edits_add(f, edit);
}

/* Tries all places or, if they are too many, only those with the same number of accesses before the barrier in each
 * thread. */
static void place_barrier(struct edit_finder *f, const struct common_barrier *m) {
  uint32_t *picks = ARENA_ARRAY(f->arena, uint32_t, m->count), most = 0;
  uint64_t ways = 1;
  for (uint32_t i = 0; i < m->count; i++) {
    uint32_t count = m->gaps[i].len;
    if (!count) return;
    if (ways <= BARRIER_PLACES) ways *= count;
    if (count > most) most = count;
  }
  if (ways > BARRIER_PLACES) {
    f->out->cut = true;
    for (uint32_t k = 0; k < most; k++) {
      for (uint32_t i = 0; i < m->count; i++) picks[i] = k;
      add_barrier(f, m, picks);
    }
    return;
  }
  for (uint64_t way = 0; way < ways; way++) {
    uint64_t rest = way;
    for (uint32_t i = 0; i < m->count; rest /= m->gaps[i].len, i++) picks[i] = (uint32_t)(rest % m->gaps[i].len);
    add_barrier(f, m, picks);
  }
}

enum { CTA_BARRIERS = 16 };

/* bar.sync with the lowest number that is unused in the threads' CTAs, all of whose threads must be in the barrier.
 * NULL: none.
 */
static const char *free_barrier(struct arena *arena, const struct program *program, const struct common_barrier *m) {
  uint32_t used = 0;
  for (uint32_t k = 0; k < m->count; k++)
    ARRAY_EACH (i, program->threads[m->threads[k]].instrs, program->threads[m->threads[k]].instr_count) {
      if (i->kind != INSTR_BARRIER || i->barrier->kind != BARRIER_CTA) continue;
      if (i->barrier->id.kind != OPERAND_IMM) return NULL;
      used |= 1u << i->barrier->id.imm;
    }
  for (uint32_t k = 0; k < CTA_BARRIERS; k++)
    if (!(used >> k & 1)) return arena_printf(arena, "bar.sync %u", k);
  return NULL;
}

/* True if a barrier of this kind suits these threads: no smaller group contains all of them. */
static bool worth_meeting(const struct program *program, const struct common_barrier *m) {
  bool warps = false, ctas = false;
  for (uint32_t i = 1; i < m->count; i++) {
    const struct thread *t = &program->threads[m->threads[i]], *first = &program->threads[m->threads[0]];
    warps = warps || t->warp_id != first->warp_id;
    ctas = ctas || t->cta_id != first->cta_id;
  }
  return m->count > 1 && (m->kind == BARRIER_WARP || (m->kind == BARRIER_CTA ? warps : ctas));
}

/* The threads of the thread's CTA, warp or cluster; none if the thread is not the first in it, or if it is alone. */
static struct common_barrier who_meets(struct edit_finder *f, uint32_t first, enum barrier_kind kind) {
  const struct program *program = f->program;
  struct common_barrier m = {.kind = kind, .threads = ARENA_ARRAY(f->arena, uint32_t, program->thread_count)};
  uint32_t lanes = 0;
  for (uint32_t t = 0; t < program->thread_count; t++) {
    if (owner_of(&program->threads[t], kind) != owner_of(&program->threads[first], kind)) continue;
    if (t < first) return (struct common_barrier){0};
    m.threads[m.count++] = t;
    lanes |= 1u << program->threads[t].lane;
  }
  m.added = kind == BARRIER_WARP ? arena_printf(f->arena, "bar.warp.sync 0x%x", lanes)
                                 : "barrier.cluster.arrive; barrier.cluster.wait";
  return worth_meeting(program, &m) ? m : (struct common_barrier){0};
}

static void meeting_sites(struct edit_finder *f, struct common_barrier m) {
  if (!m.count) return;
  if (m.kind == BARRIER_CTA) m.added = free_barrier(f->arena, f->program, &m);
  if (!m.added) return;
  m.gaps = ARENA_ARRAY(f->arena, struct gaps, m.count);
  for (uint32_t i = 0; i < m.count; i++) find_gaps(f, &f->program->threads[m.threads[i]], &m.gaps[i]);
  place_barrier(f, &m);
}

/* Adds a barrier in each of several CTAs, because a barrier in a single CTA may not help. */
static void meeting_in_each(struct edit_finder *f) {
  uint32_t room = f->program->thread_count, ctas = 0;
  struct common_barrier all = {.kind = BARRIER_CTA, .threads = ARENA_ARRAY(f->arena, uint32_t, room)};
  for (uint32_t t = 0; t < room; t++) {
    struct common_barrier m = who_meets(f, t, BARRIER_CTA);
    for (uint32_t i = 0; i < m.count; i++) all.threads[all.count++] = m.threads[i];
    ctas += m.count > 0;
  }
  if (ctas > 1) meeting_sites(f, all);
}

/* ---- Moves ---- */

static bool can_move(const struct instr *i) {
  bool barrier = i->kind == INSTR_BARRIER && i->barrier->action != BARRIER_RED && !i->guard.present;
  return barrier || is_some_fence(i);
}

static void move_sites(struct edit_finder *f, uint32_t t, uint32_t n) {
  const struct thread *thread = &f->program->threads[t];
  bool barrier = thread->instrs[n].kind == INSTR_BARRIER;
  if (!can_move(&thread->instrs[n])) return;
  struct edit edit = {.kind = EDIT_MOVE, .thread = t, .instr = n, .target = EDIT_AT_START, .cost = COST_MOVE};
  if (barrier && n > 0 && all_pass(thread, EDIT_AT_START)) edits_add(f, edit);
  for (uint32_t to = 0; to < thread->instr_count; to++) {
    edit.target = to;
    if (to == n || to + 1 == n || doubles(thread, to)) continue;
    if (barrier ? all_pass(thread, to) : is_gap(thread, to)) edits_add(f, edit);
  }
}

/* ---- Barriers to drop ---- */

static bool same_barrier(const struct instr *a, const struct instr *b) {
  if (b->kind != INSTR_BARRIER || a->barrier->kind != b->barrier->kind) return false;
  const struct operand *x = &a->barrier->id, *y = &b->barrier->id;
  return x->kind == y->kind && x->imm == y->imm;
}

/* Drops the barrier that begins at instruction n, together with the same barrier in other threads: the one with the
 * same index in its thread. Drops a cluster arrival with the wait after it. */
static void drop_barrier(struct edit_finder *f, uint32_t first, uint32_t n, struct site *site) {
  const struct program *program = f->program;
  const struct instr *i = &program->threads[first].instrs[n];
  VEC(struct edit_place) places = {0};
  uint32_t rank = 0;
  if (i->kind != INSTR_BARRIER || (i->barrier->id.kind == OPERAND_REG) || i->barrier->action == BARRIER_WAIT) return;
  for (uint32_t k = 0; k < n; k++)
    rank += same_barrier(i, &program->threads[first].instrs[k]) &&
            program->threads[first].instrs[k].barrier->action != BARRIER_WAIT;
  for (uint32_t t = 0; t < program->thread_count; t++) {
    const struct thread *thread = &program->threads[t];
    uint32_t arrivals = 0;
    if (owner_of(thread, i->barrier->kind) != owner_of(&program->threads[first], i->barrier->kind)) continue;
    for (uint32_t k = 0; k < thread->instr_count; k++) {
      const struct instr *other = &thread->instrs[k];
      if (!same_barrier(i, other)) continue;
      if (other->barrier->action == BARRIER_RED) return;
      arrivals += other->barrier->action != BARRIER_WAIT;
      if (arrivals == rank + 1 && t < first) return; /* listed for that thread */
      if (arrivals == rank + 1) VEC_PUSH(f->arena, &places, ((struct edit_place){t, k}));
    }
  }
  sites_add_variant(f->arena, site, (struct edit){.kind = EDIT_DROP_BARRIER,
                                  .thread = first,
                                  .instr = n,
                                  .others = places.data + 1,
                                  .other_count = places.len - 1});
}

/* ---- All of them ---- */

void edits_stronger(struct arena *arena, const struct litmus_test *test, const struct program *program,
                    struct sites *out) {
  struct edit_finder f = {arena, test, program, out};
  *out = (struct sites){0};
  edits_wider(&f); /* first, so that other additions go after both parts */
  edits_counts(&f);
  EDITS_EACH (t, n, program) {
    const struct instr *i = &program->threads[t].instrs[n];
    struct site strength = {0};
    if (is_access(i) || i->kind == INSTR_FENCE || is_signal(i)) vary_strength(&f, t, n, true, &strength);
    vary_barrier(&f, t, n, true, &strength);
    vary_proxy(&f, t, n, &strength);
    sites_add(&f, &strength);
    move_sites(&f, t, n);
    gap_sites(&f, t, n);
    bool gap = is_gap(&program->threads[t], n) && !doubles(&program->threads[t], n);
    edits_async(&f, t, n, gap);
  }
  static const enum barrier_kind kinds[] = {BARRIER_WARP, BARRIER_CTA, BARRIER_CLUSTER};
  bool columns = !program->cuda && !program->threads[0].of_kernel; /* a kernel's are of its module (statements.c) */
  for (size_t k = 0; k < ARRAY_LEN(kinds) && columns; k++) {       /* none are offered in CUDA C++ */
    uint32_t begin = out->list.len;
    for (uint32_t t = 0; t < program->thread_count; t++) meeting_sites(&f, who_meets(&f, t, kinds[k]));
    if (kinds[k] == BARRIER_CTA) meeting_in_each(&f);
    for (uint32_t i = begin; i < out->list.len; i++) /* smaller changes first */
      for (uint32_t at = i; at > begin; at--) {
        struct site *site = &out->list.data[at], moved = *site;
        if (site[-1].data[0].cost <= site->data[0].cost) break;
        site[0] = site[-1];
        site[-1] = moved;
      }
  }
}

void edits_weaker(struct arena *arena, const struct litmus_test *test, const struct program *program,
                  struct sites *out) {
  struct edit_finder f = {arena, test, program, out};
  *out = (struct sites){0};
  EDITS_EACH (t, n, program) {
    const struct instr *i = &program->threads[t].instrs[n];
    struct site site = {0}, barrier = {0};
    if (is_access(i) || i->kind == INSTR_FENCE || is_signal(i)) vary_strength(&f, t, n, false, &site);
    if (is_some_fence(i)) sites_add_variant(arena, &site, (struct edit){.kind = EDIT_DROP, .thread = t, .instr = n});
    drop_barrier(&f, t, n, &barrier);
    vary_barrier(&f, t, n, false, &site);
    sites_add(&f, &barrier);
    sites_add(&f, &site);
  }
}

/* ---- Edits together ---- */

/* True if the edit changes, moves or drops the instruction. */
static bool touches(const struct edit *edit, struct edit_place place) {
  return SOME_BELOW(i, edit_places(edit),
                    edit_place(edit, i).thread == place.thread && edit_place(edit, i).instr == place.instr);
}

static bool shares_thread(const struct edit *a, const struct edit *b) {
  for (uint32_t i = 0; i < edit_places(a); i++)
    for (uint32_t k = 0; k < edit_places(b); k++)
      if (edit_place(a, i).thread == edit_place(b, k).thread) return true;
  return false;
}

bool edits_add_same(const struct edit *a, const struct edit *b) {
  if (!a->added || !b->added) return a->added == b->added;
  size_t length = strcspn(a->added, " ");
  return (a->sem && b->sem) || (length == strcspn(b->added, " ") && strncmp(a->added, b->added, length) == 0);
}

bool edits_clash(const struct edit *a, const struct edit *b) {
  if (a->kind == EDIT_ADD && b->kind == EDIT_ADD && a->thread == b->thread && a->instr == b->instr)
    return edits_add_same(a, b);
  if (a->kind == EDIT_ADD_BARRIER && b->kind == EDIT_ADD_BARRIER) /* both would get the same barrier number */
    return a->barrier == b->barrier && shares_thread(a, b);
  if (a->added || b->added) return false;
  return SOME_BELOW(i, edit_places(a), touches(b, edit_place(a, i)));
}

bool edits_no_stronger(const struct program *program, const struct edit *a, const struct edit *b) {
  if (a->kind == EDIT_ADD_BARRIER) return orders_no_more(program, a, b);
  return at_most(a->sem, b->sem) && a->scope <= b->scope;
}

uint32_t edits_weight(const struct edit *edit) {
  return edit->kind == EDIT_ADD_BARRIER || edit->kind == EDIT_WIDEN ? edit_places(edit) : 1;
}
