/* ptxlit run: tests as a program for a GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"

static bool add_test(struct run *run, size_t test, size_t model, void *state) {
  (void)model, (void)state;
  const char *reason;
  run_note(run, ptxlit_gpu_add(run->session, test, &reason));
  run_show_messages(run);
  if (reason) fprintf(stderr, "ptxlit: %s is left out: %s\n", ptxlit_test_name(run->session, test), reason);
  return true;
}

static void write_program(struct run *run, const char *dir) {
  const struct ptxlit_file *files;
  size_t count;
  run_note(run, ptxlit_gpu_program(run->session, (unsigned)run->options->set[OPT_PARTS].number, &files, &count));
  run_show_messages(run);
  for (size_t i = 0; i < count && !run->broken; i++) {
    size_t length = strlen(dir) + strlen(files[i].name) + 2;
    char *path = must_alloc(length);
    snprintf(path, length, "%s/%s", dir, files[i].name);
    if (!files_write(path, files[i].text, strlen(files[i].text), false)) {
      run_cannot_write(run, path);
      run->broken = true;
    }
    free(path);
  }
}

void verb_run(struct run *run) {
  const char *dir = run_path(run, OPT_PROGRAM);
  if (!dir) {
    run_complain(run, "-o DIRECTORY says where to put it", "no directory for the program");
    return;
  }
  if (!run_open(run)) return;
  run_tests(run, add_test, NULL);
  if (ptxlit_gpu_count(run->session) && run_make_directories(run, dir)) write_program(run, dir);
}
