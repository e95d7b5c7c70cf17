#include "search/check.h"

#include "base/memory.h"
#include "search/solver.h"

static void settle(struct search *q, enum verdict verdict, const struct reason *reason, struct span place) {
  q->result->verdict = verdict;
  q->result->observation = OBSERVATION_NONE;
  q->result->reason = reason;
  q->result->place = place;
  q->result->complete = false;
  /* withdraws the conclusion drawn from executions that end */
  q->result->holds = q->result->filter_empty = q->result->vacuous = q->result->vacuous_known = false;
}

void search_give_up(struct search *q, const struct reason *reason, struct span place) {
  settle(q, VERDICT_UNKNOWN, reason, place);
}

bool search_collects(const struct search *q) { return program_asks_safety(q->program); }

static const struct reason *lack_of_time(const struct search *q) {
  const char *text = arena_printf(q->kept, "the time limit of %g s was reached", q->options->timeout);
  if (q->options->work && !base_is_late(q->deadline)) text = "the limit of work was reached";
  return reason_of_size(q->kept, REASON_TIME_LIMIT, text, q->program, 0.5);
}

/* The reason for a search cut short: after a finding also the limit on work, otherwise the time limit. */
static const struct reason *lack_of_effort(const struct search *q) {
  bool beside = search_collects(q) && (q->sure_stands || search_has_finding(q->result));
  return beside && !base_is_late(q->deadline) ? reason_get(REASON_BESIDE_FINDING) : lack_of_time(q);
}

void search_out_of_time(struct search *q) { search_give_up(q, lack_of_effort(q), q->program->span); }

void search_cut(struct search *q) {
  if (q->result->reason || !(base_is_late(q->deadline) || search_has_finding(q->result))) return;
  q->result->reason = lack_of_effort(q);
  q->result->place = q->program->span;
}

/* Drops the outcomes found before: a program with undefined behaviour has none. */
static void find_undefined(struct search *q, const struct reason *reason, struct wrong_at a, struct wrong_at b) {
  if (search_collects(q)) {
    search_find(q, reason, a, b);
    return;
  }
  settle(q, VERDICT_UNDEFINED, reason, a.span);
  q->result->outcomes = (struct outcomes){0};
  q->result->positive = q->result->negative = 0;
}

void search_undefined(struct search *q, const struct reason *reason, struct wrong_at at) {
  find_undefined(q, reason, at, at);
}

void search_misuse(struct search *q, const struct reason *reason, struct wrong_at a, struct wrong_at b) {
  if (a.span.begin == b.span.begin) {
    find_undefined(q, reason, a, b);
    return;
  }
  struct position at = b.span.source ? source_position(b.span.source, b.span.begin) : (struct position){0, 0};
  const char *text =
      arena_printf(q->arena, "%s; the other arrival is at line %u, column %u", reason->text, at.line, at.column);
  find_undefined(q, reason_with(q->arena, reason->id, text), a, b);
}

/* The place of a broken clause. Adds the second instruction of its pair, if there is one. */
static struct span clause_place(const struct search *q, const struct raised *raised, struct text *out) {
  const struct thread *threads = q->program->threads;
  ARRAY_EACH (pair, raised->pairs, raised->pair_count) {
    if (pair->thread_a == NO_THREAD) continue;
    bool two = pair->thread_b != NO_THREAD && (pair->thread_b != pair->thread_a || pair->instr_b != pair->instr_a);
    if (two) text_printf(out, "; the other instruction is P%u's at ", threads[pair->thread_b].number);
    if (two) span_tell_line(threads[pair->thread_b].instrs[pair->instr_b].span, out);
    return threads[pair->thread_a].instrs[pair->instr_a].span;
  }
  return q->program->span;
}

/* A clause may be raised twice: in executions that end, and in others. */
static void add_raised(struct search *q, struct raised raised) {
  VEC_EACH (before, &q->result->raised) {
    if (strcmp(before->name, raised.name) != 0 || before->role != raised.role) continue;
    raised_join(q->kept, before, &raised);
    raised_sort(before);
    return;
  }
  struct raised own = {.name = raised.name, .role = raised.role};
  raised_join(q->kept, &own, &raised);
  raised_sort(&own);
  VEC_PUSH(q->kept, &q->result->raised, own);
}

