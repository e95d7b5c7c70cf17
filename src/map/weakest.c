/* From the strongest orders and scopes of a program down, as long as C++ forbids the outcome. */
#include <string.h>

#include "base/hash.h"
#include "map/map.h"

struct strength {
  uint8_t sem, scope;
};

enum { STRENGTHS = 24, EVENTS = 16 };

/* The strengths of all events, by number. */
struct form {
  uint8_t number[EVENTS];
};

struct known {
  struct form form;
  bool forbidden, searched, found;
};

struct descent {
  const struct map_ask *ask;
  struct draft draft;
  struct draft_event *events[EVENTS];
  uint8_t thread[EVENTS], index[EVENTS], count;
  struct strength strengths[EVENTS][STRENGTHS]; /* none after a stronger one */
  uint8_t strength_count[EVENTS];
  struct arena *arena;
  VEC(struct known) known;
  struct hash_index table;
  map_visitor *visit;
  void *state;
  bool stopped;
};

static bool at_most(const struct descent *m, uint32_t e, uint8_t a, uint8_t b) {
  struct strength x = m->strengths[e][a], y = m->strengths[e][b];
  return x.scope <= y.scope && m->ask->table->below[m->events[e]->kind][y.sem] >> x.sem & 1;
}

static void list_strengths(struct descent *m, uint32_t e) {
  uint32_t thread = m->thread[e];
  for (uint8_t sem = SEM_RELAXED; sem < MAP_SEMS; sem++) {
    if (!m->ask->table->rows[m->events[e]->kind][sem].alternatives.len) continue;
    for (uint8_t scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
      if (m->ask->scopes >> scope & 1 && draft_scope_counts(&m->draft, thread, (enum scope)scope, m->ask->scopes))
        m->strengths[e][m->strength_count[e]++] = (struct strength){sem, scope};
  }
}

static void set_form(struct descent *m, const struct form *form) {
  for (uint32_t e = 0; e < m->count; e++) {
    m->events[e]->sem = m->strengths[e][form->number[e]].sem;
    m->events[e]->scope = m->strengths[e][form->number[e]].scope;
  }
}

static uint32_t look_up(struct descent *m, const struct form *form) {
  uint64_t hash = hash_bytes(form->number, m->count);
  HASH_EACH (i, &m->table, hash)
    if (memcmp(m->known.data[i].form.number, form->number, m->count) == 0) return i;
  struct known known = {.form = *form};
  set_form(m, form);
  known.forbidden = !map_may_race(&m->draft) && map_forbids(&m->draft, m->ask->old_sequences);
  VEC_PUSH(m->arena, &m->known, known);
  hash_add(m->arena, &m->table, hash, m->known.len - 1);
  return m->known.len - 1;
}

static bool forbids(struct descent *m, const struct form *form) {
  uint32_t at = look_up(m, form);
  return m->known.data[at].forbidden;
}

static bool needs_all(struct descent *m, const struct form *form) {
  set_form(m, form);
  for (uint32_t e = 0; e < m->count; e++) {
    struct draft less = m->draft;
    draft_remove(&less, m->thread[e], m->index[e]);
    if (!map_may_race(&less) && map_forbids(&less, m->ask->old_sequences)) return false;
  }
  return true;
}

static void weaken(struct descent *m, struct form *form) {
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

static void search_below(struct descent *m, const struct form *ceiling);

/* What else there is, is not above this minimum: some event has a strength that is not at least its. */
static void search_beside(struct descent *m, const struct form *ceiling, const struct form *found) {
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

static void search_below(struct descent *m, const struct form *ceiling) {
  uint32_t at = look_up(m, ceiling);
  if (!m->known.data[at].forbidden || m->known.data[at].searched || m->stopped) return;
  m->known.data[at].searched = true;
  struct form found = *ceiling;
  weaken(m, &found);
  at = look_up(m, &found);
  if (!m->known.data[at].found) {
    m->known.data[at].found = true;
    if (needs_all(m, &found)) m->stopped = !m->visit(m->state, &m->draft);
  }
  if (!m->stopped) search_beside(m, ceiling, &found);
}

/* Each choice of a strength that nothing is above, for one event after another. */
static void each_top(struct descent *m, uint32_t e, struct form *form) {
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

void map_weakest(struct arena *arena, const struct map_ask *ask, const struct draft *program, map_visitor *visit,
                 void *state) {
  struct arena_mark mark = arena_mark(arena);
  struct descent *m = ARENA_NEW(arena, struct descent);
  struct form form = {{0}};
  *m = (struct descent){.ask = ask, .draft = *program, .arena = arena, .visit = visit, .state = state};
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].count; i++) {
      m->events[m->count] = &m->draft.threads[t].events[i];
      m->thread[m->count] = (uint8_t)t;
      m->index[m->count] = (uint8_t)i;
      list_strengths(m, m->count++);
    }
  each_top(m, 0, &form);
  if (!m->stopped) arena_rewind(arena, mark); /* else the visitor may have kept something there */
}
