#include "draw/theme.h"

static const struct theme themes[] = {
    {"#ffffff",
     "#ffffff",
     "#57606a",
     "#1f2328",
     "#57606a",
     {"#8c959f", "#8c959f", "#8c959f", "#afb8c1"},
     {"#f6f8fa", "#eff2f5", "#e9edf2", "#e1e6eb"}},
    {"#0d1117",
     "#0d1117",
     "#8b949e",
     "#f0f6fc",
     "#9da7b3",
     {"#6e7681", "#6e7681", "#6e7681", "#57606a"},
     {"#151b23", "#1a212a", "#212a35", "#2a3440"}},
};

const struct theme *theme_of(bool dark) { return &themes[dark]; }
