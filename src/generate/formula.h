/* A model as clauses over the literals of a shape: they decide if an execution of its programs, whose choices are
 * literals or constants, violates the model. Exact in both directions, of which only those asked for become clauses.
 * Private to src/generate. */
#pragma once

#include "generate/shape.h"

/* The matrices of an execution over the sites of a shape: literals, row by row. */
struct shape_execution {
  lit *rf, *co, *sc;
};

struct formula;

/* The model is one of quick_model. */
struct formula *formula_new(struct program_shape *shape, const struct model *model);

/* Literals, one for each axiom: with NEED_IF the literal of each violated axiom holds, with NEED_ONLY_IF only literals
 * of violated axioms hold. Valid until the next call. */
void formula_violated(struct formula *formula, const struct shape_execution *execution, unsigned need, const lit **lits,
                      uint32_t *count);
