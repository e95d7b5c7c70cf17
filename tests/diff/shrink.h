/* Reduces a failing test: removes every part that the failure does not need. */
#ifndef PTXLIT_TESTS_SHRINK_H
#define PTXLIT_TESTS_SHRINK_H

#include "generate.h"

/* True if a candidate still fails in the same way. A candidate that is not a valid test does not. */
typedef bool still_fails(void *state, const struct sketch *sketch);

/* Drops instructions, threads, declarations, dots and the condition, again and again, while the result still fails. New
 * texts live in `arena`. */
struct sketch shrink(struct arena *arena, struct sketch sketch, still_fails *fails, void *state);

#endif
