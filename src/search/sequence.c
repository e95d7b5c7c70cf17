/* Decides if a safe test shows no more than interleavings of its threads (docs/semantics.md, K18). */

#include "search/solver.h"

/* True if some access of a thread may be in no order with others that conflict with it: a safe program has no such weak
 * ones, if the model calls them races. */
static bool may_be_weak(const struct search *q) {
  bool races = SOME(VEC_EACH (axiom, &q->model->axioms), axiom->role != CAT_AXIOM && search_is_race(axiom->name));
  return SOME(EACH_THREAD_EVENT (i, e, q->skeleton),
              event_is_memory(e) && !e->spawned && (event_is_strong(e) || !races));
}

/* True if a column with strong accesses stands for other threads. */
static bool stands_for_others(const struct search *q) {
  EACH_THREAD_EVENT (i, e, q->skeleton) {
    bool accesses = event_is_memory(e) && !e->spawned && event_is_strong(e);
    if (accesses && q->program->threads[e->thread].represents) return true;
  }
  return false;
}

static void keep_cycle(struct search *q, const struct sequence_cycle *cycle) {
  VEC_EACH (step, cycle) {
    const struct event *e = skeleton_event(q->skeleton, step->event);
    VEC_PUSH(q->kept, &q->result->cycle, ((struct sequence_place){e->thread, e->instr, step->link}));
  }
}

static void ask_solver(struct search *q) {
  struct sat_search g;
  struct sequence_cycle cycle;
  if (!solver_open(&g, q, q->skeleton)) return;
  lit weak = encoder_out_of_turn(&g.ask.encoder);
  encoder_define_pairs(&g.ask.encoder);
  enum sat_answer answer = solver_allowed(&g, weak);
  if (answer == SAT_NO) {
    solver_claim(&g, "sequential");
    q->result->sequential = SEQUENTIAL_YES;
  } else if (answer == SAT_YES && solver_recheck(&g)) {
    if (!sequence_find(q->arena, g.ask.execution, NULL, &cycle))
      BUG("%s: an execution that is no interleaving is one on evaluation", q->program->name);
    q->result->sequential = SEQUENTIAL_NO;
    keep_cycle(q, &cycle);
  }
  solver_close(&g);
}

static void ask_oracle(struct search *q) {
  struct oracle oracle;
  const struct oracle_options options = {.deadline = q->deadline};
  oracle_run(q->arena, q->model, q->skeleton, &options, &oracle);
  q->result->stats.candidates = oracle.candidates;
  bool some = oracle.cycle.len > 0;
  if (!some && search_oracle_stopped(q, &oracle)) return;
  q->result->sequential = some ? SEQUENTIAL_NO : SEQUENTIAL_YES;
  q->result->cycle = oracle.cycle;
}

/* Values of reads that are known ahead stay reads here: a term in their place would hide that they are used. */
static void decide(void *context) {
  struct search *q = context;
  const struct skeleton_options options = {.shape = shape_under(q->options->shape, q->model), .notes_uses = true};
  q->skeleton = skeleton_build(q->arena, q->program, &options);
  skeleton_refuse_model(q->skeleton, q->model);
  if (q->skeleton->refusal) search_give_up(q, q->skeleton->refusal, q->skeleton->refusal_place);
  else if (!may_be_weak(q)) q->result->sequential = SEQUENTIAL_YES;
  else if (q->options->engine == ENGINE_ENUMERATE) ask_oracle(q);
  else ask_solver(q);
  if (q->result->sequential == SEQUENTIAL_YES && stands_for_others(q))
    search_give_up(q, reason_get(REASON_TURNS_BEHIND), q->program->span);
}

static void give_verdict(struct result *r) {
  r->verdict = r->sequential == SEQUENTIAL_YES  ? VERDICT_SEQUENTIAL
               : r->sequential == SEQUENTIAL_NO ? VERDICT_WEAK
                                                : VERDICT_UNKNOWN;
  r->holds = r->sequential == SEQUENTIAL_YES;
}

/* The question has no answer if some accesses have no order, or some execution does not end or is undefined. */
static bool is_out_of_question(const struct result *r) {
  if (r->verdict == VERDICT_SAFE) return false;
  return SOME(VEC_EACH (finding, &r->findings),
              finding->kind != SAFETY_UNINITIALISED && finding->kind != SAFETY_UNWAITED) ||
         r->verdict != VERDICT_UNSAFE || r->reason;
}

static bool is_kernel(const struct program *program) { return program->thread_count && program->threads[0].of_kernel; }

bool search_lacks_turns(const struct result *r) {
  return r->verdict == VERDICT_SAFE && is_kernel(r->program) && r->program->quantifier == LITMUS_SAFE &&
         !r->sequential_asked;
}

void search_sequence(struct search *q) {
  struct result *r = q->result;
  bool asked = q->program->quantifier == LITMUS_IN_TURNS;
  if (is_out_of_question(r)) {
    if (!asked || r->verdict != VERDICT_UNSAFE) return;
    r->verdict = VERDICT_UNKNOWN;
    r->reason = reason_get(REASON_NO_TURNS);
    r->place = q->program->span;
    return;
  }
  if (!asked && is_kernel(q->program)) { /* accesses are left out that would matter: session_check asks again */
    r->sequential_asked = !q->program->test->strong;
    r->sequential = q->program->test->strong ? SEQUENTIAL_UNKNOWN : SEQUENTIAL_YES;
    return;
  }
  struct result own = {.program = r->program, .model = r->model};
  q->result = &own;
  arena_limit(q->arena, q->options->work ? solver_clauses_of_work(q) : 0);
  enum arena_end end = arena_within(q->arena, q->deadline, decide, q);
  arena_limit(q->arena, 0);
  if (end != ARENA_DONE) search_end_at_limit(q, end);
  q->result = r;
  r->sequential_asked = true;
  r->sequential = own.verdict == VERDICT_UNKNOWN ? SEQUENTIAL_UNKNOWN : own.sequential;
  r->sequential_reason = own.reason;
  r->cycle = own.cycle;
  r->stats.variables += own.stats.variables;
  r->stats.clauses += own.stats.clauses;
  r->stats.solves += own.stats.solves;
  r->stats.witnesses += own.stats.witnesses;
  r->stats.candidates += own.stats.candidates;
  if (!asked) return;
  give_verdict(r);
  r->reason = own.reason;
  r->place = own.place;
}
