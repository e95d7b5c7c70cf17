/* The executions of a draft of loads, stores, exchanges, fences and barriers as bit rows. Private to src/map. */
#pragma once

#include "map/map.h"

enum { NODES = 8, NOTHING = 255 };

typedef uint8_t node_set;  /* a set of nodes: the events, thread by thread */
typedef uint64_t relation; /* row a, which is byte a, is the set of successors of node a */

#define ROWS 0x0101010101010101u /* ROWS times a set: the relation with the set in every row */
#define DIAGONAL 0x8040201008040201u

struct map_node {
  const struct draft_event *event;
  uint8_t thread, from; /* from: the node that it reads from; NOTHING: the initial value */
};

/* A choice of coherence and reads-from for an outcome, and the derived relations. */
struct map_execution {
  relation rf, co, rb;
  relation eco; /* the closure of these, if world_is_consistent is called */
};

struct map_world {
  const struct draft *draft;
  struct map_node nodes[NODES];
  uint32_t count;
  node_set present; /* the nodes that are not removed, as in the following sets and relations */
  node_set reads, writes, fences, barriers;
  node_set free;  /* reads of any value: their writes are removed, or the outcome does not give it */
  node_set stray; /* reads that return any value but the value in the outcome */
  relation sb, loc;
  relation meets;               /* relates barriers of the same block and round */
  relation before;              /* sb, and the order of barriers */
  relation near[SCOPE_SYS + 1]; /* by scope: nodes whose threads share it */
  uint8_t write_count[DRAFT_LOCATIONS];
  uint8_t last[DRAFT_LOCATIONS]; /* the final value of the location, or DRAFT_FREE */
  /* of the current execution */
  struct map_execution now;
  uint8_t order[DRAFT_LOCATIONS][NODES], placed[DRAFT_LOCATIONS]; /* the writes of each location, in order */
  void *state;                                                    /* for the test */
};

static inline node_set relation_row(relation r, uint32_t a) { return (node_set)(r >> 8 * a); }
static inline relation relation_pair(uint32_t a, uint32_t b) { return (relation)1 << (8 * a + b); }
static inline relation relation_pairs(uint32_t a, node_set to) { return (relation)to << 8 * a; }
static inline relation relation_to(node_set nodes) { return nodes * ROWS; }

/* All pairs that start in the set. */
static inline relation relation_from(node_set nodes) {
  relation r = 0;
  for (uint32_t a = 0; a < NODES; a++) r |= (relation)(nodes >> a & 1) * 0xff << 8 * a;
  return r;
}

/* All pairs of the nodes whose rows contain k. */
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

/* Builds the relations that all executions of a program share under any orders and scopes. The world refers to the
 * events of the draft, whose strengths and values may change later. */
void world_build(struct map_world *world, const struct draft *draft);
/* Removes nodes from the world, as draft_remove does: their values in the outcome become free. */
void world_leave_out(struct map_world *world, node_set gone);

/* Calls the test for each execution that has the outcome, until it returns true. */
typedef bool world_test(struct map_world *world);
bool world_some_execution(struct map_world *world, world_test *test);

/* The relations of scoped RC11 (models/rc11-scoped*.cat with LB=dependencies) in an execution, for the current
 * strengths of the events, in microseconds. tests/unit/test_map.c compares the two. */
struct map_strengths {
  node_set sc, releases, acquires, atomic;
  relation inclusive;
};
struct map_strengths world_strengths(const struct map_world *world);
relation world_happens_before(const struct map_world *world, const struct map_strengths *strengths,
                              const struct map_execution *execution, bool old_sequences);
/* Pairs of accesses to one location, one of them a write, whose scopes do not contain each other's threads. */
relation world_conflicts(const struct map_world *world, const struct map_strengths *strengths);
/* True if the program has a data race in any execution, whatever its outcome, for the current strengths, branches and
 * comparisons of its events. */
bool world_races(const struct map_world *world, bool old_sequences);
/* Computes the requirements of an execution on strengths. False: it is inconsistent under all strengths. */
bool world_relate(const struct map_world *world, struct map_execution *execution);
bool world_is_consistent(const struct map_world *world, const struct map_strengths *strengths,
                         const struct map_execution *execution, bool old_sequences);
