/* Lanes and columns of tensor memory as pieces, for tensor.c and cells.c alone. */
#pragma once

#include "exec/async/operation.h"

enum { RECTANGLES = 4 };

/* The place to which an allocation writes its address; `many`: other allocations write other addresses there. */
struct left_address {
  uint32_t vaddr, address;
  bool many;
};

struct rectangle {
  uint32_t lane, lanes, column, columns;
};

/* The elements that an operation accesses in the same way. A run of loads of a thread, with only other loads, their
 * waits and instructions that order nothing between them, is also alike if the run has a wait for each of its loads, or
 * for none: no execution distinguishes their cells. */
struct use {
  struct rectangle cells;
  uint32_t cta;
  uint32_t run; /* the number of the run of loads; any other operation is a run of its own */
  term_id exec;
  bool waited;
};

/* An access to a piece: its number by rows and columns of the cuts, its column relative to the address. */
struct tile {
  uint32_t cta, number, column, event;
  term_id value;
};

VEC_NAMED(tiles, struct tile);

/* Columns beyond those of the hardware for the allocation of this number of a warp (allocator.c). */
struct given_columns {
  uint32_t cta, warp, number, begin, count;
};

struct found {
  VEC(struct left_address) slots;
  VEC(struct use) uses;
  VEC(struct given_columns) given;
};

/* An address that an instruction must get from an allocation. */
struct awaited_address {
  term_id where, exec;
  uint32_t thread, instr;
};

struct tensor_plan {
  struct arena *arena;
  struct found now, next;                                                /* of the previous walk; of this walk */
  uint32_t lane_cuts[TENSOR_LANES + 1], column_cuts[TENSOR_WIDTH + 1]; /* where pieces begin; the last is an end */
  uint32_t lane_count, column_count;
  uint32_t ctas, *first; /* by CTA, row and column of the cuts: the first piece that the same operations access */
  uint32_t rounds, run, loads; /* loads: the first use of the run */
  struct tiles read;           /* the accesses of the loads of the run so far */
  term_id read_exec;
  uint32_t unwaited; /* the number of these loads without a wait so far */
  bool open; /* an address is not known */
  struct span open_at;
  uint64_t shared; /* a bit for each CTA: the order of warps determines its allocations */
  bool grew;       /* the walk has set more bits of `shared` */
  VEC(struct awaited_address) expected;
};

/* The piece that represents a piece. */
static inline uint32_t tensor_first(const struct tensor_plan *plan, uint32_t cta, uint32_t number) {
  return cta < plan->ctas ? plan->first[(size_t)cta * plan->lane_count * plan->column_count + number] : 0;
}

/* The last cut at or before a lane or column. */
static inline uint32_t tensor_cut(const uint32_t *cuts, uint32_t count, uint32_t at) {
  while (count > 1 && cuts[count - 1] > at) count--;
  return count - 1;
}

/* allocator.c. decides: true if the order of warps determines the columns of an allocation; `full`: no columns are free
 * in program order; `before`: the thread has allocated before. rules: the same, as far as it is known. owns: true if
 * cells belong to one allocation. */
bool allocator_decides(struct walk *w, bool full, bool before);
bool allocator_rules(const struct walk *w);
bool allocator_owns(const struct walk *w, uint32_t cta, const struct rectangle *cells);
/* take: an allocation by the first lane of a warp or, in another lane, the facts that it shares; false after a refusal.
 * free, relinquish: by a first lane. */
struct allocation {
  uint32_t begin; /* the columns that its operations access */
  term_id address;
  struct bitset reads;
};
bool allocator_take(struct walk *w, uint32_t columns, bool first, struct allocation *out);
void allocator_free(struct walk *w, uint32_t columns);
void allocator_relinquish(struct walk *w);
/* expect: notes that the reads from which an address is computed must return addresses from allocations. check: checks
 * all these once the threads are walked. */
void allocator_expect(struct walk *w, term_id where);
void allocator_check(struct walk *w);

/* cells.c: true if nothing waits for the load just noted before its run ends, as far as the previous walk found. */
bool tensor_unwaited(const struct tensor_plan *plan);
