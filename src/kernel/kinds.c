/* Kinds of threads (docs/semantics.md T10, K16). A permutation of clusters whose threads have equal kinds maps
 * executions to executions: it changes only addresses and values of weak accesses that decide nothing. So does one of
 * threads of a CTA, with their warps where barriers of the warp order lanes with one another. So one of several
 * conflicts of the same instructions and relation of places stands for all.
 *
 * Values decide something if they reach a branch, a guard, or an access that may order others: through registers, all
 * of one kernel together, and through bytes of memory. Accesses to such bytes are part of a kind, with their places. A
 * thread at which this is not enough has its group as its kind. */
#include "kernel/needs.h"

struct deciding {
  struct launching *launch;
  bool **bytes;        /* by region and byte: what decides something may be there */
  const bool *written; /* by region: some thread writes it */
  bool again;
};

/* A weak load or store, also of rows of matrices, a relaxed one as in relaxed.c, an atomic there that commutes with all
 * others at its bytes, or cp.async without an mbarrier object: it orders nothing. Nor does a weak load through another
 * proxy, as ld.global.nc (8.6): threads of one kind, which go the same ways, have the same proxies there. */
static bool is_plain(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  if (in->tiled == TILED_ROWS) return true;
  if (in->kind == INSTR_ASYNC) return in->async->action == ASYNC_COPY && in->async->list == GROUP_COPY;
  if (in->kind == INSTR_ATOM || in->kind == INSTR_RED) return relaxed_commute(r->run, remnant->end);
  if (in->kind == INSTR_LOAD && in->sem == SEM_WEAK && !in->is_volatile && !in->is_mmio) return true;
  return (in->kind == INSTR_LOAD || in->kind == INSTR_STORE) &&
         (is_plain_weak(in) || relaxed_have(r->run, remnant->end));
}

static bool is_bulk(const struct instr *in) {
  return in->kind == INSTR_ASYNC && in->async->action == ASYNC_BULK && !in->async->reduces && !in->async->replicas;
}

/* True of an exchange with a known mask too: which lanes come follows from their paths. */
static bool computes(const struct instr *in) {
  return in->kind == INSTR_ALU || in->kind == INSTR_UNSUPPORTED ||
         (in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES);
}

/* ---- what decides */

static void mark(struct deciding *d, struct body *body, uint32_t reg) {
  if (reg == NO_REG || bitset_has(body->deciding, reg)) return;
  bitset_add(body->deciding, reg);
  d->again = true;
}

/* A register that the remnant has a value for decides nothing. */
static void mark_named(struct deciding *d, const struct runner *r, const struct remnant *remnant,
                       const struct litmus_operand *operand) {
  struct body *body = &r->run->body;
  for (; operand; operand = operand->next) {
    const bool list = operand->kind == LITMUS_VECTOR || operand->kind == LITMUS_PAIR || operand->kind == LITMUS_LIST;
    if (list) mark_named(d, r, remnant, operand->u.items);
    bool named = operand->kind == LITMUS_NAME || operand->kind == LITMUS_NEGATED || operand->kind == LITMUS_BRACKET;
    uint32_t reg = named && operand->u.ref.percent ? body_register(body, operand->u.ref.name) : (uint32_t)NO_REG;
    if (reg != NO_REG && !remnant_has_value(r, remnant, reg)) mark(d, body, reg);
  }
}

static void mark_bytes(struct deciding *d, const struct runner *r, const struct remnant *remnant, bool reads) {
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t k = touch->at; k < touch_end(touch) && !(reads && touch->writes); k++) {
      bool *byte = &d->bytes[touch->region->number][k];
      d->again = d->again || !*byte;
      *byte = true;
    }
}

static bool decides(const struct deciding *d, const struct runner *r, const struct remnant *remnant, bool writes) {
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t k = touch->at; k < touch_end(touch) && (!writes || touch->writes); k++)
      if (d->bytes[touch->region->number][k]) return true;
  return false;
}

