/* Compares and changes drafts of generated tests. */
#include "generate/draft.h"

uint32_t draft_size(const struct draft *draft) {
  return COUNT(for (uint32_t t = 0; t < draft->thread_count; t++), draft->threads[t].count);
}

bool draft_has_async(const struct draft *draft) { return SOME(DRAFT_EACH (e, draft), draft_is_async(e)); }

uint32_t draft_arrivals(const struct draft *draft) { return COUNT(DRAFT_EACH (e, draft), draft_arrives(e)); }

uint32_t draft_write_count(const struct draft *draft, uint32_t location) {
  return COUNT(DRAFT_EACH (e, draft), draft_writes(e) && e->location == location);
}

enum scope draft_common_scope(const struct draft *draft, uint32_t a, uint32_t b) {
  const struct draft_thread *x = &draft->threads[a], *y = &draft->threads[b];
  if (x->cta == y->cta) return SCOPE_CTA;
  if (x->cluster == y->cluster) return SCOPE_CLUSTER;
  return x->gpu == y->gpu ? SCOPE_GPU : SCOPE_SYS;
}

bool draft_meet(const struct draft *draft, uint32_t a, uint32_t b, enum draft_kind barrier) {
  return barrier == DRAFT_BARRIER ? draft->threads[a].cta == draft->threads[b].cta
                                  : draft->threads[a].cluster == draft->threads[b].cluster;
}

bool draft_scope_counts(const struct draft *draft, uint32_t thread, enum scope scope, uint32_t scopes) {
  enum scope narrower = scope;
  do narrower--;
  while (narrower > SCOPE_NONE && !(scopes >> narrower & 1));
  if (narrower == SCOPE_NONE) return true;
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    enum scope common = t == thread ? SCOPE_NONE : draft_common_scope(draft, thread, t);
    if (common > narrower && common <= scope) return true;
  }
  return false;
}

bool draft_fits(const struct draft *draft, uint32_t thread, uint32_t placements) {
  return EVERY_BELOW(t, thread, placements >> draft_common_scope(draft, t, thread) & 1);
}

static bool joins(const struct draft *d, uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < d->threads[a].count; i++)
    for (uint32_t k = 0; k < d->threads[b].count; k++) {
      const struct draft_event *x = &d->threads[a].events[i], *y = &d->threads[b].events[k];
      if (draft_accesses(x) && draft_accesses(y) && x->location == y->location) return true;
    }
  return false;
}

bool draft_in_one_piece(const struct draft *d) {
  uint32_t reached = 1;
  for (uint32_t round = 1; round < d->thread_count; round++)
    for (uint32_t a = 0; a < d->thread_count; a++)
      for (uint32_t b = 0; b < d->thread_count; b++)
        if (reached >> a & 1 && joins(d, a, b)) reached |= 1u << b;
  return reached == (1u << d->thread_count) - 1;
}

void draft_narrow(struct draft *d, uint32_t scopes) {
  DRAFT_EACH (e, d)
    while (e->scope != SCOPE_NONE &&
           (!(scopes >> e->scope & 1) || !draft_scope_counts(d, e_thread, (enum scope)e->scope, scopes)))
      e->scope--;
}

bool draft_asks(const struct draft *d) {
  return SOME(DRAFT_EACH (e, d), draft_reads(e) && e->reads != DRAFT_FREE) ||
         SOME_BELOW(l, d->location_count, d->last[l] != DRAFT_FREE && draft_write_count(d, l) > 1);
}

/* ---- Isomorphism ---- */

/* Numbers names in the order of their first use. */
struct renaming {
  uint8_t to[DRAFT_EVENTS + 1], next;
};

static uint8_t rename_number(struct renaming *names, uint8_t number) {
  if (!names->to[number]) names->to[number] = ++names->next;
  return names->to[number];
}

static uint8_t rename_value(const struct renaming *values, uint8_t value) {
  return value == 0 || value == DRAFT_FREE ? value : values->to[value];
}

static void add_byte(struct draft_key *key, uint8_t byte) { key->bytes[key->length++] = byte; }

static void add_place(struct draft_key *key, const struct draft_thread *t, struct renaming places[3]) {
  add_byte(key, rename_number(&places[0], t->cta));
  add_byte(key, rename_number(&places[1], t->cluster));
  add_byte(key, rename_number(&places[2], t->gpu));
}

