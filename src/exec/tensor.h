/* Lanes and columns of tensor memory as pieces, for tensor.c and cells.c alone. */
#pragma once

#include "exec/operation.h"

enum { RECTANGLES = 4 };

/* The place at which an allocation leaves an address; `many`: others leave other ones there. */
struct left_address {
  uint32_t vaddr, address;
  bool many;
};

struct rectangle {
  uint32_t lane, lanes, column, columns;
};

/* The elements that an operation accesses alike. Loads of a thread with nothing but other loads, their waits and what
 * orders nothing between them are alike too, where each is waited for in this run of them, or none is: no execution
 * tells their cells apart. */
struct use {
  struct rectangle cells;
  uint32_t cta;
  uint32_t run; /* the number of the run; of other operations one of their own */
  term_id exec;
  bool waited;
};

/* An access to a piece: its number by rows and columns of the cuts, its column from the address on. */
struct tile {
  uint32_t cta, number, column, event;
  term_id value;
};

struct tiles {
  VEC(struct tile) list;
};

struct found {
  VEC(struct left_address) slots;
  VEC(struct use) uses;
};

struct tensor_plan {
  struct arena *arena;
  struct found now, next;                                                /* what this walk goes by, and what it finds */
  uint32_t lane_cuts[TENSOR_LANES + 1], column_cuts[TENSOR_COLUMNS + 1]; /* where pieces begin; the last is an end */
  uint32_t lane_count, column_count;
  uint32_t ctas, *first; /* by CTA, row and column of the cuts: the first piece that the same operations access */
  uint32_t rounds, run, loads; /* loads: the first use of the run */
  struct tiles read;           /* by the loads of the run so far */
  term_id read_exec;
  uint32_t unwaited; /* how many of these nothing waits for so far */
  bool open; /* an address is not known */
  struct span open_at;
};

/* The piece that stands for one. */
static inline uint32_t tensor_first(const struct tensor_plan *plan, uint32_t cta, uint32_t number) {
  return cta < plan->ctas ? plan->first[(size_t)cta * plan->lane_count * plan->column_count + number] : 0;
}

/* The cut that a lane or column is behind. */
static inline uint32_t tensor_cut(const uint32_t *cuts, uint32_t count, uint32_t at) {
  while (count > 1 && cuts[count - 1] > at) count--;
  return count - 1;
}

/* cells.c: true if nothing waits for the load just noted before its run ends, as far as the walk before this one found.
 */
bool tensor_unwaited(const struct tensor_plan *plan);
