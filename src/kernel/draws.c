/* Accesses at places that a thread drew from a counter, as in `pool[atomicAdd(next, 4) + i]`.
 *
 * All writes to the bytes of the counter are atomics that add one constant, and all are morally strong with one
 * another. So each reads what the one before it wrote (PTX ISA 9.4, 8.10.3 "Atomicity"), the first one the initial
 * value, and what they draw are the numbers from the initial value on, in steps of the constant, each drawn once. As
 * sets, places from two numbers are apart if both lie in as many bytes from the number on as a step has; from one
 * number, as constants are (conflict_draws_apart). An atomic in no loop draws one number. A place with which a loop
 * begins, before the first draw, counts as that of one more number.
 *
 * A store may set the counter back that happens only if an atomic drew the last number. If such stores happen, one of
 * these atomics has its number by a chain of reads without any of them (8.10.4 "No-Thin-Air"): the chain is as long as
 * there are atomics, so that it has each of them, and none has read from a store.
 *
 * The number may have come through shared memory: a load reads what a store wrote in each execution if that store
 * happens in all of them and precedes the load in base causality, and each other write to these bytes precedes the
 * store or follows the load there (8.10.6 "Causality", 8.10.1 "Coherence"). */
#include "kernel/conflicts.h"

enum { MOST_COUNTERS = 16 };

struct counter {
  const struct draw *draw;
  uint64_t first, last; /* numbers that are drawn */
  uint64_t count;       /* of draws, at most */
  uint64_t bound, most; /* loops that draw go on up to `bound`, if numbers are at most `most` */
  bool loops;           /* some atomic is in a loop */
  bool right, read;     /* read: by others */
};

struct counters {
  VEC(struct counter) list;
};

/* True of an atomic that is one step of the counter. */
static bool steps(const struct conflicts *c, const struct counter *counter, const struct access *a) {
  const struct access_site *site = &c->sites.data[a->site];
  const struct instr *in = site->in;
  bool several = false;
  for (uint32_t i = 0; i < c->launch->ctas.len; i++)
    several = several || c->launch->ctas.data[i].gpu != c->launch->ctas.data[0].gpu;
  bool wide = in->scope == SCOPE_SYS || (in->scope == SCOPE_GPU && !several);
  return a->touch->draw && run_draws_of(counter->draw, a->touch->draw) && site->strong && wide && !in->is_mmio;
}

/* ---- numbers that come through shared memory */

enum { MOST_PASSED = 8 }; /* stores and loads that a number passes */

