/* Finds the places that accesses may go to.
 *
 * A fixed address gives one place. For a computed address, the values that it may take are over-approximated: a finite
 * set of possible values is computed for every term, and grows together with the places until neither changes. Sets
 * that get large, or that still grow after many rounds, become "any value". The values of reads that may depend on
 * themselves through memory also become "any value": only an axiom excludes values out of thin air, and axioms can be
 * dropped. For a counter, to which all atomics add constants of one sign, arithmetic excludes them: around a cycle the
 * value would have to grow and stay the same. */
#include "exec/build.h"
#include "exec/sets.h"

enum { SET_LIMIT = 24, ROUND_LIMIT = 16, MOST_PLACES = 1 << 18 };

/* A place of a write. */
struct written_place {
  uint32_t phys, event;
};

struct places {
  struct skeleton *s;
  VEC(struct written_place) written; /* in the order of their bytes */
  uint32_t widest;                   /* the bytes of the widest write */
  struct value_set *sets;            /* by term */
  bool *counters;                    /* by event: it reads a counter */
  bool *anywhere;                    /* by event: it has a place at every address */
  uint32_t round, total;             /* total: the places of events that have one at every address */
  bool changed;
};

/* The view that holds [address, address + size), or NULL. */
static const struct view *find_view(const struct skeleton *s, value_t address, uint32_t size) {
  return ARRAY_FIND(view, s->program->views, s->program->view_count,
                    address >= view->vaddr && address + size <= (value_t)view->vaddr + skeleton_object(s, view)->size);
}

enum reason_id skeleton_misuse(const struct skeleton *s, const struct event *e, value_t address) {
  const struct view *view = find_view(s, address, e->size);
  if (view && skeleton_object(s, view)->is_mbarrier) return REASON_MBARRIER_ACCESS;
  if (!view || (skeleton_object(s, view)->is_cells && e->proxy != PROXY_TMEM)) return REASON_NO_LOCATION;
  const struct instr *in = &s->program->threads[e->thread].instrs[e->instr];
  if (skeleton_object(s, view)->is_allocator) return e->in_allocator ? NO_REASON : REASON_NO_LOCATION;
  enum space space = view->space,
             wanted = e->spawn.is_source && in->async->action == ASYNC_COPY ? SPACE_GLOBAL : in->space;
  if (wanted != SPACE_GENERIC && wanted != space) return REASON_OTHER_SPACE;
  const uint32_t elements = instr_is_access(in) ? in->elements : 1; /* a vector is aligned as a whole (6.4.1) */
  if ((address - (value_t)(e->element % elements) * e->size) % (elements * e->size)) return REASON_MISALIGNED;
  if (e->kind == EVENT_WRITE && space == SPACE_CONST) return REASON_CONST_STORE;
  return NO_REASON;
}

static bool has_place(const struct event *e, uint32_t count, uint32_t vaddr) {
  return SOME_BELOW(i, count, e->places[i].vaddr == vaddr);
}

static void add_place(struct places *p, struct event *e, uint32_t vaddr, term_id guard) {
  const struct view *view = find_view(p->s, vaddr, e->size);
  const uint32_t n = e->place_count, phys = skeleton_object(p->s, view)->phys + (vaddr - view->vaddr);
  struct place *places = e->places;
  if (!(n & (n - 1))) places = ARENA_ARRAY(p->s->arena, struct place, n ? 2 * n : 1); /* full at powers of two */
  if (n && places != e->places) memcpy(places, e->places, n * sizeof *places);
  places[e->place_count++] = (struct place){.vaddr = vaddr, .phys = phys, .guard = guard};
  e->places = places;
  p->changed = true;
}

/* Messages name the nearest location, but none farther away than NEAR, and none for addresses near 0 (null
 * pointers). */
enum { NEAR = 1 << 16, NULL_PAGE = 1 << 12 };

/* The location nearest to an access outside all locations, and the distance. */
struct nearest {
  const char *name; /* NULL: none is near */
  uint64_t begin, size, apart;
};

static void bring_nearer(struct nearest *n, uint64_t at, uint32_t bytes, struct litmus_region region) {
  uint64_t end = region.base + region.size;
  uint64_t apart = at < region.base ? region.base - at : at + bytes <= end ? NEAR : at < end ? 0 : at + bytes - end;
  if (apart >= n->apart || at < NULL_PAGE) return;
  *n = (struct nearest){region.name, region.base, region.size, apart};
}

