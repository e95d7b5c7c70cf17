/* Interned strings: equal texts get the same pointer, so names compare with ==. Storage belongs to the arena. */
#ifndef PTXLIT_INTERN_H
#define PTXLIT_INTERN_H

#include "base/arena.h"

struct intern {
  struct arena *arena;
  const char **slots; /* open addressing; NULL is free */
  uint32_t capacity, count;
};

void intern_init(struct intern *table, struct arena *arena);
const char *intern(struct intern *table, const char *text);
const char *intern_slice(struct intern *table, const char *text, size_t length);

#endif
