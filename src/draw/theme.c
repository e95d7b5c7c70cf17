#include "draw/parts.h"

static const struct theme themes[] = {{"#ffffff", "#ffffff", "#57606a", "#1f2328", "#57606a",
                                       {"#8c959f", "#8c959f", "#8c959f", "#afb8c1"},
                                       {"#f6f8fa", "#eff2f5", "#e9edf2", "#e1e6eb"}},
                                      {"#0d1117", "#0d1117", "#8b949e", "#f0f6fc", "#9da7b3",
                                       {"#6e7681", "#6e7681", "#6e7681", "#57606a"},
                                       {"#151b23", "#1a212a", "#212a35", "#2a3440"}}};

const struct theme *theme_of(bool dark) { return &themes[dark]; }

static const struct scene_style styles[] = {
#define STYLE(name, when, light, dark, line, arrow, meaning) {name, DRAWN_##when, light, dark, line, arrow, meaning},
#include "draw/styles.def"
#undef STYLE
};

const struct scene_style *scene_styles(size_t *count) {
  *count = ARRAY_LEN(styles);
  return styles;
}

/* The row of an edge's relation; without one, the row of an earlier edge of the relation, else the next spare row. */
static const struct scene_style *style_of(const struct scene *s, uint32_t edge, uint32_t *spare) {
  const char *name = s->edges.data[edge].name;
  uint32_t spares = 0;
  for (size_t i = 0; i < ARRAY_LEN(styles); i++) {
    if (strcmp(styles[i].name, name) == 0) return &styles[i];
    spares += styles[i].when == DRAWN_SPARE;
  }
  for (uint32_t i = 0; i < edge; i++)
    if (strcmp(s->edges.data[i].name, name) == 0) return s->edges.data[i].style;
  return &styles[ARRAY_LEN(styles) - spares + (*spare)++ % spares];
}

void theme_dress(struct scene *s) {
  uint32_t spare = 0;
  for (uint32_t i = 0; i < s->edges.len; i++) s->edges.data[i].style = style_of(s, i, &spare);
}