static struct nearest find_nearest(const struct skeleton *s, uint64_t at, uint32_t bytes) {
  const struct program *program = s->program;
  struct nearest n = {.apart = NEAR};
  for (uint32_t i = 0; i < program->test->region_count; i++) bring_nearer(&n, at, bytes, program->test->regions[i]);
  ARRAY_EACH (view, program->views, program->view_count) {
    const char *name = arena_printf(s->arena, "'%s'", view->name);
    if (!skeleton_object(s, view)->is_cells)
      bring_nearer(&n, at, bytes, (struct litmus_region){name, view->vaddr, skeleton_object(s, view)->size});
  }
  return n;
}

const struct reason *skeleton_outside(const struct skeleton *s, enum reason_id why, uint64_t at, uint32_t bytes,
                                      uint32_t thread) {
  struct text text = {.arena = s->arena};
  bool moved = s->program->test->region_count && at > INT32_MAX && at <= UINT32_MAX;
  if (moved) at -= OUTSIDE;
  const struct nearest n = find_nearest(s, at, bytes);
  text_printf(&text, "%s: %u byte%s at ", reason_get(why)->text, bytes, bytes == 1 ? "" : "s");
  if (!n.name) text_printf(&text, "0x%llx", (unsigned long long)at);
  else
    text_printf(&text, "offset %lld of %s, which has %llu", (long long)(at - n.begin), n.name,
                (unsigned long long)n.size);
  text_add(&text, ", by ");
  thread_tell(&s->program->threads[thread], &text);
  return reason_with(s->arena, why, text_str(&text));
}

static void add_hazard(struct skeleton *s, const struct event *e, term_id when, const struct reason *why) {
  skeleton_hazard(s, term_and(&s->terms, e->exec, when), why, e->thread, e->instr);
}

/* Notes an undefined access at this address. */
static void add_misuse(struct skeleton *s, const struct event *e, term_id when, value_t address) {
  enum reason_id why = skeleton_misuse(s, e, address);
  bool outside = why == REASON_NO_LOCATION;
  if (why)
    add_hazard(s, e, when, outside ? skeleton_outside(s, why, (uint64_t)address, e->size, e->thread) : reason_get(why));
}

static term_id address_is(struct skeleton *s, const struct event *e, value_t address) {
  return term_eq(&s->terms, e->address, term_const(&s->terms, address, 64));
}

/* Adds places at every aligned address, for an event whose address is unknown. */
static void place_anywhere(struct places *p, struct event *e) {
  const uint32_t before = e->place_count;
  bool *done = &p->anywhere[e - p->s->events.data];
  if (*done || p->s->refusal) return;
  *done = true;
  ARRAY_EACH (view, p->s->program->views, p->s->program->view_count) {
    uint32_t size = skeleton_object(p->s, view)->is_cells ? 0 : skeleton_object(p->s, view)->size;
    for (uint32_t at = 0; at + e->size <= size; at += e->size)
      if (!has_place(e, before, view->vaddr + at) && !skeleton_misuse(p->s, e, view->vaddr + at))
        add_place(p, e, view->vaddr + at, address_is(p->s, e, view->vaddr + at));
  }
  p->total += e->place_count;
  if (p->total <= MOST_PLACES) return;
  const struct instr *in = &p->s->program->threads[e->thread].instrs[e->instr];
  const char *text = arena_printf(p->s->arena,
                                  "values decide this address, and it may be any of %u: too many for all "
                                  "such accesses; shorter arrays may do",
                                  e->place_count);
  skeleton_refuse(p->s, reason_with(p->s->arena, REASON_MANY_EVENTS, text), in->span);
}

static void place_event(struct places *p, struct event *e) {
  const struct term *address = term_get(&p->s->terms, e->address);
  if (address->op == TERM_CONST) {
    if (!e->place_count && !skeleton_misuse(p->s, e, address->constant))
      add_place(p, e, (uint32_t)address->constant, TERM_TRUE);
    return;
  }
  const struct value_set *set = &p->sets[e->address];
  if (set->top) place_anywhere(p, e);
  for (uint32_t i = 0; i < set->count && !set->top; i++)
    if (!has_place(e, e->place_count, (uint32_t)set->values[i]) && !skeleton_misuse(p->s, e, set->values[i]))
      add_place(p, e, (uint32_t)set->values[i], address_is(p->s, e, set->values[i]));
}

