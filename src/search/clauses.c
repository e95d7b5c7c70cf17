/* The clauses of the model that an execution may raise: flags and `undefined_unless`. Most name pairs of a relation,
 * and all pairs that some allowed execution has are found: each answer of the solver shows further ones, until none has
 * a new one or the effort is spent. */
#include "search/solver.h"

/* True if bounds alone show that a clause is never raised. */
static bool never_raised(const struct sat_search *g, const struct cat_axiom *axiom) {
  return ask_raised_by_pairs(g->ask.model, axiom) && bitmat_empty(g->ask.encoder.graph.bounds.data[axiom->node].may);
}

/* All pairs of a relation that some allowed execution has. */
struct raising {
  uint32_t clause;
  cat_node node;
  struct bitmat seen, open; /* pairs found; undecided pairs */
  struct bitmat known;      /* pairs that are not asked about: those found, and those for which others stand */
  lit sorted;               /* assumed: threads that are alike and in no such pair are sorted; 0: nothing */
};

static bool is_stood_for(const struct sat_search *g, uint32_t event) {
  const struct instr *in = event_instr(g->ask.skeleton, event);
  return in && in->ast->stood_for;
}

/* Races of kernels for which others stand (docs/semantics.md T10) are not asked about. */
static void begin_pairs(struct sat_search *g, struct raising *pairs) {
  const char *name = g->ask.model->axioms.data[pairs->clause].name;
  uint32_t n = g->ask.skeleton->n;
  pairs->seen = bitmat_new(g->q->arena, n);
  pairs->open = bitmat_new(g->q->arena, n);
  pairs->known = bitmat_new(g->q->arena, n);
  if (!search_collects(g->q) || !search_is_race(name)) return;
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n && is_stood_for(g, a); b++) {
      bitmat_add(pairs->known, a, b);
      bitmat_add(pairs->known, b, a);
    }
}

/* An exchange of other threads keeps a pair, so that it may come in an execution in which they are sorted. */
static void sort_others(struct sat_search *g, struct raising *pairs) {
  const struct skeleton *s = g->ask.skeleton;
  bool *fixed = ARENA_ARRAY(g->q->arena, bool, s->program->thread_count);
  for (uint32_t a = 0; a < pairs->open.n; a++) {
    struct bitset row = bitmat_row_set(pairs->open, a);
    EACH (b, row) {
      const uint32_t ends[] = {skeleton_event(s, a)->thread, skeleton_event(s, b)->thread};
      for (unsigned i = 0; i < 2; i++)
        if (ends[i] == NO_THREAD) return; /* its place may be exchanged */
        else fixed[ends[i]] = true;
    }
  }
  pairs->sorted = ask_sort_threads(&g->ask, false, fixed);
  if (pairs->sorted == LIT_TRUE) pairs->sorted = 0;
}

static void raise_seen(struct sat_search *g, const struct raising *pairs) {
  struct raised raised = {0};
  if (pairs->seen.n) raised_add(g->q->arena, &raised, g->ask.skeleton, pairs->seen, NULL);
  search_raise(g->q, pairs->clause, raised);
}

/* Searches for an execution with an unseen pair. The first pair is a finding, even if a limit is reached later. */
static enum sat_answer find_new_pair(struct sat_search *g, struct raising *pairs, lit some, int effort) {
  sat_effort(g->ask.sat, effort);
  if (pairs->sorted) sat_assume(g->ask.sat, pairs->sorted);
  enum sat_answer answer = ask_solve(&g->ask, some, LIT_TRUE, NULL);
  if (answer != SAT_YES) return answer;
  if (!solver_recheck(g)) return SAT_UNKNOWN;
  uint64_t before = bitmat_count(pairs->seen);
  bitmat_or(pairs->seen, eval_relation(g->ask.eval, pairs->node));
  if (pairs->known.n) bitmat_or(pairs->known, pairs->seen);
  if (bitmat_count(pairs->seen) == before) BUG("%s: a raised pair is not there on evaluation", g->q->program->name);
  if (!before && search_collects(g->q)) raise_seen(g, pairs);
  return SAT_YES;
}

