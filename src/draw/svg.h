/* Writes a layout as SVG, without any other program. */
#pragma once

#include "draw/layout.h"

/* Adds the <svg> element, with its style and a description in words. `scale`: points per unit. */
struct svg_options {
  bool dark;
  double scale;
};
void svg_write(const struct layout *layout, const struct svg_options *options, struct text *out);
