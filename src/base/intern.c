#include "base/intern.h"

#include <string.h>

void intern_init(struct intern *table, struct arena *arena) { *table = (struct intern){.arena = arena}; }

static uint32_t hash(const char *text, size_t length) { /* FNV-1a */
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 16777619u;
  return h;
}

static const char **find(const char **slots, uint32_t capacity, const char *text, size_t length) {
  uint32_t i = hash(text, length) & (capacity - 1);
  while (slots[i] && (strncmp(slots[i], text, length) != 0 || slots[i][length] != '\0')) i = (i + 1) & (capacity - 1);
  return &slots[i];
}

static void grow(struct intern *table) {
  uint32_t capacity = table->capacity ? table->capacity * 2 : 64;
  const char **slots = ARENA_ARRAY(table->arena, const char *, capacity);
  for (uint32_t i = 0; i < table->capacity; i++)
    if (table->slots[i]) *find(slots, capacity, table->slots[i], strlen(table->slots[i])) = table->slots[i];
  table->slots = slots;
  table->capacity = capacity;
}

const char *intern_slice(struct intern *table, const char *text, size_t length) {
  if (2 * (table->count + 1) > table->capacity) grow(table);
  const char **slot = find(table->slots, table->capacity, text, length);
  if (!*slot) {
    *slot = arena_strndup(table->arena, text, length);
    table->count++;
  }
  return *slot;
}

const char *intern(struct intern *table, const char *text) { return intern_slice(table, text, strlen(text)); }
