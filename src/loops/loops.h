/* Answers about the loops of a test that hold for any number of iterations, from machines (machine.h): threads and a
 * location with finitely many states. `false` always means that the answer is not known. */
#pragma once

#include "exec/skeleton.h"
#include "result/result.h"

/* Which threads the scheduler must keep going for ever (Sorensen and others, OOPSLA 2021, "Specifying and Testing GPU
 * Workgroup Progress Models", here for litmus threads): all (fair); of those that have not ended, the one with the
 * lowest number (HSA); all that have begun (OBE, occupancy-bound execution); all up to the highest number that has
 * begun (LOBE). Under each, while no thread spins, some thread that can go on does. */
enum progress { PROGRESS_FAIR, PROGRESS_HSA, PROGRESS_OBE, PROGRESS_LOBE };

/* The test of a question. */
struct looping {
  struct arena *arena;
  const struct program *program;
  const struct model *model;
  const struct skeleton *skeleton;
  enum progress progress;
  double deadline; /* of base.h */
  bool *given_up;  /* two, by machines_build's `with_observed`: machines were given up, and would be again */
};

/* timeline.c: true if every execution ends, however often loops go round, under the scheduler. */
bool loops_all_end(const struct looping *looping);

/* timeline.c: true if executions with more iterations than were looked at have no outcomes besides those of the result,
 * or none that changes the observation: result.complete is then set to false. */
bool loops_all_outcomes(const struct looping *looping, struct result *result);

struct graph;

/* in_order.c: true if the model's clauses make nothing undefined beyond the bound that is defined within it. */
bool loops_are_defined(const struct graph *graph);
