/* Arrays in an arena that grow: `VEC(int) numbers = {0}; VEC_PUSH(arena, &numbers, 3);`. Growing leaves the old storage
 * in the arena, so no pointer into a vector dangles; still, prefer indices. */
#pragma once

#include "base/arena.h"

/* A type of such arrays: `VEC_NAMED(numbers, int);` makes it struct numbers. */
#define VEC_NAMED(tag, ...)                                                                                            \
  struct tag {                                                                                                         \
    __VA_ARGS__ *data;                                                                                                 \
    uint32_t len, cap;                                                                                                 \
  }
#define VEC(...) VEC_NAMED(, __VA_ARGS__)

/* Makes room for one more element in a vector whose elements have `size` bytes. For VEC_PUSH only. */
static inline void *vec_grow(struct arena *arena, void *data, uint32_t len, uint32_t *cap, size_t size) {
  if (len < *cap) return data;
  uint32_t wanted = *cap ? *cap * 2 : 8;
  void *larger = arena_calloc(arena, wanted, size); /* may leave by longjmp: the vector must still be valid */
  *cap = wanted;
  if (len) memcpy(larger, data, len * size);
  return larger;
}

#define VEC_PUSH(arena, vec, ...)                                                                                      \
  do {                                                                                                                 \
    (vec)->data = vec_grow((arena), (vec)->data, (vec)->len, &(vec)->cap, sizeof *(vec)->data);                        \
    (vec)->data[(vec)->len++] = (__VA_ARGS__);                                                                         \
  } while (0)

/* The end of the elements; NULL for a vector without storage, because C forbids adding 0 to NULL. */
#define VEC_END(vec) ((vec)->data ? (vec)->data + (vec)->len : (vec)->data)

/* Enumerates the elements that a vector has at the start of the loop: `VEC_EACH (e, &list) statement`. */
#define VEC_EACH(e, vec) for (__typeof__((vec)->data + 0) e = (vec)->data, e##_end = VEC_END(vec); e < e##_end; e++)

/* The same for values: `VEC_VALUES (v, &list) statement`, where v is an element and no pointer to one. */
#define VEC_VALUES(v, vec)                                                                                             \
  for (__typeof__((vec)->data[0]) v, *v##_at = (vec)->data, *v##_end = VEC_END(vec);                                   \
       v##_at < v##_end && (v = *v##_at, true); v##_at++)

/* ARRAY_FIND of its elements. */
#define VEC_FIND(e, vec, ...) ARRAY_FIND(e, (vec)->data, (vec)->len, __VA_ARGS__)

/* Removes the elements for which the condition, about the pointer `e`, is false. */
#define VEC_KEEP(e, vec, condition)                                                                                    \
  do {                                                                                                                 \
    uint32_t e##_kept = 0;                                                                                             \
    VEC_EACH (e, vec)                                                                                                  \
      if (condition) (vec)->data[e##_kept++] = *e;                                                                     \
    (vec)->len = e##_kept;                                                                                             \
  } while (0)

/* Appends `count` elements from elsewhere. */
#define VEC_APPEND(arena, vec, from, count)                                                                            \
  do {                                                                                                                 \
    while ((vec)->cap - (vec)->len < (count))                                                                          \
      (vec)->data = vec_grow((arena), (vec)->data, (vec)->cap, &(vec)->cap, sizeof *(vec)->data);                      \
    if (count) memcpy((vec)->data + (vec)->len, (from), (count) * sizeof *(vec)->data);                                \
    (vec)->len += (uint32_t)(count);                                                                                   \
  } while (0)

/* Makes room for `count` elements in an empty vector. */
#define VEC_RESERVE(arena, vec, count)                                                                                 \
  do {                                                                                                                 \
    (vec)->data = arena_calloc((arena), (count), sizeof *(vec)->data);                                                 \
    (vec)->cap = (count);                                                                                              \
  } while (0)

/* Sets the number `at` to the first one below `count` for which the condition, about `at`, is false; to `count` if
 * there is none. The condition is true for all before it. */
#define FIRST_NOT(at, count, condition)                                                                                \
  do {                                                                                                                 \
    uint32_t at##_low = 0, at##_high = (count);                                                                        \
    while (at##_low < at##_high) {                                                                                     \
      (at) = at##_low + (at##_high - at##_low) / 2;                                                                    \
      if (condition) at##_low = (at) + 1;                                                                              \
      else at##_high = (at);                                                                                           \
    }                                                                                                                  \
    (at) = at##_low;                                                                                                   \
  } while (0)

/* Sorts a short vector by `before(a, b)`; the sort is stable. */
#define VEC_SORT(vec, before)                                                                                          \
  do {                                                                                                                 \
    for (uint32_t vec_i = 1; vec_i < (vec)->len; vec_i++)                                                              \
      for (uint32_t vec_k = vec_i; vec_k && before(&(vec)->data[vec_k], &(vec)->data[vec_k - 1]); vec_k--) {           \
        __typeof__((vec)->data[0]) vec_moved = (vec)->data[vec_k];                                                     \
        (vec)->data[vec_k] = (vec)->data[vec_k - 1];                                                                   \
        (vec)->data[vec_k - 1] = vec_moved;                                                                            \
      }                                                                                                                \
  } while (0)
