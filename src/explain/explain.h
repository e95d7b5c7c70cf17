/* The explanation of a verdict as data, for reports and drawings.
 *
 * Forbidden: the smallest set of axioms that forbids it, a candidate execution that violates as little as possible, its
 * shortest cycle in predefined relations, the rules that derive the cycle, and the role of each instruction in them.
 * Allowed: an execution. Either an interleaving of the threads that gives it; or a cycle of program order and
 * communication that sequential consistency would forbid, with the steps that the model does not order, and the
 * conditions that they fail. Undefined: the rule that is broken, the instructions concerned, an execution that breaks
 * it, and changes that would make the program defined. Unsafe: each finding with its places, the missing order, a
 * remedy and an execution. Unknown: the feature that is not modelled or the limit that was reached, the instructions
 * concerned, and advice. For each verdict: the gaps of the document that it rests on.
 *
 * Everything lives in the arena given. Texts are lower case without a full stop. */
#pragma once

#include "litmus/litmus.h"
#include "search/check.h"

enum explain_kind {
  EXPLAIN_FORBIDDEN,
  EXPLAIN_ALLOWED,
  EXPLAIN_UNREACHABLE, /* no execution, even with every axiom dropped */
  EXPLAIN_UNDEFINED,
  EXPLAIN_UNKNOWN,
  EXPLAIN_SAFE, /* nothing to explain, or a cycle as for EXPLAIN_WEAK */
  EXPLAIN_UNSAFE,
  EXPLAIN_SEQUENTIAL, /* nothing to explain */
  EXPLAIN_WEAK,
};

/* One event of an explanation, in the reader's terms; in a history, one instruction. */
struct explain_event {
  uint32_t event;         /* NO_EVENT if only the instruction counts */
  uint32_t thread, instr; /* into the program; thread == NO_THREAD: an initial write */
  const char *what;       /* the effect: "writes data=1", "reads flag=1 from P0 line 11"; "" for none */
};

/* A step from events[from] to events[to], indices into the list of events. */
struct explain_step {
  const char *relation; /* "po" */
  const char *section;  /* "8.9.1", or "" */
  const char *text;     /* "program order" */
  const char *because;  /* more about these two events, or NULL */
  uint32_t from, to;
};

/* A derived pair that holds, with indices as in a step. from == to: a property of one event. */
struct explain_rule {
  const char *name, *section, *text, *because;
  uint32_t from, to;
};

struct explain_role {
  uint32_t thread, instr;
  const char *text;
};

/* A step of the path that the model does not order. */
struct explain_missing {
  uint32_t from, to;
  const char *text;
  const char *cure; /* the cure, or NULL */
};

struct explain_axiom {
  const char *name, *section, *title; /* title: the section's; "" when unknown */
  const char *says;                   /* the comment above the axiom in the model, or NULL */
  bool dropped;                       /* the candidate violates it */
};

struct explain_gap {
  unsigned number;
  const char *section, *question, *decision;
};

/* A whole execution, line by line. */
struct explain_history {
  VEC(struct explain_event) lines;
  uint32_t more;    /* the number of lines omitted at the end */
  VEC(uint32_t) sources; /* the threads whose writes the lines name */
  bool interleaved; /* in the order of an interleaving; false: thread by thread, because there is none */
  VEC(const char *) orders; /* the orders of writes and of fence.sc that the lines do not show */
  const char *state;        /* its final state: "0:r0=0; x=1;"; "" if it does not end, or nothing is observed */
};

/* The rule that leaves a program undefined. */
struct explain_clause {
  const char *section, *title, *says;
};

/* A finding of a test that is not safe. */
struct safety_story {
  const struct safety_finding *finding;
  const struct race *race;      /* of two instructions; else NULL */
  const struct hang *hang;      /* the threads that wait; else NULL */
  struct explain_clause clause; /* says == NULL: a clause without a row in cat/clauses.def */
  const char *missing, *cure;   /* or NULL */
  const struct explain_history *history; /* an execution; NULL: none */
};

struct explanation {
  enum explain_kind kind;
  const struct result *result;
  const char *claim;      /* the state explained: "0:r0=0 /\ 1:r1=0"; for forall the negation of its predicate */
  const char *seen;       /* the runs of GPUs that showed it; NULL: unknown. Set by the caller of explain */
  const char *incomplete; /* the reason for an omission (too large, out of time), or NULL */

