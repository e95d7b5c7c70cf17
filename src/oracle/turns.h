/* The orders in which the steps of mbarrier objects may happen, one object after another: for brute force. */
#pragma once

#include "exec/execution.h"

/* Calls go_on for each choice of turns and test results with which every true test finds its phase complete. It is not
 * yet known which steps happen: all that need not happen are tried both ways. Turns are left as they were found. */
void turns_choose(struct arena *arena, struct execution *execution, void (*go_on)(void *context),
                  bool (*stopped)(void *context), void *context);
