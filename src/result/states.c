#include "result/states.h"

struct state_walk {
  const struct execution *x;
  uint32_t *chunks; /* the observed chunks */
  uint32_t chunk_count;
  struct bitset *maximal; /* for each observed chunk */
  uint32_t *last;         /* by chunk number */
  value_t *values;
  visit_state *visit;
  void *context;
  bool one, over; /* one: safety needs no states, so the first of many thousand represents all */
};

/* True if the chunk may end with the write, given the choices for earlier chunks. */
static bool fits(const struct state_walk *w, uint32_t at, uint32_t write) {
  return EVERY_BELOW(i, at, execution_ends_whole(w->x, w->chunks[i], w->last[w->chunks[i]], w->chunks[at], write));
}

static void choose_last(struct state_walk *w, uint32_t at) {
  if (at == w->chunk_count) {
    for (uint32_t i = 0; i < w->x->skeleton->program->observed_count; i++)
      w->values[i] = execution_final(w->x, i, w->last);
    w->visit(w->context, w->values);
    w->over = w->one;
    return;
  }
  struct bitset maximal = w->maximal[at];
  EACH (write, maximal) {
    if (w->over) return;
    if (!fits(w, at, write)) continue;
    w->last[w->chunks[at]] = write;
    choose_last(w, at + 1);
  }
}

void states_visit(struct arena *scratch, const struct execution *x, visit_state *visit, void *context) {
  const struct skeleton *s = x->skeleton;
  uint32_t observed = s->program->observed_count;
  struct state_walk w = {.x = x, .visit = visit, .context = context};
  w.one = program_asks_safety(s->program);
  w.last = ARENA_ARRAY(scratch, uint32_t, s->chunk_count);
  w.chunks = ARENA_ARRAY(scratch, uint32_t, s->chunk_count);
  w.maximal = ARENA_ARRAY(scratch, struct bitset, s->chunk_count);
  w.values = ARENA_ARRAY(scratch, value_t, observed);
  struct bitset seen = bitset_new(scratch, s->chunk_count);
  for (uint32_t i = 0; i < observed; i++)
    for (uint32_t c = s->finals[i].chunk_begin; c < s->finals[i].chunk_end && !s->finals[i].is_term; c++) {
      if (bitset_has(seen, c)) continue;
      bitset_add(seen, c);
      w.chunks[w.chunk_count] = c;
      w.maximal[w.chunk_count] = bitset_new(scratch, s->n);
      execution_maximal(x, c, w.maximal[w.chunk_count++]);
    }
  choose_last(&w, 0);
}

bool states_count_positive(const struct program *program, bool some, bool other) {
  return program->quantifier == LITMUS_FORALL ? !other : some;
}

void outcome_set_init(struct outcome_set *set, struct arena *arena, uint32_t width) {
  *set = (struct outcome_set){.arena = arena, .width = width};
}

static uint64_t hash(const value_t *values, uint32_t width) {
  uint64_t h = width;
  for (uint32_t i = 0; i < width; i++) h = hash_mix(hash_mix(h, (uint64_t)values[i]), (uint64_t)(values[i] >> 64));
  return h;
}

struct outcome *outcome_set_add(struct outcome_set *set, const value_t *values, bool *added) {
  uint64_t h = hash(values, set->width);
  *added = false;
  HASH_EACH (i, &set->index, h)
    if (values_order(set->list.data[i].values, values, set->width) == 0) return &set->list.data[i];
  value_t *copy = ARENA_ARRAY(set->arena, value_t, set->width);
  for (uint32_t i = 0; i < set->width; i++) copy[i] = values[i];
  VEC_PUSH(set->arena, &set->list, (struct outcome){.values = copy});
  hash_add(set->arena, &set->index, h, set->list.len - 1);
  *added = true;
  return &set->list.data[set->list.len - 1];
}

/* A value with its number, so that qsort needs no context: outcomes are compared with their own width. */
struct sorted_outcomes {
  struct outcome outcome;
  uint32_t width;
};

static int by_values(const void *a, const void *b) {
  const struct sorted_outcomes *x = a, *y = b;
  return values_order(x->outcome.values, y->outcome.values, x->width);
}

void outcome_set_sort(struct outcome_set *set) {
  if (set->list.len < 2) return;
  struct sorted_outcomes *all = ARENA_ARRAY(set->arena, struct sorted_outcomes, set->list.len);
  for (uint32_t i = 0; i < set->list.len; i++) all[i] = (struct sorted_outcomes){set->list.data[i], set->width};
  qsort(all, set->list.len, sizeof *all, by_values);
  for (uint32_t i = 0; i < set->list.len; i++) set->list.data[i] = all[i].outcome;
}
