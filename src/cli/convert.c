/* ptxlit convert: writes tests of any input format as canonical .litmus. */
#include "cli/run.h"

static bool convert_one(struct run *run, size_t test, size_t model, void *state) {
  (void)model, (void)state;
  const char *text = ptxlit_dump(run->session, test, 0, PTXLIT_DUMP_AST);
  if (!text || !run_path(run, OPT_CONVERT_DIR)) {
    run_show(run, text);
    run_flush(run);
  } else {
    run_write_test(run, run_path(run, OPT_CONVERT_DIR), ptxlit_test_name(run->session, test), text);
  }
  return true;
}

void verb_convert(struct run *run) {
  const char *dir = run_path(run, OPT_CONVERT_DIR);
  if ((dir && !run_make_directories(run, dir)) || !run_open(run)) return;
  struct ptxlit_options options = run_session_options(run);
  options.same_names = !dir; /* the names of files in a directory must differ */
  ptxlit_set_options(run->session, &options);
  run_tests(run, convert_one, NULL);
}
