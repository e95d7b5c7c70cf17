#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/litmus.h"
#include "kernel/kernel.h"
#include "nvlitmus/nvlitmus.h"
#include "out/out.h"
#include "ptx/lower.h"
#include "search/check.h"
#include "session.h"

const char *ptxlit_version(void) { return PTXLIT_VERSION; }
const char *ptxlit_edition(void) { return "PTX ISA 9.4"; }
const char *ptxlit_solver(void) { return check_solver(); }

enum ptxlit_status ptxlit_worse(enum ptxlit_status a, enum ptxlit_status b) {
  static const int rank[] = {[PTXLIT_OK] = 0, [PTXLIT_UNMET] = 1, [PTXLIT_NO_VERDICT] = 2, [PTXLIT_BAD_INPUT] = 3};
  REQUIRE((size_t)a < ARRAY_LEN(rank) && (size_t)b < ARRAY_LEN(rank));
  return rank[a] >= rank[b] ? a : b;
}

const char *ptxlit_nearest(const char *word, const char *const *candidates, size_t count) {
  return nearest_word(word, candidates, count);
}

/* ---- the session */

struct ptxlit *ptxlit_new(void) {
  struct ptxlit *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  arena_init(&s->session, &s->oom);
  arena_init(&s->input, &s->oom);
  arena_init(&s->latest, &s->oom);
  diags_init(&s->diags, &s->latest);
  s->options = ptxlit_defaults();
  return s;
}

void ptxlit_free(struct ptxlit *session) {
  if (!session) return;
  arena_release(&session->latest);
  arena_release(&session->input);
  arena_release(&session->session);
  free(session);
}

struct ptxlit_options ptxlit_defaults(void) {
  return (struct ptxlit_options){.engine = PTXLIT_SAT};
}

void ptxlit_set_options(struct ptxlit *session, const struct ptxlit_options *options) { session->options = *options; }

void session_begin(struct ptxlit *s) {
  arena_release(&s->latest);
  diags_init(&s->diags, &s->latest);
  s->limit[0] = '\0';
  s->work = (struct session_work){0};
  arena_set_deadline(&s->input, 0);
}

/* Without allocating: there may be nothing left. */
enum ptxlit_status session_limit(struct ptxlit *s) {
  const struct session_work *work = &s->work;
  char why[64] = "out of memory";
  if (s->input.late) snprintf(why, sizeof why, "the time limit of %g s was reached", work->seconds);
  arena_set_deadline(&s->input, 0);
  if (!work->name) snprintf(s->limit, sizeof s->limit, "ptxlit: error: %s\n", why);
  else
    snprintf(s->limit, sizeof s->limit, "ptxlit: error: %s while %s '%.100s'%s%.100s%s\n", why, work->what, work->name,
             work->model ? " under '" : "", work->model ? work->model : "", work->model ? "'" : "");
  return PTXLIT_NO_VERDICT;
}

void session_begin_work(struct ptxlit *s, const char *what, size_t test, const struct loaded *model, double times) {
  session_begin(s);
  s->work = (struct session_work){.what = what,
                                  .name = s->tests.data[test].program->name,
                                  .model = model ? model->model->name : NULL,
                                  .mark = arena_mark(&s->input),
                                  .seconds = s->options.timeout};
  arena_set_deadline(&s->input, base_deadline(times * s->options.timeout));
}

/* The mark is younger than the tests, so they stay; a hash may be older or not, and is made again. */
enum ptxlit_status session_abandon(struct ptxlit *s) {
  for (uint32_t i = 0; i < s->tests.len; i++) s->tests.data[i].hash = NULL;
  session_limit(s);
  arena_rewind(&s->input, s->work.mark);
  return PTXLIT_NO_VERDICT;
}

static const char out_of_memory_text[] = "ptxlit: error: out of memory\n";

