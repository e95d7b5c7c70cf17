/* The result of one test under one model: plain data, ready to be printed.
 *
 * Source: docs/semantics.md O1-O7. Storage belongs to the arena of the run.
 */
#pragma once

#include "cat/model.h"
#include "result/outcomes.h"

/* True if the condition's predicate P is reachable. */
enum verdict {
  VERDICT_ALLOWED,   /* some allowed execution that passes the filter satisfies P */
  VERDICT_FORBIDDEN, /* none does */
  VERDICT_UNDEFINED, /* the program has undefined behaviour, so the model promises nothing; see reason, place */
  VERDICT_UNKNOWN,   /* a limit, or a construct that is not modelled; see reason, place */
  VERDICT_SAFE,      /* of a test that asks for that (K4): nothing of enum safety_kind can happen */
  VERDICT_UNSAFE,    /* result.findings can */
};

/* OBSERVATION_NONE: undefined or unknown, or no execution passes the filter at all. Where no execution ends, it is
 * Never. */
enum observation { OBSERVATION_NONE, OBSERVATION_NEVER, OBSERVATION_SOMETIMES, OBSERVATION_ALWAYS };

/* A flag or undefined_unless clause of the model that some allowed execution triggers. */
struct raised {
  const char *name;
  enum cat_role role;
  /* Pairs of instructions concerned, each pair once, in text order; for an axiom that is not `empty` there are none.
   * (thread, instruction) indices into the program; thread == NO_THREAD is an initial write. */
  struct raised_pair {
    uint32_t thread_a, instr_a, thread_b, instr_b;
  } * pairs;
  uint32_t pair_count, pair_room;
};

enum waiting_kind {
  WAITING_AT_BARRIER, /* its phase never completes */
  WAITING_SPINS,      /* repeats a loop without effect */
  WAITING_REPEATS,    /* goes round a loop, with writes, that leaves all as it was */
  WAITING_HALTED,     /* the scheduler leaves it alone, as options.progress allows */
};

/* A way in which a test is not safe (docs/semantics.md K4). */
enum safety_kind { SAFETY_UNDEFINED, SAFETY_HANG, SAFETY_TRAP, SAFETY_RACE, SAFETY_UNINITIALISED, SAFETY_UNWAITED };

/* The first of its kind. The places are (thread, instruction) indices into the program; NO_THREAD: there is none. */
struct safety_finding {
  enum safety_kind kind;
  const char *clause; /* of the model, or the id of the reason */
  const char *text;   /* more than the kind says, or NULL */
  uint32_t thread_a, instr_a, thread_b, instr_b;
  struct span place; /* where no instruction is known */
  const struct reason *reason; /* of undefined behaviour and traps by a rule that is no clause; else NULL */
};

/* A thread that never ends, and the instruction that it does not get past. */
struct waiting {
  uint32_t thread, instr; /* indices into the program */
  enum waiting_kind kind;
  const char *state; /* of the mbarrier object waited for: "pending 1, 16 bytes to come, parity 0"; else NULL */
};

/* An execution in which some thread never ends: who waits, and the values that the observables have then. */
struct hang {
  bool found;
  VEC(struct waiting) waiting;
  const value_t *values; /* one for each observed observable */
};

enum termination {
  TERMINATION_NOT_ASKED,
  TERMINATION_ALWAYS,   /* every fair execution ends */
  TERMINATION_MAY_HANG, /* some fair execution does not: result.hang */
  TERMINATION_UNKNOWN,  /* a limit; reason and place say which */
};

/* The assumptions of the verdict besides the document. */
enum assumption_id {
#define ASSUMES(id, name, gap, text) ASSUMES_##id,
#include "result/assumes.def"
#undef ASSUMES
};

struct assumption {
  enum assumption_id id;
  const char *detail; /* where in this test; or NULL */
};

struct stats {
  uint32_t events;
  uint64_t variables, clauses, solves; /* of the SAT engine */
  uint64_t witnesses;                  /* executions of it that were evaluated again */
  uint64_t candidates;                 /* executions that the brute-force engine looked at */
  double ms;                           /* wall clock */
};

