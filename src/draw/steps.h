/* An execution shown step by step. */
#pragma once

#include "draw/scene.h"

/* Numbers the nodes of a scene; leaves them without where communication alone goes in a circle, as it does only in an
 * execution that is forbidden. `node_of`: by event. */
void steps_number(struct arena *arena, const struct pick *pick, const uint32_t *node_of, struct scene *scene);

/* The scene as it is after a step, from 1 to scene->steps. It shares its parts with the whole. */
struct scene *steps_frame(struct arena *arena, const struct scene *whole, uint32_t step);

/* True if they have come, in a frame; in the whole scene they have. */
bool steps_shows_node(const struct scene *scene, uint32_t node);
bool steps_shows_edge(const struct scene *scene, const struct scene_edge *edge);
