/* The outcomes of a test, in order. There may be a million, so each is a row of as many bytes as its values need. */
#pragma once

#include "ptx/program.h"

struct outcome {
  const value_t *values; /* one per observed observable, in their order */
  bool satisfies;        /* the outcome satisfies P */
  uint64_t executions;   /* with count_executions: the number of executions that give it; else 1 */
};

/* A zeroed list is empty. */
struct outcomes {
  uint32_t len;
  bool some[2]; /* some outcome does not satisfy P; some outcome does */
  const struct program *program;
  VEC(unsigned char *) pages; /* rows: a byte that is 1 if P holds, the executions, and the values */
  uint32_t row_size;
  value_t *values; /* of the outcome that outcomes_at returned last */
};

/* Appends an outcome; its values are copied. They must fit the types of the program, the same in each call. */
void outcomes_add(struct arena *arena, const struct program *program, struct outcomes *list, struct outcome outcome);

/* The outcome at this index. Its values live until the next call for this list. */
struct outcome outcomes_at(const struct outcomes *list, uint32_t index);

struct outcome outcome_copy(struct arena *arena, const struct program *program, struct outcome outcome);

/* -1, 0 or 1: the lexicographical order of `count` values. The next function: of the values of all observables. */
int values_order(const value_t *a, const value_t *b, uint32_t count);
int outcome_order(const struct program *program, const value_t *a, const value_t *b);