const char *ptxlit_messages(struct ptxlit *session, bool colour) {
  if (session->limit[0]) return session->limit;
  SESSION_GUARD(session, out_of_memory_text);
  struct text text;
  text_init(&text, &session->latest);
  diags_render(&session->diags, &text, colour);
  return text_str(&text);
}

enum source_status session_open(struct arena *arena, const char *path, struct source *out) {
  enum source_status status = source_read(arena, path, out);
  if (status == SOURCE_UNREADABLE && errno == ENOMEM) arena_out_of_memory(arena);
  return status;
}

const struct source *session_read(struct ptxlit *s, struct arena *arena, const char *path) {
  struct source *source = ARENA_NEW(arena, struct source);
  static const struct span nowhere = {0};
  char why[256] = "";
  switch (session_open(arena, path, source)) {
    case SOURCE_OK: return source;
    case SOURCE_TOO_LARGE:
      diag_report(&s->diags, DIAG_UNREADABLE, nowhere, "cannot read '%s': it is larger than %d MB", source->name,
                  SOURCE_LIMIT / (1024 * 1024));
      return NULL;
    case SOURCE_UNREADABLE:
      if (strerror_r(errno, why, sizeof why)) why[0] = '\0';
      diag_report(&s->diags, DIAG_UNREADABLE, nowhere, "cannot read '%s': %s", source->name, why);
      return NULL;
  }
  BUG("no such status of source_read");
}

/* ---- names seen */

/* Notes the test's name, and reports it when it was there before. */
static void note_name(struct ptxlit *s, struct diags *diags, const struct litmus_test *test) {
  uint64_t hash = hash_bytes(test->name, strlen(test->name));
  HASH_EACH (i, &s->seen_index, hash) {
    const struct seen *first = &s->seen.data[i];
    if (strcmp(first->name, test->name) != 0) continue;
    diag_report(diags, DIAG_DUPLICATE_TEST, test->name_span, "a second test named '%s'; the first one is at %s:%u:%u",
                test->name, first->file, first->at.line, first->at.column);
    return;
  }
  const char *name = arena_strdup(&s->session, test->name), *file = arena_strdup(&s->session, test->source->name);
  struct seen seen = {name, file, source_position(test->source, test->name_span.begin)};
  VEC_PUSH(&s->session, &s->seen, seen);
  hash_add(&s->session, &s->seen_index, hash, s->seen.len - 1);
}

/* ---- reading */

/* A name that no model has is most often a misspelling, and what it expects would be compared with nothing. */
static void check_models(struct ptxlit *s, struct diags *diags, const struct expectations *expectations) {
  for (uint32_t i = 0; i < expectations->list.len; i++) {
    const struct expectation *wanted = &expectations->list.data[i];
    const char *near;
    if (session_knows_model(s, wanted->model, &near)) continue;
    struct diagnostic *d = diag_report(diags, DIAG_UNUSED_EXPECTATION, wanted->span,
                                       "there is no model '%s' to expect anything of", wanted->model);
    if (near) diag_hint(diags, d, "did you mean '%s'?", near);
  }
}

/* What is wrong comes to `diags`. False when something is: then it is no test of the input. */
static bool add_test(struct ptxlit *s, struct diags *diags, struct intern *names, const struct litmus_test *ast) {
  struct input_test test = {.ast = ast, .names = names};
  uint32_t before = diags->errors;
  if (!s->options.same_names) note_name(s, diags, ast);
  expect_read(&s->input, diags, ast, &test.expectations);
  check_models(s, diags, &test.expectations);
  struct lower_options options = {.all_state = s->options.all_state,
                                  .implicit_locations = s->options.implicit_locations,
                                  .dat3m_barriers = s->options.dat3m_dialect};
  test.lowering = options;
  test.program = lower(&s->input, names, diags, ast, &options);
  bool right = test.program && diags->errors == before;
  if (right) VEC_PUSH(&s->input, &s->tests, test);
  return right;
}

