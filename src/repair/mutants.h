/* Makes mutants of a test: copies with one qualifier a step weaker, one scope a step narrower, or one fence or barrier
 * left out, for which the model allows the outcome that it forbade. A run that never shows a mutant's outcome would not
 * have found the same mistake in a chip.
 *
 * After R. Levine and others, "MC Mutants: Evaluating and Improving Testing for Memory Consistency Specifications",
 * ASPLOS 2023, which makes mutants in another way.
 */
#pragma once

#include "repair/fix.h"

/* Called with each mutant, a test with the keys Mutant ("qualifier", "scope" or "out") and Expect. False: stop. */
typedef bool mutant_visitor(void *state, const struct litmus_test *mutant);

/* Visits the mutants of a test whose condition the model forbids; other tests have none. NULL, or why a verdict was not
 * found, such as the time limit for each. */
const struct reason *mutants_visit(struct arena *arena, const struct fix_input *input, mutant_visitor *visit,
                                   void *state);
