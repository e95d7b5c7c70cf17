/* Searches with the SAT engine, in this order, for undefined behaviour; for failures of `undefined_unless` clauses;
 * with --races, for the pairs that flags name; for outcomes (outcomes.c); and for the predicate without any axiom. For
 * a verdict alone, two solves replace the list of outcomes. */

#include "search/solver.h"

/* ---- Undefined behaviour and flags ---- */

static struct wrong_at place_of(const struct sat_search *g, uint32_t event) {
  const struct event *e = skeleton_event(g->ask.skeleton, event);
  return (struct wrong_at){event_instr(g->ask.skeleton, event)->span, e->thread, e->instr};
}

static void report_fault(struct sat_search *g, const struct fault *fault) {
  const struct wrong_at at = {fault->place, fault->thread, fault->instr};
  if (fault->arrivals[1] != NO_EVENT) search_misuse(g->q, fault->reason, at, place_of(g, fault->arrivals[1]));
  else if (fault->reason->kind == REASON_OPEN) search_give_up(g->q, fault->reason, fault->place);
  else search_undefined(g->q, fault->reason, at);
}

/* Limits in conflicts: for all pairs at once, and for each alone if that is too hard or, for faults, if others were
 * found. */
enum { FEW = 100, EACH = 1000 };

/* Asks for all faults of one kind at once: usually there is none. A limited effort (sat_effort) may leave it open. */
static enum sat_answer any_fault(struct sat_search *g, bool open, int effort) {
  VEC(lit) some = {0};
  for (uint32_t i = 0; i < ask_fault_count(&g->ask); i++) {
    struct fault fault = ask_fault(&g->ask, i);
    if ((fault.reason->kind == REASON_OPEN) != open) continue;
    if (fault.sure) return SAT_YES;
    VEC_PUSH(g->q->arena, &some, fault.when);
  }
  if (some.len < 2) return some.len ? SAT_YES : SAT_NO;
  lit any = gates_or(&g->ask.encoder.gates, some.data, some.len, NEED_BOTH);
  if (!effort) return solver_allowed(g, any);
  sat_effort(g->ask.sat, effort);
  return ask_solve(&g->ask, any, LIT_TRUE, NULL);
}

/* Evaluates again the execution that the solver found: it must have a fault, perhaps another one, because a faulty
 * access returns any value. There is no evaluation if values depend on themselves, or if misused arrivals make the
 * phases inconsistent. */
static void require_fault(struct sat_search *g) {
  if (ask_read(&g->ask, NULL) == RUN_OK && !ask_found_faulty(&g->ask))
    BUG("%s: a faulty execution of the solver has no fault on evaluation", g->q->program->name);
}

/* Excludes executions with the fault, in which nothing else counts. */
static void exclude(struct sat_search *g, lit when) {
  lit none = -when;
  sat_clause(g->ask.sat, &none, 1);
}

/* Asks if a fault happens, with a limited effort; 0: no limit. */
static enum sat_answer ask_fault_alone(struct sat_search *g, const struct fault *fault, int effort) {
  if (fault->sure) return SAT_YES; /* a fault of every execution needs no execution that ends */
  if (!effort) return solver_allowed(g, fault->when);
  sat_effort(g->ask.sat, effort);
  return ask_solve(&g->ask, fault->when, LIT_TRUE, NULL);
}

/* A round of questions about the open faults. In a `safe` test one finding of each kind is enough: executions with
 * further faults of the kind are excluded without a question. True if the search ends. */
