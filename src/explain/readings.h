/* The readings of a model on which a verdict rests. */
#pragma once

#include "search/check.h"

/* Readings with all of which the result is another, but not with a part of them. */
struct decisive_readings {
  reading_set set; /* of the result's model */
  struct result result;
};

struct readings {
  VEC(struct decisive_readings) sets; /* all such sets, smaller ones first */
  bool too_many;                      /* the model has more readings than can be tried: no set was looked for */
};

/* `result` is that of `check`. With `for_gaps`, of readings of gaps (G1 ...) those that give another verdict; else of
 * all readings those that give another verdict or observation. Each check ends at the deadline (of base.h), and is
 * unknown then. */
void readings_find(struct arena *arena, const struct check_options *options, double deadline,
                   const struct result *result, bool for_gaps, struct readings *out);
