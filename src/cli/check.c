/* ptxlit check: the default verb. */

#include "base/text.h"
#include "cli/run.h"
#include "suite/suite.h"

static enum ptxlit_format output_format(const struct run *run) {
  bool quiet = run->options->set[OPT_QUIET].given || run->options->set[OPT_VERDICT_ONLY].given;
  return quiet && run_format(run) == PTXLIT_TEXT ? PTXLIT_QUIET : run_format(run);
}

static void write_piece(void *context, const char *data, size_t size) { run_write(context, data, size); }

/* In the order of the words of --format. */
enum check_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_HERD, FORMAT_SARIF, FORMAT_GITHUB };

static enum check_format check_format(const struct run *run) {
  return (enum check_format)run->options->set[OPT_CHECK_FORMAT].choice;
}

/* In the order of the words of --cure. */
enum cure_choice { CURE_AUTO, CURE_YES, CURE_NO };

static bool wants_cure(const struct run *run, const struct ptxlit_result *result, enum ptxlit_format format) {
  if (result->verdict != PTXLIT_UNSAFE || (format != PTXLIT_TEXT && format != PTXLIT_JSON)) return false;
  int choice = run->options->set[OPT_CURE].choice;
  if (check_format(run) > FORMAT_JSON) return false;
  bool one = run->options->files.count == 1 && ptxlit_test_count(run->session) == 1;
  return choice == CURE_YES || (choice == CURE_AUTO && run->summary && one && format == PTXLIT_TEXT);
}

/* The messages of the check go first: the search discards them. */
static void add_cure(struct run *run, const struct ptxlit_result *result, size_t model, bool shown) {
  const char *text;
  run_show_messages(run);
  struct ticker ticker = ticker_start(run->live, "looking for a change that mends", result->test);
  ptxlit_cure(run->session, result, model, &text);
  ticker_stop(&ticker);
  if (shown && text) run_show(run, text);
  if (shown) run_flush(run);
}

static void add_piece(void *context, const char *data, size_t size) { text_add_slice(context, data, size); }

/* The row of a launch that ptxlit proposed: `unsafe race  copy<<<2, 128>>>(float a[256], 256)`. */
static void show_row(struct run *run, const struct ptxlit_result *result) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct text quiet = {.arena = &arena}, row = {.arena = &arena};
  const struct ptxlit_proposal *proposal = run->proposal;
  ptxlit_print(run->session, result, PTXLIT_QUIET, add_piece, &quiet);
  const char *verdict = text_str(&quiet);
  for (int words = 0; words < 3 && *verdict; words++) verdict += strcspn(verdict, " ") + 1; /* Test NAME MODEL */
  const char *assumes = strstr(verdict, " assumes ");
  size_t length = result->verdict == PTXLIT_UNKNOWN ? strcspn(verdict, " \n")
                  : assumes                         ? (size_t)(assumes - verdict)
                                                    : strcspn(verdict, "\n");
  if (result->verdict == PTXLIT_UNSAFE && !run->unsafe) run->unsafe = proposal;
  text_printf(&row, "%-18.*s  %s\n", (int)length, verdict, proposal->line);
  if (result->reason) text_printf(&row, "%20s%s\n", "", result->reason);
  if (proposal->idle)
    text_printf(&row, "%20s%u of %u threads access no memory\n", "", proposal->idle, proposal->threads);
  run_show(run, text_str(&row));
  arena_release(&arena);
}

static void show_result(struct run *run, const struct ptxlit_result *result, enum ptxlit_format format) {
  if (format == PTXLIT_TEXT && run->proposal) {
    show_row(run, result);
    return;
  }
  if (format == PTXLIT_TEXT && run->summary && !result->launch)
    run_show(run, ptxlit_render(run->session, result, PTXLIT_SUMMARY));
  if (!ptxlit_print(run->session, result, format, write_piece, run)) run_show(run, NULL);
}