/* Commands of a row that have the same wrong in them say it once. */
static void add_row(struct ptxlit *s, struct intern *names, const struct nvlitmus_row *row) {
  for (uint32_t i = 0; i < row->tests.len; i++) {
    struct diags own;
    diags_init(&own, &s->latest);
    add_test(s, &own, names, row->tests.data[i]);
    diags_add(row->diags, &own);
  }
  diags_add(&s->diags, row->diags);
  if (!row->diags->errors) return;
  struct text text;
  text_init(&text, &s->input);
  diags_render(row->diags, &text, false);
  VEC_PUSH(&s->input, &s->wrong_rows, (struct wrong_row){row->line, text_str(&text)});
}

static void add_tests(struct ptxlit *s, struct intern *names, const struct source *source) {
  struct nvlitmus_tests tests = {0};
  if (!nvlitmus_is(source)) {
    struct litmus_test *test = litmus_parse(&s->input, names, &s->diags, source);
    if (test && kernel_expand(&s->input, names, &s->diags, test)) add_test(s, &s->diags, names, test);
    return;
  }
  nvlitmus_parse(&s->input, names, &s->diags, source, &tests);
  for (uint32_t i = 0; i < tests.rows.len; i++) add_row(s, names, &tests.rows.data[i]);
}

static enum ptxlit_status read_source(struct ptxlit *s, const struct source *source) {
  struct intern *names = ARENA_NEW(&s->input, struct intern);
  intern_init(names, &s->input);
  add_tests(s, names, source);
  arena_set_deadline(&s->input, 0);
  return s->tests.len && !s->diags.errors ? PTXLIT_OK : PTXLIT_BAD_INPUT;
}

static void forget_input(struct ptxlit *s) {
  memset(&s->tests, 0, sizeof s->tests);
  memset(&s->wrong_rows, 0, sizeof s->wrong_rows);
  arena_release(&s->input);
}

static void begin_reading(struct ptxlit *s, const char *name) {
  session_begin(s);
  forget_input(s);
  s->work = (struct session_work){.what = "reading", .name = name, .seconds = s->options.timeout};
  arena_set_deadline(&s->input, base_deadline(s->options.timeout));
}

/* When memory or time runs out half way, there is no test. */
static enum ptxlit_status stop_reading(struct ptxlit *s) {
  session_limit(s);
  forget_input(s);
  return PTXLIT_NO_VERDICT;
}

enum ptxlit_status ptxlit_read_file(struct ptxlit *session, const char *path) {
  begin_reading(session, path);
  if (setjmp(session->oom)) return stop_reading(session);
  const struct source *source = session_read(session, &session->input, path);
  return source ? read_source(session, source) : PTXLIT_BAD_INPUT;
}

enum ptxlit_status ptxlit_read_text(struct ptxlit *session, const char *name, const char *text, size_t length) {
  begin_reading(session, name);
  if (setjmp(session->oom)) return stop_reading(session);
  if (length > SOURCE_LIMIT) {
    diag_report(&session->diags, DIAG_UNREADABLE, (struct span){0}, "cannot read '%s': it is larger than %d MB", name,
                SOURCE_LIMIT / (1024 * 1024));
    return PTXLIT_BAD_INPUT;
  }
  struct source *source = ARENA_NEW(&session->input, struct source);
  *source = source_from_text(arena_strdup(&session->input, name), arena_strndup(&session->input, text, length), length);
  return read_source(session, source);
}

size_t ptxlit_wrong_count(const struct ptxlit *session) { return session->wrong_rows.len; }

uint32_t ptxlit_wrong_line(const struct ptxlit *session, size_t row) {
  REQUIRE(row < session->wrong_rows.len);
  return session->wrong_rows.data[row].line;
}

const char *ptxlit_wrong_messages(const struct ptxlit *session, size_t row) {
  REQUIRE(row < session->wrong_rows.len);
  return session->wrong_rows.data[row].messages;
}

