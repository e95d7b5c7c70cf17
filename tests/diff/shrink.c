#include "shrink.h"

#include <string.h>

static struct sketch without_instr(struct sketch sketch, uint32_t t, uint32_t i) {
  struct sketch_thread *thread = &sketch.threads[t];
  for (thread->count--; i < thread->count; i++) thread->instrs[i] = thread->instrs[i + 1];
  return sketch;
}

/* Only the last thread can be dropped without renumbering the others. */
static struct sketch without_last_thread(struct sketch sketch) {
  sketch.thread_count--;
  return sketch;
}

static struct sketch without_init(struct sketch sketch, uint32_t i) {
  for (sketch.init_count--; i < sketch.init_count; i++) sketch.inits[i] = sketch.inits[i + 1];
  return sketch;
}

static bool adopt(struct sketch *best, struct sketch candidate, still_fails *fails, void *state) {
  if (!fails(state, &candidate)) return false;
  *best = candidate;
  return true;
}

static bool shrink_instrs(struct sketch *best, still_fails *fails, void *state) {
  bool smaller = false;
  for (uint32_t t = 0; t < best->thread_count; t++)
    for (uint32_t i = best->threads[t].count; i-- > 0;)
      smaller |= adopt(best, without_instr(*best, t, i), fails, state);
  return smaller;
}

static bool shrink_rest(struct sketch *best, still_fails *fails, void *state) {
  bool smaller = false;
  while (best->thread_count > 1 && adopt(best, without_last_thread(*best), fails, state)) smaller = true;
  for (uint32_t i = best->init_count; i-- > 0;) smaller |= adopt(best, without_init(*best, i), fails, state);
  return smaller;
}

/* Without the dot that begins at `at`: ".L1::evict_last" or ".relaxed". */
static struct sketch without_dot(struct sketch sketch, uint32_t t, uint32_t i, size_t at, char *room) {
  const char *text = sketch.threads[t].instrs[i];
  size_t length = 1 + strcspn(text + at + 1, ". ,");
  memcpy(room, text, at);
  strcpy(room + at, text + at + length);
  sketch.threads[t].instrs[i] = room;
  return sketch;
}

static bool shrink_dots(struct sketch *best, still_fails *fails, void *state, struct arena *arena) {
  bool smaller = false;
  for (uint32_t t = 0; t < best->thread_count; t++)
    for (uint32_t i = 0; i < best->threads[t].count; i++)
      for (size_t at = strlen(best->threads[t].instrs[i]); at-- > 0;) {
        const char *text = best->threads[t].instrs[i];
        if (text[at] != '.') continue;
        char *room = arena_alloc(arena, strlen(text) + 1);
        smaller |= adopt(best, without_dot(*best, t, i, at, room), fails, state);
      }
  return smaller;
}

struct sketch shrink(struct arena *arena, struct sketch sketch, still_fails *fails, void *state) {
  struct sketch no_condition = sketch;
  no_condition.condition = "exists (0=0)";
  adopt(&sketch, no_condition, fails, state);
  for (bool smaller = true; smaller;) {
    smaller = shrink_instrs(&sketch, fails, state);
    smaller |= shrink_rest(&sketch, fails, state);
    smaller |= shrink_dots(&sketch, fails, state, arena);
  }
  return sketch;
}
