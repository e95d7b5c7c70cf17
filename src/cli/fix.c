/* ptxlit fix: finds changes of a test. */
#include "cli/run.h"

static bool fix_test(struct run *run, size_t test, size_t model, void *state) {
  const char *text;
  enum ptxlit_status status = ptxlit_fix(run->session, test, model, state, run_format(run), &text);
  run_tell(run, status, text);
  return true;
}

void verb_fix(struct run *run) {
  const struct setting *set = run->options->set;
  struct ptxlit_fix_options ask = {.weaken = set[OPT_WEAKEN].given,
                                   .races = set[OPT_FIX_RACES].given,
                                   .changes = (uint32_t)set[OPT_CHANGES].number,
                                   .ways = (uint32_t)set[OPT_WAYS].number};
  run_checks(run, fix_test, &ask);
}
