/* ptxlit races: every race, with the missing order. */
#include "cli/run.h"

static bool list_races(struct run *run, size_t test, size_t model, void *state) {
  (void)state;
  const char *text;
  enum ptxlit_status status = ptxlit_races(run->session, test, model, run_format(run), &text);
  run_tell(run, status, text);
  return true;
}

void verb_races(struct run *run) { run_checks(run, list_races, NULL); }
