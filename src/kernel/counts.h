/* Sets of the numbers of barriers that a thread may have passed at some point, modulo COUNTS: where loops pass a number
 * of barriers that divides it, both sides of a barrier in a loop stay apart. Private to src/kernel. */
#pragma once

#include <stdint.h>

enum { COUNTS = 60 };
#define COUNTS_NONE ((uint64_t)1) /* just 0 */
#define COUNTS_ANY (((uint64_t)1 << COUNTS) - 1)

/* The numbers after one more barrier. */
static inline uint64_t counts_next(uint64_t counts) { return (counts << 1 | counts >> (COUNTS - 1)) & COUNTS_ANY; }

static inline uint32_t counts_divisor(uint32_t a, uint32_t b) { return b ? counts_divisor(b, a % b) : a; }

/* The numbers that a loop may reach in which the difference of any two is passed again and again. */
static inline uint64_t counts_repeated(uint64_t counts) {
  uint32_t first = 0, step = COUNTS;
  uint64_t out = 0;
  while (first < COUNTS && !(counts >> first & 1)) first++;
  for (uint32_t i = first; i < COUNTS; i++)
    if (counts >> i & 1) step = counts_divisor(step, i - first);
  for (uint32_t i = first % step; i < COUNTS && counts; i += step) out |= (uint64_t)1 << i;
  return out;
}
