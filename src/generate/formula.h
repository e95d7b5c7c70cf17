/* A model as clauses over the literals of a shape: the clauses decide if an execution of the shape's programs, whose
 * choices are literals or constants, violates the model. They are exact in both directions, but only the requested
 * directions become clauses. Private to src/generate. */
#pragma once

#include "generate/shape.h"

/* The matrices of an execution over the sites of a shape: literals, row by row. */
struct shape_execution {
  lit *rf, *co, *sc;
};

struct formula;

/* `model` comes from quick_model. */
struct formula *formula_new(struct program_shape *shape, const struct model *model);

/* One literal per axiom: with NEED_IF, the literals of all violated axioms hold; with NEED_ONLY_IF, only literals of
 * violated axioms hold. Valid until the next call. */
void formula_violated(struct formula *formula, const struct shape_execution *execution, unsigned need, const lit **lits,
                      uint32_t *count);
