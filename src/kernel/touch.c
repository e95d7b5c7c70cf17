/* The bytes of memory that a thread reads and writes as it runs on constants. */
#include "kernel/run.h"

enum { MOST_LEVELS = 12 };

static struct wrote wrote_of(const struct runner *r, struct region *region, uint32_t at, uint32_t bytes) {
  return (struct wrote){.region = region,
                        .at = at,
                        .bytes = bytes,
                        .epoch = r->epoch,
                        .cta = r->cta,
                        .thread = r->number,
                        .step = r->written,
                        .before = r->wrote};
}

/* A region to which a constant in the sum points; *count: the number of such constants. */
static struct region *base_in(const struct runner *r, term_id id, uint32_t *count) {
  const struct term *term = term_get(r->walk.terms, id);
  uint32_t at;
  struct region *region = term->op == TERM_CONST ? run_find(r, (uint64_t)term->constant, &at) : NULL;
  if (region) ++*count;
  if (term->op != TERM_ADD) return region;
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

/* True if a value is a multiple of a power of two, whatever its leaves are; looks at so many levels of its term. */
static bool is_multiple(const struct runner *r, term_id id, uint64_t of, unsigned levels) {
  const struct term *term = term_get(r->walk.terms, id),
                    *by = term->op == TERM_SHL ? term_get(r->walk.terms, term->b) : NULL;
  if (of == 1 || of & (of - 1) || levels == 0) return of == 1;
  if (term->op == TERM_CONST) return (uint64_t)term->constant % of == 0;
  if (by) return by->op == TERM_CONST && (by->constant >= 64 || (uint64_t)1 << (int)by->constant >= of);
  if (term->op == TERM_ZEXT || term->op == TERM_SEXT) return is_multiple(r, term->a, of, levels - 1);
  bool both = term->op == TERM_ADD || term->op == TERM_SUB || term->op == TERM_OR;
  if (!both && term->op != TERM_MUL && term->op != TERM_AND) return false;
  bool first = is_multiple(r, term->a, of, levels - 1);
  return first == both ? is_multiple(r, term->b, of, levels - 1) : first;
}

void run_touch_anywhere(struct runner *r, term_id id, enum space space, uint32_t bytes, bool write) {
  const struct region *base = id == TERM_FALSE ? NULL : run_base(r, id);
  uint32_t unit = bytes && is_multiple(r, id, bytes, MOST_LEVELS) ? bytes : 0;
  VEC_VALUES (region, &r->run->memory->regions) {
    bool local = region->space == SPACE_LOCAL, other = space != SPACE_GENERIC && !is_in(region, space);
    if (region->space == SPACE_PARAM || (local && region->owner != r->number) || other) continue;
    if (base && region != base && !base->replicas) continue;
    region->whole = true;
    if (write) memory_lose(r->run->memory, region), history_lose(r->run->memory, region);
    bool far = region->space == SPACE_SHARED && region->owner - r->cluster_first >= r->cluster_size;
    if (far || (local && region != base)) continue;
    VEC_PUSH(r->run->memory->arena, &r->touches,
             (struct touch){.region = region, .unit = unit, .writes = write, .open = true});
  }
}

static void touch_at(struct runner *r, uint64_t where, uint32_t bytes, bool write, const value_t *value) {
  uint32_t at;
  struct memory *m = r->run->memory;
  struct region *region = run_find(r, where, &at);
  uint32_t unit = bytes < 16 ? bytes : 16;
  if (!region || at + bytes > region->size || (unit && where % unit)) r->strays = true;
  if (!region || at + bytes > region->size) return; /* the columns report the error */
  bool peer = region->space == SPACE_SHARED && region->owner != r->cta;
  if (r->walk.predicate != TERM_TRUE || peer) value = NULL;
  struct wrote wrote = wrote_of(r, region, at, bytes);
  wrote.how = value ? WROTE_VALUE : r->sum ? WROTE_SUM : WROTE_OTHER;
  wrote.value = value ? *value & value_mask(bytes < 16 ? 8 * bytes : 128) : r->sum ? *r->sum : 0;
  if (write) r->wrote = history_note(m, wrote);
  if (write) memory_write(m, region, at, bytes, r->epoch, value);
  VEC_PUSH(m->arena, &r->touches, (struct touch){.region = region, .at = at, .bytes = bytes, .writes = write});
}

void run_touch(struct runner *r, uint64_t address, uint32_t bytes, bool writes) {
  touch_at(r, address, bytes, writes, NULL);
}

void run_touch_whole(struct runner *r, uint64_t address, uint32_t bytes) {
  struct touch all = {.bytes = bytes, .pointer = true, .joins = true};
  all.region = run_find(r, address, &all.at);
  if (bytes <= 16 && bytes && address % bytes) r->strays = true;
  if (all.region && all.at + bytes <= all.region->size) VEC_PUSH(r->run->memory->arena, &r->touches, all);
}

void run_touch_object(struct runner *r, uint64_t address) {
  uint32_t before = r->touches.len;
  touch_at(r, address, 8, true, NULL);
  if (r->touches.len > before) r->touches.data[r->touches.len - 1].mbarrier = true;
}

enum cell run_get(struct runner *r, uint64_t address, uint32_t bytes, value_t *value) {
  uint32_t at = 0;
  struct region *region = run_find(r, address, &at);
  if (!region || at + bytes > region->size) return CELL_OPEN;
  struct wrote word = wrote_of(r, region, at, bytes);
  if (history_recall(&word, value)) return CELL_KNOWN;
  return memory_read(r->run->memory, region, at, bytes, r->epoch, value);
}

void run_put(struct runner *r, uint64_t address, uint32_t bytes, const value_t *value) {
  touch_at(r, address, bytes, true, value);
}
