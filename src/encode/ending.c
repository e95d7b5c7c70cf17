/* Encodes the ways in which threads fail to end, in precise skeletons. */
#include "encode/parts.h"

lit encoder_ending(const struct encoder *e, uint32_t index) {
  return e->words[e->skeleton->ends.data[index].when].bits[0];
}

/* ---- Laps that repeat for ever ---- */

struct endless {
  struct encoder *e;
  lit *part; /* by event: it happens, and its thread repeats it for ever */
};

/* A literal for each lap: the repetition begins there. */
static lit *choose_laps(struct encoder *e, const struct ending *ending, lit ends) {
  lit *begins = ARENA_ARRAY(e->arena, lit, ending->lap_count + 1u);
  for (uint32_t k = 0; k < ending->lap_count; k++) {
    begins[k] = sat_variable(e->sat);
    sat_clause2(e->sat, -begins[k], ends);
    sat_clause2(e->sat, -begins[k], e->words[ending->laps[k].same].bits[0]);
    for (uint32_t ev = ending->laps[k].first_event; ev < ending->end_event; ev++)
      if (!event_is_basic(encode_event(e, ev))) sat_clause2(e->sat, -begins[k], -e->exec[ev]);
  }
  begins[ending->lap_count] = -ends;
  sat_clause(e->sat, begins, ending->lap_count + 1u);
  return begins;
}

static void find_parts(struct endless *x) {
  struct encoder *e = x->e;
  const struct skeleton *s = e->skeleton;
  struct lits *ways = ARENA_ARRAY(e->arena, struct lits, s->n);
  for (uint32_t i = 0; i < s->ends.len; i++) {
    const struct ending *ending = &s->ends.data[i];
    lit ends = encoder_ending(e, i);
    for (uint32_t r = ending->first_event; ending->kind == ENDING_SPIN && r < ending->end_event; r++)
      if (event_is_memory(encode_event(e, r))) VEC_PUSH(e->arena, &ways[r], ends);
    lit *begins = ending->kind == ENDING_LASSO ? choose_laps(e, ending, ends) : NULL;
    for (uint32_t k = 0; k < ending->lap_count; k++)
      for (uint32_t ev = ending->laps[k].first_event; ev < ending->end_event; ev++)
        VEC_PUSH(e->arena, &ways[ev], begins[k]);
  }
  x->part = ARENA_ARRAY(e->arena, lit, s->n);
  for (uint32_t ev = 0; ev < s->n; ev++) {
    lit some = gates_or(&e->gates, ways[ev].data, ways[ev].len, NEED_BOTH);
    x->part[ev] = gates_and2(&e->gates, e->exec[ev], some, NEED_BOTH);
  }
}

/* ---- Repeated events come after all others ---- */

/* Makes the literal false if `part` is repeated for ever, and `other` happens and is not repeated. */
static void never_back(struct endless *x, uint32_t part, uint32_t other, lit pair) {
  sat_clause(x->e->sat, (lit[]){-x->part[part], -x->e->exec[other], x->part[other], -pair}, 4);
}

static void read_newest(struct endless *x, uint32_t read) {
  struct encoder *e = x->e;
  const struct skeleton *s = e->skeleton;
  struct bitset later = bitmat_row_set(s->may[CAT_REL_FR], read);
  EACH (w, later) never_back(x, read, w, encode_builtin(e, CAT_REL_FR, read, w, NEED_IF));
}

static void write_last(struct endless *x, uint32_t write) {
  struct encoder *e = x->e;
  struct bitset writers = e->skeleton->sets[CAT_SET_WRITE];
  for (uint32_t i = 0; i < e->slots->count; i++) {
    lit from = e->source[i][e->writer_index[write]];
    if (from && from != LIT_FALSE) never_back(x, write, e->slots->list[i].read, from);
  }
  EACH (w, writers) {
    bool ordered = w != write && encode_event(e, w)->thread != NO_THREAD && *encode_order(e, w, write) != LIT_FALSE;
    if (ordered) never_back(x, write, w, -*encode_order(e, w, write));
  }
}

