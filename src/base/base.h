/* The few macros and functions that every file may use, and the headers of C that most use.
 *
 * BUG(...) a bug in ptxlit: reports its place, exits with status 70. Never for bad input, never for a lack of memory.
 * REQUIRE(c) a documented precondition of a function; checked in release builds too.
 */
#pragma once

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))
#define NORETURN __attribute__((noreturn))
#define UNUSED __attribute__((unused))
#else
#define PRINTF_LIKE(at, first)
#define NORETURN
#define UNUSED
#endif

#define ARRAY_LEN(array) (sizeof(array) / sizeof(array)[0])

/* True if the condition holds in some turn of a loop: SOME(VEC_EACH (e, &list), e->size > 1). It ends the loop. */
#define SOME(loop, ...)                                                                                                \
  ({                                                                                                                   \
    __label__ some_holds;                                                                                              \
    bool some_turn = true;                                                                                             \
    loop if (__VA_ARGS__) goto some_holds;                                                                             \
    some_turn = false;                                                                                                 \
  some_holds:                                                                                                          \
    some_turn;                                                                                                         \
  })

/* True if the condition holds in each turn. The others: for each number below `count`. */
#define EVERY(loop, ...) (!SOME(loop, !(__VA_ARGS__)))
#define SOME_BELOW(i, count, ...) SOME(for (uint32_t i = 0; i < (count); i++), __VA_ARGS__)
#define EVERY_BELOW(i, count, ...) EVERY(for (uint32_t i = 0; i < (count); i++), __VA_ARGS__)

/* The number of turns in which the condition holds, or the sum of a number over all turns. */
#define COUNT(loop, ...)                                                                                               \
  ({                                                                                                                   \
    uint32_t count_sum = 0;                                                                                            \
    loop count_sum += (uint32_t)(__VA_ARGS__);                                                                         \
    count_sum;                                                                                                         \
  })

/* The least number below `count` for which the condition holds; `count` if there is none. */
#define FIND_BELOW(i, count, ...)                                                                                      \
  ({                                                                                                                   \
    uint32_t i = 0;                                                                                                    \
    while (i < (count) && !(__VA_ARGS__)) i++;                                                                         \
    i;                                                                                                                 \
  })

/* Enumerates a list whose elements have a `next`: `LIST_EACH (e, list) statement`. */
#define LIST_EACH(e, list) for (__typeof__((list) + 0) e = (list); e; e = e->next)

#define LIST_LENGTH(list) COUNT(LIST_EACH (list_element, list), true)

/* The first element for which the condition holds; NULL if there is none. */
#define LIST_FIND(e, list, ...)                                                                                        \
  ({                                                                                                                   \
    __typeof__((list) + 0) e = (list);                                                                                 \
    while (e && !(__VA_ARGS__)) e = e->next;                                                                           \
    e;                                                                                                                 \
  })

/* Enumerates the elements of an array, which may be NULL if there is none. */
#define ARRAY_EACH(e, array, count)                                                                                    \
  for (__typeof__((array) + 0) e = (array), e##_end = (count) ? (array) + (count) : (array); e < e##_end; e++)

/* The first element for which the condition, about the pointer `e`, holds; NULL if there is none. */
#define ARRAY_FIND(e, array, count, ...)                                                                               \
  ({                                                                                                                   \
    __typeof__((array) + 0) e##_found = NULL;                                                                          \
    ARRAY_EACH (e, array, count)                                                                                       \
      if (__VA_ARGS__) {                                                                                               \
        e##_found = e;                                                                                                 \
        break;                                                                                                         \
      }                                                                                                                \
    e##_found;                                                                                                         \
  })

/* Prints "internal error: file:line: text" on stderr and leaves with exit status 70. */
NORETURN void bug_at(const char *file, int line, const char *format, ...) PRINTF_LIKE(3, 4);

#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!(condition)) BUG("%s: required: %s", __func__, #condition);                                                   \
  } while (0)

/* vsnprintf as if the program had set no locale: the point in a number is a point. A format that is wrong is a BUG. */
size_t base_format(char *to, size_t size, const char *format, va_list args) PRINTF_LIKE(3, 0);
/* strtod of a whole text as if the program had set no locale. */
double base_number(const char *text);
/* The English text for an errno. */
const char *base_error(int why);

/* True if two texts are the same: for searches, where most differ in their first letter. */
static inline bool base_same(const char *a, const char *b) { return *a == *b && strcmp(a, b) == 0; }

/* The same for texts that may be NULL; NULL equals only NULL. */
static inline bool base_alike(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

/* True if a text begins with another. */
static inline bool base_begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* The file name at the end of a path. */
const char *base_file_name(const char *path);
/* True if a program of that name is on the PATH or, for a name with a slash, if the file is executable. */
bool base_can_run(const char *name);

/* Seconds of the monotonic clock. A deadline is a time of this clock; 0 means no deadline. */
double base_now(void);
/* Seconds for which a processor has run the calling thread: no more than have passed. */
double base_busy(void);
/* The deadline `seconds` from now; none for 0. */
double base_deadline(double seconds);
/* The earlier of two deadlines. */
double base_sooner(double a, double b);
/* True if the deadline has passed; never true without a deadline. */
bool base_is_late(double deadline);
/* The seconds left until a deadline, as a time limit: at least 0.001, since 0 means no limit; 0 without a deadline. */
double base_left(double deadline);

/* A machine value: wide enough for every PTX scalar type up to .b128. Always stored zero-extended to 128 bits. */
__extension__ typedef unsigned __int128 value_t;

/* The low `width` bits (1..128) set. */
static inline value_t value_mask(unsigned width) { return width >= 128 ? ~(value_t)0 : (((value_t)1) << width) - 1; }

/* `v`, a two's complement number of `width` bits, sign-extended to 128 bits. */
static inline value_t value_sext(value_t v, unsigned width) {
  value_t sign = ((value_t)1) << (width - 1);
  return ((v & value_mask(width)) ^ sign) - sign;
}
