/* Finds executions in which threads do not end. It uses a second, precise skeleton, in which threads may also spin,
 * reach the bound or block at a barrier, but only if the first skeleton shows that some thread might. */
#include "search/solver.h"

/* Keeps the outcomes found; their completeness is unknown. */
static void found_bound(struct search *q, const struct ending *ending) {
  struct result *r = q->result;
  r->bounded = true;
  r->bound_place = ending->span;
  r->vacuous = r->vacuous_known = false; /* more iterations may reach states that these do not */
  if (r->verdict == VERDICT_UNDEFINED || r->verdict == VERDICT_UNKNOWN) return;
  if (r->observation == OBSERVATION_SOMETIMES) return;
  const struct looping *looping = search_looping(q);
  r->bound_settled =
      search_further(q) || (looping && search_does(q, TECHNIQUE_ALL_OUTCOMES) && loops_all_outcomes(looping, r));
  if (r->bound_settled) return;
  r->complete = false;
  r->holds = false;
  const struct instr *in = &q->program->threads[ending->thread].instrs[ending->instr];
  const char *iterations = arena_printf(q->arena, "more than %u iterations of a loop are possible", r->bound);
  const char *text = in->unsupported ? "executions are cut here" : iterations;
  search_give_up(q, reason_with(q->kept, REASON_BOUND, text), ending->span);
}

enum { MOST_NAMED = 3 };

/* The arrivals and bytes that an mbarrier object got so far, by thread, and the threads that may give it some. */
static void add_signals(const struct execution *x, uint32_t object, struct text *out) {
  const struct program *program = x->skeleton->program;
  uint32_t *got = ARENA_ARRAY(out->arena, uint32_t, program->thread_count + 1), named = 0;
  bool *may = ARENA_ARRAY(out->arena, bool, program->thread_count + 1);
  EACH_THREAD_EVENT (e, event, x->skeleton) {
    if (event->kind != EVENT_SIGNAL || !event->use || event->use->object != object) continue;
    if (event->use->kind != USE_SIGNAL) continue;
    may[event->thread] = true;
    got[event->thread] += bitset_has(x->exec, e);
  }
  for (uint32_t t = 0; t < program->thread_count; t++) {
    if (!may[t] || named++ > MOST_NAMED) continue;
    text_add(out, named == 1 ? "; signals so far: " : ", ");
    if (named > MOST_NAMED) text_add(out, "and others");
    else text_printf(out, "%u by ", got[t]), thread_tell(&program->threads[t], out);
  }
  if (!named) text_add(out, "; no thread signals it");
}

/* The arrivals that are missing at the mbarrier object for which a thread waits (MB15). */
static const char *mbarrier_state(struct arena *arena, const struct execution *x, uint32_t test) {
  const struct mbarrier_use *use = execution_event(x, test)->use;
  if (!use) return NULL;
  const struct mbarrier_state *state = &x->states[use->object];
  if (!state->valid) return "never initialised";
  struct text text = {.arena = arena};
  const struct program *program = x->skeleton->program;
  object_tell(&program->objects[x->skeleton->mbarriers.data[use->object].object], 0, &text);
  text_add(&text, " is ");
  uint32_t phase = state->phase % x->skeleton->mbarriers.data[use->object].span;
  if (state->pending < 0) text_printf(&text, "in phase %u, %d arrivals too many, ", phase, -state->pending);
  else text_printf(&text, "in phase %u, %d of %d arrivals pending, ", phase, state->pending, state->expected);
  text_printf(&text, state->tx < 0 ? "%d bytes too many" : "%d bytes to come", state->tx < 0 ? -state->tx : state->tx);
  if (use->parity) text_printf(&text, "; tested for parity %u", use->phase);
  add_signals(x, use->object, &text);
  return text_str(&text);
}

