/* Control flow by interpretation: the paths that a thread can take, each as straight code.
 *
 * The encoder unrolls loops and guards the code after a branch; this file follows one decision after another, like a
 * machine that gets the direction of each branch as input. The two share nothing, so that comparing the engines checks
 * the unrolling. */
#pragma once

#include "exec/execution.h"

/* One path through a thread. Branches and exits stay in it as instructions without effect, because later events depend
 * on them; `decided` gives the assumed direction of each. */
struct thread_path {
  struct instr *instrs;
  uint32_t *origins; /* for each instruction, its index in the thread */
  enum decision *decided;
  uint32_t count;
};

struct thread_paths {
  VEC(struct thread_path) list;
  bool cut; /* a path exceeded the limit: the list is incomplete */
};

/* All paths through a thread on which each loop repeats fewer times in a row than `bounds`, by its last instruction.
 * Backward branches to one instruction make one loop, and so do branches whose loops overlap without nesting. */
void paths_find(struct arena *arena, const struct thread *thread, const uint32_t *bounds, struct thread_paths *out);

/* True if a thread of the program branches at all. */
bool paths_may_branch(const struct program *program);

/* lasso.c, after execution_relate: decides if the events that threads repeat in an execution of a precise skeleton can
 * recur for ever, as encode/ending.c does for all executions. True if no thread spins or repeats a lap. */
bool lasso_goes_on(struct arena *arena, const struct execution *execution);

/* ---- turns.c: the orders in which the steps of mbarrier objects may happen, one object after another */

/* Calls go_on for each choice of turns and test results with which every true test finds its phase complete. It is not
 * known yet which steps happen, so each optional step is tried as present and as absent. Restores the turns at the
 * end. */
void turns_choose(struct arena *arena, struct execution *execution, void (*go_on)(void *context),
                  bool (*stopped)(void *context), void *context);

/* ---- depend.c: dependencies of one path through the threads
 *
 * An event depends on a read if another value of the read could change it, which is a property of all paths at once:
 * the skeleton of the whole program determines it (docs/semantics.md P10). */

enum { NO_STEP = UINT32_MAX };

/* The steps of the unrolled thread that correspond to the instructions of a path; from the first
 * instruction without a step, all are NO_STEP. */
uint32_t *depend_steps(struct arena *arena, const struct thread *thread, const uint32_t *copies,
                       const struct thread_path *path);

/* `way` is the skeleton of the chosen paths, with steps[thread]. Removes the dependencies that `whole` does not have,
 * and the events of ASKED that are not in ASKED of `whole`, because a single path does not show a polling loop.
 * Dependencies of events that are not in `whole` stay: they belong to iterations without effect, which the executions
 * of `whole` omit. */
void depend_restrict(struct skeleton *way, const struct skeleton *whole, const uint32_t *const *steps);
