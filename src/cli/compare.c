/* ptxlit compare: outcomes by model. */
#include "cli/run.h"

static void compare_test(struct run *run, size_t test) {
  const char *text;
  enum ptxlit_format format = run_has(run, OPT_FORMAT, "json") ? PTXLIT_JSON : PTXLIT_TEXT;
  run_note(run, ptxlit_compare(run->session, test, format, &text));
  if (text) run_show(run, text);
  run_flush(run);
  run_show_messages(run);
}

void verb_compare(struct run *run) {
  if (run_open(run) && run_load_models(run)) run_tests(run, compare_test);
}
