/* The command-line tool: the first client of ptxlit.h, and nothing but a client. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/files.h"
#include "cli/help.h"
#include "cli/options.h"
#include "ptxlit.h"

struct run {
  const struct options *options;
  struct ptxlit *session;
  enum ptxlit_status worst;
  bool colour, summary, broken; /* broken: standard output takes no more */
};

static void note(struct run *run, enum ptxlit_status status) { run->worst = ptxlit_worse(run->worst, status); }

static bool is(const struct options *options, enum option_id id, const char *word) {
  return strcmp(options->set[id].word, word) == 0;
}

/* Writes out what is buffered, so that results and messages come in order, and results are there when the tool is
 * stopped. A reader that has gone away is no error; any other failure ends the run. */
static void flush(struct run *run) {
  if (run->broken) return;
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return;
  run->broken = true;
  if (errno == EPIPE) return;
  fprintf(stderr, "ptxlit: error: cannot write to standard output: %s\n", strerror(errno));
  note(run, PTXLIT_BAD_INPUT);
}

static void show_messages(struct run *run) { fputs(ptxlit_messages(run->session, run->colour), stderr); }

static void out_of_memory(struct run *run) {
  fputs("ptxlit: error: out of memory\n", stderr);
  note(run, PTXLIT_NO_VERDICT);
}

static void show(struct run *run, const char *text) {
  if (text)
    fputs(text, stdout);
  else
    out_of_memory(run);
}

/* ---- the models */

static void add_dir(struct run *run, const char *path) {
  note(run, ptxlit_add_model_dir(run->session, path));
  show_messages(run);
}

/* Adds the directories that go with this executable: those of the source tree for build/<variant>/ptxlit, and of an
 * installation that was moved as a whole for bin/ptxlit. */
static void add_dirs_of_executable(struct run *run) {
  char path[PATH_MAX + 1];
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  if (length <= 0) return;
  path[length] = '\0';
  char *part[3] = {NULL, NULL, NULL}; /* the last three slashes, the very last first */
  for (int i = 0; i < 3; i++) {
    part[i] = strrchr(path, '/');
    if (!part[i]) return;
    *part[i] = '\0';
  }
  char dir[PATH_MAX + 64];
  bool in_tree = strcmp(part[2] + 1, "build") == 0;
  int size = in_tree ? snprintf(dir, sizeof dir, "%s/models", path)
                     : snprintf(dir, sizeof dir, "%s/%s/share/ptxlit/models", path, part[2] + 1);
  if (size > 0 && (size_t)size < sizeof dir) add_dir(run, dir);
}

static void add_dirs(struct run *run) {
  const char *wanted = getenv("PTXLIT_MODELS");
  if (wanted && *wanted) add_dir(run, wanted);
  add_dirs_of_executable(run);
}

static void load_models(struct run *run) {
  for (size_t i = 0; i < run->options->models.count; i++) {
    note(run, ptxlit_use_model(run->session, run->options->models.items[i]));
    show_messages(run);
  }
}

/* ---- the tests */

static enum ptxlit_format output_format(const struct options *options) {
  if (is(options, OPT_FORMAT, "json")) return PTXLIT_JSON;
  bool quiet = options->set[OPT_QUIET].given || options->set[OPT_VERDICT_ONLY].given;
  return quiet ? PTXLIT_QUIET : PTXLIT_TEXT;
}

static void check_one(struct run *run, size_t test, size_t model) {
  const struct ptxlit_result *result;
  enum ptxlit_status status = ptxlit_check(run->session, test, model, &result);
  note(run, status);
  if (result) {
    enum ptxlit_format format = output_format(run->options);
    if (format == PTXLIT_TEXT && run->summary) show(run, ptxlit_render(run->session, result, PTXLIT_SUMMARY));
    show(run, ptxlit_render(run->session, result, format));
    flush(run);
  }
  show_messages(run);
}

static bool dump_kind(const struct options *options, enum ptxlit_dump *what, bool *each_model) {
  static const struct {
    const char *word;
    enum ptxlit_dump what;
    bool each_model;
  } kinds[] = {
      {"ast", PTXLIT_DUMP_AST, false},      {"events", PTXLIT_DUMP_EVENTS, false}, {"model", PTXLIT_DUMP_MODEL, true},
      {"bounds", PTXLIT_DUMP_BOUNDS, true}, {"cnf", PTXLIT_DUMP_CNF, true},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (!is(options, OPT_DUMP, kinds[i].word)) continue;
    *what = kinds[i].what;
    *each_model = kinds[i].each_model;
    return true;
  }
  return false;
}

