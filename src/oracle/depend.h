/* Dependencies of one path through the threads. Private to src/oracle.
 *
 * An event depends on a read if another value of the read could change it, which concerns all paths at once: the
 * skeleton of the whole program decides it (docs/semantics.md P10). */
#pragma once

#include "exec/skeleton.h"
#include "oracle/paths.h"

enum { NO_STEP = UINT32_MAX };

/* The steps of the unrolled thread that correspond to the instructions of a way; NO_STEP once there is none. */
uint32_t *depend_steps(struct arena *arena, const struct thread *thread, const uint32_t *copies,
                       const struct thread_path *path);

/* Removes from `way`, the skeleton of chosen ways with steps[thread], the dependencies that `whole` does not have, and
 * from its ASKED the events that are not in that of `whole`: a polling loop cannot be seen on a way. Dependencies of
 * events that are not in `whole` stay: they are of iterations without effect, which its executions leave out. */
void depend_restrict(struct skeleton *way, const struct skeleton *whole, const uint32_t *const *steps);
