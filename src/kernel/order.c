/* Counts the barriers that each thread passes before and after its accesses, on every way through its blocks. */
#include "kernel/order.h"

enum { MANY = UINT16_MAX, NO_BARRIER = UINT32_MAX };

/* A use of a barrier. */
struct barrier_use {
  uint32_t resource; /* NO_BARRIER: none */
  bool arrives, waits, guarded;
  uint32_t count; /* 0: all threads of the CTA */
};

/* The use of each barrier by the threads of a CTA. */
struct users {
  uint32_t threads[CTA_BARRIERS], warps[CTA_BARRIERS], last_warp[CTA_BARRIERS];
  uint32_t counts[CTA_BARRIERS]; /* of those with a count */
  uint32_t all, counted, mixed;
  bool unknown, relaxed; /* a number is unknown; an arrival at the barrier of the cluster orders nothing (G8) */
};

struct ordering {
  struct launching *launch;
  struct users *users; /* by CTA */
  uint32_t *resources; /* by CTA: those that give an order */
  uint32_t *masks;     /* by thread: the mask of all its barriers of the warp; 0: none, several, or unknown */
};

/* ---- uses */

/* False: the number of the barrier, or its count, is unknown. */
static bool use_of(const struct runner *r, const struct remnant *remnant, struct barrier_use *out) {
  const struct instr *in = remnant_source(r, remnant);
  *out = (struct barrier_use){.resource = NO_BARRIER};
  if (!in || in->kind != INSTR_BARRIER || !remnant->instr) return true;
  enum barrier_kind kind = in->barrier->kind;
  if (kind != BARRIER_CTA && kind != BARRIER_WARP && kind != BARRIER_CLUSTER) return true;
  struct litmus_operand *of[2];
  uint32_t id = 0;
  out->guarded = remnant->instr->guard != NULL;
  out->arrives = in->barrier->action != BARRIER_WAIT;
  out->waits = in->barrier->action != BARRIER_ARRIVE;
  counted_operands(remnant, &of[0], &of[1]);
  bool known = kind == BARRIER_CLUSTER || remnant_number(r, remnant, of[0], &id);
  if (kind == BARRIER_CTA && in->barrier->count.kind != OPERAND_NONE)
    known = remnant_number(r, remnant, of[1], &out->count) && known;
  out->resource = kind == BARRIER_WARP ? ORDER_WARP : kind == BARRIER_CLUSTER ? ORDER_CLUSTER : id;
  if (kind == BARRIER_WARP) out->count = id;
  return known && (kind != BARRIER_CTA || id < CTA_BARRIERS);
}

static void note_user(struct users *u, const struct runner *r, uint32_t ids) {
  for (uint32_t id = 0; id < CTA_BARRIERS; id++) {
    if (!(ids >> id & 1)) continue;
    if (!u->threads[id] || u->last_warp[id] != r->tid / WARP_LANES) u->warps[id]++;
    u->last_warp[id] = r->tid / WARP_LANES;
    u->threads[id]++;
  }
}

static void note_uses(struct ordering *o, struct runner *r) {
  struct users *u = &o->users[r->cta];
  uint32_t ids = 0, masks = 0;
  EACH_REMNANT (remnant, r) {
    struct barrier_use use;
    bool known = use_of(r, remnant, &use);
    const struct instr *in = remnant_source(r, remnant);
    if (use.resource == ORDER_CLUSTER && in->barrier->relaxed) u->relaxed = true;
    if (use.resource == ORDER_WARP) {
      if (masks++ == 0 && known) o->masks[r->number] = (uint32_t)use.count;
      else if (!known || o->masks[r->number] != (uint32_t)use.count) o->masks[r->number] = 0, masks = 2;
    }
    if (!known && use.resource != ORDER_WARP) u->unknown = true;
    if (!known || use.resource >= CTA_BARRIERS) continue;
    uint32_t bit = 1u << use.resource;
    ids |= bit;
    if (!use.count) u->all |= bit;
    else if (u->counted & bit && u->counts[use.resource] != use.count) u->mixed |= bit;
    else u->counts[use.resource] = use.count, u->counted |= bit;
  }
  note_user(u, r, ids);
}

