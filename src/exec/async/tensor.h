/* Lanes and columns of tensor memory as pieces, for tensor.c and cells.c alone. */
#pragma once

#include "exec/async/operation.h"

enum { RECTANGLES = 4 };

/* The place at which an allocation leaves an address; `many`: others leave other ones there. */
struct left_address {
  uint32_t vaddr, address;
  bool many;
};

struct rectangle {
  uint32_t lane, lanes, column, columns;
};

/* The elements that an operation accesses alike. Loads of a thread with nothing but other loads, their waits and
 * instructions that order nothing between them are alike too, where each of this run of loads is waited for within it,
 * or none is: no execution tells their cells apart. */
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

/* Columns beyond those of the hardware for the allocation of this number of a warp (allocator.c). */
struct given_columns {
  uint32_t cta, warp, number, begin, count;
};

struct found {
  VEC(struct left_address) slots;
  VEC(struct use) uses;
  VEC(struct given_columns) given;
};

/* An address that an instruction must have from an allocation. */
struct awaited_address {
  term_id where, exec;
  uint32_t thread, instr;
};

struct tensor_plan {
  struct arena *arena;
  struct found now, next;                                                /* of the walk before; of this walk */
  uint32_t lane_cuts[TENSOR_LANES + 1], column_cuts[TENSOR_WIDTH + 1]; /* where pieces begin; the last is an end */
  uint32_t lane_count, column_count;
  uint32_t ctas, *first; /* by CTA, row and column of the cuts: the first piece that the same operations access */
  uint32_t rounds, run, loads; /* loads: the first use of the run */
  struct tiles read;           /* by the loads of the run so far */
  term_id read_exec;
  uint32_t unwaited; /* the number of these loads that are not waited for so far */
  bool open; /* an address is not known */
  struct span open_at;
  uint64_t shared; /* by CTA, a bit: the order of warps decides about columns */
  bool grew;       /* the walk has set more bits of `shared` */
  VEC(struct awaited_address) expected;
};

/* The piece that stands for a piece. */
static inline uint32_t tensor_first(const struct tensor_plan *plan, uint32_t cta, uint32_t number) {
  return cta < plan->ctas ? plan->first[(size_t)cta * plan->lane_count * plan->column_count + number] : 0;
}

/* The cut that a lane or column is behind. */
static inline uint32_t tensor_cut(const uint32_t *cuts, uint32_t count, uint32_t at) {
  while (count > 1 && cuts[count - 1] > at) count--;
  return count - 1;
}

/* allocator.c. decides: true where the order of warps decides which columns an allocation gets; `full`: no columns are
 * free in program order; `before`: the thread has allocated before; rules: the same as far as it is known. owns: true
 * if cells belong to one allocation. */
bool allocator_decides(struct walk *w, bool full, bool before);
bool allocator_rules(const struct walk *w);
bool allocator_owns(const struct walk *w, uint32_t cta, const struct rectangle *cells);
/* An allocation by the first lane of a warp, or, in another lane, the facts that it shares; false after a refusal.
 * free, relinquish: by a first lane. */
struct allocation {
  uint32_t begin; /* the columns that its operations access */
  term_id address;
  struct bitset reads;
};
bool allocator_take(struct walk *w, uint32_t columns, bool first, struct allocation *out);
void allocator_free(struct walk *w, uint32_t columns);
void allocator_relinquish(struct walk *w);
/* Notes that an address is made of reads that must return addresses from allocations; checks all these once the threads
 * are walked. */
void allocator_expect(struct walk *w, term_id where);
void allocator_check(struct walk *w);

/* cells.c: true if nothing waits for the load just noted before its run ends, as far as the walk before this one found.
 */
bool tensor_unwaited(const struct tensor_plan *plan);
