#include "flow/flow.h"

struct flow flow_new(struct arena *arena, uint32_t count) {
  struct flow flow = {.count = count, .next = arena_calloc(arena, (size_t)count + 1, sizeof *flow.next)};
  for (uint32_t i = 0; i <= count; i++) flow.next[i][0] = flow.next[i][1] = FLOW_NONE;
  return flow;
}

void flow_follow(const struct flow *flow, struct bitset nodes) {
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t i = 0; i < flow->count; i++)
      for (uint32_t k = 0; k < 2 && bitset_has(nodes, i); k++) {
        uint32_t to = flow->next[i][k];
        if (to == FLOW_NONE || bitset_has(nodes, to)) continue;
        bitset_add(nodes, to);
        grew |= to < i;
      }
  }
}

void flow_trace(const struct flow *flow, struct bitset nodes, uint32_t avoided) {
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t i = flow->count; i-- > 0;)
      for (uint32_t k = 0; k < 2 && !bitset_has(nodes, i); k++) {
        uint32_t to = flow->next[i][k];
        if (to == FLOW_NONE || to == avoided || !bitset_has(nodes, to)) continue;
        bitset_add(nodes, i);
        grew = true;
      }
  }
}
