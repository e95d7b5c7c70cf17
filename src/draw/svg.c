#include "draw/svg.h"

#include <math.h>

#include "draw/parts.h"

struct svg_writer {
  const struct layout *l;
  struct text *out;
};

/* The space above and below the threads, for the lines of words; the space around the picture; the height of a line. */
enum { ABOVE = 38, BELOW = 16, PAD = 9, LINE = 14 };

/* ---- Looks: rules for classes. A group of edges has the class of its relation; its first path has the lines, its
 * second the arrow heads ---- */

static const struct { const char *line, *dashes; } dashes[] = {{"dashed", "5 3"}, {"dotted", "1.5 3"}};

static bool is_head(const struct scene_style *style, const char *shape) { return strcmp(style->arrow, shape) == 0; }

static void add_colours(struct text *out, bool dark) {
  const struct theme *t = theme_of(dark);
  size_t count;
  const struct scene_style *styles = scene_styles(&count);
  text_printf(out,
              ".pic text{fill:%s}.pic .back{fill:%s}.pic .n rect{fill:%s;stroke:%s}.pic .o rect{fill:none;stroke:%s}"
              ".pic .m text,.pic .s text{fill:%s}.pic .e text{stroke:%s}\n",
              t->node_text, t->page, t->node, t->node_line, t->muted, t->muted, t->page);
  for (int i = 0; i < SCENE_LEVELS; i++)
    text_printf(out, ".pic .s%d rect{fill:%s;stroke:%s}", i, t->scope_fill[i], t->scope_line[i]);
  for (size_t i = 0; i < count; i++) {
    const char *colour = dark ? styles[i].dark : styles[i].light, *name = styles[i].name;
    text_printf(out, "\n.pic .%s{stroke:%s}.pic .%s text", name, colour, name);
    if (is_head(&styles[i], "dot")) text_printf(out, ",.pic .%s circle", name);
    else if (!is_head(&styles[i], "onormal")) text_printf(out, ",.pic .%s path+path", name);
    text_printf(out, "{fill:%s}", colour);
  }
  text_char(out, '\n');
}

static void add_rules(struct text *out) {
  size_t count;
  const struct scene_style *styles = scene_styles(&count);
  text_printf(
      out,
      ".pic text{font:%gpx 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre;text-anchor:middle}\n"
      ".pic rect{rx:6px}.pic .w text,.pic .l text,.pic .s text"
      "{text-anchor:start}.pic .b text{font-weight:bold}"
      ".pic .o rect{stroke-dasharray:2 2}.pic .m text,.pic .s text{font-style:italic}"
      ".pic .stuck rect{stroke-dasharray:5 3}.pic .n.gap rect{stroke:none;fill:none}\n"
      ".pic .n.cycle rect{stroke-width:2.4}.pic .e path{fill:none;stroke-width:1.3}.pic .e.cycle path{stroke-width:3}"
      "\n.pic .e text,.pic .l text,.pic .s text{font-size:%gpx}.pic .e text{stroke-width:3px;paint-order:stroke}"
      ".pic .e.cycle text{font-weight:bold}\n",
      LAYOUT_FONT, LAYOUT_SMALL);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < ARRAY_LEN(dashes); k++)
      if (strcmp(styles[i].line, dashes[k].line) == 0)
        text_printf(out, ".pic .%s path{stroke-dasharray:%s}", styles[i].name, dashes[k].dashes);
  text_add(out, ".pic .race path{stroke-width:3}.pic .e path+path{stroke-dasharray:none;stroke-width:1}\n");
}

/* ---- Numbers: one decimal, omitted if it is 0 ---- */

static double rounded(double number) { return round(number * 10) / 10 + 0.0; }

static void add_number(const struct svg_writer *w, double number) {
  double shown = rounded(number);
  text_printf(w->out, floor(shown) < shown || shown < floor(shown) ? "%.1f" : "%.0f", shown);
}

static void add_attribute(const struct svg_writer *w, const char *name, double value) {
  text_printf(w->out, " %s=\"", name);
  add_number(w, value);
  text_char(w->out, '"');
}

