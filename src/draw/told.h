#pragma once

#include "draw/pick.h"
#include "explain/explain.h"

/* Visits the execution that an explanation tells of an allowed or forbidden state. False when it tells none, or one
 * with more coherence than the model gives. */
bool told_pick(struct arena *arena, const struct explanation *told, pick_visit *visit, void *context);
