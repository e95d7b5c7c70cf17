/* A model's nodes as one test needs them: the model's own graph, plus nodes that the encoder adds to unfold recursive
 * definitions. Indices below model.nodes.len mean the same in both. */
#pragma once

#include "exec/skeleton.h"

/* The bounds of one node over all executions of a test: `may` holds every pair (or event) that some execution may
 * have; `must` every pair that each execution has in which both events happen. */
struct bounds {
  struct bitset may_set, must_set; /* of a set */
  struct bitmat may, must;         /* of a relation */
};

struct graph {
  struct arena *arena;
  const struct model *model;
  const struct skeleton *skeleton;
  VEC(struct cat_expr) nodes;
  VEC(struct bounds) bounds; /* by node; never changed: nodes with equal bounds may share a matrix */
  struct bitmat empty;
  struct bounds room;
  VEC(struct bitmat) kept; /* all matrices that are not empty, each once */
  struct hash_index kept_index;
};

/* The graph of a model over a skeleton, with the bounds of every node. graph_init_for: only with those of the wanted
 * nodes, of the nodes that these depend on, and of predefined sets and relations; `wanted`, by node, then has all. */
void graph_init(struct graph *graph, struct arena *arena, const struct model *model, const struct skeleton *skeleton);
void graph_init_for(struct graph *graph, struct arena *arena, const struct model *model,
                    const struct skeleton *skeleton, bool *wanted);

/* Adds a node whose operands have bounds already (not CAT_REC), and computes its bounds. */
cat_node graph_add(struct graph *graph, struct cat_expr expr);

static inline const struct cat_expr *graph_expr(const struct graph *graph, cat_node node) {
  return &graph->nodes.data[node];
}

/* By node of the model: it is empty because predefined sets and relations are empty, whatever events may happen. So it
 * stays empty with more iterations of the same loops, if the skeleton has two of each. */
bool *graph_hollow(const struct graph *graph);

/* True if a pair of events may be in the relation only because a third event, one of `third`, happens: through `;`,
 * closures, domains or recursion. If false, removing the third events from an execution removes no other pairs. */
bool graph_gains(const struct graph *graph, cat_node node, struct bitset third);

/* Adds the bounds of every named node as text: --dump=bounds. */
void graph_dump(const struct graph *graph, struct text *out);

/* ---- sources.c: reads that return the value of one known write in all executions that a model allows */
/* The reads that determine which events happen. */
struct bitset sources_wanted(struct arena *arena, const struct skeleton *skeleton);

/* The reads of the set that have a single source; the proof may use any axiom of the model. NULL: none has. */
struct sure_sources *sources_find(struct arena *arena, const struct graph *graph, struct bitset reads);
