/* The program part of the formula: values, reads-from, coherence, final memory. */
#include "encode/parts.h"

/* ---- Values ---- */

/* Marks the terms that some literal will need, operands of marked terms included. */
static bool *needed_terms(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  bool *needed = ARENA_ARRAY(e->arena, bool, s->terms.list.len);
  EACH_EVENT_BEFORE (i, ev, s, s->n) {
    needed[ev->exec] = true;
    for (uint32_t k = 0; k < ev->place_count; k++) needed[ev->places[k].guard] = true;
    if (ev->kind == EVENT_WRITE && ev->thread != NO_THREAD) needed[ev->value] = true;
    if (ev->kind == EVENT_TEST) needed[ev->value] = needed[ev->use->attempted] = true;
    if (ev->kind == EVENT_ARRIVE)
      needed[ev->value] = needed[ev->meeting.id] = needed[ev->meeting.count] = needed[ev->meeting.live] = true;
  }
  for (uint32_t i = 0; i < s->program->observed_count; i++)
    if (s->finals[i].is_term) needed[s->finals[i].value] = true;
  for (uint32_t i = 0; i < s->hazards.len; i++) needed[s->hazards.data[i].when] = true;
  for (uint32_t i = 0; i < s->assumed.len; i++) needed[s->assumed.data[i]] = true;
  for (uint32_t i = 0; i < s->ends.len; i++) {
    needed[s->ends.data[i].when] = true;
    for (uint32_t k = 0; k < s->ends.data[i].lap_count; k++) needed[s->ends.data[i].laps[k].same] = true;
  }
  for (uint32_t t = 0; t < s->program->thread_count; t++) needed[s->ended[t]] = true;
  VEC_EACH (d, &s->deciders) needed[d->when] = needed[d->value] = true;
  VEC_EACH (turn, &s->turns) needed[turn->again] = needed[turn->effect] = true;
  for (uint32_t i = 0; i < s->first_init && s->options.notes_uses; i++) needed[encode_event(e, i)->address] = true;
  for (term_id id = s->terms.list.len; id-- > 0;) {
    const struct term *t = term_get(&s->terms, id);
    if (!needed[id] || term_op_is_leaf(t->op)) continue;
    needed[t->a] = true;
    bool unary = term_op_is_unary(t->op);
    if (!unary) needed[t->b] = true;
    if (t->op == TERM_ITE) needed[t->c] = true;
  }
  return needed;
}

/* The bits that are 1 in some value of a set, and those that are in all. */
static void known_bits(const struct value_set *set, value_t *any, value_t *all) {
  bool known = set && !set->top && set->count > 0;
  *any = known ? 0 : ~(value_t)0;
  *all = ~*any;
  for (uint32_t i = 0; known && i < set->count; i++) {
    *any |= set->values[i];
    *all &= set->values[i];
  }
}

struct word encode_free_word(struct encoder *e, const struct value_set *set, const struct value_set *also,
                             unsigned width) {
  struct word w = {ARENA_ARRAY(e->arena, lit, width), width};
  value_t any, all, also_any, also_all;
  known_bits(set, &any, &all);
  known_bits(also, &also_any, &also_all);
  also_any |= all;
  also_all &= any;
  for (unsigned i = 0; i < width; i++) {
    bool possible = any >> i & also_any >> i & 1, sure = (all >> i | also_all >> i) & 1;
    w.bits[i] = !possible ? LIT_FALSE : sure ? LIT_TRUE : sat_variable(e->sat);
  }
  return w;
}

/* The values that leaves must have so that a term has its required value; found in simple cases only. */
struct demands {
  const struct terms *terms;
  bool *made;      /* by term */
  value_t *values; /* by term */
};

