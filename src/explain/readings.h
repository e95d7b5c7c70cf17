/* The readings of a model on which a verdict rests. */
#pragma once

#include "search/check.h"

/* A minimal set of readings under which the result differs. */
struct decisive_readings {
  reading_set set; /* of the result's model */
  struct result result;
};

struct readings {
  VEC(struct decisive_readings) sets; /* all such sets, smaller ones first */
  bool too_many;                      /* the model has too many readings: the sets are unknown */
};

/* Finds the decisive readings for a result of `check`. With `for_gaps`: readings of gaps (G1 ...) that change the
 * verdict; else readings that change the verdict or observation. A check that reaches the deadline (of base.h) is
 * unknown. */
void readings_find(struct arena *arena, const struct check_options *options, double deadline,
                   const struct result *result, bool for_gaps, struct readings *out);
