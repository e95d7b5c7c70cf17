/* Draws drafts at random. */

#include "base/rng.h"
#include "generate/generate.h"

enum { TRIES = 1000000 }; /* tries in a row without a new test: there are no more, or hardly any */

struct dice {
  const struct generate_ask *ask;
  struct rng rng;
  uint32_t locations; /* the limit of the current draft */
};

static uint32_t roll(struct dice *dice, uint32_t bound) { return rng_below(&dice->rng, bound); }

/* A random member of a non-empty set. */
static uint32_t roll_member(struct dice *dice, uint32_t set) {
  uint32_t members = 0, left;
  for (uint32_t i = 0; i < 32; i++) members += set >> i & 1;
  left = roll(dice, members);
  for (uint32_t i = 0;; i++)
    if (set >> i & 1 && left-- == 0) return i;
}

static void roll_event(struct dice *dice, const struct draft_thread *t, struct draft_event *e) {
  const struct generate_ask *ask = dice->ask;
  const struct generate_item *item = &ask->menu.data[roll(dice, ask->menu.len)];
  bool source = SOME(for (const struct draft_event *before = t->events; before < e; before++), draft_gives(before));
  *e = (struct draft_event){.kind = item->kind, .proxy = item->proxy, .sem = (uint8_t)roll_member(dice, item->sems)};
  bool scoped = draft_is_scoped(e);
  if (scoped && ask->scopes) e->scope = (uint8_t)roll_member(dice, ask->scopes);
  if (draft_accesses(e)) e->location = (uint8_t)roll(dice, dice->locations);
  bool reads_by_address = e->kind == DRAFT_READ && ask->dependencies >> DRAFT_ADDR & 1;
  if (source && (e->kind == DRAFT_WRITE || reads_by_address)) {
    e->dep = (uint8_t)roll_member(dice, ask->dependencies);
    if (!draft_can_depend(e, e->dep)) e->dep = DRAFT_NO_DEP;
  }
}

static void roll_program(struct dice *dice, struct draft *d) {
  uint32_t events = 1 + roll(dice, dice->ask->events);
  uint32_t most = 1 + events / 2;
  dice->locations = 1 + roll(dice, most < dice->ask->locations ? most : dice->ask->locations);
  *d = (struct draft){.location_count = (uint8_t)dice->locations};
  d->thread_count = (uint8_t)(1 + roll(dice, dice->ask->threads < events ? dice->ask->threads : events));
  for (uint32_t i = 0; i < events; i++) {
    uint32_t t = i < d->thread_count ? i : roll(dice, d->thread_count);
    struct draft_thread *thread = &d->threads[t];
    roll_event(dice, thread, &thread->events[thread->count++]);
  }
}

/* Places each thread in a scope shared with an earlier thread. False if the result is not among the placements. */
static bool roll_places(struct dice *dice, struct draft *d) {
  for (uint8_t t = 1; t < d->thread_count; t++) {
    const struct draft_thread *mate = &d->threads[roll(dice, t)];
    enum scope common = (enum scope)roll_member(dice, dice->ask->placements);
    d->threads[t].cta = common == SCOPE_CTA ? mate->cta : t;
    d->threads[t].cluster = common <= SCOPE_CLUSTER ? mate->cluster : t;
    d->threads[t].gpu = common <= SCOPE_GPU ? mate->gpu : t;
  }
  for (uint32_t a = 0; a < d->thread_count; a++)
    for (uint32_t b = 0; b < a; b++)
      if (!(dice->ask->placements >> draft_common_scope(d, a, b) & 1)) return false;
  return true;
}

static void roll_outcome(struct dice *dice, struct draft *d) {
  uint8_t count[DRAFT_LOCATIONS] = {0};
  DRAFT_EACH (e, d)
    if (draft_writes(e)) e->writes = ++count[e->location];
  DRAFT_EACH (e, d) {
    if (draft_reads(e)) e->reads = (uint8_t)roll(dice, count[e->location] + 1u);
    if (draft_reads(e) && e->reads && e->reads == e->writes) e->reads = 0;
  }
  for (uint32_t l = 0; l < d->location_count; l++)
    d->last[l] = count[l] < 2 ? DRAFT_FREE : (uint8_t)(1 + roll(dice, count[l]));
}

static bool roll_draft(struct dice *dice, struct draft *d) {
  enum { OUTCOMES = 8 };
  roll_program(dice, d);
  roll_outcome(dice, d); /* also numbers the values */
  draft_normalise(d);
  if (!generate_is_sensible(d, false) || !roll_places(dice, d)) return false;
  if (!dice->ask->wide) draft_narrow(d, dice->ask->scopes);
  if (!generate_places_matter(d, dice->ask->wide ? 0 : dice->ask->scopes)) return false;
  for (uint32_t i = 0; i < OUTCOMES; i++) {
    roll_outcome(dice, d);
    if (!draft_interleaves(d)) return draft_normalise(d), true;
  }
  return false;
}

void generate_random(struct arena *arena, const struct generate_ask *ask, uint64_t seed, uint64_t count,
                     draft_visitor *visit, void *state) {
  struct dice dice = {.ask = ask, .rng = {seed}};
  struct draft_set seen = {0};
  struct draft_key key;
  struct draft draft;
  bool is_new;
  for (uint32_t tries = 0; count && tries < TRIES; tries++) {
    if (!roll_draft(&dice, &draft)) continue;
    draft_least_key(&draft, &key);
    draft_set_add(arena, &seen, &key, &is_new);
    if (!is_new) continue;
    if (!visit(state, &draft)) return;
    tries = 0;
    count--;
  }
}
