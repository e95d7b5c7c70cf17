/* Draws for a terminal: a column for each thread, then the arrows, one per line. If the columns are too wide, the
 * values of an instruction are below it; if that does not suffice, the threads are split into several groups. */

#include "draw/parts.h"

struct sheet {
  const struct scene *s;
  struct arena *arena;
  struct text *out;
  size_t width;   /* the limit of terminal columns; 0: none */
  bool below;     /* effects are printed below their instructions */
  size_t *widths; /* by column */
};

/* The number of terminal columns of a text: continuation bytes of UTF-8 do not count. */
static size_t width_of(const char *text) {
  size_t width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xc0) != 0x80;
  return width;
}

static void add_padded(struct text *out, const char *text, size_t width) {
  text_add(out, text);
  for (size_t i = width_of(text); i < width; i++) text_char(out, ' ');
}

/* ---- Cells: lines above all rows, then lines for each row; a line that is empty in all columns is left out ---- */

enum { HEAD_LINES = 2, ROW_LINES = 9, INDENT = 6, MARGIN = 2, BETWEEN = 3 };

static const char *place_line(const struct sheet *x, const struct scene_column *c) {
  const struct thread *t = &x->s->program->threads[c->thread];
  struct text text = {.arena = x->arena};
  for (int i = 0; i < SCENE_LEVELS; i++) {
    enum scene_level level = (enum scene_level)i;
    if (scene_scope_shown(x->s, t, level) && !(c->tensor && level == SCENE_WARP))
      text_printf(&text, "%s%s", text.len ? ", " : "",
                  scene_scope_label(text.arena, level, scene_scope_number(t, level)));
  }
  return text_str(&text);
}

/* The k-th line of words wrapped at `width` columns; the last line has the rest. */
static const char *broken_line(struct arena *arena, const char *words, size_t width, uint32_t k) {
  for (uint32_t i = 0;; i++) {
    size_t end = strlen(words);
    while (end > width && i + 2 < ROW_LINES) {
      size_t blank = end;
      while (blank && words[blank - 1] != ' ') blank--;
      if (!blank) break;
      end = blank - 1;
    }
    if (i == k) return arena_strndup(arena, words, end);
    words += end;
    if (!*words) return "";
    words++;
  }
}

/* The letter, the instruction and its effect. A star marks a node on the cycle. */
static const char *node_line(const struct sheet *x, const struct scene_node *node, uint32_t line) {
  bool effect = *node->effect && (line > 0) == x->below;
  if (line) {
    size_t room = x->width > MARGIN + INDENT ? x->width - MARGIN - INDENT : SIZE_MAX;
    const char *words = effect ? broken_line(x->arena, node->effect, room, line - 1) : "";
    return *words ? arena_printf(x->arena, "%*s%s", INDENT, "", words) : "";
  }
  if (node->gap) return arena_printf(x->arena, " %s", node->text);
  return arena_printf(x->arena, "%s%s: %s%s%s%s", node->on_cycle ? "*" : " ", node->letter, node->text,
                      effect ? "  (" : "", effect ? node->effect : "", effect ? ")" : "");
}

static const char *cell(const struct sheet *x, uint32_t column, uint32_t line) {
  const struct scene_column *c = &x->s->columns.data[column];
  if (line < HEAD_LINES) return line ? place_line(x, c) : scene_head(x->arena, x->s, column);
  uint32_t row = (line - HEAD_LINES) / ROW_LINES;
  if (row >= c->rows || c->at[row] == NO_NODE || !steps_shows_node(x->s, c->at[row])) return "";
  return node_line(x, &x->s->nodes.data[c->at[row]], (line - HEAD_LINES) % ROW_LINES);
}

static uint32_t lines_of(const struct sheet *x, uint32_t column) {
  return HEAD_LINES + ROW_LINES * x->s->columns.data[column].rows;
}

static void measure(struct sheet *x) {
  for (uint32_t c = 0; c < x->s->columns.len; c++) {
    x->widths[c] = 0;
    for (uint32_t i = 0; i < lines_of(x, c); i++) {
      size_t width = width_of(cell(x, c, i));
      if (width > x->widths[c]) x->widths[c] = width;
    }
  }
}

/* ---- Groups of columns ---- */

