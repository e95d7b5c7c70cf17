#include "ptx/names.h"

uint32_t name_map_get(const struct name_map *map, const char *name) {
  HASH_EACH (i, &map->index, (uintptr_t)name)
    if (map->names.data[i].name == name) return map->names.data[i].number;
  return NO_NAME;
}

void name_map_put(struct arena *arena, struct name_map *map, const char *name, uint32_t number) {
  VEC_PUSH(arena, &map->names, (struct numbered_name){name, number});
  hash_add(arena, &map->index, (uintptr_t)name, map->names.len - 1);
}