  VEC(struct explain_axiom) axioms; /* forbidden: a set that forbids it, named in the order of the model */
  bool minimum, minimal; /* no set is smaller; each member is needed. False also if the search ran out of effort */
  const char *violated;             /* the axiom whose violation is explained */
  VEC(struct explain_event) events; /* of the cycle; or all events of the interleaving, in order */
  VEC(struct explain_step) steps;   /* the cycle, in order; each begins at the end of the step before */
  const char *closing;              /* if the steps are not a cycle: the condition that fails at their end */
  VEC(struct explain_rule) rules;   /* inner ones first */
  VEC(struct explain_role) roles;   /* in text order */
  VEC(struct explain_missing) missing;
  bool interleaved;                      /* allowed: events is an interleaving */
  const struct explain_history *history; /* of `execution` or of one that is undefined or reaches a limit; NULL: none */
  struct explain_clause clause;          /* undefined; says == NULL: a clause without a row in cat/clauses.def */
  const char *meaning;                   /* unknown: the meaning of the reason, or NULL */
  VEC(struct safety_story) stories; /* unsafe */
  VEC(struct explain_gap) gaps;
  bool skips_gaps; /* gaps that only checks under other readings show are missing */
  const char *advice; /* undefined, unknown, unreachable: the advice, or NULL */

  const struct execution *execution; /* the candidate or witness; NULL: none */
  const value_t *finals;             /* the final values of the observables in it; NULL: unknown */
  bool completed;                    /* its writes are ordered further than by the model */
};

/* The question of a test: its condition without quantifier and outer parentheses; for forall its negation. */
const char *explain_claim(struct arena *arena, const struct program *program);

/* Explains a test under a model. `result` receives the result of check. Uses only the options that decide which
 * executions exist, and `timeout`, which limits the whole call; it ends about half a second later at the latest, and
 * parts omitted then are `incomplete`. */
void explain(struct arena *arena, const struct program *program, const struct model *model,
             const struct check_options *options, struct result *result, struct explanation *out);

/* The test's condition replaced by a stated outcome such as "0:r0=0; 1:r1=0" or "0:r0=0 /\ x=1". NULL: the outcome is
 * invalid; diags then has the message, with a place in the outcome's text, the source `<state>`. */
const struct litmus_test *explain_state(struct arena *arena, struct intern *names, struct diags *diags,
                                        const struct litmus_test *test, const char *outcome);

/* Fills in `gaps` by checking the program under other readings of the model (gaps.c). For a program with loops, whose
 * checks can take seconds, it finds only the gaps on which the broken rule rests. */
void explain_gaps(struct arena *arena, const struct check_options *options, double deadline, struct explanation *out);

/* ---- cure.c: the cures that are known without a search */
/* Advice to the author of the test about a reason, and about a finding; NULL: only a search tells. */
const char *cure_of_reason(const struct program *program, const struct reason *reason);
const char *cure_known(struct arena *arena, const struct program *program, const struct safety_finding *finding);

/* Advice that orders two accesses of different threads: by a flag that is there, or by a barrier or a new flag. */
const char *cure_order(struct arena *arena, const struct program *program, const struct raised_pair *pair);

/* True if two threads of a kernel race at one store, in the same iteration: nothing comes between. */
bool cure_is_one_store(const struct program *program, const struct safety_finding *finding);

/* Advice about two accesses through different proxies; NULL: neither is generic. */
const char *cure_proxies(struct arena *arena, const struct program *program, enum proxy a, enum proxy b,
                         bool one_thread);

/* ---- compare.c: one test under several models: the outcomes of each, and why the weakest allows one that the
 * strongest forbids */
struct compare_row {
  const value_t *values; /* of the observed observables */
  bool satisfies;        /* the condition's predicate holds */
  bool *allowed;         /* by model */
};

/* An outcome that distinguishes two models, explained under both. */
struct compare_why {
  const char *state; /* "0:r0=0; 1:r1=0;" */
  struct explanation forbidden, allowed;
};

struct comparison {
  const struct program *program;
  uint32_t model_count;
  struct result *results;       /* by model */
  VEC(struct compare_row) rows; /* sorted by values */
  uint32_t weakest, strongest;  /* models: most and fewest outcomes; equal when no two differ */
  VEC(struct compare_why) whys; /* at most COMPARE_WHYS; outcomes that satisfy the condition first */
  uint32_t apart;               /* outcomes that the weakest allows and the strongest forbids */
};

enum { COMPARE_WHYS = 1 };

void compare_models(struct arena *arena, const struct program *program, const struct model *const *models,
                    uint32_t count, const struct check_options *options, struct comparison *out);
