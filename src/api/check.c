/* Checks a test under a model and compares the result with the test's expectation. */

#include "api/session.h"

_Static_assert((int)PTXLIT_UNKNOWN == (int)VERDICT_UNKNOWN && (int)PTXLIT_UNDEFINED == (int)VERDICT_UNDEFINED &&
                   (int)PTXLIT_ALWAYS == (int)OBSERVATION_ALWAYS && (int)PTXLIT_NEVER == (int)OBSERVATION_NEVER &&
                   (int)PTXLIT_ENUMERATE == (int)ENGINE_ENUMERATE,
               "the public enumerations are the internal ones");

static void fill_facts(struct ptxlit *s, struct full_result *full) {
  const struct result *result = &full->result;
  struct ptxlit_result *facts = &full->facts;
  *facts = (struct ptxlit_result){
      .test = result->program->name,
      .model = result->model->name,
      .verdict = (enum ptxlit_verdict)result->verdict,
      .observation = (enum ptxlit_observation)result->observation,
      .launch = out_is_launch(result),
      .holds = result->holds,
      .vacuous = result->vacuous,
      .candidates = result->stats.candidates,
      .complete = result->complete,
      .positive = result->positive,
      .negative = result->negative,
      .expected = full->finding.expected,
      .as_expected = full->finding.as_expected,
      .outcomes = result->complete ? result->outcomes.len : 0,
  };
  if (!result->reason) return;
  struct text reason = {.arena = &s->input};
  out_reason(result, &reason);
  facts->reason = text_str(&reason);
}

/* The word for Expect= that the result meets, of the kind of the stated one. */
static const char *found_for(const struct expectation *wanted, const struct result *result) {
  enum expected_about about = expected_find(wanted->word)->about;
  const char *value = expect_found(result, about);
  for (size_t i = EXPECTED_COUNT; value && i-- > 0;)
    if (expected_rows[i].about == about && expected_is_met(&expected_rows[i], value)) return expected_rows[i].word;
  return about == ABOUT_TERMINATION ? "unknown" : verdict_name(result->verdict);
}

static void report_unmet(struct ptxlit *s, const struct expectation *wanted, const struct result *result) {
  if (wanted->span.source->typed) return;
  struct diagnostic *d =
      diag_report(&s->diags, DIAG_UNMET_EXPECTATION, wanted->span, "'%s' under '%s': expected %s, found %s",
                  result->program->name, result->model->name, wanted->word, found_for(wanted, result));
  bool of_safe = strcmp(wanted->word, "Safe") == 0 || strcmp(wanted->word, "Unsafe") == 0;
  if (of_safe && result->program->quantifier != LITMUS_SAFE)
    diag_hint(&s->diags, d, "a test is Safe or Unsafe only if its condition is 'safe'");
}

struct check_options session_check_options(const struct ptxlit *s) {
  const struct ptxlit_options *options = &s->options;
  return (struct check_options){
      .engine = (enum engine)options->engine,
      .shape = session_shape(options),
      .termination = options->termination,
      .progress = (enum progress)options->progress,
      .verdict_only = options->verdict_only,
      .count_executions = options->executions,
      .certify = options->certify,
      .races = options->races || options->count_races,
      .timeout = options->timeout,
      .max_outcomes = options->max_outcomes,
      .starves = true,
      .sequence = true,
  };
}

static enum ptxlit_status judge(struct ptxlit *s, struct full_result *full) {
  const struct result *result = &full->result;
  const struct input_test *test = session_test(s, full->test);
  const struct expectation *wanted = expect_find(&test->expectations, result->model->name);
  full->finding = (struct finding){
      .result = result,
      .warnings = &test->warnings,
      .expected = wanted ? wanted->word : NULL,
      .as_expected = !wanted || expect_met(wanted, result),
      .flags_checked = s->options.races,
      .flags_counted = s->options.count_races && !s->options.races,
  };
  fill_facts(s, full);
  if (!full->finding.as_expected) report_unmet(s, wanted, result);
  bool unknown = result->verdict == VERDICT_UNKNOWN;
  if (unknown && !(wanted && full->finding.as_expected)) return PTXLIT_NO_VERDICT;
  return full->finding.as_expected ? PTXLIT_OK : PTXLIT_UNMET;
}

/* A safe kernel with strong accesses: asks if it is sequential, of columns in which no such access is left out. */
static void check_turns(struct ptxlit *s, const struct input_test *test, const struct model *model,
                        const struct check_options *options, struct result *result) {
  struct check_options asked = *options;
  struct result turns;
  if (!search_lacks_turns(result)) return;
  if (test->program->test->whole > MOST_TURNS_WHOLE) { /* told before the time is spent */
    const char *text =
        arena_printf(&s->input, "the columns have %u instructions, and at most %d are asked if they are sequential",
                     test->program->test->whole, (int)MOST_TURNS_WHOLE);
    result->sequential_asked = true;
    result->sequential = SEQUENTIAL_UNKNOWN;
    result->sequential_reason = reason_with(&s->input, REASON_MANY_EVENTS, text);
    return;
  }
  const uint32_t unroll = result->program == test->program ? 0 : result->program->test->unrolled;
  const struct program *program = session_again(s, test, (struct again){.unroll = unroll, .turns = true});
  if (!program) return;
  asked.timeout = options->timeout > 0 ? base_left(base_deadline(options->timeout - result->stats.ms / 1000)) : 0;
  asked.work = check_turns_work(result);
  asked.known_safe = true;
  if (result->bound) asked.shape.unroll = result->bound;
  check(&s->input, program, model, &asked, &turns);
  result->stats.ms += turns.stats.ms;
  result->turns_program = program;
  result->sequential_asked = true;
  result->sequential = turns.sequential;
  result->cycle = turns.cycle;
  result->sequential_reason = turns.sequential == SEQUENTIAL_UNKNOWN ? turns.reason : NULL;
}

struct rereader {
  struct ptxlit *session;
  const struct input_test *test;
};

static const struct program *read_again(void *reader, struct again how) {
  const struct rereader *r = reader;
  return session_again(r->session, r->test, how);
}

void session_reread(struct ptxlit *s, const struct input_test *test, struct check_options *options) {
  options->again = read_again;
  options->reader = ARENA_MAKE(&s->input, struct rereader, s, test);
}

static enum ptxlit_status session_check(struct ptxlit *s, size_t test, size_t model, struct full_result *full) {
  struct check_options options = session_check_options(s);
  full->test = test;
  const struct expectation *wanted =
      expect_find(&session_test(s, test)->expectations, s->models.data[model].model->name);
  options.termination = options.termination || (wanted && expect_asks_for_ends(wanted));
  options.in_passing = s->options.count_races && !s->options.races && !s->options.certify;
  if (program_asks_safety(session_test(s, test)->program) && !s->options.certify)
    options.races = s->options.races; /* other flags are no findings */
  session_reread(s, session_test(s, test), &options);
  const struct program *program = session_test(s, test)->program;
  check(&s->input, program, s->models.data[model].model, &options, &full->result);
  check_turns(s, session_test(s, test), s->models.data[model].model, &options, &full->result);
  return judge(s, full);
}

enum ptxlit_status ptxlit_check(struct ptxlit *session, size_t test, size_t model,
                                const struct ptxlit_result **result) {
  *result = NULL;
  SESSION_WORK(session, "checking", test, model, 0);
  struct full_result *full = ARENA_NEW(&session->input, struct full_result);
  enum ptxlit_status status = session_check(session, test, model, full);
  *result = &full->facts;
  return status;
}