static void do_test(struct run *run, size_t test) {
  enum ptxlit_dump what;
  bool each_model = true;
  bool dump = dump_kind(run->options, &what, &each_model);
  size_t models = each_model ? ptxlit_model_count(run->session) : 1;
  for (size_t model = 0; model < models && !run->broken; model++) {
    if (dump)
      show(run, ptxlit_dump(run->session, test, model, what));
    else
      check_one(run, test, model);
  }
  flush(run);
}

static bool do_file(void *state, const char *path) {
  struct run *run = state;
  note(run, ptxlit_read_file(run->session, path));
  show_messages(run);
  for (size_t test = 0; test < ptxlit_test_count(run->session); test++) do_test(run, test);
  return !run->broken;
}

static void do_files(struct run *run) {
  const struct word_list *files = &run->options->files;
  for (size_t i = 0; i < files->count && !run->broken; i++)
    if (files_walk(files->items[i], do_file, run) == WALK_FAILED) note(run, PTXLIT_BAD_INPUT);
}

/* ---- the whole */

static struct ptxlit_options session_options(const struct options *options) {
  struct ptxlit_options to = ptxlit_defaults();
  to.engine = is(options, OPT_ENGINE, "enumerate") ? PTXLIT_ENUMERATE : PTXLIT_SAT;
  to.all_state = options->set[OPT_ALL_STATE].given;
  to.implicit_locations = options->set[OPT_IMPLICIT].given;
  to.verdict_only = options->set[OPT_QUIET].given || options->set[OPT_VERDICT_ONLY].given;
  to.count_executions = options->set[OPT_EXECUTIONS].given;
  to.races = options->set[OPT_RACES].given;
  to.timeout = options->set[OPT_TIMEOUT].seconds;
  to.max_outcomes = options->set[OPT_MAX_OUTCOMES].number;
  return to;
}

static bool wants_colour(const struct options *options) {
  if (!is(options, OPT_COLOUR, "auto")) return is(options, OPT_COLOUR, "always");
  const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
  return isatty(STDERR_FILENO) && !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;
}

static void dump_models(struct run *run) {
  for (size_t i = 0; i < ptxlit_model_count(run->session); i++)
    show(run, ptxlit_dump(run->session, 0, i, PTXLIT_DUMP_MODEL));
}

static void check_all(struct run *run) {
  const struct options *options = run->options;
  bool only_models = is(options, OPT_DUMP, "model");
  if (!options->files.count && !only_models) {
    fputs("ptxlit: error: no test given\n    hint: ptxlit --help says how to use it\n", stderr);
    note(run, PTXLIT_BAD_INPUT);
    return;
  }
  load_models(run);
  if (run->worst != PTXLIT_OK) return; /* no test means anything under half of the models */
  if (only_models)
    dump_models(run);
  else
    do_files(run);
}

static void work(struct run *run) {
  struct ptxlit_options to = session_options(run->options);
  ptxlit_set_options(run->session, &to);
  add_dirs(run);
  if (run->worst != PTXLIT_OK) return;
  if (run->options->set[OPT_LIST_MODELS].given)
    show(run, ptxlit_list_models(run->session));
  else
    check_all(run);
}

static void run_session(struct run *run) {
  run->session = ptxlit_new();
  if (!run->session) {
    out_of_memory(run);
    return;
  }
  work(run);
  ptxlit_free(run->session);
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN); /* a reader that has gone away shows as EPIPE */
  struct options options;
  struct run run = {.options = &options, .worst = PTXLIT_OK};
  if (!options_read(&options, argc, argv)) {
    note(&run, PTXLIT_BAD_INPUT);
  } else if (options.set[OPT_HELP].given) {
    help_print(options.set[OPT_HELP].word);
  } else if (options.set[OPT_VERSION].given) {
    printf("ptxlit %s\nmodel: %s\nsolver: %s\n", ptxlit_version(), ptxlit_edition(), ptxlit_solver());
  } else {
    run.colour = wants_colour(&options);
    run.summary = isatty(STDOUT_FILENO) != 0;
    run_session(&run);
  }
  flush(&run);
  options_release(&options);
  return (int)run.worst;
}
