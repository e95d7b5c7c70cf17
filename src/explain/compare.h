/* One test under several models: the outcomes of each, and why the weakest allows one that the strongest forbids. */
#pragma once

#include "explain/explain.h"

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
