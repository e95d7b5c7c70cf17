/* Makes stores that come before everything else the initial values of their bytes (docs/semantics.md T10, K16), if the
 * test asks for no value: a counter or a flag in shared memory that one thread sets before a barrier. Such a store
 * happens in every execution, and barriers put every other access to its bytes after it, in each thread, but for
 * earlier stores, which nobody can read: all others find it or a later write, as they find an initial value, which is
 * before everything too. */
#include "kernel/conflicts.h"

/* A store of a constant to shared memory of its CTA. */
struct begun_store {
  struct remnant *remnant;
  const struct access *access;
  value_t value;
  bool begins; /* nothing but stores of the list comes before it, and everything else after it */
};

struct begun_stores {
  const struct conflicts *conflicts;
  VEC(struct begun_store) list;
};

static const struct access *access_of(const struct conflicts *c, const struct touch *touch) {
  const uint32_t *heads = c->heads[touch->region->number];
  for (uint32_t n = heads ? heads[touch->at] : 0; n; n = c->listed.data[n - 1].next)
    if (c->accesses.data[c->listed.data[n - 1].access].touch == touch)
      return &c->accesses.data[c->listed.data[n - 1].access];
  return NULL;
}

static bool is_listed(const struct begun_stores *stores, const struct access *a) {
  VEC_EACH (store, &stores->list)
    if (store->access == a) return true;
  return false;
}

/* An access of the async proxy needs more than the order of barriers (AC6). */
static bool begins(const struct begun_stores *stores, const struct access *a) {
  const struct conflicts *c = stores->conflicts;
  const uint32_t *heads = c->heads[a->region->number], *next = c->next[a->region->number];
  for (uint32_t k = a->at; k < a->end; k = next[k])
    for (uint32_t n = heads[k]; n; n = c->listed.data[n - 1].next) {
      const struct access *b = &c->accesses.data[c->listed.data[n - 1].access];
      bool after = c->sites.data[b->site].at_once && conflict_is_before(c, a, b);
      bool unread = b->at == a->at && b->end == a->end && is_listed(stores, b) && conflict_is_before(c, b, a);
      if (b != a && !after && !unread) return false;
    }
  return c->sites.data[a->site].surely;
}

/* Iterations of an instruction stay together, so that a finding tells them as the kernel has them. */
static bool is_only(struct runner *r, const struct remnant *remnant) {
  EACH_REMNANT (other, r)
    if (other != remnant && other->instr && other->end == remnant->end) return false;
  return true;
}

static bool is_constant(const struct conflicts *c, struct runner *r, const struct remnant *remnant,
                        struct begun_store *out) {
  const struct instr *in = remnant->instr ? remnant_source(r, remnant) : NULL;
  if (!in || in->kind != INSTR_STORE || remnant->touches != 1 || remnant->strays || remnant->instr->guard) return false;
  const struct touch *touch = &r->touches.data[remnant->touch];
  const struct region *region = touch->region;
  const struct litmus_operand *value = remnant->instr->operands->next;
  bool plain = in->elements == 1 && (in->sem == SEM_WEAK || in->sem == SEM_RELAXED) && in->proxy == PROXY_GENERIC;
  bool own = region->space == SPACE_SHARED && region->owner == r->cta && !region->whole && !touch->open;
  if (!plain || in->is_mmio || !own || !value || value->kind != LITMUS_NUMBER) return false;
  out->access = access_of(c, touch);
  if (!out->access || out->access->end - out->access->at != touch->bytes || touch->bytes > 8) return false;
  for (uint32_t k = touch->at; k < touch->at + touch->bytes; k++)
    if (region->represented[k] || region->exact[k]) return false;
  if (!is_only(r, remnant)) return false;
  const value_t bits = value->u.number.value;
  out->value = (value->u.number.negative ? 0 - bits : bits) & value_mask(8 * touch->bytes);
  return true;
}

struct begun_stores *begun_find(struct launching *l) {
  struct begun_stores *out = ARENA_NEW(l->memory.arena, struct begun_stores);
  out->conflicts = l->conflicts;
  if (l->runs.len != 1 || !settled_is_on(l)) return out;
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r) {
      struct begun_store store = {.remnant = remnant};
      if (is_constant(l->conflicts, r, remnant, &store)) VEC_PUSH(l->memory.arena, &out->list, store);
    }
  VEC_EACH (store, &out->list) store->begins = begins(out, store->access);
  return out;
}

static bool is_to(const struct begun_store *store, uint32_t at, uint32_t bytes) {
  return store->access->at == at && store->access->end == at + bytes;
}

/* The store with which these bytes of a CTA begin; NULL: there is none. */
static const struct begun_store *begin_of(const struct begun_stores *stores, uint32_t cta, uint32_t at,
                                          uint32_t bytes) {
  VEC_EACH (store, &stores->list)
    if (store->begins && store->access->region->owner == cta && is_to(store, at, bytes)) return store;
  return NULL;
}

/* Leaves out the stores with which bytes begin, and earlier ones. */
static void drop(const struct begun_stores *stores, uint32_t at, uint32_t bytes) {
  const struct conflicts *c = stores->conflicts;
  VEC_EACH (store, &stores->list) {
    if (!is_to(store, at, bytes)) continue;
    const struct begun_store *begin = begin_of(stores, store->access->region->owner, at, bytes);
    if (store == begin || conflict_is_before(c, store->access, begin->access)) store->remnant->instr = NULL;
  }
}

bool begun_take(struct begun_stores *stores, uint32_t at, uint32_t bytes, value_t *value) {
  const struct begun_store *first = NULL;
  VEC_EACH (store, &stores->list)
    if (!first && store->begins && is_to(store, at, bytes)) first = store;
  if (!first) return false;
  EACH_COLUMN (r, stores->conflicts->launch)
    VEC_EACH (touch, &r->touches) {
      const struct region *region = touch->region;
      if (region->space != SPACE_SHARED || touch->at >= at + bytes || touch->at + touch->bytes <= at) continue;
      const struct begun_store *own = begin_of(stores, region->owner, at, bytes);
      if (!own || own->value != first->value) return false;
    }
  drop(stores, at, bytes);
  *value = first->value;
  return true;
}