void search_raise(struct search *q, uint32_t index, struct raised raised) {
  const struct cat_axiom *axiom = &q->model->axioms.data[index];
  raised.name = axiom->name;
  raised.role = axiom->role;
  raised_sort(&raised);
  add_raised(q, raised);
  if (axiom->role != CAT_UNDEFINED) return;
  const struct cat_clause *clause = cat_clause(axiom->name);
  struct text text = {.arena = q->arena};
  text_printf(&text, "%s: %s", axiom->name, clause ? clause->missing : reason_get(REASON_MODEL_CLAUSE)->text);
  struct wrong_at at = {clause_place(q, &raised, &text), NO_THREAD, 0};
  search_undefined(q, reason_with(q->arena, REASON_MODEL_CLAUSE, text_str(&text)), at);
}

static void conclude(struct search *q) {
  struct result *r = q->result;
  if (r->verdict == VERDICT_UNDEFINED || r->verdict == VERDICT_UNKNOWN) return;
  bool some = result_has(r, true), other = result_has(r, false);
  r->verdict = some ? VERDICT_ALLOWED : VERDICT_FORBIDDEN;
  r->filter_empty = q->program->filter && !some && !other;
  r->observation = !some ? (r->filter_empty ? OBSERVATION_NONE : OBSERVATION_NEVER)
                         : (other ? OBSERVATION_SOMETIMES : OBSERVATION_ALWAYS);
  switch (q->program->quantifier) {
    case LITMUS_EXISTS: r->holds = some; break;
    case LITMUS_NOT_EXISTS: r->holds = !some; break;
    case LITMUS_FORALL: r->holds = !other; break;
    case LITMUS_SAFE:
    case LITMUS_IN_TURNS: break; /* safety.c, sequence.c */
  }
}

static bool ends_at(const struct search *q, uint32_t before, enum ending_kind kind, uint32_t place) {
  return SOME_BELOW(i, before, q->skeleton->ends.data[i].kind == kind && q->skeleton->ends.data[i].span.begin == place);
}

/* Counts the loops whose iterations never have an effect, which therefore never reach the bound. */
static void count_spins(struct search *q) {
  q->result->bound = q->skeleton->options.shape.unroll;
  for (uint32_t i = 0; i < q->skeleton->ends.len; i++) {
    const struct ending *e = &q->skeleton->ends.data[i];
    bool again = ends_at(q, i, ENDING_SPIN, e->span.begin);
    bool bounded = ends_at(q, q->skeleton->ends.len, ENDING_BOUND, e->span.begin);
    bool loop = e->kind == ENDING_SPIN && !skeleton_waits_for_columns(q->skeleton, e);
    if (loop && !again && !bounded) q->result->spin_loops++;
  }
}

/* True if some thread of the test changes the source of a multicast (G66). */
static bool multicast_changes(const struct skeleton *s) {
  EACH_THREAD_EVENT (r, read, s) {
    if (!read->spawned || !read->spawn.is_source || read->operation->async->ctas.kind == OPERAND_NONE) continue;
    struct bitset near = bitmat_row_set(s->may[CAT_REL_LOC], r);
    EACH (w, near)
      if (w < s->first_init && skeleton_event(s, w)->kind == EVENT_WRITE) return true;
  }
  return false;
}

/* True if a fence for the async proxy would serve an access if the fence were in the access's CTA (G55). */
static bool fences_far(const struct skeleton *s) {
  for (uint32_t f = 0; f < s->first_init; f++) {
    struct bitset spanned = bitmat_row_set(s->must[CAT_REL_SPANS], f);
    EACH (a, spanned)
      if (!bitmat_has(s->must[CAT_REL_COVERS], f, a)) return true;
  }
  return false;
}

static void assume(struct search *q, enum assumption_id id) {
  VEC_PUSH(q->kept, &q->result->assumes, ((struct assumption){id, NULL}));
}

