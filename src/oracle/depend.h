/* Dependencies of one path through the threads. Private to src/oracle.
 *
 * An event depends on a read if another value of the read could change it, which is a property of all paths at once:
 * the skeleton of the whole program determines it (docs/semantics.md P10). */
#pragma once

#include "exec/skeleton.h"
#include "oracle/paths.h"

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
