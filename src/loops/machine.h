/* The threads and one location as a finite state machine, for any number of iterations of loops.
 *
 * If a model puts the accesses to a location into one order that respects program order, and each access returns the
 * value that its predecessor left (machines_fit), then every execution, restricted to this location, is a run of the
 * location's machine: the threads, interleaved, and a memory cell. Other locations return any value that they return to
 * the thread in the same state in their own machines. So each machine over-approximates every execution. If a model has
 * all accesses in such an order (machines_interleave), as sc does, there is one machine with all cells. */
#pragma once

#include "exec/concrete.h"
#include "loops/loops.h"

/* A step of a thread, from one state of the machine to another. */
struct move {
  uint32_t from, to, thread;
};

enum { EVERY_PLACE = UINT32_MAX };

struct location_machine {
  uint32_t place; /* the location: index into concrete.places; or EVERY_PLACE */
  uint32_t width; /* the width of a state: the state of each thread, and for each cell the index of its value in
                   * `held` */
  VEC(uint32_t) cells;
  struct hash_index index;
  uint32_t count;         /* the number of states; the first is the initial state */
  VEC(struct move) moves; /* in the order of `from` */
};

/* By state of a thread: the set of values that its access returned, a mask over the values that the place can hold. */
VEC_NAMED(returns, uint64_t);

struct machines {
  const struct looping *q;
  struct concrete concrete;
  VEC(struct held { VEC(value_t) list; }) held; /* by place: the values that it can hold, the initial one first */
  VEC(struct location_machine) list;            /* by place, or one for all places */
  struct returns *seen, *possible; /* by thread: in these machines; in those that they refine (NULL: any values) */
  bool grew, lost;
};

/* Builds the machines of all locations that branches depend on and, with `with_observed`, of those that observables
 * depend on. False, and nothing is known, if a machine is given up or the model does not fit. */
bool machines_build(struct machines *machines, const struct looping *looping, bool with_observed);

/* The states that the machine of a place reaches if only these threads (a mask) move. */
struct location_machine machine_run(struct machines *machines, uint32_t place, uint32_t movable);

/* Reduces a set of states to those on cycles inside the set on which exactly these threads (a mask) move. */
void machine_keep_rounds(struct arena *arena, const struct location_machine *m, struct bitset states, uint32_t moving);

static inline const uint32_t *machine_state(const struct location_machine *m, uint32_t state) {
  return &m->cells.data[state * m->width];
}

/* The content of the cell of a place in a state of the place's machine, or in the machine for all places: an index into
 * `held`. */
uint32_t machine_held(const struct machines *x, const struct location_machine *m, uint32_t state, uint32_t place);

/* in_order.c: true if the model puts the accesses to every location into such an order, no value depends on itself, and
 * nothing is undefined. */
bool machines_fit(struct machines *machines);
/* True if, in addition, an axiom puts the accesses of all threads to all locations into one order. */
bool machines_interleave(const struct model *model);
