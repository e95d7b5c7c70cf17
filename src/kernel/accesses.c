/* The index of the accesses of all threads by byte: kernel/conflicts.h. */
#include "kernel/conflicts.h"

#include "ptx/isa.h"

/* The begins and ends of cp.async operations and products of threads of a kind. */
struct copies {
  uint64_t group;
  bool straight;                  /* the thread has one path */
  uint32_t *over;                 /* straight: by place of one: that at which the thread waits for it; 0: nowhere */
  VEC(struct passed) passed;      /* by the number of a wait for one */
  uint32_t *wait;                 /* straight: by place of one: its number and 1 */
  VEC(struct proxy_fence) enters; /* straight: the fences at which products begin (A6) */
  VEC(struct proxy_fence) fences; /* straight: those between the proxies */
};

struct kinds {
  VEC(struct copies *) list;
  struct hash_index index; /* by kind */
};

struct lister {
  struct conflicts *c;
  const struct copies *copies;
  uint32_t place;
  struct order_walk walk;
  struct runner *runner;
  uint64_t group;
  uint32_t part, number; /* as in struct access and struct access_site */
  bool products;         /* a product came last */
  bool known;            /* a member of the group came before: all sites exist */
};

static struct arena *arena_of(const struct conflicts *c) { return c->launch->memory.arena; }

/* True if the instructions before and after it in a thread count as adjacent. */
static bool passes(const struct instr *in) {
  bool pure = instr_only_computes(in);
  return pure || in->kind == INSTR_LOAD || in->kind == INSTR_STORE || in->tiled == TILED_ROWS;
}

/* True if the accesses on both sides of it are ordered alike: it neither releases nor acquires, and happens. */
static bool orders_nothing(const struct instr *in, const struct remnant *remnant) {
  if (remnant->instr && remnant->instr->guard) return false;
  if (instr_is_access(in)) return in->sem == SEM_WEAK || in->sem == SEM_RELAXED;
  return passes(in);
}

/* cp.async with known sizes. */
static bool is_copy(const struct instr *in) {
  return in->kind == INSTR_ASYNC && in->async->action == ASYNC_COPY && in->async->list == GROUP_COPY;
}

static enum group_list list_of(const struct instr *in) {
  return is_copy(in) ? GROUP_COPY : tiled_multiplies(in) ? GROUP_MMA : GROUP_NONE;
}

/* True if a block leads to the next one in order and is its only predecessor, as for iterations of an unrolled loop. */
static bool leads_on(const struct runner *r, const struct block_order *order, uint32_t i) {
  if (i + 1 == order->blocks.len) return false;
  const struct block *b = &r->blocks.data[order->blocks.data[i]];
  return !b->guard && b->next[0] == order->blocks.data[i + 1] && r->blocks.data[b->next[0]].entries == 1;
}

/* ---- sites */

static bool is_at_once(const struct instr *in) {
  if (in->kind == INSTR_MBARRIER || in->tiled == TILED_ROWS) return true;
  return instr_is_access(in) && in->proxy == PROXY_GENERIC && !maps_replaces(in) && !maps_copies(in);
}

static uint64_t kind_of(const struct instr *in, const struct touch *touch) {
  uint64_t kind = hash_mix(in->kind, (uint64_t)touch->writes << 2 | (uint64_t)touch->mbarrier << 1 | touch->open);
  if (!instr_is_access(in)) return hash_mix(kind, in->tiled);
  uint64_t strength = (uint64_t)in->sem << 8 | (uint64_t)in->scope << 4 | in->proxy;
  return hash_mix(hash_mix(kind, strength), (uint64_t)in->elements << 2 | (uint64_t)in->is_volatile << 1 | in->is_mmio);
}

/* Products of a thread begin at the last fence before the issue. */
static void set_product(const struct lister *g, struct access_site *site) {
  const struct proxy_fence *enter = NULL;
  VEC_EACH (fence, &g->copies->enters)
    if (fence->place < g->place) enter = fence;
  site->product = true;
  memset(site->passed.known, 0, sizeof site->passed.known);
  if (!enter) return;
  memcpy(site->passed.known, enter->passed.known, sizeof enter->passed.known);
  VEC_EACH (fence, &g->copies->fences)
    if (fence->place <= enter->place) site->before = fence;
}

