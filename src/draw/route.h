/* Routes edges around nodes; for layout.c alone. */
#pragma once

#include "draw/layout.h"

/* Gives every edge its curve and the place of its label. Nodes and columns must have their places. Past the deadline
 * (base_is_late) an edge becomes a straight line, through anything, with its label in the middle. */
void route_edges(struct layout *layout, double deadline);

/* An edge within a column that is no straight line to the next node. */
bool route_is_arc(const struct scene *scene, uint32_t edge);

/* Gives different lanes to overlapping arcs of one side, shorter arcs the closer ones. Nodes need no places yet. */
void route_lanes(struct layout *layout);

/* The distance of the control points of an arc from its column; the arc itself reaches three quarters of it. */
double route_reach(const struct layout *layout, uint32_t edge);
