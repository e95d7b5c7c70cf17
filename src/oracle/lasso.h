/* Decides if the events that threads repeat in an execution of a precise skeleton can recur for ever, as
 * encode/ending.c does for all executions. True where no thread spins or goes round. */
#pragma once

#include "exec/execution.h"

/* After execution_relate. */
bool lasso_goes_on(struct arena *arena, const struct execution *execution);
