#include "flow/flow.h"

enum { NOT_YET = FLOW_NONE }; /* also: perhaps none */

/* The first place on every path from a node, if the paths have one in common. */
static uint32_t first_from(const struct flow *flow, struct bitset places, const uint32_t *first, uint32_t node) {
  const uint32_t *next = flow->next[node];
  if (bitset_has(places, node)) return node;
  if (flow_is_fork(flow, node)) return first[next[0]] == first[next[1]] ? first[next[0]] : (uint32_t)NOT_YET;
  uint32_t to = next[0] == FLOW_NONE ? next[1] : next[0];
  return to == FLOW_NONE ? (uint32_t)NOT_YET : first[to];
}

/* By node: the first place. */
static uint32_t *find_first(struct arena *arena, const struct flow *flow, struct bitset places) {
  uint32_t *first = ARENA_ARRAY(arena, uint32_t, (size_t)flow->count + 1);
  for (uint32_t i = 0; i < flow->count; i++) first[i] = NOT_YET;
  first[flow->count] = flow->count;
  for (bool found = true; found;) {
    found = false;
    for (uint32_t i = flow->count; i-- > 0;) {
      if (first[i] != NOT_YET) continue;
      first[i] = first_from(flow, places, first, i);
      found |= first[i] != NOT_YET;
    }
  }
  return first;
}

/* `all`: also forks with a way whose first place is not known. */
static bool keep(const struct flow *flow, const uint32_t *first, struct bitset kept, bool all) {
  bool any = false;
  for (uint32_t i = 0; i < flow->count; i++) {
    if (!flow_is_fork(flow, i) || bitset_has(kept, i)) continue;
    uint32_t a = first[flow->next[i][0]], b = first[flow->next[i][1]];
    if (a == NOT_YET || b == NOT_YET ? !all : a == b) continue;
    bitset_add(kept, i);
    any = true;
  }
  return any;
}

bool flow_keep_forks(struct arena *arena, const struct flow *flow, struct bitset effects, struct bitset kept) {
  struct bitset places = bitset_copy(arena, effects);
  bitset_or(places, kept);
  const uint32_t *first = find_first(arena, flow, places);
  return keep(flow, first, kept, false) || keep(flow, first, kept, true);
}