static void fence_last(struct endless *x, uint32_t fence) {
  struct encoder *e = x->e;
  for (uint32_t i = 0; i < e->fence_count; i++)
    if (bitmat_has(e->skeleton->may[CAT_REL_SC_ORDER], fence, e->fences[i]))
      never_back(x, fence, e->fences[i], encode_fence_order(e, fence, e->fences[i]));
}

/* ---- Repeated events leave relevant memory unchanged ---- */

/* A literal for each write to the chunk: it is the last of the repeated writes or, with `part` false, of the others. If
 * some repeated write to the chunk happens, one of the literals is true. */
static lit *last_of(struct endless *x, uint32_t chunk, bool part) {
  struct encoder *e = x->e;
  struct bitset writers = e->skeleton->writers[chunk];
  lit *last = ARENA_ARRAY(e->arena, lit, e->writer_count), *some = ARENA_ARRAY(e->arena, lit, e->writer_count + 1u);
  uint32_t count = 1;
  EACH (w, writers) {
    if (part && x->part[w] == LIT_FALSE) continue;
    lit here = last[e->writer_index[w]] = some[count++] = sat_variable(e->sat);
    sat_clause2(e->sat, -here, encode_covers(e, w, chunk));
    sat_clause2(e->sat, -here, part ? x->part[w] : -x->part[w]);
    EACH (v, writers) {
      if (v == w || encode_event(e, v)->thread == NO_THREAD) continue;
      lit later = encode_event(e, w)->thread == NO_THREAD ? LIT_TRUE : -*encode_order(e, v, w);
      lit kind = part ? x->part[v] : -x->part[v];
      sat_clause(e->sat, (lit[]){-here, -encode_covers(e, v, chunk), -kind, -later}, 4);
    }
  }
  EACH (w, writers) {
    some[0] = -gates_and2(&e->gates, x->part[w], encode_covers(e, w, chunk), NEED_BOTH);
    if (some[0] != LIT_TRUE) sat_clause(e->sat, some, count);
  }
  return last;
}

static void keep_value(struct endless *x, uint32_t chunk) {
  struct encoder *e = x->e;
  struct bitset writers = e->skeleton->writers[chunk];
  bool written = SOME(EACH (w, writers), x->part[w] != LIT_FALSE);
  if (!written || skeleton_may_change(e->skeleton, chunk)) return;
  lit *inside = last_of(x, chunk, true), *outside = last_of(x, chunk, false);
  EACH (w, writers)
    EACH (v, writers) {
      lit a = inside[e->writer_index[w]], b = outside[e->writer_index[v]];
      if (!a || !b) continue;
      encode_same_bits(e, gates_and2(&e->gates, a, b, NEED_IF), chunk, w, v);
    }
}

void encoder_go_on_for_ever(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  struct endless x = {.e = e};
  find_parts(&x);
  for (uint32_t i = 0; i < s->ends.len; i++) {
    const struct ending *ending = &s->ends.data[i];
    for (uint32_t t = ending->first_event; ending->kind == ENDING_SPIN && t < ending->end_event; t++)
      if (skeleton_event(s, t)->kind == EVENT_TEST)
        sat_clause3(e->sat, -encoder_ending(e, i), -e->exec[t], encode_test_fails_at_last(e, t));
  }
  for (uint32_t ev = 0; ev < s->first_init; ev++) {
    if (x.part[ev] == LIT_FALSE) continue;
    if (skeleton_event(s, ev)->kind == EVENT_READ) read_newest(&x, ev);
    if (skeleton_event(s, ev)->kind == EVENT_WRITE) write_last(&x, ev);
    if (bitset_has(s->sets[CAT_SET_SC], ev)) fence_last(&x, ev);
  }
  for (uint32_t c = 0; c < s->chunk_count; c++) keep_value(&x, c);
  encoder_define_pairs(e);
}
