/* A model as clauses over the literals of a shape: they say if an execution of its programs, whose choices are literals
 * or constants, violates it. Exact in both directions, of which only those asked for become clauses. Private to
 * src/generate. */
#pragma once

#include "generate/shape.h"

/* Matrices over the sites of a shape: literals, a row after another. */
struct shape_execution {
  lit *rf, *co, *sc;
};

struct formula;

/* The model is one of quick_model. */
struct formula *formula_new(struct program_shape *shape, const struct model *model);

/* The literals of which one holds if and only if the execution violates an axiom: with NEED_IF those of all axioms that
 * it violates hold, with NEED_ONLY_IF those that hold are violated. Valid until the next call. */
void formula_violated(struct formula *formula, const struct shape_execution *execution, unsigned need, const lit **lits,
                      uint32_t *count);
