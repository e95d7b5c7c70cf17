/* Adds columns for threads that stand behind others (docs/semantics.md T9, K15). For `safe`: two threads for each pair
 * of instructions and relation of places of which two accesses conflict and nothing orders them whatever happens; each
 * thread whose access is outside or misaligned, or reads what perhaps nothing has written. For values: the threads that
 * write what columns read. An index of all accesses by byte finds them without comparing threads with threads. */
#include "kernel/conflicts.h"

#include "ptx/isa.h"

/* MOST_OPEN: columns for accesses at unknown addresses; the values of more take the solver too long. MOST_ALIKE: the
 * different functions of values, of which each is compared with each. */
enum { MOST_OPEN = 24, MOST_ALIKE = 4096 };

/* ---- relations of places */

enum relation relation_of(const struct launching *l, const struct runner *a, const struct runner *b) {
  if (a == b) return RELATION_SELF;
  if (run_same_warp(a, b)) return RELATION_WARP;
  if (a->cta == b->cta) return RELATION_CTA;
  if (a->run == b->run && a->cluster_first == b->cluster_first) return RELATION_CLUSTER;
  return l->ctas.data[a->cta].gpu == l->ctas.data[b->cta].gpu ? RELATION_GPU : RELATION_SYSTEM;
}

static bool scope_has(enum scope scope, enum relation relation) {
  switch (scope) {
    case SCOPE_NONE: return false;
    case SCOPE_CTA: return relation <= RELATION_CTA;
    case SCOPE_CLUSTER: return relation <= RELATION_CLUSTER;
    case SCOPE_GPU: return relation <= RELATION_GPU;
    case SCOPE_SYS: return true;
  }
  BUG("no scope %d", (int)scope);
}

/* ---- pairs that need no columns */

/* The end of the earlier grid synchronizes with the start of the later one (GR1). A grid with programmatic dependence
 * is ordered by griddepcontrol.wait alone, even after one that never executes launch_dependents (GR3). */
static bool follows_grid(const struct conflicts *c, const struct kernel_run *later, const struct kernel_run *earlier) {
  for (const struct litmus_entry *e = c->launch->x->parse.test->entries; e; e = e->next) {
    if (!e->launch || strcmp(e->launch->how.text, "follows") != 0) continue;
    if (later->grid == e->launch->grid && earlier->grid == e->launch->other) return true;
  }
  return false;
}

/* The read of a product after an access by the generic proxy needs a fence between the proxies: in the thread of the
 * access, or of the product (AC6). No fence is needed in the other direction (AC4). */
bool conflict_is_before(const struct conflicts *c, const struct access *a, const struct access *b) {
  const struct access_site *x = &c->sites.data[a->site], *y = &c->sites.data[b->site];
  const struct runner *first = conflict_thread(c, a), *second = conflict_thread(c, b);
  if (!x->ends) return false;
  if (first->run != second->run) return follows_grid(c, second->run, first->run) && !y->product;
  if (!y->product) return order_before(c->ordering, first, &x->passed, second, &y->passed);
  return (x->after && order_before(c->ordering, first, &x->after->passed, second, &y->passed)) ||
         (y->before && order_before(c->ordering, first, &x->passed, second, &y->before->passed));
}

bool conflict_is_own_before(const struct conflicts *c, const struct access *a, const struct access *b) {
  const struct access_site *y = &c->sites.data[b->site];
  return y->product ? y->before && a->over < y->before->place : a->over < b->place;
}

/* conflict_is_before, by barriers of the CTA alone, for all pairs of threads of one CTA of the run. */
static bool is_before_in_ctas(const struct conflicts *c, const struct kernel_run *run, const struct access_site *x,
                              const struct access_site *y) {
  if (!x->ends) return false;
  if (!y->product) return order_before_in_ctas(c->ordering, run, &x->passed, &y->passed);
  return (x->after && order_before_in_ctas(c->ordering, run, &x->after->passed, &y->passed)) ||
         (y->before && order_before_in_ctas(c->ordering, run, &x->passed, &y->before->passed));
}

