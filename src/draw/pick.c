#include "search/check.h"
#include "draw/pick.h"

#include "encode/encode.h"
#include "result/states.h"
#include "sat/sat.h"

struct picker {
  struct arena *arena;
  const struct program *program;
  const struct model *model;
  const struct pick_options *options;
  double deadline;
  struct skeleton *skeleton;
  struct sat *sat; /* NULL: not open */
  struct slots slots;
  struct encoder encoder;
  struct execution *execution;
  struct eval *eval;
  uint32_t *last; /* by chunk */
  value_t *finals;
  bool *violated;
  lit wanted, filter;
  struct pick base; /* what every picture of this test has in common */
  pick_visit *visit;
  void *context;
  struct picked picked;
};

static bool is_axiom(const struct picker *p, uint32_t i) { return p->model->axioms.data[i].role == CAT_AXIOM; }

/* Solves with every axiom assumed except those left out; `also` must hold. */
static enum sat_answer solve_without(struct picker *p, uint32_t out_a, uint32_t out_b, lit also) {
  for (uint32_t i = 0; i < p->model->axioms.len; i++)
    if (is_axiom(p, i) && i != out_a && i != out_b) sat_assume(p->sat, p->encoder.assumptions[i]);
  sat_assume(p->sat, p->filter);
  sat_assume(p->sat, also);
  return sat_solve(p->sat);
}

/* Values that depend on themselves cannot be computed from rf: takes them, and which events happen, from the solver. */
static void take_values(struct picker *p) {
  const struct skeleton *s = p->skeleton;
  for (uint32_t e = 0; e < s->n; e++) {
    if (sat_value(p->sat, p->encoder.exec[e])) bitset_add(p->execution->exec, e);
    if (!event_is_memory(skeleton_event(s, e)) || e >= s->first_init) continue;
    struct word word = p->encoder.words[skeleton_event(s, e)->value];
    value_t value = 0;
    for (unsigned k = 0; k < word.width; k++)
      if (sat_value(p->sat, word.bits[k])) value |= (value_t)1 << k;
    p->execution->values[e] = value;
  }
}

static void find_violations(struct picker *p, struct pick *pick) {
  for (uint32_t i = 0; i < p->model->axioms.len; i++) {
    p->violated[i] = is_axiom(p, i) && !eval_axiom(p->eval, i);
    pick->violated_count += p->violated[i];
  }
}

/* ---- Coherence no larger than it must be: the solver may order writes that nothing orders ---- */

/* Whether some write stands between two; such a pair follows from others. */
static bool is_covered(struct bitmat order, uint32_t a, uint32_t b) {
  for (uint32_t c = 0; c < order.n; c++)
    if (bitmat_has(order, a, c) && bitmat_has(order, c, b)) return true;
  return false;
}

static bool same_violations(struct picker *p) {
  execution_relate(p->execution);
  eval_execution(p->eval, p->execution, PART_CO);
  for (uint32_t i = 0; i < p->model->axioms.len; i++)
    if (is_axiom(p, i) && p->violated[i] == eval_axiom(p->eval, i)) return false;
  return true;
}

/* Drops one pair that can go without any axiom failing or holding that did not before. */
static bool drop_pair(struct picker *p) {
  struct bitmat order = p->execution->order;
  for (uint32_t a = 0; a < order.n; a++)
    for (uint32_t b = 0; b < order.n; b++) {
      if (!bitmat_has(order, a, b) || is_covered(order, a, b)) continue;
      bitmat_del(order, a, b);
      if (same_violations(p)) return true;
      bitmat_add(order, a, b);
    }
  return false;
}

enum { MOST_MINIMISED = 200 }; /* pairs; each may cost an evaluation for every other */

static void minimise(struct picker *p) {
  if (bitmat_count(p->execution->order) > MOST_MINIMISED) return;
  while (!base_is_late(p->deadline) && drop_pair(p)) continue;
  execution_relate(p->execution);
  eval_execution(p->eval, p->execution, PART_CO);
}

