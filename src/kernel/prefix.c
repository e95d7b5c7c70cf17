/* Cuts threads where a part of a launch ends that is asked about when all of it has no answer: it ends at the first
 * conflict, so that what comes later makes no event and its values are not needed.
 *
 * What is left does in each execution what it does in the beginning of one of the launch, since nothing that is cut has
 * to come before something that is left:
 *  - program order: a thread is cut from some place on, on each path;
 *  - barriers (9.7.15.1): every thread of a CTA is cut behind its n-th use of barrier 0, which all of them pass. What
 *    is left needs no thread to come to another barrier, or to an instruction of a warp, behind it;
 *  - memory: a value that is read comes from a write that is left.
 * What is cut may all come later: base causality, which decides races (8.7.1, 8.9.5), leads from it to nothing that is
 * left. So a race of what is left is one of the launch; but not all are found, and a hang or what nobody waits for is
 * no finding, as what is cut might help (search/check.c). */
#include "kernel/conflicts.h"

struct prefix {
  uint32_t barriers;            /* each thread is cut behind so many */
  const struct access *ends[2]; /* two threads go on to these, if no other one has to come along; */
  bool warps;                   /* or their warps go on behind these barriers */
};

/* ---- the first conflict */

/* The barriers that both threads pass before the conflict. */
static uint32_t barriers_before(const struct conflicts *c, const struct conflict *pair) {
  const uint32_t a = c->sites.data[pair->at_a].passed.known[0], b = c->sites.data[pair->at_b].passed.known[0];
  return a > b ? a : b;
}

/* The order in which pairs are preferred: those of which both accesses surely meet and no atomics can make an order;
 * with few barriers before them; of two warps, as most are if a barrier is missing; early in their threads. */
static uint64_t rank_of(const struct conflicts *c, const struct conflict *pair) {
  const struct access_site *x = &c->sites.data[pair->at_a], *y = &c->sites.data[pair->at_b];
  const bool happens = x->surely && y->surely && !x->open && !y->open;
  const bool sure = happens && !(x->strong && y->strong) && pair->relation <= RELATION_CTA;
  const uint64_t barriers = barriers_before(c, pair), number = x->number > y->number ? x->number : y->number;
  return (uint64_t)!sure << 63 | barriers << 33 | (uint64_t)(pair->relation == RELATION_WARP) << 32 | number;
}

/* False: there is none. */
static bool first_conflict(const struct conflicts *c, struct conflict *out) {
  const struct access *write = c->unfenced.write, *read = c->unfenced.read;
  const struct conflict *first = NULL;
  VEC_EACH (pair, &c->pairs)
    if (pair->relation != RELATION_SELF && (!first || rank_of(c, pair) < rank_of(c, first))) first = pair;
  if (first) *out = *first;
  else if (read)
    *out = (struct conflict){.a = write->runner, .b = read->runner, .at_a = write->site, .at_b = read->site};
  return first || read;
}

/* The first accesses of a pair that meet, of those that are behind so many barriers. */
static void find_ends(const struct conflicts *c, const struct conflict *pair, struct prefix *p) {
  VEC(const struct access *) of[2] = {0};
  const uint32_t runners[2] = {pair->a, pair->b}, sites[2] = {pair->at_a, pair->at_b};
  VEC_EACH (a, &c->accesses)
    for (uint32_t i = 0; i < 2; i++)
      if (a->runner == runners[i] && a->site == sites[i]) VEC_PUSH(c->launch->memory.arena, &of[i], a);
  for (uint32_t sum = 0; sum < of[0].len + of[1].len; sum++)
    for (uint32_t i = 0; i <= sum && i < of[0].len; i++) {
      if (sum - i >= of[1].len) continue;
      const struct access *a = of[0].data[i], *b = of[1].data[sum - i];
      if (a->base != b->base || !conflict_may_meet(a, b)) continue;
      if (c->sites.data[a->site].passed.known[0] >= p->barriers) p->ends[0] = a;
      if (c->sites.data[b->site].passed.known[0] >= p->barriers) p->ends[1] = b;
      return;
    }
}

/* ---- a thread */

/* True if no other thread has to come to the instruction. */
static bool goes_alone(const struct instr *in) {
  if (in->aligned || run_meeting(in) != MEETING_NONE) return false;
  if (in->kind == INSTR_ASYNC) return in->async->action == ASYNC_COPY && in->async->list == GROUP_COPY;
  if (in->kind == INSTR_GROUP) return in->group->list == GROUP_COPY;
  return instr_only_computes(in) || instr_is_access(in) || in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE ||
         in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT || in->kind == INSTR_NOTHING;
}

