#include "draw/layout.h"

#include <math.h>

/* The width of a character of DejaVu Sans Mono, and the height of a line, in ems. */
#define ADVANCE 0.602
#define LINE 1.3

enum { GAP = 96, CORRIDOR = 40, STACKED = 24, FRAME = 6, PADDING = 9, TITLE = 15, HEAD = 20, WRAP = 42, MARGIN = 6 };

double layout_text_width(const char *text, double size) {
  size_t count = 0;
  for (; *text; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
  return (double)count * size * ADVANCE;
}

/* ---- The text of nodes ---- */

/* The end of the line that starts at `text`: after the last comma or blank within WRAP characters that leaves no stub;
 * else after the first one beyond. */
static size_t line_end(const char *text) {
  size_t length = strlen(text), best = 0;
  if (length <= WRAP) return length;
  for (size_t i = 9; i < length && (i <= WRAP || !best); i++)
    if (text[i - 1] == ' ' || text[i - 1] == ',') best = i;
  return best ? best : length;
}

VEC_NAMED(lines, const char *);

static void split(struct layout *l, const char *text, struct lines *lines) {
  while (*text) {
    size_t end = line_end(text);
    VEC_PUSH(l->arena, lines, arena_strndup(l->arena, text, end));
    for (text += end; *text == ' '; text++) continue;
  }
}

/* Puts reads and writes on separate lines if they do not fit on one line. */
static void split_effect(struct layout *l, const char *effect, struct lines *lines) {
  const char *end = strlen(effect) > WRAP ? strstr(effect, "; ") : NULL;
  if (end) split(l, arena_strndup(l->arena, effect, (size_t)(end + 1 - effect)), lines);
  split(l, end ? end + 2 : effect, lines);
}

static void split_lines(struct layout *l, uint32_t index) {
  const struct scene_node *node = &l->scene->nodes.data[index];
  struct lines lines = {0};
  split(l, node->gap ? node->text : arena_printf(l->arena, "%s: %s", node->letter, node->text), &lines);
  l->text_lines[index] = lines.len;
  split_effect(l, node->effect, &lines);
  VEC_PUSH(l->arena, &lines, NULL);
  l->lines[index] = lines.data;
}

static double node_width(const struct layout *l, uint32_t index) {
  double widest = 0;
  for (const char **line = l->lines[index]; *line; line++) {
    double width = layout_text_width(*line, LAYOUT_FONT);
    if (width > widest) widest = width;
  }
  return widest + 22;
}

static double node_height(const struct layout *l, uint32_t index) {
  double height = 10;
  for (const char **line = l->lines[index]; *line; line++) height += LAYOUT_FONT * LINE;
  return height;
}

/* ---- The grid ---- */

static const struct thread *thread_of(const struct layout *l, uint32_t column) {
  return &l->scene->program->threads[l->scene->columns.data[column].thread];
}

/* The number of box edges between two neighbouring columns. */
static int boundaries(const struct layout *l, uint32_t left, uint32_t right) {
  int count = 0;
  for (int i = 0; i < SCENE_LEVELS; i++) {
    enum scene_level level = (enum scene_level)i;
    if (l->scene->level[i] && !scene_same_scope(l->scene, left, right, level)) count++;
  }
  return count;
}

static int levels_drawn(const struct layout *l) {
  return (int)COUNT(for (int i = 0; i < SCENE_LEVELS; i++), l->scene->level[i]);
}

/* The extent of the arcs of a column and their labels on one side; 0 if it has no arc. */
static double arc_reach(const struct layout *l, uint32_t column, bool left) {
  double reach = 0;
  for (uint32_t i = 0; i < l->scene->edges.len; i++) {
    const struct scene_edge *e = &l->scene->edges.data[i];
    if (!route_is_arc(l->scene, i) || l->scene->nodes.data[e->from].column != column || (e->to < e->from) != left)
      continue;
    double wanted = 0.75 * route_reach(l, i) + layout_text_width(e->name, LAYOUT_SMALL) / 2 + 6;
    if (wanted > reach) reach = wanted;
  }
  return reach;
}

/* The gap between a column and the previous one: for the curves between them, and for the arcs of both. */
static double gap_before(const struct layout *l, uint32_t column) {
  double arcs = arc_reach(l, column - 1, false) + arc_reach(l, column, true);
  return GAP + fmax(0, arcs - GAP / 4.0) + 2 * PADDING * boundaries(l, column - 1, column);
}

static void place_columns(struct layout *l) {
  const struct scene *s = l->scene;
  double x = MARGIN + levels_drawn(l) * PADDING + 4 + arc_reach(l, 0, true);
  for (uint32_t c = 0; c < s->columns.len; c++) {
    double width = 70;
    for (uint32_t r = 0; r < s->columns.data[c].rows; r++) {
      uint32_t node = s->columns.data[c].at[r];
      double wanted = node == NO_NODE ? 0 : node_width(l, node);
      if (wanted > width) width = wanted;
    }
    if (c) x += gap_before(l, c);
    l->column_width[c] = width;
    l->column_x[c] = x + width / 2;
    x += width;
  }
  l->width = x + levels_drawn(l) * PADDING + MARGIN + 4 + arc_reach(l, s->columns.len - 1, false);
}

static void place_node(struct layout *l, uint32_t node, double y, double height) {
  uint32_t c = l->scene->nodes.data[node].column;
  double half = l->column_width[c] / 2;
  l->nodes[node] = (struct box){l->column_x[c] - half, y, l->column_x[c] + half, y + height};
}

/* Places the threads' nodes on a grid, and returns the end of the last row. */
static double place_grid(struct layout *l, double y) {
  const struct scene *s = l->scene;
  double bottom = y;
  for (uint32_t r = 0; r < SCENE_MAX_ROWS; r++, y = bottom + CORRIDOR) {
    double height = 0;
    VEC_EACH (c, &s->columns)
      if (!c->spawned && c->at[r] != NO_NODE) height = fmax(height, node_height(l, c->at[r]));
    if (height <= 0) break;
    VEC_EACH (c, &s->columns)
      if (!c->spawned && c->at[r] != NO_NODE) place_node(l, c->at[r], y, height);
    bottom = y + height;
  }
  return bottom;
}

/* Places the nodes of asynchronous operations below each other: an operation begins next to its issue, or below the
 * previous operation. Returns the end of the last operation. */
static double place_operations(struct layout *l, uint32_t column, double top) {
  const struct scene_column *c = &l->scene->columns.data[column];
  uint32_t issue = NO_NODE;
  double bottom = top - CORRIDOR;
  for (uint32_t r = 0; r < c->rows; r++) {
    if (c->at[r] == NO_NODE) continue;
    const struct scene_node *node = &l->scene->nodes.data[c->at[r]];
    bool same = node->issue != NO_NODE && node->issue == issue;
    double y = bottom + (same ? STACKED : CORRIDOR);
    if (!same && node->issue != NO_NODE) y = fmax(y, l->nodes[node->issue].top);
    place_node(l, c->at[r], y, node_height(l, c->at[r]));
    bottom = l->nodes[c->at[r]].bottom;
    issue = node->issue;
    struct box frame = l->nodes[c->at[r]];
    frame = (struct box){frame.left - FRAME, frame.top - FRAME, frame.right + FRAME, frame.bottom + FRAME};
    if (same) l->operations.data[l->operations.len - 1].bottom = frame.bottom;
    else VEC_PUSH(l->arena, &l->operations, frame);
  }
  return bottom;
}

static void place_rows(struct layout *l) {
  const struct scene *s = l->scene;
  double y = MARGIN + levels_drawn(l) * (double)TITLE + 4;
  for (uint32_t c = 0; c < s->columns.len; c++) l->heads[c] = (struct point){l->column_x[c], y + HEAD / 2.0};
  y += HEAD + 18;
  double bottom = place_grid(l, y);
  for (uint32_t c = 0; c < s->columns.len; c++)
    if (s->columns.data[c].spawned) bottom = fmax(bottom, place_operations(l, c, y));
  l->height = bottom + 14 + levels_drawn(l) * PADDING + MARGIN;
}

/* ---- Scopes ---- */

static void add_scopes(struct layout *l, enum scene_level level, int depth) {
  uint32_t count = l->scene->columns.len;
  int inside = levels_drawn(l) - depth; /* the number of boxes from this box inwards */
  for (uint32_t begin = 0, end; begin < count; begin = end) {
    for (end = begin; end < count && scene_same_scope(l->scene, begin, end, level);) end++;
    if (level == SCENE_WARP && l->scene->columns.data[begin].tensor) continue;
    if (!scene_scope_shown(l->scene, thread_of(l, begin), level)) continue;
    double left = inside * PADDING + arc_reach(l, begin, true);
    double right = inside * PADDING + arc_reach(l, end - 1, false);
    struct box box = {l->column_x[begin] - l->column_width[begin] / 2 - left, MARGIN + depth * (double)TITLE,
                      l->column_x[end - 1] + l->column_width[end - 1] / 2 + right,
                      l->height - MARGIN - depth * (double)PADDING};
    VEC_PUSH(l->arena, &l->scopes, (struct scope_box){level, scene_scope_number(thread_of(l, begin), level), box});
  }
}

static void make_room(struct layout *l, const char *words) {
  double wanted = words ? layout_text_width(words, LAYOUT_FONT) + 12 : 0;
  if (wanted > l->width) l->width = wanted;
}

static void make_room_for_words(struct layout *l) {
  const struct scene *s = l->scene;
  const char *const words[] = {s->title, s->caption, s->cycle, s->missing, s->left_out};
  for (size_t i = 0; i < ARRAY_LEN(words); i++) make_room(l, words[i]);
  for (uint32_t i = 0; i < s->object_count; i++) make_room(l, s->objects[i]);
  for (uint32_t i = 0; i < s->edges.len; i++) {
    const char *meaning = s->edges.data[i].style->meaning;
    double width = meaning ? layout_text_width(meaning, LAYOUT_SMALL) : 0;
    l->width = fmax(l->width, LAYOUT_LEGEND + LAYOUT_LEGEND_NAME + width + MARGIN);
  }
}

struct layout *layout_build(struct arena *arena, const struct scene *scene, double deadline) {
  struct layout *l = ARENA_NEW(arena, struct layout);
  uint32_t columns = scene->columns.len, nodes = scene->nodes.len;
  *l = (struct layout){.scene = scene, .arena = arena};
  l->nodes = ARENA_ARRAY(arena, struct box, nodes);
  l->heads = ARENA_ARRAY(arena, struct point, columns);
  l->curves = ARENA_ARRAY(arena, struct curve, scene->edges.len);
  l->column_x = ARENA_ARRAY(arena, double, columns);
  l->column_width = ARENA_ARRAY(arena, double, columns);
  l->lines = ARENA_ARRAY(arena, const char **, nodes);
  l->text_lines = ARENA_ARRAY(arena, uint32_t, nodes);
  l->lanes = ARENA_ARRAY(arena, uint32_t, scene->edges.len);
  for (uint32_t i = 0; i < nodes; i++) split_lines(l, i);
  route_lanes(l);
  place_columns(l);
  place_rows(l);
  for (int i = 0, depth = 0; i < SCENE_LEVELS; i++)
    if (scene->level[i]) add_scopes(l, (enum scene_level)i, depth++);
  make_room_for_words(l);
  l->width = 3 * ceil(l->width / 3); /* whole pixels at 96 per inch */
  l->height = 3 * ceil(l->height / 3) + 1;
  route_edges(l, deadline);
  return l;
}