/* The threads that have not arrived at the barrier at which a thread waits. */
static const char *barrier_state(struct arena *arena, const struct execution *x, uint32_t wait) {
  const struct skeleton *s = x->skeleton;
  const struct event *e = skeleton_event(s, wait);
  if (e->kind != EVENT_WAIT || e->partner >= s->n || x->phase[e->partner] == NO_PHASE) return NULL;
  const value_t id = x->terms[skeleton_event(s, e->partner)->meeting.id];
  const struct barrier_group *group = &s->groups.data[e->meeting.group];
  bool *here = ARENA_ARRAY(arena, bool, s->program->thread_count + 1);
  struct text text = {.arena = arena};
  uint32_t named = 0;
  VEC_EACH (arrival, &group->arrivals)
    if (bitset_has(x->exec, *arrival) && x->phase[*arrival] == x->phase[e->partner] &&
        x->terms[skeleton_event(s, *arrival)->meeting.id] == id)
      here[skeleton_event(s, *arrival)->thread] = true;
  for (uint32_t i = 0; i < group->members; i++) {
    if (here[group->threads[i]] || named++ > MOST_NAMED) continue;
    text_add(&text, named == 1 ? "missing: " : ", ");
    if (named > MOST_NAMED) text_add(&text, "and others");
    else thread_tell(&s->program->threads[group->threads[i]], &text);
  }
  return named ? text_str(&text) : "its count is larger than the number of threads";
}

/* The state that an allocation of tensor memory finds: the number of columns allocated. */
static const char *columns_state(struct arena *arena, const struct execution *x, uint32_t read) {
  enum { UNIT = 32 };
  uint32_t taken = (uint32_t)x->terms[skeleton_event(x->skeleton, read)->value], columns = 0;
  for (uint32_t bit = 0; bit < TENSOR_COLUMNS / UNIT; bit++) columns += (taken >> bit & 1) * UNIT;
  return arena_printf(arena, "%u of %u columns are allocated; it waits for a tcgen05.dealloc", columns, TENSOR_COLUMNS);
}

/* The event in which a thread waits: at a barrier, or for a phase of an mbarrier object. NO_PARTNER: another. */
static uint32_t wait_of(const struct skeleton *s, const struct ending *ending) {
  if (ending->wait != NO_PARTNER) return ending->wait;
  for (uint32_t e = ending->first_event; ending->kind == ENDING_SPIN && e < ending->end_event; e++)
    if (skeleton_event(s, e)->kind == EVENT_TEST && skeleton_event(s, e)->use) return e;
  return NO_PARTNER;
}

/* True if an event that did not happen would have changed what the ending's thread waits for. */
static bool would_help(const struct skeleton *s, const struct ending *ending, uint32_t wait, uint32_t event) {
  const struct event *e = skeleton_event(s, event), *w = wait == NO_PARTNER ? NULL : skeleton_event(s, wait);
  if (w && w->use) return e->kind == EVENT_SIGNAL && e->use && e->use->object == w->use->object;
  if (w && w->kind == EVENT_WAIT) return e->kind == EVENT_ARRIVE && e->meeting.group == w->meeting.group;
  return SOME(for (uint32_t r = ending->first_event; ending->kind == ENDING_SPIN && r < ending->end_event; r++),
              e->kind == EVENT_WRITE && skeleton_event(s, r)->kind == EVENT_READ &&
                  bitmat_has(s->may[CAT_REL_LOC], r, event));
}

static bool waits_elsewhere(const struct skeleton *s, const struct ending *a, const struct ending *b) {
  const struct thread *threads = s->program->threads;
  return threads[a->thread].instrs[a->instr].span.begin != threads[b->thread].instrs[b->instr].span.begin;
}

/* The thread that waits too, so that this one waits; one at another instruction, if there is one. NO_THREAD: none
 * explains it. */
static uint32_t waits_for(const struct execution *x, const struct ending *ending) {
  const struct skeleton *s = x->skeleton;
  uint32_t wait = wait_of(s, ending), found = NO_THREAD;
  VEC_EACH (other, &s->ends) {
    bool elsewhere = waits_elsewhere(s, ending, other);
    if (!x->terms[other->when] || other->thread == ending->thread || (found != NO_THREAD && !elsewhere)) continue;
    bool helps = false;
    EACH_THREAD_EVENT (e, event, s)
      if (event->thread == other->thread && !bitset_has(x->exec, e) && would_help(s, ending, wait, e)) helps = true;
    if (helps && elsewhere) return other->thread;
    if (helps) found = other->thread;
  }
  return found;
}

static void add_waiting(struct search *q, struct hang *hang, const struct execution *x, const struct ending *ending) {
  const struct skeleton *s = x->skeleton;
  static const enum waiting_kind kinds[] = {[ENDING_SPIN] = WAITING_SPINS,
                                            [ENDING_HALTED] = WAITING_HALTED,
                                            [ENDING_BLOCKED] = WAITING_AT_BARRIER,
                                            [ENDING_LASSO] = WAITING_REPEATS};
  uint32_t wait = wait_of(s, ending);
  const char *state = wait == NO_PARTNER ? NULL : mbarrier_state(q->kept, x, wait);
  if (!state && wait != NO_PARTNER) state = barrier_state(q->kept, x, wait);
  bool columns = skeleton_waits_for_columns(s, ending);
  if (columns) state = columns_state(q->kept, x, ending->first_event);
  enum waiting_kind kind = columns ? WAITING_AT_BARRIER : kinds[ending->kind];
  bool object = columns || (wait != NO_PARTNER && execution_event(x, wait)->use);
  VEC_PUSH(q->kept, &hang->waiting,
           (struct waiting){ending->thread, ending->instr, kind, object, state, waits_for(x, ending)});
}

