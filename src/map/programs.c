/* Programs of C++ with outcomes, counted through. */
#include <string.h>

#include "map/map.h"

/* Tests of one location have at most so many events; and of those of SHORT events, of which there are too many, some
 * are left out where is_short says that a shorter one stands for them. docs/mapping.md says why. */
enum { ONE_LOCATION = 4, SHORT = 7 };

struct program_filler {
  const struct map_ask *ask;
  struct draft draft;
  uint32_t kinds; /* a mask of those that the table has */
  bool stopped;
  draft_visitor *visit;
  void *state;
};

/* ---- What a cycle has room for ----
 *
 * An outcome that no order of the writes but one goes with, and that C++ forbids, has one execution, and there a cycle
 * that breaks a rule. What stands not on the cycle can be taken away. The cycle enters a thread by an access and leaves
 * it by the same or a later one: where it came to a thread twice, program order would be a way past all that is
 * between, unless what stands there is an update that hands a release sequence on. So a thread has two accesses, and
 * such updates. docs/mapping.md has the argument, which needs scopes that are not mixed, and fewer than eight events.
 */

static bool is_read(const struct draft *d, const struct draft_event *e) {
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      const struct draft_event *other = &d->threads[t].events[i];
      if (draft_reads(other) && other->location == e->location && other->reads == e->writes) return true;
    }
  return false;
}

static bool is_short(const struct program_filler *f, bool outcome) {
  const struct draft *d = &f->draft;
  bool is_long = false;
  if (draft_size(d) != SHORT || f->ask->mixed != MAP_MIXED_NONE || f->ask->old_sequences || d->location_count < 2)
    return true;
  for (uint32_t l = 0; l < d->location_count; l++)
    if (!outcome && draft_write_count(d, l) > 2) return true;
  for (uint32_t t = 0; t < d->thread_count; t++) {
    uint32_t accesses = 0;
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      const struct draft_event *e = &d->threads[t].events[i];
      bool hands_on = e->kind == DRAFT_UPDATE;
      if (outcome) hands_on = hands_on && e->reads && is_read(d, e);
      accesses += draft_accesses(e) && !hands_on;
    }
    is_long = is_long || accesses > 2;
  }
  return !is_long || (outcome && map_orders_vary(d));
}

/* Of one location, whose outcome is incoherent whatever the orders: whether it is so because of every access. */
static bool is_least(const struct draft *d) {
  for (uint32_t t = 0; d->location_count == 1 && t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      struct draft less = *d;
      draft_remove(&less, t, i);
      if (less.location_count && map_outcome_matters(&less)) return false;
    }
  return true;
}

/* ---- Places: whether an outcome matters does not depend on them ---- */

static void fill_place(struct program_filler *f, uint32_t thread, uint8_t ctas, uint8_t gpus) {
  struct draft *d = &f->draft;
  if (f->stopped) return;
  if (thread == d->thread_count) {
    if (draft_is_canonical(d)) f->stopped = !f->visit(f->state, d);
    return;
  }
  struct draft_thread *t = &d->threads[thread];
  for (uint8_t cta = 0; cta <= ctas; cta++)
    for (uint8_t gpu = 0; gpu <= gpus; gpu++) {
      bool right = true; /* who shares a CTA shares the GPU */
      t->cta = t->cluster = cta;
      t->gpu = gpu;
      for (uint32_t u = 0; u < thread; u++) right = right && (d->threads[u].cta != cta || d->threads[u].gpu == gpu);
      if (right && draft_fits(d, thread, f->ask->placements))
        fill_place(f, thread + 1, (uint8_t)(ctas + (cta == ctas)), (uint8_t)(gpus + (gpu == gpus)));
    }
}

static void forget_places(struct draft *d) {
  for (uint32_t t = 0; t < d->thread_count; t++) d->threads[t].cta = d->threads[t].cluster = d->threads[t].gpu = 0;
}

/* ---- Outcomes ---- */

/* The value of the latest access before this one in the thread that fixes what may be read: a read sees no initial
 * value after the thread's own write. */
static bool may_read(const struct draft_thread *t, uint32_t event, uint32_t value) {
  const struct draft_event *e = &t->events[event];
  if (value == e->writes && value) return false;
  for (uint32_t i = 0; i < t->count; i++) {
    const struct draft_event *other = &t->events[i];
    if (!draft_writes(other) || other->location != e->location) continue;
    if (i < event && !value) return false;
    if (i > event && other->writes == value) return false;
  }
  return true;
}

static bool place(void *state, const struct draft *d) {
  struct program_filler *f = state;
  if (is_short(f, true) && map_outcome_matters(d) && is_least(d)) fill_place(f, 0, 0, 0);
  forget_places(&f->draft);
  return !f->stopped;
}

static void forget_outcome(struct draft *d) {
  for (uint32_t l = 0; l < DRAFT_LOCATIONS; l++) d->last[l] = DRAFT_FREE;
  DRAFT_EACH (e, d)
    e->reads = 0;
}

/* ---- Instructions ---- */

/* Two threads access each location, one of them writing, and no threads have nothing to do with the others. What only
 * one thread accesses, or nobody writes, orders nothing. With one location a single thread will do. */
static bool is_sensible(const struct draft *d) {
  uint32_t users[DRAFT_LOCATIONS] = {0};
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++)
      if (draft_accesses(&d->threads[t].events[i])) users[d->threads[t].events[i].location] |= 1u << t;
  for (uint32_t l = 0; l < d->location_count; l++)
    if ((d->location_count > 1 && !(users[l] & (users[l] - 1))) || !draft_write_count(d, l)) return false;
  return draft_in_one_piece(d);
}

static void fill_event(struct program_filler *f, uint32_t thread, uint32_t event) {
  struct draft *d = &f->draft;
  if (f->stopped) return;
  if (thread == d->thread_count) {
    if ((d->location_count == 1 && draft_size(d) > ONE_LOCATION) || !is_short(f, false) || !is_sensible(d)) return;
    draft_number_values(d);
    forget_outcome(d);
    draft_each_outcome(d, d->location_count > 1 ? may_read : NULL, place, f);
    forget_outcome(d);
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
  for (uint32_t kind = 0; kind < MAP_KINDS; kind++)
    for (uint32_t sem = SEM_RELAXED; sem < MAP_SEMS; sem++)
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
