/* Breaks the symmetry of threads that are alike, if the writes of a location are a chain.
 *
 * n threads that count under a lock may acquire it in n! orders, and a refutation that does not know that they are
 * alike tries most of them. If all axioms hold, the writes to such a location that happen are in one order
 * (counting.c). So each thread has a first write, or none; and in any execution, some exchange of threads that are
 * alike puts their first writes in the order of the threads, with threads without a write last. A property that such an
 * exchange preserves (exec/alike.c) holds in an execution with this order, or in none.
 *
 * T comes before U: whenever a write of U happens, some write of T is before it. Threads that can each be exchanged
 * with one thread can be permuted in any way. Several sets of such threads are independent: an exchange within one set
 * leaves the order of first writes in another unchanged. */
#include "encode/parts.h"

struct sorting {
  struct encoder *e;
  lit on;
  uint32_t *like; /* by thread: the first thread that is like it */
  const bool *fixed; /* by thread: true if it is not exchanged; NULL: all may be */
};

/* ---- Which threads ---- */

static bool is_fixed(const struct sorting *s, uint32_t thread) { return s->fixed && s->fixed[thread]; }

static void find_likes(struct sorting *s, bool in_outcomes) {
  const struct skeleton *skeleton = s->e->skeleton;
  for (uint32_t t = 0; t < skeleton->program->thread_count; t++) {
    s->like[t] = t;
    for (uint32_t first = 0; first < t && s->like[t] == t && !encoder_is_late(s->e); first++)
      if (s->like[first] == first && !is_fixed(s, first) && !is_fixed(s, t) &&
          skeleton_alike(skeleton, first, t, in_outcomes))
        s->like[t] = first;
  }
}

static uint32_t next_like(const struct sorting *s, uint32_t thread) {
  uint32_t count = s->e->skeleton->program->thread_count, next = thread + 1;
  while (next < count && s->like[next] != s->like[thread]) next++;
  return next;
}

/* ---- By which location ---- */

/* True if the thread may write the location; with `always`, if it does in every execution. */
static bool writes(const struct encoder *e, const struct chain *c, uint32_t thread, bool always) {
  return SOME_BELOW(
      i, c->count, encode_event(e, c->ends[0][i])->thread == thread && (!always || e->exec[c->ends[0][i]] == LIT_TRUE));
}

/* A location that both threads may write, and one of them always, is preferred: then the order is complete. */
static const struct chain *chain_of(const struct encoder *e, uint32_t thread, uint32_t other) {
  const struct chain *found = NULL;
  for (unsigned always = 2; always-- > 0 && !found;)
    for (uint32_t i = 0; i < e->chains.len && !found; i++)
      if (writes(e, &e->chains.data[i], thread, always) && writes(e, &e->chains.data[i], other, false))
        found = &e->chains.data[i];
  return found;
}

/* ---- The order ---- */

static void sort_two(struct sorting *s, const struct chain *c, uint32_t first, uint32_t second) {
  struct encoder *e = s->e;
  lit *some = ARENA_ARRAY(e->arena, lit, c->count + 2);
  for (uint32_t i = 0; i < c->count; i++) {
    uint32_t write = c->ends[0][i], count = 0;
    if (encode_event(e, write)->thread != second) continue;
    for (uint32_t k = 0; k < c->count; k++)
      if (encode_event(e, c->ends[0][k])->thread == first) some[count++] = *encode_order(e, c->ends[0][k], write);
    some[count++] = -e->exec[write];
    some[count++] = -s->on;
    sat_clause(e->sat, some, count);
  }
}

static void sort_class(struct sorting *s, uint32_t thread) {
  uint32_t count = s->e->skeleton->program->thread_count, second = next_like(s, thread);
  const struct chain *c = second < count ? chain_of(s->e, thread, second) : NULL;
  for (uint32_t next = second; next < count && c; thread = next, next = next_like(s, thread)) {
    if (s->on == LIT_TRUE) s->on = sat_variable(s->e->sat);
    sort_two(s, c, thread, next);
  }
}

lit encoder_sort_threads(struct encoder *e, bool in_outcomes, const bool *fixed) {
  uint32_t count = e->skeleton->program->thread_count;
  struct sorting s = {.e = e, .on = LIT_TRUE, .fixed = fixed};
  if (!e->all_axioms || !e->chains.len || e->refusal || !encode_does(e, TECHNIQUE_SYMMETRY)) return LIT_TRUE;
  s.like = ARENA_ARRAY(e->arena, uint32_t, count);
  find_likes(&s, in_outcomes);
  for (uint32_t t = 0; t < count && !e->refusal; t++)
    if (s.like[t] == t) sort_class(&s, t);
  return s.on;
}
