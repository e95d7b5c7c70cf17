#include "flow/slice.h"

struct flow_slice slice_new(struct arena *arena, uint32_t items) {
  return (struct flow_slice){.arena = arena, .items = bitset_new(arena, items)};
}

void slice_rule(struct flow_slice *s) { VEC_PUSH(s->arena, &s->rules, (struct slice_rule){.begin = s->list.len}); }

void slice_if_always(struct flow_slice *s) { s->rules.data[s->rules.len - 1].always = true; }

void slice_then(struct flow_slice *s, uint32_t first, uint32_t count) {
  VEC_PUSH(s->arena, &s->list, (struct slice_items){first, count});
}

void slice_if(struct flow_slice *s, uint32_t first, uint32_t count) {
  struct slice_rule *rule = &s->rules.data[s->rules.len - 1];
  REQUIRE(rule->begin + rule->asked++ == s->list.len);
  slice_then(s, first, count);
}

void slice_want(struct flow_slice *s, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) bitset_add(s->items, first + i);
}

bool slice_has(const struct flow_slice *s, uint32_t first, uint32_t count) {
  return count && bitset_next(s->items, first) < first + count;
}

/* True if the rule applies for the first time. Its items are those before `end`. */
static bool apply(struct flow_slice *s, struct slice_rule *rule, uint32_t end) {
  const struct slice_items *items = s->list.data, *then = items + rule->begin + rule->asked;
  bool applies = rule->always;
  for (const struct slice_items *i = items + rule->begin; i < then && !applies; i++)
    applies = slice_has(s, i->first, i->count);
  if (!applies || rule->done) return false;
  for (; then < items + end; then++) slice_want(s, then->first, then->count);
  return rule->done = true;
}

/* Applies the last rules first: most sources of an instruction were written before it. */
void slice_close(struct flow_slice *s) {
  for (bool grew = s->list.len; grew;) {
    grew = false;
    for (uint32_t i = s->rules.len, end = s->list.len; i-- > 0; end = s->rules.data[i].begin)
      grew |= apply(s, &s->rules.data[i], end);
  }
}
