/* --certify: the strongest checks of a result that there are, by others than the solver that found it. */
#pragma once

#include "cli/run.h"

/* Looks for a second solver, and warns when there is none. False when the options do not go together: it was said. */
bool certify_begin(struct run *run);

/* Has each claim of the result proved again under CaDiCaL's checker and solved by the second solver, and the whole
 * check done by brute force, after which the session has its `usual` options again; the result is rendered with what
 * they said. What is not certified is noted as lacking a verdict. A disagreement is an internal error: it keeps the
 * clauses and leaves with status 70. */
void certify_result(struct run *run, const struct ptxlit_options *usual, size_t test, size_t model,
                    const struct ptxlit_result *result);
