/* ptxlit convert: tests of any format that is read, as canonical .litmus. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/run.h"

/* DIR/NAME.litmus; NULL when the name cannot be a file's, or should not. */
static char *target(const char *dir, const char *name) {
  static const char ending[] = ".litmus";
  if (strchr(name, '/') || name[0] == '.' || !*name) return NULL;
  for (const char *at = name; *at; at++)
    if ((unsigned char)*at < ' ' || *at == 127) return NULL;
  size_t size = strlen(dir) + 1 + strlen(name) + sizeof ending;
  char *path = must_alloc(size);
  snprintf(path, size, "%s/%s%s", dir, name, ending);
  return path;
}

static void write_file(struct run *run, const char *name, const char *text) {
  char *path = target(run_path(run, OPT_CONVERT_DIR), name);
  if (!path) run_complain(run, NULL, "test '%s' has a name that no file can have", name);
  else if (!files_write(path, text, strlen(text), true)) /* never over a file that is there */
    run_cannot_write(run, path);
  free(path);
}

static bool convert_one(struct run *run, size_t test, size_t model, void *state) {
  (void)model;
  (void)state;
  const char *text = ptxlit_dump(run->session, test, 0, PTXLIT_DUMP_AST);
  if (!text || !run_path(run, OPT_CONVERT_DIR)) {
    run_show(run, text);
    run_flush(run);
  } else {
    write_file(run, ptxlit_test_name(run->session, test), text);
  }
  return true;
}

void verb_convert(struct run *run) {
  const char *dir = run_path(run, OPT_CONVERT_DIR);
  if (dir && mkdir(dir, 0777) != 0 && errno != EEXIST) {
    run_complain(run, NULL, "cannot make directory '%s': %s", dir, strerror(errno));
    return;
  }
  if (!run_open(run)) return;
  struct ptxlit_options options = run_session_options(run);
  options.same_names = !dir; /* in a directory they are told apart by their names */
  ptxlit_set_options(run->session, &options);
  run_tests(run, convert_one, NULL);
}
