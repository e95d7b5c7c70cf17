/* Why an axiom fails in one execution: the shortest violation, taken apart down to base edges.
 *
 * A derivation says why a pair is in a relation of the model, one node of the operator graph at a time: the operand of
 * a union that holds, the middle event of a composition, the shortest path of a closure, the least unfolding of a
 * recursive definition. Of an intersection the operand that leads from event to event (program order, communication, or
 * made of these) is taken apart, and the others are side conditions; so is the right of a difference, which does not
 * hold. "Short" counts base edges: predefined relations between two different events.
 */
#pragma once

#include "rel/eval.h"

/* A relation (or, at [S], a set) that also holds, or does not hold, of the pair. */
struct side {
  cat_node node;
  bool holds;
  struct side *next;
};

struct derivation {
  cat_node node; /* the pair is in this relation */
  uint32_t from, to;
  bool backwards; /* node is an inverse: the one part leads from `to` to `from` */
  struct side *sides;
  struct derivation *parts; /* its steps, in order, through `next`; NULL: a base edge, or [S] */
  struct derivation *next, *parent;
};

/* A base edge of a derivation, in the order of the path. `against`: it is crossed from its end to its start. */
struct base_edge {
  const struct derivation *leaf; /* its node is predefined, or cannot be taken apart further */
  uint32_t from, to;             /* in the direction of the path */
  bool against;
};

struct base_path {
  VEC(struct base_edge) edges;
};

/* How an axiom fails. */
struct violation {
  uint32_t axiom;
  bool is_pair;            /* false: nothing to take apart (a set, or a negated axiom); path is NULL */
  uint32_t from, to;       /* equal for `acyclic` and `irreflexive`, where the path is a cycle */
  struct derivation *path; /* one derivation, or for `acyclic` the steps of the cycle through `next` */
  uint32_t length;         /* base edges */
};

struct cycles;

/* Larger skeletons are not taken apart: the work and the memory grow with the cube and the square of the events. */
enum { CYCLE_MAX_EVENTS = 400 };

/* For one model over skeletons of `n` events (at most CYCLE_MAX_EVENTS). Everything lives in the arena. */
struct cycles *cycle_new(struct arena *arena, const struct model *model, uint32_t n);

/* Sets the execution whose violations are sought: the one that `eval` evaluates at present. */
void cycle_execution(struct cycles *cycles, struct eval *eval);

/* The shortest violation of an axiom that fails in this execution. */
void cycle_find(struct cycles *cycles, uint32_t axiom, struct violation *out);

/* The base edges of a derivation and of those after it (`next`), in the order of the path. */
struct base_path cycle_flatten(struct arena *arena, const struct derivation *path);
