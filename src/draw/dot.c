#include "draw/layout.h"

#include "draw/parts.h"

#define FONT "DejaVu Sans Mono"

struct writer {
  const struct layout *l;
  const struct theme *theme;
  bool dark;
  struct text *out;
};

/* In Graphviz, y grows upwards. */
static double up(const struct writer *w, double y) { return w->l->height - y; }

static void write_node(const struct writer *w, uint32_t index) {
  const struct scene_node *node = &w->l->scene->nodes.data[index];
  const struct box *box = &w->l->nodes[index];
  const char **lines = w->l->lines[index];
  text_printf(w->out, "  %s [id=\"%s\" class=\"%s\" pos=\"%.1f,%.1f\" width=%.3f height=%.3f label=<", node->letter,
              node->letter, node->on_cycle ? "instr cycle" : "instr", (box->left + box->right) / 2,
              up(w, (box->top + box->bottom) / 2), (box->right - box->left) / 72, (box->bottom - box->top) / 72);
  for (uint32_t i = 0; lines[i]; i++) {
    bool effect = i >= w->l->text_lines[index];
    if (i) text_add(w->out, "<br/>");
    if (effect) text_printf(w->out, "<font color=\"%s\"><i>", w->theme->muted);
    text_markup(w->out, lines[i]);
    if (effect) text_add(w->out, "</i></font>");
  }
  text_printf(w->out, ">%s%s];\n", node->on_cycle || node->stuck ? " penwidth=2.4" : "",
              node->stuck ? " style=\"filled,rounded,dashed\""
              : node->gap ? " shape=plaintext style=\"\""
                          : "");
}

static void write_head(const struct writer *w, uint32_t column) {
  struct point at = w->l->heads[column];
  text_printf(w->out,
              "  head%u [id=\"head%u\" class=\"head\" shape=plaintext style=\"\" pos=\"%.1f,%.1f\" width=0.5 "
              "height=0.25 label=<<b>%s</b>>];\n",
              column, column, at.x, up(w, at.y), scene_head(w->out->arena, w->l->scene, column));
}

static bool inside(const struct box *inner, const struct box *outer) {
  return inner != outer && outer->left < inner->left && inner->right < outer->right;
}

/* The innermost box around a scope, or -1. */
static int64_t parent_of(const struct writer *w, uint32_t index) {
  int64_t parent = -1;
  for (uint32_t i = 0; i < index; i++) /* outer boxes come first, so the last box around the scope is the smallest */
    if (inside(&w->l->scopes.data[index].box, &w->l->scopes.data[i].box)) parent = i;
  return parent;
}

/* Nests clusters like scopes, because Graphviz draws siblings in any order, but a cluster after the one around it. */
static void write_scopes(const struct writer *w, int64_t parent) {
  for (uint32_t i = 0; i < w->l->scopes.len; i++) {
    const struct scope_box *scope = &w->l->scopes.data[i];
    const struct box *b = &scope->box;
    if (parent_of(w, i) != parent) continue;
    const char *label = scene_scope_label(w->out->arena, scope->level, scope->number);
    double width = layout_text_width(label, LAYOUT_SMALL);
    text_printf(w->out,
                "  subgraph cluster_%u { graph [id=\"scope%u\" class=\"scope\" bb=\"%.1f,%.1f,%.1f,%.1f\" "
                "label=\"%s\" lp=\"%.1f,%.1f\" lwidth=%.2f lheight=0.15 style=\"filled,rounded\" fillcolor=\"%s\" "
                "color=\"%s\" fontcolor=\"%s\" fontsize=9.5];\n",
                i, i, b->left, up(w, b->bottom), b->right, up(w, b->top), label, b->left + 12 + width / 2,
                up(w, b->top + 8), width / 72, w->theme->scope_fill[scope->level], w->theme->scope_line[scope->level],
                w->theme->muted);
    write_scopes(w, i);
    text_add(w->out, "  }\n");
  }
}

static void write_curve(const struct writer *w, const struct curve *curve, const struct scene_edge *edge) {
  if (edge->both) text_printf(w->out, " dir=both arrowtail=%s", edge->style->arrow);
  text_add(w->out, " pos=\"");
  if (edge->both) text_printf(w->out, "s,%.1f,%.1f ", curve->tail.x, up(w, curve->tail.y));
  text_printf(w->out, "e,%.1f,%.1f", curve->tip.x, up(w, curve->tip.y));
  for (uint32_t i = 0; i < curve->points.len; i++)
    text_printf(w->out, " %.1f,%.1f", curve->points.data[i].x, up(w, curve->points.data[i].y));
  text_char(w->out, '"');
}

