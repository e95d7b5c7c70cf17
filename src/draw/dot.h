/* Writes a layout in Graphviz's language. */
#pragma once

#include "draw/layout.h"

#define DOT_FONT "DejaVu Sans Mono"

/* Adds the graph with all positions, so that Graphviz only draws: `dot -Tpng` and `dot -Tpdf` give the same picture.
 * Classes carry the names of the relations. `scale`: points per unit. */
void dot_write(const struct layout *layout, bool dark, double scale, struct text *out);
