/* Memory by lifetime: everything allocated from an arena lives until the arena is released as a whole.
 *
 * There is no per-object free. When memory runs out, arena_alloc does not return: it leaves by longjmp to the
 * handler given to arena_init (set up once per public API call), which is legal because nothing but arenas and the
 * SAT solver owns anything. Memory is zeroed.
 */
#ifndef PTXLIT_ARENA_H
#define PTXLIT_ARENA_H

#include <setjmp.h>

#include "base/base.h"

struct arena_block;

struct arena {
  struct arena_block *blocks; /* newest first */
  char *next, *end;           /* free part of the newest block */
  jmp_buf *oom;               /* where to go when memory runs out; NULL: report on stderr and exit with status 3 */
  size_t bytes;               /* obtained from the system so far */
};

void arena_init(struct arena *arena, jmp_buf *oom);
void arena_release(struct arena *arena);

/* `size` zeroed bytes, aligned for any type; size 0 is allowed. Never NULL. */
void *arena_alloc(struct arena *arena, size_t size);

/* Room for `count` objects of `size` bytes; an overflow of the product counts as out of memory. */
void *arena_calloc(struct arena *arena, size_t count, size_t size);

/* Copies `length` bytes and adds a NUL. */
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_printf(struct arena *arena, const char *format, ...) PRINTF_LIKE(2, 3);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_calloc((arena), (count), sizeof(type)))

#endif
