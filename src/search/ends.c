/* What keeps threads from ending. Asked on a second, precise skeleton, in which threads may also spin, run into the
 * bound or block at a barrier; only when the first one shows that some thread might. */
#include "oracle/oracle.h"
#include "search/solver.h"

static bool has_ending(const struct skeleton *s, enum ending_kind kind) {
  for (uint32_t i = 0; i < s->ends.len; i++)
    if (s->ends.data[i].kind == kind && s->ends.data[i].when != TERM_FALSE) return true;
  return false;
}

static bool has_barriers(const struct skeleton *s) {
  for (uint32_t i = 0; i < s->first_init; i++)
    if (skeleton_event(s, i)->kind == EVENT_WAIT || skeleton_event(s, i)->kind == EVENT_ARRIVE) return true;
  return false;
}

/* Found outcomes stand; that there are none, or no others, is not known. */
static void found_bound(struct search *q, const struct ending *ending) {
  struct result *r = q->result;
  r->bounded = true;
  r->bound_place = ending->span;
  r->vacuous = r->vacuous_known = false; /* more iterations may reach what these do not */
  if (r->verdict == VERDICT_UNDEFINED || r->verdict == VERDICT_UNKNOWN) return;
  if (r->observation == OBSERVATION_SOMETIMES) return;
  r->complete = false;
  struct position at = source_position(ending->span.source, ending->span.begin);
  r->holds = false;
  search_give_up(q, arena_printf(q->arena, "bound %u reached at %s:%u", r->bound, ending->span.source->name, at.line),
                 ending->span);
}

static void add_waiting(struct search *q, struct hang *hang, const struct skeleton *s, const struct ending *ending) {
  const struct thread *thread = &q->program->threads[ending->thread];
  uint32_t instr = 0;
  if (ending->wait != NO_PARTNER) instr = skeleton_event(s, ending->wait)->instr;
  for (uint32_t i = 0; ending->wait == NO_PARTNER && i < thread->instr_count; i++)
    if (thread->instrs[i].span.begin == ending->span.begin) instr = i;
  enum waiting_kind kind = ending->kind == ENDING_SPIN     ? WAITING_SPINS
                           : ending->kind == ENDING_HALTED ? WAITING_HALTED
                                                           : WAITING_AT_BARRIER;
  VEC_PUSH(q->arena, &hang->waiting, (struct waiting){ending->thread, instr, kind});
}

/* Describes how an execution of the precise skeleton hangs. */
static void describe(struct search *q, struct hang *hang, const struct execution *x, const value_t *values) {
  const struct skeleton *s = x->skeleton;
  value_t *copy = ARENA_ARRAY(q->arena, value_t, q->program->observed_count);
  for (uint32_t i = 0; i < q->program->observed_count; i++) copy[i] = values[i];
  hang->found = true;
  hang->values = copy;
  for (uint32_t i = 0; i < s->ends.len; i++)
    if (x->terms[s->ends.data[i].when]) add_waiting(q, hang, s, &s->ends.data[i]);
}

/* ---- With the solver ---- */

/* A literal under which no ending of this kind happens. */
static lit without(struct sat_search *g, enum ending_kind kind) {
  lit on = sat_variable(g->sat);
  for (uint32_t i = 0; i < g->skeleton->ends.len; i++)
    if (g->skeleton->ends.data[i].kind == kind) sat_clause2(g->sat, -on, -encoder_ending(&g->encoder, i));
  return on;
}

/* A literal under which some ending of one of two kinds happens. */
static lit some_of(struct sat_search *g, enum ending_kind one, enum ending_kind other) {
  VEC(lit) some = {0};
  lit on = sat_variable(g->sat);
  VEC_PUSH(g->q->arena, &some, -on);
  for (uint32_t i = 0; i < g->skeleton->ends.len; i++)
    if (g->skeleton->ends.data[i].kind == one || g->skeleton->ends.data[i].kind == other)
      VEC_PUSH(g->q->arena, &some, encoder_ending(&g->encoder, i));
  sat_clause(g->sat, some.data, some.len);
  return on;
}