/* Accesses at once, one of which precedes the other in each execution, but not the same one in all. */
static bool is_apart(const struct conflicts *c, const struct access *a, const struct access *b) {
  const struct access_site *x = &c->sites.data[a->site], *y = &c->sites.data[b->site];
  return x->at_once && y->at_once &&
         order_apart(c->ordering, conflict_thread(c, a), &x->passed, conflict_thread(c, b), &y->passed);
}

bool conflict_lacks_fence(const struct conflicts *c, const struct access *a, const struct access *b) {
  const struct access_site *x = &c->sites.data[a->site], *y = &c->sites.data[b->site];
  if (c->fenced || !y->product || !x->generic || !x->ends || !x->surely || !y->surely) return false;
  if (a->region != b->region || !x->writes) return false;
  if (a->runner == b->runner && a->over < b->place) return true;
  return order_before(c->ordering, conflict_thread(c, a), &x->passed, conflict_thread(c, b), &y->passed);
}

/* Accesses of one size to the same bytes, each of a scope that has both threads. */
static bool is_morally_strong(const struct conflicts *c, const struct access *a, const struct access *b,
                              enum relation relation) {
  const struct access_site *x = &c->sites.data[a->site], *y = &c->sites.data[b->site];
  bool open = x->open || y->open, same = a->at == b->at && a->end == b->end;
  if (a->region != b->region || !(open ? a->unit && a->unit == b->unit : same)) return false;
  return x->strong && y->strong && scope_has(x->in->scope, relation) && scope_has(y->in->scope, relation);
}

/* True if the two accesses are no race, whatever happens. */
static bool is_settled(const struct conflicts *c, const struct access *a, const struct access *b,
                       enum relation relation) {
  const struct access_site *x = &c->sites.data[a->site], *y = &c->sites.data[b->site];
  if (!x->writes && !y->writes) return true;
  if (x->mbarrier && y->mbarrier) return true;
  bool known = (x->generic || x->product) && (y->generic || y->product);
  if (relation == RELATION_SELF && known && (conflict_is_own_before(c, a, b) || conflict_is_own_before(c, b, a)))
    return true;
  if (relation == RELATION_SELF) return (x->at_once && y->at_once) || x->number == y->number;
  if (is_morally_strong(c, a, b, relation) || conflict_draws_apart(a, b)) return true;
  bool plain = known && a->region == b->region; /* an alias is of another proxy */
  return plain && (conflict_is_before(c, a, b) || conflict_is_before(c, b, a) || is_apart(c, a, b));
}

/* ---- pairs of sites */

enum {
  EACH_RELATION = (1 << RELATIONS) - 1,
  NEAR_RELATIONS = 1 << RELATION_WARP | 1 << RELATION_CTA,
  OWN_RELATION = 1 << RELATION_SELF,
  MOST_TRIES = 64, /* for a pair of columns */
};

/* The relations for which all pairs of accesses of two sites, to one region, are settled. */
static uint32_t settled_relations(const struct conflicts *c, const struct access *a, const struct access *b) {
  const struct access_site *x = &c->sites.data[a->site], *y = &c->sites.data[b->site];
  const struct kernel_run *run = conflict_thread(c, a)->run;
  if ((!x->writes && !y->writes) || (x->mbarrier && y->mbarrier)) return EACH_RELATION;
  uint32_t own = (x->at_once && y->at_once) || x->number == y->number ? (uint32_t)OWN_RELATION : 0;
  bool known = (x->generic || x->product) && (y->generic || y->product);
  if (!known || conflict_thread(c, b)->run != run) return own;
  bool apart = x->at_once && y->at_once && order_apart_in_ctas(c->ordering, run, &x->passed, &y->passed);
  return apart || is_before_in_ctas(c, run, x, y) || is_before_in_ctas(c, run, y, x) ? own | NEAR_RELATIONS : own;
}

static uint32_t pair_of_sites(struct conflicts *c, const struct access *a, const struct access *b) {
  uint32_t low = a->site < b->site ? a->site : b->site, high = a->site + b->site - low;
  uint64_t key = hash_mix(low, high);
  HASH_EACH (n, &c->site_pair_index, key)
    if (c->site_pairs.data[n].low == low && c->site_pairs.data[n].high == high) return n;
  struct site_pair pair = {.low = low, .high = high, .settled = settled_relations(c, a, b)};
  VEC_PUSH(c->launch->memory.arena, &c->site_pairs, pair);
  hash_add(c->launch->memory.arena, &c->site_pair_index, key, c->site_pairs.len - 1);
  return c->site_pairs.len - 1;
}

