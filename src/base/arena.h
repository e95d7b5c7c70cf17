/* Memory by lifetime: everything allocated from an arena lives until the arena is released as a whole.
 *
 * There is no per-object free. When memory runs out, arena_alloc does not return: it jumps (longjmp) to the handler
 * given to arena_init (set up once per public API call), or to the handler of arena_within. This leaks nothing because
 * only arenas own objects: an object outside arenas, such as the SAT solver, is given to an arena with arena_own.
 * Memory is zeroed.
 *
 * Time works like memory: every long computation with an arena calls arena_poll, which makes the same jump once the
 * deadline has passed. So time limits hold in every stage. Stages with partial results worth keeping (encoding,
 * solving, brute force) test a deadline instead: base_is_late. */
#pragma once

#include <setjmp.h>

#include "base/base.h"

/* Under the address sanitizer all memory but the allocated objects is poisoned, with a few bytes between them. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_WATCHED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_WATCHED true
#endif
#endif
#ifndef ARENA_WATCHED
#define ARENA_WATCHED false
#endif

struct arena_block;
struct arena_owned;

struct arena {
  struct arena_block *blocks; /* newest first */
  struct arena_owned *owned;  /* objects released with it, newest first */
  char *next, *end;           /* free part of the newest block */
  struct arena *owner;        /* of a scratch arena: the arena whose handler it uses while `oom` is NULL; else NULL */
  jmp_buf *oom;               /* the jump target when memory runs out; NULL: report on stderr and exit with status 3 */
  size_t bytes;               /* obtained from the system so far */
  double deadline;            /* as for base_is_late, for arena_poll */
  bool late;                  /* the last jump to `oom` was for the deadline */
  uint64_t work;              /* arena_count: the same number in every run; a scratch arena has its owner count */
  uint64_t most_work;         /* arena_count beyond it acts as arena_poll after the deadline; 0: no limit */
};

/* A state of an arena to which arena_rewind returns. */
struct arena_mark {
  struct arena_block *blocks;
  struct arena_owned *owned;
  char *next;
};

void arena_init(struct arena *arena, jmp_buf *oom);
void arena_release(struct arena *arena);

/* A mark: arena_rewind frees everything that was allocated since. */
struct arena_mark arena_mark(const struct arena *arena);
void arena_rewind(struct arena *arena, struct arena_mark mark);

/* Calls `release` with `object` when the arena is released, or rewound to before this call: for an object outside the
 * arena that an object inside owns, so that a jump for a lack of memory leaks nothing. `object` must be in the arena or
 * outlive it, and may already have been released. */
void arena_own(struct arena *arena, void (*release)(void *object), void *object);
/* An arena that is released with its owner and uses the owner's handler when memory runs out: for memory that
 * arena_release frees earlier, or that must survive a rewind by arena_within. */
struct arena *arena_scratch(struct arena *owner);

/* Sets the deadline, or with 0 removes it; clears `late`. Without a handler it has no effect. */
void arena_set_deadline(struct arena *arena, double when);
/* Returns unless the deadline has passed. Reads the clock: not for the innermost loop. */
void arena_poll(struct arena *arena);

/* Counts work that is done with an arena, so that tests can bound it on machines of any speed. */
void arena_count(struct arena *arena, uint64_t work);
uint64_t arena_counted(struct arena *arena);
/* Limits the work that is counted from now on; 0: no limit. */
void arena_limit(struct arena *arena, uint64_t work);

enum arena_end { ARENA_DONE, ARENA_LATE, ARENA_STARVED };

/* Calls `work` and catches its jumps: at this deadline, at the arena's own deadline, or when memory runs out. Late: the
 * objects that `work` gave to arena_own are released, but no memory, so that partial results can be used. Starved: all
 * memory that `work` allocated is freed. `context` must have been allocated before this call. */
enum arena_end arena_within(struct arena *arena, double deadline, void (*work)(void *context), void *context);

/* Acts as arena_poll after the deadline, which must have been set: for work that would take longer. */
NORETURN void arena_out_of_time(struct arena *arena);
/* Acts as a failed allocation: for code that gets its memory elsewhere. */
NORETURN void arena_out_of_memory(struct arena *arena);

/* The slow path of arena_alloc, which needs another block. */
void *arena_alloc_apart(struct arena *arena, size_t size);

/* `size` zeroed bytes, aligned for any type; size 0 is allowed. Never NULL. Inline, because then the compiler knows
 * most sizes and clears small objects in place. */
static inline void *arena_alloc(struct arena *arena, size_t size) {
  enum { ALIGNMENT = 16, SMALL = 128 };
  size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  char *at = arena->next;
  if (ARENA_WATCHED || size > SMALL || (size_t)(arena->end - at) <= rounded) return arena_alloc_apart(arena, size);
  arena->next = at + rounded;
  for (size_t i = 0; i < rounded; i += ALIGNMENT) memset(at + i, 0, ALIGNMENT);
  return at;
}

/* Room for `count` objects of `size` bytes; an overflow of the product counts as out of memory. */
static inline void *arena_calloc(struct arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / 2 / size) arena_out_of_memory(arena);
  return arena_alloc(arena, count * size);
}

/* Copies `length` bytes and adds a NUL. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_printf_list(struct arena *arena, const char *format, va_list args) PRINTF_LIKE(2, 0);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
/* A new object with these members: ARENA_MAKE(arena, struct span, .source = source). */
#define ARENA_MAKE(arena, type, ...)                                                                                   \
  ((type *)memcpy(arena_alloc((arena), sizeof(type)), &(type){__VA_ARGS__}, sizeof(type)))
/* A copy of an object. */
#define ARENA_COPY(arena, from) memcpy(arena_alloc((arena), sizeof *(from)), (from), sizeof *(from))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_calloc((arena), (count), sizeof(type)))
