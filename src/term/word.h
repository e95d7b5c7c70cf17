/* Bit vectors of literals, lowest bit first. Constants fold bit by bit, so small constants cost next to nothing. */
#pragma once

#include "term/gates.h"
#include "term/term.h"

struct word {
  lit *bits;
  unsigned width; /* 1..128 */
};

struct word word_const(struct arena *arena, value_t value, unsigned width);

/* One term operator on encoded operands (unused ones have width 0): the circuit of term_apply. */
struct word word_apply(struct gates *gates, const struct term *term, struct word a, struct word b, struct word c);

/* The number of true literals, as a word. */
struct word word_count(struct gates *gates, const lit *lits, size_t count, unsigned width);

/* The same in unary: bit i is set if there are more than i; larger counts saturate. Comparisons work as for other
 * words. Such words take more gates, but propagation alone derives the consequences of a count. */
struct word word_count_unary(struct gates *gates, const lit *lits, size_t count, unsigned width);

lit word_equal(struct gates *gates, struct word a, struct word b);
lit word_less(struct gates *gates, struct word a, struct word b, bool is_signed);
/* The word at another width. */
struct word word_resize(struct arena *arena, struct word a, unsigned width, bool is_signed);