static bool leads_to(const struct lister *g, uint32_t from, uint32_t to) {
  const struct runner *r = g->runner;
  const struct arena_mark mark = arena_mark(arena_of(g->c));
  bool *seen = ARENA_ARRAY(arena_of(g->c), bool, r->blocks.len);
  VEC(uint32_t) list = {0};
  if (from != NO_BLOCK) VEC_PUSH(arena_of(g->c), &list, from);
  for (uint32_t i = 0; i < list.len; i++)
    for (uint32_t k = 0; k < 2; k++) {
      const uint32_t next = r->blocks.data[list.data[i]].next[k];
      if (next == NO_BLOCK || seen[next]) continue;
      seen[next] = true;
      VEC_PUSH(arena_of(g->c), &list, next);
    }
  const bool leads = from == to || seen[to];
  arena_rewind(arena_of(g->c), mark);
  return leads;
}

static void set_chosen(const struct lister *g, uint32_t block, struct access_site *site) {
  const struct block *blocks = g->runner->blocks.data, *b;
  struct order_walk w = g->walk;
  uint32_t branch = blocks[block].parent;
  for (; branch != NO_BLOCK && blocks[block].entries == 1 && !blocks[branch].guard; branch = blocks[block].parent)
    block = branch;
  if (branch == NO_BLOCK || blocks[block].entries != 1 || !blocks[branch].settled) return;
  if (w.order.place[branch] == NO_BLOCK) return;
  b = &blocks[branch];
  const uint32_t taken = b->ways[1] == block;
  if (b->ways[taken] != block || leads_to(g, b->next[1 - taken], branch)) return;
  w.now = w.entry[w.order.place[branch]];
  for (uint32_t k = 0; k < b->code.len; k++) order_next(&w, b, k);
  site->chosen.always = w.now.always;
  site->chosen.way = hash_mix(hash_mix(b->settled, b->split), taken) | 1;
  for (uint32_t k = 0; k < CTA_BARRIERS; k++) {
    if (w.now.first[k] != w.now.least[k]) site->chosen.way = 0;
    if (site->chosen.way) site->chosen.way = hash_mix(site->chosen.way, w.now.first[k]) | 1;
  }
}

static struct access_site new_site(const struct lister *g, const struct remnant *remnant, uint32_t block,
                                   const struct touch *touch, const struct passed *passed) {
  const struct instr *in = &g->runner->run->body.thread->instrs[remnant->end - 1];
  struct access_site site = {.group = g->group, .number = g->number, .in = in, .passed = *passed};
  bool guarded = remnant->instr && remnant->instr->guard;
  site.kind = touch ? kind_of(in, touch) : 0;
  site.writes = touch && touch->writes;
  site.mbarrier = touch && touch->mbarrier;
  site.open = touch && touch->open;
  site.at_once = is_at_once(in);
  site.generic = site.at_once || is_copy(in);
  uint32_t over = g->copies->straight ? g->copies->over[g->place] : 0;
  site.ends = site.at_once || over;
  site.meets = list_of(in) != GROUP_NONE && !site.ends; /* perhaps nobody waits for it */
  if (!site.at_once && over) {
    const struct passed *wait = &g->copies->passed.data[g->copies->wait[g->place] - 1];
    memcpy(site.passed.most, wait->most, sizeof wait->most);
    site.passed.after = wait->after;
  }
  if (tiled_multiplies(in)) set_product(g, &site);
  for (uint32_t i = g->copies->fences.len; i-- > 0 && site.ends && site.generic;)
    if (g->copies->fences.data[i].place > (over ? over : g->place)) site.after = &g->copies->fences.data[i];
  site.strong = instr_is_access(in) && in->sem != SEM_WEAK && in->proxy == PROXY_GENERIC;
  site.surely = passed->always && !guarded;
  site.loops = g->walk.loops;
  if (!passed->always && !guarded) set_chosen(g, block, &site);
  return site;
}

static uint32_t site_of(struct lister *g, const struct remnant *remnant, uint32_t block, const struct touch *touch,
                        const struct passed *passed) {
  struct conflicts *c = g->c;
  const struct instr *in = &g->runner->run->body.thread->instrs[remnant->end - 1];
  uint64_t kind = touch ? kind_of(in, touch) : 0, hash = hash_mix(hash_mix(g->group, g->number), kind);
  HASH_EACH (n, &c->site_index, hash) {
    const struct access_site *site = &c->sites.data[n];
    if (site->group == g->group && site->number == g->number && site->kind == kind) return n;
  }
  struct access_site new = new_site(g, remnant, block, touch, passed);
  if (new.at_once &&new.ends) new.epoch = order_epoch(c->ordering, g->walk.runner->run, &new.passed);
  return HASH_PUSH(arena_of(c), &c->site_index, hash, &c->sites, new);
}

