/* The result of one test under one model: plain data, ready to be printed.
 *
 * Source: docs/semantics.md O1-O7. Storage belongs to the arena of the run.
 */
#pragma once

#include "exec/sequence.h"
#include "result/outcomes.h"

/* The verdict on the condition's predicate P. */
enum verdict {
  VERDICT_ALLOWED,   /* some allowed execution that passes the filter satisfies P */
  VERDICT_FORBIDDEN, /* none does */
  VERDICT_UNDEFINED, /* the program has undefined behaviour, so the model promises nothing; see reason, place */
  VERDICT_UNKNOWN,   /* a limit, or a construct that is not modelled; see reason, place */
  VERDICT_SAFE,      /* of a `safe` test (K4): no finding of enum safety_kind is possible */
  VERDICT_UNSAFE,    /* of a `safe` test: the findings in result.findings are possible */
  VERDICT_SEQUENTIAL, /* of an `in-turns` test (K18): each allowed execution is like an interleaving of its threads */
  VERDICT_WEAK,       /* of an `in-turns` test: in some, result.cycle */
};

/* OBSERVATION_NONE: undefined or unknown, or no execution passes the filter. If no execution ends, it is Never. */
enum observation { OBSERVATION_NONE, OBSERVATION_NEVER, OBSERVATION_SOMETIMES, OBSERVATION_ALWAYS };

enum { NO_PHYS = UINT32_MAX };

/* A flag or undefined_unless clause of the model that some allowed execution triggers. */
struct raised {
  const char *name;
  enum cat_role role;
  /* The pairs of instructions, each once, in text order; an axiom that is not `empty` has none. (thread, instruction)
   * indices into the program; thread == NO_THREAD is an initial write. */
  struct raised_pair {
    uint32_t thread_a, instr_a, thread_b, instr_b;
    struct raised_access {
      enum proxy proxy;
      bool writes, reads, spawned, strong; /* neither reads nor writes: no access to memory */
      uint32_t phys;                       /* NO_PHYS: it may be at several places */
    } a, b;
  } * pairs;
  uint32_t pair_count, pair_room;
};

enum waiting_kind {
  WAITING_AT_BARRIER, /* waits at a barrier whose phase never completes */
  WAITING_SPINS,      /* repeats a loop without effect */
  WAITING_REPEATS,    /* repeats a loop with writes that restores the state */
  WAITING_HALTED,     /* the scheduler does not run it, as options.progress allows */
};

/* The reasons why a test is not safe (docs/semantics.md K4). */
enum safety_kind { SAFETY_UNDEFINED, SAFETY_HANG, SAFETY_TRAP, SAFETY_RACE, SAFETY_UNINITIALISED, SAFETY_UNWAITED };

/* Of a clause about pairs: all pairs at the same two places of the source, and the most direct of them. The places are
 * (thread, instruction) indices into the program; NO_THREAD: none. */
struct safety_finding {
  enum safety_kind kind;
  uint32_t pairs;            /* 0: the finding is not about pairs */
  struct raised_access a, b; /* pairs > 0 */
  uint32_t far_a, far_b;     /* pairs > 0: the threads of the pair that is the furthest apart; a cure is for it too */
  const char *clause; /* the model's clause, or the id of the reason */
  const char *text;   /* details, or NULL */
  uint32_t thread_a, instr_a, thread_b, instr_b;
  struct span place;           /* the place if no instruction is known */
  const struct reason *reason; /* for undefined behaviour and traps that are not by a clause of the model; else NULL */
};

/* A thread that never ends, and the instruction that it does not pass. */
struct waiting {
  uint32_t thread, instr; /* indices into the program */
  enum waiting_kind kind;
  bool at_object;    /* it waits for an mbarrier object, or for columns of tensor memory */
  const char *state; /* what is missing: "b is in phase 0, 1 of 1 arrivals pending, ...", "missing: P1"; or NULL */
  uint32_t for_whom; /* one that waits too and does not do what this one waits for; NO_THREAD: none */
};

