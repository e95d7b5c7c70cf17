/* What is left of a test when all goes that no execution gets to, and that no access, branch, barrier or condition
 * needs: a test with the same outcomes, that is easier to read. */
#ifndef PTXLIT_SLICE_H
#define PTXLIT_SLICE_H

#include "exec/skeleton.h"
#include "litmus/ast.h"

/* A copy of the test in the arena, which shares with it. Where the program cannot be analysed, all of it is left. */
const struct litmus_test *slice_test(struct arena *arena, const struct litmus_test *test,
                                     const struct program *program);

#endif
