/* In turns (docs/semantics.md, T7; K18): the accesses of an execution that no interleaving of its threads puts into one
 * order.
 *
 * Such accesses are on a cycle of program order, waiting, launch order and conflict. sequence.c has the definition, on
 * one execution; the encoder does not use it (encode/sequence.c). */
#pragma once

#include "exec/execution.h"

/* Why an access comes before another one. */
enum sequence_link {
  SEQUENCE_PO,     /* program order */
  SEQUENCE_WAIT,   /* an arrival and a wait that needs it; a phase and the next; the end of a thread; launch order */
  SEQUENCE_CO,     /* both write */
  SEQUENCE_RF,     /* the second reads from the first, or from a later write */
  SEQUENCE_FR,     /* the second overwrites what the first read */
};

/* A step of a cycle: to the node of the next step, and from the last one to the first. */
struct sequence_step {
  uint32_t event; /* of an atomic the read */
  enum sequence_link link;
};

VEC_NAMED(sequence_cycle, struct sequence_step);

/* The same by instructions of the program. */
struct sequence_place {
  uint32_t thread, instr;
  enum sequence_link link;
};

VEC_NAMED(sequence_places, struct sequence_place);

/* Iterations that are followed by another one. */
VEC_NAMED(sequence_turns, struct loop_turn);

/* True if the execution, to which execution_relate was applied, has a cycle: a shortest one. The skeleton notes uses.
 * `turns` NULL: those of the skeleton. */
bool sequence_find(struct arena *arena, const struct execution *execution, const struct sequence_turns *turns,
                   struct sequence_cycle *out);

/* "po", "wait", "co", "rf", "fr". */
const char *sequence_link_name(enum sequence_link link);

/* ---- Shared with the encoder: facts about single events ---- */

/* sequence_is_node: true if the event, if it happens and counts, is in the order: an access or a step of a barrier, an
 * mbarrier object or a grid of the thread itself. sequence_node: that of an atomic is its read. */
bool sequence_is_node(const struct event *event);
uint32_t sequence_node(const struct skeleton *skeleton, uint32_t event);

/* The relations of waiting. */
extern const enum cat_builtin sequence_waits[];
extern const size_t sequence_wait_count;

/* True if two updates whose results are unused commute: one operation, at one place. */
bool sequence_same_update(const struct skeleton *skeleton, uint32_t a, const struct place *at_a, uint32_t b,
                          const struct place *at_b);
/* True if two plain stores of constants write the same to a chunk. */
bool sequence_same_constant(const struct skeleton *skeleton, uint32_t a, const struct place *at_a, uint32_t b,
                            const struct place *at_b, uint32_t chunk);
