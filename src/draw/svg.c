#include "draw/layout.h"

#include <math.h>

#include "draw/parts.h"

struct svg_writer {
  const struct layout *l;
  struct text *out;
};

/* The space above and below the threads, for the lines of words; the space around the picture; the height of a line. */
enum { ABOVE = 38, BELOW = 16, PAD = 9, LINE = 14 };

/* ---- Looks: rules for classes. An edge is a group with the class of its relation: its line, then its heads ---- */

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

/* ---- Parts of the picture ---- */

static void add_box(const struct svg_writer *w, const struct box *box) {
  text_printf(w->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"6\"/>", box->left, box->top,
              box->right - box->left, box->bottom - box->top);
}

static void add_words(const struct svg_writer *w, double x, double y, const char *words) {
  text_printf(w->out, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
  text_weave(w->out, ">", words, "</text>", NULL);
}

/* Adds a path from the first point by one command: C (curves, of three points each) or L (lines). */
static void add_path(const struct svg_writer *w, const struct point *points, uint32_t count, const char *command) {
  text_printf(w->out, "<path d=\"M%.1f,%.1f%s", points->x, points->y, command);
  for (uint32_t i = 1; i < count; i++) text_printf(w->out, "%s%.1f,%.1f", i > 1 ? " " : "", points[i].x, points[i].y);
}

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

static void write_node(const struct svg_writer *w, uint32_t index) {
  const struct scene_node *node = &w->l->scene->nodes.data[index];
  if (!steps_shows_node(w->l->scene, index)) return;
  text_printf(w->out, "<g class=\"n%s%s%s\"", node->on_cycle ? " cycle" : "", node->stuck ? " stuck" : "",
              node->gap ? " gap" : "");
  add_step(w, node->step);
  add_box(w, &w->l->nodes[index]);
  add_lines(w, index, false);
  text_add(w->out, "<g class=\"m\">");
  add_lines(w, index, true);
  text_add(w->out, "</g></g>\n");
}

/* Adds an arrow head by Graphviz's name, from the middle of its back to its tip. */
static void add_head(const struct svg_writer *w, const struct scene_style *style, struct point back, struct point tip,
                     double width) {
  double dx = tip.x - back.x, dy = tip.y - back.y, length = sqrt(dx * dx + dy * dy);
  if (is_head(style, "none") || length < 0.1) return;
  const double nx = -dy / length * width, ny = dx / length * width;
  struct point middle = {back.x + dx / 2, back.y + dy / 2}, notch = {back.x + dx * 0.4, back.y + dy * 0.4};
  if (is_head(style, "dot")) {
    text_printf(w->out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>", middle.x, middle.y);
    return;
  }
  bool diamond = is_head(style, "diamond");
  const struct point wide = diamond ? middle : back;
  const struct point corners[] = {{wide.x + nx, wide.y + ny}, tip, {wide.x - nx, wide.y - ny}, diamond ? back : notch};
  add_path(w, corners, diamond || is_head(style, "vee") ? 4 : 3, "L");
  text_add(w->out, "z\"/>");
}

static uint32_t edge_step(const struct svg_writer *w, const struct scene_edge *edge) {
  uint32_t from = w->l->scene->nodes.data[edge->from].step, to = w->l->scene->nodes.data[edge->to].step;
  return !from || !to ? 0 : from > to ? from : to;
}

static void write_edge(const struct svg_writer *w, uint32_t index) {
  const struct scene_edge *edge = &w->l->scene->edges.data[index];
  const struct curve *curve = &w->l->curves[index];
  const struct point *points = curve->points.data;
  const struct box *label = &curve->label;
  const double width = edge->on_cycle ? 3.8 : 3.2;
  if (!steps_shows_edge(w->l->scene, edge)) return;
  text_printf(w->out, "<g class=\"e %s%s\"", edge->style->name, edge->on_cycle ? " cycle" : "");
  add_step(w, edge_step(w, edge));
  add_path(w, points, curve->points.len, "C");
  text_add(w->out, "\"/>");
  add_head(w, edge->style, points[curve->points.len - 1], curve->tip, width);
  if (edge->both) add_head(w, edge->style, points[0], curve->tail, width);
  if (label->right > label->left)
    add_words(w, (label->left + label->right) / 2, (label->top + label->bottom) / 2 + 3.3, edge->name);
  text_add(w->out, "</g>\n");
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

enum { WORDS_BELOW = 3 };

/* The lines of words between picture and mbarrier objects, without empty ones. */
static uint32_t words_below(const struct svg_writer *w, const char *lines[WORDS_BELOW]) {
  const struct scene *s = w->l->scene;
  const char *all[WORDS_BELOW] = {*s->outcome ? arena_printf(w->out->arena, "ends with %s", s->outcome) : NULL,
                                  s->cycle, s->missing ? s->missing : s->left_out};
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
  return VEC_FIND(e, &s->edges, e->style == style);
}

static uint32_t legend_lines(const struct scene *s) {
  size_t count;
  const struct scene_style *styles = scene_styles(&count);
  return COUNT(for (size_t i = 0; i < count; i++), edge_of_style(s, &styles[i]) != NULL);
}

static void write_sample(const struct svg_writer *w, const struct scene_style *style, double y) {
  const struct point line[] = {{4, y}, {31, y}};
  text_printf(w->out, "<g class=\"e %s\">", style->name);
  add_path(w, line, ARRAY_LEN(line), "L");
  text_add(w->out, "\"/>");
  add_head(w, style, line[1], (struct point){40, y}, 3.2);
  text_add(w->out, "</g>");
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

void svg_write(const struct layout *l, bool dark, double scale, struct text *out) {
  struct svg_writer w = {l, out};
  const char *below[WORDS_BELOW];
  const uint32_t lines = l->scene->object_count + words_below(&w, below) + legend_lines(l->scene);
  const double width = l->width + 2 * PAD, height = l->height + ABOVE + BELOW + LINE * lines;
  text_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pic\" viewBox=\"%d %d %.0f %.0f\"", -PAD, -ABOVE,
              width, height);
  text_printf(out, " role=\"img\" width=\"%.0fpt\" height=\"%.0fpt\">\n", width * scale,
              height * scale);
  write_title(&w);
  text_add(out, "<style>\n");
  add_rules(out);
  add_colours(out, dark);
  text_printf(out, "</style>\n<rect class=\"back\" x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%.0f\"/>\n", -PAD, -ABOVE,
              width, height);
  write_scopes(&w);
  write_operations(&w);
  for (uint32_t i = 0; i < l->scene->edges.len; i++) write_edge(&w, i);
  write_threads(&w);
  for (uint32_t i = 0; i < l->scene->nodes.len; i++) write_node(&w, i);
  write_words(&w);
  write_legend(&w);
  text_add(out, "</svg>\n");
}
