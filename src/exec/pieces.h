/* Locations cut into pieces (docs/semantics.md K2): elements that no access of a test distinguishes behave alike, so
 * that an operation on many bytes has one event for each set of such elements, at the first element. Private to
 * src/exec. */
#pragma once

#include "exec/skeleton.h"

/* Adjacent elements in physical memory, all of one piece. */
struct piece_stretch {
  uint32_t begin, end;
  uint32_t first; /* the physical address of the first element of the piece */
  uint64_t mark;  /* equal for the stretches of a piece */
};

struct pieces_of_memory {
  VEC(struct piece_count {
    const struct async *async;
    uint32_t elements; /* of all its sides, in all CTAs */
  })
  counts;
  VEC(struct piece_stretch) stretches; /* the stretches that operations on many bytes access, by address */
  uint32_t *units;                     /* by object: the bytes of an element, the largest that an operation takes */
};

/* Cuts all locations of a program that operations on many bytes access. */
const struct pieces_of_memory *pieces_find(struct arena *arena, const struct program *program, struct without without);
/* The byte, in the first element of its piece, that represents a byte of an object; the byte itself if it has no
 * piece. */
uint32_t pieces_first(const struct pieces_of_memory *pieces, uint32_t object, uint32_t phys);
/* The number of elements that represent all elements of an operation; UINT32_MAX: not known. */
uint32_t pieces_count(const struct pieces_of_memory *pieces, const struct async *async);
