/* Finds every race of the allowed executions, with the missing conditions: moral strength, and an order by causality.
 *
 * The model defines a race by its flags and its undefined_unless clauses about pairs. Source: PTX ISA 9.4, 8.7.1
 * "Conflict and Data-races", 8.7.2 "Limitations on Mixed-size Data-races"; docs/semantics.md O6. */
#pragma once

#include "explain/explain.h"

struct race {
  const char *clause, *section, *title; /* of the model: "Data-Race-8.7.1"; "" if it names no section */
  bool undefined;                       /* the clause makes the program undefined */
  bool mixed;                           /* the accesses overlap only in part */
  bool alone;                           /* the clause is about one access, which is both of `pair`: no race */
  struct raised_pair pair;              /* in text order */
  uint32_t others;                      /* of a kernel: pairs of the same instructions of its text, in other threads or
                                           iterations with the same scope in common, which are not listed */
  const char *location;
  const char *not_strong;                /* the reason why they are not morally strong; NULL: irrelevant to the model */
  VEC(struct explain_missing) missing;   /* why the model orders neither before the other; texts only */
  bool apart;                            /* they also race in executions without a path between them */
  bool direct;                           /* the only path between them: one reads from the other */
  const char *order;                     /* a change that orders them, if `missing` has none; or NULL */
  const char *strong;                    /* the result of a check with both made strong; NULL: not tried */
  const struct explain_history *history; /* an execution with the race */
};

struct races {
  const struct program *program;
  const struct model *model;
  const struct result *result; /* of `check`: the races are no more certain than its verdict */
  VEC(struct race) list;  /* mixed-size ones behind the others, single accesses last */
  bool asked;             /* the model has such clauses */
  const char *incomplete; /* why some may be missing, or NULL */
  struct span place;      /* the place of the cause of `incomplete`, if it is in the test */
};

void races_find(struct arena *arena, const struct program *program, const struct model *model,
                const struct check_options *options, struct races *out);

/* True if two events belong to the two instructions of a finding, in either order. */
bool races_is_of(const struct skeleton *skeleton, const struct safety_finding *finding, uint32_t a, uint32_t b);

/* Explains the race of the two instructions of a finding of `check` about one clause. False if no execution is found in
 * time. */
bool races_tell(struct arena *arena, const struct program *program, const struct model *model,
                const struct check_options *options, const struct safety_finding *finding, struct race *out);
