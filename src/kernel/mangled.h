/* Names that a C++ compiler mangled, as their source has them (Itanium C++ ABI, 5.1). */
#pragma once

#include "base/vec.h"

enum { MANGLED_MOST = 64 };

struct mangled {
  const char *name;                /* ns::k<32, float> */
  const char *plain;               /* without arguments of templates: ns::k */
  const char *types[MANGLED_MOST]; /* of the parameters: const float* */
  uint32_t type_count;
};

/* False: the name is not mangled, or has parts that no kernel's signature needs. */
bool mangled_read(struct arena *arena, const char *name, struct mangled *out);
/* True if two names differ only in spaces, or in underscores before a type such as `__half`. */
bool mangled_alike(const char *a, const char *b);
