/* ptxlit compare: outcomes by model. */
#include "cli/run.h"

static bool compare(struct run *run, size_t test, size_t model, void *state) {
  (void)model;
  (void)state;
  const char *text;
  enum ptxlit_status status = ptxlit_compare(run->session, test, run_format(run), &text);
  run_tell(run, status, text);
  return false; /* that was all models */
}

void verb_compare(struct run *run) { run_checks(run, compare, NULL); }