static void find_hazards(struct places *p, const struct event *e) {
  const struct term *address = term_get(&p->s->terms, e->address);
  const struct value_set *set = &p->sets[e->address];
  if (address->op == TERM_CONST) {
    add_misuse(p->s, e, TERM_TRUE, address->constant);
  } else if (set->top) {
    term_id somewhere = TERM_FALSE;
    for (uint32_t i = 0; i < e->place_count; i++) somewhere = term_or(&p->s->terms, somewhere, e->places[i].guard);
    add_hazard(p->s, e, term_not(&p->s->terms, somewhere), reason_get(REASON_NO_LOCATION_OR_MISALIGNED));
  } else {
    for (uint32_t i = 0; i < set->count; i++) add_misuse(p->s, e, address_is(p->s, e, set->values[i]), set->values[i]);
  }
}

static void set_top(struct places *p, struct value_set *set) { p->changed |= value_set_top(set); }

/* The limit on the size of a set; after many rounds, its present size, so that a set that still grows becomes "any
 * value". */
static uint32_t limit_of(const struct places *p, const struct value_set *set) {
  return p->round > ROUND_LIMIT ? set->count : SET_LIMIT;
}

static void set_add(struct places *p, struct value_set *set, value_t value) {
  p->changed |= value_set_add(p->s->arena, set, value, limit_of(p, set));
}

static int compare_written(const void *a, const void *b) {
  const struct written_place *x = a, *y = b;
  return (x->phys > y->phys) - (x->phys < y->phys);
}

static void list_written(struct places *p) {
  p->written.len = p->widest = 0;
  EACH_EVENT_OF (e, write, p->s) {
    if (write->kind != EVENT_WRITE) continue;
    ARRAY_EACH (place, write->places, write->place_count)
      VEC_PUSH(p->s->arena, &p->written, (struct written_place){place->phys, e});
    if (write->size > p->widest) p->widest = write->size;
  }
  if (p->written.len) qsort(p->written.data, p->written.len, sizeof *p->written.data, compare_written);
}

/* Adds the values that a read may return from writes at one of its places: a write's possible values if both cover the
 * same bytes, else any. */
static void flow(struct places *p, struct value_set *to, const struct place *read, uint32_t size) {
  uint32_t i;
  FIRST_NOT(i, p->written.len, p->written.data[i].phys + p->widest <= read->phys);
  for (; i < p->written.len && p->written.data[i].phys < read->phys + size; i++) {
    const uint32_t phys = p->written.data[i].phys;
    const struct event *write = skeleton_event(p->s, p->written.data[i].event);
    if (phys + write->size <= read->phys) continue;
    if (phys != read->phys || write->size != size) set_top(p, to);
    else p->changed |= value_set_join(p->s->arena, to, &p->sets[write->value], limit_of(p, to));
  }
}

bool places_may_meet(const struct event *a, const struct event *b) {
  for (uint32_t i = 0; i < a->place_count; i++)
    for (uint32_t k = 0; k < b->place_count; k++)
      if (a->places[i].phys < b->places[k].phys + b->size && b->places[k].phys < a->places[i].phys + a->size)
        return true;
  return false;
}

/* True if a term takes the value of an arrival: a predicate that a bar.red may reduce, or a lane's value. */
static bool takes_from(const struct term *t, const struct event *arrival) {
  return t->op == TERM_REDUCE || arrival->thread == t->constant;
}

static void reduced_reads(const struct skeleton *s, const struct term *t, const struct bitset *reads,
                          struct bitset out) {
  const struct barrier_group *group = &s->groups.data[skeleton_event(s, t->event)->meeting.group];
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    const struct event *arrival = skeleton_event(s, group->arrivals.data[i]);
    if (takes_from(t, arrival)) bitset_or(out, reads[arrival->value]);
  }
}

/* For each term, the reads it is computed from. A bar.red looks at terms of other threads, which may come later: the
 * rounds end when nothing is added. */