static void mark_remnant(struct deciding *d, const struct runner *r, const struct remnant *remnant) {
  struct body *body = &r->run->body;
  const struct instr *in = remnant_source(r, remnant);
  if (!in || !remnant->instr) return;
  const struct litmus_operand *o = remnant->instr->operands;
  if (remnant->instr->guard && in->guard.present) mark(d, body, in->guard.reg);
  bool loads = in->kind == INSTR_LOAD || in->tiled == TILED_ROWS;
  if (loads && instr_gives(in, body->deciding)) mark_bytes(d, r, remnant, true);
  if (is_plain(r, remnant) || is_bulk(in)) {
    if (in->kind == INSTR_LOAD || !decides(d, r, remnant, true)) return;
    mark_named(d, r, remnant, o);
    if (in->kind == INSTR_ASYNC) mark_bytes(d, r, remnant, true);
  } else if (instr_is_access(in)) {
    mark_named(d, r, remnant, o && in->kind == INSTR_ATOM ? o->next : in->kind == INSTR_LOAD ? NULL : o);
    if (in->kind == INSTR_ATOM || in->kind == INSTR_RED) mark_bytes(d, r, remnant, false);
  } else if (in->kind == INSTR_MBARRIER) {
    mark_named(d, r, remnant, o && o->kind == LITMUS_NAME ? o->next : o); /* the token of the phase */
  }
}

static void mark_computed(struct deciding *d, struct body *body) {
  ARRAY_EACH (in, body->thread->instrs, body->thread->instr_count)
    if (computes(in) && instr_gives(in, body->deciding))
      EACH_READ (reg, in) mark(d, body, reg);
}

static void mark_thread(struct deciding *d, struct runner *r) {
  VEC_EACH (b, &r->blocks) {
    if (b->guard) mark(d, &r->run->body, r->run->body.thread->instrs[b->split].guard.reg);
    VEC_EACH (remnant, &b->code) mark_remnant(d, r, remnant);
  }
}

static struct deciding find_deciding(struct launching *l) {
  struct deciding d = {.launch = l, .written = tensors_written(l), .again = true};
  struct arena *arena = l->memory.arena;
  d.bytes = ARENA_ARRAY(arena, bool *, l->memory.regions.len);
  VEC_VALUES (region, &l->memory.regions) d.bytes[region->number] = ARENA_ARRAY(arena, bool, region->size);
  VEC_VALUES (run, &l->runs) run->body.deciding = bitset_new(arena, run->body.thread->reg_count + 1);
  while (d.again) {
    d.again = false;
    VEC_VALUES (run, &l->runs) mark_computed(&d, &run->body);
    EACH_RUNNER (r, l) mark_thread(&d, r);
  }
  return d;
}

/* ---- kinds */

/* The place of an access: shared memory of its own cluster is the same in each cluster, local memory in each thread. */
uint64_t kinds_place(const struct runner *r, const struct touch *touch) {
  const struct region *region = touch->region;
  uint64_t rank = region->owner - r->cluster_first, number = region->number;
  if (region->space == SPACE_LOCAL) number = UINT32_MAX;
  if (region->space == SPACE_SHARED && rank < r->cluster_size) number = UINT32_MAX - 1 - rank;
  return hash_mix(hash_mix(number, touch->at), touch->bytes);
}

/* True of a copy in bulk, or through a map, of data alone; not where the box of a tensor that some thread writes is
 * unknown, or some thread writes the map. Its accesses are weak and order nothing (A3): only where and with how many
 * bytes it completes does, not where in global memory it is. */
static bool copies_data(const struct deciding *d, const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  bool tensor = in->tiled == TILED_COPY && !litmus_has_word(&in->ast->qualifiers, ".reduce");
  if ((!is_bulk(in) && !tensor) || decides(d, r, remnant, false)) return false;
  EACH_TOUCH (touch, r, remnant) {
    bool unknown = touch->writes ? touch->somewhere : d->written[touch->region->number];
    if (tensor && unknown && touch->region->space == SPACE_GLOBAL) return false;
  }
  return true;
}

/* True of an instruction that may order or decide something, by more than places and values of `struct deciding`. */
static bool is_irregular(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  EACH_TOUCH (touch, r, remnant)
    if (touch->open) return true;
  if (!in || !remnant->instr || is_plain(r, remnant) || instr_is_access(in) || in->kind == INSTR_MBARRIER) return false;
  const struct litmus_operand *o = remnant->instr->operands;
  if (in->kind == INSTR_ALU || in->kind == INSTR_UNSUPPORTED) return false;
  if (o && instr_result_count(in)) o = o->next;
  if (computes(in))
    while (o && o->next) o = o->next; /* the mask */
  for (; o; o = o->next) {
    const struct litmus_operand *item = o->kind == LITMUS_VECTOR ? o->u.items : o;
    for (; item; item = o->kind == LITMUS_VECTOR ? item->next : NULL)
      if (item->kind == LITMUS_NAME && item->u.ref.percent &&
          !remnant_has_value(r, remnant, body_register(&r->run->body, item->u.ref.name)))
        return true;
  }
  return false;
}

