#include "flow/slice.h"

struct slice slice_new(struct arena *arena, uint32_t items) {
  return (struct slice){.arena = arena, .items = bitset_new(arena, items)};
}

void slice_rule(struct slice *s) { VEC_PUSH(s->arena, &s->rules, (struct slice_rule){.first = s->ranges.len}); }

void slice_then(struct slice *s, uint32_t begin, uint32_t end) {
  VEC_PUSH(s->arena, &s->ranges, (struct slice_items){begin, end});
}

void slice_if(struct slice *s, uint32_t begin, uint32_t end) {
  struct slice_rule *rule = &s->rules.data[s->rules.len - 1];
  REQUIRE(rule->first + rule->asked == s->ranges.len);
  rule->asked++;
  slice_then(s, begin, end);
}

void slice_want(struct slice *s, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++) bitset_add(s->items, i);
}

void slice_if_always(struct slice *s) { s->rules.data[s->rules.len - 1].always = true; }

bool slice_has(const struct slice *s, uint32_t begin, uint32_t end) {
  return begin < end && bitset_next(s->items, begin) < end;
}

/* True if the rule now applies for the first time; its items follow. */
static bool apply(struct slice *s, struct slice_rule *rule, uint32_t end) {
  const struct slice_items *ranges = s->ranges.data;
  bool applies = rule->always;
  for (uint32_t k = 0; k < rule->asked && !applies; k++)
    applies = slice_has(s, ranges[rule->first + k].begin, ranges[rule->first + k].end);
  if (!applies) return false;
  for (uint32_t k = rule->first + rule->asked; k < end; k++) slice_want(s, ranges[k].begin, ranges[k].end);
  return rule->done = true;
}

/* The rules for later instructions come first: most sources were written before. */
void slice_close(struct slice *s) {
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t i = s->rules.len; i-- > 0;) {
      uint32_t end = i + 1 < s->rules.len ? s->rules.data[i + 1].first : s->ranges.len;
      if (!s->rules.data[i].done) grew |= apply(s, &s->rules.data[i], end);
    }
  }
}