static bool ask_faults(struct sat_search *g, bool *open, int effort) {
  for (uint32_t i = 0; i < ask_fault_count(&g->ask); i++) {
    struct fault fault = ask_fault(&g->ask, i);
    bool known = search_knows(g->q, fault.reason) && !fault.sure, more = search_is_unsafe(g->q);
    if (!open[i] || (effort && fault.reason->kind == REASON_OPEN)) continue;
    if (known) exclude(g, fault.when);
    enum sat_answer answer = known ? SAT_NO : ask_fault_alone(g, &fault, more ? (int)EACH : effort);
    if (answer == SAT_UNKNOWN && (more || effort)) continue;
    open[i] = false;
    if (answer == SAT_YES && !fault.sure) require_fault(g);
    if (answer == SAT_YES) report_fault(g, &fault);
    bool others = answer == SAT_YES && search_collects(g->q) && fault.reason->kind != REASON_OPEN && !fault.sure;
    if (search_is_enough(g->q)) return true;
    if (others) exclude(g, fault.when);
    else if (answer != SAT_NO) return true;
    else solver_claim(g, "no undefined behaviour");
  }
  return false;
}

/* Searches for faults that are easy to find before faults that are hard to exclude. */
bool search_hazards(struct sat_search *g) {
  enum sat_answer closed = any_fault(g, false, 0), others = closed == SAT_NO ? any_fault(g, true, 0) : SAT_YES;
  if (closed == SAT_NO && others == SAT_NO) {
    if (ask_fault_count(&g->ask)) solver_claim(g, "no undefined behaviour");
    return false;
  }
  bool *open = ARENA_ARRAY(g->q->arena, bool, ask_fault_count(&g->ask));
  for (uint32_t i = 0; i < ask_fault_count(&g->ask); i++) open[i] = true;
  bool quick = search_collects(g->q) && !g->q->options->certify;
  return (quick && ask_faults(g, open, EACH)) || ask_faults(g, open, 0);
}

/* True if bounds alone show that a clause is never raised. */
static bool never_raised(const struct sat_search *g, const struct cat_axiom *axiom) {
  return ask_raised_by_pairs(g->ask.model, axiom) && bitmat_empty(g->ask.encoder.graph.bounds.data[axiom->node].may);
}

/* All pairs of a relation that some allowed execution has. */
struct raising {
  uint32_t clause;
  cat_node node;
  struct bitmat seen, open; /* pairs found; undecided pairs */
};

static void raise_seen(struct sat_search *g, const struct raising *pairs) {
  struct raised raised = {0};
  if (pairs->seen.n) raised_add(g->q->arena, &raised, g->ask.skeleton, pairs->seen, NULL);
  search_raise(g->q, pairs->clause, raised);
}

/* Searches for an execution with an unseen pair. The first pair is a finding, even if a limit is reached later. */
static enum sat_answer find_new_pair(struct sat_search *g, struct raising *pairs, lit some, int effort) {
  sat_effort(g->ask.sat, effort);
  enum sat_answer answer = ask_solve(&g->ask, some, LIT_TRUE, NULL);
  if (answer != SAT_YES) return answer;
  if (!solver_recheck(g)) return SAT_UNKNOWN;
  uint64_t before = bitmat_count(pairs->seen);
  bitmat_or(pairs->seen, eval_relation(g->ask.eval, pairs->node));
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
  do answer = find_new_pair(g, pairs, ask_new_pair(&g->ask, pairs->node, pairs->seen), effort);
  while (answer == SAT_YES && !search_is_enough(g->q));
  return answer;
}

static void collect_pairs(struct sat_search *g, struct raising *pairs) {
  pairs->seen = bitmat_new(g->q->arena, g->ask.skeleton->n);
  pairs->open = bitmat_new(g->q->arena, g->ask.skeleton->n);
  if (see_all_at_once(g, pairs, FEW) == SAT_NO || search_is_enough(g->q)) return;
  if (!is_over(g)) ask_prove_lemmas(&g->ask);
  bitmat_or(pairs->open, g->ask.encoder.graph.bounds.data[pairs->node].may);
  bitmat_minus(pairs->open, pairs->seen);
  see_each(g, pairs, EACH);
  see_each(g, pairs, 0);
}

