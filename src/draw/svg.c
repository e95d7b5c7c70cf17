#include "draw/svg.h"

#include <math.h>
#include <string.h>

#include "draw/steps.h"
#include "draw/theme.h"

struct svg_writer {
  const struct layout *l;
  struct text *out;
  bool alone;
};

/* Room above the threads and below them, for the lines of words; and around everything. */
enum { ABOVE = 38, BELOW = 44, PAD = 9, LINE = 14 };

/* ---- Looks: rules for classes, of which an edge has its relation's ---- */

static const struct { const char *line, *dashes; } dashes[] = {{"dashed", "5 3"}, {"dotted", "1.5 3"}};

static void add_colours(struct text *out, bool dark) {
  const struct theme *t = theme_of(dark);
  size_t count;
  const struct scene_style *styles = scene_styles(&count);
  text_printf(out,
              ".pic text{fill:%s}.pic .back{fill:%s}.pic .n rect{fill:%s;stroke:%s}.pic .m{fill:%s}"
              ".pic .e text{stroke:%s}\n",
              t->node_text, t->page, t->node, t->node_line, t->muted, t->page);
  for (int i = 0; i < SCENE_LEVELS; i++)
    text_printf(out, ".pic .s%d{fill:%s;stroke:%s}", i, t->scope_fill[i], t->scope_line[i]);
  for (size_t i = 0; i < count; i++) {
    const char *colour = dark ? styles[i].dark : styles[i].light, *name = styles[i].name;
    text_printf(out, "\n.pic .%s{stroke:%s}.pic .%s .f,.pic .%s text{fill:%s}", name, colour, name, name, colour);
  }
  text_char(out, '\n');
}

void svg_css(struct text *out) {
  size_t count;
  const struct scene_style *styles = scene_styles(&count);
  text_printf(
      out,
      ".pic text{font:%gpx 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre;text-anchor:middle}\n"
      ".pic rect{rx:6px}.pic .w{text-anchor:start}.pic .b{font-weight:bold}.pic .m{font-style:italic}.pic .n.stuck rect"
      "{stroke-dasharray:5 3}\n.pic .n.cycle rect{stroke-width:2.4}.pic .e path{fill:none;stroke-width:1.3}"
      ".pic .e.cycle path{stroke-width:3}\n.pic .e path.h{stroke-dasharray:none;stroke-width:1}.pic .e "
      "text,.pic .t{font-size:"
      "%gpx}.pic .e text{stroke-width:3px;paint-order:stroke}.pic .e.cycle text{font-weight:bold}\n",
      LAYOUT_FONT, LAYOUT_SMALL);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < ARRAY_LEN(dashes); k++)
      if (strcmp(styles[i].line, dashes[k].line) == 0)
        text_printf(out, ".pic .%s path{stroke-dasharray:%s}", styles[i].name, dashes[k].dashes);
  text_add(out, ".pic .race path{stroke-width:3}\n");
  add_colours(out, false);
}

void svg_dark_css(struct text *out) { add_colours(out, true); }

/* ---- Numbers: one decimal, and none where it is 0; none at all in a page, which is to be small ---- */

static void add_number(const struct svg_writer *w, double number) {
  double rounded = w->alone ? round(number * 10) / 10 : round(number);
  text_printf(w->out, floor(rounded) < rounded || rounded < floor(rounded) ? "%.1f" : "%.0f", rounded + 0.0);
}

static void add_point(const struct svg_writer *w, const char *before, struct point p) {
  text_add(w->out, before);
  add_number(w, p.x);
  text_char(w->out, ' ');
  add_number(w, p.y);
}

static void add_attribute(const struct svg_writer *w, const char *name, double value) {
  text_printf(w->out, " %s=\"", name);
  add_number(w, value);
  text_char(w->out, '"');
}

static void add_box(const struct svg_writer *w, const char *class_name, const struct box *box) {
  text_add(w->out, "<rect");
  if (*class_name) text_printf(w->out, " class=\"%s\"", class_name);
  add_attribute(w, "x", box->left);
  add_attribute(w, "y", box->top);
  add_attribute(w, "width", box->right - box->left);
  add_attribute(w, "height", box->bottom - box->top);
  text_add(w->out, w->alone ? " rx=\"6\"/>" : "/>");
}

