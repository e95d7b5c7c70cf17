/* Checking tests: a result, and what the test expects. */
#include <string.h>

#include "out/out.h"
#include "session.h"

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
      .holds = result->holds,
      .vacuous = result->vacuous,
      .candidates = result->stats.candidates,
      .complete = result->complete,
      .positive = result->positive,
      .negative = result->negative,
      .expected = full->finding.expected,
      .as_expected = full->finding.as_expected,
  };
  if (!result->reason) return;
  struct text reason = {.arena = &s->input};
  out_reason(result, &reason);
  facts->reason = text_str(&reason);
}

static void report_unmet(struct ptxlit *s, const struct expectation *wanted, const struct result *result) {
  bool decided = result->verdict == VERDICT_ALLOWED || result->verdict == VERDICT_FORBIDDEN;
  bool holding = strcmp(wanted->word, "holds") == 0 || strcmp(wanted->word, "fails") == 0;
  const char *found = decided ? observation_name(result->observation) : verdict_name(result->verdict);
  if (decided && holding) found = result->holds ? "holds" : "fails";
  diag_report(&s->diags, DIAG_UNMET_EXPECTATION, wanted->span, "'%s' under '%s': expected %s, found %s",
              result->program->name, result->model->name, wanted->word, found);
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
      .flags_reason = full->flags_reason,
      .count_executions = s->options.executions,
  };
  fill_facts(s, full);
  if (!full->finding.as_expected) report_unmet(s, wanted, result);
  bool unknown = result->verdict == VERDICT_UNKNOWN;
  if (unknown && !(wanted && full->finding.as_expected)) return PTXLIT_NO_VERDICT;
  return full->finding.as_expected ? PTXLIT_OK : PTXLIT_UNMET;
}

/* What races told in passing may take: so many conflicts for each question, and a second; beyond these, so many times
 * what the verdict takes, the first attempt included. */
enum { FLAGS_EFFORT = 300 };
static const double flags_seconds = 1, flags_times = 2;

/* The flags by themselves, for no longer than that, when the verdict took `verdict` seconds and a first attempt
 * `spent`; why not, where they were not found. */
static const char *find_flags(struct ptxlit *s, struct full_result *full, struct check_options options, double verdict,
                              double spent) {
  static const char *const too_long = "looking for them takes much longer than the verdict";
  struct result flagged = {0};
  double most = flags_times * verdict - spent;
  if (most <= spent) return too_long;
  if (options.timeout == 0 || options.timeout > most) options.timeout = most;
  options.races = options.verdict_only = true;
  check(&s->input, full->result.program, full->result.model, &options, &flagged);
  if (flagged.verdict == VERDICT_UNKNOWN) return too_long;
  full->result.raised.data = flagged.raised.data;
  full->result.raised.len = flagged.raised.len;
  full->result.raised.cap = flagged.raised.cap;
  return NULL;
}

/* Where they were given up, and the verdict found all the same. */
static void find_flags_after_all(struct ptxlit *s, struct full_result *full, struct check_options options) {
  double spent = 1e-3 * full->result.flags_ms, verdict = 1e-3 * full->result.stats.ms - spent;
  bool known = full->result.verdict != VERDICT_UNKNOWN && full->result.verdict != VERDICT_UNDEFINED;
  if (options.timeout > 0) options.timeout -= verdict + spent;
  if (known && options.timeout >= 0) full->flags_reason = find_flags(s, full, options, verdict, spent);
}

/* Races that are told in passing must not cost the verdict, nor many times its time: where looking for them took long
 * or failed, and time is left, the verdict is found without them, and then they again. */
static void check_without_flags(struct ptxlit *s, struct full_result *full, struct check_options options,
                                bool is_short) {
  double spent = 1e-3 * full->result.stats.ms;
  struct result without = {0};
  bool late = is_short && full->result.verdict == VERDICT_UNKNOWN && full->result.reason->id == REASON_TIME_LIMIT;
  late |= is_short && full->result.termination == TERMINATION_UNKNOWN && spent >= flags_seconds;
  if ((!full->result.flags_failed && !late) || s->options.races) return;
  if (options.timeout > 0 && options.timeout < 1.1 * spent) return;
  if (options.timeout > 0) options.timeout -= spent;
  options.races = false;
  check(&s->input, full->result.program, full->result.model, &options, &without);
  if (without.verdict == VERDICT_UNKNOWN && !late) return;
  const char *reason = full->result.reason ? full->result.reason->text : NULL;
  full->result = without;
  bool again = late && without.verdict != VERDICT_UNKNOWN && without.verdict != VERDICT_UNDEFINED;
  if (options.timeout > 0) options.timeout -= 1e-3 * without.stats.ms;
  full->flags_reason = again ? find_flags(s, full, options, 1e-3 * without.stats.ms, flags_seconds) : reason;
}

enum ptxlit_status session_check(struct ptxlit *s, size_t test, size_t model, const struct full_result **result) {
  struct full_result *full = ARENA_NEW(&s->input, struct full_result);
  struct check_options options = session_check_options(s);
  full->test = test;
  struct check_options first = options;
  bool in_passing = s->options.count_races && !s->options.races && !s->options.certify;
  bool is_short = in_passing && (options.timeout == 0 || options.timeout > flags_seconds);
  if (is_short) first.timeout = flags_seconds;
  if (in_passing) first.races_effort = FLAGS_EFFORT;
  check(&s->input, session_test(s, test)->program, s->models.data[model].model, &first, &full->result);
  if (full->result.flags_unknown && full->result.verdict != VERDICT_UNKNOWN) find_flags_after_all(s, full, options);
  else check_without_flags(s, full, options, is_short);
  enum ptxlit_status status = judge(s, full);
  full->claims = session_claims(s, &full->result);
  *result = full;
  return status;
}

enum ptxlit_status ptxlit_check(struct ptxlit *session, size_t test, size_t model,
                                const struct ptxlit_result **result) {
  REQUIRE(test < session->tests.len && model < session->models.len);
  *result = NULL;
  session_begin_work(session, "checking", test, &session->models.data[model], 0);
  SESSION_WORK_GUARD(session);
  const struct full_result *full;
  enum ptxlit_status status = session_check(session, test, model, &full);
  *result = &full->facts;
  return status;
}
