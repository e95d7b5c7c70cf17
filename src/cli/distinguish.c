/* ptxlit distinguish: finds a smallest test that distinguishes two models, with the result of both. */

#include "base/text.h"
#include "cli/run.h"

static void tell_equal(struct run *run, char *const *models, const struct ptxlit_generate_options *options,
                       const struct ptxlit_apart *apart) {
  const char *instructions = options->instructions ? options->instructions : "ld,st,fence";
  if (!run->broken)
    text_say(stdout, "Models %s and %s: equal up to %u events of %s\n", models[0], models[1], apart->equal,
             instructions);
  run_flush(run);
}

/* Prints the test, and the outcomes and reasons under both models. */
static void tell_apart(struct run *run, char *const *models, const struct ptxlit_apart *apart) {
  struct arena *arena = run->options->arena;
  const char *copy = arena_strdup(arena, apart->test); /* reading it releases the input */
  const char *line = arena_printf(arena, "\nNo test with fewer than %u events tells them apart.\n\n", apart->equal + 1);
  const char *text = NULL;
  enum ptxlit_status status = ptxlit_use_model(run->session, models[0]);
  if (status == PTXLIT_OK) status = ptxlit_use_model(run->session, models[1]);
  if (status == PTXLIT_OK) status = ptxlit_read_text(run->session, "distinguish", copy, strlen(copy));
  run_write(run, copy, strlen(copy));
  run_write(run, line, strlen(line));
  if (status == PTXLIT_OK) status = ptxlit_compare(run->session, 0, PTXLIT_TEXT, &text);
  run_tell(run, status, &text);
}

void verb_distinguish(struct run *run) {
  struct ptxlit_generate_options options = run_generate_options(run);
  char *const *models = run->options->files.items;
  struct ptxlit_apart apart;
  if (run->options->files.count != 2) {
    run_complain(run, "for example: ptxlit distinguish ptx sc", "distinguish takes two models");
    return;
  }
  if (!run_open(run)) return;
  enum ptxlit_status status = ptxlit_distinguish(run->session, models[0], models[1], &options, &apart);
  run_note(run, status);
  if (apart.test) tell_apart(run, models, &apart);
  else if (apart.equal) tell_equal(run, models, &options, &apart);
  if (status != PTXLIT_OK) run_show_messages(run);
}
