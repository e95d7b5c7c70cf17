/* From the strongest orders and scopes of a program down, as long as C++ forbids the outcome. */
#include <string.h>

#include "base/hash.h"
#include "map/world.h"

struct map_strength {
  uint8_t sem, scope;
};

enum { STRENGTHS = 24, EVENTS = 16 };

/* The strengths of all events, by number. */
struct form {
  uint8_t number[EVENTS];
};

struct map_known {
  struct form form;
  bool forbidden, searched, found;
};

struct map_descent {
  const struct map_ask *ask;
  struct draft draft;
  struct map_world world;
  VEC(struct map_execution) executions; /* with the outcome */
  struct draft_event *events[EVENTS];
  uint8_t thread[EVENTS], index[EVENTS], count;
  struct map_strength strengths[EVENTS][STRENGTHS]; /* none after a stronger one */
  uint8_t strength_count[EVENTS];
  uint8_t location_scope[DRAFT_LOCATIONS], least[DRAFT_LOCATIONS], sc_scope; /* SCOPE_NONE: any */
  struct arena *arena;
  VEC(struct map_known) known;
  struct hash_index table;
  draft_visitor *visit;
  void *state;
  bool stopped;
};

static bool at_most(const struct map_descent *m, uint32_t e, uint8_t a, uint8_t b) {
  struct map_strength x = m->strengths[e][a], y = m->strengths[e][b];
  return x.scope <= y.scope && m->ask->table->below[m->events[e]->kind][y.sem] >> x.sem & 1;
}

/* Whether the event may have the scope, by what the locations and all that is seq_cst have. */
static bool takes_scope(const struct map_descent *m, uint32_t e, uint8_t sem, uint8_t scope) {
  const struct draft_event *event = m->events[e];
  uint8_t wanted = draft_accesses(event) ? m->location_scope[event->location] : SCOPE_NONE;
  if (sem == SEM_SC && m->sc_scope != SCOPE_NONE && scope != m->sc_scope) return false;
  if (wanted != SCOPE_NONE) return scope == wanted;
  return m->ask->scopes >> scope & 1 &&
         ((sem == SEM_SC && m->sc_scope != SCOPE_NONE) ||
          draft_scope_counts(&m->draft, m->thread[e], (enum scope)scope, m->ask->scopes));
}

