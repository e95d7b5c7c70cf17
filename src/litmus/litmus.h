/* Parses and prints litmus tests in the PTX flavour of herd's format. */
#pragma once

#include "base/intern.h"
#include "diag/diag.h"
#include "litmus/ast.h"

/* Reads one test. NULL, with messages in `diags`, if the text is not a litmus test. Linear in the length of the text.
 * The source must outlive the result. Source: docs/semantics.md T1. */
struct litmus_test *litmus_parse(struct arena *arena, struct intern *names, struct diags *diags,
                                 const struct source *source);

/* The same, but for a text with errors returns the part that could be read, to find further errors: without the
 * condition if it has the error, or without entries that have errors (*lost), so that names may be missing. NULL if the
 * threads were not read. *whole: there was no error. */
struct litmus_test *litmus_parse_rest(struct arena *arena, struct intern *names, struct diags *diags,
                                      const struct source *source, bool *whole, bool *lost);

/* Reads an outcome in printed form, `0:r0=0; x=1;`, or a condition, with or without `exists`. NULL as above. */
struct litmus_cond *litmus_parse_state(struct arena *arena, struct intern *names, struct diags *diags,
                                       const struct source *source);

/* Adds the canonical text of a test: parsing it gives the same test again (comments are dropped, threads are written
 * without P, spaces and columns are regular). */
void litmus_print(const struct litmus_test *test, struct text *out);

/* Adds an instruction as printed in a test, including its guard. */
void litmus_print_instr(const struct litmus_instr *instr, struct text *out);

/* Adds an operand, without the operands that follow it. */
void litmus_print_operand(const struct litmus_operand *operand, struct text *out);

/* Adds a condition in printed form: `0:r0=0 /\ ~(x=1 \/ x=2)`, without outer parentheses. */
void litmus_print_cond(const struct litmus_cond *cond, struct text *out);

/* The value of `Key=` in the head, or NULL. The first one counts. */
const char *litmus_key(const struct litmus_test *test, const char *key);
