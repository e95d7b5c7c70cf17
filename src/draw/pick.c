#include "draw/pick.h"

#include "ask/ask.h"
#include "explain/races.h"

struct picker {
  struct arena *arena;
  const struct program *program;
  const struct model *model;
  const struct pick_options *options;
  struct shape shape;
  double deadline;
  struct ask ask;
  bool *violated; /* by axiom */
  lit wanted, filter;
  struct pick base; /* the members that all pictures of this test share */
  pick_visit *visit;
  void *context;
  struct picked picked;
};

/* Finds an allowed execution that passes the filter and satisfies `also`. */
static enum sat_answer solve(struct picker *p, lit also) { return ask_solve(&p->ask, p->filter, also, NULL); }

static void find_violations(struct pick *pick, bool *violated) {
  pick->violated = violated;
  pick->violated_count = 0;
  for (uint32_t i = 0; i < pick->model->axioms.len; i++) {
    violated[i] = pick->model->axioms.data[i].role == CAT_AXIOM && !eval_axiom(pick->eval, i);
    pick->violated_count += violated[i];
  }
}

/* Reads the solution and shows it. */
static void show(struct picker *p, const bool *dropped) {
  struct pick pick = p->base;
  if (ask_read(&p->ask, dropped) == RUN_INVALID) return;
  pick.skeleton = p->ask.skeleton;
  pick.model = p->model;
  pick.execution = p->ask.execution;
  pick.eval = p->ask.eval;
  pick.finals = p->ask.finals;
  find_violations(&pick, p->violated);
  ask_reduce_order(&p->ask, p->violated);
  find_violations(&pick, p->violated);
  pick.satisfies = sat_value(p->ask.sat, p->wanted);
  p->picked.count++;
  p->visit(p->context, &pick);
}

static void give_up(struct picker *p, const char *why, struct span place) {
  p->picked.unknown = true;
  p->picked.why = why;
  p->picked.place = place;
}

static bool timed_out(struct picker *p, enum sat_answer answer) {
  if (answer == SAT_UNKNOWN) give_up(p, "the time limit was reached", p->program->span);
  return answer == SAT_UNKNOWN;
}

/* Shows a witness. True if there was one, or the time is up. */
static bool show_witness(struct picker *p) {
  enum sat_answer answer = solve(p, p->wanted);
  if (answer == SAT_YES) show(p, NULL);
  return timed_out(p, answer) || answer == SAT_YES;
}

/* For a state that `explain` has no candidate for: shows an execution that any axioms may forbid. */
static void show_forbidden(struct picker *p) {
  const bool *all = ask_all_axioms(&p->ask);
  enum sat_answer answer = ask_solve(&p->ask, p->filter, p->wanted, all);
  if (answer == SAT_YES) show(p, all);
  else if (!timed_out(p, answer)) p->picked.why = "no execution ends that way, even without the axioms";
}

/* Shows executions in which `wanted` holds: one per outcome, or one per choice. */
static void show_many(struct picker *p, lit wanted, bool choices, uint32_t most) {
  for (;;) {
    enum sat_answer answer = solve(p, wanted);
    if (timed_out(p, answer)) return;
    if (answer == SAT_NO) return;
    if (p->picked.count == most) {
      p->picked.more = true;
      return;
    }
    show(p, NULL);
    if (choices) ask_exclude(&p->ask, LIT_TRUE);
    else ask_exclude_state(&p->ask, p->ask.finals, LIT_TRUE);
  }
}

/* Shows any allowed execution, because none has the outcome in question. */
static void show_any(struct picker *p) {
  enum sat_answer answer = solve(p, LIT_TRUE);
  p->picked.why = answer == SAT_NO ? "no allowed execution ends" : NULL;
  if (answer == SAT_YES) show(p, NULL);
  timed_out(p, answer);
}

/* ---- A solver on a skeleton ---- */

/* False at a limit. */
static bool open_picker(struct picker *p, enum ask_kind kind) {
  ask_close(&p->ask);
  p->base.stuck = kind == ASK_PRECISE;
  p->ask = (struct ask){.arena = p->arena,
                        .model = p->model,
                        .skeleton = ask_skeleton(p->arena, p->program, p->model, &p->shape, kind),
                        .deadline = p->deadline};
  if (!ask_open(&p->ask)) {
    give_up(p, p->ask.refusal->text, p->ask.refusal_place);
    return false;
  }
  p->violated = ARENA_ARRAY(p->arena, bool, p->model->axioms.len);
  p->filter = ask_filter(&p->ask);
  p->wanted = ask_condition(&p->ask);
  if (p->program->quantifier == LITMUS_FORALL) p->wanted = -p->wanted;
  return true;
}

/* ---- Undefined tests ---- */

/* True if some allowed execution, ignoring the filter, satisfies `also`. */
static bool can_be(struct picker *p, lit also) { return ask_solve(&p->ask, also, LIT_TRUE, NULL) == SAT_YES; }

