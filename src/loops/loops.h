/* Answers about the loops of a test that hold for any number of iterations, from machines (machine.h): threads and a
 * location with finitely many states. `false` always means that the answer is not known. */
#pragma once

#include "result/result.h"

/* The threads that the scheduler must keep running (Sorensen and others, OOPSLA 2021, "Specifying and Testing GPU
 * Workgroup Progress Models", here for litmus threads): all (fair); of those that have not ended, the one with the
 * lowest number (HSA); all that have begun (OBE, occupancy-bound execution); all up to the highest number that has
 * begun (LOBE). Under each, if no thread spins, some thread that can continue does. */
enum progress { PROGRESS_FAIR, PROGRESS_HSA, PROGRESS_OBE, PROGRESS_LOBE };

/* A test, and the options of a question about it. */
struct looping {
  struct arena *arena;
  const struct program *program;
  const struct model *model;
  const struct skeleton *skeleton;
  enum progress progress;
  double deadline; /* of base.h */
  bool *given_up;  /* indexed by machines_build's `with_observed`: the machines were given up, and would be again */
};

/* timeline.c: true if every execution ends under the scheduler, for any number of iterations. */
bool loops_all_end(const struct looping *looping);

/* timeline.c: true if executions with more iterations than were unrolled have no other outcomes than the result, or
 * none that changes the observation; in the second case sets result.complete to false. */
bool loops_all_outcomes(const struct looping *looping, struct result *result);

struct graph;

/* in_order.c: true if the model's clauses cannot make undefined, beyond the bound, a test that they leave defined
 * within it. */
bool loops_are_defined(const struct graph *graph);
