#define _XOPEN_SOURCE 700 /* realpath */

#include "cli/run.h"

#include <limits.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/techniques.h"
#include "base/text.h"
#include "suite/suite.h"

void run_note(struct run *run, enum ptxlit_status status) { run->worst = ptxlit_worse(run->worst, status); }

bool run_has(const struct run *run, enum option_id id, const char *word) {
  return strcmp(run->options->set[id].word, word) == 0;
}

const char *run_path(const struct run *run, enum option_id id) {
  const char *path = run->options->set[id].text;
  return path && strcmp(path, "-") != 0 ? path : NULL;
}

bool run_complain(struct run *run, const char *hint, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say_error_list(hint, format, arguments);
  va_end(arguments);
  run_note(run, PTXLIT_BAD_INPUT);
  return false;
}

void run_cannot_write(struct run *run, const char *path) {
  int why = errno;
  say_error(NULL, "cannot write '%s': %s", path, why == ENOMEM ? "out of memory" : strerror(why));
  run_note(run, why == ENOMEM ? PTXLIT_NO_VERDICT : PTXLIT_BAD_INPUT);
  run->broken = run->broken || why == ENOSPC || why == EDQUOT || why == EIO; /* the next write would fail as well */
}

bool run_write_test(struct run *run, const char *directory, const char *name, const char *text) {
  const char *path = files_of_test(run->options->arena, directory, name);
  bool written = path && output_write(path, text, strlen(text), true);
  if (!path) run_complain(run, NULL, "the name of test '%s' is not a valid file name", name);
  else if (!written) run_cannot_write(run, path);
  return written;
}

/* True if a word names the file, alone or after the first `mark`: @LIST, MODEL=FILE. */
static bool names_file(const struct word_list *words, const struct stat *file, char mark) {
  for (size_t i = 0; i < words->count; i++) {
    const char *after = mark ? strchr(words->items[i], mark) : NULL;
    if (files_are_one(words->items[i], file) || (after && files_are_one(after + 1, file))) return true;
  }
  return false;
}

/* True if a file begins (after a byte order mark or blanks) with a PTX directive, "@@DWARF", a comment or a
 * preprocessor directive. Reports and pictures do not. */
static bool begins_like_source(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) return false;
  int c = getc(file), next;
  for (const char *mark = "\xEF\xBB\xBF"; *mark && c == (unsigned char)*mark; mark++) c = getc(file);
  while (c == ' ' || (c >= '\t' && c <= '\r')) c = getc(file);
  next = c == EOF ? EOF : getc(file);
  fclose(file);
  if (c == '@') return next == '@';
  return c == '.' || (c == '/' && (next == '/' || next == '*')) || (c == '#' && next >= 'a' && next <= 'z');
}

/* True if the file may hold kernels. Tests name such files, the command line does not, and tests are read later,
 * perhaps by another process, so this file may be an input. False for outputs that look like sources: a GPU program. */
static bool holds_kernels(const struct run *run, const char *path) {
  if (run->options->set[OPT_PROGRAM].text) return false;
  char *real = realpath(path, NULL); /* writing replaces the target of a link */
  bool holds = files_are_source(real ? real : path) || begins_like_source(path);
  free(real);
  return holds;
}

bool run_spares(struct run *run, const char *path, const struct word_list *more) {
  const struct options *options = run->options;
  struct stat file;
  if (!path || stat(path, &file) != 0 || !S_ISREG(file.st_mode)) return true;
  bool read = names_file(&options->files, &file, '@') || names_file(options_models(options), &file, '\0') ||
              names_file(&options->set[OPT_EXPECT].texts, &file, '=') ||
              names_file(&options->set[OPT_RERUN].texts, &file, '\0') || (more && names_file(more, &file, '\0')) ||
              (run->session && ptxlit_reads_model(run->session, path)) || holds_kernels(run, path);
  if (read)
    run_complain(run, "choose another name, or remove the file",
                 "'%s' is not overwritten: it is an input, or looks like the source of a kernel", path);
  return !read;
}

