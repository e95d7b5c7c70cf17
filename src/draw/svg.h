/* Writes a layout as SVG, without any other program. */
#pragma once

#include "draw/layout.h"

/* Adds the <svg> element. Its CSS rules are those of svg_css. With `alone`, the picture is complete: it includes the
 * dark or light rules, and a description in words; else the page around the picture has the rules and the words.
 * `scale`: with `alone`, points per unit; in a page, `--w` is the width of the picture in points. */
struct svg_options {
  bool alone, dark;
  double scale;
};
void svg_write(const struct layout *layout, const struct svg_options *options, struct text *out);

/* Adds the words below a picture as lines of HTML, for a page that holds the picture. */
void svg_words(const struct scene *scene, struct text *out);

/* Adds the CSS rules of pictures; svg_dark_css adds only the rules that differ in the dark theme. */
void svg_css(struct text *out);
void svg_dark_css(struct text *out);
