/* Chooses the executions of a test that are worth a picture.
 *
 * The predicate looked for, P, is that of the condition; for `forall` it is the negation, since the interesting
 * execution is the one that violates the condition. */
#pragma once

#include "rel/eval.h"

enum pick_kind {
  PICK_AUTO,      /* a witness of P, else the forbidden candidate, else (P cannot be) any allowed execution */
  PICK_WITNESS,   /* an allowed execution that satisfies P */
  PICK_FORBIDDEN, /* an execution that satisfies P and breaks as few axioms as possible: at most two are dropped one by
                     one, else all */
  PICK_ALL,       /* one allowed execution for each outcome */
  PICK_EVERY,     /* the allowed executions that satisfy P, one for each choice of the writes that are read and of the
                     order of fence.sc */
  PICK_DEADLOCK,  /* an execution in which threads wait or spin for ever */
};

/* AUTO draws another execution where there is a reason to: of an undefined test one that shows why; where no execution
 * comes to an end, one in which threads wait or spin for ever. */

struct explanation;

/* An execution, during the visit. */
struct pick {
  const struct skeleton *skeleton;
  const struct model *model;
  const struct execution *execution;
  struct eval *eval;     /* set to the execution */
  const value_t *finals; /* of the observed observables */
  bool satisfies;        /* P holds */
  const bool *violated;  /* by index in model->axioms: an axiom that fails; all false for an allowed execution */
  uint32_t violated_count;
  bool stuck;            /* the skeleton is precise: threads may wait or spin for ever, and its endings say which do */
  const char *undefined; /* why the test has no meaning, or is not safe; or NULL */
  const char *kind;      /* in which way it is not safe; NULL: it has no meaning */
  bool open;             /* ... or rather, PTX leaves the result open */
  bool shows_why;        /* this execution does */
  uint32_t clause;       /* the axiom of the model that makes it undefined, or NO_CLAUSE */
  uint32_t misuse_events[2];      /* where it is two arrivals at a barrier; else NO_EVENT */
  struct span hazard;             /* where it is one instruction; source NULL: none */
  const struct explanation *told; /* whose execution this is: told_pick; NULL: nobody's */
};

enum { NO_CLAUSE = UINT32_MAX };

typedef void pick_visit(void *context, const struct pick *pick);

struct picked {
  uint32_t count;    /* executions visited */
  bool unknown;      /* the verdict or the picture is not known: a limit, or something that is not modelled */
  bool more;         /* there are more than `most` */
  const char *why;   /* why none was visited, or it is unknown: lower case, no full stop; else NULL */
  struct span place; /* where, when unknown */
};

struct pick_options {
  enum pick_kind kind;
  uint32_t most;  /* executions to visit */
  double timeout; /* seconds for the whole; 0: none */
  struct shape shape;
  const struct result *result; /* of the same program, model and shape, by `check`: no picture says anything else */
};

/* Visits the executions asked for. A witness that rel/eval does not confirm is a BUG. */
struct picked pick_executions(struct arena *arena, const struct program *program, const struct model *model,
                              const struct pick_options *options, pick_visit *visit, void *context);

/* Visits the execution that an explanation tells of an allowed or forbidden state, so that the picture and the words
 * show the same one. False when it tells none, or one with more coherence than the model gives. */
bool told_pick(struct arena *arena, const struct explanation *told, pick_visit *visit, void *context);
