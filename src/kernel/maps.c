/* Tensor maps that a kernel makes (docs/semantics.md K6): a map is 128 bytes, in our own encoding, so that loads,
 * stores and copies of maps are loads, stores and copies of bytes (kernel/memory.h). tensormap.replace changes the
 * global address, a size or a stride in them; a change of any other field makes an unknown map. A copy uses the map in
 * the bytes at its address, in the order of its thread and of the barriers of its CTA: if another order is possible,
 * accesses to these bytes race. */

#include "kernel/run.h"
#include "ptx/boxes.h"
#include "ptx/isa.h"

/* The encoding, by byte; `SIGN` and the number of the declared map of which this one is a copy. The rest is 0. */
enum { AT_ADDRESS = 0, AT_SIGN = 8, AT_NUMBER = 12, AT_SIZES = 16, AT_STRIDES = 40 };
enum { SIGN = 0x7e4507, PART = 16 };

static struct arena *arena_of(const struct expansion *x) { return x->parse.arena; }

static void put(uint8_t *bytes, uint32_t at, uint32_t size, uint64_t value) {
  for (uint32_t i = 0; i < size; i++) bytes[at + i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get(const uint8_t *bytes, uint32_t at, uint32_t size) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; i++) value |= (uint64_t)bytes[at + i] << 8 * i;
  return value;
}

static value_t part_of(const uint8_t *bytes, uint32_t at) {
  return (value_t)get(bytes, at + 8, 8) << 64 | get(bytes, at, 8);
}

static struct litmus_entry *declared(const struct expansion *x, uint32_t number) {
  return LIST_FIND(entry, x->parse.test->entries, entry->map && !number--);
}

static const struct region *target_of(const struct memory *m, const struct litmus_entry *entry) {
  for (uint32_t i = 0; i < m->regions.len; i++)
    if (entry->values && entry->values->is_address && m->regions.data[i]->name == entry->values->ref.name)
      return m->regions.data[i];
  return NULL;
}

static void encode(const struct memory *m, const struct litmus_entry *entry, uint32_t number, uint8_t *bytes) {
  const struct region *target = target_of(m, entry);
  memset(bytes, 0, MAP_BYTES);
  put(bytes, AT_ADDRESS, 8, target ? target->base + (uint64_t)entry->values->ref.offset : 0);
  put(bytes, AT_SIGN, 4, SIGN);
  put(bytes, AT_NUMBER, 4, number);
  for (uint32_t i = 0; i < entry->map->of[MAP_DIMS].count; i++) {
    put(bytes, AT_SIZES + 4 * i, 4, (uint64_t)entry->map->of[MAP_DIMS].list[i]);
    if (i) put(bytes, AT_STRIDES + 8 * (i - 1), 8, box_stride(entry->map, i));
  }
}

void maps_set(const struct expansion *x, const struct memory *m, struct region *region, uint32_t at, const char *name) {
  uint8_t bytes[MAP_BYTES];
  const struct litmus_entry *entry;
  for (uint32_t number = 0; (entry = declared(x, number)); number++) {
    if (entry->ref.name != name) continue;
    encode(m, entry, number, bytes);
    for (uint32_t i = 0; i < MAP_BYTES; i += PART) memory_set(region, at + i, part_of(bytes, i), PART);
  }
}

/* ---- the map at an address */

/* The bytes of a map. CELL_BLANK: some have no value yet. */
static enum cell read_map(struct runner *r, uint64_t address, uint8_t *bytes) {
  bool blank = false;
  for (uint32_t i = 0; i < MAP_BYTES; i += PART) {
    value_t value = 0;
    enum cell cell = run_get(r, address + i, PART, &value);
    if (cell == CELL_OPEN) return CELL_OPEN;
    blank = blank || cell == CELL_BLANK;
    put(bytes, i, 8, (uint64_t)value);
    put(bytes, i + 8, 8, (uint64_t)(value >> 64));
  }
  return blank ? CELL_BLANK : CELL_KNOWN;
}

static bool is_same(const struct memory *m, const struct litmus_entry *entry, uint32_t number, const uint8_t *bytes) {
  uint8_t own[MAP_BYTES];
  encode(m, entry, number, own);
  put(own, AT_NUMBER, 4, get(bytes, AT_NUMBER, 4));
  return memcmp(own, bytes, MAP_BYTES) == 0;
}

static bool is_like(const struct litmus_map *a, const struct litmus_map *b) {
  return a->type.text == b->type.text && memcmp(&a->of[MAP_BOX], &b->of[MAP_BOX], sizeof a->of[0]) == 0 &&
         memcmp(&a->of[MAP_LOWER], &b->of[MAP_LOWER], (MAP_LISTS - MAP_LOWER) * sizeof a->of[0]) == 0;
}

