/* The search's interface to the solver: the effect of an answer on the result. Private to src/search. */
#pragma once

#include "ask/ask.h"
#include "search/search.h"

/* The least limits of clauses and conflicts for questions in passing; CLAUSES_A_CONFLICT clauses count as one
 * conflict. */
enum { LEAST_CLAUSES = 10000, LEAST_WORK = 300, CLAUSES_A_CONFLICT = 300 };

/* The limits for findings of other kinds, after the first finding. */
enum { MORE_CLAUSES = 300000, MORE_WORK = 10000 };

/* The clauses for each unit of work, where the caller limits it, in addition to MORE_CLAUSES. */
enum { CLAUSES_OF_WORK = 100 };

struct sat_search {
  struct search *q;
  struct ask ask;
  lit filter, condition;
  lit sorted;      /* see solver_decide; 0: not asked for yet */
  bool in_passing; /* undecided clauses of the model are noted (result.open_flags) and do not end the search */
  bool aside;      /* opened by solver_without: a missing answer leaves the result unchanged */
};

/* Asks about the search's program, over this skeleton, and its model. After a finding, the effort is limited to about
 * that of the earlier questions. False, with the result unknown: the formula is refused. Must be closed, which also
 * adds up the statistics. */
bool solver_open(struct sat_search *solver, struct search *search, const struct skeleton *skeleton);
/* The same with a limit on clauses. */
bool solver_open_small(struct sat_search *solver, struct search *search, const struct skeleton *skeleton,
                       uint64_t most_clauses);
void solver_close(struct sat_search *solver);
/* The clauses for one more solver where the caller limits the work; for the verdict alone, of all solvers together. */
uint64_t solver_clauses_of_work(const struct search *search);

/* A solver that can be asked without these axioms (by axiom): `solver` itself, or `other`, which is opened for a model
 * that lacks them and which the caller closes; NULL if that model is refused. */
struct sat_search *solver_without(struct sat_search *solver, const bool *dropped, struct sat_search *other);

/* Decides if the literal holds in some allowed execution. SAT_UNKNOWN: the result is now unknown. */
enum sat_answer solver_allowed(struct sat_search *solver, lit wanted);

/* Decides if both literals hold in some execution that satisfies all axioms except those in `dropped` (ask.h). The goal
 * may only be made of the filter and the condition or its negation: of executions that differ only by a permutation of
 * interchangeable threads, the search covers one (ask_sort_threads). */
enum sat_answer solver_decide(struct sat_search *solver, lit goal, lit also, const bool *dropped);

/* The consequence of SAT_NO for the result. Kept as a claim when the options ask for it. */
void solver_claim(struct sat_search *solver, const char *what);

/* Reads the execution back, which checks it again. False, with the result unknown: its values depend on themselves,
 * which cannot be evaluated. */
bool solver_recheck(struct sat_search *solver);

/* Limits in conflicts: for all of several questions at once, and for each alone if that is too hard. */
enum { EFFORT_FEW = 100, EFFORT_EACH = 1000 };

/* faults.c: searches for undefined behaviour. True if the result is settled (undefined, or unknown).
 * search_hazards_are_hard: true if a little effort does not show that there is none. */
bool search_hazards(struct sat_search *solver);
bool search_hazards_are_hard(struct sat_search *solver);
/* clauses.c: the same for the model's clauses of one role. False if the result is settled. */
bool search_clauses(struct sat_search *solver, enum cat_role role);
/* sat_engine.c: asks about the flags, within limits. */
void search_flags(struct sat_search *solver, uint64_t clauses, uint64_t work);
/* clauses.c: looks for an execution with the pairs that bounds call sure and without a fault, with which nothing else
 * would count; asks if the expected clause is raised, with little effort. */
void search_sure_first(struct sat_search *solver);
void search_expected_first(struct sat_search *solver);

/* executions.c: counts the executions, and lists the outcomes. */
void search_executions(struct sat_search *solver);
/* outcomes.c: lists the outcomes. search_is_full: true, with the result unknown, if there are more than allowed. */
void search_outcomes(struct sat_search *solver);
bool search_is_full(struct search *search, uint64_t found, const char *what);

/* dependence.c: notes in the result if only a dependency (P10) forbids the predicate. */
void search_dependence(struct sat_search *solver);
