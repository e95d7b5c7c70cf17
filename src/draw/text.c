#include <string.h>

#include "draw/scene.h"

/* Columns as they are seen: continuation bytes of UTF-8 take no room. */
static size_t width_of(const char *text) {
  size_t width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

static void add_padded(struct text *out, const char *text, size_t width) {
  text_add(out, text);
  for (size_t i = width_of(text); i < width; i++) text_char(out, ' ');
}

/* The letter, the instruction and its effect. A star marks a node on the cycle. */
static const char *cell(struct arena *arena, const struct scene_node *node) {
  const char *mark = node->on_cycle ? "*" : " ";
  return arena_printf(arena, "%s%s: %s%s%s%s", mark, node->letter, node->text, *node->effect ? "  (" : "", node->effect,
                      *node->effect ? ")" : "");
}

static const char *place_line(const struct scene *s, struct arena *arena, const struct thread *t, int line) {
  if (line == 0) return arena_printf(arena, "P%u", t->number);
  struct text text;
  text_init(&text, arena);
  for (int i = 0; i < SCENE_LEVELS; i++) {
    enum scene_level level = (enum scene_level)i;
    if (scene_scope_shown(s, t, level))
      text_printf(&text, "%s%s %u", text.len ? ", " : "", scene_level_name(level), scene_scope_number(t, level));
  }
  return text_str(&text);
}

static const char *cell_at(const struct scene *s, struct arena *arena, uint32_t column, int row) {
  const struct scene_column *c = &s->columns.data[column];
  if (row < 0) return place_line(s, arena, &s->program->threads[c->thread], row == -2 ? 0 : 1);
  return (uint32_t)row < c->rows ? cell(arena, &s->nodes.data[c->first + (uint32_t)row]) : "";
}

static void add_columns(const struct scene *s, struct text *out) {
  int rows = 0;
  size_t *widths = ARENA_ARRAY(out->arena, size_t, s->columns.len);
  for (uint32_t c = 0; c < s->columns.len; c++) {
    if ((int)s->columns.data[c].rows > rows) rows = (int)s->columns.data[c].rows;
    for (int r = -2; r < (int)s->columns.data[c].rows; r++) {
      size_t width = width_of(cell_at(s, out->arena, c, r));
      if (width > widths[c]) widths[c] = width;
    }
  }
  for (int r = -2; r < rows; r++) {
    struct text line;
    text_init(&line, out->arena);
    for (uint32_t c = 0; c < s->columns.len; c++) {
      text_add(&line, c ? " | " : "  ");
      add_padded(&line, cell_at(s, out->arena, c, r), widths[c]);
    }
    while (line.len && line.data[line.len - 1] == ' ') line.len--;
    text_add_slice(out, line.data, line.len);
    text_char(out, '\n');
  }
}

static void add_arrows(const struct scene *s, struct text *out) {
  size_t width = 2;
  bool any = false;
  for (uint32_t i = 0; i < s->edges.len; i++)
    if (width_of(s->edges.data[i].name) > width) width = width_of(s->edges.data[i].name);
  for (uint32_t i = 0; i < s->edges.len; i++) {
    const struct scene_edge *edge = &s->edges.data[i];
    if (strcmp(edge->name, "po") == 0) continue; /* the columns say so */
    if (!any) text_char(out, '\n');
    any = true;
    text_add(out, edge->on_cycle ? "  *" : "   ");
    add_padded(out, edge->name, width);
    text_printf(out, "  %s -> %s\n", s->nodes.data[edge->from].letter, s->nodes.data[edge->to].letter);
  }
}

void scene_text(const struct scene *s, struct text *out) {
  text_printf(out, "%s\n%s\n", s->title, s->caption);
  if (*s->outcome) text_printf(out, "ends with %s\n", s->outcome);
  text_char(out, '\n');
  add_columns(s, out);
  add_arrows(s, out);
  if (s->cycle) text_printf(out, "\n* %s\n", s->cycle);
  if (s->left_out) text_printf(out, "\n%s\n", s->left_out);
}