static void assume_text(struct search *q, enum assumption_id id, const char *detail) {
  if (detail) VEC_PUSH(q->kept, &q->result->assumes, ((struct assumption){id, detail}));
}

static void assume_clocks(struct search *q) {
  const struct skeleton *s = q->skeleton;
  bool open = SOME(VEC_EACH (test, &s->free.tests), test->clock && !test->in_time);
  if (open) assume(q, ASSUMES_CLOCK);
  if (!s->time_outs.len) return;
  struct text places;
  text_init(&places, q->kept);
  for (uint32_t i = 0; i < s->time_outs.len; i++) {
    if (i) text_add(&places, ", ");
    span_tell_line(s->time_outs.data[i], &places);
  }
  assume_text(q, ASSUMES_TIME_OUT, text_str(&places));
}

/* True if executions cannot be counted: those that differ only by clock values or a canceled CTA count as equal
 * (O7). */
static bool counts_what_is_open(struct search *q) {
  bool clocks = q->skeleton->free.tests.len, responses = q->skeleton->requests.any;
  if (!(clocks || responses) || !q->options->count_executions) return false;
  const char *text = clocks ? "executions are not counted where clocks are compared"
                            : "executions are not counted where CTAs may be canceled";
  enum reason_id why = clocks ? REASON_CLOCK : REASON_RESPONSE;
  search_give_up(q, reason_with(q->arena, why, text), q->program->span);
  return true;
}

static void run_check(void *context) {
  struct search *q = context;
  /* Brute force keeps all events, to test their removal. */
  struct skeleton_options options = {.shape = shape_under(q->options->shape, q->model),
                                     .most_events = q->deeper->now ? DEEPER_EVENTS : q->options->most_events};
  q->skeleton = skeleton_build(q->arena, q->program, &options);
  skeleton_refuse_model(q->skeleton, q->model);
  if (program_asks_safety(q->program) && q->options->engine != ENGINE_ENUMERATE && !q->skeleton->refusal)
    options.sources = search_look_ahead(q);
  q->result->stats.events = q->skeleton->n;
  if (search_is_enough(q)) return;
  if (options.sources) q->skeleton = skeleton_build(q->arena, q->program, &options);
  q->result->stats.events = q->skeleton->n;
  if (q->skeleton->refusal) {
    search_give_up(q, q->skeleton->refusal, q->skeleton->refusal_place);
    if (q->options->termination) q->result->termination = TERMINATION_UNKNOWN;
    return;
  }
  if (counts_what_is_open(q)) return;
  count_spins(q);
  if (q->skeleton->options.shape.async_race && q->skeleton->operations.len) assume(q, ASSUMES_ASYNC_RACE);
  if (multicast_changes(q->skeleton)) assume(q, ASSUMES_MULTICAST);
  assume_clocks(q);
  if (fences_far(q->skeleton)) assume(q, ASSUMES_REMOTE_FENCE);
  if (q->program->uses_multimem) assume(q, ASSUMES_MULTIMEM);
  search_assume_hosts(q, assume);
  assume_text(q, ASSUMES_BEHIND, q->program->test->behind);
  assume_text(q, ASSUMES_GRID, q->program->test->cut);
  assume_text(q, ASSUMES_COMPILER, q->program->test->compiler);
  if (q->options->engine == ENGINE_ENUMERATE) search_enumerate(q);
  else search_sat(q);
  conclude(q);
  if (q->settled_for_sure || search_is_enough(q)) q->result->termination = TERMINATION_UNKNOWN;
  else search_endings(q);
}

static const char *progress_name(enum progress progress) {
  static const char *const names[] = {"fair", "hsa", "obe", "lobe"};
  return names[progress];
}

/* The reason, which names the limit if one was set. */
static const struct reason *lack_of_memory(const struct search *q) {
  const struct reason *reason = reason_get(REASON_OUT_OF_MEMORY);
  unsigned long long limit = memory_limit() >> 20;
  const char *text = limit ? arena_printf(q->kept, "%s (the limit is %llu MB)", reason->text, limit) : reason->text;
  return reason_of_size(q->kept, reason->id, text, q->program, 0.5);
}