/* `state`: NULL, or the report to which results go. */
static bool check_one(struct run *run, size_t test, size_t model, void *state) {
  struct suite_report *report = state;
  const struct ptxlit_result *result;
  struct ticker ticker = ticker_start(run->live, "checking", ptxlit_test_name(run->session, test));
  enum ptxlit_status status = ptxlit_check(run->session, test, model, &result);
  ticker_stop(&ticker);
  bool certify = run->options->set[OPT_CERTIFY].given && result;
  run_note(run, status);
  if (certify) {
    run_show_messages(run);
    struct ptxlit_options usual = run_session_options(run);
    certify_result(run, &usual, test, model, result);
  }
  if (result) {
    enum ptxlit_format format = output_format(run);
    bool cure = wants_cure(run, result, format);
    if (cure && format == PTXLIT_JSON) add_cure(run, result, model, false);
    const char *json = report ? ptxlit_render(run->session, result, PTXLIT_JSON) : NULL;
    if (json) suite_report_add(report, json);
    else show_result(run, result, format);
    run_flush(run);
    if (cure && format == PTXLIT_TEXT) add_cure(run, result, model, true);
  }
  if (!certify) run_show_messages(run);
  return true;
}

static bool tell_readings(struct run *run, size_t test, size_t model, void *state) {
  (void)state;
  const char *text;
  run_tell(run, ptxlit_readings(run->session, test, model, &text), &text);
  return true;
}

/* In the order of the words of --dump. */
static const enum ptxlit_dump stages[] = {PTXLIT_DUMP_AST,   PTXLIT_DUMP_AST,    PTXLIT_DUMP_EVENTS,
                                          PTXLIT_DUMP_MODEL, PTXLIT_DUMP_BOUNDS, PTXLIT_DUMP_CNF};

static bool dump(struct run *run, size_t test, size_t model, void *state) {
  const enum ptxlit_dump *stage = state;
  run_show(run, ptxlit_dump(run->session, test, model, *stage));
  run_flush(run);
  return *stage != PTXLIT_DUMP_AST && *stage != PTXLIT_DUMP_EVENTS; /* the other dumps depend on the model */
}

static void dump_models(struct run *run) {
  for (size_t i = 0; i < ptxlit_model_count(run->session); i++)
    run_show(run, ptxlit_dump(run->session, 0, i, PTXLIT_DUMP_MODEL));
}

static void describe(struct run *run, const char *word) {
  const char *text = ptxlit_describe(run->session, PTXLIT_LANGUAGE_PTX, word);
  if (!text) text = ptxlit_describe(run->session, PTXLIT_LANGUAGE_CAT, word);
  if (text) run_show(run, text), run_show(run, "\n");
  else
    run_complain(run, "give an opcode, or a predefined name of models, such as rf",
                 "no instruction, set or relation is called '%s'", word);
}

static void check_all(struct run *run) {
  static const char *const names[] = {[FORMAT_SARIF] = "sarif", [FORMAT_GITHUB] = "github"};
  enum check_format format = check_format(run);
  bool reports = format == FORMAT_SARIF || format == FORMAT_GITHUB;
  struct suite_report *report = reports ? suite_report_open(names[format]) : NULL;
  if (reports && !report) run_note(run, PTXLIT_BAD_INPUT);
  else run_tests(run, check_one, report);
  if (report) suite_report_close(report);
}

void verb_check(struct run *run) {
  const struct setting *dumped = &run->options->set[OPT_DUMP];
  enum ptxlit_dump stage = stages[dumped->choice];
  bool only_models = dumped->given && stage == PTXLIT_DUMP_MODEL;
  if (!certify_begin(run) || !run_open(run)) return;
  if (run->options->set[OPT_LIST_MODELS].given) run_show(run, ptxlit_list_models(run->session));
  else if (run->options->set[OPT_DESCRIBE].given) describe(run, run->options->set[OPT_DESCRIBE].text);
  else if (!only_models && !run->options->files.count)
    run_complain(run, "ptxlit check --help shows the usage", "no test given");
  else if (run_load_models(run)) {
    run_check *each = dumped->given ? dump : run_has(run, OPT_READINGS, "all") ? tell_readings : check_one;
    if (only_models) dump_models(run);
    else if (each == check_one) check_all(run);
    else run_tests(run, each, &stage);
  }
}
