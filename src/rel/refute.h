/* Combinations that axioms alone exclude: with a few events that happen and a few facts about them, some axiom fails in
 * every execution. This takes no solver: expressions are evaluated on the facts and on the bounds of all executions. So
 * it is quick, incomplete and sound. */
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
  const uint32_t *events; /* events that happen, with those of the pairs */
  uint32_t event_count;
  const struct fact *list;
  uint32_t count;
  bool recurs; /* for refute itself: inside a `let rec` */
};

/* The first axiom that these facts violate, or NO_AXIOM. */
enum { NO_AXIOM = UINT32_MAX };
uint32_t refute(const struct facts *facts);