static void see_one(struct sat_search *g, struct raising *pairs) {
  pairs->seen = bitmat_new(g->q->arena, g->ask.skeleton->n);
  pairs->open = bitmat_new(g->q->arena, g->ask.skeleton->n);
  if (find_new_pair(g, pairs, ask_new_pair(&g->ask, pairs->node, pairs->seen), 0) == SAT_UNKNOWN)
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
    lit raised = encoder_test(&g->ask.encoder, index, axiom->role == CAT_FLAG);
    enum sat_answer answer = ask_solve(&g->ask, raised, LIT_TRUE, NULL);
    if (answer == SAT_YES && !solver_recheck(g)) answer = SAT_UNKNOWN;
    known = answer != SAT_UNKNOWN;
    *some = answer == SAT_YES;
    if (*some && eval_axiom(g->ask.eval, index) != (axiom->role == CAT_FLAG))
      BUG("%s: %s is not raised on evaluation", g->q->program->name, axiom->name);
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
  if (search_is_enough(g->q)) return false;
  return goes_on && (axiom->role == CAT_FLAG || search_collects(g->q));
}

/* True if no execution ends, so that none raises a clause. */
static bool none_ends(struct sat_search *g) {
  if (!search_collects(g->q) || g->q->options->certify) return false;
  sat_effort(g->ask.sat, FEW);
  return ask_solve(&g->ask, LIT_TRUE, LIT_TRUE, NULL) == SAT_NO;
}

bool search_clauses(struct sat_search *g, enum cat_role role) {
  if (none_ends(g)) return true;
  for (uint32_t i = 0; i < g->ask.model->axioms.len; i++)
    if (search_asks(g->q, &g->ask.model->axioms.data[i], role) && !judge_clause(g, i)) return false;
  return true;
}

/* ---- The verdict alone ---- */

static void count(struct result *r, bool satisfies) { *(satisfies ? &r->positive : &r->negative) += 1; }

/* Two solves: is the condition's predicate reachable, and its negation? */
static void find_verdict(struct sat_search *g) {
  struct search *q = g->q;
  const lit wanted[] = {g->condition, -g->condition};
  for (int i = 0; i < 2; i++) {
    lit both = gates_and2(&g->ask.encoder.gates, wanted[i], g->filter, NEED_BOTH);
    enum sat_answer answer = solver_decide(g, both, LIT_TRUE, NULL);
    if (answer == SAT_UNKNOWN) search_out_of_time(q);
    if (answer == SAT_UNKNOWN) return;
    if (answer == SAT_NO)
      solver_claim(g, i == 0 ? "no execution satisfies the predicate" : "every execution satisfies the predicate");
    if (answer == SAT_NO) continue;
    if (!solver_recheck(g)) return;
    if (cond_holds(q->program, q->program->condition, g->ask.finals) != (i == 0))
      BUG("%s: the condition is judged differently", q->program->name);
    count(q->result, i == 0);
  }
}

/* P is unreachable: decides if it is so without the axioms, unless that is hard: without them, values may depend on
 * themselves through arithmetic. */
static void find_vacuity(struct sat_search *g) {
  enum { EFFORT = 20000 };
  const bool *all = ask_all_axioms(&g->ask);
  struct sat_search other, *h = solver_without(g, all, &other);
  if (h && !g->q->options->certify) sat_effort(h->ask.sat, EFFORT);
  enum sat_answer answer = h ? ask_solve(&h->ask, h->filter, h->condition, all) : SAT_UNKNOWN;
  g->q->result->vacuous = answer == SAT_NO;
  if (answer == SAT_NO) solver_claim(h, "unreachable even without the axioms");
  g->q->result->vacuous_known = answer != SAT_UNKNOWN;
  if (h == &other) solver_close(h);
}

/* ---- Executions (O7) ---- */

/* The true literals of rf, sc and barrier phases (`fixed`), and of co (`order`), if not true in all executions. */
struct choice {
  struct lits fixed, order;
};

