/* Slices: the least set of items that has those wanted and is closed under rules "if one of these is in it, so are
 * those".
 *
 * An item is a number that the caller gives to what a value may be in, such as a register or a byte of memory, or to
 * what an instruction does. The rules of a backward slice lead from results to sources (if a result matters, so do the
 * sources); those of a forward slice from sources to results. The set is the same for every order of the rules, which
 * is that of instructions: it may have more items than the paths of a thread require. */
#pragma once

#include "base/bits.h"
#include "base/vec.h"

struct slice_items {
  uint32_t first, count;
};

/* Items from the place `begin` of the list on, up to those of the next rule: `asked` of them decide it, the others
 * follow. */
struct slice_rule {
  uint32_t begin, asked;
  bool always, done; /* done: those that follow are in the set */
};

struct flow_slice {
  struct arena *arena;
  struct bitset items;
  VEC(struct slice_rule) rules;
  VEC(struct slice_items) list;
};

struct flow_slice slice_new(struct arena *arena, uint32_t items);

/* Begins a rule. slice_if then adds items one of which is enough, and slice_then, called after it, items that follow. A
 * rule without an item in a slice_if has no effect, except after slice_if_always. */
void slice_rule(struct flow_slice *slice);
void slice_if(struct flow_slice *slice, uint32_t first, uint32_t count);
void slice_if_always(struct flow_slice *slice);
void slice_then(struct flow_slice *slice, uint32_t first, uint32_t count);

/* Adds wanted items; slice_close must follow before the set is read. More rules and items may come after it. */
void slice_want(struct flow_slice *slice, uint32_t first, uint32_t count);
void slice_close(struct flow_slice *slice);

/* True if one of the items is in the set. */
bool slice_has(const struct flow_slice *slice, uint32_t first, uint32_t count);
