/* A test and a model in a solver, to be asked single questions: is this possible, if these axioms are dropped, and how?
 *
 * A probe answers with one execution at a time, evaluated on concrete relations. It holds a solver, so it must be
 * closed. Private to src/explain.
 */
#ifndef PTXLIT_PROBE_H
#define PTXLIT_PROBE_H

#include "encode/encode.h"
#include "rel/eval.h"
#include "search/check.h"

/* An execution that was found; it stays as it is when others are looked for. */
struct probe_found {
  struct execution *execution;
  uint32_t *last;
  bool circular;
};

/* The solvers that are open: they are no part of the arena. */
struct probe_keeper {
  struct arena *arena;
  struct sat *solvers[2];
};

/* Does `work`, and releases the solvers of probes that it leaves open, also when memory runs out. */
typedef void probe_work(struct probe_keeper *keeper, void *context);
void probe_guard(struct arena *arena, probe_work *work, void *context);

struct probe {
  struct arena *arena;
  struct probe_keeper *keeper;
  const struct program *program;
  const struct model *model;
  const struct skeleton *skeleton;
  struct slots slots;
  struct sat *sat;
  struct encoder encoder;
  struct execution *execution;  /* after a SAT_YES: the execution found */
  struct eval *eval;            /* evaluates it */
  uint32_t *last;               /* by chunk: the write that an observed chunk ends with, or NO_EVENT */
  bool circular;                /* its values depend on themselves: they are as the solver has them */
  double deadline;              /* of base.h */
  const struct reason *refusal; /* why it could not be opened */
};

/* The skeleton that check works on; `precise`: the one with executions in which threads wait for ever, or go on past
 * the bound. */
struct skeleton *probe_skeleton(struct arena *arena, const struct program *program, const struct check_options *options,
                                bool precise);
/* The one on which check looks for undefined behaviour and flags. */
struct skeleton *probe_spinning_skeleton(struct arena *arena, const struct program *program,
                                         const struct check_options *options);

/* False when the model cannot be encoded, or there was no time for it; `refusal` then says why, and it is closed
 * already. `deadline`: of base.h. The skeleton must have no refusal. */
bool probe_open(struct probe *probe, struct probe_keeper *keeper, const struct model *model,
                const struct skeleton *skeleton, double deadline);
void probe_close(struct probe *probe);

/* Whether the deadline has passed. */
bool probe_is_late(const struct probe *probe);

/* The literal of a predicate together with the test's filter. */
lit probe_goal(struct probe *probe, const struct cond *predicate, bool negated);

/* Is there an execution in which `goal` and all axioms hold but those in `dropped` (by axiom; NULL: none)? Clauses that
 * are no axioms do not count. After SAT_YES the execution has been read and evaluated. */
enum sat_answer probe_solve(struct probe *probe, lit goal, const bool *dropped);

/* The same under a literal that switches on clauses added by probe_exclude. */
enum sat_answer probe_solve_if(struct probe *probe, lit goal, lit on, const bool *dropped);

/* Excludes, wherever `on` is assumed, the choices of rf and sc of the present execution. */
void probe_exclude(struct probe *probe, lit on);

/* Takes coherence pairs out of the present execution as long as all axioms but the dropped ones hold and it ends in the
 * same state: what is left is needed. */
void probe_reduce_order(struct probe *probe, const bool *dropped);

/* The present execution, and a return to one found before: it is then evaluated again. */
struct probe_found probe_found(const struct probe *probe);
void probe_return(struct probe *probe, const struct probe_found *found);

#endif