static void add_if_true(struct sat_search *g, struct lits *out, lit choice) {
  bool open = choice != LIT_FALSE && choice != LIT_TRUE;
  if (open && sat_value(g->ask.sat, choice)) VEC_PUSH(g->q->arena, &out->list, choice);
}

static void read_choice(struct sat_search *g, struct choice *choice) {
  const struct encoder *e = &g->ask.encoder;
  const struct skeleton *s = g->ask.skeleton;
  choice->fixed.list.len = choice->order.list.len = 0;
  ask_choice(&g->ask, &choice->fixed);
  for (uint32_t a = 0; a < s->first_init && s->open_phases; a++) {
    const struct event *event = skeleton_event(s, a);
    for (uint32_t k = 0; event->kind == EVENT_ARRIVE && k < s->groups.data[event->group].phases; k++)
      add_if_true(g, &choice->fixed, e->phase[a][k]);
  }
  for (size_t i = 0; i < (size_t)e->writer_count * e->writer_count; i++) add_if_true(g, &choice->order, e->order[i]);
}

/* Makes the coherence order of the current solution minimal under the axioms: asks for a solution with the same rf and
 * sc and a strictly smaller order, until there is none. */
static enum sat_answer minimise(struct sat_search *g, struct choice *choice) {
  const struct encoder *e = &g->ask.encoder;
  while (choice->order.list.len) {
    lit on = sat_variable(g->ask.sat);
    const struct lits *order = &choice->order, *fixed = &choice->fixed;
    VEC(lit) fewer = {0};
    for (uint32_t i = 0; i < order->list.len; i++) VEC_PUSH(g->q->arena, &fewer, -order->list.data[i]);
    VEC_PUSH(g->q->arena, &fewer, -on);
    sat_clause(g->ask.sat, fewer.data, fewer.len);
    for (size_t i = 0; i < (size_t)e->writer_count * e->writer_count; i++) {
      bool kept = e->order[i] == LIT_FALSE || e->order[i] == LIT_TRUE;
      for (uint32_t k = 0; k < order->list.len && !kept; k++) kept = order->list.data[k] == e->order[i];
      if (!kept) sat_assume(g->ask.sat, -e->order[i]);
    }
    for (uint32_t i = 0; i < fixed->list.len; i++) sat_assume(g->ask.sat, fixed->list.data[i]);
    enum sat_answer answer = solver_allowed(g, on);
    if (answer != SAT_YES) return answer;
    if (!solver_recheck(g)) return SAT_UNKNOWN;
    read_choice(g, choice);
  }
  return SAT_NO;
}

static void block_choice(struct sat_search *g, const struct choice *choice) {
  const struct lits *parts[] = {&choice->fixed, &choice->order};
  VEC(lit) clause = {0};
  for (size_t p = 0; p < ARRAY_LEN(parts); p++)
    for (uint32_t i = 0; i < parts[p]->list.len; i++) VEC_PUSH(g->q->arena, &clause, -parts[p]->list.data[i]);
  sat_clause(g->ask.sat, clause.data, clause.len);
}

struct tally {
  struct search *q;
  struct outcome_set *all, own; /* own: of the execution being counted */
  bool positive, negative;
};

static void tally_state(void *context, const value_t *values) {
  struct tally *t = context;
  bool added;
  outcome_set_add(&t->own, values, &added);
  if (!added || (t->q->program->filter && !cond_holds(t->q->program, t->q->program->filter, values))) return;
  struct outcome *outcome = outcome_set_add(t->all, values, &added);
  outcome->executions++;
  outcome->satisfies = cond_holds(t->q->program, t->q->program->condition, values);
  if (outcome->satisfies) t->positive = true;
  else t->negative = true;
}

/* The witness holds a minimal order: all final states that this execution gives. */
static void tally_execution(struct sat_search *g, struct outcome_set *all, struct arena *scratch) {
  struct tally t = {.q = g->q, .all = all};
  outcome_set_init(&t.own, scratch, g->q->program->observed_count);
  states_visit(scratch, g->ask.execution, tally_state, &t);
  arena_release(scratch);
  if (t.positive || t.negative) count(g->q->result, states_count_positive(g->q->program, t.positive, t.negative));
}

