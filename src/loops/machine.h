/* Threads and one location as a machine with finitely many states, however often loops go round.
 *
 * Where a model has the accesses to a location in one order that respects each thread's, in which each returns what the
 * one before it left (machine_fits), every execution is a run of the location's machine as far as this location goes:
 * the threads, one access after another, and a cell. Another location returns any value that it returns in its own
 * machine to the thread in that state. So no execution does anything that the machine of some location cannot do. Where
 * a model has all accesses in such an order (machines_interleave), as sc does, there is one machine with all cells. */
#pragma once

#include "exec/concrete.h"
#include "exec/execution.h"
#include "loops/loops.h"

/* A step of a thread, from one state of the machine to another. */
struct move {
  uint32_t from, to, thread;
};

enum { EVERY_PLACE = UINT32_MAX };

struct location_machine {
  uint32_t place; /* the location: index into concrete.places; or EVERY_PLACE */
  uint32_t width; /* of a state: the state of each thread, and the value of each cell, as an index into `held` */
  VEC(uint32_t) cells;
  struct hash_index index;
  uint32_t count;         /* of states; the first is the one at the start */
  VEC(struct move) moves; /* in the order of `from` */
};

/* By state of a thread, as masks: the values that its access returned, of those that the place can hold. */
struct returns {
  VEC(uint64_t) list;
};

struct machines {
  const struct looping *q;
  struct concrete concrete;
  VEC(struct held { VEC(value_t) list; }) held; /* by place: the values that it can hold, the initial one first */
  VEC(struct location_machine) list;            /* by place, or that of all */
  struct returns *seen, *possible; /* by thread: in these machines; in those that they refine (NULL: anything) */
  bool grew, lost;
};

/* Builds the machines of all locations that branches depend on and, with `with_observed`, of those that observables
 * depend on. False, with nothing known, where one is given up or does not fit. */
bool machines_build(struct machines *machines, const struct looping *looping, bool with_observed);

/* The states that the machine of a place reaches where only these threads (a mask) move. */
struct location_machine machine_run(struct machines *machines, uint32_t place, uint32_t movable);

/* Takes out of a set of states all but those to which the machine can come back again and again inside the set, each of
 * these threads (a mask) moving, and no other. */
void machine_keep_rounds(struct arena *arena, const struct location_machine *m, struct bitset states, uint32_t moving);

static inline const uint32_t *machine_state(const struct location_machine *m, uint32_t state) {
  return &m->cells.data[state * m->width];
}

/* The content of the cell of a place in a state of the place's machine, or of that of all: an index into `held`. */
uint32_t machine_held(const struct machines *x, const struct location_machine *m, uint32_t state, uint32_t place);

/* in_order.c: true if the model has the accesses to every location in such an order, no value comes from itself, and
 * nothing is undefined. */
bool machines_fit(struct machines *machines);
/* True if, beyond that, an axiom has the accesses of all threads to all locations in one order. */
bool machines_interleave(const struct model *model);