/* True if no more answers will come. */
static bool is_over(const struct sat_search *g) {
  return g->ask.encoder.refusal || base_is_late(g->q->deadline) || !sat_budget_left(g->ask.sat) ||
         g->q->result->verdict == VERDICT_UNKNOWN;
}

/* Asks about each open pair, with this effort. The two directions of a pair mostly share a literal. */
static void see_each(struct sat_search *g, struct raising *pairs, int effort) {
  for (uint32_t a = 0; a < pairs->open.n; a++) {
    struct bitset row = bitmat_row_set(pairs->open, a);
    for (uint32_t b = bitset_next(row, 0); b < pairs->open.n; b = bitset_next(row, b + 1)) {
      enum sat_answer answer = SAT_YES;
      lit pair = ask_pair(&g->ask, pairs->node, a, b);
      if (!bitmat_has(pairs->seen, a, b)) answer = find_new_pair(g, pairs, pair, effort);
      if (answer == SAT_UNKNOWN && is_over(g)) return;
      if (answer == SAT_UNKNOWN) continue;
      bitset_del(row, b);
      if (answer == SAT_NO && bitmat_has(pairs->open, b, a) && ask_pair(&g->ask, pairs->node, b, a) == pair)
        bitset_del(bitmat_row_set(pairs->open, b), a);
    }
  }
}

/* A certificate proves one question, so it has no limit of effort. */
static enum sat_answer see_all_at_once(struct sat_search *g, struct raising *pairs, int effort) {
  enum sat_answer answer;
  if (g->q->options->certify) effort = 0;
  do answer = find_new_pair(g, pairs, ask_new_pair(&g->ask, pairs->node, pairs->known), effort);
  while (answer == SAT_YES && !search_is_enough(g->q));
  return answer;
}

static void collect_pairs(struct sat_search *g, struct raising *pairs) {
  begin_pairs(g, pairs);
  if (see_all_at_once(g, pairs, EFFORT_FEW) == SAT_NO || search_is_enough(g->q)) return;
  if (!is_over(g)) ask_prove_lemmas(&g->ask);
  bitmat_or(pairs->open, g->ask.encoder.graph.bounds.data[pairs->node].may);
  bitmat_minus(pairs->open, pairs->known);
  sort_others(g, pairs);
  see_each(g, pairs, EFFORT_EACH);
  see_each(g, pairs, 0);
}

static void see_one(struct sat_search *g, struct raising *pairs) {
  begin_pairs(g, pairs);
  if (find_new_pair(g, pairs, ask_new_pair(&g->ask, pairs->node, pairs->known), 0) == SAT_UNKNOWN)
    bitmat_or(pairs->open, g->ask.encoder.graph.bounds.data[pairs->node].may);
}

static void claim_raised(struct sat_search *g, const struct cat_axiom *axiom, bool some) {
  if (axiom->role == CAT_UNDEFINED && !some) solver_claim(g, "no undefined behaviour");
  else solver_claim(g, arena_printf(g->q->arena, "no %s%s", some ? "other " : "", axiom->name));
}

static void note_open(struct sat_search *g, const struct cat_axiom *axiom, struct bitmat open) {
  struct raised raised = {.name = axiom->name, .role = axiom->role};
  if (search_collects(g->q)) {
    search_cut(g->q);
    return;
  }
  if (open.n) raised_add(g->q->arena, &raised, g->ask.skeleton, open, NULL);
  raised_sort(&raised);
  VEC_PUSH(g->q->arena, &g->q->result->open_flags, raised);
}

/* Decides if a clause that names no pairs is raised. */
static enum sat_answer ask_whole(struct sat_search *g, uint32_t index) {
  const struct cat_axiom *axiom = &g->ask.model->axioms.data[index];
  const bool holds = axiom->role == CAT_FLAG; /* a flag is raised if its condition holds, other clauses if it fails */
  enum sat_answer answer = ask_solve(&g->ask, encoder_test(&g->ask.encoder, index, holds), LIT_TRUE, NULL);
  if (answer != SAT_YES) return answer;
  if (!solver_recheck(g)) return SAT_UNKNOWN;
  if (eval_axiom(g->ask.eval, index) != holds)
    BUG("%s: %s is not raised on evaluation", g->q->program->name, axiom->name);
  return SAT_YES;
}