static void list_executions(struct sat_search *g) {
  struct search *q = g->q;
  struct outcome_set all;
  struct choice choice = {0};
  struct arena *scratch = arena_scratch(q->arena);
  outcome_set_init(&all, q->arena, q->program->observed_count);
  encoder_order_all_fences(&g->ask.encoder);
  for (uint64_t found = 0;; found++) {
    enum sat_answer answer = solver_allowed(g, LIT_TRUE);
    if (answer == SAT_YES) {
      if (!solver_recheck(g)) return;
      read_choice(g, &choice);
      if (minimise(g, &choice) == SAT_UNKNOWN) answer = SAT_UNKNOWN;
    }
    if (answer == SAT_UNKNOWN) return;
    if (answer == SAT_NO) solver_claim(g, "no other execution");
    if (answer == SAT_NO) break;
    if (q->options->max_outcomes && found >= q->options->max_outcomes) {
      const char *text = arena_printf(q->arena, "more executions than --max-outcomes allows (%u)", (unsigned)found);
      search_give_up(q, reason_with(q->arena, REASON_MANY_OUTCOMES, text), (struct span){0});
      return;
    }
    tally_execution(g, &all, scratch);
    block_choice(g, &choice);
  }
  outcome_set_sort(&all);
  for (uint32_t i = 0; i < all.list.len; i++)
    outcomes_add(q->arena, q->program, &q->result->outcomes, all.list.data[i]);
  q->result->complete = true;
}

/* ---- The whole search ---- */

/* Limits for optional flags: they come after the verdict, and may take about as many clauses, questions and conflicts
 * as it did; a clause counts as a part of a conflict. The least limits, for a small test, take a few milliseconds. No
 * limit is a time: the answers are the same in every run. */
enum { FEW_EVENTS = 32 };

static const char *const too_long = "the search takes longer than the verdict; --races decides them";

/* Asks about the flags, within limits. */
static void ask_flags(struct sat_search *g, uint64_t clauses, uint64_t work) {
  g->in_passing = true;
  sat_limit_clauses(g->ask.sat, LEAST_CLAUSES + 2 * clauses);
  sat_budget(g->ask.sat, LEAST_WORK + clauses / CLAUSES_A_CONFLICT + work);
  search_clauses(g, CAT_FLAG);
  const struct reason *refusal = g->ask.encoder.refusal;
  if (refusal && search_collects(g->q)) search_cut(g->q);
  else if (refusal) g->q->result->flags_reason = sat_is_full(g->ask.sat) ? too_long : refusal->text;
  sat_budget(g->ask.sat, 0);
  sat_limit_clauses(g->ask.sat, 0);
  g->ask.encoder.refusal = NULL; /* no further question rests on the missing parts */
  g->in_passing = false;
}

/* There are many faults, and usually none is possible. If that is hard to prove, a clause of the model may be easier to
 * raise. */
static bool is_hard(struct sat_search *g) {
  return !g->q->options->certify && any_fault(g, false, FEW) == SAT_UNKNOWN;
}

/* True if nothing is undefined. The search for further findings of an unsafe test has about the cost of the first. */
static bool is_defined(struct sat_search *g) {
  bool later = is_hard(g);
  if (!later && search_hazards(g)) return false;
  if (!search_clauses(g, CAT_UNDEFINED)) return false;
  if (later && !search_is_unsafe(g->q) && search_hazards(g)) return false;
  if (search_is_enough(g->q)) return false;
  if (search_is_unsafe(g->q)) ask_flags(g, sat_clauses(g->ask.sat) + MORE_CLAUSES, sat_work(g->ask.sat) + MORE_WORK);
  return !search_is_unsafe(g->q);
}

