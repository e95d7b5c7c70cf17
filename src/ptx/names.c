#include "ptx/names.h"

static struct name_slot *find(struct name_slot *slots, uint32_t capacity, const char *name) {
  uint64_t hash = (uint64_t)(uintptr_t)name * 0x9e3779b97f4a7c15u;
  uint32_t i = (uint32_t)(hash >> 32) & (capacity - 1);
  while (slots[i].name && slots[i].name != name) i = (i + 1) & (capacity - 1);
  return &slots[i];
}

uint32_t name_map_get(const struct name_map *map, const char *name) {
  if (!map->capacity) return NO_NAME;
  const struct name_slot *slot = find(map->slots, map->capacity, name);
  return slot->name ? slot->number : (uint32_t)NO_NAME;
}

static void grow(struct arena *arena, struct name_map *map) {
  uint32_t capacity = map->capacity ? map->capacity * 2 : 16;
  struct name_slot *slots = ARENA_ARRAY(arena, struct name_slot, capacity);
  for (uint32_t i = 0; i < map->capacity; i++)
    if (map->slots[i].name) *find(slots, capacity, map->slots[i].name) = map->slots[i];
  map->slots = slots;
  map->capacity = capacity;
}

void name_map_put(struct arena *arena, struct name_map *map, const char *name, uint32_t number) {
  if (2 * (map->count + 1) > map->capacity) grow(arena, map);
  *find(map->slots, map->capacity, name) = (struct name_slot){name, number};
  map->count++;
}
