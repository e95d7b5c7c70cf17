/* Edges around nodes; for layout.c alone. */
#ifndef PTXLIT_ROUTE_H
#define PTXLIT_ROUTE_H

#include "draw/layout.h"

/* Gives every edge its curve and the place of its label. Nodes and columns must have their places. */
void route_edges(struct layout *layout);

/* How far the control points of an arc within a column stand out from it; the arc itself comes three quarters as
 * far. */
double route_reach(const struct scene_edge *edge);

#endif
