/* The outcomes of a test, in order: the first ones in memory, and where there are very many the others in a temporary
 * file, so that memory does not grow with them. */
#pragma once

#include "base/vec.h"
#include "ptx/program.h"

struct outcome {
  const value_t *values; /* one for each observed observable, in its order */
  bool satisfies;        /* P holds in it */
  uint64_t executions;   /* with count_executions: how many executions give it; else 1 */
};

struct outcome_file;

/* A zeroed list is empty. */
struct outcomes {
  uint32_t len;
  bool some[2];              /* one is there that does not satisfy P; that does */
  VEC(struct outcome) first; /* in memory */
  struct outcome_file *file; /* those after them; NULL: none */
  VEC(struct outcome) last;  /* ... and after those, where the file took no more */
};

/* Adds one at the end; its values are copied. They must fit the types of the program, the same in each call. */
void outcomes_add(struct arena *arena, const struct program *program, struct outcomes *list, struct outcome outcome);

/* The one at this index. Its values live until the next call for this list. Fastest from first to last. */
struct outcome outcomes_at(const struct outcomes *list, uint32_t index);

struct outcome outcome_copy(struct arena *arena, const struct program *program, struct outcome outcome);

/* -1, 0 or 1: the order of two outcomes, by `count` values, the first one first; by those of all observables. */
int values_order(const value_t *a, const value_t *b, uint32_t count);
int outcome_order(const struct program *program, const value_t *a, const value_t *b);