static enum sat_answer ask(struct sat_search *g, lit a, lit b, lit c) {
  lit all = gates_and(&g->encoder.gates, (lit[]){a, b, c}, 3, NEED_ONLY_IF);
  return solver_allowed(g, all);
}

static void ask_bound(struct sat_search *g) {
  enum sat_answer answer = ask(g, some_of(g, ENDING_BOUND, ENDING_BOUND), LIT_TRUE, LIT_TRUE);
  if (answer == SAT_UNKNOWN) solver_out_of_time(g);
  if (answer == SAT_NO) solver_claim(g, "the bound of loops is not reached");
  if (answer != SAT_YES || !solver_recheck(g)) return;
  for (uint32_t i = 0; i < g->skeleton->ends.len; i++)
    if (g->skeleton->ends.data[i].kind == ENDING_BOUND && sat_value(g->sat, encoder_ending(&g->encoder, i))) {
      found_bound(g->q, &g->skeleton->ends.data[i]);
      return;
    }
}

/* Threads that wait for ever; others may have ended, or spin for ever. */
static void ask_deadlock(struct sat_search *g) {
  lit blocked = some_of(g, ENDING_BLOCKED, ENDING_BLOCKED);
  enum sat_answer answer = ask(g, blocked, without(g, ENDING_BOUND), LIT_TRUE);
  if (answer == SAT_UNKNOWN) solver_out_of_time(g);
  if (answer == SAT_NO) solver_claim(g, "no deadlock");
  if (answer == SAT_YES && solver_recheck(g)) describe(g->q, &g->q->result->deadlock, g->witness, g->values);
}

/* ---- Schedulers ---- */

/* For each thread: it ends in this way. */
static lit *thread_ends(struct sat_search *g, bool halted, bool stuck) {
  uint32_t count = g->q->program->thread_count, ends = g->skeleton->ends.len;
  lit *out = ARENA_ARRAY(g->q->arena, lit, count), *ways = ARENA_ARRAY(g->q->arena, lit, ends);
  for (uint32_t t = 0; t < count; t++) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < ends; i++) {
      const struct ending *e = &g->skeleton->ends.data[i];
      bool is_stuck = e->kind == ENDING_SPIN || e->kind == ENDING_BLOCKED;
      if (e->thread == t && ((halted && e->kind == ENDING_HALTED) || (stuck && is_stuck)))
        ways[n++] = encoder_ending(&g->encoder, i);
    }
    out[t] = gates_or(&g->encoder.gates, ways, n, NEED_BOTH);
  }
  return out;
}

/* A halted thread is one that the scheduler need not keep going (struct check_options.progress). */
static void halt_as_allowed(struct sat_search *g) {
  const struct program *program = g->q->program;
  lit spins = some_of(g, ENDING_SPIN, ENDING_SPIN);
  const lit *halted = thread_ends(g, true, false), *unfinished = thread_ends(g, true, true);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    VEC(lit) lower = {0};
    VEC_PUSH(g->q->arena, &lower, -halted[t]);
    sat_clause2(g->sat, -halted[t], spins);
    for (uint32_t u = 0; u < program->thread_count; u++) {
      bool higher = program->threads[u].number > program->threads[t].number;
      if (u != t && !higher) VEC_PUSH(g->q->arena, &lower, unfinished[u]);
      if (higher && g->q->options->progress == PROGRESS_LOBE) sat_clause2(g->sat, -halted[t], halted[u]);
    }
    if (g->q->options->progress == PROGRESS_HSA) sat_clause(g->sat, lower.data, lower.len);
  }
}

static void ask_termination(struct sat_search *g) {
  struct result *r = g->q->result;
  if (g->skeleton->halting != HALT_NEVER) halt_as_allowed(g);
  enum sat_answer answer = ask(g, some_of(g, ENDING_BLOCKED, ENDING_SPIN), without(g, ENDING_BOUND), LIT_TRUE);
  r->termination = answer == SAT_NO ? (r->bounded ? TERMINATION_UNKNOWN : TERMINATION_ALWAYS) : TERMINATION_UNKNOWN;
  if (answer == SAT_NO) solver_claim(g, "every execution ends");
  if (answer != SAT_YES || !solver_recheck(g)) return;
  r->termination = TERMINATION_MAY_HANG;
  describe(g->q, &r->hang, g->witness, g->values);
}

