/* Loads a test and a model into a solver, and then answers questions: is this possible when these axioms are dropped,
 * and in which execution?
 *
 * All questions to the solver go through here: from the search, explanations, pictures and dumps. Of an execution that
 * the solver finds, only the choices are read back. exec/execution and rel/eval, which the encoder does not use, then
 * compute and evaluate the execution again; if they do not allow it, that is a BUG.
 */
#pragma once

#include "encode/encode.h"
#include "rel/eval.h"
#include "result/result.h"

/* The executions asked about. ASK_ENDING: those that end. ASK_SPINNING: the same, but with loop iterations that have no
 * effect, for undefined behaviour and flags. ASK_PRECISE: also those in which threads wait for ever or exceed the
 * bound. ASK_IN_TURNS: those that end, for encoder_out_of_turn. */
enum ask_kind { ASK_ENDING, ASK_SPINNING, ASK_PRECISE, ASK_IN_TURNS };

/* The skeleton may have a refusal, for example because the model does not define the instructions of the test. */
struct skeleton *ask_skeleton(struct arena *arena, const struct program *program, const struct model *model,
                              const struct shape *shape, enum ask_kind kind);

struct ask {
  /* For ask_open. The skeleton may be one with a refusal. */
  struct arena *arena;
  const struct model *model;
  const struct skeleton *skeleton;
  double deadline;       /* of base.h */
  uint64_t most_clauses; /* the limit of clauses, for a refusal; 0: none */
  bool keeps_clauses;    /* for sat_dimacs and sat_refuted */
  bool any_witness;      /* any execution is as good as another: `renames` of sat_new */
  bool keeps_witnesses;  /* a witness stays valid when another one is found */
  bool all_axioms;       /* the caller drops only axioms that ask_may_drop allows: this saves clauses */

  const struct program *program;
  const struct reason *refusal; /* why it could not be opened */
  struct span refusal_place;
  struct slots *slots;
  struct sat *sat;
  struct encoder encoder; /* encoder.refusal: clauses are missing, and nothing more can be known */
  struct eval *eval;      /* evaluates the execution */
  struct bitset maximal;  /* buffer for a set of events */

  /* The execution found. */
  struct execution *execution;
  enum run_status status; /* RUN_CIRCULAR: its values depend on themselves, and are taken from the solver */
  uint32_t *last;         /* indexed by chunk: the write that an observed chunk ends with, or NO_EVENT */
  value_t *finals;        /* of the observed observables */
};

/* An ask that keeps its witnesses, with all fields that ask_open needs. */
struct ask ask_new(struct arena *arena, const struct program *program, const struct model *model,
                   const struct shape *shape, enum ask_kind kind, double deadline);

/* Encodes the test. False when the skeleton or the model is refused, or time ran out: `refusal` then says why.
 * ask_close may be called in either case; without it, the solver is released with the arena. */
bool ask_open(struct ask *ask);
void ask_close(struct ask *ask);

/* ---- Questions ---- */

/* The literals of the test's condition (its predicate, without the quantifier) and of its filter. */
lit ask_condition(struct ask *ask);
lit ask_filter(struct ask *ask);
/* The literal of a predicate, or its negation, together with the filter. */
lit ask_goal(struct ask *ask, const struct cond *predicate, bool negated);

/* Is there an execution in which both literals hold, and all axioms but those in `dropped` (indexed by axiom; NULL:
 * none)? Clauses of the model that are not axioms do not count. */
enum sat_answer ask_solve(struct ask *ask, lit goal, lit also, const bool *dropped);
bool ask_may_drop(const struct ask *ask, const bool *dropped);
/* As ask_solve; after SAT_YES it also reads the execution. */
enum sat_answer ask_find(struct ask *ask, lit goal, lit also, const bool *dropped);

/* A value of `dropped` that drops all axioms. */
const bool *ask_all_axioms(const struct ask *ask);

/* A literal for: the pair is in the relation and both events happen. */
lit ask_pair(struct ask *ask, cat_node relation, uint32_t a, uint32_t b);
/* A literal under which the relation has a pair outside `seen`. */
lit ask_new_pair(struct ask *ask, cat_node relation, struct bitmat seen);
/* `clause` is a flag or an undefined_unless, not an axiom. True if any one pair of its relation is enough to raise
 * it. */
bool ask_raised_by_pairs(const struct model *model, const struct cat_axiom *clause);

/* Proves facts about chains of atomics in all executions (struct lemma), if that takes little work, and gives them to
 * the solver: without them, questions about closures along such chains can be hopeless. Does nothing on a second call,
 * or if clauses are kept, because the kept clauses alone do not imply the lemmas' conclusions. */
void ask_prove_lemmas(struct ask *ask);

/* As encoder_sort_threads; LIT_TRUE if clauses are kept, because they do not imply the symmetry of the threads. */
lit ask_sort_threads(struct ask *ask, bool in_outcomes, const bool *fixed);

/* For precise skeletons: a literal under which some thread ends in one of these ways, a mask of 1 << kind. */
lit ask_some_ending(struct ask *ask, unsigned kinds);
/* For precise skeletons: a literal under which no thread ends in this way. */
lit ask_no_ending(struct ask *ask, enum ending_kind kind);
/* A literal under which these threads wait for ever where they do in `hang`. */
lit ask_hang(struct ask *ask, const struct hang *hang);

/* ---- Faults that make a test undefined, or open ---- */

/* A hazard of the skeleton, or two arrivals that must not be in one phase of a barrier (B5). */
struct fault {
  const struct reason *reason; /* undefined behaviour, or REASON_OPEN */
  struct span place;           /* the place of the instruction, or of the first of two arrivals */
  uint32_t thread, instr;      /* indices of that instruction in the program */
  uint32_t arrivals[2];        /* events, or NO_EVENT */
  bool sure;                   /* every execution has the fault, even one that does not end */
  lit when;
};

/* Undefined behaviour comes first, in the order in which it is reported. */
uint32_t ask_fault_count(const struct ask *ask);
struct fault ask_fault(const struct ask *ask, uint32_t index);
/* After SAT_YES: true if the solution has a fault. */
bool ask_is_faulty(const struct ask *ask);
/* True if the execution read from the solution, with RUN_OK, has a fault. */
bool ask_found_faulty(const struct ask *ask);

/* ---- Executions ---- */

/* After SAT_YES: reads the execution and evaluates it; `dropped` as in the question. RUN_INVALID only if arrivals that
 * must not share a phase do: then the phases need not fit, and nothing is evaluated. */
enum run_status ask_read(struct ask *ask, const bool *dropped);

/* With keeps_witnesses: ask_found gives the execution found; ask_return goes back to an earlier one and evaluates it
 * again. */
struct ask_found {
  struct execution *execution;
  enum run_status status;
  uint32_t *last;
  value_t *finals;
};
struct ask_found ask_found(const struct ask *ask);
void ask_return(struct ask *ask, const struct ask_found *found);

/* Removes coherence pairs from the execution while all axioms that are not dropped hold, because the solver may order
 * writes without need; each remaining pair is needed. Does nothing if there are very many pairs. */
void ask_reduce_order(struct ask *ask, const bool *dropped);

/* After SAT_YES, in the solution: the literals of reads-from and of the order of fence.sc that hold. */
void ask_choice(const struct ask *ask, struct lits *out);
/* Excludes executions with these choices from further answers under the assumption `on`. */
void ask_exclude(struct ask *ask, lit on);
/* Excludes a final state (by observed observable) if `on` is assumed. */
void ask_exclude_state(struct ask *ask, const value_t *values, lit on);