static void demand(struct demands *d, term_id id, value_t value) {
  const struct term *t = term_get(d->terms, id);
  bool constant_b = !term_op_is_leaf(t->op) && !term_op_is_unary(t->op) && term_is_const(d->terms, t->b);
  bool constant_a = !term_op_is_leaf(t->op) && term_is_const(d->terms, t->a);
  if (t->op == TERM_READ) {
    d->made[id] = true;
    d->values[id] = value;
  } else if (t->op == TERM_NOT && t->width == 1) {
    demand(d, t->a, !value);
  } else if ((t->op == TERM_AND && t->width == 1 && value) || (t->op == TERM_OR && t->width == 1 && !value)) {
    demand(d, t->a, value);
    demand(d, t->b, value);
  } else if (t->op == TERM_XOR && t->width == 1 && (constant_a || constant_b)) {
    demand(d, constant_b ? t->a : t->b, value ^ term_get(d->terms, constant_b ? t->b : t->a)->constant);
  } else if (t->op == TERM_EQ && value && (constant_a || constant_b)) {
    demand(d, constant_b ? t->a : t->b, term_get(d->terms, constant_b ? t->b : t->a)->constant);
  }
}

/* In executions that end, every loop has seen the value that it waits for. */
static struct demands demands_of_ends(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  struct demands d = {&s->terms, ARENA_ARRAY(e->arena, bool, s->terms.list.len),
                      ARENA_ARRAY(e->arena, value_t, s->terms.list.len)};
  for (uint32_t i = 0; i < s->ends.len && !s->options.precise; i++) demand(&d, s->ends.data[i].when, 0);
  return d;
}

static struct word free_word(struct encoder *e, const struct demands *d, term_id id) {
  unsigned width = term_get(&e->skeleton->terms, id)->width;
  if (d->made[id]) return word_const(e->arena, d->values[id], width);
  const struct term *t = term_get(&e->skeleton->terms, id);
  const struct value_set *in_chain = t->op == TERM_READ ? encode_chain_values(e, t->event) : NULL;
  return encode_free_word(e, &e->skeleton->value_sets[id], in_chain, width);
}

static void encode_terms(struct encoder *e) {
  const struct terms *terms = &e->skeleton->terms;
  const bool *needed = needed_terms(e);
  const struct demands demands = demands_of_ends(e);
  const struct word none = {NULL, 0};
  e->words = ARENA_ARRAY(e->arena, struct word, terms->list.len);
  for (term_id id = 0; id < terms->list.len; id++) {
    const struct term *t = term_get(terms, id);
    if (!needed[id]) continue;
    bool leaf = term_op_is_leaf(t->op), unary = term_op_is_unary(t->op);
    if (leaf && t->op != TERM_CONST) {
      e->words[id] = free_word(e, &demands, id);
      continue;
    }
    e->words[id] = word_apply(&e->gates, t, leaf ? none : e->words[t->a], leaf || unary ? none : e->words[t->b],
                              t->op == TERM_ITE ? e->words[t->c] : none);
  }
}

static void encode_events(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  e->exec = ARENA_ARRAY(e->arena, lit, s->n);
  e->at = ARENA_ARRAY(e->arena, lit *, s->n);
  e->writer_index = ARENA_ARRAY(e->arena, uint32_t, s->n);
  e->fence_index = ARENA_ARRAY(e->arena, uint32_t, s->n);
  e->fences = ARENA_ARRAY(e->arena, uint32_t, bitset_count(s->sets[CAT_SET_SC]));
  EACH_EVENT_BEFORE (i, ev, s, s->n) {
    e->exec[i] = e->words[ev->exec].bits[0];
    e->at[i] = ARENA_ARRAY(e->arena, lit, ev->place_count);
    for (uint32_t k = 0; k < ev->place_count; k++) e->at[i][k] = e->words[ev->places[k].guard].bits[0];
    if (ev->kind == EVENT_WRITE) e->writer_index[i] = e->writer_count++;
    if (!bitset_has(s->sets[CAT_SET_SC], i)) continue;
    e->fences[e->fence_count] = i;
    e->fence_index[i] = e->fence_count++;
  }
}

