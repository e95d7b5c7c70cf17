/* Decides if the parts that threads repeat for ever in an execution can recur for ever: as encode/ending.c, but on one
 * execution of a precise skeleton. True where no thread spins or goes round. */
#pragma once

#include "exec/execution.h"

/* After execution_relate. */
bool lasso_goes_on(struct arena *arena, const struct execution *execution);
