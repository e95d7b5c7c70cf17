/* Words by which the CTAs of a grid meet, count themselves, or take turns. Private to src/kernel. */
#pragma once

#include "kernel/needs.h"

enum { COUNTER_BYTES = 4 };

/* The counter of a meeting of the grid; NULL: there is no meeting. */
struct grid_meeting {
  const struct region *region;
  uint32_t at;
  bool exact;              /* the poll ends only at its bound: no meeting at the counter may follow */
  bool releases, acquires; /* each addition, each poll */
};

/* Atomics that each draw a number of their own from a counter, or threads that take a lock. */
struct tickets {
  struct launching *launch;
  struct kernel_run *run;
  const struct draw *draw;
  uint64_t last;
  struct grid_meeting words[2]; /* the counter; or the word that tells who has the lock, and that of its tickets */
  VEC(struct remnant *) tests;  /* of the columns, by which one knows that it drew the last number, */
  VEC(struct runner *) drawers;
  bool *stays; /* by block */
};

static inline bool is_read_by(const struct instr *in, uint32_t wanted) {
  return SOME(EACH_READ (reg, in), reg == wanted);
}

static inline bool is_same_word(const struct grid_meeting *a, const struct grid_meeting *b) {
  return a->region == b->region && a->at == b->at;
}

/* grid_barriers.c. The instruction of a remnant, if that is the only one, and has no guard; NULL else. */
const struct instr *grid_alone(const struct runner *r, const struct remnant *remnant);
/* True of an access or fence of the generic proxy whose scope has all threads of the GPU. */
bool grid_is_wide(const struct instr *in);
/* The third operand: of a comparison its bound, of an atomic its number. */
struct litmus_operand *grid_bound_of(const struct remnant *test);
/* True of a comparison of an integer register by which numbers from `*least` on differ from those below; *exact: by
 * which only `*least` differs. *set: it holds for those. */
bool grid_compares(const struct runner *r, const struct remnant *remnant, uint32_t reg, uint32_t *least, bool *set,
                   bool *exact);
/* True if the word is 0 before any thread runs. */
bool grid_begins_as_zero(const struct region *region, uint32_t at);
/* The number that an atomic adds to a counter; 0: another instruction. */
uint64_t grid_added_by(const struct runner *r, const struct remnant *remnant, struct grid_meeting *counter);
/* True of an access to a byte of the words. */
bool grid_is_word(const struct tickets *t, const struct touch *touch);
/* By block: true of one that only counts, if another one of its kind does so and stays. */
bool *grid_find_leaving(const struct tickets *t);

/* lockers.c: leaves out blocks of a run that only take a lock and release it. */
void lockers_drop(struct launching *launch, struct kernel_run *run);
