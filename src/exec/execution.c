#include "exec/execution.h"

struct slots slots_build(struct arena *arena, const struct skeleton *s) {
  struct slots slots = {.first = ARENA_ARRAY(arena, uint32_t, s->n + 1)};
  for (int pass = 0; pass < 2; pass++) {
    uint32_t count = 0;
    for (uint32_t e = 0; e < s->n; e++) {
      slots.first[e] = count;
      if (skeleton_event(s, e)->kind != EVENT_READ) continue;
      struct bitset seen = bitset_new(arena, s->chunk_count);
      ARRAY_EACH (place, skeleton_event(s, e)->places, skeleton_event(s, e)->place_count)
        for (uint32_t c = place->chunk_begin; c < place->chunk_end; c++) bitset_add(seen, c);
      for (uint32_t c = bitset_next(seen, 0); c < seen.n; c = bitset_next(seen, c + 1), count++)
        if (pass) slots.list[count] = (struct slot){e, c};
    }
    slots.first[s->n] = slots.count = count;
    if (!pass) slots.list = ARENA_ARRAY(arena, struct slot, count);
  }
  return slots;
}

struct bitmat execution_relation(const struct execution *x, enum cat_builtin relation) {
#define REL_OPEN(id, name, needs, bounds, member, depends, traits, meaning)                                            \
  if (relation == CAT_REL_##id) return x->member;
#include "cat/builtin.def"
  return x->skeleton->may[relation];
}

/* Sets x->place if the event's address is known; else returns false. */
static bool settle_place(struct execution *x, uint32_t e) {
  const struct event *ev = execution_event(x, e);
  if (ev->thread == NO_THREAD) {
    x->place[e] = 0;
    return true;
  }
  if (!x->known[ev->address]) return false;
  x->place[e] = NO_PLACE;
  for (uint32_t i = 0; i < ev->place_count; i++)
    if (ev->places[i].vaddr == x->terms[ev->address]) x->place[e] = i;
  return true;
}

static bool touches(const struct execution *x, uint32_t e, uint32_t chunk) {
  return x->place[e] != NO_PLACE && place_covers(&execution_event(x, e)->places[x->place[e]], chunk);
}

value_t execution_chunk_value(const struct execution *x, uint32_t write, uint32_t chunk) {
  const struct chunk *c = &x->skeleton->chunks[chunk];
  if (execution_event(x, write)->thread == NO_THREAD) return skeleton_init_value(x->skeleton, c->phys, c->size);
  const struct place *place = &execution_event(x, write)->places[x->place[write]];
  return x->terms[execution_event(x, write)->value] >> place_bit_offset(x->skeleton, place, chunk) &
         value_mask(8 * c->size);
}

struct type execution_value_type(const struct execution *x, uint32_t e) {
  const struct program *program = x->skeleton->program;
  struct type type = event_instr(x->skeleton, e)->type;
  if (x->place[e] == NO_PLACE) return type;
  uint32_t phys = execution_event(x, e)->places[x->place[e]].phys, width = 8 * execution_event(x, e)->size;
  ARRAY_EACH (o, program->objects, program->object_count)
    if (phys >= o->phys && phys < o->phys + o->size && type_is_float(o->type) && o->type.width == width) return o->type;
  if (type.width == width) return type;
  return (struct type){TYPE_BITS, (uint8_t)width};
}

/* Assembles a read's value from its chunks. False while some part is not known yet. A chunk without a proper source
 * reads as 0; execution_run rejects it later. */
static bool compute_read(struct execution *x, uint32_t e) {
  if (!settle_place(x, e)) return false;
  value_t value = x->place[e] == NO_PLACE ? x->stray[e] : 0;
  for (uint32_t i = x->slots->first[e]; i < x->slots->first[e + 1]; i++) {
    uint32_t chunk = x->slots->list[i].chunk, write = x->source[i];
    if (!touches(x, e, chunk) || write == NO_EVENT) continue;
    if (write == OPEN_SOURCE) return false;
    if (execution_event(x, write)->thread != NO_THREAD && !x->known[execution_event(x, write)->value]) return false;
    if (!settle_place(x, write)) return false;
    if (!touches(x, write, chunk)) continue;
    const struct place *place = &execution_event(x, e)->places[x->place[e]];
    value |= execution_chunk_value(x, write, chunk) << place_bit_offset(x->skeleton, place, chunk);
  }
  x->values[e] = value;
  return true;
}

static bool compute_term(struct execution *x, term_id id) {
  const struct terms *terms = &x->skeleton->terms;
  const struct term *t = term_get(terms, id);
  if (t->op == TERM_READ) {
    if (!compute_read(x, t->event)) return false;
    x->terms[id] = x->values[t->event];
    return true;
  }
  if (t->op == TERM_PASS) x->terms[id] = x->pass[t->event];
  if (t->op == TERM_GO) x->terms[id] = x->go[t->event];
  if (t->op == TERM_FREE) x->terms[id] = x->free[t->event];
  if (t->op == TERM_PENDING) x->terms[id] = execution_pending(x, t->event);
  if (t->op == TERM_PASS || t->op == TERM_PENDING || t->op == TERM_GO || t->op == TERM_FREE)
    return true;
  if (t->op == TERM_LANE) return execution_lane(x, t->event, (uint32_t)t->constant, &x->terms[id]);
  if (t->op == TERM_REDUCE) return execution_reduce(x, t->event, &x->terms[id]);
  bool unary = term_op_is_unary(t->op);
  term_id b = unary ? TERM_FALSE : t->b, c = t->op == TERM_ITE ? t->c : TERM_FALSE;
  if (t->op == TERM_CONST) {
    x->terms[id] = t->constant;
    return true;
  }
  if (!x->known[t->a] || !x->known[b] || !x->known[c]) return false;
  x->terms[id] = term_apply(t, x->terms[t->a], term_get(terms, t->a)->width, x->terms[b], x->terms[c]);
  return true;
}

void execution_learn(struct execution *x) {
  uint32_t count = x->skeleton->terms.list.len;
  for (bool progress = true; progress && x->learned < count;) {
    progress = false;
    for (uint32_t i = x->learned; i < count; i++) {
      term_id id = x->sequence[i];
      if (!compute_term(x, id)) continue;
      x->known[id] = progress = true;
      x->sequence[i] = x->sequence[x->learned];
      x->sequence[x->learned++] = id;
    }
  }
}

void execution_forget(struct execution *x, uint32_t learned) {
  for (uint32_t i = learned; i < x->learned; i++) x->known[x->sequence[i]] = false;
  x->learned = learned;
}

/* Puts the terms in order: first those that follow from constants alone, which it computes once and for all. */
static void order_terms(struct execution *x) {
  uint32_t count = x->skeleton->terms.list.len;
  for (term_id id = 0; id < count; id++) {
    enum term_op op = term_get(&x->skeleton->terms, id)->op;
    if (term_op_is_leaf(op) && op != TERM_CONST) continue;
    x->known[id] = compute_term(x, id);
    if (x->known[id]) x->sequence[x->learned++] = id;
  }
  x->constant = x->learned;
  for (term_id id = 0, at = x->constant; id < count; id++)
    if (!x->known[id]) x->sequence[at++] = id;
}

struct execution *execution_new(struct arena *arena, const struct skeleton *s, const struct slots *slots) {
  struct execution *x = ARENA_NEW(arena, struct execution);
  x->skeleton = s;
  x->slots = slots;
  x->source = ARENA_ARRAY(arena, uint32_t, slots->count);
  for (uint32_t i = 0; i < slots->count; i++) x->source[i] = NO_EVENT;
  x->order = bitmat_new(arena, s->n);
  x->phase = ARENA_ARRAY(arena, uint32_t, s->n);
  for (uint32_t e = 0; e < s->n; e++) x->phase[e] = NO_PHASE;
  x->turn = ARENA_ARRAY(arena, uint32_t, s->n);
  x->reached = ARENA_ARRAY(arena, uint32_t, s->n);
  for (uint32_t e = 0; e < s->n; e++) x->turn[e] = NO_TURN, x->reached[e] = NO_PHASE;
  x->states = ARENA_ARRAY(arena, struct mbarrier_state, s->mbarriers.len);
  x->go = ARENA_ARRAY(arena, bool, s->go_threads.len);
  x->free = ARENA_ARRAY(arena, value_t, s->free.list.len);
  x->pass = ARENA_ARRAY(arena, bool, s->n);
  x->stray = ARENA_ARRAY(arena, value_t, s->n);
  x->values = ARENA_ARRAY(arena, value_t, s->n);
  x->exec = bitset_new(arena, s->n);
  x->place = ARENA_ARRAY(arena, uint32_t, s->n);
  x->terms = ARENA_ARRAY(arena, value_t, s->terms.list.len);
  x->known = ARENA_ARRAY(arena, bool, s->terms.list.len);
  x->sequence = ARENA_ARRAY(arena, term_id, s->terms.list.len);
#define CHOICE(parts) true
#define PHASES s->open_phases
#define PLACES !s->fixed_places
#define GROUPS s->open_groups
#define OBJECTS s->mbarriers.len
#define REL_OPEN(id, name, needs, bounds, member, depends, traits, meaning)                                            \
  x->member = depends ? bitmat_new(arena, s->n) : s->may[CAT_REL_##id];
#include "cat/builtin.def"
  order_terms(x);
  return x;
}

static bool sources_fit(const struct execution *x) {
  for (uint32_t i = 0; i < x->slots->count; i++) {
    uint32_t read = x->slots->list[i].read, chunk = x->slots->list[i].chunk, write = x->source[i];
    bool needed = bitset_has(x->exec, read) && touches(x, read, chunk);
    if (needed != (write != NO_EVENT)) return false;
    if (needed && (!bitset_has(x->exec, write) || !touches(x, write, chunk))) return false;
  }
  return true;
}

/* True if it is known that the event does not happen, or not at the chunk. *settled: it is known that it does. */
static bool is_absent(struct execution *x, uint32_t e, uint32_t chunk, bool *settled) {
  term_id exec = execution_event(x, e)->exec;
  bool placed = settle_place(x, e);
  *settled = x->known[exec] && placed;
  return (x->known[exec] && !x->terms[exec]) || (placed && !touches(x, e, chunk));
}

bool execution_may_take(struct execution *x, uint32_t slot, uint32_t write) {
  uint32_t chunk = x->slots->list[slot].chunk;
  bool settled;
  if (is_absent(x, x->slots->list[slot].read, chunk, &settled)) return write == NO_EVENT;
  return write == NO_EVENT ? !settled : !is_absent(x, write, chunk, &settled);
}

/* The relations of computed addresses, for the places that this execution uses. */
static void relate_places(struct execution *x) {
  const struct skeleton *s = x->skeleton;
  bitmat_clear(x->loc);
  bitmat_clear(x->vloc);
  bitmat_clear(x->same_range);
  bitmat_clear(x->partial);
  for (uint32_t a = 0; a < s->n; a++)
    for (uint32_t b = 0; b < s->n; b++) {
      const struct event *e = execution_event(x, a), *f = execution_event(x, b);
      if (!event_is_memory(e) || !event_is_memory(f) || x->place[a] == NO_PLACE || x->place[b] == NO_PLACE) continue;
      const struct place *p = &e->places[x->place[a]], *q = &f->places[x->place[b]];
      bool loc = p->phys < q->phys + f->size && q->phys < p->phys + e->size;
      bool equal = p->phys == q->phys && e->size == f->size;
      bool init = a >= s->first_init || b >= s->first_init;
      if (loc) bitmat_add(x->loc, a, b);
      if (loc && !equal) bitmat_add(x->partial, a, b);
      if (init ? loc : p->vaddr < q->vaddr + f->size && q->vaddr < p->vaddr + e->size) bitmat_add(x->vloc, a, b);
      if (init ? equal : p->vaddr == q->vaddr && e->size == f->size) bitmat_add(x->same_range, a, b);
    }
}

/* Finds the places that are known even though some values depend on themselves. */
static void settle_known_places(struct execution *x) {
  for (uint32_t e = 0; e < x->skeleton->n; e++) {
    x->place[e] = NO_PLACE;
    if (event_is_memory(execution_event(x, e))) settle_place(x, e);
  }
  if (!x->skeleton->fixed_places) relate_places(x);
}

enum run_status execution_finish(struct execution *x) {
  const struct skeleton *s = x->skeleton;
  execution_learn(x);
  bitset_clear(x->exec);
  if (x->learned < s->terms.list.len) {
    settle_known_places(x);
    return RUN_CIRCULAR;
  }
  for (uint32_t e = 0; e < s->n; e++) {
    if (x->terms[execution_event(x, e)->exec] != 0) bitset_add(x->exec, e);
    x->place[e] = NO_PLACE;
    if (event_is_memory(execution_event(x, e))) settle_place(x, e);
    if (execution_event(x, e)->kind == EVENT_WRITE && e < s->first_init)
      x->values[e] = x->terms[execution_event(x, e)->value];
  }
  for (uint32_t i = 0; i < s->ends.len && !s->options.precise; i++)
    if (x->terms[s->ends.data[i].when]) return RUN_INVALID;
  for (uint32_t i = 0; i < s->assumed.len; i++)
    if (!x->terms[s->assumed.data[i]]) return RUN_INVALID;
  return sources_fit(x) && execution_meets(x) && execution_signals(x) ? RUN_OK : RUN_INVALID;
}

enum run_status execution_run(struct execution *x) {
  execution_forget(x, x->constant);
  return execution_finish(x);
}

static void relate_co(struct execution *x) {
  const struct skeleton *s = x->skeleton;
  bitmat_set(x->co, x->order);
  for (uint32_t w = 0; w < s->first_init; w++) {
    struct bitset row = bitmat_row_set(x->co, w);
    if (bitset_empty(row)) continue;
    bitset_and(row, bitmat_row_set(x->loc, w));
    bitset_and(row, x->exec);
    if (!bitset_has(x->exec, w)) bitset_clear(row);
  }
  for (uint32_t init = s->first_init; init < s->n; init++) {
    struct bitset row = bitmat_row_set(x->co, init);
    bitset_or(row, bitmat_row_set(x->loc, init));
    bitset_and(row, s->sets[CAT_SET_WRITE]);
    bitset_and(row, x->exec);
    bitset_del(row, init);
  }
}

static void relate_reads(struct execution *x) {
  bitmat_clear(x->rf);
  bitmat_clear(x->fr);
  for (uint32_t i = 0; i < x->slots->count; i++) {
    uint32_t read = x->slots->list[i].read, chunk = x->slots->list[i].chunk, write = x->source[i];
    if (write == NO_EVENT) continue;
    bitmat_add(x->rf, write, read);
    struct bitset later = bitmat_row_set(x->co, write);
    EACH (w, later)
      if (touches(x, w, chunk)) bitmat_add(x->fr, read, w);
  }
}

void execution_relate(struct execution *x) {
  if (!x->skeleton->fixed_places) relate_places(x);
  execution_relate_barriers(x);
  execution_relate_mbarriers(x);
  execution_relate_groups(x);
  relate_co(x);
  relate_reads(x);
}

/* True if a read that takes a chunk from `write` may take another chunk of `write` from `other`. */
static bool is_younger(const struct execution *x, uint32_t other, uint32_t write) {
  return other == write || bitmat_has(x->co, write, other);
}

bool execution_is_whole(const struct execution *x) {
  for (uint32_t i = 0; i < x->slots->count; i++) {
    uint32_t read = x->slots->list[i].read, write = x->source[i];
    if (write == NO_EVENT || !event_is_single(execution_event(x, read))) continue;
    if (write < x->skeleton->first_init && !event_is_single(execution_event(x, write))) continue;
    for (uint32_t k = x->slots->first[read]; k < x->slots->first[read + 1]; k++) {
      uint32_t other = x->source[k];
      if (other == NO_EVENT || !touches(x, write, x->slots->list[k].chunk)) continue;
      if (!is_younger(x, other, write)) return false;
    }
  }
  return true;
}

bool execution_ends_whole(const struct execution *x, uint32_t chunk_a, uint32_t last_a, uint32_t chunk_b,
                          uint32_t last_b) {
  if (last_a == last_b || !touches(x, last_a, chunk_b) || !touches(x, last_b, chunk_a)) return true;
  return !event_is_single(execution_event(x, last_a)) || !event_is_single(execution_event(x, last_b));
}

void execution_maximal(const struct execution *x, uint32_t chunk, struct bitset out) {
  struct bitset writers = x->skeleton->writers[chunk];
  EACH (w, writers) {
    if (!bitset_has(x->exec, w) || !touches(x, w, chunk)) continue;
    struct bitset later = bitmat_row_set(x->co, w);
    bool last = true;
    for (uint32_t v = bitset_next(later, 0); v < later.n && last; v = bitset_next(later, v + 1))
      if (bitset_has(x->exec, v) && touches(x, v, chunk)) last = false;
    if (last) bitset_add(out, w);
  }
}

value_t execution_final(const struct execution *x, uint32_t index, const uint32_t *last) {
  const struct final *final = &x->skeleton->finals[index];
  if (final->is_term) return x->terms[final->value];
  value_t value = 0;
  uint32_t begin = x->skeleton->chunks[final->chunk_begin].phys;
  for (uint32_t c = final->chunk_begin; c < final->chunk_end; c++)
    value |= execution_chunk_value(x, last[c], c) << (8 * (x->skeleton->chunks[c].phys - begin));
  return value;
}
