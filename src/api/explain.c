/* Explanations of verdicts, fixes, races and comparisons: ptxlit_explain and its relatives. */
#include "explain/readings.h"
#include "out/explain.h"
#include "repair/strong.h"
#include "api/session.h"

struct check_options session_explaining(const struct ptxlit *s) {
  return (struct check_options){
      .shape = session_shape(&s->options), .timeout = s->options.timeout, .max_outcomes = s->options.max_outcomes};
}

const struct program *session_asked(struct ptxlit *s, size_t index, const char *state) {
  const struct input_test *test = session_test(s, index);
  if (!state) return test->program;
  const struct litmus_test *asked = explain_state(&s->input, test->names, &s->diags, test->ast, state);
  return asked ? lower(&s->input, test->names, &s->diags, asked, &test->lowering) : NULL;
}

void session_tell(struct ptxlit *s, size_t test, const struct program *program, const struct model *model,
                  const struct check_options *options, struct result *result, struct explanation *out) {
  explain(&s->input, program, model, options, result, out);
  const struct again how = {.turns = true};
  const struct program *turns = search_lacks_turns(result) ? session_again(s, session_test(s, test), how) : NULL;
  struct result *also = ARENA_NEW(&s->input, struct result);
  struct explanation told;
  if (!turns) return;
  explain(&s->input, turns, model, options, also, &told);
  if (also->verdict != VERDICT_WEAK && also->verdict != VERDICT_SEQUENTIAL) return;
  *out = told;
  out->kind = EXPLAIN_SAFE;
  *result = *also;
  result->verdict = VERDICT_SAFE;
  out->result = result;
}

/* How often GPUs showed the state explained; NULL without results. */
static const char *seen_of(struct ptxlit *s, size_t test, const struct program *program) {
  const struct seen_test *seen = session_seen(s, test);
  uint64_t count;
  bool claims = program->quantifier != LITMUS_FORALL;
  if (!seen || !judge_met(&s->input, program, seen, claims, &count)) return NULL;
  return judge_phrase(&s->input, seen, count);
}

const struct explanation *session_explain(struct ptxlit *s, size_t test, size_t model, const char *state) {
  struct check_options options = session_explaining(s);
  struct result *result = ARENA_NEW(&s->input, struct result);
  struct explanation *explanation = ARENA_NEW(&s->input, struct explanation);
  const struct program *program = session_asked(s, test, state);
  if (!program) return NULL;
  if (!state) session_reread(s, session_test(s, test), &options);
  session_tell(s, test, program, s->models.data[model].model, &options, result, explanation);
  explain_gaps(&s->input, &options, base_deadline(options.timeout), explanation);
  explanation->seen = seen_of(s, test, program);
  return explanation;
}

enum ptxlit_status ptxlit_explain(struct ptxlit *session, size_t test, size_t model, const char *state,
                                  enum ptxlit_format format, const char **text) {
  *text = NULL;
  SESSION_WORK(session, "explaining", test, model, 2);
  struct text out = {.arena = &session->input};
  const struct explanation *explanation = session_explain(session, test, model, state);
  if (!explanation) return PTXLIT_BAD_INPUT;
  if (format == PTXLIT_JSON) out_explanation_json(explanation, &out);
  else out_explanation(explanation, &out);
  *text = text_tame(&out);
  return explanation->kind == EXPLAIN_UNKNOWN ? PTXLIT_NO_VERDICT : PTXLIT_OK;
}

static const struct program *remake(void *state, struct arena *arena, const struct kernel_edit *edits, uint32_t count,
                                    enum fix_question question) {
  return session_edited(state, arena, edits, count, question);
}

/* `like`: another run of the test; NULL: there is none. */
static struct fix_input input_of(struct ptxlit *s, size_t test, size_t model, const struct check_options *options,
                                 struct halvings by, const struct session_edits *like) {
  struct session_edits *edits = ARENA_NEW(&s->input, struct session_edits);
  struct kernel_lines *lines = ARENA_NEW(&s->input, struct kernel_lines);
  *edits = (struct session_edits){.session = s, .by = by, .deadline = base_deadline(options->timeout)};
  if (like) edits->deadline = like->deadline;
  edits->modules = like ? like->modules : ARENA_NEW(&s->input, struct kernel_modules);
  const uint64_t before = s->input.work;
  const struct input_test *read = edits->test = session_whole_test(edits, test, like, lines);
  bool whole = read != session_test(s, test); /* else no module was read */
  return (struct fix_input){.remake = whole ? remake : NULL,
                            .remaker = edits,
                            .read_work = s->input.work - before,
                            .lines = lines,
                            .test = read->ast,
                            .program = read->program,
                            .lowering = &read->lowering,
                            .names = read->names,
                            .model = s->models.data[model].model,
                            .options = options};
}

/* Checks a program as the user does, for a search that begins from the finding that this shows. `test`: the program is
 * that of this test, and may be read again; NULL: it is a smaller run. */