static void ask_solver(struct search *q, const struct skeleton *precise, bool bound, bool blocked, bool termination) {
  struct sat_search g;
  if (!solver_open(&g, q, precise)) return;
  /* A barrier may be misused in an execution that then blocks. */
  if ((bound || blocked) && search_hazards(&g)) {
    solver_close(&g);
    return;
  }
  if (bound) ask_bound(&g);
  encoder_spin_on_newest(&g.encoder); /* from here on only what can go on for ever is asked about */
  if (blocked) ask_deadlock(&g);
  if (termination) ask_termination(&g);
  solver_close(&g);
}

/* ---- By brute force ---- */

static void ask_oracle(struct search *q, const struct skeleton *precise, bool outcomes, bool termination) {
  struct oracle oracle;
  struct oracle_options options = {.deadline = q->deadline,
                                   .barrier_users = q->options->barrier_users,
                                   .lowest_goes_on = q->options->progress == PROGRESS_HSA,
                                   .begun_below_go_on = q->options->progress == PROGRESS_LOBE};
  oracle_run(q->arena, q->model, precise, &options, &oracle);
  q->result->stats.candidates += oracle.candidates;
  /* A limit here must not leave `never` or `always` standing: the bound might have been reached. */
  if (outcomes && oracle.out_of_time) search_out_of_time(q);
  if (outcomes && oracle.misuse) search_misuse(q, oracle.misuse, oracle.misuse_places[0], oracle.misuse_places[1]);
  if (outcomes && oracle.hazard) search_undefined(q, oracle.hazard->what, oracle.hazard->span);
  else if (outcomes && !oracle.misuse && oracle.open) search_give_up(q, oracle.open->what, oracle.open->span);
  if (outcomes && (oracle.misuse || oracle.hazard || oracle.open)) return;
  if (outcomes) {
    if (oracle.bound) found_bound(q, oracle.bound);
    q->result->deadlock.found = oracle.deadlock;
  }
  if (!termination) return;
  bool open = oracle.out_of_time || oracle.circular || oracle.bound;
  q->result->termination = oracle.hang ? TERMINATION_MAY_HANG : open ? TERMINATION_UNKNOWN : TERMINATION_ALWAYS;
  q->result->hang.found = oracle.hang;
}

static void ask_about(struct search *q, enum halting halting, bool bound, bool blocked, bool termination) {
  const struct skeleton *precise = search_precise_skeleton(q, halting);
  if (precise->refusal) {
    search_give_up(q, precise->refusal, precise->refusal_place);
    if (termination) q->result->termination = TERMINATION_UNKNOWN;
  } else if (q->options->engine == ENGINE_ENUMERATE) {
    ask_oracle(q, precise, bound || blocked, termination);
  } else {
    ask_solver(q, precise, bound, blocked, termination);
  }
}

void search_endings(struct search *q) {
  struct result *r = q->result;
  bool bound = has_ending(q->skeleton, ENDING_BOUND), blocked = has_barriers(q->skeleton);
  bool wanted = q->options->termination;
  bool stuck = wanted && (has_ending(q->skeleton, ENDING_SPIN) || blocked || bound);
  bool fair = q->options->progress == PROGRESS_FAIR;
  enum halting halting = q->options->progress == PROGRESS_HSA ? HALT_ANYWHERE : HALT_AT_START;
  if (wanted) r->termination = TERMINATION_ALWAYS;
  if (r->verdict == VERDICT_UNDEFINED) {
    if (wanted) r->termination = TERMINATION_UNKNOWN;
    return;
  }
  if (bound || blocked || (stuck && fair)) ask_about(q, HALT_NEVER, bound, blocked, stuck && fair);
  if (stuck && !fair) ask_about(q, halting, false, false, true);
}
