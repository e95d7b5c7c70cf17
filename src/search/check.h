/* Checks a program: finds the outcomes that a model allows.
 *
 * `check` never fails: a limit or something unmodelled gives VERDICT_UNKNOWN with the reason. Every execution that the
 * SAT engine finds is evaluated again by rel/eval before it counts; a mismatch is a BUG.
 */
#pragma once

#include "loops/loops.h"

enum engine { ENGINE_SAT, ENGINE_ENUMERATE };

/* How the program of a kernel test is read again: with so many iterations written out, of so many blocks, the first and
 * the last ones, only up to its first conflict (kernel/prefix.c), or with the question `in-turns`. 0: as before. */
struct again {
  uint32_t unroll, blocks;
  bool prefix, turns;
};

struct check_options {
  enum engine engine;
  struct shape shape;
  bool termination;       /* decide if every fair execution ends (result.termination) */
  enum progress progress; /* which threads the scheduler must keep going; for termination */
  bool verdict_only;      /* only two solves, for P and for not-P; no list of outcomes */
  bool count_executions;  /* count executions, not outcomes (O7) */
  bool certify;           /* keep the unsatisfiable formulas that the result rests on (result.claims); SAT only */
  bool races;             /* evaluate the model's flags too (undefined_unless clauses are always evaluated) */
  bool any_finding;       /* of a `safe` test: stop at the first finding, for the verdict alone. SAT only */
  bool only_safe;         /* with any_finding: if the test is not safe, it does not matter why: pairs that are wrong in
                           * every execution that ends need no witness */
  const char *expected;   /* with any_finding: the clause with whose pairs the search begins; or NULL */
  bool sequence;          /* of a `safe` test: also decide if it is sequential (K18); `in-turns` asks it anyway */
  bool known_safe;        /* of an `in-turns` test: another check found that it is safe */
  bool advice;            /* of a `safe` test with `races`: also flags that are not findings */
  bool in_passing;        /* with `races`: flags are optional, and decided after the verdict at similar cost; the
                           * undecided ones are in result.open_flags. SAT only */
  bool lemmas;            /* prove lemmas about chains of atomics first, not only if a question is hard */
  bool part;              /* of a launch whose other threads may come later: an execution that hangs goes on */
  bool past_bound;        /* search past the bound even if the verdict is known within it */
  double timeout;         /* seconds; 0: none */
  uint64_t work;          /* as sat_budget counts it; of brute force: choices. More gives `unknown`; 0: no limit */
  uint32_t most_events;   /* a program that may have more gives `unknown`; 0: the limit of the tool */
  uint64_t max_outcomes;  /* more than this many outcomes give `unknown`; 0: no limit */
  const struct program *(*again)(void *reader, struct again how); /* NULL: nobody reads the program again */
  void *reader;
  bool starves; /* exhausted memory gives `unknown` too; else it propagates, as from arena_alloc, for callers
                 * that compare several results */
};

/* The limit of the solver's work, in conflicts, for the question whether a safe test is sequential. As a remark beside
 * a verdict it may take about as much work as the verdict did (check_turns_work), so that no answer waits for it; and
 * LEAST_TURNS_WORK, some 0.3 s, since accesses that no verdict needed may be all that it is about. */
enum { TURNS_WORK = 30000, LEAST_TURNS_WORK = 2000, MOST_TURNS_WHOLE = 1500 };
uint64_t check_turns_work(const struct result *result);

/* True if the question whether a safe kernel is sequential is open (K18): accesses are left out that would matter. */
bool search_lacks_turns(const struct result *result);

enum dump { DUMP_EVENTS, DUMP_BOUNDS, DUMP_CNF };

/* Checks one program. Results and scratch live in `arena`. */
void check(struct arena *arena, const struct program *program, const struct model *model,
           const struct check_options *options, struct result *result);

/* Adds an inner stage of a check with this shape as text: the events and their fixed relations, the may/must bounds of
 * each node of the model, or the clauses in DIMACS form with the variables explained in comments. */
void check_dump(struct arena *arena, const struct program *program, const struct model *model,
                const struct shape *shape, enum dump what, struct text *out);

/* The signature of the SAT solver, such as "cadical-1.5.3". Static storage. */
const char *check_solver(void);