/* True if no thread of another warp has to come to the instruction. */
static bool goes_with_warp(const struct instr *in) {
  if (in->kind == INSTR_BARRIER) return in->barrier->kind == BARRIER_WARP || in->barrier->kind == BARRIER_LANES;
  return goes_alone(in) || instr_only_computes(in) || run_meeting(in) != MEETING_NONE;
}

/* True if the thread goes on behind the last barrier. */
static bool goes_on(const struct prefix *p, const struct launching *l, const struct runner *r) {
  return SOME_BELOW(i, 2,
                    p->ends[i] && (p->ends[i]->runner == r->number ||
                                   (p->warps && run_same_warp(l->runners.data[p->ends[i]->runner], r))));
}

static bool comes_to_end(const struct prefix *p, const struct runner *r, const struct remnant *remnant,
                         uint32_t *reached) {
  bool comes = false;
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t i = 0; i < 2; i++)
      if (p->ends[i] && p->ends[i]->touch == touch) comes = true, *reached |= 1u << i;
  return comes;
}

static void cut_block(struct runner *r, struct block *b, uint32_t end) {
  for (uint32_t k = end; k < b->code.len; k++)
    EACH_TOUCH (touch, r, &b->code.data[k]) *touch = (struct touch){.region = touch->region, .pointer = true};
  b->code.len = end;
  b->guard = false;
  b->next[0] = b->next[1] = NO_BLOCK;
}

/* Cuts a thread, or only looks if it can be: where it is left, the number of barriers is known. *reached: the ends that
 * it comes to. */
static bool cut_thread(const struct prefix *p, struct runner *r, bool cuts, uint32_t *reached) {
  const bool further = goes_on(p, r->run->launch, r);
  struct order_walk w;
  order_begin(r->run->memory->arena, r, &w);
  for (uint32_t i = 0; i < w.order.blocks.len; i++) {
    struct block *b = &r->blocks.data[w.order.blocks.data[i]];
    uint32_t k = 0;
    bool ends = false;
    for (w.now = w.entry[i]; !ends; k++) {
      const uint32_t passed = w.now.known[0];
      const bool behind = passed >= p->barriers;
      const struct remnant *next = k < b->code.len ? &b->code.data[k] : NULL;
      const struct instr *in = next ? remnant_source(r, next) : NULL;
      if (!behind && w.now.most[0] != passed) return false;
      ends = behind && (!further || passed > p->barriers || (!p->warps && in && !goes_alone(in)));
      if (ends || !next) break;
      ends = behind && comes_to_end(p, r, next, reached) && !p->warps;
      order_next(&w, b, k);
      if (behind && in && !goes_with_warp(in) && w.now.known[0] == passed) return false;
    }
    if (ends && cuts) cut_block(r, b, k);
  }
  if (!cuts) return true;
  columns_order(r, &w.order);
  for (uint32_t i = 0; i < r->blocks.len; i++)
    if (w.order.place[i] == NO_BLOCK) cut_block(r, &r->blocks.data[i], 0);
  return true;
}

/* ---- a launch */

static bool cut_all(const struct prefix *p, const struct launching *l, bool cuts) {
  uint32_t reached = 0;
  EACH_RUNNER (r, l)
    if (!cut_thread(p, r, cuts, &reached)) return false;
  return EVERY_BELOW(i, 2, !p->ends[i] || reached >> i & 1);
}

/* True of one grid whose threads meet at barriers of their CTAs only. */
static bool may_be_cut(const struct launching *l) {
  const struct litmus_kernel *kernel = l->runs.data[0]->kernel;
  return l->runs.len == 1 && kernel->grouped && !kernel->host && !kernel->cluster.x && !l->x->parse.test->condition;
}

bool prefix_cut(struct launching *l) {
  struct litmus_test *test = l->x->parse.test;
  if (!may_be_cut(l)) return false;
  groups_find(l);
  const struct conflicts *c = conflicts_compare(l);
  struct conflict first;
  if (!first_conflict(c, &first)) return false;
  struct prefix p = {.barriers = barriers_before(c, &first)};
  find_ends(c, &first, &p);
  p.warps = !cut_all(&p, l, false);
  if (p.warps && !cut_all(&p, l, false)) p = (struct prefix){.barriers = p.barriers + 1}; /* or all go on to the next */
  if ((p.barriers && !order_takes_all(c->ordering, l->runs.data[0])) || !cut_all(&p, l, false)) return false;
  cut_all(&p, l, true);
  test->prefix = true;
  test->lacks = reason_get(REASON_THREADS_BEHIND), test->lacks_place = test->kernels->span;
  return true;
}