static void list_strengths(struct map_descent *m, uint32_t e) {
  m->strength_count[e] = 0;
  for (uint8_t sem = SEM_RELAXED; sem < MAP_SEMS; sem++) {
    if (!map_has(m->ask, m->events[e]->kind, sem)) continue;
    for (uint8_t scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
      if (takes_scope(m, e, sem, scope)) m->strengths[e][m->strength_count[e]++] = (struct map_strength){sem, scope};
  }
}

static void set_form(struct map_descent *m, const struct form *form) {
  for (uint32_t e = 0; e < m->count; e++) {
    m->events[e]->sem = m->strengths[e][form->number[e]].sem;
    m->events[e]->scope = m->strengths[e][form->number[e]].scope;
  }
}

static bool is_forbidden(const struct map_descent *m) {
  const struct map_strengths strengths = world_strengths(&m->world);
  if (world_may_race(&m->world, &strengths)) return false;
  for (uint32_t i = 0; i < m->executions.len; i++)
    if (world_is_consistent(&m->world, &strengths, &m->executions.data[i], m->ask->old_sequences)) return false;
  return true;
}

static uint32_t look_up(struct map_descent *m, const struct form *form) {
  uint64_t hash = hash_bytes(form->number, m->count);
  HASH_EACH (i, &m->table, hash)
    if (memcmp(m->known.data[i].form.number, form->number, m->count) == 0) return i;
  struct map_known known = {.form = *form};
  set_form(m, form);
  known.forbidden = is_forbidden(m);
  VEC_PUSH(m->arena, &m->known, known);
  hash_add(m->arena, &m->table, hash, m->known.len - 1);
  return m->known.len - 1;
}

static bool forbids(struct map_descent *m, const struct form *form) {
  uint32_t at = look_up(m, form);
  return m->known.data[at].forbidden;
}

/* Whether the form is looked at with other scopes too: a location that is wider than it needs to be, none of whose
 * accesses is seq_cst; a scope of seq_cst where nothing is. */
static bool is_repeated(const struct map_descent *m, const struct form *form) {
  bool sc = false, sc_at[DRAFT_LOCATIONS] = {false};
  for (uint32_t e = 0; e < m->count; e++) {
    if (m->strengths[e][form->number[e]].sem != SEM_SC) continue;
    sc = true;
    if (draft_accesses(m->events[e])) sc_at[m->events[e]->location] = true;
  }
  for (uint32_t l = 0; l < m->draft.location_count; l++)
    if (m->location_scope[l] > m->least[l] && !sc_at[l]) return true;
  return m->sc_scope != SCOPE_NONE && !sc && m->ask->scopes >> m->sc_scope > 1;
}

static bool needs_all(struct map_descent *m, const struct form *form) {
  set_form(m, form);
  for (uint32_t e = 0; e < m->count; e++) {
    struct draft less = m->draft;
    draft_remove(&less, m->thread[e], m->index[e]);
    if (!map_may_race(&less) && map_forbids(&less, m->ask->old_sequences)) return false;
  }
  return true;
}

static void weaken(struct map_descent *m, struct form *form) {
  for (uint32_t e = 0; e < m->count; e++) {
    uint8_t was = form->number[e], now = was;
    for (uint8_t k = 0; k < was; k++) {
      if (!at_most(m, e, k, was)) continue;
      form->number[e] = k;
      if (!forbids(m, form)) continue;
      now = k;
      break;
    }
    form->number[e] = now;
  }
}

static void search_below(struct map_descent *m, const struct form *ceiling);

/* What else there is, is not above this minimum: some event has a strength that is not at least its. */
static void search_beside(struct map_descent *m, const struct form *ceiling, const struct form *found) {
  for (uint32_t e = 0; e < m->count; e++) {
    uint8_t most = ceiling->number[e], least = found->number[e];
    for (uint8_t k = 0; k < m->strength_count[e] && !m->stopped; k++) {
      bool highest = at_most(m, e, k, most) && !at_most(m, e, least, k);
      for (uint8_t n = (uint8_t)(k + 1); highest && n < m->strength_count[e]; n++)
        highest = !(at_most(m, e, k, n) && at_most(m, e, n, most) && !at_most(m, e, least, n));
      if (!highest) continue;
      struct form lower = *ceiling;
      lower.number[e] = k;
      search_below(m, &lower);
    }
  }
}

static void search_below(struct map_descent *m, const struct form *ceiling) {
  uint32_t at = look_up(m, ceiling);
  if (!m->known.data[at].forbidden || m->known.data[at].searched || m->stopped) return;
  m->known.data[at].searched = true;
  struct form found = *ceiling;
  weaken(m, &found);
  at = look_up(m, &found);
  if (!m->known.data[at].found) {
    m->known.data[at].found = true;
    if (!is_repeated(m, &found) && needs_all(m, &found)) m->stopped = !m->visit(m->state, &m->draft);
  }
  if (!m->stopped) search_beside(m, ceiling, &found);
}

/* Each choice of a strength that nothing is above, for one event after another. */
static void each_top(struct map_descent *m, uint32_t e, struct form *form) {
  if (e == m->count) {
    search_below(m, form);
    return;
  }
  for (uint8_t k = 0; k < m->strength_count[e] && !m->stopped; k++) {
    bool top = true;
    for (uint8_t n = (uint8_t)(k + 1); n < m->strength_count[e]; n++) top = top && !at_most(m, e, k, n);
    if (!top) continue;
    form->number[e] = k;
    each_top(m, e + 1, form);
  }
}

/* With the scopes of locations and of seq_cst chosen. */
static void search_scoped(struct map_descent *m) {
  struct form form = {{0}};
  for (uint32_t e = 0; e < m->count; e++) list_strengths(m, e);
  m->known.data = NULL;
  m->known.len = m->known.cap = 0;
  m->table = (struct hash_index){0};
  each_top(m, 0, &form);
}

/* The narrowest scope in which all threads that access the location have each other: any narrower one makes a race. */
static uint8_t least_scope(const struct map_descent *m, uint8_t location) {
  enum scope least = SCOPE_CTA;
  for (uint32_t a = 0; a < m->count; a++)
    for (uint32_t b = 0; b < a; b++) {
      if (!draft_accesses(m->events[a]) || m->events[a]->location != location || !draft_accesses(m->events[b]) ||
          m->events[b]->location != location || m->thread[a] == m->thread[b])
        continue;
      enum scope common = draft_common_scope(&m->draft, m->thread[a], m->thread[b]);
      if (common > least) least = common;
    }
  return (uint8_t)least;
}

/* Scopes of this location and the ones after it. A wider one than threads need tells only where the accesses are
 * seq_cst.
 */
static void each_scope(struct map_descent *m, uint8_t location) {
  if (location == m->draft.location_count) {
    search_scoped(m);
    return;
  }
  for (uint8_t scope = m->least[location]; scope <= SCOPE_SYS && !m->stopped; scope++) {
    bool wider = scope > m->least[location] && (m->sc_scope == SCOPE_NONE || scope == m->sc_scope);
    if (!(m->ask->scopes >> scope & 1) || (scope > m->least[location] && !wider)) continue;
    m->location_scope[location] = scope;
    each_scope(m, (uint8_t)(location + 1));
  }
}

static void each_sc_scope(struct map_descent *m) {
  for (uint8_t scope = SCOPE_CTA; scope <= SCOPE_SYS && !m->stopped; scope++) {
    if (!(m->ask->scopes >> scope & 1)) continue;
    m->sc_scope = scope;
    each_scope(m, 0);
  }
}

static bool note_execution(struct map_world *world) {
  struct map_descent *m = world->state;
  struct map_execution execution = world->now;
  if (world_relate(world, &execution)) VEC_PUSH(m->arena, &m->executions, execution);
  return false;
}

void map_weakest(struct arena *arena, const struct map_ask *ask, const struct draft *program, draft_visitor *visit,
                 void *state) {
  struct arena_mark mark = arena_mark(arena);
  struct map_descent *m = ARENA_NEW(arena, struct map_descent);
  *m = (struct map_descent){.ask = ask, .draft = *program, .arena = arena, .visit = visit, .state = state};
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].count; i++) {
      m->events[m->count] = &m->draft.threads[t].events[i];
      m->thread[m->count] = (uint8_t)t;
      m->index[m->count++] = (uint8_t)i;
    }
  for (uint8_t l = 0; l < program->location_count; l++) m->least[l] = least_scope(m, l);
  world_build(&m->world, &m->draft);
  m->world.state = m;
  world_some_execution(&m->world, note_execution);
  if (ask->mixed == MAP_MIXED_ACCESSES) search_scoped(m);
  else if (ask->mixed == MAP_MIXED_OBJECTS) each_scope(m, 0);
  else each_sc_scope(m);
  if (!m->stopped) arena_rewind(arena, mark); /* else the visitor may have kept something there */
}