static void add_words(const struct svg_writer *w, const char *class_name, double x, double y, const char *words) {
  text_add(w->out, "<text");
  if (*class_name) text_printf(w->out, " class=\"%s\"", class_name);
  add_attribute(w, "x", x);
  add_attribute(w, "y", y);
  text_char(w->out, '>');
  text_markup(w->out, words);
  text_add(w->out, "</text>");
}

/* ---- What there is to see ---- */

static void write_scopes(const struct svg_writer *w) {
  for (uint32_t i = 0; i < w->l->scopes.len; i++) {
    const struct scope_box *scope = &w->l->scopes.data[i];
    const char *label = arena_printf(w->out->arena, "%s %u", scene_level_name(scope->level), scope->number);
    add_box(w, arena_printf(w->out->arena, "s%d", scope->level), &scope->box);
    add_words(w, "w m t", scope->box.left + 12, scope->box.top + 11, label);
    text_char(w->out, '\n');
  }
}

static void write_node(const struct svg_writer *w, uint32_t index) {
  const struct scene_node *node = &w->l->scene->nodes.data[index];
  const struct box *box = &w->l->nodes[index];
  const char **lines = w->l->lines[index];
  uint32_t count = 0;
  while (lines[count]) count++;
  const double leading = LAYOUT_FONT * 1.2, x = (box->left + box->right) / 2;
  double y = (box->top + box->bottom) / 2 - (count - 1) * leading / 2 + LAYOUT_FONT * 0.35;
  text_printf(w->out, "<g class=\"n%s%s\"", node->on_cycle ? " cycle" : "", node->stuck ? " stuck" : "");
  if (node->step && w->alone) text_printf(w->out, " data-step=\"%u\"", node->step);
  text_char(w->out, '>');
  add_box(w, "", box);
  for (uint32_t i = 0; i < count; i++, y += leading)
    add_words(w, i >= w->l->text_lines[index] ? "m" : "", x, y, lines[i]);
  text_add(w->out, "</g>\n");
}

/* A head of Graphviz's name, from its middle of the back to its tip. */
static void write_head(const struct svg_writer *w, const char *shape, struct point back, struct point tip,
                       double width) {
  double dx = tip.x - back.x, dy = tip.y - back.y, length = sqrt(dx * dx + dy * dy);
  if (length < 0.1 || strcmp(shape, "none") == 0) return;
  const double nx = -dy / length * width, ny = dx / length * width;
  struct point left = {back.x + nx, back.y + ny}, right = {back.x - nx, back.y - ny};
  struct point middle = {back.x + dx / 2, back.y + dy / 2};
  if (strcmp(shape, "dot") == 0) {
    text_add(w->out, "<circle class=\"f\"");
    add_attribute(w, "cx", middle.x);
    add_attribute(w, "cy", middle.y);
    text_add(w->out, " r=\"3.5\"/>");
    return;
  }
  bool diamond = strcmp(shape, "diamond") == 0, vee = strcmp(shape, "vee") == 0, open = strcmp(shape, "onormal") == 0;
  text_printf(w->out, "<path class=\"h%s\" d=\"", open ? "" : " f");
  if (diamond) {
    add_point(w, "M", back);
    left = (struct point){middle.x + nx, middle.y + ny};
    right = (struct point){middle.x - nx, middle.y - ny};
    add_point(w, "L", left);
  } else {
    add_point(w, "M", left);
  }
  add_point(w, "L", tip);
  add_point(w, "L", right);
  if (vee) add_point(w, "L", (struct point){back.x + dx * 0.4, back.y + dy * 0.4});
  text_add(w->out, "Z\"/>");
}

