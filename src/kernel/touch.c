/* The bytes of memory that a thread reads and writes as it runs on constants. */
#include "kernel/run.h"

/* True if the instruction writes at any time from now on. */
static bool writes_later(const struct instr *in) {
  bool at_once = in->kind != INSTR_ASYNC || in->async->action == ASYNC_TENSOR_ALLOC;
  return !at_once || tiled_kind(in) == TILED_COPY;
}

/* WROTE_ASIDE: an access that the barriers of the thread's CTA do not order, or no count of them does. */
static struct wrote wrote_of(const struct runner *r, struct region *region, uint32_t at, uint32_t bytes) {
  bool local = region->space == SPACE_LOCAL, peer = region->space == SPACE_SHARED && region->owner != r->cta;
  return (struct wrote){.region = region,
                        .at = at,
                        .bytes = bytes,
                        .epoch = local ? 0 : r->so_far.epoch,
                        .cta = r->cta,
                        .thread = r->number,
                        .step = r->written,
                        .before = r->so_far.wrote,
                        .how = peer || (r->so_far.uneven && !local) ? WROTE_ASIDE : WROTE_OTHER};
}

/* A region to which a constant in the sum points; *count: the number of such constants. */
static struct region *base_in(const struct runner *r, term_id id, uint32_t *count) {
  const struct term *term = term_get(r->walk.terms, id);
  uint32_t at;
  struct region *region = term->op == TERM_CONST ? run_find(r, (uint64_t)term->constant, &at) : NULL;
  if (region) ++*count;
  if (term->op != TERM_ADD && term->op != TERM_ITE) return region;
  if (term->op == TERM_ITE) {
    struct region *yes = run_base(r, term->b), *no = run_base(r, term->c);
    *count += yes && yes == no;
    return yes == no ? yes : NULL;
  }
  struct region *a = base_in(r, term->a, count), *b = base_in(r, term->b, count);
  return a ? a : b;
}

struct region *run_base(const struct runner *r, term_id id) {
  uint32_t count = 0;
  struct region *region = base_in(r, id, &count);
  return count == 1 ? region : NULL;
}

/* True if an access in the state space may reach a region: all others than .shared and .local are one. */
static bool is_in(const struct region *region, enum space space) {
  bool shared = region->space == SPACE_SHARED, local = region->space == SPACE_LOCAL;
  return shared == (space == SPACE_SHARED) && local == (space == SPACE_LOCAL);
}

void run_touch_anywhere(struct runner *r, term_id id, enum space space, bool write) {
  const struct region *base = id == TERM_FALSE ? NULL : run_base(r, id);
  VEC_VALUES (region, &r->run->memory->regions) {
    bool local = region->space == SPACE_LOCAL, other = space != SPACE_GENERIC && !is_in(region, space);
    if (region->space == SPACE_PARAM || (local && region->owner != r->number) || other) continue;
    if (base && region != base && !base->replicas) continue;
    region->whole = true;
    if (write) memory_lose(r->run->memory, region), history_lose(r->run->memory, region);
    if (local && region != base) continue;
    VEC_PUSH(r->run->memory->arena, &r->touches, (struct touch){.region = region, .writes = write, .open = true});
  }
}

static void touch_at(struct runner *r, uint64_t where, uint32_t bytes, bool write, const value_t *value) {
  uint32_t at;
  struct memory *m = r->run->memory;
  struct region *region = run_find(r, where, &at);
  if (!region || at + bytes > region->size) return; /* the columns report the error */
  bool peer = region->space == SPACE_SHARED && region->owner != r->cta;
  if (r->walk.predicate != TERM_TRUE || peer) value = NULL;
  struct wrote wrote = wrote_of(r, region, at, bytes);
  if (writes_later(r->walk.instr)) wrote.how = WROTE_ASIDE;
  bool aside = wrote.how == WROTE_ASIDE;
  if (!aside) wrote.how = value ? WROTE_VALUE : r->sum ? WROTE_SUM : WROTE_OTHER;
  wrote.value = value ? *value & value_mask(bytes < 16 ? 8 * bytes : 128) : r->sum ? *r->sum : 0;
  bool unordered = aside || history_may_end(m, r->number, wrote.epoch);
  if (write) r->so_far.wrote = history_note(m, wrote);
  if (write) memory_write(m, region, at, bytes, unordered ? (uint32_t)NO_EPOCH : wrote.epoch, value);
  VEC_PUSH(m->arena, &r->touches, (struct touch){.region = region, .at = at, .bytes = bytes, .writes = write});
}

void run_touch(struct runner *r, uint64_t address, uint32_t bytes, bool writes) {
  touch_at(r, address, bytes, writes, NULL);
}

void run_touch_whole(struct runner *r, uint64_t address, uint32_t bytes) {
  struct touch all = {.bytes = bytes, .pointer = true, .joins = true};
  all.region = run_find(r, address, &all.at);
  if (all.region && all.at + bytes <= all.region->size) VEC_PUSH(r->run->memory->arena, &r->touches, all);
}

void run_touch_object(struct runner *r, uint64_t address) {
  uint32_t before = r->touches.len;
  touch_at(r, address, 8, true, NULL);
  if (r->touches.len > before) r->touches.data[r->touches.len - 1].mbarrier = true;
}

void run_touch_ctas(struct runner *r, uint64_t address, uint32_t bytes, uint32_t mask) {
  for (uint32_t i = 0; i < r->cluster_size; i++) {
    bool own = r->cluster_first + i == r->cta;
    if (own || !(mask >> i & 1)) continue;
    if (bytes) run_touch(r, run_in_cta(r, address, i), bytes, true);
    else run_touch_object(r, run_in_cta(r, address, i));
  }
}

enum cell run_get(struct runner *r, uint64_t address, uint32_t bytes, value_t *value) {
  uint32_t at = 0;
  struct region *region = run_find(r, address, &at);
  if (!region || at + bytes > region->size) return CELL_OPEN;
  struct wrote word = wrote_of(r, region, at, bytes);
  if (history_recall(r->run->memory, &word, value)) return CELL_KNOWN;
  bool peer = region->space == SPACE_SHARED && region->owner != r->cta;
  return memory_read(r->run->memory, region, at, bytes, peer ? 0 : word.epoch, value);
}

void run_put(struct runner *r, uint64_t address, uint32_t bytes, const value_t *value) {
  touch_at(r, address, bytes, true, value);
}
