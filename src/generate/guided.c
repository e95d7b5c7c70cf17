/* Finds tests on which two models differ, by a solver over programs and outcomes: one model allows an execution, and
 * the other allows none. Counterexamples enforce "allows none": each proposed program is checked like a generated one.
 * If the other model allows an execution of it after all, new clauses require that this execution (a choice of
 * coherence, of the order of fence.sc and of the values that reds read) violates the other model in every program that
 * has it.
 */

#include "generate/guided.h"

#include "explain/explain.h"
#include "generate/formula.h"

struct guided {
  struct arena *arena;
  const struct generate_ask *ask;
  const struct generate_judge *allows, *forbids, *interleaves;
  struct draft *out;
  struct guided_count *count;
  bool found;
  /* For the current numbers of events per thread */
  struct program_shape shape;
  struct formula *allowing, *forbidding, *interleaving;
};

/* An execution in terms that also apply to other programs. */
struct counterexample {
  uint32_t before[DRAFT_EVENTS]; /* by slot: the slots after it in coherence, if both write to the same location */
  uint8_t fence[DRAFT_EVENTS];   /* by slot: its position in the order of fence.sc */
  uint8_t source[DRAFT_EVENTS];  /* by slot, for a red: the slot that it reads from; number of slots: initial value */
};

struct clause {
  VEC(lit) lits;
};

/* ---- Executions as literals ---- */

static bool is_sc(const struct draft_event *e) { return e->kind == DRAFT_FENCE && e->sem == SEM_SC; }

static lit *empty_matrix(const struct program_shape *s) {
  lit *m = ARENA_ARRAY(s->arena, lit, s->n * s->n);
  for (uint32_t i = 0; i < s->n * s->n; i++) m[i] = LIT_FALSE;
  return m;
}

/* The literal for "both slots write to the same location". */
static lit collide(struct program_shape *s, uint32_t i, uint32_t j) {
  lit both = shape_and(s, shape_is(s, i, draft_writes), shape_is(s, j, draft_writes));
  return shape_and(s, both, shape_same_location(s, i, j));
}

/* The literal for "both slots are fence.sc, and the order of fence.sc relates them". */
static lit fences_meet(struct program_shape *s, uint32_t i, uint32_t j) {
  lit both = shape_and(s, shape_is(s, i, is_sc), shape_is(s, j, is_sc));
  if (s->thread[i] == s->thread[j]) return both;
  return shape_and(s, both, shape_related(s, CAT_REL_SR, shape_read_site(s, i), shape_read_site(s, j)));
}

/* An execution with coherence from initial writes, and reads-from of the outcome. `red`: by slot and source, or
 * NULL. */
static struct shape_execution begin_execution(struct program_shape *s, const uint8_t *red) {
  struct shape_execution x = {empty_matrix(s), empty_matrix(s), empty_matrix(s)};
  uint32_t inits = s->slots * s->halves;
  for (uint32_t i = 0; i < s->slots; i++) {
    uint32_t read = shape_read_site(s, i), write = shape_write_site(s, i);
    for (uint32_t l = 0; l < s->locations; l++)
      x.co[(inits + l) * s->n + write] = shape_and(s, shape_is(s, i, draft_writes), s->at[i][l]);
    for (uint32_t w = 0; w <= s->slots; w++) {
      lit own = shape_is(s, i, draft_is_red), from = s->source[i][w];
      if (red) from = gates_ite(&s->gates, own, w == red[i] ? LIT_TRUE : LIT_FALSE, from);
      for (uint32_t l = 0; l < s->locations && w == s->slots; l++)
        x.rf[(inits + l) * s->n + read] = shape_and(s, from, s->at[i][l]);
      if (w < s->slots) x.rf[shape_write_site(s, w) * s->n + read] = from;
    }
  }
  return x;
}

/* Any execution: a partial order of the writes to each location with the final one last, and an order of all fences. */
static struct shape_execution any_execution(struct program_shape *s) {
  struct shape_execution x = begin_execution(s, NULL);
  lit co[DRAFT_EVENTS][DRAFT_EVENTS], sc[DRAFT_EVENTS][DRAFT_EVENTS];
  for (uint32_t i = 0; i < s->slots; i++)
    for (uint32_t j = 0; j < s->slots; j++) {
      lit meet = i == j ? LIT_FALSE : collide(s, i, j);
      co[i][j] = meet == LIT_FALSE ? LIT_FALSE : sat_variable(s->sat);
      sat_clause2(s->sat, -co[i][j], meet);
      sat_clause2(s->sat, -co[i][j], -s->last[i]);
      if (j < i) sat_clause2(s->sat, -co[i][j], -co[j][i]);
      if (i != j) x.co[shape_write_site(s, i) * s->n + shape_write_site(s, j)] = co[i][j];
      bool fences = i != j && shape_is(s, i, is_sc) != LIT_FALSE && shape_is(s, j, is_sc) != LIT_FALSE;
      sc[i][j] = !fences ? LIT_FALSE : j < i ? -sc[j][i] : sat_variable(s->sat);
      if (fences)
        x.sc[shape_read_site(s, i) * s->n + shape_read_site(s, j)] = shape_and(s, fences_meet(s, i, j), sc[i][j]);
    }
  for (uint32_t i = 0; i < s->slots; i++)
    for (uint32_t j = 0; j < s->slots; j++)
      for (uint32_t k = 0; k < s->slots; k++) {
        if (i == j || j == k || i == k) continue;
        sat_clause3(s->sat, -co[i][j], -co[j][k], co[i][k]);
        sat_clause3(s->sat, -sc[i][j], -sc[j][k], sc[i][k]);
      }
  return x;
}

