#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 16, FIRST_BLOCK = 16 * 1024, LARGEST_STEP = 4 * 1024 * 1024 };

struct arena_block {
  struct arena_block *older;
  size_t size;
};

/* The block header, rounded up so that what follows it is aligned. */
static const size_t header_size = (sizeof(struct arena_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

void arena_init(struct arena *arena, jmp_buf *oom) { *arena = (struct arena){.oom = oom}; }

void arena_release(struct arena *arena) {
  struct arena_block *block = arena->blocks;
  while (block) {
    struct arena_block *older = block->older;
    free(block);
    block = older;
  }
  arena_init(arena, arena->oom);
}

NORETURN static void out_of_memory(struct arena *arena) {
  if (arena->oom) longjmp(*arena->oom, 1);
  fputs("ptxlit: out of memory\n", stderr);
  _Exit(3);
}

static void add_block(struct arena *arena, size_t wanted) {
  size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
  if (size > LARGEST_STEP) size = LARGEST_STEP;
  if (size < wanted + header_size) size = wanted + header_size;
  struct arena_block *block = size < wanted ? NULL : malloc(size);
  if (!block) out_of_memory(arena);
  block->older = arena->blocks;
  block->size = size;
  arena->blocks = block;
  arena->bytes += size;
  arena->next = (char *)block + header_size;
  arena->end = (char *)block + size;
}

void *arena_alloc(struct arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) out_of_memory(arena);
  size_t rounded = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if ((size_t)(arena->end - arena->next) < rounded || !arena->next) add_block(arena, rounded);
  void *result = arena->next;
  arena->next += rounded;
  return memset(result, 0, rounded);
}

void *arena_calloc(struct arena *arena, size_t count, size_t size) {
  if (size && count > SIZE_MAX / 2 / size) out_of_memory(arena);
  return arena_alloc(arena, count * size);
}

char *arena_strndup(struct arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *arena_strdup(struct arena *arena, const char *text) { return arena_strndup(arena, text, strlen(text)); }

char *arena_printf(struct arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (length < 0) BUG("format error in '%s'", format);
  char *text = arena_alloc(arena, (size_t)length + 1);
  va_start(args, format);
  vsnprintf(text, (size_t)length + 1, format, args);
  va_end(args);
  return text;
}
