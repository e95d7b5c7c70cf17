/* The columns of a scene: the threads, and beside a thread the accesses of its asynchronous operations. */
#pragma once

#include "draw/scene.h"

/* Sets scene->columns and the levels that are shown. How many threads there was no room for. */
uint32_t scene_columns(struct arena *arena, const struct execution *x, struct scene *scene);