/* Finds the reason if the test is undefined, and leaves the solver at an execution that shows it, if there is one. */
static bool find_undefined(struct picker *p) {
  struct pick *base = &p->base;
  for (uint32_t i = 0; i < ask_fault_count(&p->ask) && !base->undefined; i++) {
    struct fault fault = ask_fault(&p->ask, i);
    base->shows_why = can_be(p, fault.when);
    if (!base->shows_why && !fault.sure) continue;
    bool pair = fault.arrivals[0] != NO_EVENT;
    base->undefined = fault.reason->text;
    base->open = fault.reason->kind == REASON_OPEN;
    base->hazard = pair ? (struct span){0} : fault.place;
    for (int k = 0; k < 2; k++) base->misuse_events[k] = fault.arrivals[k];
  }
  for (uint32_t i = 0; i < p->model->axioms.len && !base->undefined; i++) {
    if (p->model->axioms.data[i].role != CAT_UNDEFINED) continue;
    base->shows_why = can_be(p, encoder_test(&p->ask.encoder, i, false));
    if (!base->shows_why) continue;
    base->undefined = p->model->axioms.data[i].name;
    base->clause = i;
  }
  return base->undefined != NULL;
}

/* From here on only the fact that the test is undefined matters, not the execution that shows it. */
static void forget_place(struct picker *p) {
  p->base.shows_why = false;
  p->base.clause = NO_CLAUSE;
  p->base.misuse_events[0] = p->base.misuse_events[1] = NO_EVENT;
}

/* ---- Executions that do not end ---- */

static bool may_be_stuck(const struct skeleton *s) {
  return skeleton_may_end(s, ENDING_SPIN) || skeleton_may_end(s, ENDING_BOUND) || skeleton_has_barriers(s);
}

/* On a precise skeleton: shows an execution that blocks, or else one that spins, or loops with writes. */
static void show_stuck(struct picker *p) {
  static const enum ending_kind kinds[] = {ENDING_BLOCKED, ENDING_SPIN, ENDING_LASSO};
  lit in_bound = ask_no_ending(&p->ask, ENDING_BOUND);
  encoder_go_on_for_ever(&p->ask.encoder);
  for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
    /* Ignores the filter, which is about final states. */
    enum sat_answer answer = ask_solve(&p->ask, in_bound, ask_some_ending(&p->ask, 1u << kinds[k]), NULL);
    if (timed_out(p, answer)) return;
    if (answer == SAT_NO) continue;
    p->picked.why = NULL;
    show(p, NULL);
    return;
  }
}

/* Picks an execution that does not end, if no execution ends, or on request. Sometimes an undefined use of a barrier
 * shows only in such an execution. */
static void pick_stuck(struct picker *p) {
  const char *why = p->picked.why;
  if (!may_be_stuck(p->ask.skeleton) || !open_picker(p, ASK_PRECISE)) return;
  show_stuck(p);
  if (!p->picked.count && !p->picked.unknown) p->picked.why = why;
}

/* ---- Choosing ---- */

static const char no_witness[] = "no allowed execution ends that way: there is no witness";

static void pick_by_kind(struct picker *p, enum pick_kind kind, uint32_t most) {
  switch (kind) {
    case PICK_AUTO:
      if (!show_witness(p)) show_forbidden(p);
      if (!p->picked.count && !p->picked.unknown) show_any(p);
      if (!p->picked.count && !p->picked.unknown) pick_stuck(p);
      return;
    case PICK_WITNESS:
      if (!show_witness(p)) p->picked.why = no_witness;
      return;
    case PICK_FORBIDDEN:
      if (solve(p, p->wanted) == SAT_YES)
        p->picked.why = "an allowed execution ends that way: there is no forbidden candidate";
      else show_forbidden(p);
      return;
    case PICK_ALL:
      show_many(p, LIT_TRUE, false, most);
      if (!p->picked.count && !p->picked.unknown) p->picked.why = "no allowed execution ends";
      return;
    case PICK_EVERY:
      show_many(p, p->wanted, true, most);
      if (!p->picked.count && !p->picked.unknown) p->picked.why = no_witness;
      return;
    case PICK_DEADLOCK:
      p->picked.why = "no thread waits or spins for ever";
      pick_stuck(p);
      return;
  }
  BUG("no such kind of picture: %d", (int)kind);
}

/* Searches for the reason for an undefined test, even in executions in which threads then wait for ever. The execution
 * that shows it is drawn by default. False if the picker has to give up. */
static bool look_for_undefined(struct picker *p, bool draw) {
  bool again = !find_undefined(p) && skeleton_has_barriers(p->ask.skeleton);
  if (again && !open_picker(p, ASK_PRECISE)) return false;
  if (again) find_undefined(p);
  if (draw && p->base.shows_why) show(p, NULL);
  if (p->picked.count) return false;
  forget_place(p);
  return !again || open_picker(p, ASK_ENDING);
}

/* ---- Tests that are not safe ---- */