/* Reads the solution back and shows it. */
static void show(struct picker *p, bool allowed) {
  struct pick pick = p->base;
  pick.skeleton = p->skeleton;
  pick.model = p->model;
  pick.execution = p->execution;
  pick.eval = p->eval;
  pick.finals = p->finals;
  pick.violated = p->violated;
  encoder_witness(&p->encoder, p->execution, p->last);
  enum run_status status = execution_run(p->execution);
  /* Where a barrier is misused, its phases need not fit. */
  if (status == RUN_INVALID && pick.shows_why) return;
  if (status == RUN_INVALID) BUG("%s: a solution is no execution", p->program->name);
  pick.self_dependent = status == RUN_CIRCULAR;
  if (pick.self_dependent) take_values(p);
  execution_relate(p->execution);
  eval_execution(p->eval, p->execution, PART_ALL);
  find_violations(p, &pick);
  if (allowed && pick.violated_count && !pick.self_dependent)
    BUG("%s: a witness of the solver violates an axiom", p->program->name);
  minimise(p);
  for (uint32_t i = 0; i < p->program->observed_count; i++) p->finals[i] = encoder_final(&p->encoder, i);
  pick.satisfies = sat_value(p->sat, p->wanted);
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

/* Whether there was one, or the time is over. */
static bool show_witness(struct picker *p) {
  enum sat_answer answer = solve_without(p, UINT32_MAX, UINT32_MAX, p->wanted);
  if (answer == SAT_YES) show(p, true);
  return timed_out(p, answer) || answer == SAT_YES;
}

/* Later axioms first: in a model file the ones that say most about order stand last. */
static bool show_without_pair(struct picker *p, bool pairs) {
  uint32_t n = p->model->axioms.len;
  for (uint32_t a = n; a-- > 0;) {
    if (!is_axiom(p, a)) continue;
    for (uint32_t b = pairs ? a : 1; b-- > 0;) {
      if (pairs && !is_axiom(p, b)) continue;
      enum sat_answer answer = solve_without(p, a, pairs ? b : a, p->wanted);
      if (answer == SAT_YES) show(p, false);
      if (answer == SAT_YES || timed_out(p, answer)) return true;
    }
  }
  return false;
}

static void show_forbidden(struct picker *p) {
  if (show_without_pair(p, false) || show_without_pair(p, true)) return;
  sat_assume(p->sat, p->filter);
  sat_assume(p->sat, p->wanted);
  enum sat_answer answer = sat_solve(p->sat);
  if (answer == SAT_YES) show(p, false);
  else if (!timed_out(p, answer)) p->picked.why = "no execution ends that way, even with every axiom dropped";
}

static void block_finals(struct picker *p) {
  VEC(lit) clause = {0};
  for (uint32_t i = 0; i < p->program->observed_count; i++)
    for (unsigned k = 0; k < p->encoder.finals[i].width; k++) {
      lit bit = p->encoder.finals[i].bits[k];
      if (bit != LIT_TRUE && bit != LIT_FALSE) VEC_PUSH(p->arena, &clause, sat_value(p->sat, bit) ? -bit : bit);
    }
  sat_clause(p->sat, clause.data, clause.len);
}

static void show_all(struct picker *p, uint32_t most) {
  for (;;) {
    enum sat_answer answer = solve_without(p, UINT32_MAX, UINT32_MAX, LIT_TRUE);
    if (timed_out(p, answer)) return;
    if (answer == SAT_NO) break;
    if (p->picked.count == most) {
      p->picked.more = true;
      return;
    }
    show(p, true);
    block_finals(p);
  }
  if (!p->picked.count) p->picked.why = "no allowed execution comes to an end";
}

/* What is asked for cannot be: then one of the executions that are allowed. */
static void show_any(struct picker *p) {
  enum sat_answer answer = solve_without(p, UINT32_MAX, UINT32_MAX, LIT_TRUE);
  p->picked.why = answer == SAT_NO ? "no allowed execution comes to an end" : NULL;
  if (answer == SAT_YES) show(p, true);
  timed_out(p, answer);
}

/* ---- A solver on a skeleton ---- */

static void close_picker(struct picker *p) {
  sat_release(p->sat);
  p->sat = NULL;
}

static void prepare(struct picker *p) {
  const struct program *program = p->program;
  p->slots = slots_build(p->arena, p->skeleton);
  encoder_init(&p->encoder, p->arena, p->sat, p->model, p->skeleton, &p->slots, p->deadline);
  if (p->encoder.refusal) return;
  p->execution = execution_new(p->arena, p->skeleton, &p->slots);
  p->eval = eval_new(p->arena, p->model, p->skeleton);
  p->last = ARENA_ARRAY(p->arena, uint32_t, p->skeleton->chunk_count);
  p->finals = ARENA_ARRAY(p->arena, value_t, program->observed_count);
  p->violated = ARENA_ARRAY(p->arena, bool, p->model->axioms.len);
  p->filter = program->filter ? encoder_condition(&p->encoder, program->filter) : LIT_TRUE;
  p->wanted = encoder_condition(&p->encoder, program->condition);
  if (program->quantifier == QUANTIFIER_FORALL) p->wanted = -p->wanted;
}

/* False at a limit. */
static bool open_picker(struct picker *p, bool precise) {
  const struct skeleton_options shape = {.bound = p->options->unroll ? p->options->unroll : CHECK_DEFAULT_UNROLL,
                                         .precise = precise,
                                         .barrier_users = p->options->barrier_users};
  close_picker(p);
  p->base.stuck = precise;
  p->skeleton = skeleton_build(p->arena, p->program, &shape);
  if (p->skeleton->refusal) {
    give_up(p, p->skeleton->refusal, p->skeleton->refusal_place);
    return false;
  }
  p->sat = sat_new(p->arena);
  prepare(p);
  if (p->encoder.refusal) give_up(p, p->encoder.refusal, p->program->span);
  return !p->encoder.refusal;
}

/* ---- Undefined tests ---- */

/* Whether some allowed execution, whatever the filter says, has this. */
static bool can_be(struct picker *p, lit also) {
  lit filter = p->filter;
  p->filter = LIT_TRUE;
  enum sat_answer answer = also == LIT_FALSE ? SAT_NO : solve_without(p, UINT32_MAX, UINT32_MAX, also);
  p->filter = filter;
  return answer == SAT_YES;
}

/* Hazards that are undefined behaviour, or those that leave the outcome open. */
static void find_hazard(struct picker *p, bool open) {
  const struct skeleton *s = p->skeleton;
  struct pick *base = &p->base;
  for (uint32_t i = 0; i < s->hazards.len && !base->undefined; i++) {
    bool sure = s->hazards.data[i].when == TERM_TRUE;
    if (s->hazards.data[i].open != open) continue;
    base->shows_why = can_be(p, sure ? LIT_TRUE : p->encoder.words[s->hazards.data[i].when].bits[0]);
    if (!base->shows_why && !sure) continue;
    base->undefined = s->hazards.data[i].what;
    base->hazard = s->hazards.data[i].span;
    base->open = open;
  }
}

/* Why the test has no meaning, if it has none: the solver is left at an execution that shows it, where there is one. */
static bool find_undefined(struct picker *p) {
  struct pick *base = &p->base;
  find_hazard(p, false);
  for (uint32_t i = 0; i < p->encoder.misuse_count && !base->undefined; i++) {
    base->shows_why = can_be(p, p->encoder.misuses[i].when);
    if (!base->shows_why) continue;
    base->undefined = p->encoder.misuses[i].what;
    base->misuse_events[0] = p->encoder.misuses[i].a;
    base->misuse_events[1] = p->encoder.misuses[i].b;
  }
  for (uint32_t i = 0; i < p->model->axioms.len && !base->undefined; i++) {
    if (p->model->axioms.data[i].role != CAT_UNDEFINED) continue;
    base->shows_why = can_be(p, encoder_test(&p->encoder, i, false));
    if (!base->shows_why) continue;
    base->undefined = p->model->axioms.data[i].name;
    base->clause = i;
  }
  find_hazard(p, true);
  return base->undefined != NULL;
}

/* From here on only that it is undefined matters, not what shows it. */
static void forget_place(struct picker *p) {
  p->base.shows_why = false;
  p->base.clause = NO_CLAUSE;
  p->base.misuse_events[0] = p->base.misuse_events[1] = NO_EVENT;
}

/* ---- Executions that do not end ---- */

static bool has_barriers(const struct skeleton *s) {
  for (uint32_t i = 0; i < s->first_init; i++)
    if (skeleton_event(s, i)->kind == EVENT_WAIT || skeleton_event(s, i)->kind == EVENT_ARRIVE) return true;
  return false;
}

static bool may_be_stuck(const struct skeleton *s) {
  for (uint32_t i = 0; i < s->ends.len; i++)
    if (s->ends.data[i].kind == ENDING_SPIN && s->ends.data[i].when != TERM_FALSE) return true;
  return has_barriers(s);
}

/* A literal under which some thread ends in this way. */
static lit some_ending(struct picker *p, enum ending_kind kind) {
  VEC(lit) some = {0};
  lit on = sat_variable(p->sat);
  VEC_PUSH(p->arena, &some, -on);
  for (uint32_t i = 0; i < p->skeleton->ends.len; i++)
    if (p->skeleton->ends.data[i].kind == kind) VEC_PUSH(p->arena, &some, encoder_ending(&p->encoder, i));
  sat_clause(p->sat, some.data, some.len);
  return on;
}

/* On a precise skeleton: an execution that blocks, or else one that spins. */
static void show_stuck(struct picker *p) {
  for (uint32_t i = 0; i < p->skeleton->ends.len; i++)
    if (p->skeleton->ends.data[i].kind == ENDING_BOUND) sat_clause1(p->sat, -encoder_ending(&p->encoder, i));
  encoder_spin_on_newest(&p->encoder);
  for (int k = 0; k < 2; k++) {
    lit some = some_ending(p, k ? ENDING_SPIN : ENDING_BLOCKED);
    p->filter = LIT_TRUE; /* it is about final states */
    enum sat_answer answer = solve_without(p, UINT32_MAX, UINT32_MAX, some);
    if (timed_out(p, answer)) return;
    if (answer == SAT_NO) continue;
    p->picked.why = NULL;
    show(p, true);
    return;
  }
}

/* Where no execution ends, or that is asked for. Undefined use of a barrier may show only here. */
static void pick_stuck(struct picker *p) {
  const char *why = p->picked.why;
  if (!may_be_stuck(p->skeleton) || !open_picker(p, true)) return;
  show_stuck(p);
  if (!p->picked.count && !p->picked.unknown) p->picked.why = why;
}

/* ---- Which ---- */

static void pick_by_kind(struct picker *p, enum pick_kind kind, uint32_t most) {
  switch (kind) {
    case PICK_AUTO:
      if (!show_witness(p)) show_forbidden(p);
      if (!p->picked.count && !p->picked.unknown) show_any(p);
      if (!p->picked.count && !p->picked.unknown) pick_stuck(p);
      return;
    case PICK_WITNESS:
      if (!show_witness(p)) p->picked.why = "no allowed execution ends that way: there is no witness";
      return;
    case PICK_FORBIDDEN:
      if (solve_without(p, UINT32_MAX, UINT32_MAX, p->wanted) == SAT_YES)
        p->picked.why = "an allowed execution ends that way: there is no forbidden candidate";
      else show_forbidden(p);
      return;
    case PICK_ALL: show_all(p, most); return;
    case PICK_DEADLOCK:
      p->picked.why = "no thread waits or spins for ever";
      pick_stuck(p);
      return;
  }
  BUG("no such kind of picture: %d", (int)kind);
}

/* Whether the test has no meaning, also when that shows only where threads then wait for ever. What shows it is drawn
 * where nothing else is asked for. False when nothing more can be done. */
static bool look_for_undefined(struct picker *p, bool draw) {
  bool again = !find_undefined(p) && has_barriers(p->skeleton);
  if (again && !open_picker(p, true)) return false;
  if (again) find_undefined(p);
  if (draw && p->base.shows_why) show(p, true);
  if (p->picked.count) return false;
  forget_place(p);
  return !again || open_picker(p, false);
}

struct picked pick_executions(struct arena *arena, const struct program *program, const struct model *model,
                              const struct pick_options *options, pick_visit *visit, void *context) {
  struct picker p = {.arena = arena,
                     .program = program,
                     .model = model,
                     .options = options,
                     .visit = visit,
                     .context = context,
                     .deadline = base_deadline(options->timeout),
                     .base = {.clause = NO_CLAUSE, .misuse_events = {NO_EVENT, NO_EVENT}}};
  if (open_picker(&p, false) && look_for_undefined(&p, options->kind == PICK_AUTO))
    pick_by_kind(&p, options->kind, options->most);
  close_picker(&p);
  return p.picked;
}