static void add_box(const struct svg_writer *w, const struct box *box) {
  text_add(w->out, "<rect");
  add_attribute(w, "x", box->left);
  add_attribute(w, "y", box->top);
  add_attribute(w, "width", box->right - box->left);
  add_attribute(w, "height", box->bottom - box->top);
  text_add(w->out, " rx=\"6\"/>");
}

static void add_words(const struct svg_writer *w, double x, double y, const char *words) {
  text_add(w->out, "<text");
  add_attribute(w, "x", x);
  add_attribute(w, "y", y);
  text_weave(w->out, ">", words, "</text>", NULL);
}

/* ---- Paths: each begins with a move, and continues with relative steps ---- */

struct pen {
  const struct svg_writer *w;
  struct point at;
  char letter; /* the previous command, which need not be repeated; 0 after a move */
  bool fresh;  /* the text ends with a letter, so that no blank is needed */
};

static void pen_letter(struct pen *pen, char letter) {
  pen->fresh = letter != pen->letter;
  if (pen->fresh) text_char(pen->w->out, letter);
  pen->letter = letter;
}

static void pen_number(struct pen *pen, double number) {
  double shown = rounded(number);
  if (!pen->fresh && shown >= 0) text_char(pen->w->out, ' ');
  add_number(pen->w, shown);
  pen->fresh = false;
}

static void pen_point(struct pen *pen, struct point to) {
  pen_number(pen, rounded(to.x) - pen->at.x);
  pen_number(pen, rounded(to.y) - pen->at.y);
}

static void pen_is_at(struct pen *pen, struct point to) { pen->at = (struct point){rounded(to.x), rounded(to.y)}; }

static void pen_move(struct pen *pen, struct point to) {
  pen->letter = 0;
  pen_letter(pen, 'M');
  pen->at = (struct point){0, 0};
  pen_point(pen, to);
  pen_is_at(pen, to);
  pen->letter = 0;
}

static void pen_line(struct pen *pen, struct point to) {
  pen_letter(pen, 'l');
  pen_point(pen, to);
  pen_is_at(pen, to);
}

/* A piece of a curve, with its three points; a vertical line if all are on one vertical line. */
static void pen_curve(struct pen *pen, const struct point *to) {
  bool straight = true;
  for (int i = 0; i < 3; i++) straight = straight && fabs(rounded(to[i].x) - pen->at.x) < 0.01;
  pen_letter(pen, straight ? 'v' : 'c');
  if (straight) pen_number(pen, rounded(to[2].y) - pen->at.y);
  for (int i = 0; i < 3 && !straight; i++) pen_point(pen, to[i]);
  pen_is_at(pen, to[2]);
}

static void pen_close(struct pen *pen) { text_char(pen->w->out, 'z'); }

/* ---- Scopes, operations, nodes and edges ---- */

static void write_scopes(const struct svg_writer *w) {
  for (uint32_t i = 0; i < w->l->scopes.len; i++) {
    const struct scope_box *scope = &w->l->scopes.data[i];
    bool first = i == 0 || scope[-1].level != scope->level;
    bool last = i + 1 == w->l->scopes.len || scope[1].level != scope->level;
    if (first) text_printf(w->out, "<g class=\"s s%d\">", scope->level);
    add_box(w, &scope->box);
    add_words(w, scope->box.left + 12, scope->box.top + 11,
              scene_scope_label(w->out->arena, scope->level, scope->number));
    if (last) text_add(w->out, "</g>\n");
  }
}

static void write_operations(const struct svg_writer *w) {
  if (!w->l->operations.len) return;
  text_add(w->out, "<g class=\"o\">");
  for (uint32_t i = 0; i < w->l->operations.len; i++) add_box(w, &w->l->operations.data[i]);
  text_add(w->out, "</g>\n");
}

/* Adds the class of a group that appears with a step. */
static void add_step(const struct svg_writer *w, uint32_t step) {
  if (step) text_printf(w->out, " data-step=\"%u\"", step);
  text_char(w->out, '>');
}