/* The lanes of the warps of a CTA that use a barrier, or all others: their number if each warp comes whole. */
static bool comes_whole(const struct launching *l, const struct users *u, uint32_t cta, uint32_t id) {
  uint32_t block = litmus_volume(l->ctas.data[cta].run->kernel->block), lanes = u->warps[id] * WARP_LANES;
  if (u->last_warp[id] == block / WARP_LANES) lanes -= WARP_LANES - block % WARP_LANES;
  return lanes == u->threads[id] && u->counts[id] == (value_t)u->warps[id] * WARP_LANES;
}

/* Barriers whose every phase takes all of their users: those without a count, and those with the same count everywhere,
 * which is the number of all users. */
static uint32_t resources_of(const struct launching *l, const struct users *u, uint32_t cta) {
  uint32_t out = 1u << ORDER_WARP;
  if (!u->relaxed) out |= 1u << ORDER_CLUSTER;
  for (uint32_t id = 0; id < CTA_BARRIERS && !u->unknown; id++) {
    uint32_t bit = 1u << id;
    bool one = (u->all & bit) != 0, other = (u->counted & bit) != 0;
    if (one != other && !(u->mixed & bit) && (one || comes_whole(l, u, cta, id))) out |= bit;
  }
  return out;
}

struct ordering *order_find(struct launching *l) {
  struct arena *arena = l->memory.arena;
  struct ordering *o = ARENA_NEW(arena, struct ordering);
  o->launch = l;
  o->users = ARENA_ARRAY(arena, struct users, l->ctas.len);
  o->resources = ARENA_ARRAY(arena, uint32_t, l->ctas.len);
  o->masks = ARENA_ARRAY(arena, uint32_t, l->runners.len);
  EACH_RUNNER (r, l) note_uses(o, r);
  for (uint32_t i = 0; i < l->ctas.len; i++) o->resources[i] = resources_of(l, &o->users[i], i);
  return o;
}

/* ---- places */

static void add_use(struct passed *p, const struct barrier_use *use) {
  uint32_t k = use->resource;
  if (k == NO_BARRIER) return;
  uint64_t next = counts_next(p->counts[k]);
  p->counts[k] = !use->arrives || !use->waits ? COUNTS_ANY : use->guarded ? p->counts[k] | next : next;
  bool counts =
      use->arrives || k < ORDER_CLUSTER; /* a wait at a barrier of the cluster or grid is of the last arrival */
  if (counts && p->most[k] < MANY) p->most[k]++;
  if (counts && p->first[k] < MANY) p->first[k]++;
  if (use->guarded) return;
  if (counts && p->least[k] < MANY) p->least[k]++;
  if (use->waits) p->known[k] = p->least[k];
}

/* The use of the barrier of the grid, which begins and ends at barriers of the CTA. */
static bool grid_use(const struct runner *r, const struct remnant *remnant, struct barrier_use *out) {
  const uint8_t use = r->run->grid_uses ? r->run->grid_uses[remnant->end] : 0;
  *out = (struct barrier_use){ORDER_GRID, .arrives = use & GRID_ARRIVES, .waits = use & GRID_WAITS};
  return use && remnant->begin != remnant->end;
}

void order_next(struct order_walk *w, const struct block *block, uint32_t index) {
  struct barrier_use use;
  if (use_of(w->runner, &block->code.data[index], &use)) add_use(&w->now, &use);
  if (grid_use(w->runner, &block->code.data[index], &use)) add_use(&w->now, &use);
}

static bool join_places(struct passed *to, const struct passed *from, bool first, bool back) {
  struct passed before = *to;
  if (first) *to = *from;
  for (uint32_t k = 0; k < ORDERS && !first; k++) {
    if (from->most[k] > to->most[k]) to->most[k] = back ? (uint16_t)MANY : from->most[k];
    if (!back && from->first[k] > to->first[k]) to->first[k] = from->first[k];
    if (from->least[k] < to->least[k]) to->least[k] = from->least[k];
    if (from->known[k] < to->known[k]) to->known[k] = from->known[k];
    if (from->counts[k] & ~to->counts[k])
      to->counts[k] = back ? counts_repeated(to->counts[k] | from->counts[k]) : to->counts[k] | from->counts[k];
  }
  return memcmp(&before, to, sizeof before) != 0;
}

