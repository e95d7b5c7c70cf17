/* Routes edges. An edge between neighbouring columns is one curve from side to side. An edge to a column further away
 * crosses the columns in between horizontally, in the space between two rows. Within a column the arrow goes straight
 * down to the next row, else it arcs: downwards on the right, upwards on the left. */
#include "draw/layout.h"

#include <math.h>

enum { CLEAR = 8, STEP = 9, ARROW = 9, SAMPLES = 12, LABEL_HEIGHT = 13, MAX_LANES = 9 };

/* Costs of a label position: one collision; no position found, which is worse than any position. */
enum { MEETS = 1000, UNTRIED = 1000000000 };

struct router {
  struct layout *l;
  const struct scene *s;
  double deadline;
  VEC(struct crossing) crossings;
};

/* A horizontal part of an edge across a column. */
struct crossing {
  uint32_t column;
  double y;
};

enum route_side { SIDE_LEFT, SIDE_RIGHT, SIDE_INNER };

static uint32_t column_of(const struct router *r, uint32_t node) { return r->s->nodes.data[node].column; }

static bool within_column(const struct scene *s, const struct scene_edge *e) {
  return s->nodes.data[e->from].column == s->nodes.data[e->to].column;
}

/* True for an edge straight down to the next node: program order or, among asynchronous operations, the first relation
 * between the two nodes. */
static bool is_straight(const struct scene *s, uint32_t edge) {
  const struct scene_edge *e = &s->edges.data[edge];
  if (e->to != e->from + 1 || !within_column(s, e)) return false;
  if (!s->columns.data[s->nodes.data[e->from].column].spawned) return strcmp(e->name, "po") == 0;
  return !SOME_BELOW(i, edge, s->edges.data[i].from == e->from && s->edges.data[i].to == e->to) && !e->both;
}

bool route_is_arc(const struct scene *s, uint32_t edge) {
  return within_column(s, &s->edges.data[edge]) && !is_straight(s, edge);
}

static uint32_t first_node(const struct scene_edge *e) { return e->from < e->to ? e->from : e->to; }
static uint32_t last_node(const struct scene_edge *e) { return e->from < e->to ? e->to : e->from; }

/* True if two arcs on one side of a column overlap. */
static bool arcs_meet(const struct scene_edge *a, const struct scene_edge *b) {
  return (a->to < a->from) == (b->to < b->from) && first_node(a) <= last_node(b) && first_node(b) <= last_node(a);
}

static bool lane_is_free(const struct layout *l, uint32_t edge, const bool *placed) {
  const struct scene_edge *edges = l->scene->edges.data;
  return !SOME_BELOW(i, l->scene->edges.len,
                     placed[i] && l->lanes[i] == l->lanes[edge] && arcs_meet(&edges[i], &edges[edge]));
}

void route_lanes(struct layout *l) {
  const struct scene *s = l->scene;
  bool *placed = ARENA_ARRAY(l->arena, bool, s->edges.len);
  for (uint32_t length = 1; length < s->nodes.len; length++)
    for (uint32_t i = 0; i < s->edges.len; i++) {
      const struct scene_edge *e = &s->edges.data[i];
      if (last_node(e) - first_node(e) != length || !route_is_arc(s, i)) continue;
      while (!lane_is_free(l, i, placed)) l->lanes[i]++;
      placed[i] = true;
    }
}

double route_reach(const struct layout *l, uint32_t edge) { return 34.0 + 18.0 * fmin(l->lanes[edge], MAX_LANES); }

static enum route_side side_at(const struct router *r, uint32_t edge, bool at_end) {
  const struct scene_edge *e = &r->s->edges.data[edge];
  uint32_t from = column_of(r, e->from), to = column_of(r, e->to);
  if (is_straight(r->s, edge)) return SIDE_INNER;
  if (from == to) return e->to > e->from ? SIDE_RIGHT : SIDE_LEFT;
  return (to > from) != at_end ? SIDE_RIGHT : SIDE_LEFT;
}

/* ---- Anchors: the ends of edges at one side of a node, spread over it in the order of their slopes ---- */

static double middle(const struct box *b) { return (b->top + b->bottom) / 2; }

