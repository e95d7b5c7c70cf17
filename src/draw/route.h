/* Routes edges around nodes; for layout.c alone. */
#pragma once

#include "draw/layout.h"

/* Gives every edge its curve and the place of its label. Nodes and columns must have their places. Past the deadline
 * (base_is_late) an edge becomes a straight line, whatever it crosses, with its label in the middle. */
void route_edges(struct layout *layout, double deadline);

/* An edge within a column that is no straight line to the next node. */
bool route_is_arc(const struct scene *scene, uint32_t edge);

/* Gives arcs of one side that overlap different lanes, the shorter the closer. Nodes need no places yet. */
void route_lanes(struct layout *layout);

/* How far the control points of an arc stand out from its column; the arc itself comes three quarters as far. */
double route_reach(const struct layout *layout, uint32_t edge);
