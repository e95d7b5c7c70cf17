/* Brute force: every choice of reads-from, coherence and fence.sc order, each judged by rel/eval. Shares nothing with
 * the encoder; exists to be compared with it. For tests with few events. */
#pragma once

#include "result/raised.h"
#include "result/states.h"

/* Threads wait at barriers for ever, all others having ended; or they wait or can go on for ever, and none is at the
 * bound. */
enum oracle_hang { ORACLE_DEADLOCK, ORACLE_HANG };

struct oracle_options {
  bool count_executions;
  /* Precise skeletons in which threads may halt: */
  bool lowest_goes_on;    /* the lowest-numbered of those that have not ended does not halt */
  bool begun_below_go_on; /* those with a lower number than one that has begun do not halt */
  bool flags;             /* look for triggered flags, not only for undefined_unless clauses */
  double deadline;        /* of base.h */
  /* Called with the first allowed execution of each kind that does not end, its observables being `values`; or NULL. */
  void (*show)(void *state, enum oracle_hang kind, const struct execution *execution, const value_t *values);
  void *state;
};

struct oracle {
  struct outcome_set outcomes; /* of allowed executions, before the filter */
  uint64_t candidates;
  bool out_of_time;
  bool paths_cut;               /* a way through a thread is longer than brute force follows: nothing is known */
  const struct reason *refusal; /* why some combination of ways cannot be judged: nothing is known */
  struct span refusal_place;
  bool circular;      /* some candidate's values depended on themselves and no axiom excluded it: nothing is known */
  bool reached;       /* the condition (with the filter) was reached with all axioms dropped */
  bool reached_known; /* no candidate was left out when judging that */
  uint64_t positive, negative; /* executions, with count_executions (O7) */
  const struct hazard *open;   /* something that PTX leaves open in an allowed execution, or NULL */
  const struct hazard *trap;   /* a trap that an allowed execution reaches, or NULL */
  const struct hazard *hazard; /* another undefined behaviour that an allowed execution runs into, or NULL */
  const struct reason *misuse; /* undefined use of a barrier in some allowed execution, or NULL */
  struct span misuse_places[2];
  const struct ending *bound; /* precise skeletons: an allowed execution runs into this bound */
  bool hangs[2];              /* by enum oracle_hang */
  struct raised *raised; /* by clause of the model: the pairs that violate (or raise) it in some allowed execution */
  bool *is_raised;       /* by clause of the model */
};

/* A skeleton of complete executions is only looked at for its program and shape when that branches: then each way
 * through each thread is tried as straight code of its own. */
void oracle_run(struct arena *arena, const struct model *model, const struct skeleton *skeleton,
                const struct oracle_options *options, struct oracle *oracle);
