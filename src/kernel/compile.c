/* Kernels in CUDA C++: a compiler makes a module of PTX of them first. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/output.h"
#include "base/process.h"
#include "kernel/compile.h"

enum { MOST_ARGUMENTS = 64 };

/* A command and its arguments, as exec takes them. */
struct command {
  const char *words[MOST_ARGUMENTS + 1];
  unsigned count;
};

static void add(struct command *command, const char *word) {
  if (command->count < MOST_ARGUMENTS) command->words[command->count++] = word;
}

bool kernel_is_source(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".cu") == 0 || strcmp(dot, ".c") == 0 || strcmp(dot, ".cpp") == 0);
}

static bool is_clang(const char *compiler) { return strncmp(base_file_name(compiler), "clang", 5) == 0; }

static const char *find_compiler(const struct kernel_options *options) {
  static const char *const known[] = {"nvcc",     "clang-19", "clang-20", "clang-18", "clang-17",
                                      "clang-16", "clang-15", "clang-14", "clang"};
  if (options->compiler) return base_can_run(options->compiler) ? options->compiler : NULL;
  for (size_t i = 0; i < ARRAY_LEN(known); i++)
    if (base_can_run(known[i])) return known[i];
  return NULL;
}

/* The words of a text that blanks separate. */
static void add_words(struct arena *arena, struct command *command, const char *text) {
  for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
    size_t length = strcspn(text, " \t");
    add(command, arena_strndup(arena, text, length));
    text += length;
  }
}

static void build_command(struct arena *arena, struct command *command, const char *compiler, const char *flags,
                          const char *header) {
  add(command, compiler);
  if (is_clang(compiler)) {
    add_words(arena, command, "-x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -O2 -S");
    add_words(arena, command, "-gline-tables-only -Wno-unknown-cuda-version -std=c++17");
    add(command, "-I");
    add(command, arena_printf(arena, "%.*s", (int)(strrchr(header, '/') - header), header));
    add(command, "-include");
    add(command, header);
  } else {
    add_words(arena, command, "-ptx -lineinfo -std=c++17 -arch=sm_90");
  }
  if (flags) add_words(arena, command, flags);
}

/* In the child, after fork. What the compiler starts ends with it. */
_Noreturn static void become_compiler(struct command *command, const char *messages, pid_t parent) {
  process_become_group(parent);
  int in = open("/dev/null", O_RDONLY), out = open(messages, O_WRONLY | O_CREAT | O_APPEND, 0600);
  bool ready = in >= 0 && out >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2;
  if (ready) execvp(command->words[0], (char *const *)command->words);
  _exit(127);
}

