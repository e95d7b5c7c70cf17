/* ptxlit mutate: writes mutants of tests as text or files. */

#include "cli/run.h"

struct mutating {
  struct run *run;
  const char *dir; /* NULL: standard output */
  bool found;
};

static bool take(void *state, const struct ptxlit_generated *test) {
  struct mutating *m = state;
  m->found = true;
  if (m->dir) run_write_test(m->run, m->dir, test->name, test->text);
  else run_write(m->run, test->text, strlen(test->text));
  return !m->run->broken;
}

static bool mutate_test(struct run *run, size_t test, size_t model, void *state) {
  run_note(run, ptxlit_mutate(run->session, test, model, take, state));
  run_show_messages(run);
  return true;
}

void verb_mutate(struct run *run) {
  struct mutating m = {run, run_path(run, OPT_MUTANTS), false};
  if (m.dir && !run_make_directories(run, m.dir)) return;
  run_checks(run, mutate_test, &m);
  if (!m.found && run->worst == PTXLIT_OK)
    fputs("ptxlit: no mutants: the model does not forbid the condition, or allows none of the weaker tests\n", stderr);
  run_flush(run);
}