/* True if two nodes look alike and appear at the same step, so that they can be in one group. */
static bool nodes_alike(const struct svg_writer *w, uint32_t a, uint32_t b) {
  const struct scene *s = w->l->scene;
  const struct scene_node *one = &s->nodes.data[a], *other = &s->nodes.data[b];
  return steps_shows_node(s, a) && steps_shows_node(s, b) && one->on_cycle == other->on_cycle &&
         one->gap == other->gap && one->stuck == other->stuck && one->step == other->step;
}

static void add_lines(const struct svg_writer *w, uint32_t node, bool effects) {
  const struct box *box = &w->l->nodes[node];
  const char **lines = w->l->lines[node];
  uint32_t count = 0;
  while (lines[count]) count++;
  const double leading = LAYOUT_FONT * 1.2, x = (box->left + box->right) / 2;
  double y = (box->top + box->bottom) / 2 - (count - 1) * leading / 2 + LAYOUT_FONT * 0.35;
  for (uint32_t i = 0; i < count; i++, y += leading)
    if ((i >= w->l->text_lines[node]) == effects) add_words(w, x, y, lines[i]);
}

static void write_nodes_like(const struct svg_writer *w, uint32_t first) {
  const struct scene_node *node = &w->l->scene->nodes.data[first];
  uint32_t count = w->l->scene->nodes.len;
  bool effects = false;
  text_printf(w->out, "<g class=\"n%s%s%s\"", node->on_cycle ? " cycle" : "", node->stuck ? " stuck" : "",
              node->gap ? " gap" : "");
  add_step(w, node->step);
  for (uint32_t i = first; i < count; i++) {
    if (!nodes_alike(w, first, i)) continue;
    add_box(w, &w->l->nodes[i]);
    add_lines(w, i, false);
    effects = effects || w->l->lines[i][w->l->text_lines[i]];
  }
  if (effects) text_add(w->out, "<g class=\"m\">");
  for (uint32_t i = first; i < count; i++)
    if (nodes_alike(w, first, i)) add_lines(w, i, true);
  text_add(w->out, effects ? "</g></g>\n" : "</g>\n");
}

/* Adds an arrow head by Graphviz's name, from the middle of its back to its tip. */
static void add_head(struct pen *pen, const struct scene_style *style, struct point back, struct point tip,
                     double width) {
  double dx = tip.x - back.x, dy = tip.y - back.y, length = sqrt(dx * dx + dy * dy);
  if (length < 0.1) return;
  const double nx = -dy / length * width, ny = dx / length * width;
  struct point left = {back.x + nx, back.y + ny}, right = {back.x - nx, back.y - ny};
  struct point middle = {back.x + dx / 2, back.y + dy / 2};
  if (is_head(style, "dot")) {
    text_add(pen->w->out, "<circle");
    add_attribute(pen->w, "cx", middle.x);
    add_attribute(pen->w, "cy", middle.y);
    text_add(pen->w->out, " r=\"3.5\"/>");
    return;
  }
  if (is_head(style, "diamond")) {
    pen_move(pen, back);
    left = (struct point){middle.x + nx, middle.y + ny};
    right = (struct point){middle.x - nx, middle.y - ny};
    pen_line(pen, left);
  } else {
    pen_move(pen, left);
  }
  pen_line(pen, tip);
  pen_line(pen, right);
  if (is_head(style, "vee")) pen_line(pen, (struct point){back.x + dx * 0.4, back.y + dy * 0.4});
  pen_close(pen);
}

static uint32_t edge_step(const struct svg_writer *w, const struct scene_edge *edge) {
  uint32_t from = w->l->scene->nodes.data[edge->from].step, to = w->l->scene->nodes.data[edge->to].step;
  return !from || !to ? 0 : from > to ? from : to;
}

static bool edges_alike(const struct svg_writer *w, uint32_t a, uint32_t b) {
  const struct scene_edge *one = &w->l->scene->edges.data[a], *other = &w->l->scene->edges.data[b];
  return steps_shows_edge(w->l->scene, one) && steps_shows_edge(w->l->scene, other) && one->style == other->style &&
         one->on_cycle == other->on_cycle && edge_step(w, one) == edge_step(w, other);
}

