#include "result/result.h"

struct origin {
  uint32_t thread, instr;
  struct raised_access access;
};

static struct origin event_origin(const struct skeleton *s, uint32_t number, const uint32_t *const *origins) {
  const struct event *e = skeleton_event(s, number);
  struct origin origin = {.thread = e->thread, .instr = e->instr};
  if (e->thread != NO_THREAD && origins) origin.instr = origins[e->thread][e->instr];
  origin.access = (struct raised_access){.proxy = e->proxy,
                                         .writes = e->kind == EVENT_WRITE,
                                         .reads = e->kind == EVENT_READ,
                                         .spawned = e->spawned,
                                         .strong = e->sem != SEM_WEAK,
                                         .phys = e->place_count == 1 ? e->places[0].phys : NO_PHYS};
  return origin;
}

int raised_order(const void *a, const void *b) {
  const struct raised_pair *p = a, *q = b;
  const uint32_t x[] = {p->thread_a, p->instr_a, p->thread_b, p->instr_b};
  const uint32_t y[] = {q->thread_a, q->instr_a, q->thread_b, q->instr_b};
  for (size_t i = 0; i < ARRAY_LEN(x); i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

static void add_pair(struct arena *arena, struct raised *raised, struct raised_pair pair) {
  for (uint32_t i = 0; i < raised->pair_count; i++)
    if (raised_order(&raised->pairs[i], &pair) == 0) return;
  raised->pairs = vec_grow(arena, raised->pairs, raised->pair_count, &raised->pair_room, sizeof pair);
  raised->pairs[raised->pair_count++] = pair;
}

void raised_add(struct arena *arena, struct raised *raised, const struct skeleton *s, struct bitmat pairs,
                const uint32_t *const *origins) {
  for (uint32_t a = 0; a < pairs.n; a++) {
    struct bitset row = bitmat_row_set(pairs, a);
    EACH (b, row) {
      struct origin x = event_origin(s, a, origins), y = event_origin(s, b, origins);
      bool swap = x.thread > y.thread || (x.thread == y.thread && x.instr > y.instr);
      struct origin first = swap ? y : x, second = swap ? x : y;
      add_pair(arena, raised, (struct raised_pair){first.thread, first.instr, second.thread, second.instr,
                                                     first.access, second.access});
    }
  }
}

void raised_join(struct arena *arena, struct raised *raised, const struct raised *more) {
  if (!raised->pair_count && more->pair_count) {
    raised->pairs = ARENA_ARRAY(arena, struct raised_pair, more->pair_count);
    memcpy(raised->pairs, more->pairs, more->pair_count * sizeof *more->pairs);
    raised->pair_count = raised->pair_room = more->pair_count;
    return;
  }
  for (uint32_t i = 0; i < more->pair_count; i++) add_pair(arena, raised, more->pairs[i]);
}

void raised_sort(struct raised *raised) {
  if (raised->pair_count > 1) qsort(raised->pairs, raised->pair_count, sizeof *raised->pairs, raised_order);
}