/* ---- accesses */

static bool is_compared(const struct touch *touch) {
  bool empty = touch_end(touch) <= touch->at && !touch->open;
  return !empty && touch->region->space != SPACE_PARAM && touch->region->space != SPACE_LOCAL;
}

static void list_remnant(struct lister *g, struct remnant *remnant, uint32_t block, const struct passed *passed) {
  struct conflicts *c = g->c;
  const struct instr *in = &g->runner->run->body.thread->instrs[remnant->end - 1];
  struct access access = {.runner = g->runner->number, .part = g->part, .block = block};
  access.place = g->copies->straight ? g->place : UINT32_MAX;
  access.over = list_of(in) == GROUP_NONE ? access.place : UINT32_MAX;
  if (g->copies->straight && g->copies->over[g->place]) access.over = g->copies->over[g->place];
  EACH_TOUCH (touch, g->runner, remnant) {
    if (!is_compared(touch)) continue;
    access.site = site_of(g, remnant, block, touch, passed);
    access.region = touch->region;
    access.base = c->launch->memory.regions.data[touch->region->number];
    access.at = touch->at;
    access.end = reach_end(touch);
    bool whole = touch->bytes && touch->bytes <= 16 && touch->at % touch->bytes == 0;
    bool apart = touch->open && touch->unit && touch->modulus % touch->unit == 0 && touch->residue % touch->unit == 0;
    access.unit = apart ? touch->unit : whole ? touch->bytes : 0;
    access.touch = touch;
    VEC_PUSH(arena_of(c), &c->accesses, access);
    if (is_copy(in) && c->sites.data[access.site].meets) VEC_PUSH(arena_of(c), &c->strays, access);
  }
  if (!remnant->strays) return;
  access.site = site_of(g, remnant, block, NULL, passed);
  VEC_PUSH(arena_of(c), &c->strays, access);
}

static void separate(struct lister *g, bool apart, bool orders) { g->part += apart, g->number += apart || orders; }

/* The parts and numbers change around an instruction that separates, and where blocks do not lead on. A row of products
 * counts as one, because they begin at the same fence and are over at the same wait. */
static void list_block(struct lister *g, uint32_t i) {
  struct block *b = &g->runner->blocks.data[g->walk.order.blocks.data[i]];
  if (!g->known) order_enter(arena_of(g->c), &g->walk, i);
  for (uint32_t k = 0; k < b->code.len; k++) {
    struct remnant *remnant = &b->code.data[k];
    struct passed passed = g->walk.now;
    const struct instr *in = remnant_source(g->runner, remnant);
    const bool pure = !in || instr_only_computes(in);
    const bool product = !pure && tiled_multiplies(in) && !(remnant->instr && remnant->instr->guard);
    const bool joins = product && g->products, ends = !pure && !product && g->products;
    const bool apart = in && !passes(in) && !joins, orders = in && !orders_nothing(in, remnant) && !joins;
    if (!g->known) passed.after = g->walk.suffix[k + 1];
    if (!pure) g->products = product;
    separate(g, apart || ends, orders);
    if (in) list_remnant(g, remnant, g->walk.order.blocks.data[i], &passed);
    if (in && in->kind == INSTR_PROXY_FENCE) g->c->fenced = true;
    if (!product) separate(g, apart, orders);
    if (!g->known) order_next(&g->walk, b, k);
    g->place++;
  }
  bool leads = leads_on(g->runner, &g->walk.order, i);
  separate(g, !leads, false);
}

/* ---- where copies are over */

static bool is_straight(struct runner *r, const struct block_order *order) {
  for (uint32_t i = 0; i < order->blocks.len; i++) {
    const struct block *b = &r->blocks.data[order->blocks.data[i]];
    uint32_t next = i + 1 < order->blocks.len ? order->blocks.data[i + 1] : (uint32_t)NO_BLOCK;
    if (b->guard || b->next[0] != next) return false;
  }
  return true;
}

/* Operations that no group has yet, and those of groups that nobody has waited for. */
struct pending_copy {
  uint32_t place, group;
};

struct pending_copies {
  VEC(struct pending_copy) list;
  uint32_t groups;
};

