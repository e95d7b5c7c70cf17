/* Enumerates programs of C++ with outcomes. */

#include "generate/generate.h"
#include "map/map.h"

/* The limit of events in tests of one location (reason: docs/mapping.md). */
enum { ONE_LOCATION = 4 };

struct program_filler {
  const struct map_ask *ask;
  struct draft draft;
  uint32_t kinds; /* a mask of the kinds in the table */
  bool barriers;  /* the draft has barriers */
  bool stopped;
  draft_visitor *visit;
  void *state;
};

/* For a program of one location with an incoherent outcome: true if the outcome needs every access. */
static bool is_least(const struct draft *d) {
  for (uint32_t t = 0; d->location_count == 1 && t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      struct draft less = *d;
      draft_remove(&less, t, i);
      if (!draft_interleaves(&less)) return false;
    }
  return true;
}

/* ---- Places: only barriers make the choice of outcomes depend on them ---- */

/* C++ has no clusters, so each CTA is its own cluster. */
static bool take_places(void *state, const struct draft *d) {
  struct program_filler *f = state;
  if (!draft_is_canonical(d) || (f->barriers && (!generate_places_matter(d, 0) || draft_interleaves(d)))) return true;
  return f->visit(f->state, d);
}

static void place(struct program_filler *f) {
  f->stopped = !draft_each_place(&f->draft, f->ask->placements & ~(1u << SCOPE_CLUSTER), take_places, f);
}

static void forget_places(struct draft *d) {
  for (uint32_t t = 0; t < d->thread_count; t++) d->threads[t].cta = d->threads[t].cluster = d->threads[t].gpu = 0;
}

/* ---- Outcomes: location after location ---- */

/* True if the outcome of this location is coherent: some interleaving of its accesses alone gives it. */
static bool is_coherent(const struct draft *d, uint32_t location) {
  struct draft own = *d;
  for (uint32_t l = 0; l < d->location_count; l++)
    if (l != location) own.last[l] = DRAFT_FREE;
  for (uint32_t t = 0; t < d->thread_count; t++) {
    own.threads[t].count = 0;
    ARRAY_EACH (e, d->threads[t].events, d->threads[t].count)
      if (draft_accesses(e) && e->location == location) own.threads[t].events[own.threads[t].count++] = *e;
  }
  return draft_interleaves(&own);
}

static void fill_outcome(struct program_filler *f, uint32_t location);

static void take_location(struct program_filler *f, uint32_t location) {
  bool several = f->draft.location_count > 1 || f->barriers;
  if (is_coherent(&f->draft, location) == several) fill_outcome(f, location + 1);
}

static void fill_last(struct program_filler *f, uint32_t location) {
  uint32_t count = draft_write_count(&f->draft, location);
  for (uint8_t value = 1; count > 1 && value <= count && !f->stopped; value++) {
    f->draft.last[location] = value;
    take_location(f, location);
  }
  f->draft.last[location] = DRAFT_FREE;
  if (count <= 1) take_location(f, location);
}

/* Chooses the values that the reads of the location return, from this event on. */
static void fill_reads(struct program_filler *f, uint32_t location, uint32_t thread, uint32_t event) {
  struct draft *d = &f->draft;
  if (thread == d->thread_count) {
    fill_last(f, location);
    return;
  }
  if (event == d->threads[thread].count) {
    fill_reads(f, location, thread + 1, 0);
    return;
  }
  struct draft_event *e = &d->threads[thread].events[event];
  bool reads = draft_reads(e) && e->location == location;
  uint32_t most = reads ? draft_write_count(d, location) : 0;
  for (uint8_t value = 0; value <= most && !f->stopped; value++) {
    if (value && value == e->writes) continue;
    if (reads) e->reads = value;
    fill_reads(f, location, thread, event + 1);
  }
  if (reads) e->reads = 0;
}

static void fill_outcome(struct program_filler *f, uint32_t location) {
  if (location < f->draft.location_count) {
    fill_reads(f, location, 0, 0);
    return;
  }
  if (f->barriers || (is_least(&f->draft) && !draft_interleaves(&f->draft))) place(f);
  forget_places(&f->draft);
}

