/* The cures that are known without a search. */
#pragma once

#include "result/result.h"

/* Advice to the author of the test about a finding; NULL: only a search tells. */
const char *cure_known(struct arena *arena, const struct program *program, const struct safety_finding *finding);