/* The slope with which an edge leaves a node: positive downwards, negative upwards; an incoming end counts as slightly
 * larger than an outgoing one. */
static double slope(const struct router *r, uint32_t edge, bool at_end) {
  const struct scene_edge *e = &r->s->edges.data[edge];
  uint32_t here = at_end ? e->to : e->from, there = at_end ? e->from : e->to;
  double dy = middle(&r->l->nodes[there]) - middle(&r->l->nodes[here]);
  double dx = fabs(r->l->column_x[column_of(r, there)] - r->l->column_x[column_of(r, here)]);
  double flat = dx < 1 ? 20 : dx;
  return dy / flat + (at_end ? 0.001 : 0) + edge * 1e-6;
}

static double anchor_y(const struct router *r, uint32_t edge, bool at_end) {
  const struct scene_edge *e = &r->s->edges.data[edge];
  uint32_t node = at_end ? e->to : e->from;
  enum route_side side = side_at(r, edge, at_end);
  double mine = slope(r, edge, at_end);
  int before = 0, count = 0;
  for (uint32_t i = 0; i < r->s->edges.len; i++)
    for (int end = 0; end < 2; end++) {
      const struct scene_edge *other = &r->s->edges.data[i];
      if ((end ? other->to : other->from) != node || side_at(r, i, end) != side) continue;
      count++;
      before += slope(r, i, end) < mine;
    }
  const struct box *box = &r->l->nodes[node];
  double room = (box->bottom - box->top) * 0.8;
  return middle(box) + room * ((before + 1.0) / (count + 1.0) - 0.5);
}

static struct point anchor(const struct router *r, uint32_t edge, bool at_end) {
  const struct scene_edge *e = &r->s->edges.data[edge];
  const struct box *box = &r->l->nodes[at_end ? e->to : e->from];
  double x = side_at(r, edge, at_end) == SIDE_RIGHT ? box->right : box->left;
  return (struct point){x, anchor_y(r, edge, at_end)};
}

/* ---- Crossing columns ---- */

/* The cost of a horizontal line at y in a column: it must not touch nodes, and should not be near other lines. */
static double disturbance(const struct router *r, uint32_t column, double y) {
  const struct scene_column *c = &r->s->columns.data[column];
  double cost = 0;
  for (uint32_t i = 0; i < c->rows; i++) {
    if (c->at[i] == NO_NODE) continue;
    const struct box *box = &r->l->nodes[c->at[i]];
    if (y > box->top - CLEAR && y < box->bottom + CLEAR) cost += 1000;
  }
  if (y < r->l->heads[column].y + 14) cost += 1000;
  if (y > r->l->height - 24) cost += 1000;
  for (uint32_t i = 0; i < r->crossings.len; i++)
    if (r->crossings.data[i].column == column && fabs(r->crossings.data[i].y - y) < STEP - 1) cost += 40;
  return cost;
}

static double free_level(struct router *r, uint32_t column, double wanted) {
  double best = wanted, least = 1e9;
  for (int k = 0; k < 200; k++) {
    double y = wanted + (k % 2 ? 1 : -1) * (double)((k + 1) / 2) * (STEP / 2.0);
    double cost = disturbance(r, column, y) + fabs(y - wanted);
    if (cost < least) {
      least = cost;
      best = y;
    }
  }
  VEC_PUSH(r->l->arena, &r->crossings, (struct crossing){column, best});
  return best;
}

/* ---- Curves ---- */

static void curve_to(struct router *r, struct curve *curve, struct point a, struct point b, struct point end) {
  VEC_PUSH(r->l->arena, &curve->points, a);
  VEC_PUSH(r->l->arena, &curve->points, b);
  VEC_PUSH(r->l->arena, &curve->points, end);
}

/* Adds a curve to `end`, horizontal at both ends. */
static void curve_level(struct router *r, struct curve *curve, struct point end) {
  struct point start = curve->points.data[curve->points.len - 1];
  double reach = (end.x - start.x) * 0.45;
  curve_to(r, curve, (struct point){start.x + reach, start.y}, (struct point){end.x - reach, end.y}, end);
}

