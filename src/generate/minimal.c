/* Finds the minimal tests of a model: weakens each test from its strongest form while the outcome stays forbidden. */

#include "generate/generate.h"

struct known {
  bool forbidden;
  bool searched; /* all minimal tests below it are found */
  bool found;    /* the draft itself is a minimal test */
};

struct descent {
  const struct generate_ask *ask;
  const struct generate_judge *judge;
  draft_visitor *visit;
  void *state;
  struct arena *arena;
  struct draft_set drafts; /* the drafts below one strongest form; different strongest forms share few */
  VEC(struct known) known; /* for each draft in `drafts` */
  bool stopped;
};

/* ---- Verdicts of the model ---- */

static uint32_t look_up(struct descent *m, const struct draft *d) {
  struct known known = {0};
  struct draft_key key;
  bool added;
  draft_least_key(d, &key);
  uint32_t at = draft_set_add(m->arena, &m->drafts, &key, &added);
  if (!added) return at;
  known.forbidden = draft_asks(d) && !draft_interleaves(d) && judge_draft(m->judge, d) == VERDICT_FORBIDDEN;
  VEC_PUSH(m->arena, &m->known, known);
  return at;
}

static bool forbids(struct descent *m, const struct draft *d) {
  uint32_t at = look_up(m, d);
  return m->known.data[at].forbidden;
}

/* ---- Strengths of an event ---- */

/* The parts of an instruction that can be weaker. */
struct strength {
  enum sem sem;
  enum scope scope;
};
enum { STRENGTHS = 32 };

static bool strength_at_most(struct strength a, struct strength b) {
  return generate_sem_at_most(a.sem, b.sem) && a.scope <= b.scope;
}

static uint32_t sems_of(const struct generate_ask *ask, const struct draft_event *e) {
  for (uint32_t i = 0; i < ask->menu.len; i++)
    if (ask->menu.data[i].kind == e->kind && ask->menu.data[i].proxy == e->proxy) return ask->menu.data[i].sems;
  return 0;
}

/* Lists all strengths that the event can have, weaker ones before stronger ones; returns their number. */
static uint32_t list_strengths(const struct generate_ask *ask, const struct draft *d, uint32_t thread,
                               const struct draft_event *e, struct strength *list) {
  uint32_t count = 0, sems = sems_of(ask, e);
  if (draft_is_barrier(e) || e->kind == DRAFT_PROXY_FENCE) return 0;
  for (enum sem sem = SEM_WEAK; sem <= SEM_SC; sem++)
    for (enum scope scope = SCOPE_NONE; scope <= SCOPE_SYS; scope++) {
      if (!(sems >> sem & 1) || (sem == SEM_WEAK) != (scope == SCOPE_NONE)) continue;
      bool counts = scope == SCOPE_NONE ||
                    (ask->scopes >> scope & 1 && (ask->wide || draft_scope_counts(d, thread, scope, ask->scopes)));
      if (counts) list[count++] = (struct strength){sem, scope};
    }
  return count;
}

static struct strength strength_of(const struct draft_event *e) {
  return (struct strength){(enum sem)e->sem, (enum scope)e->scope};
}

static void set_strength(struct draft_event *e, struct strength strength) {
  e->sem = (uint8_t)strength.sem;
  e->scope = (uint8_t)strength.scope;
}

/* Makes each event in turn as weak as possible while the model forbids the outcome. */
static void weaken(struct descent *m, struct draft *d) {
  struct strength list[STRENGTHS];
  DRAFT_EACH (e, d) {
    struct strength was = strength_of(e), now = was;
    uint32_t count = list_strengths(m->ask, d, e_thread, e, list);
    for (uint32_t k = 0; k < count; k++) {
      if (!strength_at_most(list[k], was) || (list[k].sem == was.sem && list[k].scope == was.scope)) continue;
      set_strength(e, list[k]);
      if (!forbids(m, d)) continue;
      now = list[k];
      break;
    }
    set_strength(e, now);
  }
}

/* ---- Removing parts ---- */

/* True if the model allows the outcome after each removal of a dependency, instruction, fence or barrier, and after
 * each weakening of a wait for copies out of shared memory to one for their reads. */
static bool needs_all(struct descent *m, const struct draft *d) {
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      struct draft less = *d;
      less.threads[t].events[i].dep = DRAFT_NO_DEP;
      if (d->threads[t].events[i].dep != DRAFT_NO_DEP && forbids(m, &less)) return false;
      less = *d;
      less.threads[t].events[i].kind = DRAFT_WAIT_READS;
      if (d->threads[t].events[i].kind == DRAFT_WAIT_STORES && forbids(m, &less)) return false;
      less = *d;
      draft_remove(&less, t, i);
      if (forbids(m, &less)) return false;
    }
  return true;
}

/* ---- The weakest strengths below a ceiling that keep the outcome forbidden ---- */

static void search_below(struct descent *m, const struct draft *ceiling);

/* Searches for other minimal tests: each of them has an event that is weaker than in the test found. */
static void search_beside(struct descent *m, const struct draft *ceiling, const struct draft *found) {
  struct strength list[STRENGTHS];
  for (uint32_t t = 0; t < ceiling->thread_count; t++)
    for (uint32_t i = 0; i < ceiling->threads[t].count && !m->stopped; i++) {
      struct draft lower = *ceiling;
      struct draft_event *e = &lower.threads[t].events[i];
      struct strength most = strength_of(e), least = strength_of(&found->threads[t].events[i]);
      uint32_t count = list_strengths(m->ask, ceiling, t, e, list);
      for (uint32_t k = 0; k < count && !m->stopped; k++) {
        bool highest = strength_at_most(list[k], most) && !strength_at_most(least, list[k]);
        for (uint32_t n = k + 1; n < count; n++)
          if (strength_at_most(list[k], list[n]) && strength_at_most(list[n], most) &&
              !strength_at_most(least, list[n]))
            highest = false;
        if (!highest) continue;
        set_strength(e, list[k]);
        search_below(m, &lower);
      }
    }
}

static void search_below(struct descent *m, const struct draft *ceiling) {
  uint32_t at = look_up(m, ceiling);
  if (!m->known.data[at].forbidden || m->known.data[at].searched) return;
  m->known.data[at].searched = true;
  struct draft found = *ceiling;
  weaken(m, &found);
  at = look_up(m, &found);
  if (!m->known.data[at].found) {
    m->known.data[at].found = true;
    if (generate_is_sensible(&found, false) && needs_all(m, &found)) m->stopped = !m->visit(m->state, &found);
  }
  if (!m->stopped) search_beside(m, ceiling, &found);
}

/* ---- From the strongest form ---- */

static bool from_the_top(void *state, const struct draft *draft) {
  struct descent *m = state;
  struct draft top = *draft;
  arena_poll(m->arena);
  struct arena_mark mark = arena_mark(m->arena);
  if (!m->ask->wide) draft_narrow(&top, m->ask->scopes);
  search_below(m, &top);
  m->known.data = NULL;
  m->known.len = m->known.cap = 0;
  m->drafts = (struct draft_set){0};
  arena_rewind(m->arena, mark);
  return !m->stopped;
}

void generate_minimal(struct arena *arena, const struct generate_ask *ask, const struct model *model,
                      const struct check_options *options, draft_visitor *visit, void *state) {
  const struct generate_judge judge = judge_new(arena, model, options);
  struct descent m = {.ask = ask, .judge = &judge, .visit = visit, .state = state, .arena = arena};
  generate_strongest(ask, from_the_top, &m);
}
