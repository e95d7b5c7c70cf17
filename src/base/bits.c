#include "base/bits.h"

struct bitset bitset_new(struct arena *arena, uint32_t n) {
  return (struct bitset){n, ARENA_ARRAY(arena, uint64_t, bitset_words(n))};
}

struct bitmat bitmat_new(struct arena *arena, uint32_t n) {
  uint32_t stride = bitset_words(n);
  return (struct bitmat){n, stride, ARENA_ARRAY(arena, uint64_t, (size_t)n * stride)};
}

struct bitset bitset_copy(struct arena *arena, struct bitset from) {
  struct bitset copy = bitset_new(arena, from.n);
  bitset_or(copy, from);
  return copy;
}

struct bitmat bitmat_copy(struct arena *arena, struct bitmat from) {
  struct bitmat copy = bitmat_new(arena, from.n);
  bitmat_set(copy, from);
  return copy;
}

static uint64_t count_words(const uint64_t *words, size_t length) {
  uint64_t count = 0;
  for (size_t i = 0; i < length; i++) count += (uint64_t)__builtin_popcountll(words[i]);
  return count;
}

static void fill_row(uint64_t *words, uint32_t n) {
  uint32_t length = bitset_words(n);
  for (uint32_t i = 0; i < length; i++) words[i] = ~(uint64_t)0;
  if (n % WORD_BITS) words[length - 1] = ((uint64_t)1 << (n % WORD_BITS)) - 1;
}

uint32_t bitset_count(struct bitset s) { return (uint32_t)count_words(s.words, bitset_words(s.n)); }

bool bitset_empty(struct bitset s) { return bitset_next(s, 0) == s.n; }

bool bitset_subset(struct bitset a, struct bitset b) {
  return !SOME_BELOW(i, bitset_words(a.n), a.words[i] & ~b.words[i]);
}

bool bitset_meets(struct bitset a, struct bitset b) {
  return SOME_BELOW(i, bitset_words(a.n), a.words[i] & b.words[i]);
}

void bitset_clear(struct bitset dst) {
  for (uint32_t i = 0; i < bitset_words(dst.n); i++) dst.words[i] = 0;
}

void bitset_set(struct bitset dst, struct bitset src) {
  for (uint32_t i = 0; i < bitset_words(dst.n); i++) dst.words[i] = src.words[i];
}

static size_t mat_words(struct bitmat m) { return (size_t)m.n * m.stride; }

#define WORD_BY_WORD(name, op)                                                                                         \
  void bitset_##name(struct bitset dst, struct bitset src) {                                                           \
    for (uint32_t i = 0; i < bitset_words(dst.n); i++) dst.words[i] op src.words[i];                                   \
  }                                                                                                                    \
  void bitmat_##name(struct bitmat dst, struct bitmat src) {                                                           \
    for (size_t i = 0, length = mat_words(dst); i < length; i++) dst.words[i] op src.words[i];                         \
  }
WORD_BY_WORD(or, |=)
WORD_BY_WORD(and, &=)
WORD_BY_WORD(minus, &= ~)

void bitset_add_run(struct bitset dst, uint32_t begin, uint32_t end) {
  for (uint32_t next; begin < end; begin = next) {
    uint64_t bits = ~(uint64_t)0 << begin % WORD_BITS;
    next = (begin / WORD_BITS + 1) * WORD_BITS;
    if (next > end) bits &= ~(~(uint64_t)0 << end % WORD_BITS);
    dst.words[begin / WORD_BITS] |= bits;
  }
}

void bitset_fill(struct bitset dst) {
  if (dst.n) fill_row(dst.words, dst.n);
}

void bitmat_clear(struct bitmat dst) {
  if (dst.n) memset(dst.words, 0, mat_words(dst) * sizeof *dst.words);
}

void bitmat_set(struct bitmat dst, struct bitmat src) {
  if (dst.n) memcpy(dst.words, src.words, mat_words(dst) * sizeof *dst.words);
}

void bitmat_fill(struct bitmat dst) {
  for (uint32_t row = 0; row < dst.n; row++) fill_row(bitmat_row(dst, row), dst.n);
}

