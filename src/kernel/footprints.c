/* The bytes of global memory that the clusters of a kernel access, before any thread runs: whether they meet. */
#include "kernel/follow.h"

static bool resize(struct follow *f, struct footprint *p, uint32_t units) {
  uint32_t count = p->count ? p->count : 1024;
  while (count < units) count *= 2;
  if (count > MOST_UNITS) f->failed = true;
  if (f->failed || count == p->count) return !f->failed;
  uint32_t *owner = ARENA_ARRAY(f->arena, uint32_t, count);
  uint8_t *width = ARENA_ARRAY(f->arena, uint8_t, count);
  if (p->count) memcpy(owner, p->owner, p->count * sizeof *owner), memcpy(width, p->width, p->count);
  p->owner = owner, p->width = width, p->count = count;
  return true;
}

/* `width`: of an atomic that is morally strong with all others; 0: another write. */
static void own(struct follow *f, struct footprint *p, uint32_t unit, uint8_t width) {
  uint32_t *owner = &p->owner[unit];
  const bool first = *owner == OWNER_NONE, other = !first && *owner != f->cluster + 1;
  const bool meet = width && p->width[unit] == width;
  if (other && !meet) {
    f->failed = true;
  } else if (other) {
    f->again = f->again || !p->absolute;
    f->shares = p->absolute = true;
    *owner = OWNER_MANY;
  } else {
    *owner = f->cluster + 1;
    p->width[unit] = first || meet ? width : 0;
  }
}

static uint32_t owner_of(const struct footprint *p, uint32_t unit) {
  return unit < p->count ? p->owner[unit] : (uint32_t)OWNER_NONE;
}

static void read_unit(struct follow *f, const struct footprint *p, uint32_t unit) {
  const uint32_t owner = owner_of(p, unit);
  if (f->owners && owner != OWNER_NONE && owner != f->cluster + 1) f->failed = true;
}

/* False if no thread of the launch writes these bytes. Before the owners are final, only of a location that nothing
 * writes; where some location is both read and written, all threads are followed again for that. */
static bool is_written(const struct follow *f, const struct footprint *p, uint32_t at, uint32_t end) {
  if (!f->owners) return p->writes;
  return SOME(for (uint32_t u = at / p->unit; u <= (end - 1) / p->unit; u++), owner_of(p, u) != OWNER_NONE);
}

/* Mixes the place of an access among those of its cluster. A read of what nothing writes meets no access, and its value
 * is mixed where it counts: it may be anywhere. */
static void mix_place(struct follow *f, struct footprint *p, uint32_t at, uint32_t end, bool writes) {
  if (!writes && !is_written(f, p, at, end)) return;
  if (p->of[f->lane] != f->cluster + 1) p->of[f->lane] = f->cluster + 1, p->first[f->lane] = p->absolute ? 0 : at;
  follow_mix(f, at - p->first[f->lane]);
}

static void access_location(struct follow *f, struct region *region, uint32_t at, uint32_t bytes, bool writes,
                            uint8_t width) {
  struct footprint *p = &f->footprints[region->number];
  const uint32_t end = at + bytes;
  if (region->replicas || region->map) f->failed = true;
  if (end > region->reach) region->reach = end;
  follow_mix(f, region->number);
  follow_mix(f, at % (bytes < 16 ? bytes : 16)); /* misaligned accesses are undefined */
  mix_place(f, p, at, end, writes);
  p->writes |= writes, p->reads |= !writes, p->plain |= writes && !width, p->widths |= width;
  if (p->unit == WORD && (at % WORD || bytes % WORD)) p->unit = 1, f->again = true;
  if (p->writes && p->used && !p->varies) p->varies = f->again = true;
  if (writes && !resize(f, p, (end - 1) / p->unit + 1)) return;
  for (uint32_t u = at / p->unit; u <= (end - 1) / p->unit && !f->failed && !f->again; u++)
    if (!writes) read_unit(f, p, u);
    else if (!f->owners) own(f, p, u, width);
}