/* True if the pairs that the clause raises in allowed executions are known; *some: there are any. */
static bool ask_clause(struct sat_search *g, uint32_t index, struct raising *pairs, bool *some) {
  const struct cat_axiom *axiom = &g->ask.model->axioms.data[index];
  bool known, one = g->in_passing && search_is_unsafe(g->q); /* a finding of each kind is enough */
  if (ask_raised_by_pairs(g->ask.model, axiom)) {
    pairs->node = axiom->node;
    if (one) see_one(g, pairs);
    else collect_pairs(g, pairs);
    known = bitmat_empty(pairs->open);
    *some = !bitmat_empty(pairs->seen);
  } else {
    enum sat_answer answer = ask_whole(g, index);
    known = answer != SAT_UNKNOWN;
    *some = answer == SAT_YES;
  }
  if (known && (pairs->seen.n || !*some)) claim_raised(g, axiom, *some);
  return known;
}

/* True if the search goes on: false once the result is undefined or unknown. */
static bool judge_clause(struct sat_search *g, uint32_t index) {
  const struct cat_axiom *axiom = &g->ask.model->axioms.data[index];
  struct raising pairs = {.clause = index};
  bool some;
  if (never_raised(g, axiom)) return true;
  bool known = ask_clause(g, index, &pairs, &some), goes_on = known || g->in_passing;
  if (!known && g->in_passing) note_open(g, axiom, pairs.open);
  else if (!known && g->q->result->verdict != VERDICT_UNKNOWN) search_out_of_time(g->q);
  if (!some || !(goes_on || search_collects(g->q))) return goes_on;
  raise_seen(g, &pairs);
  return !search_is_enough(g->q) && goes_on && (axiom->role == CAT_FLAG || search_collects(g->q));
}

/* True if no execution ends, so that none raises a clause. */
static bool none_ends(struct sat_search *g) {
  if (!search_collects(g->q) || g->q->options->certify) return false;
  sat_effort(g->ask.sat, EFFORT_FEW);
  return ask_solve(&g->ask, LIT_TRUE, LIT_TRUE, NULL) == SAT_NO;
}

bool search_clauses(struct sat_search *g, enum cat_role role) {
  if (none_ends(g)) return true;
  return !SOME_BELOW(i, g->ask.model->axioms.len,
                     search_asks(g->q, &g->ask.model->axioms.data[i], role) && !judge_clause(g, i));
}

/* ---- Before all other questions: findings of a `safe` test that are likely ---- */

/* Searches for an execution with the sure pairs and without a fault, with which nothing else would count. */
void search_sure_first(struct sat_search *g) {
  struct search *q = g->q;
  cat_node node = g->ask.model->axioms.data[q->sure_clause].node;
  enum sat_answer answer = ask_solve(&g->ask, LIT_TRUE, LIT_TRUE, NULL);
  if (answer == SAT_NO) q->sure = NULL, q->sure_stands = false;
  if (answer != SAT_YES || ask_is_faulty(&g->ask) || ask_read(&g->ask, NULL) != RUN_OK) return;
  q->result->stats.witnesses++;
  struct raising pairs = {.clause = q->sure_clause, .seen = eval_relation(g->ask.eval, node)};
  if (bitmat_empty(pairs.seen)) BUG("%s: a sure pair is not there on evaluation", q->program->name);
  raise_seen(g, &pairs);
}

/* Asks first if the expected clause is raised, with little effort. */
void search_expected_first(struct sat_search *g) {
  const char *name = g->q->options->expected;
  for (uint32_t i = 0; i < g->ask.model->axioms.len && name; i++) {
    const struct cat_axiom *axiom = &g->ask.model->axioms.data[i];
    if (strcmp(axiom->name, name) != 0 || !ask_raised_by_pairs(g->ask.model, axiom) || never_raised(g, axiom)) continue;
    struct raising pairs = {.clause = i, .node = axiom->node, .seen = bitmat_new(g->q->arena, g->ask.skeleton->n)};
    find_new_pair(g, &pairs, ask_new_pair(&g->ask, pairs.node, pairs.seen), EFFORT_FEW);
  }
}
