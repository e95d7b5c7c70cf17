/* Functions that make the parts of a scene. Private to src/draw. */
#pragma once

#include "draw/scene.h"

/* The CTA of an access to tensor memory; NO_THREAD for other events. */
uint32_t scene_tensor_cta(const struct skeleton *skeleton, const struct event *event);

/* The part of an execution that is drawn; NULL: all of it. */
struct focus {
  bool *threads, *events; /* by index */
};

/* Chooses the part that a finding about a kernel is about. False if the whole execution is drawn. */
bool scene_focus(struct arena *arena, const struct pick *pick, struct focus *focus);

/* Sets scene->columns and the levels that are shown. Returns the number of threads that did not fit. */
uint32_t scene_columns(struct arena *arena, const struct execution *x, const struct focus *focus, struct scene *scene);

/* Sets scene.objects: one row below the threads per mbarrier object. node_of: by event, its node or NO_NODE. */
void scene_objects(struct arena *arena, const struct pick *pick, const uint32_t *node_of, struct scene *scene);

/* Gives every edge its style. */
void theme_dress(struct scene *scene);

/* Numbers the nodes of a scene by step, unless communication alone has a cycle, which occurs only in forbidden
 * executions. `node_of`: by event. */
void steps_number(struct arena *arena, const struct pick *pick, const uint32_t *node_of, struct scene *scene);

/* True if a frame, which shows an execution up to some step, shows the node, or the edge; true in the whole scene. */
bool steps_shows_node(const struct scene *scene, uint32_t node);
bool steps_shows_edge(const struct scene *scene, const struct scene_edge *edge);

/* The colours of nodes, scopes and text. */
struct theme {
  const char *page, *node, *node_line, *node_text, *muted;
  const char *scope_line[SCENE_LEVELS], *scope_fill[SCENE_LEVELS];
};

const struct theme *theme_of(bool dark);
