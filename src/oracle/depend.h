/* Dependencies of one path through the threads. Private to src/oracle.
 *
 * An event depends on a read if another value of the read could change it, which concerns all paths at once: the
 * skeleton of the whole program decides it (docs/semantics.md P10). */
#pragma once

#include "exec/skeleton.h"
#include "oracle/paths.h"

enum { NO_STEP = UINT32_MAX };

/* For each instruction of a way, the step of the unrolled thread that it is; NO_STEP from where the unrolled thread has
 * no such step. */
uint32_t *depend_steps(struct arena *arena, const struct thread *thread, const uint32_t *copies,
                       const struct thread_path *path);

/* Takes out of `way`, the skeleton of chosen ways with steps[thread], the dependencies that `whole` does not have, and
 * out of ASKED what is not in it there: a loop that polls is none on a way. The dependencies of events that are not in
 * `whole` stay: of iterations without effect, which its executions leave out. */
void depend_restrict(struct skeleton *way, const struct skeleton *whole, const uint32_t *const *steps);
