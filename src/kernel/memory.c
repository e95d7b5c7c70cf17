#include "kernel/memory.h"

#include <string.h>

struct region *memory_add(struct memory *m, const char *name, enum space space, uint64_t base, uint32_t size) {
  struct region *region = ARENA_NEW(m->arena, struct region);
  *region = (struct region){.name = name, .space = space, .base = base, .size = size};
  if (!base) {
    region->base = m->next ? m->next : GLOBAL_BASE;
    m->next = (region->base + size + 2 * GLOBAL_ALIGNMENT - 1) / GLOBAL_ALIGNMENT * GLOBAL_ALIGNMENT;
  }
  region->cells = ARENA_ARRAY(m->arena, uint8_t, size);
  region->bytes = ARENA_ARRAY(m->arena, uint8_t, size);
  region->first = ARENA_ARRAY(m->arena, uint8_t, size);
  region->values = ARENA_ARRAY(m->arena, uint8_t, size);
  region->epochs = ARENA_ARRAY(m->arena, uint16_t, size);
  region->used = ARENA_ARRAY(m->arena, bool, size);
  region->open = ARENA_ARRAY(m->arena, bool, size);
  region->written = ARENA_ARRAY(m->arena, bool, size);
  VEC_PUSH(m->arena, &m->regions, region);
  return region;
}

struct region *memory_find(const struct memory *m, uint64_t address, uint32_t cta, uint32_t thread) {
  bool own = address >= SHARED_BASE && address < SHARED_BASE + SHARED_WINDOW;
  if (own) address = PEERS_BASE + (uint64_t)cta * SHARED_WINDOW + (address - SHARED_BASE);
  for (uint32_t i = 0; i < m->regions.len; i++) {
    struct region *r = m->regions.data[i];
    if (address < r->base || address - r->base >= r->size) continue;
    if (r->space == SPACE_LOCAL && r->owner != thread) continue;
    return r;
  }
  return NULL;
}

void memory_set(struct region *region, uint32_t at, value_t value, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes && at + i < region->size; i++) {
    region->first[at + i] = CELL_KNOWN;
    region->values[at + i] = (uint8_t)(value >> (8 * i));
  }
}

void memory_begin(struct memory *m) {
  m->again = false;
  for (uint32_t i = 0; i < m->regions.len; i++) {
    struct region *r = m->regions.data[i];
    memcpy(r->cells, r->first, r->size);
    memcpy(r->bytes, r->values, r->size);
    memset(r->used, 0, r->size);
    memset(r->epochs, 0, r->size * sizeof *r->epochs);
    memset(r->written, 0, r->size);
    r->whole = false;
    for (uint32_t k = 0; k < r->size; k++)
      if (r->open[k]) r->cells[k] = CELL_OPEN;
  }
}

/* What is known, but maybe not yet to who reads it, is open from then on. */
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

void memory_write(struct memory *m, struct region *r, uint32_t at, uint32_t bytes, uint32_t epoch,
                  const value_t *value) {
  for (uint32_t i = 0; i < bytes && at + i < r->size; i++) {
    uint32_t k = at + i;
    uint8_t byte = value ? (uint8_t)(*value >> (8 * i)) : 0;
    r->written[k] = true;
    bool same = value && (r->cells[k] == CELL_BLANK || (r->cells[k] == CELL_KNOWN && r->bytes[k] == byte));
    if (same) {
      r->cells[k] = CELL_KNOWN;
      r->bytes[k] = byte;
      if (epoch > r->epochs[k]) r->epochs[k] = (uint16_t)epoch;
      continue;
    }
    m->again = m->again || (r->used[k] && !r->open[k]);
    r->open[k] = true;
    r->cells[k] = CELL_OPEN;
  }
}