bool bitmat_equal(struct bitmat a, struct bitmat b) {
  return !a.n || memcmp(a.words, b.words, mat_words(a) * sizeof *a.words) == 0;
}

bool bitmat_empty(struct bitmat m) {
  return !SOME(for (size_t i = 0, length = mat_words(m); i < length; i++), m.words[i]);
}

uint64_t bitmat_count(struct bitmat m) { return count_words(m.words, mat_words(m)); }

static void or_row(struct bitmat dst, uint32_t to, struct bitmat src, uint32_t from) {
  uint64_t *d = bitmat_row(dst, to);
  const uint64_t *s = bitmat_row(src, from);
  for (uint32_t i = 0; i < dst.stride; i++) d[i] |= s[i];
}

void bitmat_compose(struct bitmat dst, struct bitmat a, struct bitmat b) {
  bitmat_clear(dst);
  for (uint32_t x = 0; x < a.n; x++) {
    struct bitset row = bitmat_row_set(a, x);
    EACH (y, row) or_row(dst, x, b, y);
  }
}

void bitmat_inverse(struct bitmat dst, struct bitmat src) {
  bitmat_clear(dst);
  for (uint32_t x = 0; x < src.n; x++) {
    struct bitset row = bitmat_row_set(src, x);
    EACH (y, row) bitmat_add(dst, y, x);
  }
}

/* Adds the row of `via` to each row that contains `via`. */
static void pass_on(struct bitmat m, uint32_t via) {
  if (bitset_empty(bitmat_row_set(m, via))) return;
  for (uint32_t x = 0; x < m.n; x++)
    if (bitmat_has(m, x, via)) or_row(m, x, m, via);
}

/* Visits only elements that have a predecessor, because in most relations few do; finds them 64 columns at a time. */
void bitmat_closure(struct bitmat m) {
  for (uint32_t word = 0; word < m.stride; word++) {
    uint64_t reached = 0;
    for (uint32_t x = 0; x < m.n; x++) reached |= bitmat_row(m, x)[word];
    for (; reached; reached &= reached - 1) pass_on(m, word * WORD_BITS + (uint32_t)__builtin_ctzll(reached));
  }
}

bool bitmat_covers(struct bitmat order, uint32_t a, uint32_t b) {
  return !SOME_BELOW(m, order.n, bitmat_has(order, a, m) && bitmat_has(order, m, b));
}

bool bitmat_cyclic(struct arena *scratch, struct bitmat m) {
  /* Kahn: repeatedly drop elements without a successor among the remaining ones. */
  struct bitset left = bitset_new(scratch, m.n);
  bitset_fill(left);
  for (bool dropped = true; dropped;) {
    dropped = false;
    EACH (x, left) {
      uint64_t successors = 0;
      for (uint32_t i = 0; i < m.stride; i++) successors |= bitmat_row(m, x)[i] & left.words[i];
      if (!successors) {
        bitset_del(left, x);
        dropped = true;
      }
    }
  }
  return !bitset_empty(left);
}

uint32_t bitmat_path(struct arena *arena, struct bitmat m, uint32_t from, uint32_t to, uint32_t *path) {
  uint32_t *previous = ARENA_ARRAY(arena, uint32_t, m.n), *queue = ARENA_ARRAY(arena, uint32_t, m.n);
  uint32_t head = 0, tail = 0, length = 1;
  for (uint32_t e = 0; e < m.n; e++) previous[e] = UINT32_MAX;
  queue[tail++] = from;
  while (head < tail && previous[to] == UINT32_MAX) {
    uint32_t at = queue[head++];
    EACH (e, bitmat_row_set(m, at)) {
      if (previous[e] != UINT32_MAX) continue;
      previous[e] = at;
      if (e != from) queue[tail++] = e;
    }
  }
  if (previous[to] == UINT32_MAX) return 0;
  for (uint32_t at = previous[to]; at != from; at = previous[at]) length++;
  path[length] = to;
  for (uint32_t i = length; i-- > 0;) path[i] = previous[path[i + 1]];
  return length;
}
