/* The story of a program that is undefined, or of which nothing is known. Private to src/explain.
 *
 * Sources: PTX ISA 9.4, 8.7.2, 9.7.15.1 to 9.7.15.3, 6.4.1; docs/semantics.md B5, O5. The texts stand in
 * ptx/reasons.def.
 */
#ifndef PTXLIT_UNDEFINED_H
#define PTXLIT_UNDEFINED_H

#include "explain/explain.h"

/* A clause of a shipped model (clauses.def). */
struct clause_row {
  const char *name;
  struct explain_clause rule;
  const char *missing, *cure;
  uint32_t gap;
};

/* NULL: the clause has no row. */
const struct clause_row *clause_of(const char *name);

/* Adds the instructions concerned, the rule or limit, an execution that gets there where there is time to find one, and
 * what would change it. out->kind is EXPLAIN_UNDEFINED or EXPLAIN_UNKNOWN. */
void undefined_tell(struct arena *arena, const struct check_options *options, double deadline, struct explanation *out);

#endif
