#include "base/arena.h"

#if ARENA_WATCHED
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 16 };
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
enum { RED_ZONE = 0 };
#endif

enum { ALIGNMENT = 16, FIRST_BLOCK = 16 * 1024, LARGEST_STEP = 4 * 1024 * 1024 };

struct arena_block {
  struct arena_block *older;
  size_t size;
};

struct arena_owned {
  struct arena_owned *older;
  void (*release)(void *object);
  void *object;
};

/* The size of the block header, rounded up so that the memory after it is aligned. */
static const size_t header_size = (sizeof(struct arena_block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

void arena_init(struct arena *arena, jmp_buf *oom) { *arena = (struct arena){.oom = oom}; }

struct arena_mark arena_mark(const struct arena *arena) {
  return (struct arena_mark){arena->blocks, arena->owned, arena->next};
}

void arena_own(struct arena *arena, void (*release)(void *object), void *object) {
  struct arena_owned *owned = ARENA_MAKE(arena, struct arena_owned, arena->owned, release, object);
  arena->owned = owned;
}

static void release_scratch(void *object) { arena_release(object); }

struct arena *arena_scratch(struct arena *owner) {
  struct arena *scratch = ARENA_NEW(owner, struct arena);
  scratch->owner = owner;
  arena_own(owner, release_scratch, scratch);
  return scratch;
}

/* Releases the objects given to arena_own since the mark, and no memory of the arena. */
static void release_owned(struct arena *arena, struct arena_mark mark) {
  while (arena->owned != mark.owned) {
    struct arena_owned *owned = arena->owned;
    arena->owned = owned->older;
    owned->release(owned->object);
  }
}

void arena_rewind(struct arena *arena, struct arena_mark mark) {
  release_owned(arena, mark);
  while (arena->blocks != mark.blocks) {
    struct arena_block *block = arena->blocks;
    arena->blocks = block->older;
    arena->bytes -= block->size;
    free(block);
  }
  arena->next = mark.next;
  arena->end = mark.blocks ? (char *)mark.blocks + mark.blocks->size : NULL;
  if (mark.blocks) ASAN_POISON_MEMORY_REGION(arena->next, (size_t)(arena->end - arena->next));
}

void arena_release(struct arena *arena) {
  arena_rewind(arena, (struct arena_mark){0});
  *arena = (struct arena){.oom = arena->oom, .owner = arena->owner};
}

void arena_set_deadline(struct arena *arena, double when) {
  arena->deadline = when;
  arena->late = false;
}

static struct arena *root_of(struct arena *arena) {
  while (arena->owner) arena = arena->owner;
  return arena;
}

/* The arena whose arena_within ends if memory or time runs out; the root if there is none. */
static struct arena *catcher_of(struct arena *arena) {
  while (!arena->oom && arena->owner) arena = arena->owner;
  return arena;
}

void arena_poll(struct arena *arena) {
  arena = catcher_of(arena);
  if (arena->oom && base_is_late(arena->deadline)) arena_out_of_time(arena);
}

void arena_out_of_time(struct arena *arena) {
  REQUIRE(arena->oom);
  arena->late = true;
  longjmp(*arena->oom, 1);
}

void arena_count(struct arena *arena, uint64_t work) {
  struct arena *counts = root_of(arena), *catches = catcher_of(arena);
  counts->work += work;
  if (counts->most_work && counts->work > counts->most_work && catches->oom) arena_out_of_time(catches);
}

void arena_limit(struct arena *arena, uint64_t work) {
  arena = root_of(arena);
  arena->most_work = work ? arena->work + work : 0;
}

uint64_t arena_counted(struct arena *arena) { return root_of(arena)->work; }

void arena_out_of_memory(struct arena *arena) {
  arena = catcher_of(arena);
  arena->late = false;
  if (arena->oom) longjmp(*arena->oom, 1);
  fputs("ptxlit: error: out of memory\n", stderr);
  _Exit(3);
}

/* A separate function, because the locals of arena_within must be intact after a jump. */
static bool jumps(struct arena *arena, void (*work)(void *context), void *context) {
  jmp_buf here;
  arena->oom = &here;
  if (setjmp(here)) return true;
  work(context);
  return false;
}

enum arena_end arena_within(struct arena *arena, double deadline, void (*work)(void *context), void *context) {
  const double outer_deadline = arena->deadline;
  const struct arena_mark mark = arena_mark(arena);
  jmp_buf *outer = arena->oom;
  arena_set_deadline(arena, base_sooner(deadline, outer_deadline));
  bool jumped = jumps(arena, work, context), late = arena->late;
  arena_set_deadline(arena, outer_deadline);
  arena->oom = outer;
  if (!jumped) return ARENA_DONE;
  if (late) release_owned(arena, mark);
  else arena_rewind(arena, mark);
  return late ? ARENA_LATE : ARENA_STARVED;
}

static void add_block(struct arena *arena, size_t wanted) {
  size_t size = arena->blocks ? arena->blocks->size * 2 : FIRST_BLOCK;
  if (size > LARGEST_STEP) size = LARGEST_STEP;
  if (size < wanted + header_size) size = wanted + header_size;
  arena_poll(arena);
  struct arena_block *block = size < wanted ? NULL : malloc(size);
  if (!block) arena_out_of_memory(arena);
  block->older = arena->blocks;
  block->size = size;
  arena->blocks = block;
  arena->bytes += size;
  arena->next = (char *)block + header_size;
  arena->end = (char *)block + size;
  ASAN_POISON_MEMORY_REGION(arena->next, size - header_size);
}

void *arena_alloc_apart(struct arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) arena_out_of_memory(arena);
  size_t aligned = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT, rounded = aligned + RED_ZONE;
  if ((size_t)(arena->end - arena->next) < rounded || !arena->next) add_block(arena, rounded);
  void *result = arena->next;
  arena->next += rounded;
  ASAN_UNPOISON_MEMORY_REGION(result, aligned);
  memset(result, 0, aligned);
  ASAN_POISON_MEMORY_REGION((char *)result + size, aligned - size);
  return result;
}

char *arena_strndup(struct arena *arena, const char *text, size_t length) {
  char *copy = arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  return copy;
}

char *arena_strdup(struct arena *arena, const char *text) { return arena_strndup(arena, text, strlen(text)); }

char *arena_printf_list(struct arena *arena, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  size_t length = base_format(NULL, 0, format, args);
  char *text = arena_alloc(arena, length + 1);
  base_format(text, length + 1, format, again);
  va_end(again);
  return text;
}

char *arena_printf(struct arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = arena_printf_list(arena, format, args);
  va_end(args);
  return text;
}