static void write_edge(const struct svg_writer *w, uint32_t index) {
  const struct scene_edge *edge = &w->l->scene->edges.data[index];
  const struct curve *curve = &w->l->curves[index];
  const struct scene_style *style = edge->style;
  const double width = edge->on_cycle ? 3.8 : 3.2;
  uint32_t from = w->l->scene->nodes.data[edge->from].step, to = w->l->scene->nodes.data[edge->to].step;
  text_printf(w->out, "<g class=\"e %s%s\"", style->name, edge->on_cycle ? " cycle" : "");
  if (from && to && w->alone) text_printf(w->out, " data-step=\"%u\"", from > to ? from : to);
  text_add(w->out, "><path d=\"");
  add_point(w, "M", curve->points.data[0]);
  for (uint32_t i = 1; i < curve->points.len; i++) add_point(w, i % 3 == 1 ? "C" : " ", curve->points.data[i]);
  text_add(w->out, "\"/>");
  write_head(w, style->arrow, curve->points.data[curve->points.len - 1], curve->tip, width);
  if (edge->both) write_head(w, style->arrow, curve->points.data[0], curve->tail, width);
  const struct box *label = &curve->label;
  if (label->right > label->left)
    add_words(w, "", (label->left + label->right) / 2, (label->top + label->bottom) / 2 + 3.3, edge->name);
  text_add(w->out, "</g>\n");
}

static void write_words(const struct svg_writer *w) {
  const struct scene *s = w->l->scene;
  const char *ends = *s->outcome ? arena_printf(w->out->arena, "ends with %s", s->outcome) : NULL;
  const struct {
    const char *class_name, *words;
    double y;
  } lines[] = {{"w b", w->alone ? s->title : NULL, -22},
               {"w", w->alone ? s->caption : NULL, -6},
               {"w", ends, w->l->height + 12},
               {"w b", s->cycle, w->l->height + 26},
               {"w", s->missing ? s->missing : s->left_out, w->l->height + 40}};
  for (size_t i = 0; i < ARRAY_LEN(lines); i++)
    if (lines[i].words) add_words(w, lines[i].class_name, 4, lines[i].y, lines[i].words);
  for (uint32_t i = 0; i < s->object_count; i++)
    add_words(w, "w", 4, w->l->height + 40 + LINE * (i + 1), s->objects[i]);
}

/* What a reader who does not see the picture gets: the words around it, and that there is a cycle. */
static void write_title(const struct svg_writer *w) {
  const struct scene *s = w->l->scene;
  text_add(w->out, "<title>");
  text_markup(w->out, s->title);
  text_add(w->out, ": ");
  text_markup(w->out, s->caption);
  if (s->cycle) text_add(w->out, "; ");
  if (s->cycle) text_markup(w->out, s->cycle);
  if (s->missing) text_add(w->out, "; ");
  if (s->missing) text_markup(w->out, s->missing);
  text_add(w->out, "</title>\n");
}

void svg_write(const struct layout *l, const struct svg_options *options, struct text *out) {
  struct svg_writer w = {l, out, options->alone};
  const int above = options->alone ? ABOVE : PAD;
  const double width = l->width + 2 * PAD, height = l->height + above + BELOW + LINE * l->scene->object_count;
  text_printf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"pic\"%s width=\"%.0fpt\" height=\"%.0fpt\" "
              "viewBox=\"%d %d %.0f %.0f\">\n",
              options->alone ? " role=\"img\"" : "", width * options->scale, height * options->scale, -PAD, -above,
              width, height);
  if (options->alone) {
    write_title(&w);
    text_add(out, "<style>\n");
    svg_css(out);
    if (options->dark) svg_dark_css(out);
    text_printf(out, "</style>\n<rect class=\"back\" x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%.0f\"/>\n", -PAD,
                -above, width, height);
  }
  write_scopes(&w);
  for (uint32_t i = 0; i < l->scene->edges.len; i++)
    if (steps_shows_edge(l->scene, &l->scene->edges.data[i])) write_edge(&w, i);
  for (uint32_t c = 0; c < l->scene->columns.len; c++) {
    add_words(&w, "b", l->heads[c].x, l->heads[c].y + 4, scene_head(out->arena, l->scene, c));
  }
  text_char(out, '\n');
  for (uint32_t i = 0; i < l->scene->nodes.len; i++)
    if (steps_shows_node(l->scene, i)) write_node(&w, i);
  write_words(&w);
  text_add(out, "\n</svg>\n");
}