/* A copy of a map's declaration with the fields of these bytes. NULL: their address is not in a location. */
static struct litmus_entry *declare(struct runner *r, struct litmus_entry *like, const uint8_t *bytes) {
  struct expansion *x = r->run->x;
  uint32_t at, count = 0;
  const struct region *target = run_find(r, get(bytes, AT_ADDRESS, 8), &at);
  if (!target || target->space != SPACE_GLOBAL || !target->name) return NULL;
  struct litmus_entry *entry = ARENA_NEW(arena_of(x), struct litmus_entry), *last = like;
  while (declared(x, count)) count++;
  *entry = *like;
  entry->next = NULL;
  entry->ref.name = intern(x->parse.names, arena_printf(arena_of(x), "%s.%u", like->ref.name, count));
  entry->map = ARENA_COPY(arena_of(x), like->map);
  entry->map->of[MAP_STRIDES].count = like->map->of[MAP_DIMS].count - 1;
  for (uint32_t i = 0; i < like->map->of[MAP_DIMS].count; i++) {
    entry->map->of[MAP_DIMS].list[i] = (int64_t)get(bytes, AT_SIZES + 4 * i, 4);
    if (i) entry->map->of[MAP_STRIDES].list[i - 1] = (int64_t)get(bytes, AT_STRIDES + 8 * (i - 1), 8);
  }
  entry->values = ARENA_COPY(arena_of(x), like->values);
  entry->values->next = NULL;
  entry->values->ref.name = target->name;
  entry->values->ref.offset = at;
  if (at > target->size || box_wrong_map(entry->map, target->size - at)) return NULL;
  while (last->next) last = last->next;
  last->next = entry;
  return entry;
}

/* The declaration of a map with these bytes. */
static const struct litmus_entry *named_by(struct runner *r, const uint8_t *bytes) {
  struct litmus_entry *like =
      get(bytes, AT_SIGN, 4) == SIGN ? declared(r->run->x, (uint32_t)get(bytes, AT_NUMBER, 4)) : NULL;
  const struct litmus_entry *entry;
  if (!like) return NULL;
  for (uint32_t number = 0; (entry = declared(r->run->x, number)); number++)
    if (is_like(entry->map, like->map) && is_same(r->run->memory, entry, number, bytes)) return entry;
  return declare(r, like, bytes);
}

const struct litmus_entry *maps_content(struct runner *r, uint64_t address) {
  uint8_t bytes[MAP_BYTES];
  return read_map(r, address, bytes) == CELL_KNOWN ? named_by(r, bytes) : NULL;
}

bool maps_blank(struct runner *r, uint64_t address) {
  uint8_t bytes[MAP_BYTES];
  return read_map(r, address, bytes) == CELL_BLANK;
}

/* ---- tensormap.replace */

bool maps_replaces(const struct instr *in) {
  return in->form == FORM_TENSORMAP && litmus_has_word(&in->ast->qualifiers, ".replace");
}

bool maps_copies(const struct instr *in) {
  return in->form == FORM_TENSORMAP && litmus_has_word(&in->ast->qualifiers, ".cp_fenceproxy");
}

/* The bytes of the field that an instruction replaces. False: the encoding has no such field. */
static bool field_of(const struct litmus_instr *ast, uint32_t *at, uint32_t *size) {
  const struct litmus_operand *which = ast->operands->next;
  bool dim = litmus_has_word(&ast->qualifiers, ".global_dim"),
       stride = litmus_has_word(&ast->qualifiers, ".global_stride");
  uint64_t index = (dim || stride) && which->kind == LITMUS_NUMBER ? (uint64_t)which->u.number.value : MOST_DIMENSIONS;
  *at = AT_ADDRESS, *size = 8;
  if (dim) *at = AT_SIZES + 4 * (uint32_t)index, *size = 4;
  if (stride) *at = AT_STRIDES + 8 * (uint32_t)index;
  return litmus_has_word(&ast->qualifiers, ".global_address") ||
         (dim ? index < MOST_DIMENSIONS : stride && index + 1 < MOST_DIMENSIONS);
}

bool maps_change(struct runner *r, const struct instr *in, uint64_t address) {
  uint8_t bytes[MAP_BYTES];
  uint32_t at, size;
  struct region *region = run_find(r, address, &at);
  term_id term = walk_operand(r->walk, &in->src[0], 64);
  if (region && region->space == SPACE_GLOBAL) memory_follow(r->run->memory, region);
  if (!maps_replaces(in)) return false;
  bool known =
      read_map(r, address, bytes) == CELL_KNOWN && term_is_const(r->walk->terms, term) && field_of(in->ast, &at, &size);
  if (known) put(bytes, at, size, (uint64_t)term_get(r->walk->terms, term)->constant);
  for (uint32_t i = 0; i < MAP_BYTES; i += PART) {
    value_t part = known ? part_of(bytes, i) : 0;
    run_put(r, address + i, PART, known ? &part : NULL);
  }
  return true;
}
