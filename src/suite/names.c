#include "suite/names.h"

#include <stdlib.h>
#include <string.h>

#include "suite/record.h"
#include "suite/sha256.h"

struct name_slot {
  char digest[NAME_DIGEST];
  const char *path; /* NULL: free */
  uint32_t file, line;
};

static struct name_slot *find(struct name_slot *slots, uint32_t capacity, const char *digest) {
  uint32_t at;
  memcpy(&at, digest, sizeof at);
  for (at &= capacity - 1; slots[at].path; at = (at + 1) & (capacity - 1))
    if (memcmp(slots[at].digest, digest, sizeof slots[at].digest) == 0) break;
  return &slots[at];
}

static void grow(struct names *names) {
  uint32_t capacity = names->capacity ? names->capacity * 2 : 256;
  struct name_slot *slots = must_have(calloc(capacity, sizeof *slots));
  for (uint32_t i = 0; i < names->capacity; i++)
    if (names->slots[i].path) *find(slots, capacity, names->slots[i].digest) = names->slots[i];
  free(names->slots);
  names->slots = slots;
  names->capacity = capacity;
}

void names_digest(const char *name, char digest[NAME_DIGEST]) {
  struct sha256 hash;
  unsigned char whole[32];
  sha256_init(&hash);
  sha256_add(&hash, name, strlen(name));
  sha256_bytes(&hash, whole);
  memcpy(digest, whole, NAME_DIGEST);
}

const char *names_add(struct names *names, const char digest[NAME_DIGEST], uint32_t file, const char *path,
                      uint32_t line, struct arena *arena) {
  if (names->count * 2 >= names->capacity) grow(names);
  struct name_slot *slot = find(names->slots, names->capacity, digest);
  if (slot->path) {
    if (slot->file == file) return NULL;
    return slot->line ? arena_printf(arena, "%s:%u", slot->path, (unsigned)slot->line) : slot->path;
  }
  memcpy(slot->digest, digest, sizeof slot->digest);
  slot->path = path;
  slot->file = file;
  slot->line = line;
  names->count++;
  return NULL;
}

void names_release(struct names *names) {
  free(names->slots);
  *names = (struct names){0};
}