static void route_straight(struct router *r, uint32_t edge) {
  const struct scene_edge *e = &r->s->edges.data[edge];
  struct curve *curve = &r->l->curves[edge];
  double x = r->l->column_x[column_of(r, e->from)];
  double top = r->l->nodes[e->from].bottom, bottom = r->l->nodes[e->to].top;
  VEC_PUSH(r->l->arena, &curve->points, (struct point){x, top});
  curve_to(r, curve, (struct point){x, top + 5}, (struct point){x, bottom - ARROW - 5},
           (struct point){x, bottom - ARROW});
  curve->tip = (struct point){x, bottom};
}

static void route_arc(struct router *r, uint32_t edge) {
  const struct scene_edge *e = &r->s->edges.data[edge];
  struct curve *curve = &r->l->curves[edge];
  struct point start = anchor(r, edge, false), end = anchor(r, edge, true);
  double out = side_at(r, edge, true) == SIDE_RIGHT ? 1 : -1;
  double reach = out * route_reach(r->l, edge);
  curve->tip = end;
  curve->tail = start;
  end.x += out * ARROW;
  if (e->both) start.x += out * ARROW;
  VEC_PUSH(r->l->arena, &curve->points, start);
  curve_to(r, curve, (struct point){start.x + reach, start.y}, (struct point){end.x + reach - out * ARROW, end.y}, end);
}

static void route_across(struct router *r, uint32_t edge) {
  const struct scene_edge *e = &r->s->edges.data[edge];
  struct curve *curve = &r->l->curves[edge];
  struct point start = anchor(r, edge, false), end = anchor(r, edge, true);
  uint32_t from = column_of(r, e->from), to = column_of(r, e->to);
  int way = to > from ? 1 : -1;
  curve->tip = end;
  curve->tail = start;
  end.x -= way * ARROW;
  if (e->both) start.x += way * ARROW;
  VEC_PUSH(r->l->arena, &curve->points, start);
  for (uint32_t c = from + (uint32_t)way; c != to; c += (uint32_t)way) {
    struct point here = curve->points.data[curve->points.len - 1];
    double share = (r->l->column_x[c] - here.x) / (end.x - here.x);
    double y = free_level(r, c, here.y + share * (end.y - here.y));
    double half = r->l->column_width[c] / 2 + 4;
    curve_level(r, curve, (struct point){r->l->column_x[c] - way * half, y});
    curve_level(r, curve, (struct point){r->l->column_x[c] + way * half, y});
  }
  curve_level(r, curve, end);
}

/* A line from side to side, through any obstacle: for a layout that has run out of time. */
static void route_plain(struct router *r, uint32_t edge) {
  const struct scene_edge *e = &r->s->edges.data[edge];
  const struct box *from = &r->l->nodes[e->from], *to = &r->l->nodes[e->to];
  struct curve *curve = &r->l->curves[edge];
  enum route_side out = side_at(r, edge, false), in = side_at(r, edge, true);
  curve->tail = (struct point){out == SIDE_RIGHT ? from->right : from->left, middle(from)};
  curve->tip = (struct point){in == SIDE_RIGHT ? to->right : to->left, middle(to)};
  struct point start = curve->tail, end = curve->tip;
  double length = hypot(end.x - start.x, end.y - start.y), head = length > 2 * ARROW ? ARROW / length : 0;
  struct point step = {(end.x - start.x) * head, (end.y - start.y) * head};
  end = (struct point){end.x - step.x, end.y - step.y};
  if (e->both) start = (struct point){start.x + step.x, start.y + step.y};
  VEC_PUSH(r->l->arena, &curve->points, start);
  curve_to(r, curve, start, end, end);
}

/* ---- Labels ---- */