/* Drops the parts of a result whose memory was freed; those in `kept` remain. */
static void forget_lost(struct search *q) {
  struct result *r = q->result;
  const struct result before = *r;
  *r = (struct result){.program = q->program, .model = q->model, .progress = r->progress};
  if (!search_collects(q)) return;
  memcpy(&r->findings, &before.findings, sizeof r->findings);
  memcpy(&r->raised, &before.raised, sizeof r->raised);
  memcpy(&r->assumes, &before.assumes, sizeof r->assumes);
  r->deadlock = before.deadlock;
  r->hang = before.hang;
  r->termination = before.termination;
}

/* Ends a search that jumped out: at the deadline, with partial results; or for a lack of memory. Findings stay. */
void search_end_at_limit(struct search *q, enum arena_end end) {
  struct result *r = q->result;
  if (end == ARENA_LATE) {
    r->vacuous = r->vacuous_known = false;
    search_give_up(q, lack_of_time(q), q->program->span);
  } else {
    if (!q->options->starves) arena_out_of_memory(q->arena);
    forget_lost(q);
    search_give_up(q, lack_of_memory(q), q->program->span);
  }
  if (q->options->termination && r->termination != TERMINATION_MAY_HANG) r->termination = TERMINATION_UNKNOWN;
}

static void check_once(struct arena *arena, const struct program *program, const struct model *model,
                       const struct check_options *options, double deadline, struct deeper *deeper,
                       struct result *result) {
  struct search *q = ARENA_NEW(arena, struct search);
  bool keeps = program_asks_safety(program);
  *result = (struct result){
      .program = program, .model = model, .verdict = VERDICT_FORBIDDEN, .progress = progress_name(options->progress)};
  *q = (struct search){.arena = arena,
                       .kept = keeps ? arena_scratch(arena) : arena,
                       .program = program,
                       .model = model,
                       .options = options,
                       .result = result,
                       .deadline = deadline,
                       .deeper = deeper};
  enum arena_end end = arena_within(arena, deadline, run_check, q);
  if (end != ARENA_DONE) search_end_at_limit(q, end);
  if (q->skeleton && q->skeleton->free.opaque) search_doubt(q);
  if (result->verdict == VERDICT_UNKNOWN) search_settle_for_sure(q);
}

static bool is_at_bound(const struct result *r) {
  return r->verdict == VERDICT_UNKNOWN && r->reason->id == REASON_BOUND;
}

static bool asks_more(const struct check_options *options, const struct result *r) {
  const bool known = r->bounded && r->verdict != VERDICT_UNKNOWN;
  const bool wanted = is_at_bound(r) || (known && (options->past_bound || !result_any(r)));
  return wanted && r->bound >= SKELETON_UNROLL && options->engine == ENGINE_SAT &&
         technique_on(options->shape.without, TECHNIQUE_DEEPER);
}

/* Asks open questions again with twice and four times the bound, which may cover all iterations or reach the state
 * asked for; also if no execution ends within the bound, whatever is known. Limits are counted in events, clauses and
 * the solver's work, so that the answer is the same in every run. A user who asked for fewer iterations than the
 * default gets no more. A small kernel whose loops are written out is read again. */
