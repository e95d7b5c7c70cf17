/* ptxlit explain: why a test has its verdict. */
#include "cli/run.h"

struct asked {
  struct run *run;
  const char *state; /* to explain in place of the condition; NULL: the condition */
};

static void explain_test(struct asked *asked, size_t test) {
  struct run *run = asked->run;
  enum ptxlit_format format = run_has(run, OPT_FORMAT, "json") ? PTXLIT_JSON : PTXLIT_TEXT;
  for (size_t model = 0; model < ptxlit_model_count(run->session) && !run->broken; model++) {
    const char *text;
    run_note(run, ptxlit_explain(run->session, test, model, asked->state, format, &text));
    if (text) run_show(run, text);
    run_flush(run);
    run_show_messages(run);
    if (!text) return; /* what is wrong with the state is wrong under every model */
  }
}

static bool explain_file(void *state, const char *path) {
  struct asked *asked = state;
  struct run *run = asked->run;
  run_note(run, ptxlit_read_file(run->session, path));
  run_show_messages(run);
  for (size_t test = 0; test < ptxlit_test_count(run->session) && !run->broken; test++) explain_test(asked, test);
  return !run->broken;
}

void verb_explain(struct run *run) {
  const struct options *given = run->options;
  struct options options = *given;
  struct asked asked = {run, NULL};
  if (!run_take_state(run, &options.files, &asked.state)) return;
  run->options = &options;
  if (run_open(run) && run_load_models(run)) run_files(run, explain_file, &asked);
  run->options = given;
}
