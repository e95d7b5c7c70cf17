/* Prints the verdict of each test under PTX and under sequential consistency, and why an allowed one is allowed.
 *
 *   make amalgam && cd build/amalgam
 *   cc verdicts.c libptxlit.a -lstdc++ -lm -ldl -o verdicts && ./verdicts TEST.litmus ...
 */
#include <stdio.h>

#include "ptxlit.h"

static enum ptxlit_status tell(struct ptxlit *session, size_t test, size_t model) {
  const struct ptxlit_result *result;
  enum ptxlit_status status = ptxlit_check(session, test, model, &result);
  if (!result) return status; /* out of memory */
  fputs(ptxlit_render(session, result, PTXLIT_QUIET), stdout);
  const char *why;
  if (result->verdict == PTXLIT_ALLOWED && ptxlit_explain(session, test, model, NULL, PTXLIT_TEXT, &why) == PTXLIT_OK)
    fputs(why, stdout);
  return status;
}

static enum ptxlit_status check_file(struct ptxlit *session, const char *path) {
  enum ptxlit_status status = ptxlit_read_file(session, path);
  fputs(ptxlit_messages(session, false), stderr);
  for (size_t test = 0; test < ptxlit_test_count(session); test++)
    for (size_t model = 0; model < ptxlit_model_count(session); model++)
      status = ptxlit_worse(status, tell(session, test, model));
  return status;
}

int main(int argc, char **argv) {
  struct ptxlit *session = ptxlit_new();
  if (!session) return PTXLIT_NO_VERDICT;
  struct ptxlit_options options = ptxlit_defaults();
  options.timeout = 10;
  ptxlit_set_options(session, &options);
  enum ptxlit_status status = ptxlit_add_model_dir(session, "models");
  if (status == PTXLIT_OK) status = ptxlit_use_model(session, "ptx");
  if (status == PTXLIT_OK) status = ptxlit_use_model(session, "sc");
  fputs(ptxlit_messages(session, false), stderr);
  for (int i = 1; i < argc && ptxlit_model_count(session) == 2; i++)
    status = ptxlit_worse(status, check_file(session, argv[i]));
  ptxlit_free(session);
  return (int)status;
}