/* Waits for it, or until the deadline, when it ends. The status of its end, or -1. */
static int await(pid_t child, double deadline) {
  static const struct timespec moment = {.tv_nsec = 5000000};
  int status = -1;
  pid_t ended;
  while ((ended = waitpid(child, &status, deadline > 0 ? WNOHANG : 0)) != child) {
    if (ended < 0 && errno != EINTR) return -1;
    if (deadline > 0) nanosleep(&moment, NULL);
    if (!base_is_late(deadline)) continue;
    process_end_group(child);
    deadline = 0;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Runs it with its messages in a file. The status of its end, or -1. */
static int run(struct command *command, const char *messages, double deadline) {
  command->words[command->count] = NULL;
  pid_t parent = getpid(), child = fork();
  if (child == 0) become_compiler(command, messages, parent);
  return child < 0 ? -1 : await(child, deadline);
}

static bool write_text(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  bool right = fwrite(text, 1, length, file) == length;
  return fclose(file) == 0 && right;
}

/* The first line of the messages that says what is wrong. */
static const char *first_error(struct arena *arena, const char *path) {
  struct source source;
  if (source_read(arena, path, &source) != SOURCE_OK) return "";
  const char *at = strstr(source.text, "error"), *line = at;
  if (!at) at = line = source.text;
  while (line > source.text && line[-1] != '\n') line--;
  return arena_strndup(arena, line, strcspn(line, "\n"));
}

/* Written beside its place first, as several processes may keep the same at a time. */
static bool write_kept(const char *path, const struct source *module) {
  char *part;
  int fd = output_beside(path, &part);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  bool right = file && fwrite(module->text, 1, module->length, file) == module->length;
  if (file && fclose(file) != 0) right = false;
  right = right && output_name(part, path, true);
  int why = errno;
  if (!right && fd >= 0) unlink(part);
  free(part);
  errno = why;
  return right;
}

static bool is_kept(struct arena *arena, const char *path, const struct source *module) {
  struct source there;
  return source_read(arena, path, &there) == SOURCE_OK && there.length == module->length &&
         memcmp(there.text, module->text, module->length) == 0;
}

/* Takes nobody's place: a file of that name may be one that a test of this run has read, in another process. */
static void keep(struct kernel_compilation *c, const struct source *module) {
  const char *of = base_file_name(c->path), *path = arena_printf(c->arena, "%s/%s.ptx", c->options->keep, of);
  if (write_kept(path, module)) return;
  if (errno != EEXIST)
    diag_report(c->diags, DIAG_UNREADABLE, c->span, "cannot write '%s': %s", path, strerror(errno));
  else if (!is_kept(c->arena, path, module))
    diag_report(c->diags, DIAG_UNREADABLE, c->span, "cannot keep '%s': there is another file of that name", path);
}

/* What a kernel may include of CUDA: the header has it already, so that these are empty. */
static const char *const included[] = {"cuda/atomic", "cuda/barrier", "cuda/std/atomic", "cuda/std/barrier"};

static bool write_includes(struct arena *arena, const char *dir) {
  bool right = mkdir(arena_printf(arena, "%s/cuda", dir), 0700) == 0;
  right = right && mkdir(arena_printf(arena, "%s/cuda/std", dir), 0700) == 0;
  for (size_t i = 0; i < ARRAY_LEN(included); i++)
    right = right && write_text(arena_printf(arena, "%s/%s", dir, included[i]), "", 0);
  return right;
}

static void remove_includes(struct arena *arena, const char *dir) {
  for (size_t i = 0; i < ARRAY_LEN(included); i++) unlink(arena_printf(arena, "%s/%s", dir, included[i]));
  rmdir(arena_printf(arena, "%s/cuda/std", dir));
  rmdir(arena_printf(arena, "%s/cuda", dir));
}

static bool compile_in(struct kernel_compilation *c, const char *dir, const char *compiler, struct source *module) {
  const char *out = arena_printf(c->arena, "%s/module.ptx", dir), *header = arena_printf(c->arena, "%s/cuda.h", dir);
  const char *messages = arena_printf(c->arena, "%s/messages", dir);
  struct command command = {.count = 0};
  size_t length;
  const char *text = kernel_header(&length);
  build_command(c->arena, &command, compiler, c->flags, header);
  c->command = command.words[0];
  for (unsigned i = 1; i < command.count; i++)
    if (strcmp(command.words[i], "-include") != 0 && strcmp(command.words[i], "-I") != 0 &&
        strncmp(command.words[i], dir, strlen(dir)) != 0)
      c->command = arena_printf(c->arena, "%s %s", c->command, command.words[i]);
  add(&command, "-o");
  add(&command, out);
  add(&command, c->path);
  bool ran = write_text(header, text, length) && write_includes(c->arena, dir) &&
             run(&command, messages, c->arena->deadline) == 0;
  bool right = ran && source_read(c->arena, out, module) == SOURCE_OK;
  if (!right && !base_is_late(c->arena->deadline))
    diag_report(c->diags, DIAG_COMPILER, c->span, "%s cannot compile '%s': %s", compiler, c->path,
                first_error(c->arena, messages));
  else if (right && c->options->keep) keep(c, module);
  remove_includes(c->arena, dir);
  unlink(out);
  unlink(header);
  unlink(messages);
  return right;
}

bool kernel_compile(struct kernel_compilation *c, struct source *module) {
  const char *compiler = find_compiler(c->options), *base = getenv("TMPDIR");
  if (access(c->path, R_OK) != 0) return diag_refuse(c->diags, DIAG_UNREADABLE, c->span, "cannot read '%s'", c->path);
  if (!compiler) {
    struct diagnostic *d =
        c->options->compiler
            ? diag_report(c->diags, DIAG_COMPILER, c->span, "there is no compiler '%s'", c->options->compiler)
            : diag_report(c->diags, DIAG_COMPILER, c->span, "there is no compiler for '%s'", c->path);
    diag_hint(c->diags, d, "nvcc or clang must be on the path, or be named with --compiler; a .ptx file needs none");
    return false;
  }
  char *dir = (char *)arena_printf(c->arena, "%s/ptxlit-XXXXXX", base && *base ? base : "/tmp");
  if (!mkdtemp(dir))
    return diag_refuse(c->diags, DIAG_COMPILER, c->span, "cannot make a directory for what the compiler writes");
  bool right = compile_in(c, dir, compiler, module);
  rmdir(dir);
  if (!right) arena_poll(c->arena); /* only now: a jump leaves nothing behind */
  module->name = c->path;
  return right;
}
