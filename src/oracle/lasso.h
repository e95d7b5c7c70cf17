/* True if what threads do for ever in an execution can go on for ever: the same as encode/ending.c, on one execution of
 * a precise skeleton. True where no thread spins or goes round. */
#pragma once

#include "exec/execution.h"

/* After execution_relate. */
bool lasso_goes_on(struct arena *arena, const struct execution *execution);
