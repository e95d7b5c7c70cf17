/* ptxlit lsp: a language server for editors. */

#include "cli/run.h"
#include "lsp/lsp.h"

enum { SECONDS = 5 }; /* the default of --timeout for each step of a check: a user is waiting */

/* Called in the worker process, which ends with the session. */
static struct ptxlit *open_session(void *context, bool models) {
  struct run *run = context;
  if (!run_open(run)) return NULL;
  struct ptxlit_options options = run_session_options(run);
  /* opening a file in an editor is not consent to run a compiler on it */
  options.untrusted = !run->options->set[OPT_COMPILES].given;
  if (!options.timeout) options.timeout = SECONDS;
  ptxlit_set_options(run->session, &options);
  return !models || run_load_models(run) ? run->session : NULL;
}

void verb_lsp(struct run *run) {
  const char **names = ARENA_ARRAY(run->options->arena, const char *, option_row_count + 1);
  size_t count = 0;
  for (size_t i = 0; i < option_row_count; i++)
    if (option_rows[i].name) names[count++] = option_rows[i].name;
  if (run->options->files.count) {
    run_complain(run, "the editor sends the documents", "lsp takes no operand");
    return;
  }
  const struct lsp_host host = {open_session, run, run->options->set[OPT_COMPILES].given, names};
  if (lsp_serve(&host) != 0) run_complain(run, NULL, "the client disconnected without 'shutdown'");
}
