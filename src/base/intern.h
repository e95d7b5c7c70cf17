/* Interned strings: equal texts get the same pointer, so names compare with ==. Storage belongs to the arena. */
#pragma once

#include "base/hash.h"
#include "base/vec.h"

struct intern {
  struct arena *arena;
  VEC(const char *) texts;
  struct hash_index index;
};

void intern_init(struct intern *table, struct arena *arena);
const char *intern(struct intern *table, const char *text);
const char *intern_slice(struct intern *table, const char *text, size_t length);
