#include "flow/flow.h"

/* ---- Loops as parts of the text */

static int by_begin(const void *a, const void *b) {
  const struct loop *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return x->end > y->end ? -1 : x->end < y->end;
}

/* Joins two loops into one if they have the same begin, or overlap without being nested. */
static bool join(struct loop *a, const struct loop *b) {
  bool apart = a->end <= b->begin || b->end <= a->begin;
  bool nested = (a->begin < b->begin && b->end <= a->end) || (b->begin < a->begin && a->end <= b->end);
  if (apart || nested) return false;
  if (b->begin < a->begin) a->begin = b->begin;
  if (b->end > a->end) a->end = b->end;
  return true;
}

uint32_t loops_common(const struct loop_list *loops, uint32_t a, uint32_t b) {
  for (uint32_t i = loops->len; i-- > 0;) /* outer loops come first */
    if (loop_has(&loops->data[i], a) && loop_has(&loops->data[i], b)) return i;
  return FLOW_NONE;
}

static void mark_irregular(const struct flow *flow, struct loop_list *loops) {
  for (uint32_t i = 0; i < flow->count; i++) {
    uint32_t to = flow->next[i][1], common = loops_common(loops, i, to);
    if (to >= flow->count) continue;
    for (uint32_t l = 0; l < loops->len; l++) {
      struct loop *loop = &loops->data[l];
      bool enters = loop_has(loop, to) && !loop_has(loop, i);
      if (to != loop->begin && (enters || (to <= i && l == common))) loop->irregular = true;
    }
  }
}

struct loop_list flow_loops(struct arena *arena, const struct flow *flow) {
  struct loop_list loops = {0};
  for (uint32_t i = 0; i < flow->count; i++)
    if (flow->next[i][1] <= i) VEC_PUSH(arena, &loops, (struct loop){.begin = flow->next[i][1], .end = i + 1});
  for (bool joined = true; joined;) {
    joined = false;
    for (uint32_t i = 0; i < loops.len; i++)
      for (uint32_t j = i + 1; j < loops.len; j++)
        if (join(&loops.data[i], &loops.data[j])) {
          loops.data[j] = loops.data[--loops.len];
          joined = true;
        }
  }
  if (loops.len) qsort(loops.data, loops.len, sizeof *loops.data, by_begin);
  mark_irregular(flow, &loops);
  return loops;
}

/* ---- Loops in any order of the text */

/* Adds the loop of the paths to `from` that do not pass `begin`, to which `from` leads; no loop if a path from the
 * start avoids `begin`. */
static void add_cycle(struct arena *arena, const struct flow *flow, uint32_t from, uint32_t begin,
                      struct cycle_list *out) {
  struct bitset has = bitset_new(arena, flow->count + 1);
  bitset_add(has, begin);
  bitset_add(has, from);
  flow_trace(flow, has, begin);
  if (begin && bitset_has(has, 0)) return;
  VEC_EACH (cycle, out)
    if (cycle->begin == begin) {
      bitset_or(cycle->has, has);
      return;
    }
  VEC_PUSH(arena, out, (struct cycle){begin, has});
}

/* Follows every path, and looks for edges back to a node on the path to them. */
struct cycle_list flow_cycles(struct arena *arena, const struct flow *flow) {
  struct flow_visit {
    uint32_t node, step;
  };
  enum { NEW, ON_THE_WAY, DONE };
  struct cycle_list out = {0};
  VEC(struct flow_visit) way = {0};
  uint8_t *state = ARENA_ARRAY(arena, uint8_t, (size_t)flow->count + 1);
  VEC_PUSH(arena, &way, (struct flow_visit){0, 0});
  while (way.len) {
    struct flow_visit *v = &way.data[way.len - 1];
    uint32_t at = v->node;
    state[at] = v->step < 2 ? ON_THE_WAY : DONE;
    if (v->step == 2) {
      way.len--;
      continue;
    }
    uint32_t to = flow->next[at][v->step++];
    if (to == FLOW_NONE) continue;
    if (state[to] == ON_THE_WAY) add_cycle(arena, flow, at, to, &out);
    if (state[to] == NEW) VEC_PUSH(arena, &way, (struct flow_visit){to, 0});
  }
  return out;
}
