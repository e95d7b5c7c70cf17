/* The only hash table: an index that finds elements of an array by their content; the user keeps the array.
 *
 *   HASH_EACH(i, &index, hash)
 *     if (same(&list.data[i], &wanted)) return i;
 *   return HASH_PUSH(arena, &index, hash, &list, wanted);
 *
 * A zeroed struct is an empty index. Elements are removed all together. */
#pragma once

#include "base/arena.h"

struct hash_index {
  struct hash_slot {
    uint32_t hash, number; /* number: the index of the element, plus 1; 0: a free slot */
  } * slots;
  uint32_t capacity, count; /* capacity: 0 or a power of two, at least twice the count */
};

/* A walk over the elements that may have a hash. */
struct hash_walk {
  const struct hash_index *index;
  uint32_t hash, at;
};

/* Extends a sequence with hash `hash` (begin with any number) by one part, and returns the new hash. Two small numbers
 * do not commute, and pairs of them do not collide: many hashes serve as the identity of what they are of. */
static inline uint64_t hash_mix(uint64_t hash, uint64_t part) {
  hash = (hash * 0x9e3779b97f4a7c15u ^ part) * 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

static inline uint64_t hash_bytes(const void *bytes, size_t length) {
  const unsigned char *byte = bytes;
  uint64_t hash = length;
  for (size_t i = 0; i < length; i++) hash = (hash ^ byte[i]) * 0x100000001b3u; /* FNV-1a */
  return hash;
}

static inline struct hash_walk hash_walk(const struct hash_index *index, uint64_t hash) {
  uint32_t spread = (uint32_t)(hash * 0x9e3779b97f4a7c15u >> 32);
  return (struct hash_walk){index, spread, spread};
}

static inline bool hash_next(struct hash_walk *walk, uint32_t *number) {
  const struct hash_index *index = walk->index;
  while (index->capacity) {
    const struct hash_slot *slot = &index->slots[walk->at++ & (index->capacity - 1)];
    if (slot->number == 0) break;
    *number = slot->number - 1;
    if (slot->hash == walk->hash) return true;
  }
  return false;
}

/* Enumerates the numbers of the elements that were added with this hash, and rarely others. `break` leaves the loop. */
#define HASH_EACH(i, index, hash)                                                                                      \
  for (struct hash_walk i##_walk = hash_walk((index), (hash)), *i##_once = &i##_walk; i##_once; i##_once = NULL)       \
    for (uint32_t i = 0; hash_next(&i##_walk, &i);)

/* Removes all elements. */
static inline void hash_clear(struct hash_index *index) {
  if (index->count) memset(index->slots, 0, index->capacity * sizeof *index->slots);
  index->count = 0;
}

/* Adds the number of an element, which must be new, and returns it. The memory belongs to the arena. */
uint32_t hash_add(struct arena *arena, struct hash_index *index, uint64_t hash, uint32_t number);

/* Appends an element to the vector and adds its number, which it returns. */
#define HASH_PUSH(arena, index, hash, vec, ...)                                                                        \
  ({                                                                                                                   \
    VEC_PUSH(arena, vec, __VA_ARGS__);                                                                                 \
    hash_add(arena, index, hash, (vec)->len - 1);                                                                      \
  })