static bool make_directory(struct run *run, const char *path) {
  if (mkdir(path, 0777) == 0 || errno == EEXIST) return true;
  return run_complain(run, NULL, "cannot make the directory '%s': %s", path, strerror(errno));
}

bool run_make_directories(struct run *run, const char *path) {
  char *part = arena_strdup(run->options->arena, path);
  bool made = true;
  for (char *at = part + strspn(part, "/"); made && (at = strchr(at, '/')); at++) {
    *at = '\0';
    made = make_directory(run, part);
    *at = '/';
  }
  return made && make_directory(run, path);
}

static void stop_writing(struct run *run, int why) {
  run->broken = true;
  if (why != EPIPE) /* a closed pipe needs no message */
    fprintf(stderr, "ptxlit: error: cannot write to standard output: %s\n", strerror(why ? why : EIO));
  run_note(run, PTXLIT_BAD_INPUT);
}

void run_write(struct run *run, const char *data, size_t size) {
  errno = 0;
  if (!run->broken && fwrite(data, 1, size, stdout) != size) stop_writing(run, errno);
}

void run_flush(struct run *run) {
  errno = 0;
  if (!run->broken && (fflush(stdout) != 0 || ferror(stdout))) stop_writing(run, errno);
}

void run_show_messages(struct run *run) {
  errno = 0;
  if (fputs(ptxlit_messages(run->session, run->colour), stderr) >= 0 || errno != EPIPE) return;
  run->broken = true;
  run_note(run, PTXLIT_BAD_INPUT);
}

static void out_of_memory(struct run *run) {
  fputs("ptxlit: error: out of memory\n", stderr);
  run_note(run, PTXLIT_NO_VERDICT);
}

void run_show(struct run *run, const char *text) {
  if (text) {
    run_write(run, text, strlen(text));
    return;
  }
  run_show_messages(run);
  run_note(run, PTXLIT_NO_VERDICT);
}

void run_tell(struct run *run, enum ptxlit_status status, const char *const *text) {
  run_note(run, status);
  if (*text) run_show(run, *text);
  run_flush(run);
  run_show_messages(run);
}

enum ptxlit_format run_format(const struct run *run) {
  if (run->options->verb != VERB_CHECK) return run_has(run, OPT_FORMAT, "json") ? PTXLIT_JSON : PTXLIT_TEXT;
  static const enum ptxlit_format formats[] = {PTXLIT_TEXT, PTXLIT_JSON, PTXLIT_LOG, PTXLIT_JSON, PTXLIT_JSON};
  return formats[run->options->set[OPT_CHECK_FORMAT].choice];
}

/* ---- the models */

static void add_dir(struct run *run, const char *path) {
  run_note(run, ptxlit_add_model_dir(run->session, path));
  run_show_messages(run);
}

/* Adds the directories that belong to this executable: for build/<variant>/ptxlit those of the source tree, for
 * bin/ptxlit those of an installation that was moved as a whole. */
static void add_dirs_of_executable(struct run *run) {
  char path[PATH_MAX + 1];
  ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  if (length <= 0) return;
  path[length] = '\0';
  char *part[3] = {NULL, NULL, NULL}; /* the last three slashes, in reverse order */
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
  if (run->worst == PTXLIT_OK) add_dirs_of_executable(run);
}

/* The model's name with the readings of --reading: "ptx+G26=complete". */
static const char *with_readings(const struct run *run, const char *model) {
  const struct word_list *given = &run->options->set[OPT_READING].texts;
  const char *name = model;
  for (size_t i = 0; i < given->count; i++) {
    char *next = arena_printf(run->options->arena, "%s+%s", name, given->items[i]);
    for (char *at = next + strlen(name); (at = strchr(at, ',')); at++) *at = '+';
    name = next;
  }
  return name;
}

/* True for `ptx` if the command line names no model: then this model is for tests in PTX only. */
static bool is_for_ptx_alone(const struct run *run, const char *model) {
  const struct options *options = run->options;
  bool given = options->set[OPT_MODEL].given || options->set[OPT_MODELS].given;
  return !given && strcmp(model, "ptx") == 0;
}