static void go_deeper(struct arena *arena, const struct check_options *options, double deadline, struct deeper *deeper,
                      struct result *result) {
  const struct program *program = result->program;
  const bool written = program->test->unrolled, rereads = options->again && program->test->whole <= MOST_TURNS_WHOLE;
  uint32_t unroll = 2 * result->bound, refused = 0;
  deeper->now = true;
  for (; unroll <= MOST_UNROLLED && asks_more(options, result); unroll *= 2) {
    struct check_options more = *options;
    struct result again;
    if (written && rereads) program = options->again(options->reader, (struct again){.unroll = unroll});
    else more.shape.unroll = unroll;
    if (!program) return;
    struct arena_mark mark = arena_mark(arena);
    check_once(arena, program, result->model, &more, deadline, deeper, &again);
    again.stats.variables += result->stats.variables;
    again.stats.clauses += result->stats.clauses;
    again.stats.solves += result->stats.solves;
    again.stats.witnesses += result->stats.witnesses;
    if (again.verdict == VERDICT_UNKNOWN && !is_at_bound(&again) && !refused) refused = unroll;
    bool better = again.verdict != VERDICT_UNKNOWN && (is_at_bound(result) || !again.bounded || result_any(&again));
    bool safety = program_asks_safety(result->program);
    if (safety && search_has_finding(result) != search_has_finding(&again)) better = search_has_finding(&again);
    if (better) *result = again;
    else arena_rewind(arena, mark);
  }
  if (!written || !is_at_bound(result)) return;
  const char *text = arena_printf(arena, "%s; --unroll %u may do", result->reason->text, refused ? refused : unroll);
  result->reason = reason_with(arena, REASON_BOUND, text);
}

uint64_t check_turns_work(const struct result *result) {
  const struct stats *stats = &result->stats;
  uint64_t work = LEAST_TURNS_WORK + stats->clauses / CLAUSES_A_CONFLICT + stats_conflicts(stats);
  return work < TURNS_WORK ? work : TURNS_WORK;
}

/* With the iterations that the verdict needed. */
static void judge_turns(struct arena *arena, const struct check_options *options, double deadline,
                        struct deeper *deeper, struct result *result) {
  struct search *q = ARENA_NEW(arena, struct search);
  struct check_options asked = *options;
  if (result->bound) asked.shape.unroll = result->bound;
  if (result->program->quantifier == LITMUS_SAFE && !asked.work) asked.work = check_turns_work(result);
  deeper->now = false;
  *q = (struct search){.arena = arena,
                       .kept = arena_scratch(arena),
                       .program = result->program,
                       .model = result->model,
                       .options = &asked,
                       .result = result,
                       .deadline = deadline,
                       .deeper = deeper};
  search_sequence(q);
}

static void keep_races(struct result *r) {
  VEC_KEEP(raised, &r->raised, search_is_race(raised->name));
  r->findings.len = 0;
}

/* Keeps the findings of a part of a launch that waits for none of the threads that are left out. If these run after it,
 * the part reads only its own values. What they add comes after all that the part does, in every order, and changes no
 * finding but a hang; of a beginning, whose threads go on, it changes all but races. */
static void judge_part(struct arena *arena, const struct program *part, const struct check_options *options,
                       double deadline, struct deeper *deeper, bool begins, struct result *result) {
  struct check_options asked = *options;
  struct result found;
  asked.part = true;
  deeper->now = false;
  check_once(arena, part, result->model, &asked, deadline, deeper, &found);
  found.deadlock.found = found.hang.found = false;
  found.termination = TERMINATION_UNKNOWN;
  if (begins) keep_races(&found);
  if (!search_has_finding(&found)) return;
  found.reason = result->reason;
  found.place = result->place;
  *result = found;
}

/* A launch with values that are not modelled, of threads without columns: these are left out. */
static void judge_late(struct arena *arena, const struct check_options *options, double deadline, struct deeper *deeper,
                       struct result *result) {
  struct check_options asked = *options;
  bool open = result->verdict == VERDICT_UNKNOWN && result->reason->id == REASON_OPAQUE_VALUE;
  if (!open || !result->program->test->late || result->program->host) return;
  asked.shape.late = true;
  judge_part(arena, result->program, &asked, deadline, deeper, false, result);
}

/* ---- parts of a launch that are asked about when all of it has no answer */

struct judged_part {
  const struct check_options *options;
  struct again how;
  const struct program *program;
};

static void read_part(void *context) {
  struct judged_part *part = context;
  part->program = part->options->again(part->options->reader, part->how);
}

static bool is_at_limit(const struct result *r) {
  return r->verdict == VERDICT_UNKNOWN && (r->reason->id == REASON_OUT_OF_MEMORY || r->reason->id == REASON_TIME_LIMIT);
}

enum { MOST_FEW_EVENTS = 1024 }; /* of some clusters: three of 900 events each took 80 s */

