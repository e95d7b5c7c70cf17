/* The steps of building a skeleton, in order; skeleton.h has the fields that they fill in. Private to src/exec. */
#pragma once

#include "exec/skeleton.h"

/* A dependency: from a read to a memory event. kind is CAT_REL_ADDR, CAT_REL_DATA or CAT_REL_CTRL. */
struct dependency {
  enum cat_builtin kind;
  uint32_t from, to;
};

/* All dependencies, collected while threads are walked. */
VEC_NAMED(dependencies, struct dependency);

/* skeleton.c: skeleton_hazard, skeleton_event_hazard: note that behaviour is undefined if `when` holds, at an
 * instruction. skeleton_refuse: refuses the test, for the first reason only. All return false. */
bool skeleton_hazard(struct skeleton *skeleton, term_id when, const struct reason *why, uint32_t thread,
                     uint32_t instr);
bool skeleton_event_hazard(struct skeleton *skeleton, term_id when, enum reason_id why, const struct event *event);
bool skeleton_refuse(struct skeleton *skeleton, const struct reason *why, struct span place);

/* walk.c: the events of the threads with their symbolic values; places are still empty. */
void skeleton_walk(struct skeleton *skeleton, struct dependencies *dependencies);

/* async/tensor.c: an empty plan. skeleton_replan_tensor: true if this walk found facts that need another walk.
 * skeleton_tensor_pieces: the greatest number of pieces of an operation on this number of columns (0: on all). */
struct tensor_plan *skeleton_plan_tensor(struct arena *arena);
bool skeleton_replan_tensor(struct skeleton *skeleton);
uint32_t skeleton_tensor_pieces(const struct tensor_plan *plan, uint32_t columns);

/* barriers.c: the condition under which a thread ends. */
term_id skeleton_thread_ends(struct skeleton *skeleton, uint32_t thread);
/* aligned.c: lanes that execute different instructions where all must execute one. */
void skeleton_aligned(struct skeleton *skeleton);

/* together.c: true if all threads that repeat an iteration together do so in the same way. Needs the phases of
 * arrivals, and places. */
bool skeleton_repeats_alike(struct skeleton *skeleton);

/* together.c: true if, of a skeleton with spins_of, all threads leave out an arrival in the same iterations. */
bool skeleton_leaves_alike(const struct skeleton *skeleton, const struct event *arrival);

/* silent_updates.c: true if the atomics that the walk left out may be left out. Needs the relations. */
bool skeleton_stays_silent(const struct skeleton *skeleton);

/* known.c: replaces the values of reads by terms of their known sources. */
void skeleton_know_sources(struct skeleton *skeleton, const struct sure_sources *sources);

/* free.c: skeleton_refuse_free: refuses a test that uses a free value where it is not modelled. skeleton_refuse_parted:
 * one in which threads that a column represents may go another way than the column; after skeleton_place. */
void skeleton_refuse_free(struct skeleton *skeleton);
void skeleton_refuse_parted(struct skeleton *skeleton);

/* async/responses.c: refuses a test that uses more of a response of try_cancel than the results of query_cancel. Needs
 * memory to be cut. */
void skeleton_refuse_responses(struct skeleton *skeleton);

/* depend.c: removes from the terms of events the reads that make no difference to them, and the dependencies on these
 * reads; with `syntactic`, all syntactic dependencies stay. */
void skeleton_depend(struct skeleton *skeleton, struct dependencies *dependencies, bool syntactic);

/* depend.c: removes dependencies of a wait on the path to it, or to its arrivals (P10). Needs the arrivals of each
 * wait. */
void skeleton_depend_on_no_wait(const struct skeleton *skeleton, struct dependencies *dependencies);

/* places.c: the places of accesses, at fixed and computed addresses; possible values of terms; hazards. */
void skeleton_place(struct skeleton *skeleton);

/* places.c: true if two accesses may touch a common byte. */
bool places_may_meet(const struct event *a, const struct event *b);
/* places.c: the reason, with the location nearest to an access outside all locations or across the end of one, and the
 * thread. */
const struct reason *skeleton_outside(const struct skeleton *skeleton, enum reason_id why, uint64_t address,
                                      uint32_t bytes, uint32_t thread);

/* places.c: the reason why an access of this event to this address is undefined; NO_REASON: it is defined. */
enum reason_id skeleton_misuse(const struct skeleton *skeleton, const struct event *access, value_t address);

/* tries.c: by thread, the instructions whose tests of mbarrier objects may be taken to fail; NULL: none. */
struct bitset *skeleton_failing_tries(const struct skeleton *skeleton);

/* chunks.c: chunks, cells, initial writes (after all other events), finals of memory. */
void skeleton_cut(struct skeleton *skeleton);

/* barriers.c: groups, counts and possible phases of arrivals. */
void skeleton_barriers(struct skeleton *skeleton);
/* barriers.c: the number of these threads, with lanes that arrive as one counted once. */
uint32_t skeleton_count_units(const struct skeleton *skeleton, const struct barrier_group *group,
                              const uint32_t *threads, uint32_t count);

/* mbarrier.c: the operations on each mbarrier object, and the number of its phases. */
void skeleton_mbarriers(struct skeleton *skeleton);

/* async/commit_groups.c: finds groups that write one place twice. async/tensor_columns.c: the stores of a warp are one
 * operation. */
void skeleton_groups(struct skeleton *skeleton);
void skeleton_join_stores(struct skeleton *skeleton);

/* The bounds of the relations (cat/builtin.def), each in the file of its topic. BOUNDS: bound_ID adds its pairs. PAIRS:
 * it has the pairs of threads' events for which pairs_ID is true. JOINED: another relation's bound_ID adds its pairs.
 * GIVEN: it has only the pairs of skeleton_walk. */
#define BOUNDS(id) void bound_##id(struct skeleton *s);
#define PAIRS(id) bool pairs_##id(const struct skeleton *s, const struct event *x, const struct event *y);
#define JOINED(id)
#define GIVEN(id)
#define REL(id, name, needs, bounds, traits, meaning) bounds(id)
#define REL_OPEN(id, name, needs, bounds, member, depends, traits, meaning) bounds(id)
#include "cat/builtin.def"

/* happens.c: finds the events that always happen, and those that happen whenever another one does. */
void skeleton_happens(struct skeleton *skeleton);
/* True if the form of two terms of width 1 shows that b holds whenever a does. */
bool skeleton_forces(const struct skeleton *skeleton, term_id a, term_id b);

/* relations.c: the predefined sets and relations. */
void skeleton_relate(struct skeleton *skeleton, const struct dependencies *dependencies);
