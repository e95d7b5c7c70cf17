/* ptxlit explain: why a test has its verdict. */
#include "cli/run.h"

/* `state`: the state to explain in place of the condition; NULL: the condition. */
static bool explain(struct run *run, size_t test, size_t model, void *state) {
  const char *text;
  enum ptxlit_status status = ptxlit_explain(run->session, test, model, state, run_format(run), &text);
  run_tell(run, status, text);
  return text != NULL; /* a wrong state is wrong under every model */
}

void verb_explain(struct run *run) {
  const struct options *given = run->options;
  struct options options = *given;
  char *state;
  if (!run_take_state(run, &options.files, &state)) return;
  run->options = &options;
  run_checks(run, explain, state);
  run->options = given;
}