/* The number of columns from `begin` on that fit, from 1 to `most`. */
static uint32_t fitting(const struct sheet *x, uint32_t begin, uint32_t most) {
  size_t width = MARGIN + x->widths[begin];
  uint32_t end = begin + 1;
  for (; end < x->s->columns.len && end - begin < most; end++) {
    width += BETWEEN + x->widths[end];
    if (x->width && width > x->width) break;
  }
  return end - begin;
}

static void add_group(const struct sheet *x, uint32_t begin, uint32_t end) {
  uint32_t lines = 0;
  for (uint32_t c = begin; c < end; c++)
    if (lines_of(x, c) > lines) lines = lines_of(x, c);
  for (uint32_t i = 0; i < lines; i++) {
    struct text line = {.arena = x->arena};
    bool empty = true;
    for (uint32_t c = begin; c < end; c++) {
      const char *text = cell(x, c, i);
      empty = empty && !*text;
      text_add(&line, c == begin ? "  " : " | ");
      add_padded(&line, text, x->widths[c]);
    }
    if (empty && i >= HEAD_LINES) continue;
    while (line.len && line.data[line.len - 1] == ' ') line.len--;
    text_add_slice(x->out, line.data, line.len);
    text_char(x->out, '\n');
  }
}

static uint32_t groups(const struct sheet *x, uint32_t most) {
  uint32_t count = 0;
  for (uint32_t begin = 0; begin < x->s->columns.len; begin += fitting(x, begin, most)) count++;
  return count;
}

/* The smallest group size that gives the fewest groups, so that groups have about the same size. */
static uint32_t even_size(const struct sheet *x) {
  uint32_t size = x->s->columns.len, least = groups(x, size);
  while (size > 1 && groups(x, size - 1) == least) size--;
  return size;
}

static void add_columns(struct sheet *x) {
  uint32_t count = x->s->columns.len;
  x->widths = ARENA_ARRAY(x->arena, size_t, count);
  measure(x);
  bool wide = groups(x, count) > 1 || (x->width && count && MARGIN + x->widths[0] > x->width);
  if (wide) {
    x->below = true;
    measure(x);
  }
  uint32_t most = even_size(x);
  for (uint32_t begin = 0, end; begin < count; begin = end) {
    end = begin + fitting(x, begin, most);
    if (begin) text_char(x->out, '\n');
    add_group(x, begin, end);
  }
}

/* ---- The rest ---- */

static const char *arrow(const struct scene_edge *edge) {
  if (strcmp(edge->style->arrow, "none") == 0) return "--";
  return edge->both ? "<->" : "->";
}

static void add_arrows(const struct scene *s, struct text *out) {
  size_t width = 2;
  bool any = false;
  for (uint32_t i = 0; i < s->edges.len; i++)
    if (width_of(s->edges.data[i].name) > width) width = width_of(s->edges.data[i].name);
  VEC_EACH (edge, &s->edges) {
    if (strcmp(edge->name, "po") == 0) continue; /* the columns show po */
    if (!steps_shows_edge(s, edge)) continue;
    if (!any) text_char(out, '\n');
    any = true;
    text_add(out, edge->on_cycle ? "  *" : "   ");
    add_padded(out, edge->name, width);
    text_printf(out, "  %s %s %s\n", s->nodes.data[edge->from].letter, arrow(edge), s->nodes.data[edge->to].letter);
  }
}

/* Adds words, wrapped at blanks, with indented continuation lines; width 0: no limit. */
static void add_words(struct text *out, const char *words, size_t width) {
  text_wrap(out, 0, 4, width ? width : SIZE_MAX, words);
  text_char(out, '\n');
}

void scene_text(const struct scene *s, uint32_t width, struct text *out) {
  struct sheet sheet = {.s = s, .arena = out->arena, .out = out, .width = width};
  add_words(out, arena_printf(out->arena, "Test %s", s->title), width);
  add_words(out, s->caption, width);
  if (*s->outcome) add_words(out, arena_printf(out->arena, "ends with %s", s->outcome), width);
  text_char(out, '\n');
  add_columns(&sheet);
  add_arrows(s, out);
  if (s->object_count) text_char(out, '\n');
  for (uint32_t i = 0; i < s->object_count; i++) add_words(out, s->objects[i], width);
  if (s->cycle) {
    text_char(out, '\n');
    add_words(out, arena_printf(out->arena, "* %s", s->cycle), width);
    if (s->missing) add_words(out, arena_printf(out->arena, "? %s", s->missing), width);
  }
  if (!s->left_out) return;
  text_char(out, '\n');
  add_words(out, s->left_out, width);
}
