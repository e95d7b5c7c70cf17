/* Combinations that axioms exclude by themselves: a few events that happen and a few facts about them, from which some
 * axiom fails whatever the rest of the execution is. No solver: an expression is followed down to the facts and to what
 * bounds say of all executions. So it is quick and misses much; what it says is always so. */
#pragma once

#include "rel/graph.h"

/* A pair of a predefined relation that holds, or does not. */
struct fact {
  enum cat_builtin relation;
  uint32_t a, b;
  bool holds;
};

struct facts {
  const struct graph *graph;
  const uint32_t *events; /* that happen; those of the pairs among them */
  uint32_t event_count;
  const struct fact *list;
  uint32_t count;
  bool recurs; /* for refute itself: inside a `let rec` */
};

/* The first axiom that these facts violate, or NO_AXIOM. */
enum { NO_AXIOM = UINT32_MAX };
uint32_t refute(const struct facts *facts);
