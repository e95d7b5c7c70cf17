/* The orders in which the steps of mbarrier objects may happen, one object after another: for brute force. */
#pragma once

#include "exec/execution.h"

/* Calls go_on for each choice of turns and test results with which every true test finds its phase complete. It is not
 * known yet which steps happen, so each optional step is tried as present and as absent. Restores the turns at the
 * end. */
void turns_choose(struct arena *arena, struct execution *execution, void (*go_on)(void *context),
                  bool (*stopped)(void *context), void *context);