size_t ptxlit_test_count(const struct ptxlit *session) { return session->tests.len; }

const char *ptxlit_test_name(const struct ptxlit *session, size_t test) {
  REQUIRE(test < session->tests.len);
  return session->tests.data[test].program->name;
}

uint32_t ptxlit_test_line(const struct ptxlit *session, size_t test) {
  REQUIRE(test < session->tests.len);
  const struct program *program = session->tests.data[test].program;
  return source_position(program->source, program->span.begin).line;
}

/* ---- checking */

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
      .expected = full->report.expected,
      .as_expected = full->report.as_expected,
  };
  if (!result->reason) return;
  struct text reason;
  text_init(&reason, &s->input);
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

static struct check_options check_options(const struct ptxlit_options *options) {
  return (struct check_options){
      .engine = (enum engine)options->engine,
      .unroll = options->unroll,
      .barrier_users = options->barrier_users,
      .termination = options->termination,
      .progress = (enum progress)options->progress,
      .verdict_only = options->verdict_only,
      .count_executions = options->count_executions,
      .certify = options->certify,
      .races = options->races || options->count_races,
      .timeout = options->timeout,
      .max_outcomes = options->max_outcomes,
      .starves = true,
  };
}

static enum ptxlit_status judge(struct ptxlit *s, struct full_result *full) {
  const struct result *result = &full->result;
  const struct input_test *test = &s->tests.data[full->test];
  const struct expectation *wanted = expect_find(&test->expectations, result->model->name);
  full->report = (struct report){
      .result = result,
      .expected = wanted ? wanted->word : NULL,
      .as_expected = !wanted || expect_met(wanted, result),
      .flags_checked = s->options.races,
      .flags_counted = s->options.count_races && !s->options.races,
      .flags_reason = full->flags_reason,
      .count_executions = s->options.count_executions,
  };
  fill_facts(s, full);
  if (!full->report.as_expected) report_unmet(s, wanted, result);
  bool unknown = result->verdict == VERDICT_UNKNOWN;
  if (unknown && !(wanted && full->report.as_expected)) return PTXLIT_NO_VERDICT;
  return full->report.as_expected ? PTXLIT_OK : PTXLIT_UNMET;
}

/* Races that are told in passing must not cost the verdict: where looking for flags failed, and time is left, it is
 * found without them. */
static void check_without_flags(struct ptxlit *s, struct full_result *full, struct check_options options) {
  double spent = 1e-3 * full->result.stats.ms;
  struct result without = {0};
  if (!full->result.flags_failed || s->options.races) return;
  if (options.timeout > 0 && options.timeout < 1.1 * spent) return;
  if (options.timeout > 0) options.timeout -= spent;
  options.races = false;
  check(&s->input, full->result.program, full->result.model, &options, &without);
  if (without.verdict == VERDICT_UNKNOWN) return;
  full->flags_reason = full->result.reason;
  full->result = without;
}

enum ptxlit_status session_check(struct ptxlit *s, size_t test, size_t model, const struct full_result **result) {
  struct full_result *full = ARENA_NEW(&s->input, struct full_result);
  struct check_options options = check_options(&s->options);
  full->test = test;
  check(&s->input, s->tests.data[test].program, s->models.data[model].model, &options, &full->result);
  check_without_flags(s, full, options);
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

/* ---- text */

static bool waits_for_all(const struct instr *instr) {
  const struct barrier *barrier = instr->kind == INSTR_BARRIER ? instr->barrier : NULL;
  return barrier && barrier->kind == BARRIER_CTA && barrier->count.kind == OPERAND_NONE;
}

/* Whether it matters to the test who a barrier without a count waits for. */
static bool has_open_barrier(const struct program *program) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++)
      if (waits_for_all(&program->threads[t].instrs[i])) return true;
  return false;
}

