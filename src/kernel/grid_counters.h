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

static bool is_read_by(const struct instr *in, uint32_t wanted) { return SOME(EACH_READ (reg, in), reg == wanted); }

/* The instruction of a remnant, if that is the only one, and has no guard; true if its scope is all of the GPU. */
const struct instr *grid_alone(const struct runner *r, const struct remnant *remnant);
bool grid_is_wide(const struct instr *in);
struct litmus_operand *grid_bound_of(const struct remnant *test);
bool grid_compares(const struct runner *r, const struct remnant *remnant, uint32_t reg, uint32_t *least, bool *set,
                   bool *exact);
bool grid_begins_as_zero(const struct region *region, uint32_t at);
uint64_t grid_added_by(const struct runner *r, const struct remnant *remnant, struct grid_meeting *counter);
bool grid_is_word(const struct tickets *t, const struct touch *touch);
bool *grid_find_leaving(const struct tickets *t);

/* lockers.c */
void lockers_drop(struct launching *launch, struct kernel_run *run);