/* Group instructions (9.7.10.28.3, 9.7.17.7): a commit closes a group, a wait leaves the newest ones pending. */
static void pass_group(struct lister *g, const struct group *group, struct pending_copies *pending,
                       struct copies *copies) {
  uint32_t kept = 0;
  pending->groups += group->commits;
  if (!group->waits) return;
  bool known = group->left.kind == OPERAND_IMM;
  uint64_t open = known ? (uint64_t)group->left.imm : UINT32_MAX;
  VEC_PUSH(arena_of(g->c), &copies->passed, g->walk.now);
  VEC_EACH (copy, &pending->list) {
    bool over = copy->group + open < pending->groups;
    if (over) copies->over[copy->place] = g->place, copies->wait[copy->place] = copies->passed.len;
    else pending->list.data[kept++] = *copy;
  }
  pending->list.len = kept;
}

/* Notes a fence at which products begin, or that is between the proxies. */
static void pass_fence(const struct lister *g, const struct instr *in, uint32_t after, struct copies *copies) {
  struct proxy_fence fence = {g->place, g->walk.now};
  bool proxies = in->kind == INSTR_PROXY_FENCE && in->proxy == PROXY_ASYNC && !in->one_way;
  fence.passed.after = after;
  if (proxies || (in->kind == INSTR_GROUP && in->group->fences)) VEC_PUSH(arena_of(g->c), &copies->enters, fence);
  if (proxies && (in->space == SPACE_GENERIC || in->space == SPACE_SHARED))
    VEC_PUSH(arena_of(g->c), &copies->fences, fence);
}

static void find_copies(struct lister *g, struct copies *copies) {
  struct pending_copies pending[GROUP_LISTS] = {0};
  uint32_t count = 0;
  copies->straight = is_straight(g->runner, &g->walk.order);
  EACH_REMNANT (remnant, g->runner) count += remnant->end >= remnant->begin;
  copies->over = ARENA_ARRAY(arena_of(g->c), uint32_t, count + 1);
  copies->wait = ARENA_ARRAY(arena_of(g->c), uint32_t, count + 1);
  for (uint32_t i = 0; i < g->walk.order.blocks.len && copies->straight; i++) {
    const struct block *b = &g->runner->blocks.data[g->walk.order.blocks.data[i]];
    order_enter(arena_of(g->c), &g->walk, i);
    for (uint32_t k = 0; k < b->code.len; k++, g->place++) {
      const struct remnant *remnant = &b->code.data[k];
      const struct instr *in = remnant_source(g->runner, remnant);
      uint32_t waits = copies->passed.len;
      struct pending_copies *own = in ? &pending[in->kind == INSTR_GROUP ? in->group->list : list_of(in)] : NULL;
      if (in && list_of(in) != GROUP_NONE)
        VEC_PUSH(arena_of(g->c), &own->list, ((struct pending_copy){g->place, own->groups}));
      if (in && in->kind == INSTR_GROUP) pass_group(g, in->group, own, copies);
      if (copies->passed.len > waits) copies->passed.data[waits].after = g->walk.suffix[k + 1];
      if (in && !(remnant->instr && remnant->instr->guard)) pass_fence(g, in, g->walk.suffix[k + 1], copies);
      order_next(&g->walk, b, k);
    }
  }
  g->place = 0;
}

/* ---- threads */

/* Of the threads of a kind, the barriers around the accesses of one are those of all. */
static void list_thread(struct conflicts *c, struct runner *r, struct kinds *kinds) {
  struct lister g = {.c = c, .runner = r, .group = c->launch->kinds[r->number]};
  HASH_EACH (n, &kinds->index, g.group)
    if (kinds->list.data[n]->group == g.group) g.known = true, g.copies = kinds->list.data[n];
  if (g.known) {
    columns_order(r, &g.walk.order);
  } else {
    struct copies *copies = ARENA_NEW(arena_of(c), struct copies);
    copies->group = g.group;
    order_begin(arena_of(c), r, &g.walk);
    find_copies(&g, copies);
    g.copies = copies;
    HASH_PUSH(arena_of(c), &kinds->index, g.group, &kinds->list, copies);
  }
  for (uint32_t i = 0; i < g.walk.order.blocks.len; i++) list_block(&g, i);
}

/* ---- pieces */

/* Regions that some thread writes, and shared memory, which may be read unwritten. */
static bool *regions_compared(const struct conflicts *c) {
  bool *out = ARENA_ARRAY(arena_of(c), bool, c->launch->memory.regions.len);
  VEC_EACH (a, &c->accesses)
    if (a->touch->writes || a->base->space == SPACE_SHARED) out[a->base->number] = true;
  return out;
}

