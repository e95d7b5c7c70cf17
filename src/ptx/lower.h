/* Checks the syntax tree of a litmus test and lowers it to a program (program.h). */
#pragma once

#include "base/techniques.h"
#include "litmus/litmus.h"
#include "ptx/program.h"

struct lower_options {
  bool all_state;          /* observe every register and every element, not only the named ones */
  bool dat3m_barriers;     /* `bar.cta.sync a, b` is Dat3M's <instance>, <barrier>, not PTX's <barrier>, <count> */
  bool large;              /* locations may have the size of those of kernels */
  bool lenient;            /* faulty instructions count as not modelled, and dead arithmetic stays: for kernel/run.h */
  struct without without;  /* techniques that are switched off */
  bool implicit_locations; /* declare undeclared locations as `.u32 = 0`, with a warning, instead of refusing them */
};

/* NULL if the test has an error, which is in `diags`. Warnings do not stop it. The result lives in `arena` and refers
 * to the test's source. Source: docs/semantics.md P1-P11, T1; PTX ISA 9.4, 9.7. */
struct program *lower(struct arena *arena, struct intern *names, struct diags *diags, const struct litmus_test *test,
                      const struct lower_options *options);

/* The test in words that have the same meaning in every dialect, with all locations of its program declared: the test
 * itself, or a copy in `arena` that shares nodes with it. */
const struct litmus_test *lower_canonical(struct arena *arena, const struct litmus_test *test,
                                          const struct program *program, const struct lower_options *options);

/* True if the first operand of a barrier written with .cta is Dat3M's instance number: with three operands it always
 * is; with two, in 'sync', the dialect decides. */
bool lower_has_instance(bool sync, uint32_t operands, const struct lower_options *options);

/* True if the entry is `multimem m = {x, y}`. */
bool lower_is_multimem(const struct litmus_entry *entry);
