/* The SAT engine: one check, question by question.
 *
 *   faults.c        is an execution undefined? clauses.c: does one raise `undefined_unless`, or (--races) a flag?
 *   outcomes.c      which outcomes are there? executions.c: how many executions? Or two solves for the verdict alone
 *   dependence.c    does a verdict rest on a dependency alone? Is the predicate reachable without any axiom?
 *
 * run() has this order. The first question that makes the result undefined or unknown ends the search; in a `safe` test
 * findings are collected (search_collects). Loops may need a second skeleton for the first two questions, with
 * iterations that have no effect: judge_with_spins. */
#include "search/solver.h"

/* ---- The verdict alone ---- */

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
    result_count(q->result, i == 0);
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

/* ---- Flags within limits ---- */

/* Limits for optional flags: they come after the verdict, and may take about as many clauses, questions and conflicts
 * as it did; a clause counts as a part of a conflict. The least limits, for a small test, take a few milliseconds. No
 * limit is a time: the answers are the same in every run. */
enum { FEW_EVENTS = 32 };

static const char *const too_long = "the search takes longer than the verdict; --races decides them";

void search_flags(struct sat_search *g, uint64_t clauses, uint64_t work) {
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

/* ---- Iterations without effect ---- */

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
  bool *wanted = ARENA_ARRAY(g->q->arena, bool, model->nodes.len);
  VEC(const struct cat_axiom *) asked = {0};
  VEC_EACH (axiom, &model->axioms) {
    bool flag = axiom->role == CAT_FLAG && flagged && (!safety || search_is_finding(axiom->name));
    if (!flag && (axiom->role != CAT_UNDEFINED || !undefined)) continue;
    wanted[axiom->node] = true;
    VEC_PUSH(g->q->arena, &asked, axiom);
  }
  graph_init_for(&two, g->q->arena, model, spinning, wanted);
  const bool *hollow = graph_hollow(&two);
  const struct bitset spins = spinning_events(g, spinning);
  return SOME(VEC_EACH (axiom, &asked), !hollow[(*axiom)->node] && needs_spins(&two, *axiom, spins));
}

/* ---- Safety ---- */

/* True if nothing is undefined. The search for further findings of an unsafe test has about the cost of the first. */
static bool is_defined(struct sat_search *g) {
  bool later = search_hazards_are_hard(g); /* then a clause may be easier to raise */
  if (!later && search_hazards(g)) return false;
  if (!search_clauses(g, CAT_UNDEFINED)) return false;
  if (later && !search_is_unsafe(g->q) && search_hazards(g)) return false;
  if (search_is_enough(g->q)) return false;
  if (search_is_unsafe(g->q)) search_flags(g, sat_clauses(g->ask.sat) + MORE_CLAUSES, sat_work(g->ask.sat) + MORE_WORK);
  return !search_is_unsafe(g->q);
}

/* True if the search goes on. */
static bool judge_safety(struct sat_search *g) {
  return is_defined(g) && (!g->q->options->races || g->q->options->in_passing || search_clauses(g, CAT_FLAG));
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
    search_flags(g, clauses, work);
  } else if (solver_open_small(&other, g->q, s, LEAST_CLAUSES + 2 * clauses)) {
    search_flags(&other, clauses, work);
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

/* ---- The whole ---- */

/* The questions of a test without undefined behaviour. Counting executions excludes each that was counted, so flags
 * come before it. */
static void judge_outcomes(struct sat_search *g) {
  struct search *q = g->q;
  const struct check_options *options = q->options;
  bool in_passing = options->races && options->in_passing;
  if (in_passing && options->count_executions) judge_flags_in_passing(g);
  if (options->verdict_only) find_verdict(g);
  else if (options->count_executions) search_executions(g);
  else search_outcomes(g);
  bool reached = result_has(q->result, true);
  q->result->vacuous_known = true;
  if (q->result->verdict != VERDICT_UNKNOWN && q->result->verdict != VERDICT_UNDEFINED) {
    if (!reached) find_vacuity(g);
    search_dependence(g);
  }
  if (in_passing && !options->count_executions) judge_flags_in_passing(g);
}

/* Disables the jump at the deadline, which would lose outcomes that were found; sat_solve checks the clock itself. */
static void run(struct sat_search *g) {
  if (!judge_with_spins(g)) return;
  double deadline = g->q->arena->deadline;
  arena_set_deadline(g->q->arena, 0);
  judge_outcomes(g);
  arena_set_deadline(g->q->arena, deadline);
}

void search_sat(struct search *q) {
  struct sat_search g;
  if (!solver_open(&g, q, q->skeleton)) {
    q->settled_for_sure = q->sure_stands;
    return;
  }
  if (search_collects(q) && !q->sure) search_find_sure(q, &g.ask.encoder.graph);
  if (q->options->any_finding) search_settle_for_sure(q);
  if (q->sure && !search_is_enough(q)) search_sure_first(&g);
  if (q->options->any_finding && !search_is_enough(q)) search_expected_first(&g);
  if (!search_is_enough(q)) run(&g);
  solver_close(&g);
}
