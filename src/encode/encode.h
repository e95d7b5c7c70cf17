/* A test and a model as clauses.
 *
 * The solver's models are the executions: choices of rf (a literal for each chunk of a read and write), of a coherence
 * order, of the order of fence.sc, and of the write that each observed chunk ends with; values are words of literals.
 * Each axiom of the model has an assumption literal, so that it can be dropped for one solve.
 *
 * The literal of a pair has a meaning only if both events happen. If the polarity of each use shows that extra pairs
 * can only violate an axiom, never satisfy it, the literals of a closure or recursive definition may hold for extra
 * pairs. Otherwise it is unfolded, which is exact. tests/diff compares whole outcome sets with the brute-force
 * engine. */
#pragma once

#include "term/word.h"
#include "exec/execution.h"
#include "rel/phases.h"
#include "rel/refute.h"

/* Literals to collect. */
VEC_NAMED(lits, lit);

/* A critical section ends with a write, and begins with the last earlier access of the write's thread to the location
 * (lemmas.c). */
struct section {
  uint32_t begin;   /* event; NO_EVENT: the write ends no section */
  const lit *place; /* by position: the section begins there */
  bool broken;      /* some execution has another write inside the section */
};

/* A location whose writes are numbered (counting.c). */
struct chain {
  uint32_t chunk;
  lit on;                  /* LIT_TRUE if no axiom is ever dropped; then coherence has fewer literals (sections.c) */
  bool paired;             /* the writes at odd places of the list are each the second of a section (sections.c) */
  bool *needs;             /* by axiom: the chain or its sections depend on it */
  struct value_set values; /* for a fixed position: the values that memory may hold there */
  uint32_t *ends[2];       /* events: the writes; the reads of the atomics, NULL if some write is not an atomic's */
  uint32_t count;          /* of the writes */
  uint32_t *outside;       /* weak stores to the location, which are not in the chain */
  uint32_t outside_count;
  lit straight;          /* `on`, and no atomic but the first takes the value of a weak store */
  const uint32_t *reads; /* events: all that may read the location */
  uint32_t read_count;
  struct section *sections;    /* by write: the section that it ends; NULL: not requested yet (lemmas.c) */
  const lit *from, *at, *seen; /* literals by write, or read, and position (counting.c) */
  uint8_t *composes;           /* by node: its relation is a step to the next (along.c); 0: not known yet */
  uint8_t *follows[2]; /* by node: its relation leads from each of these events to the next (along.c); 0: not known
                          yet */
};

/* A candidate property of a chain in all executions, which simplifies queries about closures along the chain
 * (lemmas.c). It is added to the formula only after the solver has proved it. */
struct lemma {
  uint32_t chain;
  cat_node closure;   /* the lemma: it leads from each write to the next; CAT_NO_NODE: no section contains another
                         write */
  struct lits doubts; /* the lemma holds if none of these is true in an execution in which all axioms hold */
};

struct encoder {
  struct arena *arena, *scratch; /* scratch: memory for the work on one axiom */
  struct sat *sat;
  struct gates gates;
  const struct skeleton *skeleton;
  const struct slots *slots;
  struct graph graph;

  /* The program (program.c). */
  struct word *words;     /* by term; width 0 if no word was needed */
  lit *exec;              /* by event: it happens */
  lit **at;               /* by event and place: the event accesses that place */
  uint32_t *writer_index; /* by event: its number among the writes */
  uint32_t writer_count;
  lit **source;          /* by slot and writer_index: the slot is read from that write; 0 if it cannot be */
  lit *order;            /* by two writer_index: coherence order; LIT_FALSE if there is none */
  uint32_t *fence_index; /* by event: its number among the fence.sc */
  uint32_t fence_count;
  uint32_t *fences; /* by fence_index: the event */
  lit *fence_order; /* by two fence_index; the two directions are opposite literals; 0: not requested */
  struct bitmat fence_pairs, fence_before; /* by two fence_index: pairs kept free of cycles; buffer to read them back */
  lit **last;          /* by chunk (NULL: not observed) and writer_index: the chunk ends with that write */
  struct word *finals; /* by observed observable */
  unsigned *lengths;   /* of the finals without the high bits that are 0 in all executions */

  /* Barriers (barrier.c). */
  lit *pass;      /* by event: TERM_PASS; 0 if nothing depends on it */
  lit **phase;    /* by event, for arrivals: by phase, it happens and is in that phase; LIT_FALSE outside bounds */
  struct misuse { /* possible undefined use of a barrier (B5) or an mbarrier object (MB12) */
    lit when;
    const struct reason *reason;
    uint32_t a, b; /* the events concerned; equal: there is only one */
  } * misuses;
  uint32_t misuse_count, misuse_room;

  struct encoded_mbarrier *mbarriers; /* by object (mbarrier.c) */