static uint64_t kind_of(const struct deciding *d, struct runner *r) {
  const struct launching *l = d->launch;
  uint64_t hash = l->paths[r->number];
  VEC_EACH (b, &r->blocks)
    VEC_EACH (remnant, &b->code) {
      const struct instr *in = remnant_source(r, remnant);
      if (is_irregular(r, remnant)) return l->groups[r->number];
      EACH_TOUCH (touch, r, remnant)
        if (touch->region->view) hash = hash_mix(hash, touch->region->base); /* views are as proxies (8.7) */
      if (in && is_plain(r, remnant) && !decides(d, r, remnant, false)) continue;
      bool data = in && copies_data(d, r, remnant);
      if (remnant->instr && !data) hash = remnant_numbers(r, remnant, hash);
      EACH_TOUCH (touch, r, remnant)
        if (!data || touch->region->space != SPACE_GLOBAL) hash = hash_mix(hash, kinds_place(r, touch));
    }
  return hash;
}

struct group_kind {
  uint64_t group, kind;
  bool several; /* its threads are of several kinds */
};

struct group_kinds {
  VEC(struct group_kind) list;
  struct hash_index index;
};

static struct group_kind *find_group(struct launching *l, struct group_kinds *kinds, uint64_t group, uint64_t kind) {
  HASH_EACH (n, &kinds->index, group)
    if (kinds->list.data[n].group == group) return &kinds->list.data[n];
  VEC_PUSH(l->memory.arena, &kinds->list, ((struct group_kind){group, kind, false}));
  hash_add(l->memory.arena, &kinds->index, group, kinds->list.len - 1);
  return &kinds->list.data[kinds->list.len - 1];
}

/* By the first CTA of a cluster: the hash of the kinds of its threads, in order. */
static uint64_t *sign_clusters(const struct launching *l) {
  uint64_t *out = ARENA_ARRAY(l->memory.arena, uint64_t, l->ctas.len);
  EACH_RUNNER (r, l) {
    uint64_t *sign = &out[r->cluster_first];
    if (*sign == 0) *sign = hash_mix(r->run->first_cta, l->ctas.data[r->cta].gpu);
    *sign = hash_mix(hash_mix(*sign, (uint64_t)(r->cta - r->cluster_first) << 32 | r->tid), l->kinds[r->number]);
  }
  return out;
}

/* By thread: the hash of the kinds of its warp, in order, if a barrier of the warp orders lanes with one another. */
static uint64_t *sign_warps(const struct launching *l) {
  uint64_t *out = ARENA_ARRAY(l->memory.arena, uint64_t, l->runners.len), sign = 0;
  const struct runner *first = NULL;
  bool meets = false;
  for (uint32_t i = 0, begin = 0; i <= l->runners.len; i++) {
    struct runner *r = i < l->runners.len ? l->runners.data[i] : NULL;
    if (first && (!r || !run_same_warp(r, first)))
      for (; begin < i; begin++) out[begin] = meets ? sign : 0;
    if (!r) break;
    if (begin == i) first = r, sign = 0, meets = false;
    sign = hash_mix(hash_mix(sign, r->tid % WARP_LANES), l->kinds[i]);
    EACH_REMNANT (remnant, r) {
      const struct instr *in = remnant->instr ? remnant_source(r, remnant) : NULL;
      meets = meets || (in && in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_WARP);
    }
  }
  return out;
}

/* A group is of one kind; its own if its threads would be of several. Threads of one kind are in clusters, and if it
 * matters in warps, that have the same kinds; in their clusters they have one rank, since other threads of these may
 * tell the ranks apart. */
void kinds_find(struct launching *l) {
  struct group_kinds groups = {0};
  const struct deciding d = find_deciding(l);
  l->kinds = ARENA_ARRAY(l->memory.arena, uint64_t, l->runners.len);
  l->regular = ARENA_ARRAY(l->memory.arena, bool, l->runners.len);
  EACH_RUNNER (r, l) {
    uint64_t kind = kind_of(&d, r);
    struct group_kind *own = find_group(l, &groups, l->groups[r->number], kind);
    own->several = own->several || own->kind != kind;
  }
  EACH_RUNNER (r, l) {
    const struct group_kind *own = find_group(l, &groups, l->groups[r->number], 0);
    l->kinds[r->number] = own->several ? own->group : own->kind;
    l->regular[r->number] = l->kinds[r->number] != l->groups[r->number];
  }
  const uint64_t *clusters = sign_clusters(l), *warps = sign_warps(l);
  EACH_RUNNER (r, l)
    l->kinds[r->number] =
        hash_mix(hash_mix(hash_mix(l->kinds[r->number], clusters[r->cluster_first]), warps[r->number]),
                 r->cta - r->cluster_first);
}
