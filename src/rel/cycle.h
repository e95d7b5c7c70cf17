/* Why an axiom fails in one execution: its shortest violation, decomposed into base edges.
 *
 * A derivation says why a pair is in a relation of the model, one node of the operator graph at a time: the operand of
 * a union that holds, the middle event of a composition, the shortest path of a closure, the least unfolding of a
 * recursive definition. In an intersection, only the operand that is a path (program order, communication, or built
 * from these) is decomposed; the others are side conditions, as is the negated right side of a difference. "Short"
 * counts base edges: predefined relations between two different events. */
#pragma once

#include "rel/eval.h"

/* A side condition: a relation (at [S], a set) that the pair is also in, or not in. */
struct side {
  cat_node node;
  bool holds;
  struct side *next;
};

struct derivation {
  cat_node node; /* the pair is in this relation */
  uint32_t from, to;
  bool backwards; /* node is an inverse, whose only part leads from `to` to `from` */
  struct side *sides;
  struct derivation *parts; /* its steps, in order, through `next`; NULL: a base edge, or [S] */
  struct derivation *next, *parent;
};

/* A base edge of a derivation, in the order of the path. `against`: it is crossed from its end to its start. */
struct base_edge {
  const struct derivation *leaf; /* its node is predefined, or cannot be decomposed further */
  uint32_t from, to;             /* in the direction of the path */
  bool against;
};

VEC_NAMED(base_path, struct base_edge);

/* How an axiom fails. */
struct violation {
  uint32_t axiom;
  bool is_pair;            /* false: nothing to decompose (a set, or a negated axiom); path is NULL */
  uint32_t from, to;       /* equal for `acyclic` and `irreflexive`, whose path is a cycle */
  struct derivation *path; /* one derivation, or for `acyclic` the steps of the cycle through `next` */
  uint32_t length;         /* base edges */
};

struct cycles;

/* Violations in larger skeletons are not decomposed: work and memory grow with the cube and the square of the
 * events. */
enum { CYCLE_MAX_EVENTS = 400 };

/* For one model over skeletons of `n` events (at most CYCLE_MAX_EVENTS). Everything lives in the arena. */
struct cycles *cycle_new(struct arena *arena, const struct model *model, uint32_t n);

/* Sets the execution to search for violations: the current one of `eval`. */
void cycle_execution(struct cycles *cycles, struct eval *eval);

/* The shortest violation of an axiom that fails in this execution. */
void cycle_find(struct cycles *cycles, uint32_t axiom, struct violation *out);

/* The base edges of a derivation and of those after it (`next`), in the order of the path. */
struct base_path cycle_flatten(struct arena *arena, const struct derivation *path);
