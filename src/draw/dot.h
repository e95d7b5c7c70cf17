/* A layout in Graphviz's language, and that language as a picture. */
#ifndef PTXLIT_DOT_H
#define PTXLIT_DOT_H

#include "draw/layout.h"

#define DOT_FONT "DejaVu Sans Mono"

/* Adds the graph with all its places, so that Graphviz only draws: `dot -Tsvg` on it gives our picture. Classes carry
 * the names of the relations. `scale`: 1 for one point a unit. */
void dot_write(const struct layout *layout, bool dark, double scale, struct text *out);

/* Draws a graph with Graphviz's library, which is loaded when first needed: a check does without it. `format` is
 * "png" or "pdf". Returns NULL and sets data (in the arena, with a NUL after it) and size; or why it could not:
 * Graphviz or its plugin for the format is missing. Not to be used by two threads at a time: Graphviz is not made for
 * that. */
const char *graphviz_render(struct arena *arena, const char *dot, const char *format, const char **data, size_t *size);

#endif
