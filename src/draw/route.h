/* Routes edges around nodes; only layout.c uses it. */
#pragma once

#include "draw/layout.h"

/* Gives every edge its curve and the place of its label. Nodes and columns must be placed. Past the deadline
 * (base_is_late) an edge becomes a straight line through any obstacle, with its label in the middle. */
void route_edges(struct layout *layout, double deadline);

/* True for an edge within a column that is not a straight line to the next node. */
bool route_is_arc(const struct scene *scene, uint32_t edge);

/* Gives overlapping arcs of one side different lanes, and shorter arcs closer lanes. Nodes need not be placed yet. */
void route_lanes(struct layout *layout);

/* The distance of the control points of an arc from its column; the arc itself reaches three quarters of it. */
double route_reach(const struct layout *layout, uint32_t edge);
