/* Finds the smallest changes that repair a test, and the instructions of a test that can be weaker.
 *
 * A repaired test forbids its predicate (for forall, its negation); or, if the test was undefined, is defined; or, if
 * the test is about safety, is safe; or, if a launch is safe but not sequential, is sequential too; or, if threads
 * waited at mbarrier objects for ever, ends; or, on request, has no race that the model flags. Every reported change
 * was lowered and checked like any test. A change does not count if it succeeds only because threads wait for ever,
 * because the predicate is unreachable even without axioms, or because the filter passes nothing.
 *
 * Everything lives in the arena given; texts are lower case without a full stop.
 */
#pragma once

#include "kernel/kernel.h"
#include "ptx/lower.h"
#include "search/check.h"

enum fix_change_kind { FIX_REPLACE, FIX_ADD, FIX_MOVE, FIX_DROP, FIX_DECLARE, FIX_KEEP }; /* KEEP: no change */

struct fix_change {
  enum fix_change_kind kind;
  uint32_t thread, instr;     /* FIX_ADD: after this instruction, or FIX_AT_START; FIX_DECLARE: NO_THREAD and the index
                                 of the entry of the init block; else the changed instruction */
  struct span span;           /* FIX_DECLARE: the entry */
  bool ahead;                 /* FIX_ADD: before the instruction */
  uint32_t target;            /* FIX_MOVE: the new place is after this instruction, or FIX_AT_START */
  const char *before, *after; /* the texts; before is NULL for FIX_ADD, after for FIX_DROP */
  const char *remark;         /* another effect of the change, or NULL */
  const char *source;         /* FIX_ADD: the same in the words of the kernel's source, or NULL */
  const struct kernel_places *places; /* with `source`: where the compiled module then has the addition */
};

enum { FIX_AT_START = UINT32_MAX }; /* before the first instruction of the thread */

struct fix_way {
  VEC(struct fix_change) changes;
  bool alike;           /* columns of the same code are changed together, as one change */
  unsigned cost;        /* the increase in strength, for ranking; no unit */
  unsigned size;        /* the number of changes; an added barrier counts once per thread, up to FIX_CHANGES */
  unsigned outcomes;    /* the number of remaining outcomes, for ranking; 0: not counted */
  enum verdict verdict; /* of the changed test */
  bool bad;             /* the outcome in question can still happen: FIX_RACES, FIX_DEFINE */
  bool relaxes;         /* FIX_SAFE: weak accesses become strong ones, which ends races and may order nothing */
};

enum fix_goal { FIX_FORBID, FIX_DEFINE, FIX_RACES, FIX_END, FIX_SAFE, FIX_TURNS };

static inline bool fix_keeps_safe(enum fix_goal goal) { return goal == FIX_SAFE || goal == FIX_TURNS; }

enum fix_outcome {
  FIX_FOUND,
  FIX_NOT_NEEDED, /* the goal is met already; for weaken: it is not met, so there is no verdict to keep */
  FIX_VACUOUS,    /* the outcome is unreachable even without axioms, so no strength matters */
  FIX_NO_RACES,   /* the model does not define races */
  FIX_NONE,       /* even all changes together do not suffice */
  FIX_NOT_FOUND,  /* no set within the limits; `limit` is the limit reached */
  FIX_UNDECIDED,  /* the test is unknown (or undefined, for weaken): `result` has the reason */
};

struct fixes {
  enum fix_goal goal;
  enum fix_outcome outcome;
  bool weaken;
  const struct result *result; /* the result of the unchanged test */
  const char *claim;           /* the claim to be forbidden */
  const char *filter;          /* "1:r0=1": the filter of the test; or NULL */
  uint32_t races;              /* racing pairs in the unchanged test; counted for weaken and FIX_RACES */
  VEC(struct fix_way)
  ways;                /* bad fixes last; none that relaxes beside others; `alike` fixes first; smallest first;
                          weakest first within a size */
  bool only_minimal;   /* one fix, found by removal from all changes; others may have fewer changes */
  bool smaller;        /* the untried sets have fewer changes than the sets found */
  struct fix_way step; /* of a launch without a repair: the changes that end the first finding; none: none do */
  const char *remains; /* the finding that is left then */
  const char *advice;  /* of a launch without a repair that orders: other code that may be one; or NULL */
  const char *limit;   /* why some fixes may not have been tried, or NULL */
  bool interleaving;   /* FIX_NONE: an interleaving of the threads gives the outcome */
  bool launch;         /* of a kernel: each repair was proved with its module changed */
  bool lines;          /* the module notes lines of its source: statements were tried at them */
  bool smaller_run;    /* changes were tried on a smaller run first; `result` is of that */
  uint64_t tried;      /* tests checked */
  uint64_t work;       /* of all checks */
  bool over;           /* the limit of the work of a launch ended the search */
  double latest;       /* the outermost limit of the search; 0: none */
  /* weaken */
  VEC(struct fix_change) alone;   /* each change alone keeps the verdict, and adds no race */
  struct fix_way together;        /* the changes that work together */
  VEC(struct fix_change) needed;  /* the instructions that cannot be weaker: kind FIX_REPLACE, after NULL */
  VEC(struct fix_change) untried; /* changes for which there was no time, in the same form */
};

/* The purpose of a launch with changes of its module: its verdict; whether it is sequential (K18); a look at all
 * columns, those too that no finding needs. */
enum fix_question { FIX_VERDICT, FIX_IN_TURNS, FIX_WHOLE };

/* The inputs of lowering, to lower a test again. */
struct fix_input {
  const struct litmus_test *test;
  const struct program *program;
  const struct lower_options *lowering;
  struct intern *names;
  const struct model *model;
  const struct check_options *options; /* timeout is for the whole search; 0: no limit */
  bool races;                          /* FIX_RACES is the goal */
  uint32_t changes;                    /* try all sets of up to so many changes; 0: the smallest that suffice */
  uint64_t work;                       /* the work of all checks after which no more begins; 0: no limit */
  /* For a launch of a kernel: the program after changes of the module, which proves a repair; NULL if they do not fit.
   */
  const struct program *(*remake)(void *state, struct arena *arena, const struct kernel_edit *edits, uint32_t count,
                                  enum fix_question question);
  void *remaker;                    /* its state */
  const struct kernel_lines *lines; /* of the source of its kernels */
  const struct result *shown;       /* of the same test, perhaps with fewer columns: what check shows; or NULL */
  uint64_t read_work;               /* that the arena counted to read the program */
  uint64_t whole_work; /* to read and check the launch asked for, if `test` is a smaller run of it; else 0 */
  uint64_t spent;      /* the work of searches before this one, which the same limits are for */
  double latest;       /* the outermost limit of those; 0: none */
  void *asked;         /* the state for the launch asked for, if `test` is a smaller run of it; else NULL */
};

enum { FIX_CHANGES = 4 }; /* larger sets are not tried */

/* The work of a check, by counts that are the same in every run: its clauses and pairs of events, and the conflicts of
 * the solver, which the arena counted with the clauses. */
uint64_t fix_work(const struct stats *stats);

/* `weaken`: finds the instructions that can be weaker, else those that must be stronger. */
void fix_find(struct arena *arena, const struct fix_input *input, bool weaken, struct fixes *out);