/* A thread accesses so many bytes at an address. The location or parameter; NULL: shared or local memory, or none. */
struct region *follow_at(struct follow *f, uint64_t address, uint32_t bytes, bool writes, uint8_t width) {
  struct region *region = memory_at(&f->launch->memory, address);
  const bool inside = region && address - region->base + bytes <= memory_room(region);
  if (!inside && address >= LOCAL_BASE && address < PEERS_BASE) { /* local or shared */
    follow_mix(f, address);
    return NULL;
  }
  if (!inside && address >= PEERS_BASE && address < NARROW_BASE) {
    const uint64_t cta = (address - PEERS_BASE) / SHARED_WINDOW;
    if (cta / f->size != f->cluster) f->failed = true;
    follow_mix_value(f, address);
    return NULL;
  }
  if (!inside) {
    follow_mix(f, MARK_OUTSIDE);
    if (f->path.certain) memory_note_beyond(&f->launch->memory, address, bytes);
    return NULL;
  }
  if (region->view) f->failed = true; /* accesses through several views of it are of several proxies (8.7) */
  if (region->space == SPACE_GLOBAL)
    access_location(f, region, (uint32_t)(address - region->base), bytes, writes, width);
  return region;
}

/* An access at an unknown place: `region`: of this location; NULL: of any, unless of shared or local memory. */
void follow_any(struct follow *f, const struct region *region, enum space space, bool writes, uint8_t width) {
  follow_mix(f, MARK_OPEN);
  if (space == SPACE_SHARED || space == SPACE_LOCAL) return;
  if (!region || (writes && !width) || region->replicas || region->map || region->view) {
    f->failed = true;
    return;
  }
  struct footprint *p = &f->footprints[region->number];
  p->reads |= !writes, p->writes |= writes, p->reads_any |= !writes;
  follow_mix(f, region->number);
  p->any |= writes, p->widths |= width;
  if (p->writes && p->used && !p->varies) p->varies = f->again = true;
}

/* Twins may begin with different values in a location whose values the test gives. */
void follow_refuse_given(struct follow *f, const struct region *region) {
  if (region && region->given) f->failed = true;
}

/* The value of bytes of a parameter, of constant memory, or of a location that nothing writes. False: it is unknown. */
bool follow_first(struct follow *f, const struct region *region, uint64_t address, uint32_t bytes, value_t *out) {
  const uint64_t at = address - region->base;
  if (region->space == SPACE_GLOBAL) {
    struct footprint *p = &f->footprints[region->number];
    if (p->varies) {
      follow_refuse_given(f, region);
      return false;
    }
    p->used = true;
    if (p->writes) p->varies = f->again = true;
  }
  *out = 0;
  for (uint32_t k = 0; k < bytes && at + k < region->size; k++) {
    if (memory_byte(region, (uint32_t)at + k)->first != CELL_KNOWN) return false;
    *out |= (value_t)memory_byte(region, (uint32_t)at + k)->initial << 8 * k;
  }
  return true;
}

void footprints_begin(struct follow *f) {
  f->launch->memory.outside = false;
  VEC_VALUES (region, &f->launch->memory.regions) region->reach = 0, region->beyond = 0;
  for (uint32_t i = 0; i < f->launch->memory.regions.len; i++) {
    struct footprint *p = &f->footprints[i];
    *p = (struct footprint){.unit = p->unit ? p->unit : (uint32_t)WORD, .varies = p->varies, .absolute = p->absolute};
  }
}

bool footprints_apart(struct follow *f, bool *both) {
  *both = false;
  VEC_VALUES (region, &f->launch->memory.regions) {
    const struct footprint *p = &f->footprints[region->number];
    if ((p->reads_any && p->writes) || (p->any && (p->reads || p->plain || p->widths & (p->widths - 1)))) return false;
    f->shares = f->shares || p->any;
    *both = *both || (p->reads && p->writes);
  }
  return true;
}
