/* A layout in Graphviz's language, and that language as a picture. */
#ifndef PTXLIT_DOT_H
#define PTXLIT_DOT_H

#include "draw/layout.h"

/* Fonts. Without Pango, Graphviz knows the widths of Courier only, which are those of every font of this kind. */
#define DOT_FONT "DejaVu Sans Mono"
#define DOT_FONT_SVG "Courier"

/* Adds the graph with all its places, so that Graphviz only draws: `dot -Tsvg` on it gives our picture. Identifiers
 * start with `prefix`, so that several pictures can stand in one page; classes carry the names of the relations. */
void dot_write(const struct layout *layout, bool dark, const char *prefix, const char *font, struct text *out);

/* Adds CSS rules that turn the colours of a light picture in a page into those of a dark one. */
void dot_dark_css(struct text *out);

/* Draws a graph with Graphviz's library, which is loaded when first needed: a check does without it. `format` is
 * "svg", "png" or "pdf". Returns NULL and sets data (in the arena, with a NUL after it) and size; or why it could not:
 * Graphviz or its plugin for the format is missing. Not to be used by two threads at a time: Graphviz is not made for
 * that. */
const char *graphviz_render(struct arena *arena, const char *dot, const char *format, const char **data, size_t *size);

#endif
