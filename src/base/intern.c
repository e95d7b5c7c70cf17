#include "base/intern.h"

void intern_init(struct intern *table, struct arena *arena) { *table = (struct intern){.arena = arena}; }

const char *intern_slice(struct intern *table, const char *text, size_t length) {
  uint64_t hash = hash_bytes(text, length);
  HASH_EACH (i, &table->index, hash) {
    const char *known = table->texts.data[i];
    if (strncmp(known, text, length) == 0 && known[length] == '\0') return known;
  }
  const char *fresh = arena_strndup(table->arena, text, length);
  HASH_PUSH(table->arena, &table->index, hash, &table->texts, fresh);
  return fresh;
}

const char *intern(struct intern *table, const char *text) { return intern_slice(table, text, strlen(text)); }
