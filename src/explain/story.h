/* The parts of an explanation, shared by the files of src/explain that find them. Private to src/explain. */
#pragma once

#include "ask/ask.h"
#include "explain/explain.h"
#include "rel/cycle.h"

struct story {
  struct arena *arena;
  struct ask *ask;
  lit goal;
  struct explanation *out;
  /* Coherence and fr as the model has them, if the present execution orders more writes than the model does. */
  struct bitmat real_co, real_fr;
  bool completed;
};

/* The index of an event in the list of events, to which it is added if need be. */
uint32_t story_event(struct story *story, uint32_t event);

/* Program order between two events that happen. */
bool story_in_po(const struct execution *execution, uint32_t a, uint32_t b);

/* A step of a named base relation between two events. `because` may be NULL. */
void story_step(struct story *story, const char *relation, uint32_t from, uint32_t to, const char *because);

/* The reason why a read is before a write in fr: "it reads the initial value of x, which is older"; NULL if it is
 * not. */
const char *story_source(struct story *story, uint32_t read, uint32_t write);

/* The row of relations.def, or NULL. */
struct relation_text {
  const char *name, *section, *text, *role_from, *role_to;
};
const struct relation_text *story_relation(const char *name);

/* The section in an axiom's name: "8.10.6" of "Causality-8.10.6"; "" if there is none. */
const char *story_section(struct arena *arena, const char *axiom);

/* The comment that ends on the line before `span`, on one line; NULL if there is none. */
const char *story_comment(struct arena *arena, struct span span);

/* True if a model is about PTX: it defines morally-strong and causality. */
bool story_is_ptx(const struct model *model);

/* True if the section and text of the row apply to this model. `row` may be NULL. */
bool story_fits(const struct model *model, const struct relation_text *row);

/* The teller of an explanation: its limits and its output. */
struct teller {
  struct arena *arena;
  struct check_options options;
  double deadline;
  struct explanation *out;
};

/* undefined.c: the instructions concerned, the rule or limit, an execution that reaches it if time permits, and the
 * changes that would help. The kind is EXPLAIN_UNDEFINED or EXPLAIN_UNKNOWN. Sources: PTX ISA 9.4, 8.7.2, 9.7.15.1 to
 * 9.7.15.3, 6.4.1; docs/semantics.md B5, O5. The texts are in ptx/reasons.def. */
void undefined_tell(struct teller *t);
/* safety.c: fills in `stories`, one for each finding of the result, and until the deadline an execution for each. */
void safety_tell(struct teller *t);

/* The rule of a clause, as part of an explanation. */
struct explain_clause clause_rule(const struct cat_clause *clause);

/* One step of a cycle of program order, communication and barriers: "po", "rf", "co", "fr", "bar". */
struct cycle_step {
  const char *relation;
  uint32_t from, to;
};

/* forbidden.c: axioms, the candidate and its cycle. */
void story_forbidden(struct story *story);
/* allowed.c: the witness and the order that it lacks. */
void story_allowed(struct story *story, const struct cond *predicate, bool negated);
/* allowed.c: tells a cycle of the present execution, and the steps of it that the model does not order. */
void story_cycle(struct story *story, const struct cycle_step *steps, uint32_t count);
/* sequence.c: an execution that no interleaving gives. The skeleton of `ask` notes uses. */
void sequence_tell(struct story *story);
/* gaps.c: adds the gap of this number, once, if it has a row. */
void gaps_add(struct arena *arena, uint32_t number, struct explanation *out);

/* history.c: describes the whole execution found. `co`: its own coherence order, if a larger one replaced it; otherwise
 * NULL. */
const struct explain_history *history_tell(struct arena *arena, const struct ask *ask, const struct bitmat *co);

/* The name of the relation that describes the step: "po". */
const char *history_step(const struct execution *execution, uint32_t a, uint32_t b);

/* Program order, communication and barriers among the events of threads. */
struct bitmat history_order(struct arena *arena, const struct execution *execution);

/* The events of threads in an order that keeps `order`, with as few changes of thread as a greedy choice gives; NULL if
 * `order` has a cycle. */
uint32_t *history_interleave(struct arena *arena, const struct execution *execution, struct bitmat order,
                             uint32_t *count);

/* missing.c: finds the steps of a cycle in the present execution that the model does not order. The steps lead from a
 * write to the read that misses it; the last one closes the cycle. */
void story_missing(struct story *story, const struct cycle_step *cycle, uint32_t count);

/* ---- trail.c: a path and the report of the order that its steps lack, for missing.c and missing_ends.c */

struct trail {
  struct story *story;
  const struct execution *x;
  const struct cycle_step *steps; /* the last one closes the cycle */
  uint32_t count;
};

bool trail_same_thread(const struct trail *t, uint32_t a, uint32_t b);
const char *trail_quote(const struct trail *t, uint32_t event);
/* The trail's first event in the thread in which a step begins, and its last event in the thread in which the step
 * ends. */
uint32_t trail_entry(const struct trail *t, uint32_t step);
uint32_t trail_exit(const struct trail *t, uint32_t step);
/* True if the step leads through the halves of one atomic: a write observed through it needs no pattern there. */
bool trail_through_atomic(const struct trail *t, uint32_t step);
/* The name of a step's relation; the narrowest scope that has the threads of two events; "P1". */
bool trail_is(const struct trail *t, uint32_t step, const char *relation);
const char *trail_scope(const struct trail *t, uint32_t a, uint32_t b);
const char *trail_thread(const struct trail *t, uint32_t event);
/* Base causality (8.9.5) in the execution; without rows if the model does not define it. */
struct bitmat trail_base(const struct trail *t);
/* Reports the order that is missing between two events, and a cure (NULL: none). In both texts <a> and <b> are the
 * events, <A> and <B> their threads, and <scope> is the narrowest scope of both. */
void trail_lacks(struct trail *t, uint32_t from, uint32_t to, const char *text, const char *cure);

/* missing.c: a change that makes two accesses morally strong; NULL if no strength or scope would do it. */
const char *trail_strengthen(struct trail *t, uint32_t a, uint32_t b);

/* missing_ends.c: true if both ends are in tensor memory. The next function: reports the missing order of two ends that
 * differ in proxy or address, or are in tensor memory. */
bool trail_of_tensors(const struct trail *t);
void trail_ends(struct trail *t);

/* ---- lacking.c: for a cycle that the axioms of any model permit, the steps that their relations lack. The code does
 * not know the meaning of a relation: it uses only the model's graph. */

/* A step of the cycle that a relation of an axiom must contain for the axiom to forbid the cycle. */
struct lacking_step {
  uint32_t from, to; /* events */
  cat_node node;
};

struct lacking {
  uint32_t axiom;
  VEC(struct lacking_step) steps; /* as few as possible */
};

/* Finds an axiom that would forbid the cycle with the fewest added pairs: `acyclic r` if r covers the steps,
 * `irreflexive r` if r leads once round, `empty r \ s` if r leads from the end of a step of s round to its beginning.
 * False if no axiom has such a form. */
bool lacking_find(struct story *story, const struct cycle_step *cycle, uint32_t count, struct lacking *out);

/* A node as its model might write it, by name if it has one; "..." if this is long. */
const char *lacking_render(struct arena *arena, const struct model *model, cat_node node);

/* The definition of a named node: "(po | sw)+"; "" if this is long. */
const char *lacking_define(struct arena *arena, const struct model *model, cat_node node);