/* False, with a message, for a reading without a gap, which would be taken for a part of the model's name. */
static bool are_readings(struct run *run) {
  const struct word_list *given = &run->options->set[OPT_READING].texts;
  bool right = true;
  for (size_t i = 0; i < given->count; i++)
    for (const char *at = given->items[i]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
      if (memchr(at, '=', strcspn(at, ","))) continue;
      right = false;
      run_complain(run, "for example: --reading G52=causality; --readings=all lists the readings that matter",
                   "'%.*s' is not of the form GAP=READING", (int)strcspn(at, ","), at);
    }
  return right;
}

bool run_load_models(struct run *run) {
  if (!are_readings(run)) return false;
  const struct word_list *models = options_models(run->options);
  for (size_t i = 0; i < models->count; i++) {
    bool two = is_for_ptx_alone(run, models->items[i]);
    const char *name = with_readings(run, models->items[i]), *other = with_readings(run, "rc11-scoped");
    run_note(run, two ? ptxlit_use_models(run->session, name, other) : ptxlit_use_model(run->session, name));
    run_show_messages(run);
  }
  const struct word_list *seen = &run->options->set[OPT_SEEN].texts;
  for (size_t i = 0; i < seen->count; i++) {
    run_note(run, ptxlit_read_results(run->session, seen->items[i]));
    run_show_messages(run);
  }
  return run->worst == PTXLIT_OK;
}

/* ---- the session */

const char *run_compiler_flags(const struct run *run, bool paths, const char *between) {
  static const struct {
    enum option_id id;
    const char *spelling;
  } words[] = {{OPT_INCLUDE, "-I"}, {OPT_DEFINE, "-D"}, {OPT_LANGUAGE, "-std="}, {OPT_TARGET, "-arch="}};
  struct text text = {.arena = run->options->arena};
  for (size_t i = paths ? 0 : 1; i < ARRAY_LEN(words); i++) {
    const struct word_list *given = &run->options->set[words[i].id].texts;
    for (size_t k = 0; k < given->count; k++)
      text_printf(&text, "%s%s%s", text.len ? between : "", words[i].spelling, given->items[k]);
  }
  return text.len ? text_str(&text) : NULL;
}

static const char *without(const struct run *run) {
  const struct word_list *given = &run->options->set[OPT_WITHOUT].texts;
  struct text text = {.arena = run->options->arena};
  for (size_t i = 0; i < given->count; i++) text_printf(&text, "%s%s", i ? "," : "", given->items[i]);
  return text.len ? text_str(&text) : NULL;
}

bool run_knows_techniques(struct run *run) {
  const struct word_list *given = &run->options->set[OPT_WITHOUT].texts;
  for (size_t i = 0; i < given->count; i++)
    if (technique_named(given->items[i], strlen(given->items[i])) == TECHNIQUE_COUNT)
      return run_complain(run, "ptxlit --help-developer lists the techniques", "there is no technique '%s'",
                          given->items[i]);
  return true;
}

struct ptxlit_options run_session_options(const struct run *run) {
  const struct options *options = run->options;
  struct ptxlit_options to = ptxlit_defaults();
  to.engine = (enum ptxlit_engine)options->set[OPT_ENGINE].choice;
  to.all_state = options->set[OPT_ALL_STATE].given;
  to.implicit_locations = options->set[OPT_IMPLICIT].given;
  to.dat3m_dialect = run_has(run, OPT_DIALECT, "dat3m");
  to.compiler = options->set[OPT_COMPILER].text;
  to.compiler_flags = run->flags;
  to.keep = options->set[OPT_KEEP].text;
  to.untrusted = options->set[OPT_UNTRUSTED].given;
  to.async_race = run_has(run, OPT_ASYNC, "race");
  to.termination = run_has(run, OPT_CHECK, "termination");
  to.progress = (enum ptxlit_progress)options->set[OPT_PROGRESS].choice;
  to.unroll = options->set[OPT_UNROLL].given ? (unsigned)options->set[OPT_UNROLL].number : 0;
  to.grid_at_most = options->set[OPT_GRID].given ? (unsigned)options->set[OPT_GRID].number : 0;
  to.verdict_only = options->set[OPT_QUIET].given || options->set[OPT_VERDICT_ONLY].given;
  to.executions = options->set[OPT_EXECUTIONS].given;
  to.certify = options->set[OPT_CERTIFY].given;
  to.races = options->set[OPT_RACES].given;
  to.count_races = options->verb == VERB_CHECK && !to.verdict_only && run_format(run) != PTXLIT_JSON;
  to.colour = run->summary && run->colour;
  to.verbose = options->set[OPT_VERBOSE].given;
  to.without = without(run);
  to.timeout = options->set[OPT_TIMEOUT].seconds;
  to.max_outcomes = options->set[OPT_MAX_OUTCOMES].number;
  return to;
}

