/* Sets of small numbers and square relations over them, one bit per element or pair.
 *
 * A bitset holds numbers in [0, n); a bitmat holds pairs (row, column) with both in [0, n). All operands of one
 * operation must have the same n. Storage belongs to the arena given at creation.
 */
#pragma once

#include "base/arena.h"

enum { WORD_BITS = 64 };

struct bitset {
  uint32_t n;
  uint64_t *words; /* bitset_words(n) of them; unused high bits are 0 */
};

struct bitmat {
  uint32_t n, stride; /* stride: words in a row */
  uint64_t *words;    /* n * stride, row after row */
};

static inline uint32_t bitset_words(uint32_t n) { return (n + WORD_BITS - 1) / WORD_BITS; }

/* All empty. */
struct bitset bitset_new(struct arena *arena, uint32_t n);
struct bitmat bitmat_new(struct arena *arena, uint32_t n);
struct bitset bitset_copy(struct arena *arena, struct bitset from);
struct bitmat bitmat_copy(struct arena *arena, struct bitmat from);

static inline bool bitset_has(struct bitset s, uint32_t i) { return s.words[i / WORD_BITS] >> (i % WORD_BITS) & 1; }
static inline void bitset_add(struct bitset s, uint32_t i) { s.words[i / WORD_BITS] |= (uint64_t)1 << (i % WORD_BITS); }
static inline void bitset_del(struct bitset s, uint32_t i) {
  s.words[i / WORD_BITS] &= ~((uint64_t)1 << (i % WORD_BITS));
}

static inline uint64_t *bitmat_row(struct bitmat m, uint32_t row) { return m.words + (size_t)row * m.stride; }
static inline struct bitset bitmat_row_set(struct bitmat m, uint32_t row) {
  return (struct bitset){m.n, bitmat_row(m, row)};
}
static inline bool bitmat_has(struct bitmat m, uint32_t a, uint32_t b) {
  return bitmat_row(m, a)[b / WORD_BITS] >> (b % WORD_BITS) & 1;
}
static inline void bitmat_add(struct bitmat m, uint32_t a, uint32_t b) {
  bitmat_row(m, a)[b / WORD_BITS] |= (uint64_t)1 << (b % WORD_BITS);
}
static inline void bitmat_del(struct bitmat m, uint32_t a, uint32_t b) {
  bitmat_row(m, a)[b / WORD_BITS] &= ~((uint64_t)1 << (b % WORD_BITS));
}

/* The least element >= from, or n when there is none. */
static inline uint32_t bitset_next(struct bitset s, uint32_t from) {
  if (from >= s.n) return s.n;
  uint32_t word = from / WORD_BITS, words = bitset_words(s.n);
  uint64_t bits = s.words[word] & (~(uint64_t)0 << (from % WORD_BITS));
  while (!bits) {
    if (++word >= words) return s.n;
    bits = s.words[word];
  }
  return word * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
}

/* The least element >= from of both sets, or n. */
static inline uint32_t bitset_next_both(struct bitset a, struct bitset b, uint32_t from) {
  for (uint32_t word = from / WORD_BITS, words = bitset_words(a.n); word < words; word++) {
    uint64_t bits = a.words[word] & b.words[word];
    if (word == from / WORD_BITS) bits &= ~(uint64_t)0 << (from % WORD_BITS);
    if (bits) return word * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
  }
  return a.n;
}

/* Iterates over the elements of a set in ascending order: `EACH(i, set) statement`. The set is evaluated once; elements
 * that the statement adds or removes ahead of i count. `break` and `continue` are those of a loop. */
#define EACH(i, set) EACH_FROM (i, set, 0)
#define EACH_FROM(i, set, from)                                                                                        \
  for (struct bitset i##_set = (set), *i##_once = &i##_set; i##_once; i##_once = NULL)                                 \
    for (uint32_t i = bitset_next(i##_set, (from)); i < i##_set.n; i = bitset_next(i##_set, i + 1))

uint32_t bitset_count(struct bitset s);
bool bitset_empty(struct bitset s);
bool bitset_subset(struct bitset a, struct bitset b);
bool bitset_meets(struct bitset a, struct bitset b); /* true if they have a common element */
void bitset_clear(struct bitset dst);
void bitset_set(struct bitset dst, struct bitset src);
/* dst op= src */
void bitset_or(struct bitset dst, struct bitset src);
void bitset_and(struct bitset dst, struct bitset src);
void bitset_minus(struct bitset dst, struct bitset src);
void bitset_fill(struct bitset dst);
void bitset_add_run(struct bitset dst, uint32_t begin, uint32_t end); /* adds the elements from begin to end - 1 */

void bitmat_clear(struct bitmat dst);
void bitmat_set(struct bitmat dst, struct bitmat src);
void bitmat_or(struct bitmat dst, struct bitmat src);
void bitmat_and(struct bitmat dst, struct bitmat src);
void bitmat_minus(struct bitmat dst, struct bitmat src);
void bitmat_fill(struct bitmat dst);
bool bitmat_equal(struct bitmat a, struct bitmat b);
bool bitmat_empty(struct bitmat m);
uint64_t bitmat_count(struct bitmat m);
/* A shortest path from one element to another, or a shortest cycle if `from` is `to`: `path` gets its elements, both
 * ends included, and needs space for n + 1. Returns the number of pairs on the path; 0 if there is no path. */
uint32_t bitmat_path(struct arena *arena, struct bitmat m, uint32_t from, uint32_t to, uint32_t *path);
/* dst = a ; b. dst must be neither operand. n*n*n/64 word operations at worst. */
void bitmat_compose(struct bitmat dst, struct bitmat a, struct bitmat b);
/* dst = src^-1. dst must not be src. */
void bitmat_inverse(struct bitmat dst, struct bitmat src);
/* In place transitive closure (Warshall). */
void bitmat_closure(struct bitmat m);
/* True if m, as a graph, has a cycle (m need not be closed). */
bool bitmat_cyclic(struct arena *scratch, struct bitmat m);
/* True if no element is between the two: a transitive order is transitive without the pair too. */
bool bitmat_covers(struct bitmat order, uint32_t a, uint32_t b);
