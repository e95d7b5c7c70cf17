/* The names of the tests of a run, to find a second test of one name. */
#pragma once

#include "base/hash.h"
#include "base/vec.h"

struct named_test {
  const char *name, *path;
  uint32_t file, line;
};

struct names {
  struct arena arena;
  VEC(struct named_test) tests;
  struct hash_index index;
};

/* Records a test of file number `file` of the suite. Returns the place of a test of the same name in another file,
 * allocated in `arena`, or NULL. The path is kept, not copied. */
const char *names_add(struct names *names, const char *name, uint32_t file, const char *path, uint32_t line,
                      struct arena *arena);
void names_release(struct names *names);
