#include "audit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static PRINTF_LIKE(2, 3) void fault(struct audit *audit, const char *format, ...) {
  va_list args;
  va_start(args, format);
  printf("FAIL the picture of %s: ", audit->file);
  vprintf(format, args);
  putchar('\n');
  va_end(args);
  audit->faults++;
}

static bool has(const struct box *b, struct point p, double slack) {
  return b->left + slack < p.x && p.x < b->right - slack && b->top + slack < p.y && p.y < b->bottom - slack;
}

static bool meet(const struct box *a, const struct box *b) {
  return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool holds(const struct box *outer, const struct box *inner) {
  return outer->left <= inner->left && inner->right <= outer->right && outer->top <= inner->top &&
         inner->bottom <= outer->bottom;
}

static struct point at(const struct curve *curve, uint32_t piece, double t) {
  const struct point *p = &curve->points.data[(size_t)3 * piece];
  double u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return (struct point){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                        a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

static void audit_edge(struct audit *audit, const struct layout *l, uint32_t index) {
  const struct scene_edge *edge = &l->scene->edges.data[index];
  const struct curve *curve = &l->curves[index];
  const struct box page = {0, 0, l->width, l->height};
  if (curve->points.len % 3 != 1) fault(audit, "the curve of %s has no whole pieces", edge->name);
  for (uint32_t piece = 0; piece < curve->points.len / 3; piece++)
    for (int k = 0; k <= 20; k++) {
      struct point p = at(curve, piece, k / 20.0);
      if (!has(&page, p, 0)) fault(audit, "edge %s leaves the page", edge->name);
      for (uint32_t n = 0; n < l->scene->nodes.len; n++)
        if (n != edge->from && n != edge->to && has(&l->nodes[n], p, 1))
          fault(audit, "edge %s from %s runs through %s", edge->name, l->scene->nodes.data[edge->from].letter,
                l->scene->nodes.data[n].letter);
    }
}

static void audit_boxes(struct audit *audit, const struct layout *l) {
  for (uint32_t a = 0; a < l->scene->nodes.len; a++)
    for (uint32_t b = 0; b < a; b++)
      if (meet(&l->nodes[a], &l->nodes[b])) fault(audit, "two nodes meet");
  for (uint32_t a = 0; a < l->scopes.len; a++) {
    const struct box *box = &l->scopes.data[a].box;
    for (uint32_t b = 0; b < a; b++) {
      const struct box *other = &l->scopes.data[b].box;
      if (meet(box, other) && !holds(other, box)) fault(audit, "boxes of scopes cross");
    }
    for (uint32_t n = 0; n < l->scene->nodes.len; n++)
      if (meet(box, &l->nodes[n]) && !holds(box, &l->nodes[n])) fault(audit, "a scope cuts a node");
  }
}

static void audit_labels(struct audit *audit, const struct layout *l) {
  for (uint32_t i = 0; i < l->scene->edges.len; i++) {
    const struct box *label = &l->curves[i].label;
    const struct scene_edge *edge = &l->scene->edges.data[i];
    bool covered = false;
    audit->labels += strcmp(edge->name, "po") != 0;
    if (label->right <= label->left) {
      audit->left_out += strcmp(edge->name, "po") != 0;
      if (edge->on_cycle) fault(audit, "an edge of the cycle has no label");
      continue;
    }
    for (uint32_t k = 0; k < i; k++) {
      bool both_on_cycle = edge->on_cycle && l->scene->edges.data[k].on_cycle;
      audit->meeting_labels += !both_on_cycle && meet(label, &l->curves[k].label);
    }
    for (uint32_t n = 0; n < l->scene->nodes.len; n++) covered |= meet(label, &l->nodes[n]);
    audit->covered_labels += covered;
  }
}

/* Lines of the text drawing fit in its width, unless one instruction or the test's name alone does not. */
static void audit_text(struct audit *audit, const struct scene *scene) {
  struct text text;
  if (strcspn(scene->title, " ") > 76) return;
  for (uint32_t i = 0; i < scene->nodes.len; i++)
    if (strlen(scene->nodes.data[i].text) > 74) return;
  text_init(&text, audit->arena);
  scene_text(scene, 80, &text);
  for (const char *line = text_str(&text); *line;) {
    size_t length = strcspn(line, "\n");
    if (length > 80) fault(audit, "a line of the text drawing has %zu columns", length);
    line += length + (line[length] == '\n');
  }
}

void audit_picture(void *context, const struct pick *pick) {
  struct audit *audit = context;
  struct scene *scene = scene_build(audit->arena, pick, NULL);
  struct layout *l = layout_build(audit->arena, scene, 0);
  for (uint32_t i = 0; i < scene->edges.len; i++) audit_edge(audit, l, i);
  audit_boxes(audit, l);
  audit_labels(audit, l);
  audit_text(audit, scene);
  if (scene->allowed != (pick->violated_count == 0)) fault(audit, "it is not said right whether it is allowed");
  audit->pictures++;
}
