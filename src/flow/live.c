#include "flow/flow.h"

struct bitset *flow_live(struct arena *arena, const struct flow *flow, struct bitset at_end,
                         void (*before)(const void *code, uint32_t node, struct bitset live), const void *code) {
  struct bitset *live = ARENA_ARRAY(arena, struct bitset, (size_t)flow->count + 1);
  struct bitset now = bitset_new(arena, at_end.n);
  for (uint32_t i = 0; i < flow->count; i++) live[i] = bitset_new(arena, at_end.n);
  live[flow->count] = at_end;
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t i = flow->count; i-- > 0;) {
      bitset_clear(now);
      for (uint32_t k = 0; k < 2; k++)
        if (flow->next[i][k] != FLOW_NONE) bitset_or(now, live[flow->next[i][k]]);
      before(code, i, now);
      if (bitset_subset(now, live[i])) continue;
      bitset_or(live[i], now);
      grew = true;
    }
  }
  return live;
}
