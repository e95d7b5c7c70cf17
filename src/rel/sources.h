/* Finds reads that return the value of one known write in all executions that a model allows. */
#pragma once

#include "rel/graph.h"

/* The reads on which it depends which events happen. */
struct bitset sources_wanted(struct arena *arena, const struct skeleton *skeleton);

/* Of these reads, those that have one source. They rest on any axioms of the model. NULL: none has. */
struct sure_sources *sources_find(struct arena *arena, const struct graph *graph, struct bitset reads);