static struct point curve_at(const struct curve *curve, uint32_t piece, double t) {
  const struct point *p = &curve->points.data[(size_t)3 * piece];
  double u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return (struct point){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                        a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

static bool boxes_meet(const struct box *a, const struct box *b) {
  return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool box_has(const struct box *b, struct point p) {
  return b->left < p.x && p.x < b->right && b->top < p.y && p.y < b->bottom;
}

/* True if a piece may be near the box; a piece lies within its control points. */
static bool piece_near(const struct curve *curve, uint32_t piece, const struct box *b) {
  const struct point *p = &curve->points.data[(size_t)3 * piece];
  struct box around = {p->x, p->y, p->x, p->y};
  for (int i = 1; i < 4; i++) {
    around.left = fmin(around.left, p[i].x);
    around.right = fmax(around.right, p[i].x);
    around.top = fmin(around.top, p[i].y);
    around.bottom = fmax(around.bottom, p[i].y);
  }
  return around.left <= b->right && b->left <= around.right && around.top <= b->bottom && b->top <= around.bottom;
}

/* The number of sampled points of other edges that a label would cover. */
static double covered(const struct router *r, uint32_t edge, const struct box *label) {
  int count = 0;
  for (uint32_t i = 0; i < r->s->edges.len; i++) {
    const struct curve *curve = &r->l->curves[i];
    for (uint32_t piece = 0; i != edge && piece < curve->points.len / 3; piece++)
      if (piece_near(curve, piece, label))
        for (int k = 0; k <= 2 * SAMPLES; k++) count += box_has(label, curve_at(curve, piece, k / (2.0 * SAMPLES)));
  }
  return count;
}

static double label_cost(const struct router *r, uint32_t edge, const struct box *label) {
  double cost = 6 * covered(r, edge, label);
  for (uint32_t i = 0; i < r->s->nodes.len; i++) cost += boxes_meet(label, &r->l->nodes[i]) ? MEETS : 0;
  for (uint32_t i = 0; i < r->s->edges.len; i++)
    cost += i != edge && boxes_meet(label, &r->l->curves[i].label) ? MEETS : 0;
  return cost;
}

static struct box label_at(const struct router *r, uint32_t edge, uint32_t piece, double t) {
  struct point at = curve_at(&r->l->curves[edge], piece, t);
  double half = (double)strlen(r->s->edges.data[edge].name) * LAYOUT_SMALL * 0.602 / 2 + 4;
  return (struct box){at.x - half, at.y - LABEL_HEIGHT / 2.0, at.x + half, at.y + LABEL_HEIGHT / 2.0};
}

/* Places a label at the clearest point of its curve. Off the cycle, a label that would overlap a node or another label
 * is left out: line and legend identify the relation. */
static void place_label(struct router *r, uint32_t edge) {
  struct curve *curve = &r->l->curves[edge];
  const struct scene_edge *e = &r->s->edges.data[edge];
  double least = UNTRIED;
  uint32_t pieces = curve->points.len / 3;
  if (strcmp(e->name, "po") == 0 && !e->on_cycle) return;
  curve->label = label_at(r, edge, pieces / 2, pieces % 2 ? 0.5 : 0);
  for (uint32_t piece = 0; piece < pieces && !base_is_late(r->deadline); piece++)
    for (int k = 1; k < SAMPLES; k++) {
      struct box label = label_at(r, edge, piece, k / (double)SAMPLES);
      double place = (piece + k / (double)SAMPLES) / pieces;
      double cost = label_cost(r, edge, &label) + 12 * fabs(place - 0.5) +
                    (place < 0.2 || place > 0.75 ? 60 : 0); /* not on the arrow head */
      if (cost >= least) continue;
      least = cost;
      curve->label = label;
    }
  if (least >= MEETS && least < UNTRIED && !e->on_cycle) curve->label = (struct box){0};
}

void route_edges(struct layout *layout, double deadline) {
  struct router r = {.l = layout, .s = layout->scene, .deadline = deadline};
  for (uint32_t i = 0; i < r.s->edges.len; i++) {
    const struct scene_edge *e = &r.s->edges.data[i];
    if (is_straight(r.s, i)) route_straight(&r, i);
    else if (base_is_late(deadline)) route_plain(&r, i);
    else if (column_of(&r, e->from) == column_of(&r, e->to)) route_arc(&r, i);
    else route_across(&r, i);
  }
  for (int pass = 0; pass < 2; pass++) /* labels of the cycle first: they are never left out */
    for (uint32_t i = 0; i < r.s->edges.len; i++)
      if (r.s->edges.data[i].on_cycle == (pass == 0)) place_label(&r, i);
}
