/* Prints messages of compilers. They quote lines of any file that the source includes, perhaps chosen by a stranger. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "kernel/compile.h"

#define DIGITS "0123456789"

/* FILE:LINE:COL: or FILE:LINE:, or nvcc's FILE(LINE):. */
struct told_place {
  size_t file, all; /* lengths: of FILE, and of the place without its last colon; 0: no place */
};

static size_t number_after(const char *at, char before) {
  size_t digits = *at == before ? strspn(at + 1, DIGITS) : 0;
  return digits ? digits + 1 : 0;
}

/* The length of the place after a file's name, up to a colon; 0: not a place. */
static size_t place_end(const char *at) {
  size_t length = number_after(at, ':');
  if (length) length += number_after(at + length, ':');
  else if ((length = number_after(at, '('))) length = at[length] == ')' ? length + 1 : 0;
  return length && at[length] == ':' ? length : 0;
}

static struct told_place find_place(const char *line) {
  for (size_t i = 1; line[0] && line[i]; i++) {
    size_t length = place_end(line + i);
    if (length) return (struct told_place){i, i + length};
  }
  return (struct told_place){0};
}

/* True if a line has two places. Then it does not tell which file its message is about: the first place may be a part
 * of the name of a directory, which a stranger chose. */
static bool has_two_places(const char *line, struct told_place first) {
  return find_place(line + first.all - 1).all > 0;
}

static bool begins(const char *text, const char *const *with, size_t count) {
  return SOME_BELOW(i, count, base_begins(text, with[i]));
}

/* "error", as compilers begin a message with it. */
static bool is_error(const char *text) {
  static const char *const words[] = {"error", "fatal", "catastrophic error", "internal error"};
  return begins(text + strspn(text, ": "), words, ARRAY_LEN(words));
}

/* A message without a place, of a compiler or a program that it runs. */
static bool is_of_tool(const char *line, const char *compiler) {
  static const char *const tools[] = {"nvcc", "gcc", "cc1plus", "cudafe++", "cicc", "ptxas", "clang"};
  const char *const own[] = {base_file_name(compiler)};
  if (!begins(line, tools, ARRAY_LEN(tools)) && !begins(line, own, 1)) return false;
  return is_error(line + strcspn(line, ": "));
}

/* The line as shown. */
static const char *tame_line(const struct kernel_compilation *c, const char *absolute, const char *line) {
  struct told_place place = find_place(line);
  const char *file = arena_strndup(c->arena, line, place.file);
  if (!place.all) return line;
  const char *real = input_real(c->arena, file);
  bool ours = real && input_is_within(c->options->bounds, real) && !has_two_places(line, place);
  if (!ours) return arena_strndup(c->arena, line, place.all);
  return strcmp(file, absolute) == 0 ? arena_printf(c->arena, "%s%s", c->path, line + place.file) : line;
}

/* The signal that ended the compiler or, as shells report it, a program that it ran. 0: none. */
static int signal_of(int status) {
  if (status < 0) return 0;
  if (WIFSIGNALED(status)) return WTERMSIG(status);
  return WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128 : 0;
}

const char *kernel_first_error(const struct kernel_compilation *c, const char *absolute, int status,
                               const char *messages) {
  const char *first = arena_strndup(c->arena, messages, strcspn(messages, "\n"));
  for (const char *at = messages; *at; at += *at == '\n') {
    const char *line = arena_strndup(c->arena, at, strcspn(at, "\n"));
    struct told_place place = find_place(line);
    if (place.all ? is_error(line + place.all) : is_of_tool(line, c->compiler))
      return tame_line(c, absolute, line);
    at += strlen(line);
  }
  if (*first) return tame_line(c, absolute, first);
  int number = signal_of(status);
  return number ? arena_printf(c->arena, "signal %d ended it", number) : "it does not say why";
}

bool kernel_was_starved(int status, const char *messages) {
  static const char *const signs[] = {"out of memory",         "annot allocate memory",   "memory exhausted",
                                      "std::bad_alloc",        "failed to map segment",   "died due to signal 9",
                                      "Killed signal terminated"};
  /* Compilers take one or two GB: one that fails with more than this has another error. */
  static const rlim_t plenty = (rlim_t)4 << 30;
  struct rlimit limit;
  int number = signal_of(status);
  bool limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < plenty;
  bool broke_off = number == SIGSEGV || number == SIGBUS || number == SIGABRT || strstr(messages, "died due to signal");
  return SOME_BELOW(i, ARRAY_LEN(signs), strstr(messages, signs[i])) || number == SIGKILL || (limited && broke_off);
}
