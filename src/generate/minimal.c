/* The minimal tests of a model: from each test in its strongest form down, as long as the outcome stays forbidden. */
#include <string.h>

#include "generate/generate.h"

struct known {
  struct draft_key key;
  bool forbidden, seen; /* seen: what is weaker has been looked at */
};

struct descent {
  const struct generate_ask *ask;
  const struct model *model;
  const struct check_options *options;
  generate_visitor *visit;
  void *state;
  struct arena *arena;
  VEC(struct known) known; /* of one strongest form: others share few */
  struct hash_index index;
  bool stopped;
};

/* ---- What the model says ---- */

static bool asks(const struct draft *d) {
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++)
      if (draft_reads(&d->threads[t].events[i]) && d->threads[t].events[i].reads != DRAFT_FREE) return true;
  for (uint32_t l = 0; l < d->location_count; l++)
    if (d->last[l] != DRAFT_FREE && draft_write_count(d, l) > 1) return true;
  return false;
}

static bool is_forbidden(struct descent *m, const struct draft *d) {
  struct arena_mark mark = arena_mark(m->arena);
  struct text text;
  text_init(&text, m->arena);
  draft_print(d, "draft", NULL, &text);
  struct source source = source_from_text("draft", text_str(&text), text.len);
  struct intern names;
  struct diags diags;
  intern_init(&names, m->arena);
  diags_init(&diags, m->arena);
  const struct litmus_test *test = litmus_parse(m->arena, &names, &diags, &source);
  const struct lower_options lowering = {0};
  const struct program *program = test ? lower(m->arena, &names, &diags, test, &lowering) : NULL;
  if (!program) BUG("a draft is no test:\n%s", text_str(&text));
  struct check_options options = *m->options;
  struct result result = {0};
  options.verdict_only = true;
  check(m->arena, program, m->model, &options, &result);
  bool forbidden = result.verdict == VERDICT_FORBIDDEN;
  arena_rewind(m->arena, mark);
  return forbidden;
}

static uint32_t look_up(struct descent *m, const struct draft *d) {
  struct known known = {0};
  draft_least_key(d, &known.key);
  uint64_t hash = hash_bytes(known.key.bytes, known.key.length);
  HASH_EACH (i, &m->index, hash)
    if (m->known.data[i].key.length == known.key.length &&
        memcmp(m->known.data[i].key.bytes, known.key.bytes, known.key.length) == 0)
      return i;
  known.forbidden = asks(d) && !draft_interleaves(d) && is_forbidden(m, d);
  VEC_PUSH(m->arena, &m->known, known);
  hash_add(m->arena, &m->index, hash, m->known.len - 1);
  return m->known.len - 1;
}

static bool forbids(struct descent *m, const struct draft *d) {
  uint32_t at = look_up(m, d);
  return m->known.data[at].forbidden;
}

/* ---- One thing weaker ---- */

static uint32_t sems_of(const struct generate_ask *ask, const struct draft_event *e) {
  for (uint32_t i = 0; i < ask->menu.len; i++)
    if (ask->menu.data[i].kind == e->kind && ask->menu.data[i].proxy == e->proxy) return ask->menu.data[i].sems;
  return 0;
}

static bool has_between(uint32_t sems, enum sem low, enum sem high) {
  for (enum sem s = SEM_WEAK; s <= SEM_SC; s++)
    if (s != low && s != high && sems >> s & 1 && generate_sem_at_most(low, s) && generate_sem_at_most(s, high))
      return true;
  return false;
}

static enum scope widest(uint32_t scopes) {
  enum scope scope = SCOPE_SYS;
  while (!(scopes >> scope & 1)) scope--;
  return scope;
}

/* The next narrower scope that reaches fewer threads, or SCOPE_NONE. */
static enum scope narrower(const struct descent *m, const struct draft *d, uint32_t thread, enum scope scope) {
  for (enum scope s = scope - 1; s > SCOPE_NONE; s--)
    if (m->ask->scopes >> s & 1 && draft_scope_counts(d, thread, s, m->ask->scopes)) return s;
  return SCOPE_NONE;
}