/* Describes how an execution of the precise skeleton hangs. */
static void describe(struct search *q, struct hang *hang, const struct execution *x, const value_t *values) {
  const struct skeleton *s = x->skeleton;
  value_t *copy = ARENA_ARRAY(q->kept, value_t, q->program->observed_count);
  for (uint32_t i = 0; i < q->program->observed_count; i++) copy[i] = values[i];
  for (int explained = 0; explained <= 1; explained++)
    VEC_EACH (ending, &s->ends) {
      if (x->terms[ending->when] && (waits_for(x, ending) != NO_THREAD) == explained) add_waiting(q, hang, x, ending);
      if (!explained) hang->causes = hang->waiting.len;
    }
  hang->found = true;
  hang->values = copy;
}

/* ---- With the solver ---- */

/* Some thread has an ending of these kinds; with `unbounded`, none stops at the bound. */
static lit ended(struct sat_search *g, unsigned kinds, bool unbounded) {
  lit some = ask_some_ending(&g->ask, kinds);
  lit none = unbounded ? ask_no_ending(&g->ask, ENDING_BOUND) : LIT_TRUE;
  return gates_and2(&g->ask.encoder.gates, some, none, NEED_ONLY_IF);
}

static void ask_bound(struct sat_search *g) {
  const struct skeleton *s = g->ask.skeleton;
  lit at_bound = ended(g, 1u << ENDING_BOUND, false), going = ask_no_ending(&g->ask, ENDING_LASSO);
  lit goal = gates_and2(&g->ask.encoder.gates, at_bound, going, NEED_ONLY_IF);
  enum sat_answer answer = solver_allowed(g, goal);
  if (answer == SAT_NO) solver_claim(g, "the bound of loops is not reached");
  if (answer != SAT_YES || !solver_recheck(g)) return;
  uint32_t at = 0;
  while (s->ends.data[at].kind != ENDING_BOUND || !g->ask.execution->terms[s->ends.data[at].when]) at++;
  found_bound(g->q, &s->ends.data[at]);
}

/* Looks for races in executions up to the bound, or to where a part of a launch waits for the rest. Each goes on: what
 * comes later may read the last write in coherence order, and write behind all others, so that it changes neither
 * values nor orders of what came before. Then the whole has the race, unless it hangs, traps or is undefined, and the
 * test is unsafe too. `oracle`: it has seen them; NULL: the solver looks for them. */
static void ask_prefixes(struct search *q, struct sat_search *g, const struct oracle *oracle) {
  const enum verdict verdict = q->result->verdict;
  if (!(q->result->bounded || q->options->part) || !search_collects(q) || !search_does(q, TECHNIQUE_CUTS)) return;
  q->in_prefixes = true;
  q->result->verdict = VERDICT_ALLOWED;
  if (oracle) search_raise_by_oracle(q, oracle, CAT_FLAG);
  else search_flags(g, sat_clauses(g->ask.sat) + MORE_CLAUSES, sat_work(g->ask.sat) + MORE_WORK);
  q->result->verdict = verdict;
  q->in_prefixes = false;
}

/* Threads that wait for ever; others may have ended, or spin for ever. */
static void ask_deadlock(struct sat_search *g) {
  enum sat_answer answer = solver_allowed(g, ended(g, 1u << ENDING_BLOCKED, true));
  if (answer == SAT_NO) solver_claim(g, "no deadlock");
  if (answer == SAT_YES && solver_recheck(g)) describe(g->q, &g->q->result->deadlock, g->ask.execution, g->ask.finals);
}

/* ---- Schedulers ---- */

enum { HANGS = 1u << ENDING_SPIN | 1u << ENDING_BLOCKED | 1u << ENDING_LASSO };