/* The execution of the counterexample. `unless` receives literals for programs that do not have this execution: another
 * final value, or a red that reads from elsewhere. */
static struct shape_execution this_execution(struct guided *c, const struct counterexample *e, struct clause *unless) {
  struct program_shape *s = &c->shape;
  struct shape_execution x = begin_execution(s, e->source);
  for (uint32_t i = 0; i < s->slots; i++) {
    for (uint32_t j = 0; j < s->slots; j++) {
      if (i != j && e->before[i] >> j & 1) {
        lit co = x.co[shape_write_site(s, i) * s->n + shape_write_site(s, j)] = collide(s, i, j);
        VEC_PUSH(c->arena, &unless->lits, shape_and(s, co, s->last[i]));
      }
      if (i != j && e->fence[i] < e->fence[j])
        x.sc[shape_read_site(s, i) * s->n + shape_read_site(s, j)] = fences_meet(s, i, j);
    }
    if (e->source[i] == s->slots || shape_is(s, i, draft_is_red) == LIT_FALSE) continue;
    VEC_PUSH(c->arena, &unless->lits, shape_and(s, shape_is(s, i, draft_is_red), -collide(s, i, e->source[i])));
  }
  return x;
}

/* ---- Counterexamples ---- */

/* The slot of each event of a draft as quick.c numbers them. */
static uint32_t slots_of_events(const struct draft *d, uint8_t *slots) {
  uint32_t n = 0;
  uint8_t slot = 0;
  DRAFT_EACH (e, d) {
    struct quick_site sites[2];
    for (uint32_t count = quick_sites(e, sites); count; count--) slots[n++] = slot;
    slot++;
  }
  return n;
}

/* Numbers the slots along the partial order `before`, and otherwise in their own order as far as possible. */
static void number(const uint32_t *before, uint32_t slots, uint8_t *numbers) {
  uint32_t left = (1u << slots) - 1;
  for (uint8_t next = 0; left; next++) {
    uint32_t ready = left;
    for (uint32_t i = 0; i < slots; i++)
      if (left >> i & 1) ready &= ~before[i];
    uint32_t first = (uint32_t)__builtin_ctz(ready);
    numbers[first] = next;
    left &= ~(1u << first);
  }
}

static void read_counterexample(const struct guided *c, const struct draft *d, const struct quick *quick,
                                struct counterexample *out) {
  const struct quick_execution x = quick_execution(quick);
  uint8_t slots[QUICK_EVENTS], place[DRAFT_EVENTS];
  uint32_t n = slots_of_events(d, slots), fences[DRAFT_EVENTS] = {0}, open = 0;
  const struct draft_event *of[DRAFT_EVENTS];
  *out = (struct counterexample){0};
  uint32_t at = 0;
  DRAFT_EACH (e, d) of[at++] = e;
  for (uint32_t a = 0; a < n; a++) {
    for (uint32_t b = 0; b < n; b++) {
      if (x.co[a] >> b & 1) out->before[slots[a]] |= 1u << slots[b];
      if (x.sc[a] >> b & 1) fences[slots[a]] |= 1u << slots[b];
    }
    if (of[slots[a]]->kind != DRAFT_RED || (a && slots[a - 1] == slots[a])) continue;
    out->source[slots[a]] = x.source[a] < n ? slots[x.source[a]] : (uint8_t)c->shape.slots;
  }
  for (uint32_t i = 0; i < at; i++) {
    if (of[i]->kind != DRAFT_RED) out->source[i] = (uint8_t)c->shape.slots;
    for (uint32_t j = 0; j < i; j++)
      if (draft_writes(of[i]) && draft_writes(of[j]) && of[i]->location == of[j]->location)
        open += !((out->before[i] >> j | out->before[j] >> i) & 1);
  }
  number(fences, at, out->fence);
  number(out->before, at, place);
  for (uint32_t i = 0; i < at && !open; i++) /* a total order of writes extends to all slots */
    for (uint32_t j = 0; j < at; j++)
      if (place[i] < place[j]) out->before[i] |= 1u << j;
}