lit encode_covers(struct encoder *e, uint32_t number, uint32_t chunk) {
  const struct event *ev = encode_event(e, number);
  lit *there = ARENA_ARRAY(e->arena, lit, ev->place_count);
  uint32_t count = 0;
  for (uint32_t k = 0; k < ev->place_count; k++)
    if (place_covers(&ev->places[k], chunk)) there[count++] = e->at[number][k];
  return gates_and2(&e->gates, e->exec[number], gates_or(&e->gates, there, count, NEED_BOTH), NEED_BOTH);
}

/* ---- Reads-from ---- */

/* The bits that a write at `place` gives a chunk; initial memory for an initial write. */
static struct word chunk_bits(struct encoder *e, uint32_t write, const struct place *place, uint32_t chunk) {
  const struct chunk *c = &e->skeleton->chunks[chunk];
  if (encode_event(e, write)->thread == NO_THREAD)
    return word_const(e->arena, skeleton_init_value(e->skeleton, c->phys, c->size), 8 * c->size);
  struct word whole = e->words[encode_event(e, write)->value];
  return (struct word){whole.bits + place_bit_offset(e->skeleton, place, chunk), 8 * c->size};
}

void encode_equate(struct encoder *e, const lit conditions[3], struct word a, struct word b) {
  for (unsigned i = 0; i < a.width; i++) {
    if (a.bits[i] == b.bits[i]) continue;
    sat_clause(e->sat, (lit[]){-conditions[0], -conditions[1], -conditions[2], -a.bits[i], b.bits[i]}, 5);
    sat_clause(e->sat, (lit[]){-conditions[0], -conditions[1], -conditions[2], a.bits[i], -b.bits[i]}, 5);
  }
}

void encode_same_bits(struct encoder *e, lit when, uint32_t chunk, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < encode_event(e, a)->place_count; i++)
    for (uint32_t k = 0; k < encode_event(e, b)->place_count; k++) {
      const struct place *p = &encode_event(e, a)->places[i], *q = &encode_event(e, b)->places[k];
      if (!place_covers(p, chunk) || !place_covers(q, chunk)) continue;
      encode_equate(e, (lit[]){when, e->at[a][i], e->at[b][k]}, chunk_bits(e, a, p, chunk), chunk_bits(e, b, q, chunk));
    }
}

/* The value of a slot's read has the bits of the write that the slot is read from. */
static void pass_value(struct encoder *e, const struct slot *slot, uint32_t write, lit from) {
  struct word read = e->words[encode_event(e, slot->read)->value];
  if (read.width == 0) return; /* this read's value is not needed */
  for (uint32_t i = 0; i < encode_event(e, slot->read)->place_count; i++)
    for (uint32_t k = 0; k < encode_event(e, write)->place_count; k++) {
      const struct place *p = &encode_event(e, slot->read)->places[i], *q = &encode_event(e, write)->places[k];
      if (!place_covers(p, slot->chunk) || !place_covers(q, slot->chunk)) continue;
      struct word bits = chunk_bits(e, write, q, slot->chunk);
      struct word part = {read.bits + place_bit_offset(e->skeleton, p, slot->chunk), bits.width};
      encode_equate(e, (lit[]){from, e->at[slot->read][i], e->at[write][k]}, part, bits);
    }
}

static bool contradict(struct word a, struct word b) {
  return SOME_BELOW(i, a.width, a.bits[i] == -b.bits[i] && (a.bits[i] == LIT_TRUE || a.bits[i] == LIT_FALSE));
}

/* True if both have one fixed place, and the write cannot give the read's value. */
static bool never_gives(struct encoder *e, const struct slot *slot, uint32_t write) {
  const struct event *from = encode_event(e, write), *to = encode_event(e, slot->read);
  struct word read = e->words[to->value];
  if (read.width == 0 || from->place_count != 1 || to->place_count != 1) return false;
  struct word bits = chunk_bits(e, write, &from->places[0], slot->chunk);
  return contradict((struct word){read.bits + place_bit_offset(e->skeleton, &to->places[0], slot->chunk), bits.width},
                    bits);
}

