/* ptxlit run: writes tests as a program for a GPU into a directory, or builds and runs it. */
#include <sys/wait.h>
#include <unistd.h>

#include "base/input.h"
#include "base/output.h"
#include "base/process.h"
#include "base/scratch.h"
#include "base/text.h"
#include "cli/run.h"

static bool add_test(struct run *run, size_t test, size_t model, void *state) {
  (void)model, (void)state;
  const char *reason;
  run_note(run, ptxlit_gpu_add(run->session, test, &reason));
  run_show_messages(run);
  if (reason) text_say(stderr, "ptxlit: %s is left out: %s\n", ptxlit_test_name(run->session, test), reason);
  return true;
}

/* True if the directory has no user's file that would be replaced: none of `files`, or an older program. */
static bool has_room(struct run *run, const char *dir, const struct ptxlit_file *files, size_t count) {
  bool ours = false;
  const char *there = NULL;
  for (size_t i = 0; i < count; i++) {
    const char *path = arena_printf(run->options->arena, "%s/%s", dir, files[i].name);
    struct stat about;
    bool exists = lstat(path, &about) == 0;
    ours = ours || (exists && strcmp(files[i].name, "manifest.jsonl") == 0);
    if (exists && !there) there = files[i].name;
  }
  if (there && !ours)
    run_complain(run, "-o takes a new directory, or one with a program to replace",
                 "'%s' has a file '%s', which is of no program of ptxlit run", dir, there);
  return ours || !there;
}

static void write_program(struct run *run, const char *dir) {
  const struct ptxlit_file *files;
  size_t count = 0;
  run_note(run, ptxlit_gpu_program(run->session, (unsigned)run->options->set[OPT_PARTS].number, &files, &count));
  run_show_messages(run);
  run->broken = run->broken || !has_room(run, dir, files, count);
  for (size_t i = 0; i < count && !run->broken; i++) {
    const char *path = arena_printf(run->options->arena, "%s/%s", dir, files[i].name);
    bool spared = run_spares(run, path, &run->visited);
    bool written = spared && output_write(path, files[i].text, strlen(files[i].text), false);
    if (spared && !written) run_cannot_write(run, path);
    run->broken = !written;
  }
}

/* ---- building and running */

/* Runs a command in a directory, with its standard output redirected to our standard error; it ends with this process,
 * and so do all processes that it starts. Reports a failure, or that it did not end within `seconds` (0: no limit), and
 * returns false. */
static bool run_command(struct run *run, const char *dir, const char *const *words, double seconds) {
  fflush(NULL);
  pid_t parent = getpid(), child = fork();
  if (child == 0) {
    process_become_group(parent);
    if (chdir(dir) == 0 && dup2(2, 1) == 1 && setenv("TMPDIR", dir, 1) == 0)
      execvp(words[0], (char *const *)(uintptr_t)words);
    fprintf(stderr, "ptxlit: error: cannot run '%s': %s\n", words[0], strerror(errno));
    _exit(127);
  }
  double deadline = base_deadline(seconds);
  int status = child > 0 ? process_await(child, deadline) : -1;
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  if (base_is_late(deadline))
    say_error("give it more time with --timeout, or write the program with -o DIRECTORY",
              "the time limit of %g s was reached while '%s' ran", seconds, words[0]);
  run_note(run, PTXLIT_NO_VERDICT);
  return false;
}

/* The variable that tells the Makefile the compiler of the program: $NVCC, nvcc, or nvcc in CUDA's default directory;
 * else a clang that supports Hopper. NULL: none is installed. */
static const char *find_nvcc(void) {
  static const char *const places[] = {"/usr/local/cuda/bin/nvcc", "/opt/cuda/bin/nvcc"};
  const char *given = getenv("NVCC");
  if (given && *given) return given;
  if (base_can_run("nvcc")) return "nvcc";
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (access(places[i], X_OK) == 0) return places[i];
  return NULL;
}

static const char *find_clang(void) {
  static const char *const names[] = {"clang++-21", "clang++-20", "clang++-19", "clang++"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (base_can_run(names[i])) return names[i];
  return NULL;
}

static bool build_and_run(struct run *run, const char *dir, const char *nvcc_path, const char *clang_name) {
  char nvcc[4096], clang[64], seconds[32], seed[32];
  const char *const make[] = {"make", "-s", "-j8", nvcc, clang, NULL};
  const char *const tests[] = {"./tests", "-s", seconds, "-r", seed, "-o", "results.jsonl", NULL};
  snprintf(nvcc, sizeof nvcc, "NVCC=%s", nvcc_path ? nvcc_path : "");
  snprintf(clang, sizeof clang, "CLANG=%s", clang_name ? clang_name : "clang++");
  snprintf(seconds, sizeof seconds, "%g", run->options->set[OPT_TIME].seconds);
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)run->options->set[OPT_SEED].number);
  return run_command(run, dir, make, run->options->set[OPT_TIMEOUT].seconds) && run_command(run, dir, tests, 0);
}

static bool keep_results(struct run *run, const char *results) {
  const char *to = run->options->set[OPT_RESULTS].text;
  if (!to) return true;
  struct arena arena;
  size_t length;
  arena_init(&arena, NULL);
  const char *text = input_read(&arena, results, 0, false, SIZE_MAX, &length);
  bool kept = text && output_write(to, text, length, false);
  if (!kept) run_cannot_write(run, to);
  arena_release(&arena);
  return kept;
}

static void run_here(struct run *run) {
  const char *nvcc = find_nvcc(), *clang = find_clang();
  struct scratch scratch;
  if (!nvcc && !clang) {
    run_complain(run, "-o DIRECTORY writes the program, for a machine that has one",
                 "neither nvcc nor clang to compile it with");
  } else if (!scratch_open(&scratch)) {
    run_complain(run, "set TMPDIR to another place", "cannot make a directory for the program: %s", strerror(errno));
  } else {
    const char *results = arena_printf(run->options->arena, "%s/results.jsonl", scratch.path);
    write_program(run, scratch.path);
    if (!run->broken && build_and_run(run, scratch.path, nvcc, clang) && keep_results(run, results))
      observe_file(run, results);
    scratch_close(&scratch);
  }
}

void verb_run(struct run *run) {
  const char *dir = run_path(run, OPT_PROGRAM);
  if (!run_open(run) || !(dir || run_load_models(run))) return;
  run_tests(run, add_test, NULL);
  if (!ptxlit_gpu_count(run->session) || !run_spares(run, run_path(run, OPT_RESULTS), &run->visited)) return;
  if (!dir) run_here(run);
  else if (run_make_directories(run, dir)) write_program(run, dir);
}
