/* Checks rules of a compiler on the minimal tests of a model. */

#include "map/rules.h"

struct rule_hunt {
  struct arena *arena;
  const struct map_table *table;
  const struct generate_ask *ask;
  struct generate_judge judge;
  struct map_rules_result *result;
  double deadline;
};

/* A match: consecutive events of a minimal test's thread that are the left side, perhaps weaker, less omitted steps. */
struct rule_match {
  struct rule_hunt *hunt;
  const struct map_rule *rule;
  const struct draft *minimal;
  uint32_t thread, begin, length;
  enum scope scope;            /* the scope S */
  uint8_t place[RULE_NAMES];   /* by name: the location that the name denotes */
  uint8_t event[RULE_STEPS];   /* by step: its event, counted from `begin`; RULE_NONE: an omitted step */
  uint8_t wanted[RULE_NAMES];  /* by register: its value in the outcome, or DRAFT_FREE */
  uint8_t written[RULE_NAMES]; /* by value: the value in the test */
  uint8_t added;               /* the value that an atom.add of 0 writes, while it differs from the value read */
  struct map_rule_fault *fault;
};

static enum scope scope_of(const struct rule_match *m, const struct map_step *s) {
  return s->sem == SEM_WEAK ? SCOPE_NONE : s->scope == SCOPE_NONE ? m->scope : s->scope;
}

/* ---- Putting the sides into the test ---- */

/* Replaces events of a thread from `begin` on; false if the thread gets too long. */
static bool replace(struct draft_thread *t, uint32_t begin, uint32_t length, const struct draft_event *by,
                    uint32_t count) {
  if (t->count - length + count > DRAFT_LENGTH) return false;
  memmove(&t->events[begin + count], &t->events[begin + length], (t->count - begin - length) * sizeof *by);
  memcpy(&t->events[begin], by, count * sizeof *by);
  t->count = (uint8_t)(t->count - length + count);
  return true;
}

static struct draft_event event_of(const struct rule_match *m, const struct map_step *s) {
  struct draft_event e = {.kind = (uint8_t)s->kind, .sem = (uint8_t)s->sem, .scope = (uint8_t)scope_of(m, s)};
  if (s->kind < DRAFT_FENCE) e.location = m->place[s->place];
  return e;
}

/* Puts the left side into the test; omitted steps read any value and write a new one. */
static bool left_side(struct rule_match *m, struct draft *d) {
  struct draft_event events[RULE_STEPS];
  uint8_t fresh[DRAFT_LOCATIONS];
  for (uint32_t l = 0; l < DRAFT_LOCATIONS; l++) fresh[l] = (uint8_t)draft_write_count(m->minimal, l);
  for (uint32_t i = 0; i < m->rule->left.count; i++) {
    const struct map_step *s = &m->rule->left.steps[i];
    struct draft_event *e = &events[i];
    *e = event_of(m, s);
    bool kept = m->event[i] != RULE_NONE;
    const struct draft_event *from = &m->minimal->threads[m->thread].events[m->begin + (kept ? m->event[i] : 0)];
    if (draft_reads(e)) e->reads = kept ? from->reads : DRAFT_FREE;
    if (draft_writes(e)) e->writes = kept ? from->writes : ++fresh[e->location];
    if (s->reg != RULE_NONE) m->wanted[s->reg] = e->reads;
    if (s->value != RULE_NONE) m->written[s->value] = e->writes;
    if (s->adds_nothing) m->added = e->writes;
    if (draft_accesses(e) && e->location >= d->location_count) d->location_count = (uint8_t)(e->location + 1);
  }
  return replace(&d->threads[m->thread], m->begin, m->length, events, m->rule->left.count);
}

/* The value in the outcome of all registers that get their value from `reg`; false if these values differ. */
static bool asked_of(const struct rule_match *m, uint32_t reg, uint8_t *out) {
  *out = DRAFT_FREE;
  for (uint32_t r = 0; r < RULE_NAMES; r++) {
    bool from = r == reg || m->rule->moves[r].reg == reg;
    if (!from || m->wanted[r] == DRAFT_FREE) continue;
    if (*out != DRAFT_FREE && *out != m->wanted[r]) return false;
    *out = m->wanted[r];
  }
  return true;
}