/* ---- pairs that need them */

static void note_unfenced(struct conflicts *c, const struct access *write, const struct access *read, uint32_t lacks) {
  if (!c->unfenced.read || lacks < c->unfenced.lacks) c->unfenced = (struct unfenced){write, read, lacks};
}

/* Notes two accesses that conflict: those with most columns stand for all of their kind. */
static void note_pair(struct conflicts *c, const struct access *a, const struct access *b, enum relation relation,
                      struct site_pair *sites) {
  struct launching *l = c->launch;
  if (is_settled(c, a, b, relation)) return;
  uint32_t low = a->site < b->site ? a->site : b->site, high = a->site + b->site - low;
  uint32_t lacks = !conflict_thread(c, a)->column + !conflict_thread(c, b)->column;
  uint64_t key = hash_mix(hash_mix(low, high), relation);
  struct conflict pair = {low, high, relation, a->runner, b->runner, a->site, b->site, lacks};
  if (!lacks || ++sites->tries[relation] >= MOST_TRIES) sites->noted |= 1u << relation;
  bool other = conflict_lacks_fence(c, b, a);
  if (other || conflict_lacks_fence(c, a, b)) {
    note_unfenced(c, other ? b : a, other ? a : b, lacks);
    return;
  }
  c->sites.data[a->site].meets = c->sites.data[b->site].meets = true;
  HASH_EACH (n, &c->pair_index, key) {
    struct conflict *old = &c->pairs.data[n];
    if (old->low != low || old->high != high || old->relation != relation) continue;
    if (lacks < old->lacks) *old = pair;
    return;
  }
  VEC_PUSH(l->memory.arena, &c->pairs, pair);
  hash_add(l->memory.arena, &c->pair_index, key, c->pairs.len - 1);
}

/* The accesses of one site to one piece, with the same bounds. */
struct class {
  uint32_t site, at, end;
  bool writes;
  const struct region *region;
  const struct access *last[RELATIONS]; /* by relation to the thread of the latest: the latest one */
  uint32_t next;                        /* of its epoch, and 1; 0: none */
};

/* The classes of a piece, and pairs of them as 1 more than the number in `site_pairs`, or 0. */
enum { MOST_PAIRED = 64 };
struct epoch_classes {
  uint32_t first, last; /* numbers of classes, and 1 */
};
struct classes {
  VEC(struct class) list;
  VEC(uint32_t) writers;
  VEC(struct epoch_classes) epochs; /* the classes of each, in the order of the list */
  bool together;                    /* all accesses are by one CTA, to one region */
  uint32_t pairs[MOST_PAIRED][MOST_PAIRED];
};

static bool is_of_class(const struct class *class, const struct access *a) {
  return class->site == a->site && class->at == a->at && class->end == a->end && class->region == a->region;
}

/* Relations of places are nested, and threads come in the order of their places: the latest access with each relation
 * to the latest thread has this relation, or a nearer one is lost, to each later thread. */
static void add_to_class(const struct conflicts *c, struct class *class, const struct access *a) {
  const struct access *latest = class->last[RELATION_SELF];
  enum relation relation =
      latest ? relation_of(c->launch, conflict_thread(c, latest), conflict_thread(c, a)) : RELATION_SELF;
  for (uint32_t k = RELATION_WARP; k < relation; k++) class->last[k] = NULL;
  if (relation != RELATION_SELF) class->last[relation] = latest;
  class->last[RELATION_SELF] = a;
}

/* Compares an access with those of a class before it, but for relations for which two sites need no more pairs. */
static void meet_class(struct conflicts *c, const struct class *class, const struct access *a, uint32_t sites) {
  const struct access *latest = class->last[RELATION_SELF];
  struct site_pair *pair = &c->site_pairs.data[sites];
  uint32_t settled = class->region == a->region ? pair->settled : pair->settled & ~(uint32_t)NEAR_RELATIONS;
  uint32_t open = EACH_RELATION & ~settled & ~pair->noted;
  if (!open || (open == OWN_RELATION && latest->runner != a->runner)) return;
  enum relation nearest = relation_of(c->launch, conflict_thread(c, latest), conflict_thread(c, a));
  if (open >> nearest & 1) note_pair(c, a, latest, nearest, pair);
  for (uint32_t k = nearest + 1; k < RELATIONS; k++)
    if (class->last[k] && open >> k & 1) note_pair(c, a, class->last[k], (enum relation)k, pair);
}

