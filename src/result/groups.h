/* The pairs of a clause as findings: those at the same two places of the source are one. */
#pragma once

#include "result/result.h"

/* Adds a finding for each two places to the result, the most direct first: the two accesses in iterations that are
 * close together, then those of which a thread makes one itself, then those that are close in the text. */
void groups_add(struct arena *arena, struct result *result, const struct raised *raised, enum safety_kind kind);

/* The level of the narrowest group of threads that contains both: 0 a warp, a block, a cluster, a GPU, or none. */
uint32_t groups_far(const struct program *program, uint32_t a, uint32_t b);
