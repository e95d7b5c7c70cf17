#include "suite/names.h"

#include <string.h>

#include "suite/sha256.h"

static void make_digest(const char *name, char digest[NAME_DIGEST]) {
  struct sha256 hash;
  size_t length = strlen(name);
  memset(digest, 0, NAME_DIGEST);
  if (length < NAME_DIGEST) {
    memcpy(digest, name, length);
    return;
  }
  sha256_init(&hash);
  sha256_add(&hash, name, length);
  sha256_bytes(&hash, (unsigned char *)digest);
  digest[NAME_DIGEST - 1] |= 1; /* that of a name is 0 */
}

const char *names_add(struct names *names, const char *name, uint32_t file, const char *path, uint32_t line,
                      struct arena *arena) {
  struct named_test test = {.path = path, .file = file, .line = line};
  make_digest(name, test.digest);
  uint64_t hash = hash_bytes(test.digest, NAME_DIGEST);
  HASH_EACH (i, &names->index, hash) {
    const struct named_test *first = &names->tests.data[i];
    if (memcmp(first->digest, test.digest, NAME_DIGEST) != 0) continue;
    if (first->file == file) return NULL;
    return first->line ? arena_printf(arena, "%s:%u", first->path, (unsigned)first->line) : first->path;
  }
  VEC_PUSH(&names->arena, &names->tests, test);
  hash_add(&names->arena, &names->index, hash, names->tests.len - 1);
  return NULL;
}

void names_release(struct names *names) {
  arena_release(&names->arena);
  *names = (struct names){0};
}
