/* Weakens the orders and scopes of a program, from the strongest down, as long as C++ forbids the outcome.
 *
 * The weakest strength of an event is "removed". A result covers all stronger forms (with removed events, as a smaller
 * test), so the search continues only with forms that are not above it. */

#include "map/world.h"

struct map_strength {
  uint8_t sem, scope;
};

enum { STRENGTHS = 25, EVENTS = NODES, PARTS = 1 << NODES, LEFT_OUT = MAP_SEMS };

/* Minimal strengths with which C++ forbids the outcome, one per event; LEFT_OUT in place of an order: removed. */
struct map_core {
  struct map_strength strengths[EVENTS];
};

/* The executions with the outcome of the program without some of its events. */
struct map_part {
  struct map_world world;
  VEC(struct map_execution) executions;
  struct arena *arena;
};

/* The strengths of all events, as indices; 0: removed. */
struct form {
  uint8_t number[EVENTS];
};

struct map_descent {
  const struct map_ask *ask;
  struct draft draft;
  struct map_world world;
  struct map_part *parts[PARTS]; /* by the set of remaining events; NULL: not made yet */
  struct draft_event *events[EVENTS];
  uint8_t thread[EVENTS], count;
  struct map_strength strengths[EVENTS][STRENGTHS]; /* the first one: removed; weaker strengths before stronger ones */
  uint8_t strength_count[EVENTS];
  uint8_t location_scope[DRAFT_LOCATIONS], least[DRAFT_LOCATIONS], sc_scope; /* SCOPE_NONE: any */
  uint32_t plain; /* locations with only plain accesses; others have plain ones only with MAP_MIXED_ACCESSES */
  struct arena *arena;
  VEC(struct map_core) cores; /* the cores found so far, for all scopes of locations and of seq_cst */
  VEC(struct form) searched;
  struct hash_index table;
  draft_visitor *visit;
  void *state;
  bool stopped;
};

static bool is_weaker(const struct map_descent *m, uint32_t e, struct map_strength x, struct map_strength y) {
  if (x.sem == LEFT_OUT || y.sem == LEFT_OUT) return x.sem == LEFT_OUT;
  return x.scope <= y.scope && m->ask->table->below[m->events[e]->kind][y.sem] >> x.sem & 1;
}

static bool at_most(const struct map_descent *m, uint32_t e, uint8_t a, uint8_t b) {
  return is_weaker(m, e, m->strengths[e][a], m->strengths[e][b]);
}

/* True if the event may have the scope, given its location and all seq_cst events. */
static bool takes_scope(const struct map_descent *m, uint32_t e, uint8_t sem, uint8_t scope) {
  const struct draft_event *event = m->events[e];
  if (event->kind == DRAFT_BARRIER) return scope == SCOPE_CTA;
  uint8_t wanted = draft_accesses(event) ? m->location_scope[event->location] : SCOPE_NONE;
  if (sem == SEM_SC && m->sc_scope != SCOPE_NONE && scope != m->sc_scope) return false;
  if (wanted != SCOPE_NONE) return scope == wanted;
  return m->ask->scopes >> scope & 1 &&
         ((sem == SEM_SC && m->sc_scope != SCOPE_NONE) ||
          draft_scope_counts(&m->draft, m->thread[e], (enum scope)scope, m->ask->scopes));
}

/* True if the event may be plain. The next function: true if it must be plain. */
static bool may_be_plain(const struct map_descent *m, const struct draft_event *e) {
  return draft_accesses(e) && map_has(m->ask, e->kind, SEM_WEAK) &&
         (m->ask->mixed == MAP_MIXED_ACCESSES || m->plain >> e->location & 1);
}
static bool must_be_plain(const struct map_descent *m, const struct draft_event *e) {
  return draft_accesses(e) && m->plain >> e->location & 1;
}

static void add_strength(struct map_descent *m, uint32_t e, uint8_t sem, uint8_t scope) {
  m->strengths[e][m->strength_count[e]++] = (struct map_strength){sem, scope};
}

