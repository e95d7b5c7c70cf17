/* ptxlit suite, merge and diff: passes the options of the command line to src/suite. */
#include "suite/suite.h"

#include <sys/resource.h>
#include <unistd.h>

#include "cli/run.h"

static const struct setting *setting(const struct run *run, enum option_id id) { return &run->options->set[id]; }

static struct suite_words words(const struct word_list *list) { return (struct suite_words){list->items, list->count}; }

static struct suite_output output(const struct run *run) {
  return (struct suite_output){suite_format(setting(run, OPT_SUITE_FORMAT)->word), run_path(run, OPT_SUITE_OUTPUT)};
}

static uint32_t jobs(const struct run *run) {
  uint64_t given = setting(run, OPT_JOBS)->number;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return given ? (uint32_t)given : processors > 0 ? (uint32_t)processors : 1;
}

/* The number of times that standard input is among the files. */
static size_t count_stdin(const struct word_list *files) {
  return COUNT(for (size_t i = 0; i < files->count; i++), strcmp(files->items[i], "-") == 0);
}

/* Refuses standard input, because the workers would share it. */
static bool no_stdin(struct run *run, const struct word_list *files) {
  size_t count = count_stdin(files);
  if (count) run_complain(run, NULL, "a suite cannot read tests from standard input");
  return !count;
}

/* Raises the limit of open files as far as possible: each worker needs some, and shards are read in parallel. */
static void allow_many_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit); /* opening a file will report a limit that is too low */
}

/* Refuses two models of one name, because reports identify a model by its name. */
static bool models_differ(struct run *run) {
  size_t count = ptxlit_model_count(run->session);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      if (strcmp(ptxlit_model_name(run->session, i), ptxlit_model_name(run->session, j)) == 0)
        return run_complain(run, NULL, "model '%s' is given twice", ptxlit_model_name(run->session, i));
  return true;
}

struct certifier {
  struct run *run;
  const struct ptxlit_options *options;
};

static void certify(void *state, size_t test, size_t model, const struct ptxlit_result *result) {
  const struct certifier *certifier = state;
  certify_result(certifier->run, certifier->options, test, model, result);
}

/* With --untrusted a report is also untrusted. */
static bool is_safe(struct run *run, const struct suite_options *options) {
  if (!options->check.untrusted || !options->rerun || run->options->files.count) return true;
  return run_complain(run, "name the tests", "--untrusted opens no files named in a report");
}

/* Restricts the files that a report may name to its own directory and the current directory. */
static void add_found(struct run *run, const char *report) {
  const char *slash = strrchr(report, '/');
  const char *beside = arena_strndup(run->options->arena, report, slash ? (size_t)(slash + 1 - report) : 0);
  const char *const dirs[] = {".", *beside ? beside : ".", NULL};
  for (size_t i = 0; i < sizeof dirs / sizeof dirs[0]; i++) run_note(run, ptxlit_add_test_dir(run->session, dirs[i]));
}

void verb_suite(struct run *run) {
  struct word_list files = {0};
  struct suite_options options = {
      .filters = words(&setting(run, OPT_FILTER)->texts),
      .expect = words(&setting(run, OPT_EXPECT)->texts),
      .output = output(run),
      .jobs = jobs(run),
      .memory = setting(run, OPT_MEMORY)->number << 20,
      .room = run_memory(run, jobs(run)),
      .fail_fast = setting(run, OPT_FAIL_FAST)->given,
      .rerun = setting(run, OPT_RERUN)->text,
      .strict = setting(run, OPT_STRICT)->given,
      .qualify = setting(run, OPT_QUALIFY)->given,
      .progress = run_has(run, OPT_BAR, "auto") ? run->live : run_has(run, OPT_BAR, "always"),
  };
  struct certifier certifier = {run, &options.check};
  if (setting(run, OPT_CERTIFY)->given) options.certify = certify, options.certify_state = &certifier;
  if (!run_shard(run, OPT_SHARD, &options.shard, &options.shard_count) || !certify_begin(run) || !run_open(run)) return;
  options.check = run_session_options(run);
  options.check.same_names = true; /* a worker sees only a part of the tests; the suite compares names */
  ptxlit_set_options(run->session, &options.check);
  options.session = run->session;
  if (!is_safe(run, &options)) return;
  bool all = options.rerun && !run->options->files.count; /* all tests of the report */
  if (all) add_found(run, options.rerun);
  else run_files(run, &files);
  options.files = words(&files);
  run_load_models(run);
  /* A directory that cannot be read is an error, but the rest still runs; without its models nothing runs. */
  bool loaded = ptxlit_model_count(run->session) == options_models(run->options)->count;
  allow_many_files();
  if (no_stdin(run, &files) && run_spares(run, options.output.path, &files) && loaded && models_differ(run) &&
      (files.count || all))
    run_note(run, suite_run(&options));
}

static double timeout(const struct run *run) { return setting(run, OPT_TIMEOUT)->seconds; }

/* False, with a message, if standard input is given more than once. */
static bool stdin_once(struct run *run, const struct word_list *files) {
  size_t count = count_stdin(files);
  if (count > 1) run_complain(run, NULL, "standard input can be read only once");
  return count <= 1;
}

void verb_merge(struct run *run) {
  allow_many_files();
  if (!run->options->files.count)
    run_complain(run, "they are made by ptxlit suite --shard K/N --format json", "no report given");
  else if (stdin_once(run, &run->options->files) && run_spares(run, run_path(run, OPT_SUITE_OUTPUT), NULL))
    run_note(run, suite_merge(words(&run->options->files), output(run), timeout(run)));
}

void verb_diff(struct run *run) {
  const struct word_list *files = &run->options->files;
  if (files->count != 2)
    run_complain(run, "make them with ptxlit suite --format json", "diff compares two reports, not %zu", files->count);
  else if (stdin_once(run, files)) run_note(run, suite_diff(files->items[0], files->items[1], timeout(run)));
}