/* Adds clauses by which this execution violates the model in every program that has it. */
static void exclude(struct guided *c, struct formula *model, const struct counterexample *e) {
  struct clause clause = {0};
  uint32_t count;
  const lit *violated;
  struct shape_execution x = this_execution(c, e, &clause);
  formula_violated(model, &x, NEED_ONLY_IF, &violated, &count);
  for (uint32_t i = 0; i < count; i++) VEC_PUSH(c->arena, &clause.lits, violated[i]);
  sat_clause(c->shape.sat, clause.lits.data, clause.lits.len);
}

/* ---- The search ---- */

static void begin(struct guided *c, const struct draft *sizes) {
  struct program_shape *s = &c->shape;
  const lit *violated;
  uint32_t count;
  shape_init(s, c->arena, sat_new(c->arena, false), c->ask, sizes);
  shape_leave_out(s);
  sat_deadline(s->sat, c->arena->deadline);
  struct shape_execution x = any_execution(s);
  c->allowing = formula_new(s, quick_model(c->allows->quick));
  c->forbidding = formula_new(s, quick_model(c->forbids->quick));
  c->interleaving = formula_new(s, quick_model(c->interleaves->quick));
  formula_violated(c->allowing, &x, NEED_IF, &violated, &count);
  for (uint32_t i = 0; i < count; i++) sat_clause1(s->sat, -violated[i]);
  formula_violated(c->forbidding, &x, NEED_ONLY_IF, &violated, &count);
  sat_clause(s->sat, violated, count);
}

/* True if the proposed program is a solution; else excludes the program, and others with the same counterexample. */
static bool is_right(struct guided *c) {
  struct draft d;
  struct counterexample e;
  shape_draft(&c->shape, &d);
  if (judge_draft(c->allows, &d) != VERDICT_ALLOWED) {
    struct text text = {.arena = c->arena};
    draft_print(&d, "draft", NULL, &text);
    BUG("%s does not allow, as its formula does:\n%s", c->allows->model->name, text_str(&text));
  }
  const struct generate_judge *against = c->forbids;
  struct formula *formula = c->forbidding;
  if (quick_verdict(against->quick, &d) == VERDICT_FORBIDDEN) {
    against = c->interleaves;
    formula = c->interleaving;
    if (quick_verdict(against->quick, &d) == VERDICT_FORBIDDEN) {
      *c->out = d;
      return c->found = true;
    }
  }
  read_counterexample(c, &d, against->quick, &e);
  exclude(c, formula, &e);
  return false;
}

/* Adds a clause that requires fewer writes than in this program, so that reads determine more of the outcome. */
static void ask_for_fewer_writes(struct guided *c, const struct draft *d) {
  struct program_shape *s = &c->shape;
  uint32_t writes = 0;
  lit exactly[DRAFT_EVENTS + 1] = {LIT_TRUE};
  for (uint32_t k = 1; k <= DRAFT_EVENTS; k++) exactly[k] = LIT_FALSE;
  for (uint32_t i = 0; i < s->slots; i++)
    for (uint32_t k = i + 2; k-- > 0;)
      exactly[k] = gates_ite(&s->gates, shape_is(s, i, draft_writes), k ? exactly[k - 1] : LIT_FALSE, exactly[k]);
  DRAFT_EACH (e, d) writes += draft_writes(e);
  sat_clause(s->sat, exactly, writes);
}

static bool search_sizes(void *state, const struct draft *sizes) {
  enum { EFFORT = 2000 }; /* the limit of conflicts in the search for a better draft of the same size */
  struct guided *c = state;
  struct arena_mark mark = arena_mark(c->arena);
  begin(c, sizes);
  for (;;) {
    if (c->found) sat_effort(c->shape.sat, EFFORT);
    enum sat_answer answer = sat_solve(c->shape.sat);
    c->count->solves++;
    if (!c->found) arena_poll(c->arena);
    if (answer == SAT_NO || (c->found && answer == SAT_UNKNOWN)) break;
    if (answer == SAT_UNKNOWN) continue; /* the time is up, and the next iteration of the loop checks the clock */
    if (!is_right(c)) c->count->counterexamples++;
    else ask_for_fewer_writes(c, c->out);
  }
  arena_rewind(c->arena, mark);
  return !c->found;
}

bool guided_search(struct arena *arena, const struct generate_ask *ask, uint32_t events,
                   const struct generate_judge *allows, const struct generate_judge *forbids,
                   struct guided_count *count, struct draft *out) {
  struct generate_judge interleaves = judge_new(arena, interleaving_model(arena), allows->options);
  struct guided c = {.arena = arena,
                     .ask = ask,
                     .allows = allows,
                     .forbids = forbids,
                     .interleaves = &interleaves,
                     .out = out,
                     .count = count};
  struct draft sizes = {0};
  draft_each_size(&sizes, ask->threads, events, DRAFT_LENGTH, search_sizes, &c);
  return c.found;
}