/* True if some execution has the finding of the clause; leaves the solver at it. */
static bool has_finding(struct picker *p, const struct safety_finding *f, uint32_t clause) {
  cat_node node = p->model->axioms.data[clause].node;
  if (!ask_raised_by_pairs(p->model, &p->model->axioms.data[clause])) return false;
  for (uint32_t a = 0; a < p->ask.skeleton->n; a++)
    for (uint32_t b = 0; b < p->ask.skeleton->n; b++) {
      lit holds = races_is_of(p->ask.skeleton, f, a, b) ? ask_pair(&p->ask, node, a, b) : LIT_FALSE;
      if (holds == LIT_FALSE || !can_be(p, holds)) continue;
      p->base.misuse_events[0] = a, p->base.misuse_events[1] = b;
      return true;
    }
  return false;
}

/* Picks an execution with the first finding. */
static void pick_unsafe(struct picker *p) {
  const struct safety_finding *f = &p->options->result->findings.data[0];
  p->base.kind = safety_name(f->kind);
  p->base.finding = f;
  if (f->kind == SAFETY_HANG) {
    pick_stuck(p);
    return;
  }
  for (uint32_t i = 0; i < p->model->axioms.len && p->base.clause == NO_CLAUSE; i++)
    if (strcmp(p->model->axioms.data[i].name, f->clause) == 0) p->base.clause = i;
  if (p->base.clause == NO_CLAUSE) {
    look_for_undefined(p, true);
    return;
  }
  p->base.undefined = f->clause;
  p->base.shows_why =
      has_finding(p, f, p->base.clause) || (open_picker(p, ASK_PRECISE) && has_finding(p, f, p->base.clause));
  if (p->base.shows_why) show(p, NULL);
  else p->picked.why = "no execution of the finding was found";
}

/* Follows the verdict of `check`: for an undefined test, looks for the reason; if no execution shows it, takes the
 * reason from the result. */
static bool look_as_judged(struct picker *p, bool draw) {
  const struct result *r = p->options->result;
  bool open = r->verdict == VERDICT_UNKNOWN && r->reason->kind == REASON_OPEN;
  if (r->verdict != VERDICT_UNDEFINED && !open) return true;
  bool goes_on = look_for_undefined(p, draw);
  if (!p->base.undefined) p->base.undefined = r->reason->text, p->base.open = open;
  return goes_on;
}

/* Shows the executions found; there may be others. */
static void pick_undecided(struct picker *p, bool goes_on) {
  const struct result *r = p->options->result;
  enum pick_kind kind = p->options->kind;
  bool many = kind == PICK_ALL || kind == PICK_EVERY || kind == PICK_DEADLOCK;
  if (goes_on && many) pick_by_kind(p, kind, p->options->most);
  if (!p->picked.unknown) give_up(p, r->reason->text, r->place);
}

struct picked pick_executions(struct arena *arena, const struct program *program, const struct model *model,
                              const struct pick_options *options, pick_visit *visit, void *context) {
  struct picker p = {.arena = arena,
                     .program = program,
                     .model = model,
                     .options = options,
                     .shape = options->shape,
                     .visit = visit,
                     .context = context,
                     .deadline = base_deadline(options->timeout),
                     .base = {.clause = NO_CLAUSE, .misuse_events = {NO_EVENT, NO_EVENT}}};
  if (options->result->bound) p.shape.unroll = options->result->bound;
  bool unsafe = options->result->verdict == VERDICT_UNSAFE && options->kind == PICK_AUTO;
  bool goes_on = open_picker(&p, ASK_ENDING) && !unsafe && look_as_judged(&p, options->kind == PICK_AUTO);
  if (unsafe && !p.picked.unknown) pick_unsafe(&p);
  if (options->result->verdict == VERDICT_UNKNOWN) pick_undecided(&p, goes_on);
  else if (goes_on) pick_by_kind(&p, options->kind, options->most);
  ask_close(&p.ask);
  return p.picked;
}

bool told_pick(struct arena *arena, const struct explanation *told, pick_visit *visit, void *context) {
  bool weak = (told->kind == EXPLAIN_SAFE || told->kind == EXPLAIN_WEAK) && told->execution;
  bool decided = told->kind == EXPLAIN_ALLOWED || told->kind == EXPLAIN_FORBIDDEN || weak;
  if (!decided || !told->execution || !told->finals || told->completed) return false;
  const struct model *model = told->result->model;
  struct pick pick = {.skeleton = told->execution->skeleton,
                      .model = model,
                      .execution = told->execution,
                      .eval = eval_new(arena, model, told->execution->skeleton),
                      .finals = told->finals,
                      .satisfies = true,
                      .clause = NO_CLAUSE,
                      .misuse_events = {NO_EVENT, NO_EVENT},
                      .told = told};
  eval_execution(pick.eval, told->execution, PART_ALL);
  find_violations(&pick, ARENA_ARRAY(arena, bool, model->axioms.len));
  visit(context, &pick);
  return true;
}
