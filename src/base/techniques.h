/* The techniques of techniques.def, and those of them that are switched off. */
#pragma once

#include "base/base.h"

enum technique {
#define TECHNIQUE(id, name, off, does, test, with_it, without_it) TECHNIQUE_##id,
#include "base/techniques.def"
#undef TECHNIQUE
  TECHNIQUE_COUNT
};

/* The techniques that are switched off. */
struct without {
  uint64_t set; /* by technique */
};

static inline bool technique_on(struct without without, enum technique technique) {
  return !(without.set >> technique & 1);
}

/* The technique of this name; TECHNIQUE_COUNT: there is none. */
enum technique technique_named(const char *name, size_t length);
/* Those that are named, with commas between; NULL: none. Other words are ignored. */
struct without without_named(const char *names);

struct technique_row {
  const char *name, *off, *does;
};
extern const struct technique_row technique_rows[TECHNIQUE_COUNT];