void draft_normalise(struct draft *d) {
  struct renaming places[3] = {0}, locations = {0}, values[DRAFT_LOCATIONS] = {0};
  uint8_t last[DRAFT_LOCATIONS];
  ARRAY_EACH (thread, d->threads, d->thread_count) {
    thread->cta = (uint8_t)(rename_number(&places[0], thread->cta) - 1);
    thread->cluster = (uint8_t)(rename_number(&places[1], thread->cluster) - 1);
    thread->gpu = (uint8_t)(rename_number(&places[2], thread->gpu) - 1);
    ARRAY_EACH (e, thread->events, thread->count) {
      if (draft_accesses(e)) rename_number(&locations, e->location);
      if (draft_writes(e)) rename_number(&values[e->location], e->writes);
    }
  }
  memcpy(last, d->last, sizeof last);
  for (uint32_t l = 0; l < DRAFT_LOCATIONS; l++)
    if (locations.to[l]) d->last[locations.to[l] - 1] = rename_value(&values[l], last[l]);
  d->location_count = locations.next;
  DRAFT_EACH (e, d) {
    if (!draft_accesses(e)) continue;
    if (draft_writes(e)) e->writes = values[e->location].to[e->writes];
    if (draft_reads(e)) e->reads = rename_value(&values[e->location], e->reads);
    e->location = (uint8_t)(locations.to[e->location] - 1);
  }
}

/* For a location with an alias, the first name used is the generic one; but accesses through other proxies always use
 * the generic name. */
struct alias_names {
  bool known, swapped;
};

static void know_names(struct alias_names names[DRAFT_LOCATIONS], const struct draft *draft) {
  DRAFT_EACH (e, draft)
    if (draft_accesses(e) && e->proxy != PROXY_GENERIC && e->proxy != PROXY_ALIAS) names[e->location].known = true;
}

static uint8_t rename_proxy(struct alias_names *names, const struct draft_event *e) {
  if (!draft_accesses(e) || (e->proxy != PROXY_GENERIC && e->proxy != PROXY_ALIAS)) return e->proxy;
  if (!names->known) *names = (struct alias_names){true, e->proxy == PROXY_ALIAS};
  return (e->proxy == PROXY_ALIAS) != names->swapped ? PROXY_ALIAS : PROXY_GENERIC;
}

bool draft_aliases_are_normal(const struct draft *draft) {
  struct alias_names names[DRAFT_LOCATIONS] = {0};
  know_names(names, draft);
  return EVERY(DRAFT_EACH (e, draft), rename_proxy(&names[e->location], e) == e->proxy);
}

struct key_names {
  struct renaming locations, values[DRAFT_LOCATIONS];
};

/* The key of the program with the threads in this order: instructions, then places; `names` is for the outcome. */
static void key_of_program(const struct draft *d, const uint8_t *order, struct draft_key *key,
                           struct key_names *names) {
  struct renaming places[3] = {0};
  struct alias_names aliases[DRAFT_LOCATIONS] = {0};
  key->length = 0;
  *names = (struct key_names){0};
  know_names(aliases, d);
  for (uint32_t k = 0; k < d->thread_count; k++) {
    const struct draft_thread *t = &d->threads[order[k]];
    add_byte(key, (uint8_t)(DRAFT_LENGTH - t->count)); /* long threads first */
    ARRAY_EACH (e, t->events, t->count) {
      add_byte(key, e->kind);
      add_byte(key, draft_accesses(e) ? rename_number(&names->locations, e->location) : 0);
      add_byte(key, rename_proxy(&aliases[e->location], e));
      add_byte(key, e->sem);
      add_byte(key, e->scope);
      add_byte(key, e->dep);
      if (draft_writes(e)) rename_number(&names->values[e->location], e->writes);
    }
  }
  for (uint32_t k = 0; k < d->thread_count; k++) add_place(key, &d->threads[order[k]], places);
}

/* The key of the draft: the key of the program, then the outcome, so that a canonical draft has a canonical program. */
static void key_of(const struct draft *d, const uint8_t *order, struct draft_key *key) {
  struct key_names names;
  key_of_program(d, order, key, &names);
  for (uint32_t k = 0; k < d->thread_count; k++)
    ARRAY_EACH (e, d->threads[order[k]].events, d->threads[order[k]].count)
      if (draft_reads(e)) add_byte(key, rename_value(&names.values[e->location], e->reads));
  for (uint8_t n = 1; n <= names.locations.next; n++)
    for (uint32_t l = 0; l < d->location_count; l++)
      if (names.locations.to[l] == n) add_byte(key, rename_value(&names.values[l], d->last[l]));
}

static int compare_keys(const struct draft_key *a, const struct draft_key *b) {
  int order = memcmp(a->bytes, b->bytes, a->length < b->length ? a->length : b->length);
  return order ? order : (int)a->length - (int)b->length;
}