/* Pairwise clauses for few literals, else a chain of "one so far" literals (a sequential counter). */
void encode_at_most_one(struct encoder *e, const lit *lits, uint32_t count) {
  enum { PAIRWISE = 6 };
  if (count <= PAIRWISE) {
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t j = i + 1; j < count; j++) sat_clause2(e->sat, -lits[i], -lits[j]);
    return;
  }
  lit before = lits[0];
  for (uint32_t i = 1; i < count; i++) {
    sat_clause2(e->sat, -before, -lits[i]);
    if (i + 1 == count) break;
    lit now = sat_variable(e->sat);
    sat_clause2(e->sat, -before, now);
    sat_clause2(e->sat, -lits[i], now);
    before = now;
  }
}

static void encode_slot(struct encoder *e, uint32_t index) {
  const struct slot *slot = &e->slots->list[index];
  struct bitset writers = e->skeleton->writers[slot->chunk];
  lit needed = encode_covers(e, slot->read, slot->chunk);
  uint32_t count = bitset_count(writers), i = 0;
  lit *sources = ARENA_ARRAY(e->arena, lit, count + 1);
  e->source[index] = ARENA_ARRAY(e->arena, lit, e->writer_count);
  EACH (w, writers) {
    lit from = never_gives(e, slot, w) ? LIT_FALSE : count == 1 ? needed : sat_variable(e->sat);
    e->source[index][e->writer_index[w]] = from;
    if (from == LIT_FALSE) continue;
    sources[i++] = from;
    if (from != needed) sat_clause2(e->sat, -from, needed);
    sat_clause2(e->sat, -from, encode_covers(e, w, slot->chunk));
    pass_value(e, slot, w, from);
  }
  encode_at_most_one(e, sources, i);
  sources[i] = -needed;
  sat_clause(e->sat, sources, i + 1);
}

/* ---- Coherence ---- */

/* The writes of threads that may touch a cell, and are yet to be ordered. */
static struct bitset cell_writers(struct encoder *e, uint32_t cell) {
  const struct skeleton *s = e->skeleton;
  struct bitset set = bitset_new(e->arena, s->n);
  for (uint32_t c = 0; c < s->chunk_count; c++)
    if (s->chunks[c].cell == cell) bitset_or(set, s->writers[c]);
  for (uint32_t i = s->first_init; i < s->n; i++) bitset_del(set, i);
  EACH (w, set)
    if (encode_in_fixed_chain(e, w)) bitset_clear(set); /* the chain already orders all writes of the cell */
  return set;
}

static void order_variables(struct encoder *e, struct bitset writers) {
  EACH (a, writers)
    EACH_FROM (b, writers, a + 1) {
      if (*encode_order(e, a, b) != LIT_FALSE) continue; /* the pair shares another cell too */
      lit forth = *encode_order(e, a, b) = sat_variable(e->sat), back = *encode_order(e, b, a) = sat_variable(e->sat);
      sat_clause2(e->sat, -forth, -back);
      const lit both[] = {forth, back};
      for (unsigned i = 0; i < 2; i++) {
        sat_clause2(e->sat, -both[i], e->exec[a]);
        sat_clause2(e->sat, -both[i], e->exec[b]);
      }
    }
}

/* Without axioms and without reads of several chunks, the empty order is as good as any other. */
static bool may_be_no_order(struct encoder *e) {
  for (uint32_t i = 0; i < e->graph.model->axioms.len; i++)
    if (e->graph.model->axioms.data[i].role == CAT_AXIOM) return false;
  return !SOME_BELOW(i, e->skeleton->n, e->slots->first[i + 1] > e->slots->first[i] + 1) &&
         !e->skeleton->options.precise;
}

