/* Concrete evaluation of a model on one execution. Shares nothing with the encoder, which is checked against it.
 * Bit-matrix algebra over the events that happen, from a skeleton's execution or from another source: a generated test
 * has no skeleton. */
#pragma once

#include "exec/execution.h"

/* The parts of an execution that a node's value can depend on, as a mask. */
enum { PART_SHAPE = 1, PART_RF = 2, PART_CO = 4, PART_SC = 8, PART_ALL = 15 };

struct eval;

/* An evaluator for one model and skeleton. Values of nodes are kept between calls as long as their inputs do not
 * change. It keeps to the arena's deadline. */
struct eval *eval_new(struct arena *arena, const struct model *model, const struct skeleton *skeleton);

/* The other structures that a model may be evaluated on. */
struct eval_source {
  const void *state;
  uint32_t most; /* events at most */
  /* The parts that a predefined set or relation depends on. */
  unsigned (*parts)(const void *state, enum cat_builtin builtin);
  /* Writes its content: all of `set` or of `rel`. */
  void (*fill)(const void *state, enum cat_builtin builtin, struct bitset set, struct bitmat rel);
};

/* An evaluator over such a source. Later it allocates only for a model with recursion. */
struct eval *eval_from(struct arena *arena, const struct model *model, const struct eval_source *source);

/* Announces n events, all of which happen, and the parts that changed since the last call (all parts, if n changed). */
void eval_changed(struct eval *eval, uint32_t n, unsigned changed);

/* Sets the execution to evaluate, and the parts of it that changed since the last call. PART_SHAPE means the events
 * that happen and their places. */
void eval_execution(struct eval *eval, const struct execution *execution, unsigned changed);

/* The parts that an axiom depends on. */
unsigned eval_axiom_parts(const struct eval *eval, uint32_t axiom);

/* True if a violation of the axiom remains one in every execution with more events, more pairs of rf, co, fr and sc,
 * and the same fixed relations: the axiom is not negated, and uses none of rf, co, fr and sc under a complement or on
 * the right of `\`. */
bool eval_axiom_monotone(const struct eval *eval, uint32_t axiom);

/* True if the test of an axiom, flag or undefined_unless clause holds. */
bool eval_axiom(struct eval *eval, uint32_t axiom);

/* The value of a node that is a relation or a set; valid until the execution changes. */
struct bitmat eval_relation(struct eval *eval, cat_node node);
struct bitset eval_set(struct eval *eval, cat_node node);
