/* Finds reads that return the value of one known write in all executions that a model allows. */
#pragma once

#include "rel/graph.h"

/* The reads that determine which events happen. */
struct bitset sources_wanted(struct arena *arena, const struct skeleton *skeleton);

/* The reads of the set that have a single source; the proof may use any axiom of the model. NULL: none has. */
struct sure_sources *sources_find(struct arena *arena, const struct graph *graph, struct bitset reads);