static void order_transitive(struct encoder *e, struct bitset writers) {
  for (uint32_t a = bitset_next(writers, 0); a < writers.n && !encoder_is_late(e); a = bitset_next(writers, a + 1))
    EACH (b, writers)
      for (uint32_t c = bitset_next(writers, 0); c < writers.n && b != a; c = bitset_next(writers, c + 1))
        if (c != a && c != b)
          sat_clause3(e->sat, -*encode_order(e, a, b), -*encode_order(e, b, c), *encode_order(e, a, c));
}

static void encode_coherence(struct encoder *e) {
  size_t size = (size_t)e->writer_count * e->writer_count;
  e->order = ARENA_ARRAY(e->arena, lit, size);
  for (size_t i = 0; i < size; i++) e->order[i] = LIT_FALSE;
  for (uint32_t i = 0; i < e->chains.len && e->all_axioms; i++)
    if (!e->chains.data[i].outside_count) encode_section_order(e, &e->chains.data[i]);
  for (uint32_t cell = 0; cell < e->skeleton->cell_count; cell++) order_variables(e, cell_writers(e, cell));
  if (may_be_no_order(e)) return;
  for (uint32_t cell = 0; cell < e->skeleton->cell_count; cell++) order_transitive(e, cell_writers(e, cell));
}

/* ---- Final memory ---- */

/* Chooses the last write: one that covers the chunk, with no such write after it. */
static void encode_last(struct encoder *e, uint32_t chunk) {
  struct bitset writers = e->skeleton->writers[chunk];
  lit *last = e->last[chunk] = ARENA_ARRAY(e->arena, lit, e->writer_count);
  lit *some = ARENA_ARRAY(e->arena, lit, bitset_count(writers));
  uint32_t count = 0;
  EACH (w, writers) {
    lit here = last[e->writer_index[w]] = some[count++] = bitset_count(writers) == 1 ? LIT_TRUE : sat_variable(e->sat);
    sat_clause2(e->sat, -here, encode_covers(e, w, chunk));
    EACH (v, writers) {
      if (v == w || encode_event(e, v)->thread == NO_THREAD) continue;
      lit later = encode_event(e, w)->thread == NO_THREAD ? LIT_TRUE : *encode_order(e, w, v);
      sat_clause3(e->sat, -here, -later, -encode_covers(e, v, chunk));
    }
  }
  sat_clause(e->sat, some, count);
}

/* A write at one of its places that may give a chunk its final value, and the bits that it would give. */
struct giver {
  lit condition[3];
  struct word bits;
};

static uint32_t list_givers(struct encoder *e, uint32_t chunk, struct giver *out) {
  struct bitset writers = e->skeleton->writers[chunk];
  uint32_t count = 0;
  EACH (w, writers)
    for (uint32_t k = 0; k < encode_event(e, w)->place_count; k++) {
      const struct place *place = &encode_event(e, w)->places[k];
      if (!place_covers(place, chunk)) continue;
      if (out) {
        struct giver giver = {{e->last[chunk][e->writer_index[w]], e->at[w][k], LIT_TRUE},
                              chunk_bits(e, w, place, chunk)};
        out[count] = giver;
      }
      count++;
    }
  return count;
}

/* The final bits of a chunk; a bit on which all givers agree needs no variable. */
static struct word final_chunk(struct encoder *e, uint32_t chunk) {
  unsigned width = 8 * e->skeleton->chunks[chunk].size;
  uint32_t count = list_givers(e, chunk, NULL);
  struct giver *givers = ARENA_ARRAY(e->arena, struct giver, count);
  list_givers(e, chunk, givers);
  struct word bits = {ARENA_ARRAY(e->arena, lit, width), width};
  for (unsigned i = 0; i < width; i++) {
    bool agree = EVERY(for (uint32_t g = 1; g < count; g++), givers[g].bits.bits[i] == givers[0].bits.bits[i]);
    bits.bits[i] = agree ? givers[0].bits.bits[i] : sat_variable(e->sat);
  }
  for (uint32_t g = 0; g < count; g++) encode_equate(e, givers[g].condition, bits, givers[g].bits);
  return bits;
}

