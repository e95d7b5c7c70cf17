/* Declarations that the two engines share, private to src/search. */
#pragma once

#include "oracle/oracle.h"
#include "search/check.h"

/* Limits for iterations past the bound. */
enum { MOST_UNROLLED = 16, DEEPER_EVENTS = 256, DEEPER_CLAUSES = 200000, DEEPER_WORK = 10000 };

/* The state that the rounds of one check share. */
struct deeper {
  bool now;            /* not the first */
  bool no_machines[2]; /* by machines_build's `with_observed`: machines were given up, and would be again */
};

struct search {
  struct arena *arena;
  struct arena *kept; /* of a `safe` test: stores findings, which outlive a limit of memory; else equal to `arena` */
  const struct program *program;
  const struct model *model;
  const struct check_options *options;
  struct skeleton *skeleton;
  struct result *result;
  struct deeper *deeper; /* rounds past the bound, which give up early */
  /* safety.c: the pairs that `sure_clause` raises in every execution that ends, as bounds alone show; NULL: none.
   * sure_stands: they need no witness. */
  struct raised *sure;
  uint32_t sure_clause;
  bool fault_is_sure; /* the only finding is a fault that every execution has */
  bool sure_stands, settled_for_sure; /* settled: the search stops here, since more would cost too much */
  bool in_prefixes; /* asks about executions that are cut, of which only races and reads of nothing count */
  double deadline; /* of base.h; the arena has it too, unless a jump would lose outcomes (sat_engine.c) */
};

struct graph;

/* The place of a fault: in the text, and as an instruction of the program (thread == NO_THREAD: unknown). */
struct wrong_at {
  struct span span;
  uint32_t thread, instr;
};

static inline bool search_does(const struct search *search, enum technique technique) {
  return technique_on(search->options->shape.without, technique);
}

/* Engines. Each fills in the result of a modelled program: outcomes (those that pass the filter), positive, negative,
 * complete, vacuous, raised; or makes it undefined or unknown. */
void search_sat(struct search *search);       /* sat_engine.c */
void search_enumerate(struct search *search); /* enumerate.c */

/* enumerate.c: makes the result undefined or unknown for a fault that brute force found. True if there was one. */
bool search_oracle_fault(struct search *search, const struct oracle *oracle);

/* enumerate.c: the clauses of a role that brute force saw raised, up to the first that makes the result undefined. */
void search_raise_by_oracle(struct search *search, const struct oracle *oracle, enum cat_role role);

/* ends.c: finds the reasons why threads do not end: the bound (then `never` and `always` become unknown), barriers that
 * never complete, and with options.termination also spinning. With the engine of the options. */
void search_endings(struct search *search);

/* safety.c: withdraws the findings of a test with values that are not modelled, which may be those of no real execution
 * (exec/free.c), but for pairs that every execution raises, and a fault that all
 * have. */
void search_doubt(struct search *search);

/* further.c: true if executions with iterations past the bound have no other outcomes, or none that changes the
 * observation: then result.complete becomes false. False if neither is known. */
bool search_further(struct search *search);

/* further.c: the test as a question about any number of iterations; NULL if the options ask for more than answers. */
const struct looping *search_looping(struct search *search);

/* safety.c, search_ask_safety: sets the options for a `safe` test (K4). search_judge_safety: makes the verdict and the
 * findings. search_is_finding: true if a flag of this name is a finding, not advice. */
void search_ask_safety(struct check_options *options);
/* safety.c, search_look_ahead: fills in `sure` and gives the sources of reads that are known ahead, or NULL.
 * search_find_sure: fills in only `sure`. */
const struct sure_sources *search_look_ahead(struct search *search);
void search_find_sure(struct search *search, const struct graph *graph);
/* safety.c: raises the pairs of `sure` if nothing else was found and they need no witness. */
void search_settle_for_sure(struct search *search);
void search_judge_safety(struct arena *arena, struct result *result);
bool search_is_finding(const char *flag);
/* safety.c: true for the clauses of a model that name data races. */
bool search_is_race(const char *clause);
/* sequence.c: decides if a safe test is sequential (K18); for `in-turns` also the verdict. After
 * search_judge_safety. */
void search_sequence(struct search *search);
/* check.c: ends a search that jumped out. enumerate.c: makes the result unknown if brute force did not see all. */
void search_end_at_limit(struct search *search, enum arena_end end);
bool search_oracle_stopped(struct search *search, const struct oracle *oracle);
/* True if the search asks about this clause: of the flags of a `safe` test only findings, or all on request. */
bool search_asks(const struct search *search, const struct cat_axiom *axiom, enum cat_role role);

/* check.c: these make the result unknown or undefined. search_out_of_time: also if the work allowed after a finding is
 * spent. */
void search_give_up(struct search *search, const struct reason *reason, struct span place);
void search_out_of_time(struct search *search);
void search_undefined(struct search *search, const struct reason *reason, struct wrong_at at);

/* True if the search goes on after undefined behaviour, to findings of other kinds (K4): safety.c decides which. */
bool search_collects(const struct search *search);
void search_find(struct search *search, const struct reason *reason, struct wrong_at at, struct wrong_at other);
/* safety.c: true if a `safe` test has a finding of this kind. */
bool search_knows(const struct search *search, const struct reason *reason);
/* safety.c: true if the test is unsafe, whatever else the search finds. */
bool search_is_unsafe(const struct search *search);
/* The same, but also by flags: a limit must keep these findings. */
bool search_has_finding(const struct result *result);
/* True if the options ask for no more. */
bool search_is_enough(const struct search *search);
/* Keeps the result, and adds the reason why findings may be missing. */
void search_cut(struct search *search);

/* Makes the result undefined by two incompatible arrivals at a barrier (B5), with both places. */
void search_misuse(struct search *search, const struct reason *reason, struct wrong_at a, struct wrong_at b);

/* Adds the pairs that a clause raised (name and role are filled in). Undefined clauses make the result undefined. */
void search_raise(struct search *search, uint32_t axiom, struct raised raised);

/* hosts.c: adds the assumptions of a verdict about a test with hosts, by `assume`. */
void search_assume_hosts(struct search *q, void (*assume)(struct search *q, enum assumption_id id));
