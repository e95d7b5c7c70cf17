/* Edges around nodes; for layout.c alone. */
#ifndef PTXLIT_ROUTE_H
#define PTXLIT_ROUTE_H

#include "draw/layout.h"

/* Gives every edge its curve and the place of its label. Nodes and columns must have their places. */
void route_edges(struct layout *layout);

#endif