static void measure_finals(struct encoder *e) {
  uint32_t count = e->skeleton->program->observed_count;
  e->lengths = ARENA_ARRAY(e->arena, unsigned, count);
  for (uint32_t i = 0; i < count; i++) {
    unsigned length = e->finals[i].width;
    while (length && e->finals[i].bits[length - 1] == LIT_FALSE) length--;
    e->lengths[i] = length;
  }
}

static void encode_finals(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  e->last = ARENA_ARRAY(e->arena, lit *, s->chunk_count);
  e->finals = ARENA_ARRAY(e->arena, struct word, s->program->observed_count);
  for (uint32_t i = 0; i < s->program->observed_count; i++) {
    const struct final *final = &s->finals[i];
    if (final->is_term) {
      e->finals[i] = e->words[final->value];
      continue;
    }
    unsigned width = s->program->observables[i].type.width, at = 0;
    e->finals[i] = (struct word){ARENA_ARRAY(e->arena, lit, width), width};
    for (uint32_t c = final->chunk_begin; c < final->chunk_end; c++) {
      if (!e->last[c]) encode_last(e, c);
      struct word bits = final_chunk(e, c);
      for (unsigned k = 0; k < bits.width; k++) e->finals[i].bits[at++] = bits.bits[k];
    }
  }
}

void encode_program(struct encoder *e) {
  encode_terms(e);
  encode_events(e);
  e->pass = ARENA_ARRAY(e->arena, lit, e->skeleton->n);
  for (term_id id = 0; id < e->skeleton->terms.list.len; id++)
    if (term_get(&e->skeleton->terms, id)->op == TERM_PASS && e->words[id].width)
      e->pass[term_get(&e->skeleton->terms, id)->event] = e->words[id].bits[0];
  for (uint32_t i = 0; i < e->skeleton->ends.len && !e->skeleton->options.precise; i++)
    sat_clause1(e->sat, -e->words[e->skeleton->ends.data[i].when].bits[0]);
  for (uint32_t i = 0; i < e->skeleton->assumed.len; i++)
    sat_clause1(e->sat, e->words[e->skeleton->assumed.data[i]].bits[0]);
  encode_barriers(e);
  encode_mbarriers(e);
  encode_coherence(e);
  encode_fences(e);
  e->source = ARENA_ARRAY(e->arena, lit *, e->slots->count);
  for (uint32_t i = 0; i < e->slots->count; i++) encode_slot(e, i);
  encode_whole_reads(e);
  encode_finals(e);
  measure_finals(e);
  encode_whole_ends(e);
}

/* ---- The predefined relations that depend on the execution ---- */

static lit rf_pair(struct encoder *e, uint32_t write, uint32_t read, unsigned need) {
  uint32_t first = e->slots->first[read], end = e->slots->first[read + 1], count = 0;
  lit *parts = ARENA_ARRAY(e->arena, lit, end - first);
  for (uint32_t i = first; i < end; i++)
    if (e->source[i][e->writer_index[write]]) parts[count++] = e->source[i][e->writer_index[write]];
  return gates_or(&e->gates, parts, count, need);
}

/* True if a property of two byte ranges holds, for events whose places are computed. */
static lit place_pair(struct encoder *e, enum cat_builtin relation, uint32_t a, uint32_t b, unsigned need) {
  const struct event *x = encode_event(e, a), *y = encode_event(e, b);
  lit *parts = ARENA_ARRAY(e->arena, lit, (size_t)x->place_count * y->place_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < x->place_count; i++)
    for (uint32_t k = 0; k < y->place_count; k++)
      if ((a != b || i == k) && skeleton_places_related(e->skeleton, relation, a, i, b, k))
        parts[count++] = gates_and2(&e->gates, e->at[a][i], e->at[b][k], need);
  return gates_or(&e->gates, parts, count, need);
}