/* True if some write writes the value, or the value is the initial one. */
static bool is_there(const struct draft *d, uint32_t location, uint8_t value) {
  if (value == DRAFT_FREE || value == 0) return true;
  return SOME(DRAFT_EACH (e, d), draft_writes(e) && e->location == location && e->writes == value);
}

static bool can_be(const struct draft *d) {
  return !SOME(DRAFT_EACH (e, d), draft_reads(e) && !is_there(d, e->location, e->reads)) &&
         EVERY_BELOW(l, d->location_count, is_there(d, l, d->last[l]));
}

/* Puts the right side into the test; false if that cannot give the outcome under any model. */
static bool right_side(struct rule_match *m, struct draft *d) {
  struct draft_event events[RULE_STEPS];
  for (uint32_t r = 0; r < RULE_NAMES; r++) {
    uint8_t value = m->rule->moves[r].value;
    if (value != RULE_NONE && m->wanted[r] != DRAFT_FREE && m->wanted[r] != m->written[value]) return false;
  }
  for (uint32_t i = 0; i < m->rule->right.count; i++) {
    const struct map_step *s = &m->rule->right.steps[i];
    events[i] = event_of(m, s);
    if (s->reg != RULE_NONE && !asked_of(m, s->reg, &events[i].reads)) return false;
    if (s->value != RULE_NONE) events[i].writes = m->written[s->value];
    else if (s->adds_nothing) events[i].writes = m->added;
  }
  return replace(&d->threads[m->thread], m->begin, m->length, events, m->rule->right.count);
}

/* ---- An atom.add of 0 writes the value that it read ---- */

static const struct map_step *adding(const struct map_steps *side) {
  return ARRAY_FIND(e, side->steps, side->count, e->adds_nothing);
}

/* Replaces `added` by `read` in the outcome. */
static void say_alike(struct draft *d, uint32_t location, uint8_t added, uint8_t read) {
  DRAFT_EACH (e, d)
    if (draft_reads(e) && e->location == location && e->reads == added) e->reads = read;
  if (d->last[location] == added) d->last[location] = read;
}

/* Prints a draft as a test in which the exchange that writes `added` is an addition of 0. */
static const char *written(struct arena *arena, const struct draft *d, uint8_t location, uint8_t added) {
  struct text out = {.arena = arena};
  draft_print(d, draft_name(arena, d), NULL, &out);
  for (uint32_t reg = 0; added && reg < DRAFT_LENGTH; reg++) {
    const char *old = arena_printf(arena, ".exch.b32 r%u, %c, %u ", reg, draft_location(location), added);
    const char *whole = text_str(&out), *at = strstr(whole, old);
    if (!at) continue;
    const char *before = arena_strndup(arena, whole, (size_t)(at - whole));
    return arena_printf(arena, "%s.add.u32 r%u, %c, 0 %s", before, reg, draft_location(location), at + strlen(old));
  }
  return text_str(&out);
}

static bool is(const struct rule_match *m, const struct draft *d, enum verdict verdict) {
  return judge_draft(&m->hunt->judge, d) == verdict;
}

static void judge_match(struct rule_match *m) {
  struct rule_hunt *h = m->hunt;
  struct draft before = *m->minimal, after = *m->minimal;
  const struct map_step *adds = adding(&m->rule->left);
  m->added = 0;
  if (!left_side(m, &before)) return;
  after.location_count = before.location_count;
  if (!right_side(m, &after)) return;
  uint8_t location = adds ? m->place[adds->place] : 0, read = adds ? m->wanted[adds->reg] : 0;
  if (read == DRAFT_FREE) return; /* the value that the addition writes is unknown */
  if (adds) say_alike(&before, location, m->added, read), say_alike(&after, location, m->added, read);
  if (!can_be(&after)) return;
  h->result->compared++;
  if (!adds && (!is(m, &after, VERDICT_ALLOWED) || !is(m, &before, VERDICT_FORBIDDEN))) return;
  struct arena_mark mark = arena_mark(h->arena);
  const char *from = written(h->arena, &before, location, m->added);
  const char *to = written(h->arena, &after, location, adding(&m->rule->right) ? m->added : 0);
  m->fault->found = judge_text(&h->judge, to) == VERDICT_ALLOWED && judge_text(&h->judge, from) == VERDICT_FORBIDDEN;
  if (m->fault->found) *m->fault = (struct map_rule_fault){true, draft_size(m->minimal), {.before = from, .after = to}};
  else arena_rewind(h->arena, mark);
}

