/* Why a test is not safe (docs/semantics.md K4). Private to src/explain. */
#ifndef PTXLIT_EXPLAIN_SAFETY_H
#define PTXLIT_EXPLAIN_SAFETY_H

#include "explain/explain.h"

/* Fills in `stories`, one for each finding of the result; within the deadline also how it comes about. */
void safety_tell(struct arena *arena, const struct check_options *options, double deadline, struct explanation *out);

#endif
