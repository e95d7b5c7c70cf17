/* The smallest changes that forbid what a test asks about, and what can be weaker without allowing it.
 *
 * What a test asks about is its predicate, or for forall the negation of it. Every change that is reported has been
 * lowered and checked like any test. Everything lives in the arena given; texts are lower case without a full stop.
 */
#ifndef PTXLIT_FIX_H
#define PTXLIT_FIX_H

#include "base/intern.h"
#include "litmus/litmus.h"
#include "ptx/lower.h"
#include "search/check.h"

enum fix_change_kind { FIX_REPLACE, FIX_ADD, FIX_MOVE, FIX_DROP };

struct fix_change {
  enum fix_change_kind kind;
  uint32_t thread, instr;     /* FIX_ADD: after this instruction; else the one changed */
  uint32_t target;            /* FIX_MOVE: to after this instruction */
  const char *before, *after; /* as they read; before is NULL for FIX_ADD, after for FIX_DROP */
  const char *remark;         /* what else comes of it, or NULL */
};

struct fix_way {
  VEC(struct fix_change) changes;
  unsigned cost; /* how much stronger it makes the test: for ranking, no unit */
};

enum fix_outcome {
  FIX_FOUND,
  FIX_NOT_NEEDED, /* already forbidden; for weaken: nothing is forbidden, so there is nothing to keep */
  FIX_NONE,       /* even all changes together do not forbid it */
  FIX_NOT_FOUND,  /* no set within the limits; `limit` says which one was reached */
  FIX_UNDECIDED,  /* the test is undefined or unknown: `result` says why */
};

struct fixes {
  enum fix_outcome outcome;
  const struct result *result; /* of the test as it is */
  const char *claim;           /* what is to be forbidden */
  VEC(struct fix_way) ways;    /* weakest first; all of the same, smallest number of changes */
  bool only_minimal;           /* one way, found by leaving out; others may have fewer changes */
  const char *limit;           /* why some may not have been tried, or NULL */
  bool interleaving;           /* FIX_NONE: an interleaving of the threads gives it */
  uint64_t tried;              /* tests checked */
  /* weaken */
  VEC(struct fix_change) alone;  /* each by itself keeps the verdict, and adds no race */
  struct fix_way together;       /* these all at once */
  VEC(struct fix_change) needed; /* the instructions that cannot be weaker at all: kind FIX_REPLACE, after NULL */
};

/* What is needed to lower a test again. */
struct fix_input {
  const struct litmus_test *test;
  const struct program *program;
  const struct lower_options *lowering;
  struct intern *names;
  const struct model *model;
  const struct check_options *options; /* timeout is for the whole search; 0: FIX_SECONDS */
};

enum { FIX_SECONDS = 5, FIX_CHANGES = 4, FIX_WAYS = 10 };

void fix_find(struct arena *arena, const struct fix_input *input, struct fixes *out);
void fix_weaken(struct arena *arena, const struct fix_input *input, struct fixes *out);

#endif