/* Accesses of one CTA in different epochs are settled, so that classes of other epochs are not looked at: a loop with
 * barriers has as many as iterations. Epoch 0 may meet each. */
static uint32_t epoch_of(const struct conflicts *c, const struct classes *classes, const struct access *a) {
  return classes->together ? c->sites.data[a->site].epoch : 0;
}

static uint32_t first_of(const struct classes *classes, uint32_t epoch) {
  return epoch < classes->epochs.len ? classes->epochs.data[epoch].first : 0;
}

static struct class *new_class(const struct conflicts *c, struct classes *classes, const struct access *a) {
  struct arena *arena = c->launch->memory.arena;
  struct class class = {a->site, a->at, a->end, a->touch->writes, a->region, {NULL}, 0};
  const uint32_t epoch = epoch_of(c, classes, a), number = classes->list.len + 1;
  while (classes->epochs.len <= epoch) VEC_PUSH(arena, &classes->epochs, (struct epoch_classes){0});
  uint32_t *last = &classes->epochs.data[epoch].last;
  if (*last) classes->list.data[*last - 1].next = number;
  else classes->epochs.data[epoch].first = number;
  *last = number;
  if (class.writes) VEC_PUSH(arena, &classes->writers, classes->list.len);
  VEC_PUSH(arena, &classes->list, class);
  return &classes->list.data[classes->list.len - 1];
}

static bool is_written(const struct conflicts *c, uint32_t head) {
  EACH_AT (a, c, head)
    if (a_at->writes) return true;
  return false;
}

static bool are_together(const struct conflicts *c, uint32_t head) {
  const struct access *first = &c->accesses.data[c->listed[head - 1].access];
  EACH_AT (a, c, head)
    if (a->region != first->region || conflict_thread(c, a)->cta != conflict_thread(c, first)->cta) return false;
  return true;
}

/* The class of an access, which often is the one after that of the access before. */
static uint32_t class_of(const struct conflicts *c, struct classes *classes, const struct access *a, uint32_t guess) {
  if (guess < classes->list.len && is_of_class(&classes->list.data[guess], a)) return guess;
  for (uint32_t i = first_of(classes, epoch_of(c, classes, a)); i; i = classes->list.data[i - 1].next)
    if (is_of_class(&classes->list.data[i - 1], a)) return i - 1;
  new_class(c, classes, a);
  return classes->list.len - 1;
}

/* Compares an access of a class with those of another class before it. */
static void meet_number(struct conflicts *c, struct classes *classes, uint32_t own, uint32_t other,
                        const struct access *a) {
  const struct class *class = &classes->list.data[other];
  bool paired = own < MOST_PAIRED && other < MOST_PAIRED;
  if (!class->last[RELATION_SELF]) return; /* the class is new */
  uint32_t number = paired ? classes->pairs[own][other] : 0;
  if (!number) number = pair_of_sites(c, a, class->last[RELATION_SELF]) + 1;
  if (paired) classes->pairs[own][other] = number;
  meet_class(c, class, a, number - 1);
}

static void clear_classes(struct classes *classes) {
  uint32_t count = classes->list.len < MOST_PAIRED ? classes->list.len : (uint32_t)MOST_PAIRED;
  for (uint32_t i = 0; i < count; i++) memset(classes->pairs[i], 0, count * sizeof classes->pairs[i][0]);
  classes->list.len = classes->writers.len = classes->epochs.len = 0;
}

static void meet_epoch(struct conflicts *c, struct classes *classes, uint32_t own, uint32_t epoch,
                       const struct access *a) {
  for (uint32_t i = first_of(classes, epoch); i; i = classes->list.data[i - 1].next)
    if (a->touch->writes || classes->list.data[i - 1].writes) meet_number(c, classes, own, i - 1, a);
}