static void see(struct ptxlit *s, const struct program *program, const struct input_test *test,
                struct fix_input *input) {
  struct check_options options = session_check_options(s);
  struct result *shown = ARENA_NEW(&s->input, struct result);
  const struct session_edits *edits = input->remaker;
  options.sequence = options.certify = options.termination = false;
  options.timeout = base_left(edits->deadline);
  if (test) session_reread(s, test, &options);
  check(&s->input, program, input->model, &options, shown);
  input->shown = shown;
}

/* ---- A smaller run of a launch */

static uint32_t reach_of(const struct result *r, const struct safety_finding *f) {
  return f->pairs ? groups_far(r->program, f->far_a, f->far_b) : 0;
}

/* True if the run shows the first finding of the launch, between threads as far apart, and none that the launch does
 * not have. */
static bool shows_same(const struct result *launch, const struct result *run) {
  bool first = false;
  VEC_EACH (finding, &run->findings) {
    bool known = SOME(VEC_EACH (other, &launch->findings), groups_same_finding(launch, other, run, finding));
    first = first || (groups_same_finding(launch, &launch->findings.data[0], run, finding) &&
                      reach_of(launch, &launch->findings.data[0]) == reach_of(run, finding));
    if (!known) return false;
  }
  return run->verdict == VERDICT_UNSAFE && first;
}

/* Halves the run once more in this way if it still shows the finding. */
static bool halve_more(struct ptxlit *s, struct fix_input *launch, struct halvings more, struct fix_input *run) {
  const uint64_t before = s->input.work;
  const struct program *program = session_smaller(launch->remaker, &more);
  launch->spent += s->input.work - before;
  struct fix_input smaller = *launch;
  if (!program) return false;
  see(s, program, NULL, &smaller);
  launch->spent += fix_work(&smaller.shown->stats);
  if (!shows_same(launch->shown, smaller.shown)) return false;
  *run = smaller;
  return true;
}

/* A run with half of the blocks and threads, as often as it shows the finding of a launch that takes long to check, or
 * so long to read that a few more readings are worth it. False: the launch itself. */
static bool find_smaller(struct ptxlit *s, size_t test, size_t model, struct fix_input *launch, struct fix_input *out) {
  enum { LITTLE_WORK = 300000, LONG_READING = 1500000 };
  struct halvings by = {0};
  struct fix_input run = *launch;
  uint64_t work = fix_work(&launch->shown->stats);
  if ((work < LITTLE_WORK && launch->read_work < LONG_READING) || launch->shown->verdict != VERDICT_UNSAFE ||
      !launch->shown->findings.len)
    return false;
  while (halve_more(s, launch, (struct halvings){by.grid + 1, by.block}, &run)) by.grid++;
  while (halve_more(s, launch, (struct halvings){by.grid, by.block + 1}, &run)) by.block++;
  if (!by.grid && !by.block) return false;
  *out = input_of(s, test, model, launch->options, by, launch->remaker);
  out->shown = run.shown;
  out->asked = launch->remaker;
  out->whole_work = launch->read_work + work;
  out->spent = launch->spent + out->whole_work;
  return out->remake != NULL;
}

static enum ptxlit_status fix_status(const struct fixes *fixes) {
  bool unknown = fixes->outcome == FIX_UNDECIDED && fixes->result->verdict == VERDICT_UNKNOWN;
  return unknown || fixes->outcome == FIX_NOT_FOUND ? PTXLIT_NO_VERDICT : PTXLIT_OK;
}

enum ptxlit_status ptxlit_fix(struct ptxlit *session, size_t test, size_t model, const struct ptxlit_fix_options *ask,
                              enum ptxlit_format format, const char **text) {
  *text = NULL;
  SESSION_WORK(session, "fixing", test, model, 2);
  struct check_options options = session_explaining(session);
  const double deadline = base_deadline(options.timeout);
  struct fix_input input = input_of(session, test, model, &options, (struct halvings){0}, NULL), run;
  struct fixes fixes = {0};
  struct text out = {.arena = &session->input};
  input.races = ask->races;
  input.changes = ask->changes;
  if (input.remake && !ask->weaken && !ask->races && program_asks_safety(input.program)) {
    see(session, session_test(session, test)->program, session_test(session, test), &input);
    if (find_smaller(session, test, model, &input, &run)) {
      run.changes = ask->changes;
      options.timeout = base_left(deadline);
      fix_find(&session->input, &run, false, &fixes);
      input.spent = fixes.work;
      input.latest = fixes.latest;
    }
  }
  options.timeout = base_left(deadline);
  if (!fixes.ways.len && !fixes.over) fix_find(&session->input, &input, ask->weaken, &fixes);
  if (format == PTXLIT_JSON) out_fixes_json(&fixes, ask->ways, &out);
  else out_fixes(&fixes, ask->ways, &out);
  *text = text_tame(&out);
  return fix_status(&fixes);
}

/* The work is mostly that of a second or two; the time, in seconds, is for the rare check that is harder. */
enum { CURE_WORK = 4000000, CURE_TIME = 5 };

