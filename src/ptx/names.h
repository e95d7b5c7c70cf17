/* A map from interned names to numbers. */
#ifndef PTXLIT_NAMES_H
#define PTXLIT_NAMES_H

#include "base/arena.h"

enum { NO_NAME = UINT32_MAX };

struct name_map {
  struct name_slot {
    const char *name; /* NULL: free */
    uint32_t number;
  } * slots;
  uint32_t capacity, count;
};

/* NO_NAME when it is not there. Names are compared as pointers. */
uint32_t name_map_get(const struct name_map *map, const char *name);
/* The name must not be there yet. */
void name_map_put(struct arena *arena, struct name_map *map, const char *name, uint32_t number);

#endif