/* An execution in which some thread never ends: the waiting threads, and the values of the observables. */
struct hang {
  bool found;
  uint32_t causes; /* the first ones do not wait because others of them do; 0: all wait in a circle */
  VEC(struct waiting) waiting;
  const value_t *values; /* one for each observed observable */
};

enum termination {
  TERMINATION_NOT_ASKED,
  TERMINATION_ALWAYS,   /* every fair execution ends */
  TERMINATION_MAY_HANG, /* some fair execution does not end: result.hang */
  TERMINATION_UNKNOWN,  /* a limit; reason and place describe it */
};

/* The answer to K18. */
enum sequential { SEQUENTIAL_UNKNOWN, SEQUENTIAL_YES, SEQUENTIAL_NO };

/* The assumptions of the verdict in addition to the document. */
enum assumption_id {
#define ASSUMES(id, name, gap, text) ASSUMES_##id,
#include "result/assumes.def"
#undef ASSUMES
};

struct assumption {
  enum assumption_id id;
  const char *detail; /* the places in this test; or NULL */
};

struct stats {
  uint32_t events;
  uint64_t variables, clauses, solves; /* of the SAT engine */
  uint64_t witnesses;                  /* executions from the SAT engine that were evaluated again */
  uint64_t candidates;                 /* executions that brute force tried */
  uint64_t work;                       /* as arena_count counts it: clauses and conflicts */
  double ms;                           /* wall clock */
};

/* The solver's own part of the work. */
uint64_t stats_conflicts(const struct stats *stats);

/* A part of the result that depends on the unsatisfiability of clauses. */
struct claim {
  const char *what;   /* "no other outcome" */
  const char *dimacs; /* the solver's clauses, with its assumptions as unit clauses */
  size_t size;        /* of that text, in bytes */
};

struct result {
  const struct program *program;
  const struct model *model;
  enum verdict verdict;
  enum observation observation;
  bool holds;         /* the quantified condition holds: the test is Ok. False when undefined or unknown */
  bool vacuous;       /* P is unreachable even with every axiom of the model dropped */
  bool vacuous_known; /* false if that could not be decided (brute force, values that depend on themselves) */
  bool filter_empty;  /* a filter was given and no allowed execution passes it */

  bool complete; /* outcomes, positive and negative are exhaustive (within the bound, if bounded); false in verdict-only
                    runs and at limits */
  struct outcomes outcomes;    /* the outcomes that pass the filter, sorted by their values */
  uint64_t positive, negative; /* outcomes (executions with count_executions, O7) that satisfy P, and that do not */

  VEC(struct assumption) assumes;
  VEC(struct safety_finding) findings; /* VERDICT_UNSAFE: grouped by the lines of the source, the most direct first */
  VEC(struct raised) raised;
  VEC(struct raised) open_flags; /* with options.in_passing: undecided flags, with their open pairs */
  const char *flags_reason;      /* with options.in_passing: why flags could not be decided, or NULL */
  enum sequential sequential;   /* of a test that asks for safety and is safe */
  const struct reason *sequential_reason; /* why it is unknown; NULL: it is known, or was not asked */
  bool sequential_asked;
  const struct program *turns_program; /* of `cycle`, if it is another one than `program`; or NULL */
  struct sequence_places cycle; /* SEQUENTIAL_NO: accesses of one execution that no interleaving has */
  struct hang deadlock; /* some execution has threads that wait at barriers for ever, all others having ended (B3) */
  bool bounded;         /* some execution needs more iterations than were unrolled; bound_place is the branch back */
  struct span bound_place;
  bool bound_settled;  /* bounded, but more iterations change neither verdict nor observation, nor complete outcomes */
  uint32_t bound;      /* the number of unrolled iterations */
  uint32_t spin_loops; /* backward branches of loops without effect, for which one iteration suffices */
  enum termination termination;
  const char *progress;        /* the scheduler that termination assumes: "fair", "hsa", "obe", "lobe" */
  struct hang hang;            /* TERMINATION_MAY_HANG */
  const struct reason *reason; /* why undefined or unknown; else NULL */
  struct span place;           /* the place of the reason, if it has one */
  struct stats stats;
  VEC(struct claim) claims; /* with options.certify: the formulas without a solution, in the order of asking */
};