static void compare_piece(struct conflicts *c, uint32_t head, struct classes *classes) {
  clear_classes(classes);
  if (!is_written(c, head)) return;
  classes->together = are_together(c, head);
  uint32_t own = 0;
  EACH_AT (a, c, head) {
    own = class_of(c, classes, a, own + 1);
    const uint32_t epoch = epoch_of(c, classes, a);
    if (epoch) {
      meet_epoch(c, classes, own, 0, a);
      meet_epoch(c, classes, own, epoch, a);
    } else if (a_at->writes)
      for (uint32_t i = 0; i < classes->list.len; i++) meet_number(c, classes, own, i, a);
    else
      VEC_VALUES (writer, &classes->writers) meet_number(c, classes, own, writer, a);
    add_to_class(c, &classes->list.data[own], a);
  }
}

/* ---- columns */

static void leave_out(struct conflicts *c, const struct access_site *a, const struct access_site *b) {
  struct litmus_test *test = c->launch->x->parse.test;
  struct text text = {.arena = c->launch->memory.arena};
  if (test->lacks) return;
  text_printf(&text, "the accesses at ");
  span_tell_line(a->in->span, &text);
  if (b != a) text_add(&text, " and ");
  if (b != a) span_tell_line(b->in->span, &text);
  text_add(&text, " were not compared in all threads: that takes too many columns");
  test->lacks = reason_with(text.arena, REASON_THREADS_BEHIND, text_str(&text));
  test->lacks_place = a->in->span;
}

static uint32_t count_columns(const struct conflicts *c) {
  uint32_t count = 0;
  EACH_COLUMN (r, c->launch) count++;
  return count;
}

static uint64_t key_of(uint32_t runner, uint32_t site) { return hash_mix(hash_mix(1, runner), site); }

/* Makes a thread a column because of its accesses of a site. */
static bool add_column(struct conflicts *c, uint32_t runner, uint32_t site, uint32_t other) {
  struct runner *r = c->launch->runners.data[runner];
  VEC_PUSH(c->launch->memory.arena, &c->witnesses, ((struct pair_member){runner, site}));
  hash_add(c->launch->memory.arena, &c->witness_index, key_of(runner, site), c->witnesses.len - 1);
  if (r->column || groups_add_column(r->run, r)) return true;
  leave_out(c, &c->sites.data[site], &c->sites.data[other]);
  return false;
}

bool conflict_add_column(struct conflicts *c, const struct access *a, uint32_t other) {
  return add_column(c, a->runner, a->site, other);
}

static void add_pairs(struct conflicts *c) {
  for (uint32_t lacks = 0; lacks <= 2; lacks++)
    VEC_EACH (pair, &c->pairs) {
      if (pair->lacks != lacks) continue;
      add_column(c, pair->a, pair->at_a, pair->at_b);
      add_column(c, pair->b, pair->at_b, pair->at_a);
    }
}

/* The others are not looked at: without a finding, the launch is not known to be safe. */
static void add_unfenced(struct conflicts *c) {
  const struct unfenced *u = &c->unfenced;
  struct litmus_test *test = c->launch->x->parse.test;
  if (!u->read) return;
  c->sites.data[u->write->site].meets = c->sites.data[u->read->site].meets = true;
  add_column(c, u->write->runner, u->write->site, u->read->site);
  add_column(c, u->read->runner, u->read->site, u->write->site);
  if (test->lacks) return;
  test->lacks = reason_with(c->launch->memory.arena, REASON_THREADS_BEHIND,
                            "of the reads of products without a fence between the proxies only one was looked at");
  test->lacks_place = c->sites.data[u->read->site].in->span;
}

/* Each thread with an access outside or misaligned, or of a copy that perhaps nobody waits for; or one that stands for
 * it. */
static void add_strays(struct conflicts *c) {
  bool *done = ARENA_ARRAY(c->launch->memory.arena, bool, c->sites.len);
  for (uint32_t columns = 2; columns-- > 0;)
    VEC_EACH (stray, &c->strays) {
      if (done[stray->site] || conflict_thread(c, stray)->column < columns) continue;
      done[stray->site] = true;
      add_column(c, stray->runner, stray->site, stray->site);
    }
}

/* ---- accesses at addresses that constants do not decide */

/* The bytes that an access may have, modulo a power of two. */
struct window {
  uint64_t modulus, residue, bytes; /* bytes: 0: unknown */
};