enum ptxlit_status ptxlit_cure(struct ptxlit *session, const struct ptxlit_result *result, size_t model,
                               const char **text) {
  struct full_result *full = (struct full_result *)result; /* its first member */
  *text = NULL;
  if (result->verdict != PTXLIT_UNSAFE) return PTXLIT_OK;
  SESSION_WORK(session, "fixing", full->test, model, 2);
  struct check_options options = session_explaining(session);
  struct fix_input input = input_of(session, full->test, model, &options, (struct halvings){0}, NULL);
  struct fixes *fixes = ARENA_NEW(&session->input, struct fixes);
  struct text out = {.arena = &session->input};
  const double left = options.timeout > 0 ? options.timeout - full->result.stats.ms / 1000 : CURE_TIME;
  options.timeout = left > CURE_TIME ? CURE_TIME : left > 1e-3 ? left : 1e-3;
  input.work = CURE_WORK;
  input.changes = 1;
  input.shown = &full->result;
  *fixes = (struct fixes){.outcome = FIX_NOT_FOUND, .limit = "the check itself took long", .result = &full->result};
  if (fix_work(&full->result.stats) < CURE_WORK / 2) fix_find(&session->input, &input, false, fixes);
  full->finding.cure = fixes;
  out_cure(fixes, &out);
  *text = text_tame(&out);
  return fix_status(fixes);
}

enum ptxlit_status ptxlit_races(struct ptxlit *session, size_t test, size_t model, enum ptxlit_format format,
                                const char **text) {
  *text = NULL;
  SESSION_WORK(session, "looking for races in", test, model, 1.1);
  struct check_options options = session_explaining(session);
  struct races races;
  struct text out = {.arena = &session->input};
  struct fix_input input = input_of(session, test, model, &options, (struct halvings){0}, NULL);
  races_find(&session->input, input.program, input.model, &options, &races);
  races_try_strong(&session->input, &input, &races);
  if (format == PTXLIT_JSON) out_races_json(&races, &out);
  else out_races(&races, &out);
  *text = text_tame(&out);
  return races.incomplete ? PTXLIT_NO_VERDICT : PTXLIT_OK;
}

static enum ptxlit_status comparison_status(const struct comparison *comparison) {
  for (uint32_t m = 0; m < comparison->model_count; m++)
    if (comparison->results[m].verdict == VERDICT_UNKNOWN) return PTXLIT_NO_VERDICT;
  return PTXLIT_OK;
}

enum ptxlit_status ptxlit_compare(struct ptxlit *session, size_t test, enum ptxlit_format format, const char **text) {
  REQUIRE(session->models.len > 0);
  *text = NULL;
  SESSION_WORK(session, "comparing", test, NO_MODEL, 2.0 * session->models.len + 4);
  struct check_options options = session_explaining(session);
  uint32_t count = session->models.len;
  const struct model **models = ARENA_ARRAY(&session->input, const struct model *, count);
  struct comparison comparison;
  struct text out = {.arena = &session->input};
  for (uint32_t i = 0; i < count; i++) models[i] = session->models.data[i].model;
  compare_models(&session->input, session_test(session, test)->program, models, count, &options, &comparison);
  if (format == PTXLIT_JSON) out_comparison_json(&comparison, &out);
  else out_comparison(&comparison, &out);
  *text = text_tame(&out);
  return comparison_status(&comparison);
}

/* ---- Readings ---- */

static void tell_set(const struct model *model, const struct decisive_readings *decisive, bool first,
                     struct text *out) {
  const struct result *result = &decisive->result;
  bool unknown = result->verdict == VERDICT_UNKNOWN;
  uint32_t before = 0;
  text_printf(out, "%s%s", first ? ", " : "; ", unknown ? "not known with " : first ? "rests on " : "on ");
  for (uint32_t i = 0; i < model->readings.len; i++)
    if (decisive->set >> i & 1) text_printf(out, "%s%s", before++ ? " with " : "", model->readings.data[i].name);
  if (!unknown) text_printf(out, " (%s %s)", verdict_name(result->verdict), observation_name(result->observation));
}

enum ptxlit_status ptxlit_readings(struct ptxlit *session, size_t test, size_t model, const char **text) {
  *text = NULL;
  SESSION_WORK(session, "comparing readings of", test, model, 1);
  const struct model *asked = session->models.data[model].model;
  struct check_options options = session_explaining(session);
  struct result result = {0};
  struct readings readings;
  struct text out = {.arena = &session->input};
  options.verdict_only = true;
  check(&session->input, session_test(session, test)->program, asked, &options, &result);
  readings_find(&session->input, &options, base_deadline(options.timeout), &result, false, &readings);
  text_printf(&out, "Test %s %s %s %s", result.program->name, asked->name, verdict_name(result.verdict),
              observation_name(result.observation));
  for (uint32_t i = 0; i < readings.sets.len; i++) tell_set(asked, &readings.sets.data[i], i == 0, &out);
  text_add(&out, readings.too_many        ? "; the model has more readings than can be tried\n"
                 : readings.sets.len == 0 ? ", under every reading\n"
                                          : "\n");
  *text = text_tame(&out);
  return result.verdict == VERDICT_UNKNOWN ? PTXLIT_NO_VERDICT : PTXLIT_OK;
}
