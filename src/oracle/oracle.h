/* Brute force: every choice of reads-from, coherence and fence.sc order, each evaluated by rel/eval. Shares nothing
 * with the encoder, with which it is compared. For tests with few events. */
#pragma once

#include "result/states.h"

/* DEADLOCK: threads wait at barriers for ever, and all others have ended. HANG: threads wait or can run for ever, and
 * none is at the bound. */
enum oracle_hang { ORACLE_DEADLOCK, ORACLE_HANG };

struct oracle_options {
  bool count_executions;
  /* For precise skeletons in which threads may halt, which means that the scheduler never runs them again: */
  bool lowest_goes_on;    /* the lowest-numbered thread that has not ended does not halt */
  bool begun_below_go_on; /* threads with a lower number than a thread that has begun do not halt */
  bool flags;             /* look for triggered flags, not only for undefined_unless clauses */
  double deadline;        /* of base.h */
  uint64_t most_choices;  /* more give up as if time had run out, but after the same ones on every machine; 0: any */
  /* Called with the first allowed execution of each kind that does not end, and its observables' values; or NULL. */
  void (*show)(void *state, enum oracle_hang kind, const struct execution *execution, const value_t *values);
  void *state;
};

struct oracle {
  struct outcome_set outcomes; /* of allowed executions, before the filter */
  uint64_t candidates;
  bool out_of_time; /* or of choices */
  bool paths_cut;               /* a path is longer than the limit of brute force: the result is unknown */
  const struct reason *refusal; /* why some combination of paths cannot be judged: the result is unknown */
  struct span refusal_place;
  bool circular;      /* some candidate's values depend on themselves and no axiom excludes it: the result is unknown */
  bool reached;       /* the condition (with the filter) was reached with all axioms dropped */
  bool reached_known; /* no candidate was skipped for `reached` */
  uint64_t positive, negative; /* executions, with count_executions (O7) */
  const struct hazard *open;   /* a result that PTX leaves open in an allowed execution, or NULL */
  const struct hazard *trap;   /* a trap that an allowed execution reaches, or NULL */
  const struct hazard *hazard; /* another undefined behaviour of an allowed execution, or NULL */
  const struct reason *misuse; /* undefined use of a barrier in some allowed execution, or NULL */
  struct span misuse_places[2];
  const struct ending *bound; /* precise skeletons: an allowed execution reaches this bound */
  bool hangs[2];              /* by enum oracle_hang */
  struct sequence_places cycle; /* of an allowed execution, if the skeleton notes uses (exec/sequence.h) */
  struct raised *raised; /* by clause of the model: the pairs that violate (or raise) it in some allowed execution */
  bool *is_raised;       /* by clause of the model */
};

/* If the program of a skeleton of complete executions branches, only the skeleton's program and shape are used: each
 * path through each thread is tried as straight code. */
void oracle_run(struct arena *arena, const struct model *model, const struct skeleton *skeleton,
                const struct oracle_options *options, struct oracle *oracle);
