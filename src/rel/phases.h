/* The phases that steps of mbarrier objects can be in if the model's axioms hold. */
#pragma once

#include "rel/graph.h"

/* The node of the model on which these bounds rest, and its axiom, which must not be dropped; or CAT_NO_NODE. */
cat_node phases_time(const struct model *model, uint32_t *axiom);
/* The skeleton of the graph, which has the bounds of that node, with tighter bounds of these phases, and so of mo,
 * phase and next-phase; NULL if none is tighter. */
const struct skeleton *phases_narrow(struct arena *arena, const struct graph *graph, cat_node time);
