/* A SAT solver for formulas as small tests have them: some hundred clauses, and a handful of conflicts. CaDiCaL takes
 * longer to start than such a formula takes to solve. What turns out to be large or hard goes to CaDiCaL (cadical.c).
 *
 * Literals and variables are those of sat.h. */
#ifndef PTXLIT_SMALL_H
#define PTXLIT_SMALL_H

#include "base/vec.h"
#include "sat/sat.h"

struct small;

/* A solver without variables. It belongs to the arena. */
struct small *small_new(struct arena *arena);

/* One variable more: 1, 2, and so on. */
void small_variable(struct small *small);

/* Adds a clause, of variables that there are; no literal may stand in it twice. */
void small_clause(struct small *small, const lit *lits, size_t count);

/* Goes through the clauses that were added, one a call, beginning with *at = 0: how many literals the next one has, and
 * they, until the next call. False when there are no more. */
bool small_next_clause(struct small *small, uint32_t *at, const lit **lits, size_t *count);

/* Solves under assumptions. SAT_UNKNOWN after so many conflicts, or when small_work is more than `work`. */
enum sat_answer small_solve(struct small *small, const lit *assumptions, size_t count, uint64_t conflicts,
                            uint64_t work);

/* After SAT_YES, until something is added or solved: the value of a literal. */
bool small_value(const struct small *small, lit a);

/* What all solves took: ten for a conflict, and one for a literal looked at in search of one that is not false. */
uint64_t small_work(const struct small *small);
uint64_t small_conflicts(const struct small *small);

#endif
