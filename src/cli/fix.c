/* ptxlit fix: what to change in a test. */
#include "cli/run.h"

static void fix_test(struct run *run, size_t test) {
  const struct setting *set = run->options->set;
  const struct ptxlit_fix_options ask = {.weaken = set[OPT_WEAKEN].given,
                                         .races = set[OPT_FIX_RACES].given,
                                         .changes = (uint32_t)set[OPT_CHANGES].number,
                                         .ways = (uint32_t)set[OPT_WAYS].number};
  enum ptxlit_format format = run_has(run, OPT_FORMAT, "json") ? PTXLIT_JSON : PTXLIT_TEXT;
  for (size_t model = 0; model < ptxlit_model_count(run->session) && !run->broken; model++) {
    const char *text;
    run_note(run, ptxlit_fix(run->session, test, model, &ask, format, &text));
    if (text) run_show(run, text);
    run_flush(run);
    run_show_messages(run);
  }
}

void verb_fix(struct run *run) {
  if (run_open(run) && run_load_models(run)) run_tests(run, fix_test);
}