/* By thread: true if it halts or, with `stuck`, spins, blocks or repeats a lap for ever. */
static lit *thread_ends(struct sat_search *g, bool stuck) {
  uint32_t count = g->q->program->thread_count, ends = g->ask.skeleton->ends.len;
  lit *out = ARENA_ARRAY(g->q->arena, lit, count), *ways = ARENA_ARRAY(g->q->arena, lit, ends);
  for (uint32_t t = 0; t < count; t++) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < ends; i++) {
      const struct ending *e = &g->ask.skeleton->ends.data[i];
      bool is_stuck = (HANGS & 1u << e->kind) != 0;
      if (e->thread == t && (e->kind == ENDING_HALTED || (stuck && is_stuck)))
        ways[n++] = encoder_ending(&g->ask.encoder, i);
    }
    out[t] = gates_or(&g->ask.encoder.gates, ways, n, NEED_BOTH);
  }
  return out;
}

/* A halted thread is one that the scheduler need not keep going (struct check_options.progress). */
static void halt_as_allowed(struct sat_search *g) {
  const struct program *program = g->q->program;
  lit spins = ask_some_ending(&g->ask, 1u << ENDING_SPIN | 1u << ENDING_LASSO);
  const lit *halted = thread_ends(g, false), *unfinished = thread_ends(g, true);
  for (uint32_t t = 0; t < program->thread_count; t++) {
    VEC(lit) lower = {0};
    VEC_PUSH(g->q->arena, &lower, -halted[t]);
    sat_clause2(g->ask.sat, -halted[t], spins);
    for (uint32_t u = 0; u < program->thread_count; u++) {
      bool higher = program->threads[u].number > program->threads[t].number;
      if (u != t && !higher) VEC_PUSH(g->q->arena, &lower, unfinished[u]);
      if (higher && g->q->options->progress == PROGRESS_LOBE) sat_clause2(g->ask.sat, -halted[t], halted[u]);
    }
    if (g->q->options->progress == PROGRESS_HSA) sat_clause(g->ask.sat, lower.data, lower.len);
  }
}

static void ask_termination(struct sat_search *g) {
  struct result *r = g->q->result;
  const struct looping *looping = search_looping(g->q);
  if (g->ask.skeleton->options.halting != HALT_NEVER) halt_as_allowed(g);
  lit hangs = ended(g, HANGS, true);
  enum sat_answer answer = ask_solve(&g->ask, hangs, LIT_TRUE, NULL);
  bool all =
      answer == SAT_NO && (!r->bounded || (looping && search_does(g->q, TECHNIQUE_ALL_END) && loops_all_end(looping)));
  r->termination = all ? TERMINATION_ALWAYS : TERMINATION_UNKNOWN;
  if (answer == SAT_NO) solver_claim(g, "every execution ends");
  if (answer == SAT_UNKNOWN && search_collects(g->q)) search_cut(g->q);
  if (answer != SAT_YES || !solver_recheck(g)) return;
  r->termination = TERMINATION_MAY_HANG;
  describe(g->q, &r->hang, g->ask.execution, g->ask.finals);
}

/* True if undefined behaviour counts in every execution that reaches it, even in one that never ends: that of
 * asynchronous operations and mbarrier objects (docs/async.md, A10). */
static bool counts_in_prefixes(const struct skeleton *s) { return s->operations.len > 0 || s->mbarriers.len > 0; }

/* If the test is unsafe already, looks only for hangs. */
static void ask_solver(struct search *q, const struct skeleton *precise, bool bound, bool blocked, bool termination) {
  struct sat_search g;
  bool all = !search_is_unsafe(q);
  if (!solver_open(&g, q, precise)) return;
  /* A barrier may be misused in an execution that then blocks. */
  bool settled = all && (bound || blocked) && search_hazards(&g);
  if (!settled && all && blocked && counts_in_prefixes(precise)) settled = !search_clauses(&g, CAT_UNDEFINED);
  if (settled) {
    solver_close(&g);
    return;
  }
  if (bound && all) ask_bound(&g);
  if (all) ask_prefixes(q, &g, NULL);
  encoder_go_on_for_ever(&g.ask.encoder); /* from here on questions are only about iterations that can go on for ever */
  if (blocked) ask_deadlock(&g);
  if (termination) ask_termination(&g);
  solver_close(&g);
}

/* ---- By brute force ---- */

struct shown {
  struct search *q;
  struct hang hangs[2]; /* by enum oracle_hang */
};

static void show_hang(void *state, enum oracle_hang kind, const struct execution *x, const value_t *values) {
  struct shown *shown = state;
  describe(shown->q, &shown->hangs[kind], x, values);
}

