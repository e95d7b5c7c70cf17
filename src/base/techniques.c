#include "base/techniques.h"

const struct technique_row technique_rows[TECHNIQUE_COUNT] = {
#define TECHNIQUE(id, name, off, does, test, with_it, without_it) {name, #off, does},
#include "base/techniques.def"
#undef TECHNIQUE
};

_Static_assert(TECHNIQUE_COUNT <= 64, "struct without has a bit for each technique");

enum technique technique_named(const char *name, size_t length) {
  enum technique at = 0;
  while (at < TECHNIQUE_COUNT &&
         (strlen(technique_rows[at].name) != length || memcmp(technique_rows[at].name, name, length) != 0))
    at++;
  return at;
}

struct without without_named(const char *names) {
  struct without without = {0};
  for (const char *at = names ? names : ""; *at; at += strspn(at, ",")) {
    size_t length = strcspn(at, ",");
    enum technique named = technique_named(at, length);
    if (named < TECHNIQUE_COUNT) without.set |= (uint64_t)1 << named;
    at += length;
  }
  return without;
}
