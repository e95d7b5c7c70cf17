/* One execution: the choices that a skeleton leaves open, and everything that follows from them.
 *
 * The choices are, for each chunk of each read, the write from which it is read; the coherence order; the order of
 * fence.sc; the phases of arrivals at barriers; and, if threads need not end, the threads that wait for ever.
 * Everything else (values, the events that happen, computed addresses, rf, fr) is computed here, by code that the
 * encoder does not use: this file checks both the witnesses of the solver and the candidates of the brute-force
 * engine. */
#pragma once

#include "exec/skeleton.h"

enum { NO_EVENT = UINT32_MAX, NO_PLACE = UINT32_MAX, NO_PHASE = UINT32_MAX, NO_TURN = UINT32_MAX };
enum { OPEN_SOURCE = UINT32_MAX - 1 }; /* not chosen yet: terms that depend on it have no value */

/* The state of an mbarrier object (9.7.15.16.2). Not valid: not initialised yet. Ended: by mbarrier.inval; a step
 * before the next initialisation finds the object unchanged, and is undefined, by a rule of the model. */
struct mbarrier_state {
  bool valid, ended;
  uint32_t phase; /* the phases of a later life begin at a multiple of the object's span */
  int32_t pending, expected, tx;
};

/* A chunk that a read may have to take from some write. */
struct slot {
  uint32_t read, chunk;
};

/* All slots of a skeleton, by read, then by chunk. */
struct slots {
  struct slot *list;
  uint32_t count;
  uint32_t *first; /* for each event, the index of its first slot; n + 1 entries */
};

struct slots slots_build(struct arena *arena, const struct skeleton *skeleton);

struct execution {
  const struct skeleton *skeleton;
  const struct slots *slots;
  /* Choices. */
  uint32_t *source;    /* for each slot: the write, or NO_EVENT if the read does not access the chunk */
  struct bitmat order; /* coherence among writes of threads: a strict partial order, which may relate more than co */
  uint32_t *phase;     /* for each arrival at a barrier: its phase, or NO_PHASE if it does not happen */
  uint32_t *turn;      /* for each step of an mbarrier object: its position in the order of the object's steps, from 0;
                          or NO_TURN: it does not happen, or is a false test */
  bool *go;            /* by number of TERM_GO: the thread continues there */
  value_t *free;       /* by number of TERM_FREE: any value */
  bool *pass;          /* by event, for TERM_PASS: the wait passes, or the test is true */
  value_t *stray;      /* by event: the value of a read at an address in no location */
  /* Computed by execution_run. */
  value_t *values;    /* for each memory event: the value read or written (initial writes: unused) */
  struct bitset exec; /* the events that happen */
  uint32_t *place;    /* for each event, the index of the place it accesses, or NO_PLACE */
  value_t *terms;     /* for each term */
  bool *known;
  term_id *sequence;             /* all terms: first the known ones, then the rest in the order in which they last
                                    became known */
  uint32_t learned;              /* the number of known terms */
  uint32_t constant;             /* the number of terms that depend on no choice */
  uint32_t *reached;             /* for each step of an mbarrier object that has a turn: the phase it falls in */
  struct mbarrier_state *states; /* for each mbarrier object: its state after its last step */
  const struct reason *misuse;   /* undefined use of a barrier (B5) or an mbarrier object (MB12), or NULL */
  uint32_t misuse_events[2];     /* the two events concerned; equal: there is only one */
  /* The relations that depend on the execution (cat/builtin.def). `sc` is a choice: pairs within the skeleton's may,
   * and acyclic. The others are computed by execution_relate. */
#define REL_OPEN(id, name, needs, bounds, member, depends, traits, meaning) struct bitmat member;
#include "cat/builtin.def"
};

static inline const struct event *execution_event(const struct execution *execution, uint32_t event) {
  return skeleton_event(execution->skeleton, event);
}