static void ask_oracle(struct search *q, const struct skeleton *precise, bool outcomes, bool termination) {
  struct oracle oracle;
  struct shown shown = {.q = q};
  const bool all = !search_is_unsafe(q);
  struct oracle_options options = {.deadline = q->deadline,
                                   .flags = search_collects(q),
                                   .most_choices = q->options->work,
                                   .show = show_hang,
                                   .state = &shown,
                                   .lowest_goes_on = q->options->progress == PROGRESS_HSA,
                                   .begun_below_go_on = q->options->progress == PROGRESS_LOBE};
  oracle_run(q->arena, q->model, precise, &options, &oracle);
  q->result->stats.candidates += oracle.candidates;
  /* A limit here withdraws `never` and `always`: the bound might have been reached. */
  if (outcomes && oracle.out_of_time) search_out_of_time(q);
  if (outcomes && search_oracle_fault(q, &oracle)) return;
  if (outcomes && counts_in_prefixes(precise)) search_raise_by_oracle(q, &oracle, CAT_UNDEFINED);
  if (outcomes && q->result->verdict == VERDICT_UNDEFINED) return;
  if (outcomes) {
    if (oracle.bound) found_bound(q, oracle.bound);
    if (all) ask_prefixes(q, NULL, &oracle);
    q->result->deadlock = shown.hangs[ORACLE_DEADLOCK];
  }
  if (!termination) return;
  bool open = oracle.out_of_time || oracle.circular || oracle.bound;
  q->result->termination = TERMINATION_ALWAYS;
  if (open) q->result->termination = TERMINATION_UNKNOWN;
  if (oracle.hangs[ORACLE_HANG]) q->result->termination = TERMINATION_MAY_HANG;
  q->result->hang = shown.hangs[ORACLE_HANG];
}

/* An ending; `rank`: the number of earlier endings of its thread. */
struct possible_ending {
  lit ends;
  uint32_t rank, cta;
};

VEC_NAMED(possible_endings, struct possible_ending);

static void list_endings(const struct sat_search *g, unsigned kinds, struct possible_endings *out) {
  const struct skeleton *s = g->ask.skeleton;
  uint32_t *ranks = ARENA_ARRAY(g->q->arena, uint32_t, s->program->thread_count);
  for (uint32_t i = 0; i < s->ends.len; i++)
    if (kinds & 1u << s->ends.data[i].kind) {
      uint32_t thread = s->ends.data[i].thread;
      uint32_t cta = s->program->threads[thread].cta_id;
      struct possible_ending own = {encoder_ending(&g->ask.encoder, i), ranks[thread]++, cta};
      VEC_PUSH(g->q->arena, out, own);
    }
}

/* The effort for a question about one ending, mostly easy once the endings that it waits for are excluded. */
enum { EFFORT = 100 };

/* Excludes an ending, or some at once. */
static bool exclude(struct sat_search *g, const lit *ends, uint32_t count) {
  lit some = gates_or(&g->ask.encoder.gates, ends, count, NEED_ONLY_IF);
  sat_effort(g->ask.sat, EFFORT * (int)count);
  if (ask_solve(&g->ask, some, LIT_TRUE, NULL) != SAT_NO) return false;
  for (uint32_t i = 0; i < count; i++) sat_clause1(g->ask.sat, -ends[i]);
  return true;
}

/* Excludes the endings of a CTA and a rank at once, if that succeeds. */
static void exclude_group(struct sat_search *g, struct possible_endings *left, const struct possible_ending *of) {
  const uint32_t rank = of->rank, cta = of->cta;
  lit *ends = ARENA_ARRAY(g->q->arena, lit, left->len);
  uint32_t count = 0, kept = 0;
  for (uint32_t i = 0; i < left->len; i++)
    if (left->data[i].rank == rank && left->data[i].cta == cta) ends[count++] = left->data[i].ends;
  if (!exclude(g, ends, count)) return;
  for (uint32_t i = 0; i < left->len; i++)
    if (left->data[i].rank != rank || left->data[i].cta != cta) left->data[kept++] = left->data[i];
  left->len = kept;
}

/* Excludes the first endings of all threads, then the second ones, and so on, because a thread usually waits for others
 * that are about as far; the endings of a CTA together. */
