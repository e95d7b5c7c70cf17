/* Enumerates all drafts of a size: the number of events per thread, then instructions, places, outcomes. */
#include "generate/generate.h"

struct filler {
  const struct generate_ask *ask;
  struct draft draft;
  struct draft_orders alike; /* the equivalent orders of the complete program */
  bool strongest, stopped;
  uint64_t found;
  draft_visitor *visit;
  void *state;
};

static void fill_event(struct filler *f, uint32_t thread, uint32_t event);

/* ---- Programs that are left out ---- */

static bool locations_matter(const struct draft *d) {
  uint32_t accesses[DRAFT_LOCATIONS] = {0};
  DRAFT_EACH (e, d)
    if (draft_accesses(e)) accesses[e->location]++;
  return !SOME_BELOW(l, d->location_count, accesses[l] < 2 || !draft_write_count(d, l)) && d->location_count > 0;
}

/* True if no fence is first or last and if, of two fences in a row, neither is weaker (not checked for strongest
 * forms), and the two are sorted by semantics, because their order has no effect. */
static bool fences_matter(const struct draft_thread *t, bool strongest) {
  if (draft_is_fence(&t->events[0]) || draft_is_fence(&t->events[t->count - 1])) return false;
  for (uint32_t i = 1; i < t->count; i++) {
    const struct draft_event *a = &t->events[i - 1], *b = &t->events[i];
    if (draft_accesses(a) || a->kind != b->kind || a->proxy != b->proxy) continue;
    if (a->kind == DRAFT_FENCE && strongest) continue;
    if (a->kind != DRAFT_FENCE || generate_weaker(a, b) || generate_weaker(b, a) || a->sem > b->sem) return false;
  }
  return true;
}

/* True if each location has at most one red, because the final value would not distinguish several. */
static bool reds_matter(const struct draft *d) {
  uint32_t reds[DRAFT_LOCATIONS] = {0};
  return !SOME(DRAFT_EACH (e, d), e->kind == DRAFT_RED && ++reds[e->location] > 1);
}

/* True if a draft with asynchronous operations has only events of such tests, and its waits match its arrivals. */
static bool async_matters(const struct draft *d) {
  bool waits = false, arrives = false;
  if (!draft_has_async(d)) return true;
  DRAFT_EACH (e, d) {
    bool other = e->proxy != PROXY_GENERIC && e->proxy != PROXY_ASYNC;
    if (e->kind == DRAFT_RED || e->kind == DRAFT_CLUSTER_BARRIER || e->dep != DRAFT_NO_DEP || other) return false;
    waits = waits || e->kind == DRAFT_WAIT;
    arrives = arrives || e->kind == DRAFT_ARRIVE;
  }
  return (!arrives || waits) && (!waits || draft_arrivals(d)) && draft_can_end(d);
}

bool generate_is_sensible(const struct draft *draft, bool strongest) {
  return EVERY_BELOW(t, draft->thread_count, fences_matter(&draft->threads[t], strongest)) && locations_matter(draft) &&
         reds_matter(draft) && async_matters(draft) && draft_in_one_piece(draft) && draft_aliases_are_normal(draft);
}

/* True if every barrier of the thread joins at least two threads, with the same number of barriers in each. */
static bool barriers_matter(const struct draft *d, uint32_t thread, enum draft_kind kind) {
  const struct draft_thread *threads = d->threads;
  uint32_t count = draft_barriers(&threads[thread], threads[thread].count, kind), mates = 0;
  for (uint32_t u = 0; u < d->thread_count; u++) {
    if (u == thread || !draft_meet(d, u, thread, kind)) continue;
    if (draft_barriers(&threads[u], threads[u].count, kind) != count) return false;
    mates++;
  }
  return !count || mates;
}

/* True if every barrier joins at least two threads, with the same number in each, and if no instruction's scope reaches
 * the same threads as a narrower one of the set `scopes`. */
bool generate_places_matter(const struct draft *d, uint32_t scopes) {
  for (uint32_t t = 1; t < d->thread_count && draft_has_async(d); t++)
    if (d->threads[t].cta != d->threads[0].cta) return false;
  for (uint32_t t = 0; t < d->thread_count; t++) {
    if (!barriers_matter(d, t, DRAFT_BARRIER) || !barriers_matter(d, t, DRAFT_CLUSTER_BARRIER)) return false;
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      enum scope scope = d->threads[t].events[i].scope;
      if (scopes && scope != SCOPE_NONE && !draft_scope_counts(d, t, scope, scopes)) return false;
    }
  }
  return true;
}

/* ---- Outcomes ---- */

