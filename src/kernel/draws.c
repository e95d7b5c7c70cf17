/* Accesses at places that their own thread drew from a counter, as in `pool[atomicAdd(next, 4) + i]`.
 *
 * All writes to the bytes of the counter are atomics that add one constant, and all are morally strong with one
 * another. So each reads what the one before it wrote (PTX ISA 9.4, 8.10.3 "Atomicity"), the first one the initial
 * value, and what they draw are the numbers from the initial value on, in steps of the constant, each drawn once. As
 * sets, places of two threads are apart if both lie in as many bytes from the number on as a step has
 * (conflict_draws_apart). */
#include "kernel/conflicts.h"

enum { MOST_COUNTERS = 16 };

struct counter {
  const struct draw *draw;
  uint64_t first, last; /* numbers that are drawn */
  bool right;
};

static bool is_of(const struct counter *counter, const struct draw *draw) {
  const struct draw *own = counter->draw;
  return own->counter == draw->counter && own->at == draw->at && own->bytes == draw->bytes && own->added == draw->added;
}

/* True of an atomic that is one step of the counter, at most once in an execution. */
static bool steps(const struct conflicts *c, const struct counter *counter, const struct access *a) {
  const struct access_site *site = &c->sites.data[a->site];
  const struct instr *in = site->in;
  bool several = false;
  for (uint32_t i = 0; i < c->launch->ctas.len; i++)
    several = several || c->launch->ctas.data[i].gpu != c->launch->ctas.data[0].gpu;
  bool wide = in->scope == SCOPE_SYS || (in->scope == SCOPE_GPU && !several);
  return a->touch->adds && is_of(counter, a->touch->adds) && site->strong && wide && !in->is_mmio && !site->loops;
}

static struct counter counter_of(const struct conflicts *c, const struct draw *draw) {
  const struct region *region = draw->counter;
  struct counter out = {.draw = draw, .right = region->space == SPACE_GLOBAL && c->launch->runs.len == 1};
  uint64_t count = 0;
  for (uint32_t k = 0; k < draw->bytes; k++) {
    out.right = out.right && region->first[draw->at + k] == CELL_KNOWN;
    out.first |= (uint64_t)region->values[draw->at + k] << (8 * k);
  }
  VEC_EACH (a, &c->accesses) {
    bool alias = a->region != region && region->object && a->region->object == region->object;
    bool own = a->region == region && (a->touch->open || (a->at < draw->at + draw->bytes && draw->at < a->end));
    if (!(alias || own) || !(a->touch->writes || a->touch->mbarrier)) continue;
    out.right = out.right && own && steps(c, &out, a);
    count++;
  }
  const uint64_t most = (uint64_t)value_mask(8 * draw->bytes);
  out.right = out.right && count && draw->added <= most / count && draw->added * count <= most - out.first;
  out.last = out.first + (count - 1) * draw->added;
  return out;
}

/* True if all places that the access may have are in its region, and aligned. */
static bool is_inside(const struct access *a, const struct counter *counter) {
  const struct drawn *drawn = a->touch->drawn;
  const uint64_t unit = a->touch->unit, begin = a->region->base, step = drawn->scale;
  if (!unit || unit > 16 || drawn->base % unit || step % unit || drawn->base < begin) return false;
  if (counter->last > UINT32_MAX || step > UINT32_MAX) return false;
  return drawn->base - begin + step * counter->last + unit <= a->region->size;
}

void conflict_find_draws(struct conflicts *c) {
  VEC(struct counter) counters = {0};
  VEC_EACH (a, &c->accesses) {
    const struct drawn *drawn = a->touch->drawn;
    uint32_t n = 0;
    if (!drawn) continue;
    while (n < counters.len && !is_of(&counters.data[n], drawn->from)) n++;
    if (n == counters.len && n < MOST_COUNTERS)
      VEC_PUSH(c->launch->memory.arena, &counters, counter_of(c, drawn->from));
    const struct counter *counter = n < counters.len ? &counters.data[n] : NULL;
    bool right = does(c->launch->x, TECHNIQUE_DRAWS) && counter && counter->right && counter->last <= drawn->most;
    a->touch->inside = right && is_inside(a, counter);
    if (!right) a->touch->drawn = NULL;
    else if (!drawn->from->counter->given) counter->draw->counter->decides = true;
  }
}

bool conflict_draws_apart(const struct access *a, const struct access *b) {
  const struct drawn *x = a->touch->drawn, *y = b->touch->drawn;
  if (!x || !y || a->runner == b->runner || x->scale != y->scale || !a->touch->unit || !b->touch->unit) return false;
  const uint64_t apart = x->base > y->base ? x->base - y->base : y->base - x->base;
  const uint64_t unit = a->touch->unit > b->touch->unit ? a->touch->unit : b->touch->unit;
  if (x->from->counter != y->from->counter || x->from->at != y->from->at || x->from->added != y->from->added)
    return false;
  return x->scale <= UINT32_MAX && x->from->added <= UINT32_MAX && apart < UINT32_MAX &&
         apart + unit <= x->scale * x->from->added;
}