static void add_heads(const struct svg_writer *w, uint32_t first) {
  const struct scene_style *style = w->l->scene->edges.data[first].style;
  struct pen pen = {.w = w};
  if (is_head(style, "none")) return;
  text_add(w->out, is_head(style, "dot") ? "" : "<path d=\"");
  for (uint32_t i = first; i < w->l->scene->edges.len; i++) {
    const struct scene_edge *edge = &w->l->scene->edges.data[i];
    const struct curve *curve = &w->l->curves[i];
    const double width = edge->on_cycle ? 3.8 : 3.2;
    if (!edges_alike(w, first, i)) continue;
    add_head(&pen, style, curve->points.data[curve->points.len - 1], curve->tip, width);
    if (edge->both) add_head(&pen, style, curve->points.data[0], curve->tail, width);
  }
  text_add(w->out, is_head(style, "dot") ? "" : "\"/>");
}

static void write_edges_like(const struct svg_writer *w, uint32_t first) {
  const struct scene_edge *edges = w->l->scene->edges.data;
  uint32_t count = w->l->scene->edges.len;
  struct pen pen = {.w = w};
  text_printf(w->out, "<g class=\"e %s%s\"", edges[first].style->name, edges[first].on_cycle ? " cycle" : "");
  add_step(w, edge_step(w, &edges[first]));
  text_add(w->out, "<path d=\"");
  for (uint32_t i = first; i < count; i++) {
    const struct curve *curve = &w->l->curves[i];
    if (!edges_alike(w, first, i)) continue;
    pen_move(&pen, curve->points.data[0]);
    for (uint32_t k = 1; k < curve->points.len; k += 3) pen_curve(&pen, &curve->points.data[k]);
  }
  text_add(w->out, "\"/>");
  add_heads(w, first);
  for (uint32_t i = first; i < count; i++) {
    const struct box *label = &w->l->curves[i].label;
    if (edges_alike(w, first, i) && label->right > label->left)
      add_words(w, (label->left + label->right) / 2, (label->top + label->bottom) / 2 + 3.3, edges[i].name);
  }
  text_add(w->out, "</g>\n");
}

/* Writes equal elements as one group, in the place of the first one; a hidden element equals none, itself included. */
static void write_groups(const struct svg_writer *w, uint32_t count,
                         bool alike(const struct svg_writer *, uint32_t, uint32_t),
                         void write_like(const struct svg_writer *, uint32_t)) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t first = 0;
    while (first < i && !alike(w, first, i)) first++;
    if (first == i && alike(w, i, i)) write_like(w, i);
  }
}

static void write_threads(const struct svg_writer *w) {
  text_add(w->out, "<g class=\"b\">");
  for (uint32_t c = 0; c < w->l->scene->columns.len; c++)
    add_words(w, w->l->heads[c].x, w->l->heads[c].y + 4, scene_head(w->out->arena, w->l->scene, c));
  text_add(w->out, "</g>\n");
}

static void add_line(const struct svg_writer *w, double y, const char *words) { add_words(w, 4, y, words); }

static void add_bold_line(const struct svg_writer *w, double y, const char *words) {
  text_add(w->out, "<g class=\"b\">");
  add_line(w, y, words);
  text_add(w->out, "</g>");
}

static const char *ends_with(struct arena *arena, const struct scene *s) {
  return *s->outcome ? arena_printf(arena, "ends with %s", s->outcome) : NULL;
}

enum { WORDS_BELOW = 3 };

/* The lines of words between picture and mbarrier objects, without empty ones. */
static uint32_t words_below(const struct svg_writer *w, const char *lines[WORDS_BELOW]) {
  const struct scene *s = w->l->scene;
  const char *all[WORDS_BELOW] = {ends_with(w->out->arena, s), s->cycle, s->missing ? s->missing : s->left_out};
  uint32_t count = 0;
  for (int i = 0; i < WORDS_BELOW; i++)
    if (all[i]) lines[count++] = all[i];
  return count;
}

static void write_words(const struct svg_writer *w) {
  const struct scene *s = w->l->scene;
  const char *below[WORDS_BELOW];
  double y = w->l->height + 12;
  text_add(w->out, "<g class=\"w\">");
  add_bold_line(w, -22, s->title);
  add_line(w, -6, s->caption);
  for (uint32_t i = 0, count = words_below(w, below); i < count; i++, y += LINE)
    (below[i] == s->cycle ? add_bold_line : add_line)(w, y, below[i]);
  for (uint32_t i = 0; i < s->object_count; i++, y += LINE) add_line(w, y, s->objects[i]);
  text_add(w->out, "</g>\n");
}