static void cut(struct conflicts *c, const struct access *a) {
  uint32_t *next = c->next[a->base->number];
  if (a->touch->open || !next) return;
  next[a->at] = next[a->end] = 1;
  for (uint32_t k = a->at + 1; k < a->end && a->touch->only; k++)
    if (touch_has(a->touch, k) != touch_has(a->touch, k - 1)) next[k] = 1;
}

static void number_pieces(uint32_t *next, uint32_t size) {
  uint32_t end = size;
  for (uint32_t k = size; k-- > 0;)
    if (next[k]) next[k] = end, end = k;
}

bool conflict_takes(const struct conflicts *c, const struct access *a) {
  const enum instr_kind kind = c->sites.data[a->site].in->kind;
  return (!a->touch->writes && !a->touch->mbarrier) || kind == INSTR_ATOM || kind == INSTR_RED;
}

/* Counts the pieces of an access, in `heads`; or lists it, before those at `heads`. */
static void list_access(struct conflicts *c, uint32_t index, bool counts) {
  const struct access *a = &c->accesses.data[index];
  uint32_t *heads = c->heads[a->base->number];
  if (a->touch->open || !heads) return;
  for (uint32_t k = a->at; k < a->end; k = c->next[a->base->number][k]) {
    if (!touch_has(a->touch, k)) continue;
    if (counts) {
      heads[k]++;
      continue;
    }
    struct listed *to = &c->listed[--heads[k] - 1];
    to->access = index;
    to->writes = a->touch->writes;
    to->sets = a->touch->writes && !a->touch->mbarrier;
    to->takes = conflict_takes(c, a);
  }
}

/* The entries of all pieces in order, each piece by its accesses in order. */
static void list_accesses(struct conflicts *c) {
  uint32_t total = 0;
  for (uint32_t i = 0; i < c->accesses.len; i++) list_access(c, i, true);
  for (uint32_t i = 0; i < c->launch->memory.regions.len; i++)
    for (uint32_t k = 0; c->heads[i] && k < c->launch->memory.regions.data[i]->size; k++)
      if (c->heads[i][k]) total += c->heads[i][k], c->heads[i][k] = total + 1;
  c->listed = ARENA_ARRAY(arena_of(c), struct listed, total);
  for (uint32_t i = 0; i < c->launch->memory.regions.len; i++)
    for (uint32_t k = 0; c->heads[i] && k < c->launch->memory.regions.data[i]->size; k++)
      if (c->heads[i][k]) c->listed[c->heads[i][k] - 2].last = true;
  for (uint32_t i = c->accesses.len; i-- > 0;) list_access(c, i, false);
}

static void find_pieces(struct conflicts *c) {
  uint32_t count = c->launch->memory.regions.len;
  const bool *compared = regions_compared(c);
  c->heads = ARENA_ARRAY(arena_of(c), uint32_t *, count);
  c->next = ARENA_ARRAY(arena_of(c), uint32_t *, count);
  for (uint32_t i = 0; i < count; i++) {
    if (!compared[i]) continue;
    uint32_t size = c->launch->memory.regions.data[i]->size;
    c->heads[i] = ARENA_ARRAY(arena_of(c), uint32_t, size);
    c->next[i] = ARENA_ARRAY(arena_of(c), uint32_t, size + 1);
  }
  VEC_EACH (a, &c->accesses) cut(c, a);
  for (uint32_t i = 0; i < count; i++)
    if (c->next[i]) number_pieces(c->next[i], c->launch->memory.regions.data[i]->size);
  list_accesses(c);
}

/* A thread, in the order of places: by GPU, cluster, CTA and number. */
struct placed {
  uint64_t place;
  struct runner *runner;
};

static bool is_earlier(const struct placed *a, const struct placed *b) { return a->place < b->place; }

struct conflicts *conflicts_index(struct launching *l) {
  struct conflicts *c = ARENA_NEW(l->memory.arena, struct conflicts);
  struct kinds kinds = {0};
  VEC(struct placed) threads = {0};
  uint32_t most = 0;
  c->launch = l;
  c->ordering = order_find(l);
  EACH_RUNNER (r, l) {
    uint64_t cluster = (uint64_t)l->ctas.data[r->cta].gpu << 24 | r->cluster_first;
    VEC_PUSH(l->memory.arena, &threads, (struct placed){cluster << 32 | r->number, r});
    most += r->touches.len;
  }
  VEC_RESERVE(l->memory.arena, &c->accesses, most); /* a list that grows would cost three times as much */
  VEC_SORT(&threads, is_earlier);
  VEC_EACH (thread, &threads) list_thread(c, thread->runner, &kinds);
  find_pieces(c);
  return c;
}
