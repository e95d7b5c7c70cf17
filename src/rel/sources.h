/* Reads that return what one known write writes, in all executions that a model allows. */
#ifndef PTXLIT_SOURCES_H
#define PTXLIT_SOURCES_H

#include "cat/model.h"
#include "exec/skeleton.h"

/* Of the reads on which it depends what the threads of the skeleton do. They rest on any axioms of the model. */
struct sure_sources *sources_find(struct arena *arena, const struct model *model, const struct skeleton *skeleton);

#endif