/* The arrivals of a block from each remnant on, and those after it. */
static uint32_t find_suffix(struct order_walk *w, const struct block *block, uint32_t after, uint32_t *suffix) {
  for (uint32_t i = block->code.len; i-- > 0;) {
    struct barrier_use use;
    bool known = use_of(w->runner, &block->code.data[i], &use);
    if (known && use.resource != NO_BARRIER && use.arrives && !use.guarded) after |= 1u << use.resource;
    if (grid_use(w->runner, &block->code.data[i], &use) && use.arrives) after |= 1u << ORDER_GRID;
    if (suffix) suffix[i] = after;
  }
  return after;
}

static const struct block *block_at(const struct order_walk *w, uint32_t place) {
  return &w->runner->blocks.data[w->order.blocks.data[place]];
}

/* The barriers that a loop passes. */
static uint32_t passed_since(const struct order_walk *w, uint32_t head) {
  uint32_t out = 0;
  for (uint32_t k = 0; k < ORDERS; k++)
    if (w->now.first[k] != w->entry[head].first[k]) out |= 1u << k;
  return out;
}

/* The places at the starts of blocks: what all ways there have in common. */
static void find_entries(struct arena *arena, struct order_walk *w) {
  bool *seen = ARENA_ARRAY(arena, bool, w->order.blocks.len);
  seen[0] = true;
  for (uint32_t k = 0; k < ORDERS; k++) w->entry[0].counts[k] = COUNTS_NONE;
  for (bool again = true; again;) {
    uint32_t looped = 0; /* after a loop, any number of its barriers has been passed */
    again = false;
    for (uint32_t i = 0; i < w->order.blocks.len; i++) {
      const struct block *b = block_at(w, i);
      for (uint32_t k = 0; k < ORDERS; k++)
        if (looped >> k & 1) w->entry[i].first[k] = MANY;
      w->now = w->entry[i];
      for (uint32_t k = 0; k < b->code.len; k++) order_next(w, b, k);
      for (uint32_t k = 0; k < 2; k++) {
        uint32_t to = b->next[k] == NO_BLOCK ? (uint32_t)NO_BLOCK : w->order.place[b->next[k]];
        if (to == NO_BLOCK) continue;
        bool back = to <= i;
        w->loops = w->loops || back;
        if (back) looped |= passed_since(w, to);
        if (join_places(&w->entry[to], &w->now, !seen[to], seen[to] && back) && back) again = true;
        seen[to] = true;
      }
    }
  }
}

/* The arrivals on all ways from the end of each block to the end of the thread. */
static void find_leaves(struct order_walk *w) {
  for (uint32_t i = 0; i < w->order.blocks.len; i++) w->leaves[i] = UINT32_MAX;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = w->order.blocks.len; i-- > 0;) {
      const struct block *b = block_at(w, i);
      uint32_t after = UINT32_MAX;
      for (uint32_t k = 0; k < (b->guard ? 2 : 1); k++) {
        uint32_t to = b->next[k] == NO_BLOCK ? (uint32_t)NO_BLOCK : w->order.place[b->next[k]];
        after &= to == NO_BLOCK ? 0 : find_suffix(w, block_at(w, to), w->leaves[to], NULL);
      }
      again = again || after != w->leaves[i];
      w->leaves[i] = after;
    }
  }
}

/* A block is on every way if no way passes it by: the number of open branches before it that have not come together. */
static void find_always(struct order_walk *w) {
  uint32_t far = 0; /* the farthest place to which some branch before leads */
  for (uint32_t i = 0; i < w->order.blocks.len; i++) {
    const struct block *b = block_at(w, i);
    w->entry[i].always = far <= i;
    for (uint32_t k = 0; k < (b->guard ? 2 : 1); k++) {
      uint32_t to = b->next[k] == NO_BLOCK ? w->order.blocks.len : w->order.place[b->next[k]];
      if (to > far) far = to;
    }
  }
}

void order_begin(struct arena *arena, struct runner *r, struct order_walk *out) {
  *out = (struct order_walk){.runner = r};
  columns_order(r, &out->order);
  out->entry = ARENA_ARRAY(arena, struct passed, out->order.blocks.len);
  out->leaves = ARENA_ARRAY(arena, uint32_t, out->order.blocks.len);
  find_entries(arena, out);
  find_leaves(out);
  find_always(out);
}

