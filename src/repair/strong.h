/* Tries to make the two accesses of a race strong. */
#pragma once

#include "explain/races.h"
#include "repair/fix.h"

/* Finds `strong` for each race, by checking the test with both accesses made strong. */
void races_try_strong(struct arena *arena, const struct fix_input *input, struct races *races);