static void exclude_by_rank(struct sat_search *g, struct possible_endings *left) {
  struct possible_endings all = {0};
  uint32_t last = 0;
  for (uint32_t i = 0; i < left->len; i++) {
    VEC_PUSH(g->q->arena, &all, left->data[i]);
    if (left->data[i].rank > last) last = left->data[i].rank;
  }
  for (uint32_t rank = 0; rank <= last; rank++)
    for (uint32_t i = 0, before = UINT32_MAX; i < all.len && !g->ask.encoder.refusal; i++) {
      if (all.data[i].rank != rank || all.data[i].cta == before) continue;
      before = all.data[i].cta;
      exclude_group(g, left, &all.data[i]);
    }
}

/* True if none of these endings is possible. Excludes one after another, in rounds while a round excludes some, because
 * the order in which threads wait for one another is unknown. */
static bool none_ends(struct sat_search *g, unsigned kinds) {
  struct possible_endings left = {0};
  list_endings(g, kinds, &left);
  exclude_by_rank(g, &left);
  for (uint32_t before = UINT32_MAX; left.len && left.len < before && !g->ask.encoder.refusal;) {
    uint32_t kept = 0;
    before = left.len;
    for (uint32_t i = 0; i < left.len; i++)
      if (!exclude(g, &left.data[i].ends, 1)) left.data[kept++] = left.data[i];
    left.len = kept;
  }
  return !left.len;
}

/* True if every thread ends, as shown without the accesses that no branch depends on. */
static bool all_end(struct search *q, const struct skeleton *lean) {
  struct sat_search g;
  if (lean->refusal || !model_survives_omissions(q->arena, q->model) || !solver_open(&g, q, lean)) return false;
  bool ends = none_ends(&g, 1u << ENDING_BOUND);
  encoder_go_on_for_ever(&g.ask.encoder);
  ends = ends && none_ends(&g, HANGS);
  solver_close(&g);
  return ends;
}

/* The lean skeleton if it shows that every thread ends, else NULL. Other questions then cover undefined behaviour,
 * because every execution is complete. It cannot show that where no execution is. */
static const struct skeleton *settled_as_ending(struct search *q, struct skeleton_options options) {
  const bool none = q->result->vacuous_known && !result_any(q->result);
  options.lean = true;
  if (none || !search_does(q, TECHNIQUE_LEAN) || q->options->engine == ENGINE_ENUMERATE || q->options->certify ||
      options.halting != HALT_NEVER)
    return NULL;
  const struct skeleton *lean = skeleton_build(q->arena, q->program, &options);
  return all_end(q, lean) ? lean : NULL;
}

static void ask_about(struct search *q, enum halting halting, bool bound, bool blocked, bool termination) {
  struct skeleton_options options = {.shape = shape_under(q->options->shape, q->model),
                                     .precise = true,
                                     .lassos = termination,
                                     .halting = halting,
                                     .most_events = q->deeper->now ? DEEPER_EVENTS : q->options->most_events};
  const struct skeleton *lean = settled_as_ending(q, options);
  if (lean && !(bound && lean->omits_effects)) return;
  if (lean) blocked = termination = options.lassos = false; /* every thread ends, perhaps beyond the bound */
  const struct skeleton *precise = skeleton_build(q->arena, q->program, &options);
  /* An iteration that counts as without effect in complete executions may not count so here. */
  bound |= !precise->refusal && termination && skeleton_may_end(precise, ENDING_BOUND);
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
  bool bound = skeleton_may_end(q->skeleton, ENDING_BOUND), spins = skeleton_may_end(q->skeleton, ENDING_SPIN);
  bool proved = search_does(q, TECHNIQUE_UNBLOCKED) && q->options->engine == ENGINE_SAT && !q->options->certify &&
                skeleton_never_blocks(q->skeleton);
  bool blocked = (!proved && skeleton_has_barriers(q->skeleton)) || (spins && counts_in_prefixes(q->skeleton));
  bool wanted = q->options->termination;
  bool stuck = wanted && (spins || blocked || bound);
  bool fair = q->options->progress == PROGRESS_FAIR;
  enum halting halting = q->options->progress == PROGRESS_HSA ? HALT_ANYWHERE : HALT_AT_START;
  if (wanted) r->termination = TERMINATION_ALWAYS;
  bool asked = r->verdict != VERDICT_UNDEFINED && (bound || blocked || (stuck && fair));
  if (asked) ask_about(q, HALT_NEVER, bound, blocked, stuck && fair);
  if (r->verdict == VERDICT_UNDEFINED) { /* also of an execution that does not end */
    if (wanted) r->termination = TERMINATION_UNKNOWN;
    return;
  }
  if (stuck && !fair) ask_about(q, halting, false, false, true);
}
