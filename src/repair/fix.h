/* Finds the smallest changes that repair a test, and the instructions of a test that can be weaker.
 *
 * A repaired test forbids its predicate (for forall the negation of it); or, if the test was undefined, is defined; or,
 * if the test is about safety, is safe; or, if threads waited at mbarrier objects for ever, ends; or, on request, has
 * no race that the model flags. Every reported change was lowered and checked like any test, and does not succeed
 * because threads now wait for ever, because the predicate is unreachable under any axioms, or because the filter
 * passes nothing.
 *
 * Everything lives in the arena given; texts are lower case without a full stop.
 */
#pragma once

#include "base/intern.h"
#include "litmus/litmus.h"
#include "ptx/lower.h"
#include "search/check.h"

enum fix_change_kind { FIX_REPLACE, FIX_ADD, FIX_MOVE, FIX_DROP, FIX_DECLARE };

struct fix_change {
  enum fix_change_kind kind;
  uint32_t thread, instr;     /* FIX_ADD: after this instruction, or FIX_AT_START; FIX_DECLARE: NO_THREAD and which
                                 entry of the init block; else the one changed */
  struct span span;           /* FIX_DECLARE: the entry */
  bool ahead;                 /* FIX_ADD: before the instruction */
  uint32_t target;            /* FIX_MOVE: to after this instruction, or FIX_AT_START */
  const char *before, *after; /* the texts; before is NULL for FIX_ADD, after for FIX_DROP */
  const char *remark;         /* another effect of it, or NULL */
};

enum { FIX_AT_START = UINT32_MAX }; /* before the first instruction of the thread */

struct fix_way {
  VEC(struct fix_change) changes;
  bool alike;           /* columns of the same code are changed alike, as one change each */
  unsigned cost;        /* how much stronger it makes the test; for ranking, without a unit */
  unsigned size;        /* the number of changes; an added barrier is one in each thread, but at most FIX_CHANGES */
  unsigned outcomes;    /* the number of outcomes left, for ranking; 0: not counted */
  enum verdict verdict; /* of the changed test */
  bool bad;             /* the outcome in question can still happen: FIX_RACES, FIX_DEFINE */
};

enum fix_goal { FIX_FORBID, FIX_DEFINE, FIX_RACES, FIX_END, FIX_SAFE };

enum fix_outcome {
  FIX_FOUND,
  FIX_NOT_NEEDED, /* the goal is met; for weaken: it is not, so there is no verdict to keep */
  FIX_VACUOUS,    /* no strength matters: the outcome is unreachable even with every axiom dropped */
  FIX_NO_RACES,   /* the model does not define races */
  FIX_NONE,       /* even all changes together do not suffice */
  FIX_NOT_FOUND,  /* no set within the limits; `limit` says which one was reached */
  FIX_UNDECIDED,  /* the test is unknown (or undefined, for weaken): `result` says why */
};

struct fixes {
  enum fix_goal goal;
  enum fix_outcome outcome;
  bool weaken;
  const struct result *result; /* of the test as it is */
  const char *claim;           /* the claim to be forbidden */
  const char *filter;          /* "1:r0=1": only where this holds; or NULL */
  uint32_t races;              /* pairs that race in the test as it is; counted for weaken and FIX_RACES */
  VEC(struct fix_way) ways;    /* bad ones last; alike ones first; smallest first, of one size the weakest */
  bool only_minimal;           /* one fix, found by removal from all changes; others may have fewer changes */
  bool smaller;                /* the untried sets have fewer changes than the sets found */
  const char *limit;           /* why some fixes may not have been tried, or NULL */
  bool interleaving;           /* FIX_NONE: an interleaving of the threads gives it */
  uint64_t tried;              /* tests checked */
  /* weaken */
  VEC(struct fix_change) alone;  /* each by itself keeps the verdict, and adds no race */
  struct fix_way together;       /* these all at once */
  VEC(struct fix_change) needed; /* the instructions that cannot be weaker at all: kind FIX_REPLACE, after NULL */
  VEC(struct fix_change) untried; /* changes for which there was no time, in the same form */
};

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
  uint64_t work;                       /* the work of all checks (fix_work) after which no more begins; 0: no limit */
};

enum { FIX_CHANGES = 4 }; /* larger sets are not tried */

/* The work of a check, by counts that are the same in every run. */
uint64_t fix_work(const struct stats *stats);

/* `weaken`: finds the instructions that can be weaker, else those that must be stronger. */
void fix_find(struct arena *arena, const struct fix_input *input, bool weaken, struct fixes *out);