static lit co_pair(struct encoder *e, uint32_t a, uint32_t b, unsigned need) {
  lit together = bitmat_has(e->skeleton->must[CAT_REL_LOC], a, b) ? LIT_TRUE : place_pair(e, CAT_REL_LOC, a, b, need);
  lit ordered = encode_event(e, a)->thread == NO_THREAD ? LIT_TRUE : *encode_order(e, a, b);
  return gates_and2(&e->gates, ordered, together, need);
}

/* For a chain in every execution: fr leads from the read of an atomic to its own write and the writes after that. */
static bool fr_of_atomic(struct encoder *e, uint32_t read, uint32_t b, lit *out) {
  const struct event *event = encode_event(e, read);
  bool writes = event->is_rmw && event->partner != NO_PARTNER && e->exec[event->partner] == e->exec[read];
  if (!writes || !encode_in_fixed_chain(e, event->partner)) return false;
  *out = event->partner == b ? LIT_TRUE : *encode_order(e, event->partner, b);
  return true;
}

/* A literal: for some common chunk, the read takes its value from a write that is before b in coherence. */
static lit fr_pair(struct encoder *e, uint32_t read, uint32_t b, unsigned need) {
  uint32_t first = e->slots->first[read], end = e->slots->first[read + 1], count = 0;
  lit known;
  if (fr_of_atomic(e, read, b, &known)) return known;
  struct three *parts = ARENA_ARRAY(e->arena, struct three, (size_t)(end - first) * e->writer_count);
  for (uint32_t i = first; i < end; i++) {
    uint32_t chunk = e->slots->list[i].chunk;
    struct bitset writers = e->skeleton->writers[chunk];
    if (!bitset_has(writers, b)) continue;
    lit covered = encode_covers(e, b, chunk);
    EACH (w, writers) {
      if (w == b) continue;
      lit before = encode_event(e, w)->thread == NO_THREAD ? LIT_TRUE : *encode_order(e, w, b);
      parts[count++] = (struct three){{e->source[i][e->writer_index[w]], before, covered}};
    }
  }
  return gates_or_of_ands(&e->gates, parts, count, need);
}

lit encode_builtin(struct encoder *e, enum cat_builtin relation, uint32_t a, uint32_t b, unsigned need) {
  switch (relation) {
    case CAT_REL_RF: return rf_pair(e, a, b, need);
    case CAT_REL_CO: return co_pair(e, a, b, need);
    case CAT_REL_FR: return fr_pair(e, a, b, need);
    case CAT_REL_SC_ORDER: return encode_fence_order(e, a, b);
    case CAT_REL_WAITED: return encode_waited(e, a, b);
    case CAT_REL_MO: return encode_mo(e, a, b, need);
    case CAT_REL_PHASE: return encode_phase(e, a, b, need);
    case CAT_REL_NEXT_PHASE: return encode_next_phase(e, a, b, need);
    case CAT_REL_LOC:
    case CAT_REL_VLOC:
    case CAT_REL_SAME_RANGE:
    case CAT_REL_PARTIAL: return place_pair(e, relation, a, b, need);
    case CAT_REL_PHASE_ORDER: return encode_phase_order(e, a, b, need);
    case CAT_REL_BAR:
    case CAT_REL_BAR_RELAXED:
    case CAT_REL_EXCHANGE:
    case CAT_REL_DATA: return encode_share(e, a, encode_event(e, b)->partner, need);
#define SET(id, name, meaning) case CAT_SET_##id:
#define REL(id, name, needs, bounds, traits, meaning) case CAT_REL_##id:
#include "cat/builtin.def"
    case CAT_BUILTIN_COUNT: break;
  }
  BUG("builtin %d has no literal for e%u-e%u", (int)relation, a, b);
}
