/* ptxlit check: the default verb. */
#include <string.h>

#include "cli/certify.h"

static enum ptxlit_format output_format(const struct run *run) {
  if (run_has(run, OPT_FORMAT, "json")) return PTXLIT_JSON;
  bool quiet = run->options->set[OPT_QUIET].given || run->options->set[OPT_VERDICT_ONLY].given;
  return quiet ? PTXLIT_QUIET : PTXLIT_TEXT;
}

static void check_one(struct run *run, size_t test, size_t model) {
  const struct ptxlit_result *result;
  enum ptxlit_status status = ptxlit_check(run->session, test, model, &result);
  bool certify = run->options->set[OPT_CERTIFY].given && result;
  run_note(run, status);
  if (certify) {
    run_show_messages(run);
    certify_result(run, test, model, result);
  }
  if (result) {
    enum ptxlit_format format = output_format(run);
    if (format == PTXLIT_TEXT && run->summary) run_show(run, ptxlit_render(run->session, result, PTXLIT_SUMMARY));
    run_show(run, ptxlit_render(run->session, result, format));
    run_flush(run);
  }
  if (!certify) run_show_messages(run);
}

static bool dump_kind(const struct run *run, enum ptxlit_dump *what, bool *each_model) {
  static const struct {
    const char *word;
    enum ptxlit_dump what;
    bool each_model;
  } kinds[] = {
      {"ast", PTXLIT_DUMP_AST, false},      {"events", PTXLIT_DUMP_EVENTS, false}, {"model", PTXLIT_DUMP_MODEL, true},
      {"bounds", PTXLIT_DUMP_BOUNDS, true}, {"cnf", PTXLIT_DUMP_CNF, true},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (!run_has(run, OPT_DUMP, kinds[i].word)) continue;
    *what = kinds[i].what;
    *each_model = kinds[i].each_model;
    return true;
  }
  return false;
}

static void do_test(struct run *run, size_t test) {
  enum ptxlit_dump what;
  bool each_model = true;
  bool dump = dump_kind(run, &what, &each_model);
  size_t models = each_model ? ptxlit_model_count(run->session) : 1;
  for (size_t model = 0; model < models && !run->broken; model++) {
    if (dump) run_show(run, ptxlit_dump(run->session, test, model, what));
    else check_one(run, test, model);
  }
  run_flush(run);
}

static void dump_models(struct run *run) {
  for (size_t i = 0; i < ptxlit_model_count(run->session); i++)
    run_show(run, ptxlit_dump(run->session, 0, i, PTXLIT_DUMP_MODEL));
}

void verb_check(struct run *run) {
  bool only_models = run_has(run, OPT_DUMP, "model");
  if (!certify_begin(run) || !run_open(run)) return;
  if (run->options->set[OPT_LIST_MODELS].given) run_show(run, ptxlit_list_models(run->session));
  else if (!only_models && !run->options->files.count)
    run_complain(run, "ptxlit --help says how to use it", "no test given");
  else if (run_load_models(run)) only_models ? dump_models(run) : run_tests(run, do_test);
}
