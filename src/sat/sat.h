/* The SAT solver behind a small interface, so that only one file knows CaDiCaL.
 *
 * Literals are non-zero integers, negation is minus. Literal LIT_TRUE (variable 1) is fixed true in every solver, so
 * constants need no special cases. An incremental solver: clauses may be added between solves.
 */
#pragma once

#include "base/base.h"
#include "base/text.h"

typedef int lit;

enum { LIT_TRUE = 1, LIT_FALSE = -1 };

struct sat;

enum sat_answer { SAT_UNKNOWN, SAT_YES, SAT_NO };

/* A new solver. It goes with the arena, or before it with sat_release, which may be called again; NULL is allowed. When
 * the solver runs out of memory, in this call or in any other, that is as if the arena did (arena_out_of_memory), and
 * nothing but sat_release is to be called on it then. Adding clauses polls the arena's deadline. With `renames` CaDiCaL
 * gets only variables that some clause has: that takes less memory, and finds other solutions. */
struct sat *sat_new(struct arena *arena, bool renames);
void sat_release(struct sat *sat);

/* Keeps a copy of every clause as DIMACS text, from now on; for --dump=cnf. `arena` must outlive the solver. */
void sat_keep_clauses(struct sat *sat, struct arena *arena);
/* The kept clauses with the header line. */
void sat_dimacs(const struct sat *sat, struct text *out);
/* The same with a unit clause for each assumption of the last solve, which must have come after sat_keep_clauses: after
 * SAT_NO it has no solution. */
void sat_refuted(const struct sat *sat, struct text *out);

/* Solves clauses in DIMACS form (as sat_refuted writes them) from scratch, with CaDiCaL's own checker on: it tests that
 * each clause derived follows from those before it, and the solution when there is one. If the checker rejects a clause
 * or the solution, it aborts the process with a message of CaDiCaL on stderr: call it in a process of its own.
 * SAT_UNKNOWN when the deadline (of base.h) passes, when memory runs out or when the checker is not there. */
enum sat_answer sat_prove(const char *dimacs, double deadline);

/* A fresh variable, as its positive literal. */
lit sat_variable(struct sat *sat);

/* Adds a clause, unless it is always true. */
void sat_clause(struct sat *sat, const lit *lits, size_t count);
void sat_clause1(struct sat *sat, lit a);
void sat_clause2(struct sat *sat, lit a, lit b);
void sat_clause3(struct sat *sat, lit a, lit b, lit c);

/* True if some clause has the literal's variable. */
bool sat_occurs(const struct sat *sat, lit a);

/* Assumes a literal, for the next solve only. */
void sat_assume(struct sat *sat, lit a);

/* SAT_UNKNOWN when the deadline passes, or the effort is used up. */
enum sat_answer sat_solve(struct sat *sat);

/* For the next solve only: after so many conflicts it gives up. Unlike a deadline, it gives the same answer in every
 * run. */
void sat_effort(struct sat *sat, int conflicts);

/* From here on all solves together give up after so much work: a conflict each, and one more for each solve. 0: no
 * limit. sat_budget_left gives the rest. */
void sat_budget(struct sat *sat, uint64_t work);
uint64_t sat_budget_left(const struct sat *sat);

/* The work of all solves so far. */
uint64_t sat_work(const struct sat *sat);

/* Sets the time when solving gives up: a deadline of base.h. */
void sat_deadline(struct sat *sat, double when);

/* After SAT_YES: the value of a literal. */
bool sat_value(struct sat *sat, lit a);

/* Limits the number of clauses (0: none); those who make clauses ask sat_is_full, which is true past the limit. */
void sat_limit_clauses(struct sat *sat, uint64_t clauses);
bool sat_is_full(const struct sat *sat);

uint64_t sat_variables(const struct sat *sat);
uint64_t sat_clauses(const struct sat *sat);
uint64_t sat_solves(const struct sat *sat);

/* "cadical-1.5.3": static storage. */
const char *sat_signature(void);