enum run_status {
  RUN_OK,
  RUN_CIRCULAR, /* some value depends on itself through rf: out of thin air */
  RUN_INVALID, /* a read takes its value from a write that does not happen or is elsewhere, the phases of barriers are
                  inconsistent, or (not in a precise skeleton) some thread does not end */
};

/* A new execution without choices: every source NO_EVENT, order and sc empty. */
struct execution *execution_new(struct arena *arena, const struct skeleton *skeleton, const struct slots *slots);

/* Computes values, exec and place from the choices. */
enum run_status execution_run(struct execution *execution);

/* execution_run step by step, while sources are chosen one after another. learn: computes all values that follow from
 * the choices so far; may_take: false if a source (or NO_EVENT) contradicts them; forget: keeps only the first
 * `learned` known terms; finish: the rest of execution_run after all choices. */
void execution_learn(struct execution *execution);
bool execution_may_take(struct execution *execution, uint32_t slot, uint32_t write);
void execution_forget(struct execution *execution, uint32_t learned);
enum run_status execution_finish(struct execution *execution);

/* Computes rf, co, fr (and the relations of computed addresses) from source, order and the results of execution_run: co
 * is order on the writes that happen and overlap, with the initial writes first. */
void execution_relate(struct execution *execution);

/* The pairs of a predefined relation; if it is the same in all executions, also pairs of events that do not happen. */
struct bitmat execution_relation(const struct execution *execution, enum cat_builtin relation);

/* After execution_relate: true if each read that takes bytes from a write takes all bytes that both cover from it or
 * from younger writes (docs/semantics.md M10). */
bool execution_is_whole(const struct execution *execution);

/* True if two chunks of memory may end with these writes: two writes that both cover both chunks cannot each be the
 * last of one. */
bool execution_ends_whole(const struct execution *execution, uint32_t chunk_a, uint32_t last_a, uint32_t chunk_b,
                          uint32_t last_b);

/* The barrier part of execution_run and execution_relate (meet.c). */
bool execution_meets(struct execution *execution);
void execution_relate_barriers(struct execution *execution);
/* execution_lane: the value of a thread in the exchange of lanes at `wait`; 0 if it has none. execution_reduce: the
 * value of bar.red at a wait. False while it is not known. */
bool execution_lane(const struct execution *x, uint32_t wait, uint32_t thread, value_t *out);
bool execution_reduce(const struct execution *execution, uint32_t wait, value_t *out);

/* The mbarrier part of execution_run and execution_relate (async/signals.c). */
bool execution_signals(struct execution *execution);
void execution_relate_mbarriers(struct execution *execution);
/* execution_tests_true: true if a test happens and is true. execution_test_holds: true if the test would be true in
 * `state`. */
bool execution_tests_true(const struct execution *execution, uint32_t test);
bool execution_test_holds(const struct execution *execution, const struct mbarrier_state *state, uint32_t test);

/* The pending count, of 32 bits, just before an arrival at its object, computed from the chosen turns alone. 0 if it
 * has no turn, or the object is not initialised. */
value_t execution_pending(const struct execution *execution, uint32_t arrival);

/* async/waited.c: finds the groups that each wait waits for. */
void execution_relate_groups(struct execution *execution);

/* The part of a write's value (or of initial memory) in a chunk that the write covers. */
value_t execution_chunk_value(const struct execution *execution, uint32_t write, uint32_t chunk);

/* Adds to `out` the writes to a chunk that happen and that no write in co follows. */
void execution_maximal(const struct execution *execution, uint32_t chunk, struct bitset out);

/* The type in which to show the value of a memory event: for a floating-point location whose elements have its size,
 * the location's type, so that equal values look equal; else the instruction's type, as wide as the event. */
struct type execution_value_type(const struct execution *execution, uint32_t event);

/* The final value of observed observable `index`, if each chunk c ends with the value of the write last[c]. */
value_t execution_final(const struct execution *execution, uint32_t index, const uint32_t *last);