/* Loops over the writes to the bytes of a read; some more than once. */
#define EACH_WRITE_TO(w, c, read)                                                                                      \
  for (uint32_t k = (read)->at; k < (read)->end; k = (c)->next[(read)->base->number][k])                               \
    EACH_AT (w, c, (c)->heads[(read)->base->number][k])                                                                \
      if (w##_at->writes)

static bool comes_before(const struct conflicts *c, const struct access *a, const struct access *b) {
  return (a->runner == b->runner && conflict_is_own_before(c, a, b)) || conflict_is_before(c, a, b);
}

/* The store of which a load reads an execution in each execution of the launch; NULL: none is known. */
static const struct access *stored_for(const struct conflicts *c, const struct access *read) {
  const struct region *region = read->region;
  const struct access *last = NULL;
  if (!c->heads[read->base->number] || region->lost || region->object) return NULL;
  EACH_WRITE_TO(w, c, read)
  if (!last || comes_before(c, last, w)) last = w;
  const struct access_site *site = last ? &c->sites.data[last->site] : NULL;
  if (!last || !site->surely || last->at != read->at || last->end < read->end) return NULL;
  EACH_WRITE_TO(w, c, read)
  if (!c->sites.data[w->site].at_once || (w != last && !comes_before(c, w, last) && !comes_before(c, read, w)))
    return NULL;
  const bool first = order_first_before(c->ordering, conflict_thread(c, last), &site->passed, conflict_thread(c, read),
                                        &c->sites.data[read->site].passed);
  return first || comes_before(c, last, read) ? last : NULL;
}

/* How far n may go for a bound of base + scale * n, and for one of n itself. */
static uint64_t bound_within(const struct drawn *inner, uint64_t bound, uint64_t own) {
  const uint64_t n = (bound - inner->base) / inner->scale;
  return n < own ? n : own;
}

/* The value as a number from a counter. False: it may be another one. */
static bool trace(const struct conflicts *c, struct drawn *drawn) {
  for (uint32_t i = 0; i < MOST_PASSED && !drawn->from->added; i++) {
    const struct access *store = drawn->from->access ? stored_for(c, drawn->from->access) : NULL;
    const struct drawn *in = store ? store->touch->drawn : NULL;
    if (!in || in->base > drawn->most || in->base > drawn->limit) return false;
    const value_t base = drawn->base + (value_t)drawn->scale * in->base, scale = (value_t)drawn->scale * in->scale;
    if (base > UINT64_MAX || scale > UINT64_MAX) return false;
    *drawn = (struct drawn){.from = in->from,
                            .base = (uint64_t)base,
                            .scale = (uint64_t)scale,
                            .begins = drawn->begins,
                            .first = drawn->first,
                            .most = bound_within(in, drawn->most, in->most),
                            .limit = bound_within(in, drawn->limit, in->limit)};
  }
  return drawn->from->added != 0;
}

/* ---- the last number */

static bool has(const struct tested *t, value_t n) { return (n >= t->least && n <= t->most) != t->outside; }

/* The condition on a number in shared memory as one on the number from which that was computed. False: there is none.
 */
static bool trace_test(const struct conflicts *c, struct tested *t) {
  const struct access *store = t->of.from->access ? stored_for(c, t->of.from->access) : NULL;
  const struct drawn *in = store ? store->touch->drawn : NULL;
  if (!in || !in->from->tested || in->base + (value_t)in->scale > t->of.most) return false;
  const bool no = has(t, in->base), yes = has(t, in->base + (value_t)in->scale);
  *t = *in->from->tested;
  t->outside ^= no;
  return yes != no;
}

/* True if an access happens only where an atomic drew the last number of the counter. */
static bool is_of_last(const struct conflicts *c, const struct counter *counter, const struct access *a) {
  const struct block *blocks = conflict_thread(c, a)->blocks.data, *b;
  for (uint32_t i = a->block; i != NO_BLOCK; i = b->entries == 1 ? b->parent : (uint32_t)NO_BLOCK) {
    b = &blocks[i];
    if (!b->tested) continue;
    struct tested t = *b->tested;
    bool traced = true;
    for (uint32_t k = 0; k < MOST_PASSED && !t.of.from->added && traced; k++) traced = trace_test(c, &t);
    if (!traced || !t.of.from->added || !run_draws_of(counter->draw, t.of.from) || counter->last > t.of.most) continue;
    if (counter->last < counter->draw->added) continue;
    const uint64_t before = counter->last - counter->draw->added;
    if (t.outside ? t.least <= counter->first && t.most >= before : t.least > before) return true;
  }
  return false;
}

/* True of a store that sets the counter back once the last number has been drawn: see above. */
static bool sets_back(const struct conflicts *c, const struct counter *counter, const struct access *a) {
  return c->sites.data[a->site].in->kind == INSTR_STORE && c->sites.data[a->site].at_once && is_of_last(c, counter, a);
}

/* ---- loops that draw */

/* True if a thread takes a direction of a branch only if the number that an atomic drew last, or the one before it, is
 * at most that of `out`. The number may have come through shared memory: the thread reads there what it stored last
 * itself, with the atomic in each iteration. */
static bool bounds(const struct conflicts *c, const struct access *atomic, const struct tested *t, struct drawn *out) {
  if (!t || t->outside || t->least || t->of.past) return false;
  const struct access *read = t->of.from->access, *store = read ? stored_for(c, read) : NULL;
  const struct drawn *in = store ? store->touch->drawn : NULL;
  *out = (struct drawn){.from = t->of.from, .scale = 1, .most = t->of.most, .limit = t->most};
  if (read && (!in || in->past || in->from != atomic->touch->draw)) return false;
  if (read && (read->runner != atomic->runner || store->runner != atomic->runner || store->block != atomic->block))
    return false;
  return trace(c, out) && out->from == atomic->touch->draw;
}

static void note_bound(struct counter *counter, const struct drawn *drawn) {
  if (drawn->limit > counter->bound) counter->bound = drawn->limit;
  if (drawn->most < counter->most) counter->most = drawn->most;
}

/* True if some way leads from an atomic back to it. `counter`: that does not bound the number drawn; notes the bounds
 * of the others. NULL: any way. */
static bool comes_again(const struct conflicts *c, const struct access *atomic, struct counter *counter) {
  const struct runner *r = conflict_thread(c, atomic);
  const struct arena_mark mark = arena_mark(c->launch->memory.arena);
  bool *seen = ARENA_ARRAY(c->launch->memory.arena, bool, r->blocks.len);
  VEC(uint32_t) list = {0};
  VEC_PUSH(c->launch->memory.arena, &list, atomic->block);
  for (uint32_t i = 0; i < list.len; i++) {
    const struct block *b = &r->blocks.data[list.data[i]];
    for (uint32_t k = 0; k < (b->guard ? 2 : 1); k++) {
      const uint32_t to = b->guard ? b->ways[k] : b->next[0];
      struct drawn drawn;
      if (to == NO_BLOCK || seen[to]) continue;
      seen[to] = true;
      if (!counter || !bounds(c, atomic, r->blocks.data[to].tested, &drawn))
        VEC_PUSH(c->launch->memory.arena, &list, to);
      else note_bound(counter, &drawn);
    }
  }
  const bool again = seen[atomic->block];
  arena_rewind(c->launch->memory.arena, mark);
  return again;
}

/* Counts the numbers that an atomic draws, beside those up to the bound of its loop. False: it is not known. A thread
 * that drew one beyond stays for at most one more. */
static bool count_draws(const struct conflicts *c, const struct access *atomic, struct counter *counter) {
  const bool loops = c->sites.data[atomic->site].loops && comes_again(c, atomic, NULL);
  counter->loops = counter->loops || loops;
  counter->count += loops ? 2 : 1;
  return !loops || !comes_again(c, atomic, counter);
}

static struct counter counter_of(const struct conflicts *c, const struct draw *draw) {
  const struct region *region = draw->region;
  struct counter out = {
      .draw = draw, .most = UINT64_MAX, .right = region->space == SPACE_GLOBAL && c->launch->runs.len == 1};
  for (uint32_t k = 0; k < draw->bytes; k++) {
    out.right = out.right && memory_byte(region, draw->at + k)->first == CELL_KNOWN;
    out.first |= (uint64_t)memory_byte(region, draw->at + k)->initial << (8 * k);
  }
  for (uint32_t pass = 0; pass < 2; pass++) {
    VEC_EACH (a, &c->accesses) {
      bool alias = a->region != region && region->object && a->region->object == region->object;
      bool own = a->region == region && (a->touch->open || (a->at < draw->at + draw->bytes && draw->at < a->end));
      if ((!alias && !own) || (own && steps(c, &out, a))) {
        if (!pass && own) out.right = count_draws(c, a, &out) && out.right;
        continue;
      }
      const bool writes = a->touch->writes || a->touch->mbarrier;
      out.read = out.read || !writes || c->sites.data[a->site].in->kind != INSTR_STORE;
      if (pass && out.right && writes) out.right = own && sets_back(c, &out, a);
    }
    const uint64_t most = (uint64_t)value_mask(8 * draw->bytes);
    if (!pass && out.loops && out.bound >= out.first) out.count += (out.bound - out.first) / draw->added + 1;
    out.right =
        out.right && out.count && draw->added <= most / out.count && draw->added * out.count <= most - out.first;
    out.last = out.first + (out.count - 1) * draw->added;
    out.right = out.right && out.last <= draw->limit && out.last <= out.most;
  }
  return out;
}

uint64_t conflict_numbers(const struct conflicts *c, const struct draw *draw, uint64_t *last) {
  const struct counter counter = counter_of(c, draw);
  *last = counter.last;
  return counter.right && !counter.read ? counter.count : 0;
}

/* How many numbers below 0 the place with which a loop begins would have its own. */
static uint64_t steps_below(const struct drawn *drawn) { return (drawn->base - drawn->first) / drawn->scale; }

/* True if the place with which a loop begins, if it does, is that of a number below those of the counter. */
static bool begins_below(const struct counter *counter, const struct drawn *drawn) {
  if (!drawn->begins) return true;
  return drawn->first < drawn->base && (drawn->base - drawn->first) % drawn->scale == 0 &&
         steps_below(drawn) + (value_t)counter->first >= counter->draw->added;
}

/* True if all places that the access may have are in its region, or it may grow to them, and aligned; notes
 * them. */
static bool is_inside(struct access *a, const struct counter *counter) {
  const struct drawn *drawn = a->touch->drawn;
  const uint64_t unit = a->touch->unit, begin = a->region->base, step = drawn->scale;
  const uint64_t last = counter->last < drawn->limit ? counter->last : drawn->limit;
  if (!unit || unit > 16 || drawn->base % unit || step % unit || drawn->base < begin) return false;
  if (counter->last > UINT32_MAX || step > UINT32_MAX) return false;
  const uint64_t end = drawn->base - begin + step * last + unit;
  if (end > memory_room(a->region)) return false;
  a->at = (uint32_t)(drawn->base - begin), a->end = (uint32_t)end;
  if (end > a->region->reach) a->region->reach = (uint32_t)end;
  return true;
}

/* ---- places */

static const struct counter *find_counter(struct conflicts *c, struct counters *counters, const struct draw *draw) {
  VEC_EACH (counter, &counters->list)
    if (run_draws_of(counter->draw, draw)) return counter;
  if (counters->list.len == MOST_COUNTERS) return NULL;
  VEC_PUSH(c->launch->memory.arena, &counters->list, counter_of(c, draw));
  return &counters->list.data[counters->list.len - 1];
}

static bool is_earlier(struct access **a, struct access **b) {
  const struct drawn *x = (*a)->touch->drawn, *y = (*b)->touch->drawn;
  return x->from != y->from ? x->from->number < y->from->number : x->base < y->base;
}

static void forget(struct access *a) {
  a->touch->drawn = NULL;
  a->touch->inside = false;
}

/* Numbers with which loops begin count if each is that of one instruction, a step or more from those of all others.
 * Then each place may be that of any of them, as those from other numbers do. `list`: in order of instructions. */
static void number_first(struct arena *arena, struct access **list, uint32_t count) {
  VEC(const struct drawn *) firsts = {0};
  uint64_t most = 0;
  bool right = true;
  for (uint32_t i = 0; i < count; i++) {
    const struct drawn *own = list[i]->touch->drawn, *last = firsts.len ? firsts.data[firsts.len - 1] : NULL;
    if (!own->begins) continue;
    if (steps_below(own) > most) most = steps_below(own);
    if (!last || last->from != own->from) VEC_PUSH(arena, &firsts, own);
    else right = right && steps_below(last) == steps_below(own);
  }
  for (uint32_t i = 0; i < firsts.len; i++)
    for (uint32_t k = 0; k < i; k++) {
      const uint64_t x = steps_below(firsts.data[i]), y = steps_below(firsts.data[k]);
      right = right && (x > y ? x - y : y - x) >= firsts.data[i]->from->added;
    }
  for (uint32_t i = 0; i < count; i++) {
    const struct drawn *own = list[i]->touch->drawn;
    const value_t below = (value_t)most * own->scale;
    if (own->begins && right && below <= list[i]->at) list[i]->at -= (uint32_t)below;
    else if (own->begins) forget(list[i]);
  }
}

/* Places from one number count as sets only if nothing else has to compare them: those with a byte in common are of one
 * thread, are read, or are ordered. So accesses from other numbers tell nothing apart, and one stands for all. */
static void compare_own(struct conflicts *c) {
  VEC(struct access *) list = {0};
  VEC_EACH (a, &c->accesses)
    if (a->touch->open && a->touch->drawn) VEC_PUSH(c->launch->memory.arena, &list, a);
  VEC_SORT(&list, is_earlier);
  number_first(c->launch->memory.arena, list.data, list.len);
  for (uint32_t i = 0; i < list.len; i++)
    for (uint32_t k = i + 1; k < list.len && list.data[i]->touch->drawn; k++) {
      struct access *a = list.data[i], *b = list.data[k];
      const struct drawn *x = a->touch->drawn, *y = b->touch->drawn;
      if (!y) continue;
      if (x->from != y->from || y->base >= x->base + a->touch->unit) break;
      if (a->runner == b->runner || !(a->touch->writes || b->touch->writes)) continue;
      if (a->region == b->region && (comes_before(c, a, b) || comes_before(c, b, a))) continue;
      forget(a);
      forget(b);
    }
}

void conflict_find_draws(struct conflicts *c) {
  struct counters counters = {0};
  const bool on = does(c->launch->x, TECHNIQUE_DRAWS);
  VEC_EACH (a, &c->accesses)
    if (a->touch->draw && !a->touch->writes) a->touch->draw->access = a;
  VEC_EACH (a, &c->accesses) {
    struct draw *draw = a->touch->draw;
    if (draw && draw->access && draw->access->block != a->block) draw->access = NULL;
  }
  VEC_EACH (a, &c->accesses) {
    struct drawn drawn;
    if (!a->touch->open || !a->touch->drawn) continue;
    drawn = *a->touch->drawn;
    a->touch->drawn = NULL;
    const struct counter *counter = on && trace(c, &drawn) ? find_counter(c, &counters, drawn.from) : NULL;
    if (!counter || !counter->right || counter->last > drawn.most || !begins_below(counter, &drawn)) continue;
    a->touch->drawn = ARENA_COPY(c->launch->memory.arena, &drawn);
    a->touch->inside = is_inside(a, counter);
    if (!drawn.from->region->given) drawn.from->region->decides = true;
  }
  compare_own(c);
}

/* Two numbers are a step or more apart: true of places from both that have no byte in common. */
static bool is_within_step(const struct drawn *x, const struct drawn *y, uint32_t unit) {
  const struct draw *from = x->from, *other = y->from;
  const uint64_t apart = x->base > y->base ? x->base - y->base : y->base - x->base;
  if (x->scale != y->scale || x->scale > UINT32_MAX || from->added > UINT32_MAX || apart > UINT32_MAX) return false;
  if (from->region != other->region || from->at != other->at || from->added != other->added) return false;
  return apart + unit <= x->scale * from->added;
}

bool conflict_draws_apart(const struct access *a, const struct access *b) {
  const struct drawn *x = a->touch->drawn, *y = b->touch->drawn;
  const uint32_t unit = a->touch->unit > b->touch->unit ? a->touch->unit : b->touch->unit;
  if (!x || !y || !a->touch->open || !b->touch->open || !a->touch->unit || !b->touch->unit) return false;
  if (!is_within_step(x, y, unit)) return false;
  return x->from != y->from || x->base >= y->base + unit || y->base >= x->base + unit;
}

bool conflict_draws_alike(const struct access *a, const struct access *b) {
  const struct drawn *x = a->touch->drawn, *y = b->touch->drawn;
  return x && y && x->base == y->base && x->begins == y->begins && a->touch->unit == b->touch->unit &&
         is_within_step(x, y, a->touch->unit);
}
