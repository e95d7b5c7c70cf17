/* Computes the positions of all parts of a scene: nodes on a grid of columns and rows, scopes as boxes around columns,
 * edges as curves that avoid the nodes. Points (1/72 inch), y downwards. The same scene gives the same layout on every
 * machine: text is measured by counting characters of a fixed-width font. */
#pragma once

#include "draw/scene.h"

struct point {
  double x, y;
};

struct box {
  double left, top, right, bottom;
};

struct curve {
  VEC(struct point) points; /* 3k + 1 control points of k cubic Bezier pieces */
  struct point tip;         /* the tip of the arrow head, which starts at the last point */
  struct point tail;        /* the tip of a second arrow head, at the first point, for an edge with two */
  struct box label;
};

struct scope_box {
  enum scene_level level;
  uint32_t number; /* the number in the test */
  struct box box;
};

struct layout {
  const struct scene *scene;
  struct arena *arena;
  double width, height;
  struct box *nodes;               /* by node */
  struct point *heads;             /* by column: the middle of "P0" */
  struct curve *curves;            /* by edge */
  VEC(struct scope_box) scopes;    /* outer before inner */
  VEC(struct box) operations;      /* around the accesses and signals of one asynchronous operation */
  uint32_t *lanes;                 /* by edge, for arcs within a column: lane 0 is the closest to the nodes */
  double *column_x, *column_width; /* middle and width of each column */
  const char ***lines;             /* by node: the text of the node in lines, then its effect, ended by NULL */
  uint32_t *text_lines;            /* by node: the number of lines of text */
};

/* Sizes that the drawing and the layout share. */
#define LAYOUT_FONT 11.0
#define LAYOUT_SMALL 9.5
#define LAYOUT_LEGEND 48      /* the x position of the names in the legend, */
#define LAYOUT_LEGEND_NAME 62 /* and of the meanings, relative to the names */

/* The width of a text on one line. */
double layout_text_width(const char *text, double size);

/* The layout is at least as wide as the words above and below the picture. Past the deadline (base_is_late; 0: none)
 * edges are straight. */
struct layout *layout_build(struct arena *arena, const struct scene *scene, double deadline);

/* ---- route.c, for layout.c */
/* Gives every edge its curve and the place of its label. Nodes and columns must be placed. Past the deadline
 * (base_is_late) an edge becomes a straight line through any obstacle, with its label in the middle. */
void route_edges(struct layout *layout, double deadline);

/* True for an edge within a column that is not a straight line to the next node. */
bool route_is_arc(const struct scene *scene, uint32_t edge);

/* Gives overlapping arcs of one side different lanes, and shorter arcs closer lanes. Nodes need not be placed yet. */
void route_lanes(struct layout *layout);

/* The distance of the control points of an arc from its column; the arc itself reaches three quarters of it. */
double route_reach(const struct layout *layout, uint32_t edge);

/* ---- svg.c, dot.c: add the picture; `scale`: points per unit */

/* The <svg> element, with its style and a description in words. */
void svg_write(const struct layout *layout, bool dark, double scale, struct text *out);
/* A graph with all positions, so that Graphviz only draws: `dot -Tpng` and `dot -Tpdf` give the same picture. Classes
 * carry the names of the relations. */
void dot_write(const struct layout *layout, bool dark, double scale, struct text *out);
