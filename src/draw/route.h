/* Edges around nodes; for layout.c alone. */
#ifndef PTXLIT_ROUTE_H
#define PTXLIT_ROUTE_H

#include "draw/layout.h"

/* Gives every edge its curve and the place of its label. Nodes and columns must have their places. Past the deadline
 * (base_is_late) an edge becomes a straight line, whatever it crosses, with its label in the middle. */
void route_edges(struct layout *layout, double deadline);

/* How far the control points of an arc within a column stand out from it; the arc itself comes three quarters as
 * far. */
double route_reach(const struct scene_edge *edge);

#endif
