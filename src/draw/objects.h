/* Beneath the threads a row for each mbarrier object: scene.objects. */
#pragma once

#include "draw/scene.h"

/* node_of: by event, the node that shows it or NO_NODE. */
void scene_objects(struct arena *arena, const struct pick *pick, const uint32_t *node_of, struct scene *scene);
