/* Mutants of a test: the same with one qualifier a step weaker, one scope a step narrower, or one fence or barrier left
 * out, such that the model then allows what it forbade. A run that never shows what a mutant allows would not have
 * found the same mistake in a chip.
 *
 * After R. Levine and others, "MC Mutants: Evaluating and Improving Testing for Memory Consistency Specifications",
 * ASPLOS 2023, which makes mutants in another way.
 */
#pragma once

#include "repair/fix.h"

/* Called with each mutant, a test of its own with the keys Mutant ("qualifier", "scope" or "out") and Expect. False: no
 * more. */
typedef bool mutant_visitor(void *state, const struct litmus_test *mutant);

/* Visits the mutants of a test whose condition the model forbids; there are none of others. NULL, or why a
 * verdict was not found, such as the time that the options give to each. */
const struct reason *mutants_visit(struct arena *arena, const struct fix_input *input, mutant_visitor *visit,
                                   void *state);
