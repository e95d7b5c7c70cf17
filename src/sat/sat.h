/* A small interface to the SAT solver, so that only one file depends on CaDiCaL.
 *
 * Literals are non-zero integers, negation is minus. Literal LIT_TRUE (variable 1) is fixed true in every solver, so
 * constants need no special cases. An incremental solver: clauses may be added between solves.
 */
#pragma once

#include "base/text.h"

typedef int lit;

enum { LIT_TRUE = 1, LIT_FALSE = -1 };

struct sat;

enum sat_answer { SAT_UNKNOWN, SAT_YES, SAT_NO };

/* A new solver. It is freed with the arena, or earlier by sat_release, which may be called twice, or on NULL. If the
 * solver runs out of memory, in this or any other call, the call acts like arena_out_of_memory, and only sat_release
 * may be called on the solver afterwards. Adding clauses polls the arena's deadline. With `renames` CaDiCaL gets only
 * variables that occur in clauses: this takes less memory, and finds other solutions. */
struct sat *sat_new(struct arena *arena, bool renames);
void sat_release(struct sat *sat);

/* Keeps a copy of every later clause as DIMACS text, for --dump=cnf. `arena` must outlive the solver. */
void sat_keep_clauses(struct sat *sat, struct arena *arena);
/* The kept clauses with the header line. */
void sat_dimacs(const struct sat *sat, struct text *out);
/* The same with a unit clause for each assumption of the last solve, which must have come after sat_keep_clauses: after
 * SAT_NO the clauses have no solution. */
void sat_refuted(const struct sat *sat, struct text *out);

/* Solves clauses in DIMACS form (as sat_refuted writes them) from scratch, with CaDiCaL's own checker on: it checks
 * that each derived clause follows from the earlier clauses, and checks the solution, if any. If the checker rejects a
 * clause or the solution, it aborts the process with a message of CaDiCaL on stderr: call it in a separate process.
 * SAT_UNKNOWN if the deadline (of base.h) passes, memory runs out or the checker is missing. */
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

/* SAT_UNKNOWN when the deadline passes, or the effort is exhausted. */
enum sat_answer sat_solve(struct sat *sat);

/* Limits the next solve to this many conflicts. Unlike with a deadline, the answer is the same in every run. */
void sat_effort(struct sat *sat, int conflicts);

/* Limits the total work of all later solves: one unit per conflict and one per solve. 0: no limit. sat_budget_left
 * returns the rest. */
void sat_budget(struct sat *sat, uint64_t work);
uint64_t sat_budget_left(const struct sat *sat);

/* The work of all solves so far. Each solve counts it and the clauses before it in the arena, too (arena_count). */
uint64_t sat_work(const struct sat *sat);

/* Sets the time at which solving gives up: a deadline of base.h. */
void sat_deadline(struct sat *sat, double when);

/* After SAT_YES: the value of a literal. */
bool sat_value(struct sat *sat, lit a);

/* Limits the number of clauses (0: no limit); callers check sat_is_full, which is true past the limit. */
void sat_limit_clauses(struct sat *sat, uint64_t clauses);
bool sat_is_full(const struct sat *sat);

uint64_t sat_variables(const struct sat *sat);
uint64_t sat_clauses(const struct sat *sat);
uint64_t sat_solves(const struct sat *sat);

/* "cadical-1.5.3": static storage. */
const char *sat_signature(void);
