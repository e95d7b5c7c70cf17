/* A map from interned names to numbers. */
#pragma once

#include "base/hash.h"
#include "base/vec.h"

enum { NO_NAME = UINT32_MAX };

struct numbered_name {
  const char *name;
  uint32_t number;
};

struct name_map {
  VEC(struct numbered_name) names;
  struct hash_index index;
};

/* The number of a name; NO_NAME: not in the map. Names are compared as pointers. */
uint32_t name_map_get(const struct name_map *map, const char *name);
/* Adds a name, which must be new. */
void name_map_put(struct arena *arena, struct name_map *map, const char *name, uint32_t number);
