/* The names of the tests of a run, to find a second test of one name. A few words of memory for each: a suite may have
 * very many. */
#ifndef PTXLIT_SUITE_NAMES_H
#define PTXLIT_SUITE_NAMES_H

#include "base/arena.h"

struct name_slot;

struct names {
  struct name_slot *slots; /* open addressing */
  uint32_t count, capacity;
};

/* Notes a test of a file, which is number `file` of the suite. Gives the path of another file that has a test of this
 * name, or NULL. The path is kept, not copied. Names are compared by a 128-bit digest. */
const char *names_add(struct names *names, const char *name, uint32_t file, const char *path);
void names_release(struct names *names);

#endif