/* Calls `each` with every draft that one step makes weaker, until one is false: with other strength, or with something
 * left out. */
typedef bool each_weaker(struct descent *m, const struct draft *d);

static bool weaken_event(struct descent *m, struct draft d, uint32_t thread, uint32_t event, each_weaker *each) {
  struct draft_event *e = &d.threads[thread].events[event], was = *e;
  uint32_t sems = sems_of(m->ask, e);
  for (enum sem s = SEM_WEAK; s < was.sem; s++) {
    bool to_weak = s == SEM_WEAK;
    if (!(sems >> s & 1) || !generate_sem_at_most(s, was.sem) || has_between(sems, s, was.sem)) continue;
    e->sem = (uint8_t)s;
    if (to_weak) e->scope = SCOPE_NONE;
    if (!each(m, &d)) return false;
    *e = was;
  }
  enum scope scope = was.scope == SCOPE_NONE ? SCOPE_NONE : narrower(m, &d, thread, was.scope);
  if (scope != SCOPE_NONE) {
    e->scope = (uint8_t)scope;
    if (!each(m, &d)) return false;
  }
  return true;
}

static bool each_one_weaker(struct descent *m, const struct draft *d, each_weaker *each) {
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++)
      if (!weaken_event(m, *d, t, i, each)) return false;
  return true;
}

static bool each_one_less(struct descent *m, const struct draft *d, each_weaker *each) {
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      struct draft less = *d;
      less.threads[t].events[i].dep = DRAFT_NO_DEP;
      if (d->threads[t].events[i].dep != DRAFT_NO_DEP && !each(m, &less)) return false;
      less = *d;
      draft_remove(&less, t, i);
      if (!each(m, &less)) return false;
    }
  return true;
}

static bool is_allowed(struct descent *m, const struct draft *d) { return !forbids(m, d); }

/* ---- Downwards ---- */

static void descend(struct descent *m, const struct draft *d);

static bool go_on(struct descent *m, const struct draft *d) {
  if (forbids(m, d)) descend(m, d);
  return !m->stopped;
}

static void descend(struct descent *m, const struct draft *d) {
  uint32_t at = look_up(m, d);
  if (m->known.data[at].seen) return;
  m->known.data[at].seen = true;
  if (each_one_weaker(m, d, is_allowed) && each_one_less(m, d, is_allowed)) m->stopped = !m->visit(m->state, d);
  else each_one_weaker(m, d, go_on);
}

/* Every scope as wide as it can be and no wider than makes a difference. */
static void narrow_to_reach(const struct descent *m, struct draft *d) {
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      uint8_t *scope = &d->threads[t].events[i].scope;
      if (*scope != SCOPE_NONE && !draft_scope_counts(d, t, widest(m->ask->scopes), m->ask->scopes))
        *scope = (uint8_t)narrower(m, d, t, widest(m->ask->scopes));
    }
}

static bool from_the_top(void *state, const struct draft *draft) {
  struct descent *m = state;
  struct draft top = *draft;
  arena_poll(m->arena);
  struct arena_mark mark = arena_mark(m->arena);
  narrow_to_reach(m, &top);
  if (forbids(m, &top)) descend(m, &top);
  m->known.data = NULL;
  m->known.len = m->known.cap = 0;
  m->index = (struct hash_index){0};
  arena_rewind(m->arena, mark);
  return !m->stopped;
}

void generate_minimal(struct arena *arena, const struct generate_ask *ask, const struct model *model,
                      const struct check_options *options, generate_visitor *visit, void *state) {
  struct descent m = {.ask = ask, .model = model, .options = options, .visit = visit, .state = state, .arena = arena};
  generate_strongest(ask, from_the_top, &m);
}
