#include "kernel/memory.h"

#include "base/hash.h"

/* An array with room for `size` elements in place of one with `before`. */
static void *widened(struct arena *arena, const void *old, uint32_t before, uint32_t size, size_t bytes) {
  void *new = arena_calloc(arena, size, bytes);
  if (before) memcpy(new, old, before * bytes);
  return new;
}

static void set_size(struct memory *m, struct region *r, uint32_t size) {
  const uint32_t before = r->size;
  struct arena *old = r->arena, *arena = r->most ? arena_scratch(m->arena) : m->arena;
#define WIDEN(array) r->array = widened(arena, r->array, before, size, sizeof *r->array)
  WIDEN(cells), WIDEN(bytes), WIDEN(first), WIDEN(values), WIDEN(epochs), WIDEN(few), WIDEN(few_count);
  WIDEN(few_used), WIDEN(used), WIDEN(open), WIDEN(passing), WIDEN(represented), WIDEN(exact), WIDEN(wanted),
      WIDEN(parted);
  if (r->space != SPACE_SHARED && r->space != SPACE_LOCAL) WIDEN(writers);
  if (r->rests) WIDEN(rests);
  if (r->before.heads) WIDEN(before.heads);
  if (r->now.heads) WIDEN(now.heads);
#undef WIDEN
  if (old) arena_release(old);
  r->size = size, r->arena = r->most ? arena : NULL;
}

enum { FAR_BITS = 32, ROOM_BITS = 36, NARROW_BITS = 24 };

uint32_t memory_largest(const struct memory *m) {
  return (uint32_t)(((uint64_t)1 << (m->narrow ? NARROW_BITS : FAR_BITS)) - STEP);
}

static void place(struct memory *m, struct region *r, uint64_t room) {
  r->base = m->next ? m->next : m->narrow ? NARROW_BASE : GLOBAL_BASE;
  m->next = (r->base + room + GLOBAL_GAP + GLOBAL_ALIGNMENT - 1) / GLOBAL_ALIGNMENT * GLOBAL_ALIGNMENT;
}