static struct window window_of(const struct access *a) {
  const struct touch *touch = a->touch;
  if (touch->open) return (struct window){touch->modulus, touch->residue, touch->unit};
  return (struct window){GLOBAL_ALIGNMENT, (a->region->base + a->at) % GLOBAL_ALIGNMENT, a->end - a->at};
}

bool conflict_may_meet(const struct access *a, const struct access *b) {
  struct window x = window_of(a), y = window_of(b);
  uint64_t modulus = x.modulus < y.modulus ? x.modulus : y.modulus, apart = (y.residue - x.residue) & (modulus - 1);
  if (a->region == b->region && (a->end <= b->at || b->end <= a->at)) return false;
  return a->region != b->region || !x.bytes || !y.bytes || apart < x.bytes || modulus - apart < y.bytes;
}

/* True if the sites are the same, or those of threads in different CTAs that go the same ways. */
static bool is_site_alike(const struct conflicts *c, const struct access *a, const struct access *b) {
  const struct access_site *x = &c->sites.data[a->site], *y = &c->sites.data[b->site];
  return a->site == b->site ||
         (x->number == y->number && x->kind == y->kind && c->launch->paths[a->runner] == c->launch->paths[b->runner]);
}

/* Accesses whose addresses are the same function of values from memory. */
static bool is_alike(const struct conflicts *c, const struct access *a, const struct access *b) {
  const struct touch *x = a->touch, *y = b->touch;
  if (a->region == b->region && conflict_draws_alike(a, b) && is_site_alike(c, a, b)) return true;
  return a->site == b->site && a->region == b->region && x->open == y->open &&
         (x->open ? x->address == y->address && x->unit == y->unit : a->at == b->at && a->end == b->end);
}

/* Accesses to a region that are alike: those of the first and of the last thread, of which one is as far from each
 * thread as any. */
struct alike_ends {
  const struct access *first, *last;
};

struct open_region {
  VEC(struct alike_ends) list;
  struct hash_index index;
};

static void list_alike(struct conflicts *c, const struct region *region, struct open_region *out) {
  struct arena *arena = c->launch->memory.arena;
  VEC_EACH (a, &c->accesses) {
    if (a->base != region) continue;
    struct alike_ends *own = NULL;
    const struct drawn *drawn = a->touch->open ? a->touch->drawn : NULL;
    uint64_t hash = hash_mix(drawn ? 0 : a->site, drawn ? drawn->base : a->touch->open ? a->touch->address : a->at);
    HASH_EACH (n, &out->index, hash)
      if (!own && is_alike(c, out->list.data[n].first, a)) own = &out->list.data[n];
    if (own) {
      own->last = a;
      continue;
    }
    VEC_PUSH(arena, &out->list, (struct alike_ends){a, a});
    hash_add(arena, &out->index, hash, out->list.len - 1);
  }
}

static bool may_conflict(const struct conflicts *c, const struct access *a, const struct access *b) {
  enum relation relation = relation_of(c->launch, conflict_thread(c, a), conflict_thread(c, b));
  return !is_settled(c, a, b, relation);
}

/* True if an access may meet another one where constants do not decide it. *unlike: one with another function. */
static bool conflicts_openly(const struct conflicts *c, const struct open_region *open, const struct access *a,
                             bool *unlike) {
  bool any = false;
  VEC_EACH (ends, &open->list) {
    const struct access *b = ends->first;
    if (!(b->touch->open || a->touch->open) || !conflict_may_meet(a, b)) continue;
    if (!may_conflict(c, a, b) && !may_conflict(c, a, ends->last)) continue;
    any = true;
    *unlike = *unlike || !a->touch->open || !b->touch->open || a->touch->address != b->touch->address;
    if (*unlike) break;
  }
  return any;
}

/* The pairs of all accesses to a region of which one may have any byte. */
static void compare_open(struct conflicts *c, const struct region *region) {
  struct classes classes = {0};
  VEC_EACH (a, &c->accesses) {
    struct class *own = NULL;
    if (a->base != region) continue;
    VEC_EACH (class, &classes.list) {
      const struct access *b = class->last[RELATION_SELF];
      const bool meets = (b->touch->open || a->touch->open) && conflict_may_meet(a, b);
      if (meets) meet_class(c, class, a, pair_of_sites(c, a, b));
      if (is_alike(c, b, a)) own = class;
    }
    add_to_class(c, own ? own : new_class(c, &classes, a), a);
  }
}

