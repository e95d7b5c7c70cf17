/* Locations cut into pieces (docs/semantics.md K2): elements that no access of a test tells apart behave alike, so that
 * an operation on many bytes is an event for each set of such elements, at the first of them. Private to src/exec. */
#pragma once

#include "base/vec.h"
#include "exec/skeleton.h"

/* Elements beside one another in physical memory, all of one piece. */
struct piece_stretch {
  uint32_t begin, end;
  uint32_t first; /* the physical address of the first element of the piece */
  uint64_t mark;  /* equal for those of a piece */
};

struct pieces_of_memory {
  VEC(struct piece_count {
    const struct async *async;
    uint32_t elements; /* of all its sides, in all CTAs */
  })
  counts;
  VEC(struct piece_stretch) stretches; /* those that operations on many bytes access, by address */
  uint32_t *units;                     /* by object: the bytes of an element, the largest that an operation takes */
};

/* Cuts all locations of a program that operations on many bytes access. */
const struct pieces_of_memory *pieces_find(struct arena *arena, const struct program *program);
/* The byte of the first element of a piece that stands for a byte of an object; the byte itself where it stands alone.
 */
uint32_t pieces_first(const struct pieces_of_memory *pieces, uint32_t object, uint32_t phys);
/* The number of elements that stand for all that an operation accesses; UINT32_MAX: not known. */
uint32_t pieces_count(const struct pieces_of_memory *pieces, const struct async *async);