/* True if the search goes on. */
static bool judge_safety(struct sat_search *g) {
  if (!is_defined(g)) return false;
  return !g->q->options->races || g->q->options->in_passing || search_clauses(g, CAT_FLAG);
}

/* The events of the skeleton `two` whose instructions an iteration without effect may execute. */
static struct bitset spinning_events(const struct sat_search *g, const struct skeleton *two) {
  const struct skeleton *s = g->ask.skeleton;
  struct bitset events = bitset_new(g->q->arena, two->n);
  struct bitset *sets = ARENA_ARRAY(g->q->arena, struct bitset, s->program->thread_count);
  for (uint32_t t = 0; t < s->program->thread_count; t++)
    sets[t] = bitset_new(g->q->arena, s->program->threads[t].instr_count);
  VEC_EACH (end, &s->ends)
    for (uint32_t e = end->first_event; end->kind == ENDING_SPIN && e < end->end_event; e++)
      bitset_add(sets[end->thread], skeleton_event(s, e)->instr);
  for (uint32_t e = 0; e < two->first_init; e++)
    if (bitset_has(sets[skeleton_event(two, e)->thread], skeleton_event(two, e)->instr)) bitset_add(events, e);
  return events;
}

/* True if a clause may be raised only with iterations that have no effect. False: its pairs need no events of such
 * iterations, and include none. */
static bool needs_spins(const struct graph *two, const struct cat_axiom *axiom, struct bitset spinning) {
  if (!ask_raised_by_pairs(two->model, axiom) || graph_gains(two, axiom->node, spinning)) return true;
  struct bitmat may = two->bounds.data[axiom->node].may;
  for (uint32_t a = 0; a < may.n; a++) {
    struct bitset row = bitmat_row_set(may, a);
    if (bitset_has(spinning, a) ? !bitset_empty(row) : bitset_meets(row, spinning)) return true;
  }
  return false;
}

/* True if, as far as bounds show, only an iteration without effect may be undefined or flagged. Two copies of each loop
 * also cover the pairs of an instruction with itself. */
static bool spins_matter(const struct sat_search *g, bool undefined, bool flagged) {
  const struct skeleton *spinning = skeleton_with_spins(g->q->skeleton, 2);
  const bool safety = program_asks_safety(g->q->program);
  struct graph two;
  if (spinning == g->ask.skeleton) return false;
  if (spinning->refusal || (undefined && g->ask.skeleton->hazards.len)) return true;
  const struct model *model = model_narrow(g->q->arena, g->q->model, &spinning->absent);
  graph_init(&two, g->q->arena, model, spinning);
  const bool *hollow = graph_hollow(&two);
  const struct bitset spins = spinning_events(g, spinning);
  VEC_EACH (axiom, &model->axioms) {
    bool flag = axiom->role == CAT_FLAG && flagged && (!safety || search_is_finding(axiom->name));
    bool asked = (axiom->role == CAT_UNDEFINED && undefined) || flag;
    if (asked && !hollow[axiom->node] && needs_spins(&two, axiom, spins)) return true;
  }
  return false;
}

/* An iteration without effect changes no outcome, but its accesses may be undefined or race: a skeleton that has such
 * iterations answers that. */
static bool judge_with_spins(struct sat_search *g) {
  struct sat_search other;
  const struct check_options *options = g->q->options;
  if (!spins_matter(g, true, options->races && !options->in_passing)) return judge_safety(g);
  /* One finding of a `safe` test is enough, and usually needs no such iterations. */
  if (program_asks_safety(g->q->program) && !is_defined(g)) return false;
  if (!solver_open(&other, g->q, skeleton_with_spins(g->q->skeleton, UINT32_MAX))) return false;
  bool goes_on = judge_safety(&other);
  solver_close(&other);
  return goes_on && g->q->result->verdict != VERDICT_UNKNOWN;
}

