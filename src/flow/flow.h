/* Graphs of code, looked at without running it: paths, loops, liveness, and forks without a difference.
 *
 * A node is an instruction of a thread, or a block of code; whoever makes a graph says where each node leads. Node 0 is
 * the start. Nothing here knows what a node does: sets of nodes and functions of the caller say it. */
#pragma once

#include "base/bits.h"
#include "base/vec.h"

enum { FLOW_NONE = UINT32_MAX };

struct flow {
  uint32_t count;      /* nodes; node `count` is the end, which leads nowhere */
  uint32_t (*next)[2]; /* by node: the nodes to which it leads, without a jump and with one; FLOW_NONE: to none */
};

/* A graph whose nodes lead nowhere yet. */
struct flow flow_new(struct arena *arena, uint32_t count);

/* True if the node leads to two nodes. */
static inline bool flow_is_fork(const struct flow *flow, uint32_t node) {
  return flow->next[node][0] != FLOW_NONE && flow->next[node][1] != FLOW_NONE;
}

/* flow_follow adds to a set of nodes all those to which paths lead from its members; flow_trace all those from which
 * paths lead to its members, without passing `avoided` before (FLOW_NONE: any path). Sets have count + 1 places. */
void flow_follow(const struct flow *flow, struct bitset nodes);
void flow_trace(const struct flow *flow, struct bitset nodes, uint32_t avoided);

/* ---- Loops. loops.c */

/* The nodes [begin, end) from the target of an edge back, to an equal or earlier node, to the edge. Loops that overlap
 * are one loop, so that any two are nested or apart. */
struct loop {
  uint32_t begin, end;
  bool irregular; /* an edge goes to a node other than the first: from outside, or back in this loop and no inner one */
};

/* A VEC, by begin: an outer loop comes before an inner one. */
struct loop_list {
  struct loop *data;
  uint32_t len, cap;
};

struct loop_list flow_loops(struct arena *arena, const struct flow *flow);

static inline bool loop_has(const struct loop *loop, uint32_t node) { return loop->begin <= node && node < loop->end; }

/* The innermost loop that has both nodes, as an index; FLOW_NONE: no loop has. */
uint32_t loops_common(const struct loop_list *loops, uint32_t a, uint32_t b);

/* A loop in any order of the nodes: all nodes on paths from `begin` back to it, where every path from the start to one
 * of them passes `begin`. No two have the same `begin`. */
struct cycle {
  uint32_t begin;
  struct bitset has;
};

struct cycle_list {
  struct cycle *data;
  uint32_t len, cap;
};

struct cycle_list flow_cycles(struct arena *arena, const struct flow *flow);

/* ---- Liveness. live.c */

/* By node and for the end: the registers whose values there may still matter. At the end those of `live[count]` do, and
 * `before` changes the set after a node to the set before it; more registers after it must not be fewer before it. */
struct bitset *flow_live(struct arena *arena, const struct flow *flow, struct bitset at_end,
                         void (*before)(const void *code, uint32_t node, struct bitset live), const void *code);

/* ---- Forks. forks.c */

/* Adds forks to `kept` whose two ways come to different places next. The places are the nodes in `effects`, the end,
 * and the forks kept; a way that may never come to one differs from all. If every fork left out takes one of its ways,
 * a thread thus does the same. True if it added any; the caller then finds the effects that these forks need, and asks
 * again: first it adds only forks that differ in places that are known, which may decide others. */
bool flow_keep_forks(struct arena *arena, const struct flow *flow, struct bitset effects, struct bitset kept);
