/* Slices: the least set of items that has those wanted and is closed under rules "if one of these is in it, so are
 * those".
 *
 * An item is a number that the caller gives to what a value may be in, such as a register or a byte of memory, or to
 * what an instruction does. The rules of a backward slice lead from results to sources (if a result matters, so do the
 * sources); those of a forward slice from sources to results. The order of instructions makes no difference: the set is
 * the same for every order of rules, and may have more items than the paths of a thread require. */
#pragma once

#include "base/bits.h"
#include "base/vec.h"

/* Items [begin, end). */
struct slice_items {
  uint32_t begin, end;
};

/* The items from `first` on are those of the rule, up to the next rule's: `asked` of them decide it, the others follow
 * from it. */
struct slice_rule {
  uint32_t first, asked;
  bool always;
  bool done; /* all that follow are in the set */
};

struct slice {
  struct arena *arena;
  struct bitset items;
  VEC(struct slice_rule) rules;
  VEC(struct slice_items) ranges;
};

struct slice slice_new(struct arena *arena, uint32_t items);

/* Begins a rule. slice_if then adds items one of which is enough, and slice_then, called after it, items that follow. A
 * rule without any slice_if is applied only after slice_if_always. */
void slice_rule(struct slice *slice);
void slice_if(struct slice *slice, uint32_t begin, uint32_t end);
void slice_if_always(struct slice *slice);
void slice_then(struct slice *slice, uint32_t begin, uint32_t end);

/* Adds wanted items. slice_close must follow before the set is read. */
void slice_want(struct slice *slice, uint32_t begin, uint32_t end);
void slice_close(struct slice *slice);

/* True if one of the items is in the set. */
bool slice_has(const struct slice *slice, uint32_t begin, uint32_t end);
