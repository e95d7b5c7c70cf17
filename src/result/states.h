/* The final states of one execution, and a growing set of final states. */
#pragma once

#include "result/result.h"

/* Called with one final state (a value for each observed observable; valid during the call). */
typedef void visit_state(void *context, const value_t *values);

/* Visits every final state of an execution: each observed chunk ends with any coherence-maximal write (O1, G17), so
 * racing writes give several states. States may repeat. */
void states_visit(struct arena *scratch, const struct execution *execution, visit_state *visit, void *context);

/* True if an execution counts as positive (O7). `some`: some of its final states satisfy the predicate; `other`: some
 * do not; at least one is true. If both are, it counts on the side that the condition asks about. */
bool states_count_positive(const struct program *program, bool some, bool other);

/* A set of outcomes. */
struct outcome_set {
  struct arena *arena;
  uint32_t width; /* values in a state */
  VEC(struct outcome) list;
  struct hash_index index;
};

void outcome_set_init(struct outcome_set *set, struct arena *arena, uint32_t width);

/* The outcome with these values. If it is new, adds it, with no executions counted, and sets *added. The pointer is
 * valid until the next call. */
struct outcome *outcome_set_add(struct outcome_set *set, const value_t *values, bool *added);

/* Sorts by values, the first observable first. The set takes no more additions after this. */
void outcome_set_sort(struct outcome_set *set);