static struct bitset *term_reads(const struct skeleton *s) {
  uint32_t count = s->terms.list.len;
  struct bitset *reads = ARENA_ARRAY(s->arena, struct bitset, count);
  for (term_id id = 0; id < count; id++) reads[id] = bitset_new(s->arena, s->events.len);
  bool reductions = true;
  for (uint32_t round = 0; round <= s->groups.len + 1 && reductions; round++) {
    reductions = false;
    for (term_id id = 0; id < count; id++) {
      const struct term *t = term_get(&s->terms, id);
      if (t->op == TERM_READ) bitset_add(reads[id], t->event);
      if (t->op == TERM_REDUCE || t->op == TERM_LANE) reduced_reads(s, t, reads, reads[id]), reductions = true;
      if (term_op_is_leaf(t->op)) continue;
      bitset_or(reads[id], reads[t->a]);
      bitset_or(reads[id], reads[t->b]); /* unused operands are constants and add nothing */
      bitset_or(reads[id], reads[t->c]);
    }
  }
  return reads;
}

/* True if a write is that of an atomic that adds a constant to its location; *added: the constant, with its sign. */
static bool adds_constant(const struct skeleton *s, const struct event *write, int64_t *added) {
  const struct term *value = term_get(&s->terms, write->value);
  if (!write->is_rmw || value->op != TERM_ADD || value->width > 64) return false;
  const struct term *read = term_get(&s->terms, value->a), *by = term_get(&s->terms, value->b);
  unsigned beside = 64 - value->width;
  *added = (int64_t)((uint64_t)by->constant << beside) >> beside;
  return by->op == TERM_CONST && read->op == TERM_READ && read->event == write->partner;
}

/* True if the location read is a counter: all writes but the atomics are constant. */
static bool reads_counter(const struct skeleton *s, const struct event *read) {
  int64_t up = 0, down = 0, added;
  EACH_EVENT_OF (e, write, s) {
    if (write->kind != EVENT_WRITE || !places_may_meet(write, read)) continue;
    if (write->size != read->size || write->place_count != 1 || write->places[0].phys != read->places[0].phys)
      return false;
    if (term_is_const(&s->terms, write->value)) continue;
    if (!adds_constant(s, write, &added) || added > INT32_MAX >> 8 || added < INT32_MIN >> 8) return false;
    if (added > 0) up += added;
    else down -= added;
  }
  uint32_t bits = read->size < 8 ? 8 * read->size - 2 : 62;
  return read->place_count == 1 && (up == 0 || down == 0) && up + down < (int64_t)1 << bits;
}

/* The values of a counter: constants written, and sums of the addends. */
static void evaluate_counter(struct places *p, struct value_set *set, const struct event *read) {
  const struct skeleton *s = p->s;
  struct value_set sums = {0};
  value_set_add(s->arena, &sums, skeleton_init_value(s, read->places[0].phys, read->size), SET_LIMIT);
  EACH_EVENT_OF (e, write, s)
    if (write->kind == EVENT_WRITE && term_is_const(&s->terms, write->value) && places_may_meet(write, read))
      value_set_add(s->arena, &sums, term_get(&s->terms, write->value)->constant, SET_LIMIT);
  for (uint32_t e = 0; e < s->events.len; e++) {
    int64_t added;
    const struct event *write = skeleton_event(s, e);
    if (write->kind != EVENT_WRITE || !places_may_meet(write, read) || !adds_constant(s, write, &added)) continue;
    value_t before[SET_LIMIT], mask = value_mask(8 * read->size);
    uint32_t count = sums.count;
    for (uint32_t i = 0; i < count; i++) before[i] = sums.values[i];
    for (uint32_t i = 0; i < count; i++)
      value_set_add(s->arena, &sums, (before[i] + (uint64_t)added) & mask, SET_LIMIT);
  }
  p->changed |= value_set_join(s->arena, set, &sums, limit_of(p, set));
}

/* Reads whose value may go through memory back to themselves can return anything. */
static void free_circular_reads(struct places *p) {
  struct skeleton *s = p->s;
  struct bitset *reads = term_reads(s);
  struct bitmat from = bitmat_new(s->arena, s->events.len);
  for (uint32_t r = 0; r < s->events.len; r++)
    p->counters[r] = skeleton_event(s, r)->kind == EVENT_READ && reads_counter(s, skeleton_event(s, r));
  EACH_EVENT_OF (w, write, s)
    if (write->kind == EVENT_WRITE && !bitset_empty(reads[write->value]))
      for (uint32_t r = 0; r < s->events.len; r++)
        if (skeleton_event(s, r)->kind == EVENT_READ && !p->counters[r] && places_may_meet(write, skeleton_event(s, r)))
          bitset_or(bitmat_row_set(from, r), reads[write->value]);
  bitmat_closure(from);
  for (uint32_t r = 0; r < s->events.len; r++)
    if (bitmat_has(from, r, r)) set_top(p, &p->sets[skeleton_event(s, r)->value]);
}