/* The number of regions that begin at or below an address. */
static uint32_t count_below(const struct memory *m, uint64_t address) {
  uint32_t low = 0, high = m->by_base.len;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (m->by_base.data[middle]->base <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

static void enter(struct memory *m, struct region *r) {
  const uint32_t at = count_below(m, r->base);
  VEC_PUSH(m->arena, &m->by_base, r);
  for (uint32_t i = m->by_base.len - 1; i > at; i--) m->by_base.data[i] = m->by_base.data[i - 1];
  m->by_base.data[at] = r;
}

struct region *memory_add(struct memory *m, const char *name, enum space space, uint64_t base, uint32_t size) {
  struct region *region =
      ARENA_MAKE(m->arena, struct region, .number = m->regions.len, .name = name, .space = space, .base = base);
  if (!base) place(m, region, size);
  set_size(m, region, size);
  VEC_PUSH(m->arena, &m->regions, region);
  if (space != SPACE_LOCAL) enter(m, region);
  return region;
}

void memory_add_local(struct memory *m, uint32_t thread, uint32_t size) {
  struct region *region = memory_add(m, NULL, SPACE_LOCAL, LOCAL_BASE, size);
  region->owner = thread;
  while (m->locals.len <= thread) VEC_PUSH(m->arena, &m->locals, NULL);
  m->locals.data[thread] = region;
}

void memory_join(struct region *first, struct region *view) {
  const struct region own = *view;
  *view = *first;
  view->name = own.name, view->base = own.base, view->given = own.given;
  first->view = view->view = true;
}

/* The bytes that a region has grown by are 0 initially. */
static void grow(struct memory *m, struct region *r, uint64_t end) {
  uint32_t before = r->size;
  uint64_t size = (end + STEP - 1) / STEP * STEP, twice = 2 * (uint64_t)before;
  if (size < twice) size = twice;
  set_size(m, r, size < r->most ? (uint32_t)size : r->most);
  for (uint32_t k = before; k < r->size; k++) {
    memory_set(r, k, 0, 1);
    r->cells[k] = r->lost ? CELL_OPEN : CELL_KNOWN;
    r->open[k] = r->lost;
    if (r->lost) r->few_count[k] = MOST_FEW + 1;
  }
}

struct region *memory_add_large(struct memory *m, const char *name, uint64_t base, uint32_t most) {
  struct region *region = memory_add(m, name, SPACE_GLOBAL, base, 0);
  region->most = most;
  uint64_t room = (uint64_t)1 << (m->narrow ? NARROW_BITS : ROOM_BITS);
  if (!base) m->next = region->base, place(m, region, room > most ? room : most);
  grow(m, region, 1);
  return region;
}

bool memory_holds(struct memory *m, struct region *r, uint32_t at, uint32_t bytes) {
  uint64_t end = (uint64_t)at + bytes;
  if (end > r->size && end <= r->most && !m->fixed) grow(m, r, end);
  return end <= r->size;
}

struct region *memory_at(const struct memory *m, uint64_t address) {
  const uint32_t below = count_below(m, address);
  struct region *r = below ? m->by_base.data[below - 1] : NULL;
  return r && address - r->base < memory_room(r) ? r : NULL;
}

struct region *memory_find(struct memory *m, uint64_t address, uint32_t cta, uint32_t thread) {
  bool own = address >= SHARED_BASE && address < SHARED_BASE + SHARED_WINDOW;
  if (own) address = PEERS_BASE + (uint64_t)cta * SHARED_WINDOW + (address - SHARED_BASE);
  const bool local = address >= LOCAL_BASE && address < SHARED_BASE;
  struct region *r = !local ? memory_at(m, address) : thread < m->locals.len ? m->locals.data[thread] : NULL;
  if (!r || address - r->base >= memory_room(r)) return NULL;
  return memory_holds(m, r, (uint32_t)(address - r->base), 1) ? r : NULL;
}

void memory_note_beyond(struct memory *m, uint64_t address, uint32_t bytes) {
  m->outside = true;
  VEC_VALUES (r, &m->regions) {
    uint64_t size = memory_room(r), end = address + bytes - r->base;
    bool just = address >= r->base && address - r->base < size + GLOBAL_GAP && end > size;
    if (just && r->space == SPACE_GLOBAL && end > r->beyond) r->beyond = end;
  }
}

struct region *memory_named(const struct memory *m, const char *name) {
  for (uint32_t i = 0; i < m->regions.len; i++)
    if (m->regions.data[i]->name == name) return m->regions.data[i];
  return NULL;
}

void memory_set(struct region *region, uint32_t at, value_t value, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes && at + i < region->size; i++) {
    region->first[at + i] = CELL_KNOWN;
    region->values[at + i] = region->few[at + i][0] = (uint8_t)(value >> (8 * i));
    region->few_count[at + i] = 1;
  }
}

void memory_follow(struct memory *m, struct region *r) {
  if (history_has(r) || r->view) return;
  r->followed = m->anew = m->again = true;
}

void memory_by_turns(struct memory *m) {
  m->again = m->again || !m->by_turns;
  m->by_turns = true;
}

/* True if the writes of this round are equal to the writes that it assumed, or no thread asked for these. */
bool memory_settled(const struct memory *m) {
  if (!m->asked && !m->cautious) return !m->again;
  VEC_VALUES (r, &m->regions)
    if (!history_settled(r)) return false;
  return !m->again && history_kept(m);
}

/* The first round knows no value of memory that has a history, so that it loses addresses which later rounds know. Each
 * round proves on its own what it takes for known. */
static void keep_passing(struct region *r, bool all) {
  if (all) memset(r->parted, 0, r->size);
  for (uint32_t k = 0; k < r->size; k++) {
    if (!r->passing[k] && !all) continue;
    r->passing[k] = r->open[k] = false;
    r->few_count[k] = r->first[k] == CELL_KNOWN;
  }
}

void memory_begin(struct memory *m) {
  const bool anew = m->anew; /* values found so far were fewer */
  if (anew) m->round = 0;
  m->again = m->asked = m->anew = false;
  m->unknowns.len = 0;
  history_turn(m);
  VEC_VALUES (r, &m->regions) {
    memcpy(r->cells, r->first, r->size);
    memcpy(r->bytes, r->values, r->size);
    memset(r->used, 0, r->size);
    memset(r->few_used, 0, r->size);
    memset(r->epochs, 0, r->size * sizeof *r->epochs);
    if (history_has(r)) history_begin(m->arena, r);
    if (m->round == 2 || anew) keep_passing(r, anew);
    r->whole = r->view;
    r->lost = r->decides = false;
    for (uint32_t k = 0; k < r->size; k++)
      if (r->open[k]) r->cells[k] = CELL_OPEN;
  }
}

/* Marks as unknown a byte whose value may be written only after the read, in the same epoch or a later one. */
static void open_early(struct memory *m, struct region *r, uint32_t k, uint32_t epoch) {
  bool early = m->cautious && r->first[k] == CELL_BLANK && r->cells[k] == CELL_KNOWN && r->epochs[k] >= epoch;
  if (!early) return;
  m->again = m->again || r->used[k];
  r->open[k] = true;
  r->cells[k] = CELL_OPEN;
}

enum cell memory_read(struct memory *m, struct region *r, uint32_t at, uint32_t bytes, uint32_t epoch, value_t *value) {
  bool blank = false;
  *value = 0;
  for (uint32_t i = 0; i < bytes; i++) {
    open_early(m, r, at + i, epoch);
    if (r->cells[at + i] == CELL_OPEN) return CELL_OPEN;
    blank = blank || r->cells[at + i] == CELL_BLANK;
    *value |= (value_t)r->bytes[at + i] << (8 * i);
  }
  if (blank) return CELL_BLANK;
  for (uint32_t i = 0; i < bytes; i++) r->used[at + i] = true;
  return CELL_KNOWN;
}

bool memory_few(const struct region *r, uint32_t at, uint32_t bytes, struct few *out) {
  *out = (struct few){.count = 1, .bytes = bytes};
  for (uint32_t i = 0; i < bytes; i++) {
    struct few before = *out;
    uint32_t count = r->few_count[at + i];
    if (r->first[at + i] != CELL_KNOWN || before.count * count > MOST_FEW) return false;
    for (uint32_t k = 0; k < before.count * count; k++)
      out->values[k] = before.values[k / count] | (value_t)r->few[at + i][k % count] << (8 * i);
    out->count = before.count * count;
  }
  for (uint32_t i = 0; i < bytes; i++) r->few_used[at + i] = true;
  return true;
}

/* NULL: any value is possible. */
static void add_few(struct memory *m, struct region *r, uint32_t k, const uint8_t *byte) {
  uint8_t *count = &r->few_count[k];
  if (*count > MOST_FEW) return;
  for (uint32_t i = 0; i < *count && byte; i++)
    if (r->few[k][i] == *byte) return;
  if (byte && *count < MOST_FEW) r->few[k][(*count)++] = *byte;
  else *count = MOST_FEW + 1;
  m->again = m->again || r->few_used[k];
}

static void lose(struct memory *m, struct region *r, uint32_t k, bool passing) {
  m->again = m->again || (r->used[k] && !r->open[k]);
  r->passing[k] = passing && !r->open[k];
  r->open[k] = true;
  r->cells[k] = CELL_OPEN;
}

void memory_write(struct memory *m, struct region *r, uint32_t at, uint32_t bytes, uint32_t epoch,
                  const value_t *value) {
  for (uint32_t i = 0; i < bytes && at + i < r->size; i++) {
    uint32_t k = at + i;
    uint8_t byte = value ? (uint8_t)(*value >> (8 * i)) : 0;
    if (r->lost) continue;
    add_few(m, r, k, value ? &byte : NULL);
    bool same = value && (r->cells[k] == CELL_BLANK || (r->cells[k] == CELL_KNOWN && r->bytes[k] == byte));
    if (same) {
      r->cells[k] = CELL_KNOWN;
      r->bytes[k] = byte;
      if (epoch > r->epochs[k]) r->epochs[k] = (uint16_t)epoch;
      continue;
    }
    lose(m, r, k, false);
  }
}

void memory_lose(struct memory *m, struct region *r) {
  for (uint32_t k = 0; k < r->size && !r->lost; k++) {
    add_few(m, r, k, NULL);
    lose(m, r, k, m->round == 1);
  }
  r->lost = true;
}

bool memory_shares_columns(struct memory *m, struct column_use own, bool freed) {
  bool known = false, others = false, alone = true;
  VEC_EACH (use, &m->column_uses) {
    if (use->cta != own.cta) continue;
    known |= use->warp == own.warp && use->frees == own.frees;
    alone &= use->warp == own.warp;
    others |= use->warp != own.warp && (freed || !use->frees);
  }
  if (!known) VEC_PUSH(m->arena, &m->column_uses, own);
  m->again |= !known && !alone; /* other warps may have used the earlier result */
  return others;
}