static bool hand_over(void *state, const struct draft *d) {
  struct filler *f = state;
  if (!draft_outcome_is_canonical(d, &f->alike) || draft_interleaves(d)) return true;
  uint64_t number = f->found++;
  return (f->ask->parts && number % f->ask->parts + 1 != f->ask->part) || f->visit(f->state, d);
}

static bool take_places(void *state, const struct draft *d) {
  struct filler *f = state;
  if (!generate_places_matter(d, f->strongest || f->ask->wide ? 0 : f->ask->scopes)) return true;
  return !draft_program_is_canonical(d, &f->alike) || draft_each_outcome(&f->draft, hand_over, f);
}

/* ---- Instructions ---- */

static bool is_top(uint32_t set, uint32_t member) {
  return !SOME(for (uint32_t other = member + 1; set >> other; other++),
               set >> other & 1 && generate_sem_at_most((enum sem)member, (enum sem)other));
}

static void fill_dep(struct filler *f, uint32_t thread, uint32_t event) {
  struct draft_thread *t = &f->draft.threads[thread];
  struct draft_event *e = &t->events[event];
  bool source = SOME_BELOW(i, event, draft_gives(&t->events[i]));
  for (uint32_t dep = DRAFT_NO_DEP; dep <= DRAFT_ADDR && !f->stopped; dep++) {
    if (dep && (!draft_can_depend(e, dep) || !source || !(f->ask->dependencies >> dep & 1))) continue;
    e->dep = (uint8_t)dep;
    fill_event(f, thread, event + 1);
  }
  e->dep = DRAFT_NO_DEP;
}

static void fill_location(struct filler *f, uint32_t thread, uint32_t event) {
  struct draft *d = &f->draft;
  struct draft_event *e = &d->threads[thread].events[event];
  e->location = 0;
  if (!draft_accesses(e)) {
    fill_dep(f, thread, event);
    return;
  }
  uint8_t known = d->location_count;
  for (uint32_t l = 0; l <= known && l < f->ask->locations && !f->stopped; l++) {
    e->location = (uint8_t)l;
    d->location_count = (uint8_t)(known + (l == known));
    fill_dep(f, thread, event);
  }
  d->location_count = known;
}

static void fill_scope(struct filler *f, uint32_t thread, uint32_t event) {
  struct draft_event *e = &f->draft.threads[thread].events[event];
  bool scoped = draft_is_scoped(e);
  e->scope = SCOPE_NONE;
  if (!scoped) fill_location(f, thread, event);
  for (uint32_t scope = SCOPE_CTA; scoped && scope <= SCOPE_SYS && !f->stopped; scope++) {
    if (!(f->ask->scopes >> scope & 1) || (f->strongest && f->ask->scopes >> scope > 1)) continue;
    e->scope = (uint8_t)scope;
    fill_location(f, thread, event);
  }
}

static void fill_event(struct filler *f, uint32_t thread, uint32_t event) {
  struct draft *d = &f->draft;
  if (thread == d->thread_count) {
    if (!generate_is_sensible(d, f->strongest)) return;
    draft_number_values(d);
    f->stopped = !draft_each_place(d, f->ask->placements, take_places, f);
    return;
  }
  if (event == d->threads[thread].count) {
    fill_event(f, thread + 1, 0);
    return;
  }
  struct draft_event *e = &d->threads[thread].events[event];
  for (uint32_t i = 0; i < f->ask->menu.len && !f->stopped; i++) {
    const struct generate_item *item = &f->ask->menu.data[i];
    for (uint32_t sem = SEM_WEAK; item->sems >> sem && !f->stopped; sem++) {
      if (!(item->sems >> sem & 1) || (f->strongest && !is_top(item->sems, sem))) continue;
      *e = (struct draft_event){.kind = item->kind, .proxy = item->proxy, .sem = (uint8_t)sem};
      fill_scope(f, thread, event);
    }
  }
}

static bool fill_program(void *state, const struct draft *d) {
  struct filler *f = state;
  (void)d;
  f->draft.location_count = 0;
  fill_event(f, 0, 0);
  return !f->stopped;
}

static void generate(const struct generate_ask *ask, bool strongest, draft_visitor *visit, void *state) {
  struct filler f = {.ask = ask, .strongest = strongest, .visit = visit, .state = state};
  for (uint32_t size = 1; size <= ask->events && !f.stopped; size++)
    draft_each_size(&f.draft, ask->threads, size, DRAFT_LENGTH, fill_program, &f);
}

void generate_all(const struct generate_ask *ask, draft_visitor *visit, void *state) {
  generate(ask, false, visit, state);
}

void generate_strongest(const struct generate_ask *ask, draft_visitor *visit, void *state) {
  generate(ask, true, visit, state);
}
