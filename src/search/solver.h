/* One SAT solver with a test and a model encoded, and its witnesses checked again. Private to src/search. */
#ifndef PTXLIT_SOLVER_H
#define PTXLIT_SOLVER_H

#include "encode/encode.h"
#include "rel/eval.h"
#include "sat/sat.h"
#include "search/search.h"

struct sat_search {
  struct search *q;
  const struct skeleton *skeleton;
  struct encoder encoder;
  struct sat *sat;
  struct slots slots;
  struct execution *witness;
  struct eval *eval;
  uint32_t *last;  /* by chunk: the write it ends with */
  value_t *values; /* final values of the witness */
  lit filter, condition;
  VEC(lit) observed; /* the final bits that are not constant */
};

/* Encodes the search's program, over this skeleton, and its model. False when that is refused: the result is unknown
 * then. Must be closed, which also adds up the statistics. */
bool solver_open(struct sat_search *solver, struct search *search, const struct skeleton *skeleton);
void solver_close(struct sat_search *solver);

/* Is an allowed execution possible in which the literal holds? Not known once the encoder has refused something. */
enum sat_answer solver_allowed(struct sat_search *solver, lit wanted);

/* After an answer of SAT_NO: what that says of the result. Kept as a claim when the options ask for it. */
void solver_claim(struct sat_search *solver, const char *what);

/* Reads the witness back and evaluates it again from its choices alone: a mismatch is a BUG. False (and the result is
 * unknown) when its values depend on themselves, which cannot be evaluated. */
bool solver_recheck(struct sat_search *solver);

/* Turns the result into unknown because of the time limit. */
void solver_out_of_time(struct sat_search *solver);

/* sat_engine.c: looks for undefined behaviour. True when the result is settled (undefined, or unknown). */
bool search_hazards(struct sat_search *solver);
/* The same for the clauses of the model of one role. False when the result is settled. */
bool search_clauses(struct sat_search *solver, enum cat_role role);

#endif