uint64_t run_memory(const struct run *run, uint32_t processes) {
  static const uint64_t least = 512 << 20;
  const struct setting *asked = &run->options->set[OPT_MEMORY];
  if (asked->given || asked->number) return asked->number << 20;
  uint64_t share = memory_of_machine("") / 2 / processes;
  if (!share) return 0;
  if (share < least) share = least;
  return memory_taken() > share / 2 ? 0 : share;
}

/* Limits the memory of this process, except for a suite, which limits its workers instead. */
static bool limit_memory(struct run *run) {
  uint64_t bytes = run_memory(run, 1);
  if (!bytes || run->options->verb == VERB_SUITE || memory_limit_to(bytes)) return true;
  return run_complain(run, NULL, "cannot limit the memory: %s", strerror(errno));
}

/* Adds the directory operands: a test in one may name any file of that directory. */
static void add_test_dirs(struct run *run) {
  const struct word_list *files = &run->options->files;
  for (size_t i = 0; i < files->count; i++) {
    struct stat about;
    if (stat(files->items[i], &about) != 0 || !S_ISDIR(about.st_mode)) continue;
    run_note(run, ptxlit_add_test_dir(run->session, files->items[i]));
    run_show_messages(run);
  }
}

bool run_open(struct run *run) {
  if (!limit_memory(run)) return false;
  run->session = ptxlit_new();
  if (!run->session) {
    out_of_memory(run);
    return false;
  }
  struct ptxlit_options to = run_session_options(run);
  ptxlit_set_options(run->session, &to);
  add_dirs(run);
  add_test_dirs(run);
  return run->worst == PTXLIT_OK;
}

/* ---- operands */

/* True if an operand is a launch: `gemm<<<2, 128>>>(float A[64], B[64], 3)`. */
static bool is_launch(const char *operand) { return strstr(operand, "<<<") != NULL; }

static bool is_file(const char *operand) { return strcmp(operand, "-") == 0 || access(operand, F_OK) == 0; }

/* True if the operand looks like a path: has a slash that is not part of `/\` or `\/`, or the ending of a test. */
static bool is_path(const char *operand) {
  const char *dot = strrchr(operand, '.');
  if (dot && (strcmp(dot, ".litmus") == 0 || strcmp(dot, ".test") == 0)) return true;
  if (strpbrk(operand, "=<>")) return false;
  for (const char *at = strchr(operand, '/'); at; at = strchr(at + 1, '/'))
    if (at[1] != '\\' && (at == operand || at[-1] != '\\')) return true;
  return false;
}

static bool reads_like_state(const char *operand) {
  return !is_file(operand) && !is_path(operand) && strpbrk(operand, "=<>");
}

bool run_take_state(struct run *run, struct word_list *operands, char **state) {
  char *last = operands->count ? operands->items[operands->count - 1] : NULL;
  *state = NULL;
  for (size_t i = 0; i < operands->count; i++)
    if (is_launch(operands->items[i])) return true; /* launches take no state */
  if (operands->count > 1 && !is_file(last) && !is_path(last)) {
    *state = last;
    operands->count--;
  }
  for (size_t i = 0; i < operands->count; i++) {
    if (!reads_like_state(operands->items[i])) continue;
    return run_complain(run, "put the tests first, then one state: TEST '0:r0=0; 1:r1=0'",
                        "'%s' is not a file, and a state must follow a test", operands->items[i]);
  }
  return true;
}