static void evaluate_read(struct places *p, term_id id) {
  const struct event *read = skeleton_event(p->s, term_get(&p->s->terms, id)->event);
  struct value_set *set = &p->sets[id];
  if (p->counters[term_get(&p->s->terms, id)->event]) {
    evaluate_counter(p, set, read);
    return;
  }
  if (!read->place_count && term_is_const(&p->s->terms, read->address)) set_top(p, set); /* a hazard: any value */
  for (uint32_t i = 0; i < read->place_count && !set->top; i++) {
    set_add(p, set, skeleton_init_value(p->s, read->places[i].phys, read->size));
    flow(p, set, &read->places[i], read->size);
  }
}

/* Adds the possible values of a lane: those of its arrivals. */
static void evaluate_lane(struct places *p, term_id id) {
  const struct term *t = term_get(&p->s->terms, id);
  const struct barrier_group *group = &p->s->groups.data[skeleton_event(p->s, t->event)->meeting.group];
  for (uint32_t i = 0; i < group->arrivals.len; i++) {
    const struct event *arrival = skeleton_event(p->s, group->arrivals.data[i]);
    if (!takes_from(t, arrival)) continue;
    const struct value_set *from = &p->sets[arrival->value];
    if (from->top) set_top(p, &p->sets[id]);
    for (uint32_t v = 0; v < from->count; v++) set_add(p, &p->sets[id], from->values[v]);
  }
}

/* The values of a leaf that is a condition, a lane's value, or the result of a bar.red: at most the number of
 * arrivals. */
static void evaluate_barrier(struct places *p, term_id id) {
  const struct term *t = term_get(&p->s->terms, id);
  set_add(p, &p->sets[id], 0);
  if (t->op == TERM_LANE) {
    evaluate_lane(p, id);
    return;
  }
  set_add(p, &p->sets[id], 1);
  if (t->op != TERM_REDUCE) return;
  uint32_t arrivals = p->s->groups.data[skeleton_event(p->s, t->event)->meeting.group].arrivals.len;
  for (uint32_t v = 0; v <= (t->width == 1 ? 1 : arrivals); v++) set_add(p, &p->sets[id], v);
}

static void evaluate_all(struct places *p) {
  list_written(p);
  for (term_id id = 0; id < p->s->terms.list.len; id++) {
    const struct term *t = term_get(&p->s->terms, id);
    if (t->op == TERM_CONST) set_add(p, &p->sets[id], t->constant);
    else if (t->op == TERM_READ) evaluate_read(p, id);
    else if (t->op == TERM_PENDING || t->op == TERM_FREE) set_top(p, &p->sets[id]);
    else if (term_op_is_leaf(t->op)) evaluate_barrier(p, id);
    else p->changed |= value_set_evaluate(p->s->arena, &p->s->terms, p->sets, id, limit_of(p, &p->sets[id]));
  }
}

/* The table of sets follows the table of terms, which grows as guards are made. */
static void fit_sets(struct places *p, uint32_t *length) {
  uint32_t wanted = p->s->terms.list.len;
  if (*length == wanted) return;
  struct value_set *larger = ARENA_ARRAY(p->s->arena, struct value_set, wanted);
  for (uint32_t i = 0; i < *length; i++) larger[i] = p->sets[i];
  p->sets = larger;
  *length = wanted;
}

void skeleton_place(struct skeleton *s) {
  struct places p = {.s = s, .changed = true};
  p.counters = ARENA_ARRAY(s->arena, bool, s->events.len);
  p.anywhere = ARENA_ARRAY(s->arena, bool, s->events.len);
  uint32_t length = 0;
  for (; p.changed && !s->refusal; p.round++) {
    p.changed = false;
    fit_sets(&p, &length);
    if (p.round) {
      free_circular_reads(&p);
      evaluate_all(&p);
    }
    for (uint32_t e = 0; e < s->events.len; e++)
      if (event_is_memory(&s->events.data[e])) place_event(&p, &s->events.data[e]);
    if (!p.round) p.changed = true;
  }
  for (uint32_t e = 0; e < s->events.len && !s->refusal; e++)
    if (event_is_memory(skeleton_event(s, e))) find_hazards(&p, skeleton_event(s, e));
  fit_sets(&p, &length);
  evaluate_all(&p);
  s->value_sets = p.sets;
}