void order_enter(struct arena *arena, struct order_walk *w, uint32_t block) {
  const struct block *b = block_at(w, block);
  w->now = w->entry[block];
  w->suffix = ARENA_ARRAY(arena, uint32_t, b->code.len + 1);
  w->suffix[b->code.len] = w->leaves[block];
  find_suffix(w, b, w->leaves[block], w->suffix);
}

/* ---- order */

static bool is_before(const struct passed *a, const uint16_t *most, const struct passed *b, uint32_t resources) {
  return SOME_BELOW(k, ORDERS, resources >> k & 1 && a->after >> k & 1 && most[k] != MANY && most[k] < b->known[k]);
}

/* After its place, each of the threads arrives at a phase that the other one has not waited for there, or has. */
static bool is_apart(const struct passed *a, const struct passed *b, uint32_t resources) {
  return SOME_BELOW(k, ORDERS, resources & a->after & b->after & 1u << k && !(a->counts[k] & b->counts[k]));
}

/* The barriers that order all pairs of threads of one CTA of the run. */
static uint32_t resources_in_ctas(const struct ordering *o, const struct kernel_run *run) {
  uint32_t resources = ~(1u << ORDER_GRID | 1u << ORDER_CLUSTER | 1u << ORDER_WARP);
  for (uint32_t i = 0; i < run->cta_count; i++) resources &= o->resources[run->first_cta + i];
  return resources;
}

bool order_before_in_ctas(const struct ordering *o, const struct kernel_run *run, const struct passed *at_a,
                          const struct passed *at_b) {
  return is_before(at_a, at_a->most, at_b, resources_in_ctas(o, run));
}

bool order_apart_in_ctas(const struct ordering *o, const struct kernel_run *run, const struct passed *at_a,
                         const struct passed *at_b) {
  return is_apart(at_a, at_b, resources_in_ctas(o, run));
}

uint32_t order_epoch(const struct ordering *o, const struct kernel_run *run, const struct passed *at) {
  const bool exact = at->most[0] == at->known[0] && at->after & resources_in_ctas(o, run) & 1;
  return exact ? at->known[0] + 1u : 0;
}

bool order_takes_all(const struct ordering *o, const struct kernel_run *run) {
  const struct users *users = &o->users[run->first_cta];
  return EVERY_BELOW(i, run->cta_count, !users[i].unknown && !(users[i].counted & 1));
}

/* The barriers that order these two threads. */
static uint32_t resources_between(const struct ordering *o, const struct runner *a, const struct runner *b) {
  const uint32_t grid = a->run == b->run && a->run->grid_uses ? 1u << ORDER_GRID : 0;
  if (a->run != b->run || a->cluster_first != b->cluster_first) return grid;
  uint32_t cluster = 1u << ORDER_CLUSTER, warp = 1u << ORDER_WARP;
  uint32_t resources =
      o->resources[a->cta] & o->resources[b->cta] & (a->run->kernel->cluster.x ? UINT32_MAX : ~cluster);
  uint32_t mask = o->masks[a->number], lanes = 1u << a->tid % WARP_LANES | 1u << b->tid % WARP_LANES;
  if (a->cta != b->cta) resources &= cluster;
  bool near = run_same_warp(a, b) && mask == o->masks[b->number] && (mask & lanes) == lanes;
  return grid | (near ? resources : resources & ~warp);
}

bool order_before(const struct ordering *o, const struct runner *a, const struct passed *at_a, const struct runner *b,
                  const struct passed *at_b) {
  return is_before(at_a, at_a->most, at_b, resources_between(o, a, b));
}

bool order_first_before(const struct ordering *o, const struct runner *a, const struct passed *at_a,
                        const struct runner *b, const struct passed *at_b) {
  return is_before(at_a, at_a->first, at_b, resources_between(o, a, b));
}

bool order_apart(const struct ordering *o, const struct runner *a, const struct passed *at_a, const struct runner *b,
                 const struct passed *at_b) {
  return is_apart(at_a, at_b, resources_between(o, a, b));
}
