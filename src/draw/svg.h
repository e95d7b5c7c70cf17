/* Writes a layout as SVG, without any other program. */
#pragma once

#include "draw/layout.h"

/* Adds the <svg> element. svg_css has its rules: `alone` includes those of `dark` or light, so that the picture is
 * complete, with a description in words; else the page around it has the rules and the words. `scale`: of the stated
 * size with `alone`, 1 for one point a unit; in a page, `--w` is its width in points. */
struct svg_options {
  bool alone, dark;
  double scale;
};
void svg_write(const struct layout *layout, const struct svg_options *options, struct text *out);

/* Adds the words below a picture as lines of HTML, for a page that holds the picture. */
void svg_words(const struct scene *scene, struct text *out);

/* Adds the CSS rules of pictures; svg_dark_css only those that differ in the dark. */
void svg_css(struct text *out);
void svg_dark_css(struct text *out);
