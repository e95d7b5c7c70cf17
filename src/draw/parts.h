/* Functions that make the parts of a scene, private to src/draw. */
#pragma once

#include "draw/scene.h"

/* The CTA of an access to tensor memory; NO_THREAD: it is none. */
uint32_t scene_tensor_cta(const struct skeleton *skeleton, const struct event *event);

/* Sets scene->columns and the levels that are shown. How many threads there was no room for. */
uint32_t scene_columns(struct arena *arena, const struct execution *x, struct scene *scene);

/* Beneath the threads a row for each mbarrier object: scene.objects. node_of: by event, the node that shows it or
 * NO_NODE. */
void scene_objects(struct arena *arena, const struct pick *pick, const uint32_t *node_of, struct scene *scene);

/* Gives every edge its style. */
void theme_dress(struct scene *scene);

/* Numbers the nodes of a scene; leaves them without where communication alone goes in a circle, as it does only in an
 * execution that is forbidden. `node_of`: by event. */
void steps_number(struct arena *arena, const struct pick *pick, const uint32_t *node_of, struct scene *scene);

/* True if they have come, in a frame that shows an execution up to some step; in the whole scene they have. */
bool steps_shows_node(const struct scene *scene, uint32_t node);
bool steps_shows_edge(const struct scene *scene, const struct scene_edge *edge);

/* The colours of nodes, scopes and text. */
struct theme {
  const char *page, *node, *node_line, *node_text, *muted;
  const char *scope_line[SCENE_LEVELS], *scope_fill[SCENE_LEVELS];
};

const struct theme *theme_of(bool dark);