/* Asks about the flags within limits, with iterations without effect if these matter. */
static void look_in_passing(struct sat_search *g) {
  struct result *r = g->q->result;
  struct sat_search other;
  uint64_t clauses = sat_clauses(g->ask.sat), work = sat_work(g->ask.sat);
  bool spins = spins_matter(g, false, true), apart = spins || g->q->options->count_executions;
  const struct skeleton *s = spins ? skeleton_with_spins(g->q->skeleton, UINT32_MAX) : g->ask.skeleton;
  if (spins && s->n > 2 * g->q->skeleton->n + FEW_EVENTS) {
    r->flags_reason = too_long;
  } else if (!apart) {
    ask_flags(g, clauses, work);
  } else if (solver_open_small(&other, g->q, s, LEAST_CLAUSES + 2 * clauses)) {
    ask_flags(&other, clauses, work);
    solver_close(&other);
  } else if (!s->refusal && !base_is_late(g->q->deadline)) {
    r->flags_reason = too_long;
  }
}

/* Changes only the flags of the result. */
static void judge_flags_in_passing(struct sat_search *g) {
  struct result *r = g->q->result, before = *r;
  r->verdict = VERDICT_ALLOWED;
  look_in_passing(g);
  const struct result after = *r;
  *r = before;
  r->stats = after.stats;
  r->flags_reason = after.flags_reason;
  if (after.verdict == VERDICT_UNKNOWN && !r->flags_reason) r->flags_reason = after.reason->text;
  if (r->flags_reason) return;
  memcpy(&r->raised, &after.raised, sizeof r->raised);
  memcpy(&r->open_flags, &after.open_flags, sizeof r->open_flags);
}

/* Disables the jump at the deadline, which would lose outcomes that were found; sat_solve checks the clock itself. */
static void run(struct sat_search *g) {
  struct search *q = g->q;
  if (!judge_with_spins(g)) return;
  double deadline = q->arena->deadline;
  arena_set_deadline(q->arena, 0);
  bool in_passing = q->options->races && q->options->in_passing;
  if (in_passing && q->options->count_executions) judge_flags_in_passing(g);
  if (q->options->verdict_only) find_verdict(g);
  else q->options->count_executions ? list_executions(g) : search_outcomes(g);
  bool reached = result_has(q->result, true);
  q->result->vacuous_known = true;
  if (q->result->verdict != VERDICT_UNKNOWN && q->result->verdict != VERDICT_UNDEFINED) {
    if (!reached) find_vacuity(g);
    search_dependence(g);
  }
  if (in_passing && !q->options->count_executions) judge_flags_in_passing(g);
  arena_set_deadline(q->arena, deadline);
}

/* Searches for an execution with the sure pairs and without a fault, with which nothing else would count. */
static void see_sure(struct sat_search *g) {
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
static void see_expected(struct sat_search *g) {
  const char *name = g->q->options->expected;
  for (uint32_t i = 0; i < g->ask.model->axioms.len && name; i++) {
    const struct cat_axiom *axiom = &g->ask.model->axioms.data[i];
    if (strcmp(axiom->name, name) != 0 || !ask_raised_by_pairs(g->ask.model, axiom) || never_raised(g, axiom)) continue;
    struct raising pairs = {.clause = i, .node = axiom->node, .seen = bitmat_new(g->q->arena, g->ask.skeleton->n)};
    find_new_pair(g, &pairs, ask_new_pair(&g->ask, pairs.node, pairs.seen), FEW);
  }
}

void search_sat(struct search *q) {
  struct sat_search g;
  if (!solver_open(&g, q, q->skeleton)) {
    q->settled_for_sure = q->sure_stands;
    return;
  }
  if (search_collects(q) && !q->sure) search_find_sure(q, &g.ask.encoder.graph);
  if (q->options->any_finding) search_settle_for_sure(q);
  if (q->sure && !search_is_enough(q)) see_sure(&g);
  if (q->options->any_finding && !search_is_enough(q)) see_expected(&g);
  if (!search_is_enough(q)) run(&g);
  solver_close(&g);
}
