#include "kernel/needs.h"

enum { LARGE = 64 };

/* Ranges that all threads of a warpgroup access are noted for two threads alone. */
struct noted_range {
  uint64_t hash; /* its identity */
  uint32_t thread;
};

struct noted {
  struct arena *arena;
  VEC(struct noted_range) list;
  struct hash_index index;
};

/* True if the thread, or two others, have noted the range in this way. */
static bool is_noted(struct noted *noted, const struct touch *touch, uint32_t thread, uint32_t how) {
  const uint64_t range = (uint64_t)touch->at << 32 | reach_end(touch);
  const uint64_t hash = hash_mix(hash_mix(touch->region->number, range), 4 * how + 2 * touch->open + touch->writes);
  if (reach_end(touch) - touch->at < LARGE) return false;
  HASH_EACH (n, &noted->index, hash) {
    struct noted_range *known = &noted->list.data[n];
    if (known->hash != hash) continue;
    if (known->thread == thread || known->thread == SEVERAL) return true;
    known->thread = SEVERAL;
    return false;
  }
  VEC_PUSH(noted->arena, &noted->list, ((struct noted_range){hash, thread}));
  hash_add(noted->arena, &noted->index, hash, noted->list.len - 1);
  return false;
}

static void note(uint32_t *threads, uint32_t at, uint32_t end, uint32_t own) {
  for (uint32_t k = at; k < end; k++) threads[k] = !threads[k] || threads[k] == own ? own : (uint32_t)SEVERAL;
}

/* `open`: by region: 1 more than the number of the only thread that writes it at unknown addresses, or SEVERAL. */
static void note_thread(struct alone *alone, const struct runner *r, uint32_t *open, struct noted *noted) {
  VEC_EACH (touch, &r->touches) {
    if (is_noted(noted, touch, r->number, 0)) continue;
    const uint32_t own = r->number + 1, end = reach_end(touch);
    if (touch->writes && !touch->open) note(alone->writers[touch->region->number], touch->at, end, own);
    uint32_t *writer = &open[touch->region->number];
    if (*writer == SEVERAL) continue; /* so it is of each byte */
    if (touch->open && touch->writes && !touch->end) note(writer, 0, 1, own);
    note(alone->threads[touch->region->number], touch->at, end, own);
    if (touch->writes) bitset_add_run(alone->stored[touch->region->number], touch->at, end);
  }
}

/* The accesses of an asynchronous operation are not ordered with those of its thread. */
static void note_operations(struct alone *alone, struct runner *r, struct noted *noted) {
  EACH_REMNANT (remnant, r) {
    const struct instr *in = remnant_source(r, remnant);
    bool updates = in && (in->kind == INSTR_ATOM || in->kind == INSTR_RED);
    EACH_TOUCH (touch, r, remnant)
      if (touch->writes && !updates)
        bitset_add_run(alone->replaced[touch->region->number], touch->at, reach_end(touch));
    if (!in || (in->kind != INSTR_ASYNC && in->tiled == TILED_NONE)) continue;
    EACH_TOUCH (touch, r, remnant) {
      if (is_noted(noted, touch, SEVERAL, 1)) continue;
      for (uint32_t k = touch->at; k < touch_end(touch); k++) alone->threads[touch->region->number][k] = SEVERAL;
    }
  }
}

void alone_find(struct launching *l) {
  struct arena *arena = l->memory.arena;
  struct alone alone = {.threads = ARENA_ARRAY(arena, uint32_t *, l->memory.regions.len)};
  alone.writers = ARENA_ARRAY(arena, uint32_t *, l->memory.regions.len);
  alone.stored = ARENA_ARRAY(arena, struct bitset, l->memory.regions.len);
  alone.replaced = ARENA_ARRAY(arena, struct bitset, l->memory.regions.len);
  for (uint32_t i = 0; i < l->memory.regions.len; i++) {
    alone.threads[i] = ARENA_ARRAY(arena, uint32_t, l->memory.regions.data[i]->size);
    alone.writers[i] = ARENA_ARRAY(arena, uint32_t, l->memory.regions.data[i]->size);
    alone.stored[i] = bitset_new(arena, l->memory.regions.data[i]->size);
    alone.replaced[i] = bitset_new(arena, l->memory.regions.data[i]->size);
  }
  uint32_t *open = ARENA_ARRAY(arena, uint32_t, l->memory.regions.len);
  struct noted noted = {.arena = arena};
  EACH_RUNNER (r, l) {
    note_thread(&alone, r, open, &noted);
    note_operations(&alone, r, &noted);
  }
  l->alone = ARENA_COPY(arena, &alone);
}

bool alone_finds_conflict(const struct launching *l) {
  VEC_VALUES (region, &l->memory.regions) {
    bool common = region->space == SPACE_GLOBAL || region->space == SPACE_SHARED;
    const uint32_t *threads = l->alone->threads[region->number];
    for (uint32_t k = 0; k < region->size && common; k++)
      if (threads[k] == SEVERAL && bitset_has(l->alone->stored[region->number], k)) return true;
  }
  return false;
}

bool alone_are_updated(const struct alone *alone, const struct runner *r, const struct remnant *remnant) {
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t k = touch->at; k < reach_end(touch); k++)
      if (bitset_has(alone->replaced[touch->region->number], k)) return false;
  return true;
}

bool alone_has(const struct alone *alone, const struct runner *r, const struct instr *in,
               const struct remnant *remnant) {
  bool loads = in->kind == INSTR_LOAD && (in->sem == SEM_WEAK || in->sem == SEM_RELAXED) && !in->is_mmio && !in->marks;
  bool plain = loads || (in->kind == INSTR_STORE && in->sem == SEM_WEAK);
  if (!plain || !remnant->touches || remnant_reaches_anywhere(r, remnant)) return false;
  if (r->touches.data[remnant->touch].at % (type_bytes(in->type) * in->elements))
    return false; /* misaligned: undefined */
  EACH_TOUCH (touch, r, remnant) {
    const bool apart = touch->region->space == SPACE_GLOBAL || touch->discarded;
    if (!apart || touch->region->whole || touch->open) return false;
    for (uint32_t k = touch->at; k < touch_end(touch); k++) {
      bool own = alone->threads[touch->region->number][k] == r->number + 1;
      bool constant = loads && !bitset_has(alone->stored[touch->region->number], k);
      if (!constant && !(own && in->sem == SEM_WEAK && in->proxy == PROXY_GENERIC)) return false;
    }
  }
  return true;
}