static void write_label(const struct writer *w, const struct scene_edge *edge, const struct box *box) {
  text_printf(w->out,
              " lp=\"%.1f,%.1f\" label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" "
              "cellpadding=\"1\" bgcolor=\"%s\"><tr><td>%s",
              (box->left + box->right) / 2, up(w, (box->top + box->bottom) / 2), w->theme->page,
              edge->on_cycle ? "<b>" : "");
  text_markup(w->out, edge->name);
  text_printf(w->out, "%s</td></tr></table>>", edge->on_cycle ? "</b>" : "");
}

static void write_edge(const struct writer *w, uint32_t index) {
  const struct scene_edge *edge = &w->l->scene->edges.data[index];
  const struct curve *curve = &w->l->curves[index];
  const struct scene_style *style = edge->style;
  const char *colour = w->dark ? style->dark : style->light;
  text_printf(w->out,
              "  %s -> %s [id=\"edge%u\" class=\"rel-%s%s\" color=\"%s\" fontcolor=\"%s\" style=\"%s\" "
              "arrowhead=%s penwidth=%s",
              w->l->scene->nodes.data[edge->from].letter, w->l->scene->nodes.data[edge->to].letter, index, style->name,
              edge->on_cycle ? " cycle" : "", colour, colour, style->line, style->arrow,
              edge->on_cycle ? "3.2" : "1.3");
  write_curve(w, curve, edge);
  if (curve->label.right > curve->label.left) write_label(w, edge, &curve->label);
  text_add(w->out, "];\n");
}

/* A line of words below or above the picture. */
static void write_line(const struct writer *w, const char *name, double y, const char *style, const char *words) {
  if (!words || !*words) return;
  text_printf(w->out,
              "  %s [id=\"%s\" class=\"words\" shape=plaintext style=\"\" fixedsize=true pos=\"%.1f,%.1f\" "
              "width=%.3f height=0.22 label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"0\" "
              "width=\"%.0f\"><tr><td align=\"left\">%s",
              name, name, w->l->width / 2, up(w, y), w->l->width / 72, w->l->width - 8, style);
  text_markup(w->out, words);
  text_printf(w->out, "%s</td></tr></table>>];\n", *style ? "</b>" : "");
}

static void write_words(const struct writer *w) {
  const struct scene *s = w->l->scene;
  double below = w->l->height + 12;
  write_line(w, "title", -26, "<b>", s->title);
  write_line(w, "caption", -10, "", s->caption);
  write_line(w, "outcome", below, "", *s->outcome ? arena_printf(w->out->arena, "ends with %s", s->outcome) : NULL);
  write_line(w, "cycle", below + 16, "<b>", s->cycle);
  write_line(w, "leftout", below + 32, "", s->missing ? s->missing : s->left_out);
  for (uint32_t i = 0; i < s->object_count; i++)
    write_line(w, arena_printf(w->out->arena, "object%u", i), below + 48 + 16 * i, "", s->objects[i]);
}

void dot_write(const struct layout *l, bool dark, double scale, struct text *out) {
  const char *size = scale < 1 || scale > 1
                         ? arena_printf(out->arena, "size=\"%.2f,%.2f!\" ", (l->width + 18) * scale / 72,
                                        (l->height + 110 + 16 * l->scene->object_count) * scale / 72)
                         : "";
  struct writer w = {.l = l, .theme = theme_of(dark), .dark = dark, .out = out};
  text_printf(out,
              "digraph ptxlit {\n  graph [id=\"graph\" layout=nop2 bb=\"0,-%u,%.1f,%.1f\" bgcolor=\"%s\" "
              "%spad=0.125 outputorder=edgesfirst fontname=\"" FONT "\"];\n",
              56 + 16 * l->scene->object_count, l->width, l->height + 36, w.theme->page, size);
  text_printf(out,
              "  node [shape=box style=\"filled,rounded\" fillcolor=\"%s\" color=\"%s\" fontcolor=\"%s\" "
              "fontname=\"" FONT "\" fontsize=%.1f margin=\"0.05,0.02\"];\n",
              w.theme->node, w.theme->node_line, w.theme->node_text, LAYOUT_FONT);
  text_printf(out, "  edge [fontname=\"" FONT "\" fontsize=%.1f arrowsize=0.8];\n", LAYOUT_SMALL);
  write_scopes(&w, -1);
  for (uint32_t i = 0; i < l->scene->columns.len; i++) write_head(&w, i);
  for (uint32_t i = 0; i < l->scene->nodes.len; i++)
    if (steps_shows_node(l->scene, i)) write_node(&w, i);
  for (uint32_t i = 0; i < l->scene->edges.len; i++)
    if (steps_shows_edge(l->scene, &l->scene->edges.data[i])) write_edge(&w, i);
  write_words(&w);
  text_add(out, "}\n");
}
