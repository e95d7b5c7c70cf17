/* Makes mutants of a test: copies with one qualifier a step weaker, one scope a step narrower, or one fence or barrier
 * left out, for which the model allows the outcome that it forbids for the test. A run that never shows a mutant's
 * outcome would miss the same mistake in a chip.
 *
 * After R. Levine and others, "MC Mutants: Evaluating and Improving Testing for Memory Consistency Specifications",
 * ASPLOS 2023, which makes mutants in another way.
 */
#pragma once

#include "repair/fix.h"

/* Called with each mutant, a test with the keys Mutant ("qualifier", "scope" or "out") and Expect. False: stop. */
typedef bool mutant_visitor(void *state, const struct litmus_test *mutant);

/* Visits the mutants of a test whose condition the model forbids; other tests have none. Returns NULL, or the reason
 * for a missing verdict, such as the time limit per verdict. */
const struct reason *mutants_visit(struct arena *arena, const struct fix_input *input, mutant_visitor *visit,
                                   void *state);