/* ---- The possible results of rewriting the left side ---- */

static bool is_taken(const struct rule_match *m, uint8_t location) {
  return SOME_BELOW(p, RULE_NAMES, m->place[p] == location);
}

/* Chooses a location, any other or a new one, for each name that only omitted steps access. */
static void name_places(struct rule_match *m, uint32_t step) {
  if (m->fault->found) return;
  if (step == m->rule->left.count) {
    judge_match(m);
    return;
  }
  uint8_t place = m->rule->left.steps[step].place;
  if (place == RULE_NONE || m->place[place] != RULE_NONE) {
    name_places(m, step + 1);
    return;
  }
  for (uint8_t l = 0; l <= m->minimal->location_count && l < DRAFT_LOCATIONS; l++) {
    if (is_taken(m, l)) continue;
    m->place[place] = l;
    name_places(m, step + 1);
    m->place[place] = RULE_NONE;
  }
}

/* True if the event may result from weakening the step. */
static bool is_left_of(const struct rule_match *m, const struct draft_event *e, const struct map_step *s) {
  enum scope scope = scope_of(m, s);
  if (e->kind != s->kind || !generate_sem_at_most((enum sem)e->sem, s->sem) || e->scope > scope) return false;
  if (s->place == RULE_NONE) return true;
  return m->place[s->place] == e->location || (m->place[s->place] == RULE_NONE && !is_taken(m, e->location));
}

static void match_steps(struct rule_match *m, uint32_t step, uint32_t event) {
  if (m->fault->found) return;
  if (step == m->rule->left.count) {
    if (event == m->length) name_places(m, 0);
    return;
  }
  const struct map_step *s = &m->rule->left.steps[step];
  const struct draft_event *e = &m->minimal->threads[m->thread].events[m->begin + event];
  if (event < m->length && is_left_of(m, e, s)) {
    uint8_t none = RULE_NONE, *place = s->place == RULE_NONE ? &none : &m->place[s->place], was = *place;
    *place = e->location;
    m->event[step] = (uint8_t)event;
    match_steps(m, step + 1, event + 1);
    *place = was;
  }
  m->event[step] = RULE_NONE;
  match_steps(m, step + 1, event);
}

static void try_rule(struct rule_hunt *h, uint32_t number, const struct draft *d) {
  struct rule_match m = {.hunt = h, .rule = h->table->rules.data[number], .minimal = d};
  m.fault = &h->result->faults[number];
  if (m.rule->one_cta && SOME(for (uint32_t t = 1; t < d->thread_count; t++), d->threads[t].cta != d->threads[0].cta))
    return;
  for (m.scope = SCOPE_CTA; m.scope <= SCOPE_SYS; m.scope++)
    for (m.thread = 0; m.thread < d->thread_count && h->ask->scopes >> m.scope & 1; m.thread++)
      for (m.begin = 0; m.begin < d->threads[m.thread].count; m.begin++)
        for (m.length = 1; m.begin + m.length <= d->threads[m.thread].count && !m.fault->found; m.length++) {
          memset(m.place, RULE_NONE, sizeof m.place);
          memset(m.wanted, DRAFT_FREE, sizeof m.wanted);
          match_steps(&m, 0, 0);
        }
}

static bool take_minimal(void *state, const struct draft *draft) {
  struct rule_hunt *h = state;
  h->result->tests++;
  for (uint32_t i = 0; i < h->table->rules.len && h->result->complete; i++) {
    if (!h->result->faults[i].found) try_rule(h, i, draft);
    h->result->complete = !(h->deadline > 0 && base_is_late(h->deadline));
  }
  return h->result->complete;
}

void map_try_rules(struct arena *arena, const struct map_table *table, const struct generate_ask *ask,
                   const struct model *model, const struct check_options *options, double deadline,
                   struct map_rules_result *result) {
  const double start = base_now();
  *result = (struct map_rules_result){.faults = ARENA_ARRAY(arena, struct map_rule_fault, table->rules.len),
                                      .complete = true};
  struct rule_hunt h = {arena, table, ask, judge_new(arena, model, options), result, deadline};
  struct arena *scratch = arena_scratch(arena); /* generate_minimal frees its visitor's memory */
  generate_minimal(scratch, ask, model, options, take_minimal, &h);
  arena_release(scratch);
  result->seconds = base_now() - start;
}