/* ---- the tests */

void run_files(struct run *run, struct word_list *out) {
  const struct word_list *files = &run->options->files;
  const char *verb = verb_rows[run->options->verb].name;
  if (!files->count)
    run_complain(run, arena_printf(run->options->arena, "ptxlit %s --help shows the usage", verb), "no test given");
  const struct setting *set = run->options->set;
  for (size_t i = 0; i < files->count; i++)
    if (!files_find(files->items[i], set[OPT_TIMEOUT].seconds, set[OPT_UNTRUSTED].given, run->options->arena, out))
      run_note(run, PTXLIT_BAD_INPUT);
}

static void do_tests(struct run *run, run_check *each, void *state) {
  size_t models = ptxlit_model_count(run->session);
  run_show_messages(run);
  for (size_t test = 0; test < ptxlit_test_count(run->session) && !run->broken; test++) {
    for (size_t model = 0; model < (models ? models : 1) && !run->broken; model++)
      if (!each(run, test, model, state)) break;
    ptxlit_forget_results(run->session);
  }
}

/* The kernel's own name in a launch, k of ns::k<32><<<2, 128>>>(A); *length: its length. */
static const char *own_name(const char *launch, size_t *length) {
  size_t end = strcspn(launch, "<"), begin = end;
  while (begin && launch[begin - 1] != ':' && launch[begin - 1] != ' ') begin--;
  *length = end - begin;
  return launch + begin;
}

/* The number of launches of a kernel of the same name before this operand. */
static size_t launches_before(const struct word_list *operands, size_t at) {
  size_t before = 0, length, other;
  const char *name = own_name(operands->items[at], &length);
  for (size_t i = 0; i < at; i++) {
    const char *earlier = own_name(operands->items[i], &other);
    before += is_launch(operands->items[i]) && other == length && memcmp(earlier, name, length) == 0;
  }
  return before;
}

static bool is_order(const char *operand) { return strcmp(operand, "after") == 0 || strcmp(operand, "overlaps") == 0; }

/* The launch at `at` with those that `then` adds to it, as one text; *next: the operand behind them. */
static const char *joined(struct run *run, size_t at, size_t *next) {
  const struct word_list *files = &run->options->files;
  struct text text = {.arena = run->options->arena};
  text_add(&text, files->items[at++]);
  while (at < files->count) {
    bool more = strcmp(files->items[at], "then") == 0 && at + 1 < files->count;
    if (!more && !is_order(files->items[at])) break;
    text_printf(&text, " %s", files->items[at++]);
    if (more) text_printf(&text, " %s", files->items[at++]);
  }
  *next = at;
  return text_str(&text);
}

static void do_launch(struct run *run, const char *path, size_t at, size_t *next, run_check *each, void *state) {
  const char *text = joined(run, at, next);
  struct ptxlit_launch launch = {text, path, launches_before(&run->options->files, at)};
  run_note(run, ptxlit_read_launch(run->session, &launch));
  if (!ptxlit_test_count(run->session) || !run->options->set[OPT_PRINT].given) do_tests(run, each, state);
  else run_show(run, ptxlit_print_launch(run->session, &launch, run_compiler_flags(run, false, " ")));
}