/* ---- The legend: for each relation drawn a piece of line, its name and its meaning ---- */

/* The first shown edge of a style; NULL: none. */
static const struct scene_edge *edge_of_style(const struct scene *s, const struct scene_style *style) {
  for (uint32_t i = 0; i < s->edges.len; i++)
    if (s->edges.data[i].style == style) return &s->edges.data[i];
  return NULL;
}

static uint32_t legend_lines(const struct scene *s) {
  size_t count;
  const struct scene_style *styles = scene_styles(&count);
  uint32_t lines = 0;
  for (size_t i = 0; i < count; i++) lines += edge_of_style(s, &styles[i]) != NULL;
  return lines;
}

static void write_sample(const struct svg_writer *w, const struct scene_style *style, double y) {
  struct pen pen = {.w = w};
  text_printf(w->out, "<g class=\"e %s\"><path d=\"", style->name);
  pen_move(&pen, (struct point){4, y});
  pen_line(&pen, (struct point){31, y});
  text_add(w->out, "\"/>");
  bool path = !is_head(style, "none") && !is_head(style, "dot");
  if (path) text_add(w->out, "<path d=\"");
  if (!is_head(style, "none")) add_head(&pen, style, (struct point){31, y}, (struct point){40, y}, 3.2);
  text_add(w->out, path ? "\"/></g>" : "</g>");
}

static void write_legend(const struct svg_writer *w) {
  size_t count;
  const struct scene_style *styles = scene_styles(&count);
  const char *below[WORDS_BELOW];
  double y = w->l->height + 16 + LINE * (w->l->scene->object_count + words_below(w, below));
  text_add(w->out, "<g class=\"l\">");
  for (size_t i = 0; i < count; i++) {
    const struct scene_edge *edge = edge_of_style(w->l->scene, &styles[i]);
    if (!edge) continue;
    write_sample(w, &styles[i], y - 3);
    add_words(w, LAYOUT_LEGEND, y, edge->name);
    if (styles[i].meaning) add_words(w, LAYOUT_LEGEND + LAYOUT_LEGEND_NAME, y, styles[i].meaning);
    y += LINE;
  }
  text_add(w->out, "</g>\n");
}

/* Writes the title, for readers who cannot see the picture: the words around the picture, and the cycle. */
static void write_title(const struct svg_writer *w) {
  const struct scene *s = w->l->scene;
  text_weave(w->out, "<title>", s->title, ": ", s->caption, NULL);
  if (s->cycle) text_weave(w->out, "; ", s->cycle, NULL);
  if (s->missing) text_weave(w->out, "; ", s->missing, NULL);
  text_add(w->out, "</title>\n");
}

void svg_write(const struct layout *l, const struct svg_options *options, struct text *out) {
  struct svg_writer w = {l, out};
  const char *below[WORDS_BELOW];
  const uint32_t lines = l->scene->object_count + words_below(&w, below) + legend_lines(l->scene);
  const double width = l->width + 2 * PAD, height = l->height + ABOVE + BELOW + LINE * lines;
  text_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pic\" viewBox=\"%d %d %.0f %.0f\"", -PAD, -ABOVE,
              width, height);
  text_printf(out, " role=\"img\" width=\"%.0fpt\" height=\"%.0fpt\">\n", width * options->scale,
              height * options->scale);
  write_title(&w);
  text_add(out, "<style>\n");
  add_rules(out);
  add_colours(out, options->dark);
  text_printf(out, "</style>\n<rect class=\"back\" x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%.0f\"/>\n", -PAD, -ABOVE,
              width, height);
  write_scopes(&w);
  write_operations(&w);
  write_groups(&w, l->scene->edges.len, edges_alike, write_edges_like);
  write_threads(&w);
  write_groups(&w, l->scene->nodes.len, nodes_alike, write_nodes_like);
  write_words(&w);
  write_legend(&w);
  text_add(out, "</svg>\n");
}