/* ---- Instructions ---- */

/* True if two threads access each location, one of them writing, and common locations connect all threads: a location
 * that only one thread accesses, or that is never written, orders nothing. A program of one location may have a single
 * thread. */
static bool is_sensible(const struct draft *d) {
  uint32_t users[DRAFT_LOCATIONS] = {0};
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++)
      if (draft_accesses(&d->threads[t].events[i])) users[d->threads[t].events[i].location] |= 1u << t;
  return !SOME_BELOW(l, d->location_count,
                     (d->location_count > 1 && !(users[l] & (users[l] - 1))) || !draft_write_count(d, l)) &&
         draft_in_one_piece(d);
}

/* True if for each thread with barriers another thread has as many; *count is the number of barriers. */
static bool barriers_may_fit(const struct draft *d, uint32_t *count) {
  uint32_t counts[DRAFT_THREADS];
  *count = 0;
  for (uint32_t t = 0; t < d->thread_count; t++)
    *count += counts[t] = draft_barriers(&d->threads[t], d->threads[t].count, DRAFT_BARRIER);
  for (uint32_t a = 0; a < d->thread_count; a++) {
    bool met = !counts[a] || SOME_BELOW(b, d->thread_count, a != b && counts[a] == counts[b]);
    if (!met) return false;
  }
  return true;
}

static void fill_event(struct program_filler *f, uint32_t thread, uint32_t event) {
  struct draft *d = &f->draft;
  if (f->stopped) return;
  if (thread == d->thread_count) {
    uint32_t barriers;
    if (!barriers_may_fit(d, &barriers) || !is_sensible(d)) return;
    if (d->location_count == 1 && draft_size(d) > ONE_LOCATION + barriers) return;
    f->barriers = barriers > 0;
    draft_number_values(d);
    if (!draft_is_canonical(d)) return;
    fill_outcome(f, 0);
    return;
  }
  struct draft_thread *t = &d->threads[thread];
  if (event == t->count) {
    fill_event(f, thread + 1, 0);
    return;
  }
  struct draft_event *e = &t->events[event];
  uint8_t known = d->location_count;
  for (uint32_t kind = DRAFT_READ; kind < DRAFT_FENCE; kind++)
    for (uint8_t l = 0; f->kinds >> kind & 1 && l <= known && l < f->ask->locations; l++) {
      *e = (struct draft_event){.kind = (uint8_t)kind, .location = l};
      d->location_count = (uint8_t)(known + (l == known));
      fill_event(f, thread, event + 1);
    }
  d->location_count = known;
  if (f->kinds >> DRAFT_BARRIER & 1) {
    *e = (struct draft_event){.kind = DRAFT_BARRIER, .scope = SCOPE_CTA};
    fill_event(f, thread, event + 1);
  }
  bool edge = event == 0 || event + 1u == t->count;
  if (edge || !(f->kinds >> DRAFT_FENCE & 1)) return;
  *e = (struct draft_event){.kind = DRAFT_FENCE};
  fill_event(f, thread, event + 1);
}

static bool fill_program(void *state, const struct draft *d) {
  struct program_filler *f = state;
  (void)d;
  f->draft.location_count = 0;
  fill_event(f, 0, 0);
  return !f->stopped;
}

void map_programs(const struct map_ask *ask, uint32_t events, draft_visitor *visit, void *state) {
  struct program_filler f = {.ask = ask, .visit = visit, .state = state};
  memset(f.draft.last, DRAFT_FREE, sizeof f.draft.last);
  MAP_EACH_ROW (kind, sem)
    if (map_has(ask, kind, sem)) f.kinds |= 1u << kind;
  uint32_t size = 0, threads = 0;
  for (; threads < DRAFT_THREADS && ask->shape[threads]; threads++) size += ask->shape[threads];
  if (!size) {
    draft_each_size(&f.draft, ask->threads, events, ask->length, fill_program, &f);
  } else if (size == events) {
    for (uint32_t t = 0; t < threads; t++) f.draft.threads[t].count = ask->shape[t];
    f.draft.thread_count = (uint8_t)threads;
    fill_program(&f, &f.draft);
  }
}
