/* Chooses the executions of a test that are worth a picture.
 *
 * P is the condition's predicate or, for `forall`, its negation, because the interesting execution is the one that
 * violates the condition. */
#pragma once

#include "rel/eval.h"

enum pick_kind {
  PICK_AUTO,      /* a witness of P, else the forbidden candidate, else (P is unreachable) any allowed execution */
  PICK_WITNESS,   /* an allowed execution that satisfies P */
  PICK_FORBIDDEN, /* an execution that satisfies P although the axioms forbid it: `explain` finds one that breaks as few
                     as possible (told_pick) */
  PICK_ALL,       /* one allowed execution for each outcome */
  PICK_EVERY,     /* the allowed executions that satisfy P, one for each choice of the writes that are read and of the
                     order of fence.sc */
  PICK_DEADLOCK,  /* an execution in which threads wait or spin for ever */
};

/* Exceptions for AUTO: for an undefined test, an execution that shows the reason; if no execution ends, one in which
 * threads wait or spin for ever. */

struct explanation;

/* An execution, during the visit. */
struct pick {
  const struct skeleton *skeleton;
  const struct model *model;
  const struct execution *execution;
  struct eval *eval;     /* evaluates the execution */
  const value_t *finals; /* of the observed observables */
  bool satisfies;        /* P holds */
  const bool *violated;  /* by index in model->axioms: an axiom that fails; all false for an allowed execution */
  uint32_t violated_count;
  bool stuck;            /* the skeleton is precise: some threads may wait or spin for ever; its endings tell which */
  const char *undefined; /* why the test is undefined, or not safe; or NULL */
  const char *kind;      /* the kind of unsafety; NULL: the test is undefined */
  bool open;             /* PTX leaves the result open, so the test is not undefined */
  bool shows_why;        /* this execution shows the reason */
  uint32_t clause;       /* the axiom of the model that makes the test undefined, or NO_CLAUSE */
  uint32_t misuse_events[2];      /* if the reason is two arrivals at a barrier, or two accesses; else NO_EVENT */
  const struct safety_finding *finding; /* of `check`, that this execution shows; NULL: none */
  struct span hazard;             /* the instruction, if it is the reason; source NULL: none */
  const struct explanation *told; /* the explanation that describes this execution (told_pick); NULL: none */
};

enum { NO_CLAUSE = UINT32_MAX };

typedef void pick_visit(void *context, const struct pick *pick);

struct picked {
  uint32_t count;    /* executions visited */
  bool unknown;      /* no verdict or no picture: a limit, or something that is not modelled */
  bool more;         /* there are more executions than `most` */
  const char *why;   /* why no execution was visited, or why `unknown`: lower case, no full stop; else NULL */
  struct span place; /* the place of the reason, if unknown */
};

struct pick_options {
  enum pick_kind kind;
  uint32_t most;  /* executions to visit */
  double timeout; /* the time limit for the whole call, in seconds; 0: none */
  struct shape shape;
  const struct result *result; /* of `check` for the same program, model and shape: pictures must agree with it */
};

/* Visits the executions asked for. A witness that rel/eval does not confirm is a BUG. */
struct picked pick_executions(struct arena *arena, const struct program *program, const struct model *model,
                              const struct pick_options *options, pick_visit *visit, void *context);

/* Visits the execution in the explanation of an allowed or forbidden state, so that picture and words show the same
 * execution. False if the explanation has no execution, or one whose coherence order is larger than the model's. */
bool told_pick(struct arena *arena, const struct explanation *told, pick_visit *visit, void *context);