/* FNV-1a over 128 bits, then a few steps that spread the last bytes over the whole. It must stay as it is, since logs
 * are compared by the hash of a test. */
static value_t hash_text(const char *text, size_t length) {
  const value_t prime = (value_t)1 << 88 | 0x13b;
  value_t hash = (value_t)0x6c62272e07bb0142u << 64 | 0x62b821756295c58du;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * prime;
  for (int i = 0; i < 3; i++) hash = (hash ^ hash >> 61) * ((value_t)0x9e3779b97f4a7c15u << 64 | 0xf39cc0605cedc835u);
  return hash ^ hash >> 64;
}

/* Of the canonical text without name, quoted text and keys: what the test does, not what it is called. */
static const char *test_hash(struct ptxlit *s, struct input_test *test) {
  if (test->hash && test->hash_users == s->options.barrier_users) return test->hash;
  struct litmus_test bare = *lower_canonical(&s->input, test->ast, &test->lowering);
  bare.name = "";
  bare.docs = NULL;
  bare.keys = NULL;
  struct text text;
  text_init(&text, &s->input);
  litmus_print(&bare, &text);
  if (s->options.barrier_users && has_open_barrier(test->program)) text_add(&text, "barriers wait for their users\n");
  value_t hash = hash_text(text_str(&text), text.len);
  test->hash = arena_printf(&s->input, "%016llx%016llx", (unsigned long long)(hash >> 64), (unsigned long long)hash);
  test->hash_users = s->options.barrier_users;
  return test->hash;
}

const char *ptxlit_render(struct ptxlit *session, const struct ptxlit_result *result, enum ptxlit_format format) {
  REQUIRE(result);
  SESSION_GUARD(session, NULL);
  const struct full_result *full = (const struct full_result *)result;
  REQUIRE(full->test < session->tests.len);
  struct report report = full->report;
  struct text text;
  text_init(&text, &session->input);
  switch (format) {
    case PTXLIT_TEXT:
      report.hash = test_hash(session, &session->tests.data[full->test]);
      out_text(&report, &text);
      break;
    case PTXLIT_JSON:
      report.hash = test_hash(session, &session->tests.data[full->test]);
      out_json(&report, &text);
      break;
    case PTXLIT_QUIET: out_quiet(&report, &text); break;
    case PTXLIT_SUMMARY: out_summary(&report, &text); break;
  }
  return text_str(&text);
}

static void print_test(struct ptxlit *s, const struct input_test *test, struct text *out) {
  litmus_print(lower_canonical(&s->input, test->ast, &test->lowering), out);
}

const char *ptxlit_dump(struct ptxlit *session, size_t test, size_t model, enum ptxlit_dump what) {
  bool needs_model = what != PTXLIT_DUMP_AST && what != PTXLIT_DUMP_EVENTS, needs_test = what != PTXLIT_DUMP_MODEL;
  REQUIRE(!needs_test || test < session->tests.len);
  REQUIRE(!needs_model || model < session->models.len);
  SESSION_GUARD(session, NULL);
  const struct program *program = needs_test ? session->tests.data[test].program : NULL;
  const struct model *graph = needs_model ? session->models.data[model].model : NULL;
  struct text text;
  text_init(&text, needs_test ? &session->input : &session->latest);
  switch (what) {
    case PTXLIT_DUMP_AST: print_test(session, &session->tests.data[test], &text); break;
    case PTXLIT_DUMP_MODEL: model_dump(graph, &text); break;
    case PTXLIT_DUMP_EVENTS: check_dump(&session->input, program, graph, DUMP_EVENTS, &text); break;
    case PTXLIT_DUMP_BOUNDS: check_dump(&session->input, program, graph, DUMP_BOUNDS, &text); break;
    case PTXLIT_DUMP_CNF: check_dump(&session->input, program, graph, DUMP_CNF, &text); break;
  }
  return text_str(&text);
}