/* The difference between two results for one program and model: "the outcomes", "the verdict"; or NULL. Does not
 * compare outcomes or vacuity that one of the results lacks. */
const char *result_difference(const struct result *a, const struct result *b);

/* The name in the row of assumes.def. */
const char *assumption_name(enum assumption_id id);
const char *assumption_gap(enum assumption_id id);
/* Adds the whole text: "multimem replicas are ...". */
void assumption_print(const struct assumption *assumption, struct text *out);

const char *termination_name(enum termination termination); /* "always" ...; NULL: not requested */
const char *verdict_name(enum verdict verdict);             /* "allowed" ... */
const char *observation_name(enum observation observation); /* "Never" ...; "None" */
const char *quantifier_name(enum litmus_quantifier quantifier); /* "exists", "~exists", "forall", "safe", "in-turns" */
const char *safety_name(enum safety_kind kind);             /* "undefined", "hang", "trap", "race" ... */

/* Adds "0:r0=0; x=1;": a value for each observed observable, with `end` after each and `between` between two; `told`:
 * with descriptions by value_tell. */
void state_print(const struct program *program, const value_t *values, const char *between, const char *end, bool told,
                 struct text *out);

/* The conjunction of `cond` and a comparison of this observable with a value. */
const struct cond *cond_and(struct arena *arena, const struct cond *cond, uint32_t observable,
                            enum compare compare, value_t value);

/* True if P holds if the observables have these values (one per observable of the program that P names). */
bool cond_holds(const struct program *program, const struct cond *cond, const value_t *values);

/* True if an outcome was found that satisfies the predicate or, with `satisfying` false, does not. */
bool result_has(const struct result *result, bool satisfying);
static inline bool result_any(const struct result *r) { return result_has(r, true) || result_has(r, false); }

/* Counts an outcome or an execution that was found. */
static inline void result_count(struct result *result, bool satisfies) {
  *(satisfies ? &result->positive : &result->negative) += 1;
}

/* ---- raised.c: the pairs of instructions that a clause of the model raised */

/* Adds pairs of events. The elements of a vector and the halves of an atomic are one instruction; each pair is kept
 * once, the smaller thread first. `origins`, by thread, gives the instruction of the program for each of the skeleton's
 * own; NULL if the two are the same. */
void raised_add(struct arena *arena, struct raised *raised, const struct skeleton *skeleton, struct bitmat pairs,
                const uint32_t *const *origins);

/* Adds the pairs of another record of the same clause. */
void raised_join(struct arena *arena, struct raised *raised, const struct raised *more);

/* -1, 0 or 1: the order of two pairs in the text. */
int raised_order(const void *a, const void *b);

/* Puts the pairs into the order of the text. */
void raised_sort(struct raised *raised);

/* ---- groups.c: the pairs of a clause as findings: those at the same two places of the source are one */
/* Adds a finding for each two places to the result, the most direct first: the two accesses in iterations that are
 * close together, then those of which a thread makes one itself, then those that are close in the text. */
void groups_add(struct arena *arena, struct result *result, const struct raised *raised, enum safety_kind kind);

/* The level of the narrowest group of threads that contains both: 0 a warp, a block, a cluster, a GPU, or none. */
uint32_t groups_far(const struct program *program, uint32_t a, uint32_t b);

/* True if a finding of a result is at the same lines as one of another result, of a run of the same text; if one is not
 * about pairs, at one of its lines. */
bool groups_same_finding(const struct result *a, const struct safety_finding *x, const struct result *b,
                         const struct safety_finding *y);