static void compare_few(struct conflicts *c, const struct region *region) {
  struct open_region open = {0};
  list_alike(c, region, &open);
  if (open.list.len <= MOST_ALIKE) compare_open(c, region);
}

/* Every thread that may meet an access at an unknown address is a column, because values decide which do. If they are
 * too many, two threads for each kind of pair are; that is enough if the addresses of both are the same function of
 * values from memory, and else the test lacks the others. */
static void add_open(struct conflicts *c, const struct region *region) {
  struct open_region open = {0};
  VEC(const struct access *) list = {0};
  const struct access *lacks = NULL;
  bool *wanted = ARENA_ARRAY(c->launch->memory.arena, bool, c->launch->runners.len);
  uint32_t columns = count_columns(c);
  list_alike(c, region, &open);
  EACH_COLUMN (r, c->launch) wanted[r->number] = true;
  bool many = open.list.len > MOST_ALIKE;
  VEC_EACH (a, &c->accesses) {
    bool unlike = false;
    if (a->base != region || (!many && !conflicts_openly(c, &open, a, &unlike))) continue;
    c->sites.data[a->site].meets = true;
    if ((unlike || many) && !lacks && !wanted[a->runner]) lacks = a;
    columns += !wanted[a->runner];
    wanted[a->runner] = true;
    VEC_PUSH(c->launch->memory.arena, &list, a); /* of columns too, so that their accesses stay */
  }
  if (!many && columns <= MOST_OPEN) {
    VEC_VALUES (a, &list) add_column(c, a->runner, a->site, a->site);
    return;
  }
  if (!many) compare_open(c, region);
  if (lacks) leave_out(c, &c->sites.data[lacks->site], &c->sites.data[lacks->site]);
}

static void each_open(struct conflicts *c, void (*each)(struct conflicts *c, const struct region *region)) {
  bool *open = ARENA_ARRAY(c->launch->memory.arena, bool, c->launch->memory.regions.len);
  VEC_EACH (a, &c->accesses)
    if (c->sites.data[a->site].open) open[a->base->number] = true;
  for (uint32_t i = 0; i < c->launch->memory.regions.len; i++)
    if (open[i]) each(c, c->launch->memory.regions.data[i]);
}

/* ---- all */

static void each_piece(struct conflicts *c, void (*each)(struct conflicts *c, uint32_t head, struct classes *classes)) {
  struct classes classes = {0};
  for (uint32_t i = 0; i < c->launch->memory.regions.len; i++) {
    const struct region *region = c->launch->memory.regions.data[i];
    for (uint32_t k = 0; c->heads[i] && k < region->size; k++)
      if (c->heads[i][k]) each(c, c->heads[i][k], &classes);
  }
}

static void mark_touches(const struct conflicts *c) {
  VEC_EACH (a, &c->accesses) {
    if (c->sites.data[a->site].meets) a->touch->meets = true, a->touch->inside = false;
    HASH_EACH (n, &c->witness_index, key_of(a->runner, a->site)) {
      const struct pair_member *s = &c->witnesses.data[n];
      if (s->runner == a->runner && s->site == a->site) a->touch->witness = true;
    }
  }
}

const struct conflicts *conflicts_compare(struct launching *l) {
  struct conflicts *c = conflicts_index(l);
  conflict_find_draws(c);
  each_open(c, compare_few);
  each_piece(c, compare_piece);
  return c;
}

void conflicts_add(struct launching *l) {
  bool first = !l->conflicts, safe = !l->x->parse.test->condition;
  if (first) l->conflicts = conflicts_index(l);
  if (first && safe) {
    conflict_find_draws(l->conflicts);
    each_open(l->conflicts, add_open);
    each_piece(l->conflicts, compare_piece);
    add_pairs(l->conflicts);
    add_unfenced(l->conflicts);
    add_strays(l->conflicts);
    sources_find_unwritten(l->conflicts);
    mark_touches(l->conflicts);
  }
  if (!safe) sources_add_writers(l->conflicts); /* for safety, those of values that matter: column_needs.c */
  sources_complete(l->conflicts);
}
