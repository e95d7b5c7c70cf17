/* The smallest changes after which a test is as it should be, and the instructions that can be weaker then.
 *
 * As it should be: what it asks about (its predicate, or for forall the negation of it) cannot happen; or it has a
 * meaning at all, where its verdict is undefined; or it is safe, where it asks for that; or it ends, where threads wait
 * at mbarrier objects for ever; or,
 * asked for, the model flags no race. Every change that is reported has been lowered and checked like any test, and
 * does not come by its success through threads that now wait for ever, by making the predicate unreachable whatever
 * the axioms say, or by emptying the test's filter.
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
  const char *before, *after; /* as they read; before is NULL for FIX_ADD, after for FIX_DROP */
  const char *remark;         /* another effect of it, or NULL */
};

enum { FIX_AT_START = UINT32_MAX }; /* before the first instruction of the thread */

struct fix_way {
  VEC(struct fix_change) changes;
  bool alike;           /* columns of the same code are changed alike, as one change each */
  unsigned cost;        /* how much stronger it makes the test: for ranking, no unit */
  unsigned size;        /* how many changes it is; an added barrier is one in each thread, but at most FIX_CHANGES */
  unsigned outcomes;    /* that are left, for ranking; 0: not counted */
  enum verdict verdict; /* of the test so changed */
  bool bad;             /* the outcome asked about can still happen: FIX_RACES, FIX_DEFINE */
};

enum fix_goal { FIX_FORBID, FIX_DEFINE, FIX_RACES, FIX_END, FIX_SAFE };

enum fix_outcome {
  FIX_FOUND,
  FIX_NOT_NEEDED, /* the goal is met; for weaken: it is not, so there is nothing to keep */
  FIX_VACUOUS,    /* no strength matters: the outcome is unreachable even with every axiom dropped */
  FIX_NO_RACES,   /* the model does not define races */
  FIX_NONE,       /* even all changes together do not do it */
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
  bool only_minimal;           /* one way, found by leaving out; others may have fewer changes */
  bool smaller;                /* the untried sets have fewer changes than the sets found */
  const char *limit;           /* why some may not have been tried, or NULL */
  bool interleaving;           /* FIX_NONE: an interleaving of the threads gives it */
  uint64_t tried;              /* tests checked */
  /* weaken */
  VEC(struct fix_change) alone;  /* each by itself keeps the verdict, and adds no race */
  struct fix_way together;       /* these all at once */
  VEC(struct fix_change) needed; /* the instructions that cannot be weaker at all: kind FIX_REPLACE, after NULL */
  VEC(struct fix_change) untried; /* those that time did not suffice for, in the same way */
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
  uint32_t changes;                    /* look at all sets of up to so many changes; 0: the smallest that do */
};

enum { FIX_CHANGES = 4 }; /* larger sets are not tried */

/* `weaken`: what can be weaker, else what must be stronger. */
void fix_find(struct arena *arena, const struct fix_input *input, bool weaken, struct fixes *out);
