/* The command-line tool, a client of ptxlit.h like any other. */
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include "cli/run.h"

static void (*const verbs[])(struct run *run) = {
#define VERB(id, name, function, operands, help, manual) function,
#include "cli/verbs.def"
#undef VERB
};

static bool is_live(void) {
  const char *terminal = getenv("TERM");
  return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

static bool wants_colour(const struct options *options) {
  const char *word = options->set[OPT_COLOUR].word;
  if (strcmp(word, "auto") != 0) return strcmp(word, "always") == 0;
  const char *none = getenv("NO_COLOR");
  return is_live() && !(none && *none);
}

/* Opens closed standard streams, because a file opened with such a descriptor would get the output meant for the
 * stream. Reading from or writing to such a stream still fails, except for writing to standard error. */
static void open_streams(void) {
  static const int flags[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_WRONLY};
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) < 0) exit(PTXLIT_BAD_INPUT);
}

/* Keeps freed memory for the next test, because the system would clear each page again. */
static void keep_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 64 << 20);
}

/* Prints completions. The status tells the shell if the word may be the name of a file. */
static int complete(char *const *words, int count) {
  struct arena arena;
  struct options options = {.arena = &arena, .verb = VERB_CHECK};
  arena_init(&arena, NULL);
  struct run run = {.options = &options, .worst = PTXLIT_OK};
  bool file = complete_last(&run, words, count);
  ptxlit_free(run.session);
  arena_release(&arena);
  return !file;
}

int main(int argc, char **argv) {
  open_streams();
  keep_memory();
  signal(SIGPIPE, SIG_IGN); /* so that a write to a closed pipe fails with EPIPE */
  signal(SIGXFSZ, SIG_IGN); /* ... and a write past the file size limit with EFBIG */
  if (argc > 2 && strcmp(argv[1], "--complete") == 0) return complete(argv + 2, argc - 2);
  struct arena arena;
  struct options options;
  arena_init(&arena, NULL);
  struct run run = {.options = &options, .worst = PTXLIT_OK};
  if (!options_read(&options, &arena, argc, argv)) {
    run_note(&run, PTXLIT_BAD_INPUT);
  } else if (options.set[OPT_HELP].given) {
    /* A buffer for all output between flushes: a write that failed before run_flush would lose its errno. */
    enum { ROOM = 1 << 20 };
    char *room = malloc(ROOM); /* never freed: the stream uses it until the process ends */
    if (room) setvbuf(stdout, room, _IOFBF, ROOM);
    help_print(options.set[OPT_HELP].word, options.verb_given ? options.verb : VERB_COUNT);
  } else if (options.set[OPT_HELP_DEVELOPER].given) {
    help_developers();
  } else if (options.set[OPT_VERSION].given) {
    printf("ptxlit %s\nmodel: %s\nsolver: %s\n", ptxlit_version(), ptxlit_edition(), ptxlit_solver());
  } else {
    run.flags = run_compiler_flags(&run, true, "\n");
    run.colour = wants_colour(&options);
    run.summary = isatty(STDOUT_FILENO) != 0;
    run.live = is_live();
    if (run.flags && options.set[OPT_UNTRUSTED].given)
      run_complain(&run, "leave out -I, -D and -std", "--untrusted runs no compiler");
    else if (run_knows_techniques(&run)) verbs[options.verb](&run);
    ptxlit_free(run.session);
  }
  run_flush(&run);
  arena_release(&arena);
  return (int)run.worst;
}
