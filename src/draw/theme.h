/* The looks of a picture: the colours of nodes, scopes and text, and the style of each edge. */
#pragma once

#include "draw/scene.h"

struct theme {
  const char *page, *node, *node_line, *node_text, *muted;
  const char *scope_line[SCENE_LEVELS], *scope_fill[SCENE_LEVELS];
};

const struct theme *theme_of(bool dark);

/* Gives every edge its style. */
void theme_dress(struct scene *scene);
