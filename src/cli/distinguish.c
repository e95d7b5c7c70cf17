/* ptxlit distinguish: a smallest test that tells two models apart, and both on it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"

static void tell_equal(struct run *run, char *const *models, const struct ptxlit_generate_options *options) {
  const char *instructions = options->instructions ? options->instructions : "ld,st,fence";
  size_t size = strlen(models[0]) + strlen(models[1]) + strlen(instructions) + 80;
  char *line = must_alloc(size);
  snprintf(line, size, "%s and %s: equal up to %u events of %s\n", models[0], models[1], options->events, instructions);
  run_write(run, line, strlen(line));
  run_flush(run);
  free(line);
}

/* Whether it is known that a model forbids no more of something weaker: tests/laws looks at those that ship. Under
 * another reading that need not be so: with G1=order-only a release fence is no weaker than fence.sc. */
static bool is_monotonic(const char *model) {
  static const char *const names[] = {"ptx", "ptx-7.5", "ptx-6.0", "sc", "tso", "coherence"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(model, names[i]) == 0) return true;
  return false;
}

/* The test, and the outcomes and reasons under both models. */
static void tell_apart(struct run *run, char *const *models, const char *test) {
  char *copy = must_copy(test, strlen(test)); /* the input goes when it is read */
  const char *text = NULL;
  enum ptxlit_status status = ptxlit_use_model(run->session, models[0]);
  if (status == PTXLIT_OK) status = ptxlit_use_model(run->session, models[1]);
  if (status == PTXLIT_OK) status = ptxlit_read_text(run->session, "distinguish", copy, strlen(copy));
  run_write(run, copy, strlen(copy));
  run_write(run, "\n", 1);
  if (status == PTXLIT_OK) status = ptxlit_compare(run->session, 0, PTXLIT_TEXT, &text);
  run_tell(run, status, text);
  free(copy);
}

void verb_distinguish(struct run *run) {
  struct ptxlit_generate_options options = run_generate_options(run);
  char *const *models = run->options->files.items;
  const char *test;
  if (run->options->files.count != 2) {
    run_complain(run, "such as ptxlit distinguish ptx sc", "distinguish takes two models");
    return;
  }
  options.exhaustive = run->options->set[OPT_EXHAUSTIVE].given || !is_monotonic(models[0]) || !is_monotonic(models[1]);
  if (!run_open(run)) return;
  enum ptxlit_status status = ptxlit_distinguish(run->session, models[0], models[1], &options, &test);
  run_note(run, status);
  if (test) tell_apart(run, models, test);
  else if (status == PTXLIT_OK) tell_equal(run, models, &options);
  else run_show_messages(run);
}
