/* ptxlit races: every race, with what is missing. */
#include "cli/run.h"

static void list_races(struct run *run, size_t test) {
  enum ptxlit_format format = run_has(run, OPT_FORMAT, "json") ? PTXLIT_JSON : PTXLIT_TEXT;
  for (size_t model = 0; model < ptxlit_model_count(run->session) && !run->broken; model++) {
    const char *text;
    run_note(run, ptxlit_races(run->session, test, model, format, &text));
    if (text) run_show(run, text);
    run_flush(run);
    run_show_messages(run);
  }
}

void verb_races(struct run *run) {
  if (run_open(run) && run_load_models(run)) run_tests(run, list_races);
}