  /* The model (relation.c, axiom.c). */
  struct memo *memo;
  struct closure **closures;   /* by node; made when first needed */
  VEC(struct bitmat) inverses; /* by node: of its may; made when first needed */
  VEC(struct pending) pending;
  cat_node *exact;      /* by node: the unfolding that replaces a closure or recursion, or CAT_NO_NODE */
  lit *assumptions;     /* by axiom: the assumption that makes the axiom hold (axioms only) */
  bool all_axioms;      /* no axiom that a chain needs is ever dropped */
  uint32_t phase_axiom; /* the axiom that phases of mbarrier objects depend on; NO_AXIOM: none */
  VEC(struct chain) chains;
  struct lemma last_lemma;
  VEC(lit) lemmas;              /* each switches on the consequences of a lemma */
  double deadline;              /* of base.h: encoding stops there, with a refusal */
  const struct reason *refusal; /* why the model cannot be encoded, or NULL */
};

/* Encodes the program and all axioms, until `deadline` (of base.h), which also becomes that of the solver. With
 * `all_axioms`, only axioms for which encoder_may_drop is true may be dropped, which saves clauses. After a refusal the
 * formula must not be used. The encoder, its arena and `sat` belong to the caller. */
void encoder_init(struct encoder *encoder, struct arena *arena, struct sat *sat, const struct model *model,
                  const struct skeleton *skeleton, const struct slots *slots, bool all_axioms, double deadline);

/* A literal that, when assumed, makes the test of clause `axiom` hold (or fail, with `holds` false), whatever its role.
 */
lit encoder_test(struct encoder *encoder, uint32_t axiom, bool holds);

/* A literal for a pair of a relation, given that both events happen; for the directions of `need` (gates.h). */
lit encoder_pair(struct encoder *encoder, cat_node relation, uint32_t a, uint32_t b, unsigned need);
/* Writes the definitions of the closures that the pairs requested so far depend on. Call it before the next solve. */
void encoder_define_pairs(struct encoder *encoder);

/* True, with the refusal noted, if the time is up or there are too many clauses. Long loops call it. */
bool encoder_is_late(struct encoder *encoder);

/* A literal equivalent to a state predicate over the final values. */
lit encoder_condition(struct encoder *encoder, const struct cond *cond);

/* After SAT_YES: reads the choices back into an execution, and the write that each observed chunk ends with into
 * `last` (by chunk). */
void encoder_witness(const struct encoder *encoder, struct execution *execution, uint32_t *last);

/* The literal of "fence a is before fence b" if the formula says anything about that, else 0. */
lit encoder_fence_choice(const struct encoder *encoder, uint32_t a, uint32_t b);
/* From now on the formula determines the whole order of fence.sc, so that it distinguishes executions. */
void encoder_order_all_fences(struct encoder *encoder);

/* After SAT_YES: the final value of an observed observable. */
value_t encoder_final(const struct encoder *encoder, uint32_t index);

/* encoder_assume_chains: for the next solve, under all axioms but those in `dropped` (by axiom; NULL: none), assumes
 * the numbering of chains, which changes no answer. encoder_may_drop: true if the axioms in `dropped` may be dropped;
 * without `all_axioms`, always unless phases depend on one. */
void encoder_assume_chains(struct encoder *encoder, const bool *dropped);
bool encoder_may_drop(const struct encoder *encoder, const bool *dropped);

/* Finds the next lemma; false if there is none. */
bool encoder_next_lemma(struct encoder *encoder, struct lemma *lemma);
/* Weakens a lemma after the solver found a doubt true or, with `solved` false, found no answer. False if nothing of the
 * lemma remains. */
bool encoder_weaken(struct encoder *encoder, struct lemma *lemma, bool solved);
/* After the proof that no doubt is ever true: adds the consequences, for every later solve under all axioms. */
void encoder_conclude(struct encoder *encoder, const struct lemma *lemma);

/* A literal that breaks symmetry: if assumed, interchangeable threads make their first writes to a location in the
 * order of their numbers (symmetry.c). Sound when the question is whether there is an outcome that was not excluded
 * (`in_outcomes`), or whether there is one that satisfies the condition, or its negation. LIT_TRUE if no threads are
 * interchangeable. */
lit encoder_sort_threads(struct encoder *encoder, bool in_outcomes, const bool *fixed);

/* sequence.c: a literal under which the execution has a cycle that no interleaving has (exec/sequence.h). The skeleton
 * notes uses. To be asked once. */
lit encoder_out_of_turn(struct encoder *encoder);

/* The literal of an ending of the skeleton (skeleton.ends). */
lit encoder_ending(const struct encoder *encoder, uint32_t index);

/* From now on, the events that spinning or looping threads repeat can recur for ever: they follow all other events in
 * coherence and in the order of fence.sc, their reads take values from each other or from the last of the other writes,
 * and they leave memory and registers unchanged. So they can be appended to the execution any number of times: the
 * chosen relations lead only from one repetition to later ones, and no cycle passes through two. */
void encoder_go_on_for_ever(struct encoder *encoder);

/* Adds a comment line for each variable that represents a choice: for --dump=cnf. */
void encoder_describe(const struct encoder *encoder, struct text *out);
