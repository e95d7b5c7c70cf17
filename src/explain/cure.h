/* The cures that are known without a search. */
#pragma once

#include "result/result.h"

/* Advice to the author of the test about a finding; NULL: only a search tells. */
const char *cure_known(struct arena *arena, const struct program *program, const struct safety_finding *finding);

/* Advice that orders two accesses of different threads: by a flag that is there, or by a barrier or a new flag. */
const char *cure_order(struct arena *arena, const struct program *program, const struct raised_pair *pair);

/* Advice about two accesses through different proxies; NULL: neither is generic. */
const char *cure_proxies(struct arena *arena, const struct program *program, enum proxy a, enum proxy b,
                         bool one_thread);
