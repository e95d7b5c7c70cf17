/* Decides if the events that threads repeat in an execution of a precise skeleton can recur for ever, as
 * encode/ending.c does for all executions. True if no thread spins or repeats a lap. */
#pragma once

#include "exec/execution.h"

/* After execution_relate. */
bool lasso_goes_on(struct arena *arena, const struct execution *execution);
