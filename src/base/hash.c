#include "base/hash.h"

static void put(struct hash_index *index, struct hash_slot slot) {
  uint32_t at = slot.hash;
  while (index->slots[at & (index->capacity - 1)].number) at++;
  index->slots[at & (index->capacity - 1)] = slot;
}

static void grow(struct arena *arena, struct hash_index *index) {
  struct hash_index larger = {.capacity = index->capacity ? 2 * index->capacity : 16, .count = index->count};
  larger.slots = ARENA_ARRAY(arena, struct hash_slot, larger.capacity);
  for (uint32_t i = 0; i < index->capacity; i++)
    if (index->slots[i].number) put(&larger, index->slots[i]);
  *index = larger;
}

uint32_t hash_add(struct arena *arena, struct hash_index *index, uint64_t hash, uint32_t number) {
  if (2 * (index->count + 1) > index->capacity) grow(arena, index);
  put(index, (struct hash_slot){hash_walk(index, hash).hash, number + 1});
  index->count++;
  return number;
}