/* Checks FILE LAUNCH ... FILE LAUNCH ...: launches of kernels of modules. True if an operand is a launch. */
static bool do_launches(struct run *run, run_check *each, void *state) {
  const struct word_list *files = &run->options->files;
  const char *module = NULL;
  size_t launches = COUNT(for (size_t i = 0; i < files->count; i++), is_launch(files->items[i]));
  for (size_t i = 0, after; i < files->count && launches && !run->broken; i = after) {
    bool launch = is_launch(files->items[i]), next = i + 1 < files->count && is_launch(files->items[i + 1]);
    after = i + 1;
    if (launch && module) do_launch(run, module, i, &after, each, state);
    else if (!launch && module && i && is_launch(files->items[i - 1]) && reads_like_state(files->items[i]))
      run_complain(run, "--print writes the launch as a test, which may end with a condition in place of 'safe'",
                   "a launch asks if the kernel is safe, and takes no state '%s'", files->items[i]);
    else if (launch || !next)
      run_complain(run, "write a launch after its module: k.ptx 'k<<<2, 128>>>(float A[64])'",
                   launch ? "'%s' has no module" : "no launch follows '%s'", files->items[i]);
    else module = files->items[i];
  }
  return launches;
}

/* The kernels of a module, each with the launch that ptxlit proposes. The list is copied: reading a launch drops it. */
static void do_module(struct run *run, const char *path, run_check *each, void *state) {
  const struct ptxlit_proposal *list;
  size_t count;
  run_note(run, ptxlit_propose(run->session, path, &list, &count));
  struct arena *arena = run->options->arena;
  struct ptxlit_proposal *own = ARENA_ARRAY(arena, struct ptxlit_proposal, count + 1);
  struct word_list lines = {0};
  for (size_t i = 0; i < count; i++) {
    own[i] = list[i];
    own[i].line = arena_strdup(arena, list[i].line);
    word_push(arena, &lines, arena_strdup(arena, list[i].line));
  }
  run_show_messages(run);
  for (size_t i = 0; i < count && !run->broken; i++) {
    struct ptxlit_launch launch = {own[i].line, path, launches_before(&lines, i)};
    run->proposal = &own[i];
    run_note(run, ptxlit_read_launch(run->session, &launch));
    do_tests(run, each, state);
  }
  if (run->unsafe)
    run_show(run, arena_printf(arena, "ptxlit check %s '%s' tells what is wrong there\n", path, run->unsafe->line));
  run->proposal = run->unsafe = NULL;
}

/* Finds all files before it writes one, so that a run does not read its own output. */
void run_tests(struct run *run, run_check *each, void *state) {
  if (do_launches(run, each, state)) return;
  if (run->options->set[OPT_PRINT].given)
    run_complain(run, "--print writes a launch as a test: --print k.ptx 'k<<<2, 128>>>(float A[64])'",
                 "--print needs a launch");
  run_files(run, &run->visited);
  for (size_t i = 0; i < run->visited.count && !run->broken; i++) {
    const char *path = run->visited.items[i];
    if (run->options->verb == VERB_CHECK && ptxlit_is_module(path) && !ptxlit_notes_launches(path, NULL)) {
      do_module(run, path, each, state);
      continue;
    }
    run_note(run, ptxlit_read_file(run->session, path));
    do_tests(run, each, state);
  }
}

void run_checks(struct run *run, run_check *each, void *state) {
  if (run_open(run) && run_load_models(run)) run_tests(run, each, state);
}

/* ---- shards */

bool run_shard(struct run *run, enum option_id id, uint32_t *shard, uint32_t *count) {
  const char *text = run->options->set[id].text;
  char *end = NULL;
  if (!text) return true;
  unsigned long part = text[0] >= '0' && text[0] <= '9' ? strtoul(text, &end, 10) : 0;
  bool slash = end && *end == '/' && end[1] >= '0' && end[1] <= '9';
  unsigned long parts = slash ? strtoul(end + 1, &end, 10) : 0;
  if (!slash || *end) run_complain(run, "the second of four shards is 2/4", "--shard does not take '%s'", text);
  else if (parts > SUITE_MOST_SHARDS)
    run_complain(run, NULL, "--shard %s: there can be at most %d shards", text, (int)SUITE_MOST_SHARDS);
  else if (!parts || !part || part > parts)
    run_complain(run, "K of --shard K/N must be from 1 to N", "shard %s is out of range", text);
  else *shard = (uint32_t)part, *count = (uint32_t)parts;
  return *count > 0;
}