/* Advances to the lexicographically next order; false after the last. */
static bool next_order(uint8_t *order, uint32_t count) {
  uint32_t i = count;
  while (i > 1 && order[i - 2] > order[i - 1]) i--;
  if (i < 2) return false;
  uint32_t k = count - 1;
  while (order[k] < order[i - 2]) k--;
  uint8_t moved = order[i - 2];
  order[i - 2] = order[k];
  order[k] = moved;
  for (uint32_t a = i - 1, b = count - 1; a < b; a++, b--) {
    moved = order[a];
    order[a] = order[b];
    order[b] = moved;
  }
  return true;
}

/* Finds the smallest key, and the order of the threads that gives it. */
static void least_key(const struct draft *draft, struct draft_key *key, uint8_t *best) {
  uint8_t order[DRAFT_THREADS] = {0, 1, 2, 3};
  struct draft_key other;
  key_of(draft, order, key);
  memcpy(best, order, sizeof order);
  while (next_order(order, draft->thread_count)) {
    key_of(draft, order, &other);
    if (compare_keys(&other, key) >= 0) continue;
    *key = other;
    memcpy(best, order, sizeof order);
  }
  memset(key->bytes + key->length, 0, sizeof key->bytes - key->length); /* keys are compared as a whole */
}

void draft_least_key(const struct draft *draft, struct draft_key *key) {
  uint8_t order[DRAFT_THREADS];
  least_key(draft, key, order);
}

uint32_t draft_set_add(struct arena *arena, struct draft_set *set, const struct draft_key *key, bool *added) {
  uint64_t hash = hash_bytes(key->bytes, key->length);
  *added = false;
  HASH_EACH (i, &set->index, hash)
    if (compare_keys(&set->keys.data[i], key) == 0) return i;
  *added = true;
  return HASH_PUSH(arena, &set->index, hash, &set->keys, *key);
}

void draft_shape(const struct draft *draft, struct draft_key *key, struct draft *ordered) {
  struct draft bare = *draft;
  uint8_t order[DRAFT_THREADS];
  for (uint8_t t = 0; t < bare.thread_count; t++) {
    struct draft_thread *thread = &bare.threads[t];
    thread->cta = thread->cluster = thread->gpu = t;
  }
  DRAFT_EACH (e, &bare) e->scope = SCOPE_NONE;
  least_key(&bare, key, order);
  *ordered = *draft;
  for (uint32_t t = 0; t < draft->thread_count; t++) ordered->threads[t] = draft->threads[order[t]];
  draft_normalise(ordered);
}

bool draft_program_is_canonical(const struct draft *draft, struct draft_orders *alike) {
  uint8_t order[DRAFT_THREADS] = {0, 1, 2, 3};
  struct draft_key own, other;
  struct key_names names;
  for (uint32_t k = 1; k < draft->thread_count; k++)
    if (draft->threads[k].count > draft->threads[k - 1].count) return false;
  key_of_program(draft, order, &own, &names);
  alike->count = 0;
  while (next_order(order, draft->thread_count)) {
    bool as_long = EVERY_BELOW(k, draft->thread_count, draft->threads[order[k]].count == draft->threads[k].count);
    if (!as_long) continue; /* the key is larger, because a longer thread comes later */
    key_of_program(draft, order, &other, &names);
    int compared = compare_keys(&other, &own);
    if (compared < 0) return false;
    if (compared == 0) memcpy(alike->list[alike->count++], order, sizeof order);
  }
  return true;
}

bool draft_outcome_is_canonical(const struct draft *draft, const struct draft_orders *alike) {
  static const uint8_t as_it_is[DRAFT_THREADS] = {0, 1, 2, 3};
  struct draft_key own, other;
  if (alike->count) key_of(draft, as_it_is, &own);
  for (uint32_t i = 0; i < alike->count; i++) {
    key_of(draft, alike->list[i], &other);
    if (compare_keys(&other, &own) < 0) return false;
  }
  return true;
}

bool draft_is_canonical(const struct draft *draft) {
  struct draft_orders alike;
  return draft_program_is_canonical(draft, &alike) && draft_outcome_is_canonical(draft, &alike);
}

/* ---- Interleavings ---- */

struct machine {
  const struct draft *draft;
  uint8_t at[DRAFT_THREADS], memory[DRAFT_LOCATIONS];
};

uint32_t draft_barriers(const struct draft_thread *t, uint32_t end, enum draft_kind kind) {
  return COUNT(for (uint32_t i = 0; i < end; i++), t->events[i].kind == kind);
}

/* True if the thread may pass its barrier: all other threads of the barrier have reached it. */
static bool may_pass(const struct machine *m, uint32_t thread) {
  const struct draft *d = m->draft;
  enum draft_kind kind = d->threads[thread].events[m->at[thread]].kind;
  uint32_t passed = draft_barriers(&d->threads[thread], m->at[thread], kind);
  for (uint32_t t = 0; t < d->thread_count; t++) {
    const struct draft_thread *other = &d->threads[t];
    if (t == thread || !draft_meet(d, t, thread, kind)) continue;
    bool at_one = m->at[t] < other->count && other->events[m->at[t]].kind == kind;
    if (draft_barriers(other, m->at[t], kind) + at_one <= passed) return false;
  }
  return true;
}

