/* The phases that steps of mbarrier objects can be in if the model's axioms hold. */
#pragma once

#include "rel/graph.h"

/* The skeleton of the graph with tighter bounds of these phases, and so of mo, phase and next-phase; NULL if none is
 * tighter. *rests_on: the axiom that the bounds depend on, which must not be dropped. */
const struct skeleton *phases_narrow(struct arena *arena, const struct graph *graph, uint32_t *rests_on);
