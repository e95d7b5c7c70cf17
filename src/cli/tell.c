/* The verbs explain, fix, races and compare: they print the library's texts about a test. */
#include "cli/run.h"

/* `state`: the state to explain instead of the condition; NULL: the condition. */
static bool explain(struct run *run, size_t test, size_t model, void *state) {
  const char *text;
  run_tell(run, ptxlit_explain(run->session, test, model, state, run_format(run), &text), &text);
  return text != NULL; /* an invalid state is invalid under every model */
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

static bool fix(struct run *run, size_t test, size_t model, void *state) {
  const char *text;
  run_tell(run, ptxlit_fix(run->session, test, model, state, run_format(run), &text), &text);
  return true;
}

void verb_fix(struct run *run) {
  const struct setting *set = run->options->set;
  struct ptxlit_fix_options ask = {.weaken = set[OPT_WEAKEN].given,
                                   .races = set[OPT_FIX_RACES].given,
                                   .changes = (uint32_t)set[OPT_CHANGES].number,
                                   .ways = (uint32_t)set[OPT_WAYS].number};
  run_checks(run, fix, &ask);
}

static bool races(struct run *run, size_t test, size_t model, void *state) {
  (void)state;
  const char *text;
  run_tell(run, ptxlit_races(run->session, test, model, run_format(run), &text), &text);
  return true;
}

void verb_races(struct run *run) { run_checks(run, races, NULL); }

static bool compare(struct run *run, size_t test, size_t model, void *state) {
  (void)model, (void)state;
  const char *text;
  run_tell(run, ptxlit_compare(run->session, test, run_format(run), &text), &text);
  return false; /* compare covers all models in one call */
}

void verb_compare(struct run *run) { run_checks(run, compare, NULL); }