/* True if all arrivals at the mbarrier object are done. Every operation completes at its issue here, as it may. */
static bool all_arrived(const struct machine *m) {
  for (uint32_t t = 0; t < m->draft->thread_count; t++)
    for (uint32_t i = m->at[t]; i < m->draft->threads[t].count; i++)
      if (draft_arrives(&m->draft->threads[t].events[i])) return false;
  return true;
}

static bool ends_well(const struct machine *m) {
  return !SOME_BELOW(l, m->draft->location_count, m->draft->last[l] != DRAFT_FREE && m->draft->last[l] != m->memory[l]);
}

static bool runs(struct machine m) {
  bool ended = true;
  for (uint32_t t = 0; t < m.draft->thread_count; t++) {
    const struct draft_event *e = &m.draft->threads[t].events[m.at[t]];
    if (m.at[t] == m.draft->threads[t].count) continue;
    ended = false;
    if (draft_reads(e) && e->reads != DRAFT_FREE && e->reads != m.memory[e->location]) continue;
    if (draft_is_barrier(e) && !may_pass(&m, t)) continue;
    if (e->kind == DRAFT_WAIT && !all_arrived(&m)) continue;
    struct machine next = m;
    next.at[t]++;
    if (draft_writes(e)) next.memory[e->location] = e->writes;
    if (runs(next)) return true;
  }
  return ended && ends_well(&m);
}

bool draft_interleaves(const struct draft *draft) { return runs((struct machine){.draft = draft}); }

bool draft_can_end(const struct draft *draft) {
  struct draft any = *draft;
  DRAFT_EACH (e, &any)
    if (draft_reads(e)) e->reads = DRAFT_FREE;
  memset(any.last, DRAFT_FREE, sizeof any.last);
  return draft_interleaves(&any);
}

/* ---- Leaving something out ---- */

static void cut_event(struct draft_thread *t, uint32_t event) {
  bool read = draft_gives(&t->events[event]);
  for (uint32_t i = event + 1; i < t->count; i++) {
    if (read) t->events[i].dep = DRAFT_NO_DEP; /* up to the next read, which replaces the removed read as the latest */
    if (draft_gives(&t->events[i])) read = false;
  }
  memmove(&t->events[event], &t->events[event + 1], (t->count - event - 1u) * sizeof t->events[0]);
  t->count--;
}

/* Removes a value from a location; the other values keep their order. */
static void cut_value(struct draft *d, uint32_t location, uint8_t value) {
  DRAFT_EACH (e, d) {
    if (!draft_accesses(e) || e->location != location) continue;
    if (draft_reads(e) && e->reads == value) e->reads = DRAFT_FREE;
    else if (draft_reads(e) && e->reads != DRAFT_FREE && e->reads > value) e->reads--;
    if (draft_writes(e) && e->writes > value) e->writes--;
  }
  uint8_t *last = &d->last[location];
  if (*last == value || draft_write_count(d, location) < 2) *last = DRAFT_FREE;
  else if (*last != DRAFT_FREE && *last > value) --*last;
}

/* Removes the barrier at an event of a thread, from all threads of the barrier. */
static void cut_barriers(struct draft *d, uint32_t thread, uint32_t event) {
  enum draft_kind kind = d->threads[thread].events[event].kind;
  uint32_t number = draft_barriers(&d->threads[thread], event, kind);
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++)
      if (draft_meet(d, t, thread, kind) && d->threads[t].events[i].kind == kind &&
          draft_barriers(&d->threads[t], i, kind) == number) {
        cut_event(&d->threads[t], i);
        break;
      }
}

static void cut_waits(struct draft *d) {
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = d->threads[t].count; i--;)
      if (d->threads[t].events[i].kind == DRAFT_WAIT) cut_event(&d->threads[t], i);
}

static void cut_empty_threads(struct draft *d) {
  uint8_t kept = 0;
  for (uint32_t t = 0; t < d->thread_count; t++)
    if (d->threads[t].count) d->threads[kept++] = d->threads[t];
  d->thread_count = kept;
}

void draft_remove(struct draft *draft, uint32_t thread, uint32_t event) {
  struct draft_thread *t = &draft->threads[thread];
  struct draft_event gone = t->events[event];
  if (draft_is_barrier(&gone)) cut_barriers(draft, thread, event);
  else cut_event(t, event);
  if (draft_writes(&gone)) cut_value(draft, gone.location, gone.writes);
  if (draft_arrives(&gone) && !draft_arrivals(draft)) cut_waits(draft);
  cut_empty_threads(draft);
}