/* Its beginning, up to the first conflict; or all but the first two clusters and the last one are left out, or but one
 * and the last. Not at a limit, which the reading of the launch may have reached. */
static void judge_parts(struct arena *arena, const struct check_options *options, double deadline,
                        struct deeper *deeper, struct result *result) {
  static const struct {
    enum technique technique;
    struct again how;
  } parts[] = {{TECHNIQUE_PREFIX, {.prefix = true}}, {TECHNIQUE_FEW, {.blocks = 3}}, {TECHNIQUE_FEW, {.blocks = 2}}};
  const bool open = result->verdict == VERDICT_UNKNOWN || result->program->test->lacks;
  if (!open || is_at_limit(result) || !options->again || !program_asks_safety(result->program)) return;
  struct check_options asked = *options;
  ARRAY_EACH (p, parts, ARRAY_LEN(parts)) {
    asked.most_events = p->how.blocks ? MOST_FEW_EVENTS : 0;
    struct judged_part part = {options, p->how, NULL};
    if (search_has_finding(result) || base_is_late(deadline)) return;
    if (!technique_on(options->shape.without, p->technique)) continue;
    if (p->how.prefix && (!result->program->test->whole || options->engine != ENGINE_SAT)) continue;
    if (arena_within(arena, deadline, read_part, &part) == ARENA_DONE && part.program)
      judge_part(arena, part.program, &asked, deadline, deeper, p->how.prefix, result);
  }
}

void check(struct arena *arena, const struct program *program, const struct model *model,
           const struct check_options *options, struct result *result) {
  const double start = base_now(), deadline = base_deadline(options->timeout);
  const uint64_t before = arena_counted(arena);
  struct check_options asked = *options;
  struct deeper deeper = {0};
  if (program_asks_safety(program)) search_ask_safety(&asked);
  if (asked.known_safe) {
    *result = (struct result){.program = program, .model = model, .verdict = VERDICT_SAFE};
    if (program->test->lacks) search_judge_safety(arena, result);
  } else {
    check_once(arena, program, model, &asked, deadline, &deeper, result);
    go_deeper(arena, &asked, deadline, &deeper, result);
    judge_late(arena, &asked, deadline, &deeper, result);
    judge_parts(arena, &asked, deadline, &deeper, result);
    if (program_asks_safety(program)) search_judge_safety(arena, result);
  }
  result->stats.work = arena_counted(arena) - before;
  if (asked.sequence || program->quantifier == LITMUS_IN_TURNS) judge_turns(arena, &asked, deadline, &deeper, result);
  result->stats.ms = 1000 * (base_now() - start);
}

static void dump_clauses(struct ask *ask, struct text *out) {
  ask->keeps_clauses = true;
  if (ask_open(ask)) {
    encoder_describe(&ask->encoder, out);
    text_printf(out, "c %d the condition's predicate\n", ask_condition(ask));
    sat_dimacs(ask->sat, out);
  } else {
    text_printf(out, "c not encoded: %s\n", ask->refusal->text);
  }
  ask_close(ask);
}

void check_dump(struct arena *arena, const struct program *program, const struct model *model,
                const struct shape *shape, enum dump what, struct text *out) {
  /* Events are shown as the models that ship have them. */
  const struct skeleton_options options = {.shape = shape_under(*shape, model)};
  struct skeleton *skeleton = skeleton_build(arena, program, &options);
  if (model) skeleton_refuse_model(skeleton, model);
  struct ask ask = {.arena = arena, .model = model, .skeleton = skeleton};
  struct graph graph;
  if (skeleton->refusal) {
    text_printf(out, "// not modelled: %s\n", skeleton->refusal->text);
    return;
  }
  switch (what) {
    case DUMP_EVENTS: skeleton_dump(skeleton, out); return;
    case DUMP_BOUNDS:
      graph_init(&graph, arena, model, skeleton);
      graph_dump(&graph, out);
      return;
    case DUMP_CNF: dump_clauses(&ask, out); return;
  }
}

const char *check_solver(void) { return sat_signature(); }