static void list_strengths(struct map_descent *m, uint32_t e) {
  const struct draft_event *event = m->events[e];
  m->strengths[e][0] = (struct map_strength){.sem = LEFT_OUT};
  m->strength_count[e] = 1;
  if (may_be_plain(m, event)) add_strength(m, e, SEM_WEAK, SCOPE_NONE);
  if (event->kind == DRAFT_BARRIER) add_strength(m, e, SEM_WEAK, SCOPE_CTA);
  for (uint8_t sem = SEM_RELAXED; sem < MAP_SEMS && !must_be_plain(m, event); sem++)
    if (map_has(m->ask, event->kind, sem))
      for (uint8_t scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
        if (takes_scope(m, e, sem, scope)) add_strength(m, e, sem, scope);
}

static bool note_execution(struct map_world *world) {
  struct map_part *part = world->state;
  struct map_execution execution = world->now;
  if (world_relate(world, &execution)) VEC_PUSH(part->arena, &part->executions, execution);
  return false;
}

static struct map_part *part_of(struct map_descent *m, node_set present) {
  if (m->parts[present]) return m->parts[present];
  struct map_part *part = m->parts[present] = ARENA_NEW(m->arena, struct map_part);
  *part = (struct map_part){.world = m->world, .arena = m->arena};
  world_leave_out(&part->world, (node_set)~present);
  part->world.state = part;
  world_some_execution(&part->world, note_execution);
  return part;
}

/* True if C++ forbids the outcome and there is no race. */
static bool is_forbidden(struct map_descent *m, const struct form *form) {
  node_set present = 0;
  for (uint32_t e = 0; e < m->count; e++) {
    struct map_strength strength = m->strengths[e][form->number[e]];
    if (!form->number[e]) continue;
    m->events[e]->sem = strength.sem;
    m->events[e]->scope = strength.scope;
    present |= (node_set)(1u << e);
  }
  const struct map_part *part = part_of(m, present);
  const struct map_strengths strengths = world_strengths(&part->world);
  relation conflicts = world_conflicts(&part->world, &strengths);
  if (conflicts & relation_from(strengths.atomic) & relation_to(strengths.atomic)) return false;
  return !SOME_BELOW(i, part->executions.len,
                     world_is_consistent(&part->world, &strengths, &part->executions.data[i], m->ask->old_sequences)) &&
         (!conflicts || !world_races(&part->world, m->ask->old_sequences));
}

/* True if the forms below this one were searched before; marks them as searched. */
static bool is_searched(struct map_descent *m, const struct form *form) {
  uint64_t hash = hash_bytes(form->number, m->count);
  HASH_EACH (i, &m->table, hash)
    if (memcmp(m->searched.data[i].number, form->number, m->count) == 0) return true;
  HASH_PUSH(m->arena, &m->table, hash, &m->searched, *form);
  return false;
}

static void set_form(struct map_descent *m, const struct form *form) {
  for (uint32_t e = 0; e < m->count; e++) {
    m->events[e]->sem = m->strengths[e][form->number[e]].sem;
    m->events[e]->scope = m->strengths[e][form->number[e]].scope;
  }
}

/* Sets the strength of an event; a barrier is removed from all its threads at once. */
static void set_number(const struct map_descent *m, struct form *form, uint32_t event, uint8_t number) {
  form->number[event] = number;
  for (uint32_t e = 0; e < m->count; e++)
    if (m->world.meets & relation_pair(event, e)) form->number[e] = number;
}

static void weaken(struct map_descent *m, struct form *form) {
  for (uint32_t e = 0; e < m->count; e++) {
    uint8_t was = form->number[e], now = was;
    for (uint8_t k = 0; k < was; k++) {
      if (!at_most(m, e, k, was)) continue;
      set_number(m, form, e, k);
      if (!is_forbidden(m, form)) continue;
      now = k;
      break;
    }
    set_number(m, form, e, now);
  }
}

static void search_below(struct map_descent *m, const struct form *ceiling);

/* Searches for other cores: each has an event that is weaker than in this core. */
static void search_beside(struct map_descent *m, const struct form *ceiling, const struct map_core *core) {
  for (uint32_t e = 0; e < m->count; e++) {
    uint8_t most = ceiling->number[e];
    struct map_strength least = core->strengths[e];
    for (uint8_t k = 1; k < m->strength_count[e] && !m->stopped; k++) {
      bool highest = at_most(m, e, k, most) && !is_weaker(m, e, least, m->strengths[e][k]);
      for (uint8_t n = (uint8_t)(k + 1); highest && n < m->strength_count[e]; n++)
        highest = !(at_most(m, e, k, n) && at_most(m, e, n, most) && !is_weaker(m, e, least, m->strengths[e][n]));
      if (!highest) continue;
      struct form lower = *ceiling;
      lower.number[e] = k;
      search_below(m, &lower);
    }
  }
}

/* Finds a known core below the ceiling. */
static bool find_core(const struct map_descent *m, const struct form *ceiling, struct map_core *core) {
  for (uint32_t i = 0; i < m->cores.len; i++) {
    uint32_t e = 0;
    *core = m->cores.data[i];
    while (e < m->count && is_weaker(m, e, core->strengths[e], m->strengths[e][ceiling->number[e]])) e++;
    if (e == m->count) return true;
  }
  return false;
}

/* Removes each branch and comparison that is not needed to prevent a race. */
static void drop_branches(struct map_descent *m) {
  static const uint8_t ways[] = {DRAFT_NO_DEP, MAP_ASKED, MAP_COMPARES, MAP_ASKED_AND_COMPARES};
  const struct map_strengths strengths = world_strengths(&m->world);
  bool conflicts = world_conflicts(&m->world, &strengths) != 0;
  for (uint32_t e = 0; e < m->count; e++) {
    uint32_t way = 0;
    if (!draft_reads(m->events[e])) continue;
    m->events[e]->dep = ways[0];
    while (conflicts && way + 1 < ARRAY_LEN(ways) && world_races(&m->world, m->ask->old_sequences))
      m->events[e]->dep = ways[++way];
    if (m->events[e]->kind == DRAFT_READ && way > 1) m->events[e]->dep = MAP_ASKED;
  }
}

static void ask_all(struct map_descent *m) {
  for (uint32_t e = 0; e < m->count; e++)
    if (draft_reads(m->events[e]))
      m->events[e]->dep = m->events[e]->kind == DRAFT_UPDATE ? MAP_ASKED_AND_COMPARES : MAP_ASKED;
}

static void add_core(struct map_descent *m, const struct form *form, struct map_core *core) {
  for (uint32_t e = 0; e < m->count; e++) core->strengths[e] = m->strengths[e][form->number[e]];
  VEC_PUSH(m->arena, &m->cores, *core);
  if (!EVERY_BELOW(e, m->count, form->number[e])) return;
  set_form(m, form);
  drop_branches(m);
  m->stopped = !m->visit(m->state, &m->draft);
  ask_all(m);
}

static void search_below(struct map_descent *m, const struct form *ceiling) {
  struct map_core core;
  if (m->stopped || is_searched(m, ceiling)) return;
  if (!find_core(m, ceiling, &core)) {
    if (!is_forbidden(m, ceiling)) return;
    struct form found = *ceiling;
    weaken(m, &found);
    add_core(m, &found, &core);
  }
  if (!m->stopped) search_beside(m, ceiling, &core);
}

/* Enumerates the maximal forms: a maximal strength for each event. */
static void each_top(struct map_descent *m, uint32_t e, struct form *form) {
  if (e == m->count) {
    search_below(m, form);
    return;
  }
  for (uint8_t k = 1; k < m->strength_count[e] && !m->stopped; k++) {
    bool top = EVERY(for (uint8_t n = (uint8_t)(k + 1); n < m->strength_count[e]; n++), !at_most(m, e, k, n));
    if (!top) continue;
    form->number[e] = k;
    each_top(m, e + 1, form);
  }
}

/* Searches after the scopes of locations and of seq_cst were chosen. */
static void search_scoped(struct map_descent *m) {
  struct form form = {{0}};
  for (uint32_t e = 0; e < m->count; e++) list_strengths(m, e);
  m->searched.len = 0;
  m->table = (struct hash_index){0};
  each_top(m, 0, &form);
}

/* The narrowest scope that contains all threads that access the location: any narrower scope makes a race. */
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

/* True if each access to the location can be plain. */
static bool has_plain(const struct map_descent *m, uint8_t location) {
  return !SOME_BELOW(e, m->count,
                     draft_accesses(m->events[e]) && m->events[e]->location == location &&
                         !map_has(m->ask, m->events[e]->kind, SEM_WEAK));
}

/* Chooses scopes, or plain accesses, for this location and the ones after it. A scope wider than the threads need
 * matters only for seq_cst accesses.
 */
static void each_scope(struct map_descent *m, uint8_t location) {
  if (location == m->draft.location_count) {
    search_scoped(m);
    return;
  }
  if (has_plain(m, location)) {
    m->plain |= 1u << location;
    each_scope(m, (uint8_t)(location + 1));
    m->plain &= ~(1u << location);
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

void map_weakest(struct arena *arena, const struct map_ask *ask, const struct draft *program, draft_visitor *visit,
                 void *state) {
  struct arena_mark mark = arena_mark(arena);
  struct map_descent *m = ARENA_NEW(arena, struct map_descent);
  *m = (struct map_descent){.ask = ask, .draft = *program, .arena = arena, .visit = visit, .state = state};
  DRAFT_EACH (e, &m->draft) {
    m->events[m->count] = e;
    m->thread[m->count++] = (uint8_t)e_thread;
  }
  ask_all(m);
  for (uint8_t l = 0; l < program->location_count; l++) m->least[l] = least_scope(m, l);
  world_build(&m->world, &m->draft);
  if (ask->mixed == MAP_MIXED_ACCESSES) search_scoped(m);
  else if (ask->mixed == MAP_MIXED_OBJECTS) each_scope(m, 0);
  else each_sc_scope(m);
  if (!m->stopped) arena_rewind(arena, mark); /* else the visitor may have kept memory */
}
