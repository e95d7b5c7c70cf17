#include "suite/report.h"

const char *names_add(struct names *names, const char *name, uint32_t file, const char *path, uint32_t line,
                      struct arena *arena) {
  uint64_t hash = hash_bytes(name, strlen(name));
  HASH_EACH (i, &names->index, hash) {
    const struct named_test *first = &names->tests.data[i];
    if (strcmp(first->name, name) != 0) continue;
    if (first->file == file) return NULL;
    return first->line ? arena_printf(arena, "%s:%u", first->path, (unsigned)first->line) : first->path;
  }
  VEC_PUSH(&names->arena, &names->tests, (struct named_test){arena_strdup(&names->arena, name), path, file, line});
  hash_add(&names->arena, &names->index, hash, names->tests.len - 1);
  return NULL;
}

void names_release(struct names *names) {
  arena_release(&names->arena);
  *names = (struct names){0};
}