/* A part of the result that rests on clauses without a solution. */
struct claim {
  const char *what;   /* "no other outcome" */
  const char *dimacs; /* the clauses as the solver had them, with its assumptions as unit clauses */
  size_t size;        /* of that text, in bytes */
};

struct result {
  const struct program *program;
  const struct model *model;
  enum verdict verdict;
  enum observation observation;
  bool holds;         /* the quantified condition holds: the test is Ok. False when undefined or unknown */
  bool vacuous;       /* P is unreachable even with every axiom of the model dropped */
  bool vacuous_known; /* false where that could not be decided (brute force, values that depend on themselves) */
  bool filter_empty;  /* a filter was given and no allowed execution passes it */

  bool complete; /* outcomes, positive and negative are all there are (within the bound, where bounded); false in
                    verdict-only runs and at limits */
  struct outcomes outcomes;    /* those that pass the filter, sorted by their values */
  uint64_t positive, negative; /* outcomes (executions with count_executions, O7) that satisfy P, and that do not */

  VEC(struct assumption) assumes;
  VEC(struct safety_finding) findings; /* VERDICT_UNSAFE: one of each kind that was found */
  VEC(struct raised) raised;
  VEC(struct raised) open_flags; /* with options.in_passing: flags that would take too long to decide, with their open
                                    pairs */
  const char *flags_reason;      /* with options.in_passing: why none could be looked for, or NULL */
  struct hang deadlock; /* some execution has threads that wait at barriers for ever, all others having ended (B3) */
  bool bounded;         /* some execution needs more iterations than were unrolled; bound_place is the branch back */
  struct span bound_place;
  bool bound_settled;  /* bounded, but more iterations change neither verdict nor observation, nor the outcomes, where
                          these are complete */
  uint32_t bound;      /* iterations looked at */
  uint32_t spin_loops; /* branches back that were found to have no effect: one iteration is enough for them */
  enum termination termination;
  const char *progress;        /* the scheduler that termination assumes: "fair", "hsa", "obe", "lobe" */
  struct hang hang;            /* TERMINATION_MAY_HANG */
  const struct reason *reason; /* why undefined or unknown; else NULL */
  struct span place;           /* where, when there is a place */
  struct stats stats;
  VEC(struct claim) claims; /* with options.certify: the formulas without a solution, in the order of asking */
};

/* The difference between two results for one program and model: "the outcomes", "the verdict"; or NULL. Where one of
 * them listed no outcomes, or left vacuity open, that is not compared. */
const char *result_difference(const struct result *a, const struct result *b);

/* Of a row of assumes.def. */
const char *assumption_name(enum assumption_id id);
const char *assumption_gap(enum assumption_id id);
/* Adds the whole text: "multimem replicas are ...". */
void assumption_print(const struct assumption *assumption, struct text *out);

const char *termination_name(enum termination termination); /* "always" ...; NULL where it was not asked */
const char *verdict_name(enum verdict verdict);             /* "allowed" ... */
const char *observation_name(enum observation observation); /* "Never" ...; "None" */
const char *quantifier_name(enum quantifier quantifier);    /* "exists", "~exists", "forall", "safe" */
const char *safety_name(enum safety_kind kind);             /* "undefined", "hang", "trap", "race" ... */

/* Adds "0:r0=0; x=1;": a value for each observed observable, with `end` behind each and `between` between two; `told`:
 * with the words of value_tell about them. */
void state_print(const struct program *program, const value_t *values, const char *between, const char *end, bool told,
                 struct text *out);

/* A condition, and that this observable compares so with a value. */
const struct cond *cond_and(struct arena *arena, const struct cond *cond, uint32_t observable,
                            enum compare compare, value_t value);

/* True if P holds where the observables have these values (one for each of program.observables that P names). */
bool cond_holds(const struct program *program, const struct cond *cond, const value_t *values);

/* True if an outcome was found that satisfies the predicate or, with `satisfying` false, does not. */
bool result_has(const struct result *result, bool satisfying);
