#include "kernel/memory.h"

static void set_size(struct region *r, uint32_t size) {
  const uint32_t before = memory_pages(r);
  struct byte **pages = r->pages;
  r->size = size;
  r->pages = ARENA_ARRAY(r->arena, struct byte *, memory_pages(r));
  for (uint32_t i = 0; i < memory_pages(r); i++) r->pages[i] = i < before ? pages[i] : r->alike;
}

struct byte *memory_own(struct region *r, uint32_t at) {
  struct byte **page = &r->pages[at / PAGE];
  if (*page == r->alike && memory_room(r) > r->page) {
    *page = ARENA_ARRAY(r->arena, struct byte, r->page);
    memcpy(*page, r->alike, r->page * sizeof **page);
  }
  return &(*page)[at % PAGE];
}

static void set(struct byte *b, uint8_t value) {
  b->first = CELL_KNOWN;
  b->initial = b->few[0] = value;
  b->few_count = 1;
}

void memory_clear(struct region *region) {
  EACH_BYTE(b, region)
  set(b, 0);
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

/* most: 0: it does not grow. */
static struct region *add(struct memory *m, const char *name, enum space space, uint64_t base, uint32_t size,
                          uint32_t most) {
  const uint32_t room = most ? most : size;
  struct region *region = ARENA_MAKE(m->arena, struct region, .number = m->regions.len, .name = name, .space = space,
                                     .base = base, .arena = m->arena, .page = room < PAGE ? room : PAGE, .most = most);
  if (!base) place(m, region, size);
  region->alike = ARENA_ARRAY(m->arena, struct byte, region->page);
  set_size(region, size);
  VEC_PUSH(m->arena, &m->regions, region);
  if (space != SPACE_LOCAL) enter(m, region);
  return region;
}

struct region *memory_add(struct memory *m, const char *name, enum space space, uint64_t base, uint32_t size) {
  return add(m, name, space, base, size, 0);
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

/* The bytes that a region grows by are like those that no thread has changed. */
static void grow(struct region *r, uint64_t end) {
  uint64_t size = (end + STEP - 1) / STEP * STEP, twice = 2 * (uint64_t)r->size;
  if (size < twice) size = twice;
  set_size(r, size < r->most ? (uint32_t)size : r->most);
}

struct region *memory_add_large(struct memory *m, const char *name, uint64_t base, uint32_t most) {
  struct region *region = add(m, name, SPACE_GLOBAL, base, 0, most);
  uint64_t room = (uint64_t)1 << (m->narrow ? NARROW_BITS : ROOM_BITS);
  if (!base) m->next = region->base, place(m, region, room > most ? room : most);
  memory_clear(region);
  EACH_BYTE(b, region)
  b->cell = CELL_KNOWN;
  grow(region, 1);
  return region;
}

bool memory_holds(struct memory *m, struct region *r, uint32_t at, uint32_t bytes) {
  uint64_t end = (uint64_t)at + bytes;
  if (end > r->size && end <= r->most && !m->fixed) grow(r, end);
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
  for (uint32_t i = 0; i < bytes && at + i < region->size; i++)
    set(memory_own(region, at + i), (uint8_t)(value >> (8 * i)));
}

void memory_follow(struct memory *m, struct region *r) {
  if (history_has(r) || r->view) return;
  r->followed = m->anew = m->again = true;
}

void memory_copy_sample(struct memory *m, uint32_t threads, uint32_t ctas) {
  m->sample = threads, m->sample_ctas = ctas;
  VEC_VALUES (r, &m->regions) {
    const struct region *model = history_model(m, r);
    for (uint32_t i = 0; i <= memory_pages(r) && model != r; i++) {
      struct byte *to = i == memory_pages(r) ? r->alike : memory_page(model, i) ? memory_own(r, i * PAGE) : NULL;
      if (to) memcpy(to, memory_page(model, i), r->page * sizeof *to);
    }
  }
}

void memory_by_turns(struct memory *m) {
  m->again = m->again || !m->by_turns;
  m->by_turns = true;
}

/* True if the writes of this round are equal to the writes that it assumed, or no thread asked for these. */
bool memory_settled(const struct memory *m) {
  if (!m->asked && !m->cautious) return !m->again;
  return EVERY(VEC_VALUES (r, &m->regions), history_settled(m, r)) && !m->again && history_kept(m);
}

/* The first round knows no value of memory that has a history, so that it loses addresses which later rounds know. Each
 * round proves on its own what it takes for known. */
static void keep_passing(struct region *r, bool all) {
  EACH_BYTE(b, r) {
    b->parted = b->parted && !all;
    if (!b->passing && !all) continue;
    b->passing = b->open = false;
    b->few_count = b->first == CELL_KNOWN;
  }
}

void memory_begin(struct memory *m) {
  const bool anew = m->anew; /* values found so far were fewer */
  if (anew) m->round = 0;
  m->again = m->asked = m->anew = false;
  m->unknowns.len = 0;
  history_turn(m);
  VEC_VALUES (r, &m->regions) {
    if (history_has(r)) history_begin(r);
    if (m->round == 2 || anew) keep_passing(r, anew);
    r->whole = r->view;
    r->lost = r->decides = false;
    EACH_BYTE(b, r) {
      b->cell = b->open ? CELL_OPEN : b->first;
      b->value = b->initial;
      b->used = b->few_used = false;
      b->epoch = 0;
    }
  }
}

void memory_open(struct region *r, uint32_t at) {
  struct byte *b = memory_own(r, at);
  b->open = true;
  b->cell = CELL_OPEN;
}

/* Marks as unknown a byte whose value may be written only after the read, in the same epoch or a later one. */
static void open_early(struct memory *m, struct region *r, uint32_t k, uint32_t epoch) {
  const struct byte *b = memory_byte(r, k);
  if (!m->cautious || b->first != CELL_BLANK || b->cell != CELL_KNOWN || b->epoch < epoch) return;
  m->again = m->again || b->used;
  memory_open(r, k);
}

enum cell memory_read(struct memory *m, struct region *r, uint32_t at, uint32_t bytes, uint32_t epoch, value_t *value) {
  bool blank = false;
  *value = 0;
  for (uint32_t i = 0; i < bytes; i++) {
    open_early(m, r, at + i, epoch);
    const struct byte *b = memory_byte(r, at + i);
    if (b->cell == CELL_OPEN) return CELL_OPEN;
    blank = blank || b->cell == CELL_BLANK;
    *value |= (value_t)b->value << (8 * i);
  }
  if (blank) return CELL_BLANK;
  for (uint32_t i = 0; i < bytes; i++) memory_own(r, at + i)->used = true;
  return CELL_KNOWN;
}

bool memory_few(struct region *r, uint32_t at, uint32_t bytes, struct few *out) {
  *out = (struct few){.count = 1, .bytes = bytes};
  for (uint32_t i = 0; i < bytes; i++) {
    struct few before = *out;
    const struct byte *b = memory_byte(r, at + i);
    uint32_t count = b->few_count;
    if (b->first != CELL_KNOWN || before.count * count > MOST_FEW) return false;
    for (uint32_t k = 0; k < before.count * count; k++)
      out->values[k] = before.values[k / count] | (value_t)b->few[k % count] << (8 * i);
    out->count = before.count * count;
  }
  for (uint32_t i = 0; i < bytes; i++) memory_own(r, at + i)->few_used = true;
  return true;
}

/* NULL: any value is possible. */
static void add_few(struct memory *m, struct byte *b, const uint8_t *value) {
  if (b->few_count > MOST_FEW) return;
  for (uint32_t i = 0; i < b->few_count && value; i++)
    if (b->few[i] == *value) return;
  if (value && b->few_count < MOST_FEW) b->few[b->few_count++] = *value;
  else b->few_count = MOST_FEW + 1;
  m->again = m->again || b->few_used;
}

static void lose(struct memory *m, struct byte *b, bool passing) {
  m->again = m->again || (b->used && !b->open);
  b->passing = passing && !b->open;
  b->open = true;
  b->cell = CELL_OPEN;
}

void memory_write(struct memory *m, struct region *r, uint32_t at, uint32_t bytes, uint32_t epoch,
                  const value_t *value) {
  for (uint32_t i = 0; i < bytes && at + i < r->size && !r->lost; i++) {
    struct byte *b = memory_own(r, at + i);
    uint8_t own = value ? (uint8_t)(*value >> (8 * i)) : 0;
    add_few(m, b, value ? &own : NULL);
    bool same = value && (b->cell == CELL_BLANK || (b->cell == CELL_KNOWN && b->value == own));
    if (same) {
      b->cell = CELL_KNOWN;
      b->value = own;
      if (epoch > b->epoch) b->epoch = (uint16_t)epoch;
      continue;
    }
    lose(m, b, false);
  }
}

void memory_lose(struct memory *m, struct region *r) {
  if (r->lost) return;
  EACH_BYTE(b, r) {
    add_few(m, b, NULL);
    lose(m, b, m->round == 1);
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
