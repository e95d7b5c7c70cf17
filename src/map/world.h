/* The executions of a draft of loads, stores, exchanges, fences and barriers as bit rows. Private to src/map. */
#pragma once

#include "map/map.h"

enum { NODES = 8, NOTHING = 255 };

typedef uint8_t node_set;  /* of nodes: the events, thread after thread */
typedef uint64_t relation; /* row a, the byte number a, is the set of nodes that a leads to */

#define ROWS 0x0101010101010101u /* times a set: that set in every row */
#define DIAGONAL 0x8040201008040201u

struct map_node {
  const struct draft_event *event;
  uint8_t thread, from; /* from: the node it reads from, NOTHING: the initial value */
};

/* The possible places of the writes of an outcome, and their consequences. */
struct map_execution {
  relation rf, co, rb;
  relation eco; /* their closure, if world_is_consistent is called */
};

struct map_world {
  const struct draft *draft;
  struct map_node nodes[NODES];
  uint32_t count;
  node_set present; /* those that were not left out, as in the following sets and relations */
  node_set reads, writes, fences, barriers;
  node_set free;  /* reads of any value: of events left out, or not asked about */
  node_set stray; /* reads of any value but that of the outcome */
  relation sb, loc;
  relation meets;               /* barriers of one block, one round */
  relation before;              /* sb, and the order of barriers */
  relation near[SCOPE_SYS + 1]; /* by scope: nodes whose threads share it */
  uint8_t write_count[DRAFT_LOCATIONS];
  uint8_t last[DRAFT_LOCATIONS]; /* the value that the location ends with, or DRAFT_FREE */
  /* of the execution that is looked at */
  struct map_execution now;
  uint8_t order[DRAFT_LOCATIONS][NODES], placed[DRAFT_LOCATIONS]; /* the writes of each location, one after another */
  void *state;                                                    /* for the test */
};

static inline node_set relation_row(relation r, uint32_t a) { return (node_set)(r >> 8 * a); }
static inline relation relation_pair(uint32_t a, uint32_t b) { return (relation)1 << (8 * a + b); }
static inline relation relation_pairs(uint32_t a, node_set to) { return (relation)to << 8 * a; }
static inline relation relation_to(node_set nodes) { return nodes * ROWS; }

/* All pairs that begin in the set. */
static inline relation relation_from(node_set nodes) {
  relation r = 0;
  for (uint32_t a = 0; a < NODES; a++) r |= (relation)(nodes >> a & 1) * 0xff << 8 * a;
  return r;
}

/* The rows that contain k. */
static inline relation relation_leading_to(relation r, uint32_t k) { return (r >> k & ROWS) * 0xff; }

static inline relation relation_sequence(relation a, relation b) {
  relation r = 0;
  for (uint32_t k = 0; k < NODES; k++) r |= relation_leading_to(a, k) & relation_row(b, k) * ROWS;
  return r;
}

static inline relation relation_closure(relation r) {
  for (uint32_t k = 0; k < NODES; k++) r |= relation_leading_to(r, k) & relation_row(r, k) * ROWS;
  return r;
}

static inline bool relation_is_irreflexive(relation r) { return !(r & DIAGONAL); }
static inline bool relation_is_acyclic(relation r) { return relation_is_irreflexive(relation_closure(r)); }

/* Builds the relations that all executions of a program share under any orders and scopes. World refers to the events
 * of the draft, whose strengths and values may change. */
void world_build(struct map_world *world, const struct draft *draft);
/* The same without some of its nodes, as by draft_remove: their values in the outcome become free. */
void world_leave_out(struct map_world *world, node_set gone);

/* Calls the test for each execution that has the outcome, until it returns true. */
typedef bool world_test(struct map_world *world);
bool world_some_execution(struct map_world *world, world_test *test);

/* The relations of scoped RC11 in an execution, with the strengths that the events have now: the models
 * models/rc11-scoped*.cat, with LB=dependencies, in some microseconds. tests/unit/test_map.c compares. */
struct map_strengths {
  node_set sc, releases, acquires, atomic;
  relation inclusive;
};
struct map_strengths world_strengths(const struct map_world *world);
relation world_happens_before(const struct map_world *world, const struct map_strengths *strengths,
                              const struct map_execution *execution, bool old_sequences);
/* Pairs of accesses to one location, one of them a write, whose scopes do not contain each other's threads. */
relation world_conflicts(const struct map_world *world, const struct map_strengths *strengths);
/* True if the program has a data race in any execution, whatever its outcome, given the strengths, branches and
 * comparisons that its events have now. */
bool world_races(const struct map_world *world, bool old_sequences);
/* Fills in the demands of an execution on strengths. False: it is consistent with no strengths. */
bool world_relate(const struct map_world *world, struct map_execution *execution);
bool world_is_consistent(const struct map_world *world, const struct map_strengths *strengths,
                         const struct map_execution *execution, bool old_sequences);
