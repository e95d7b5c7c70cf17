/* Kernels in CUDA C++: runs nvcc or clang to get their PTX. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/output.h"
#include "base/process.h"
#include "base/scratch.h"
#include "kernel/compile.h"

bool kernel_is_source(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (strcmp(dot, ".cu") == 0 || strcmp(dot, ".c") == 0 || strcmp(dot, ".cpp") == 0);
}

static bool is_clang(const char *compiler) { return base_begins(base_file_name(compiler), "clang"); }

/* nvcc, on the path or where CUDA is, comes before any clang. */
static const char *find_compiler(struct arena *arena, const struct kernel_options *options) {
  static const char *const clangs[] = {"clang-19", "clang-20", "clang-18", "clang-17",
                                       "clang-16", "clang-15", "clang-14", "clang"};
  const char *const homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda"};
  if (options->compiler) return base_can_run(options->compiler) ? options->compiler : NULL;
  if (base_can_run("nvcc")) return "nvcc";
  for (size_t i = 0; i < ARRAY_LEN(homes); i++) {
    const char *path = homes[i] && *homes[i] ? arena_printf(arena, "%s/bin/nvcc", homes[i]) : NULL;
    if (path && base_can_run(path)) return path;
  }
  for (size_t i = 0; i < ARRAY_LEN(clangs); i++)
    if (base_can_run(clangs[i])) return clangs[i];
  return NULL;
}

/* ---- the target */

static const char *const spellings[] = {"arch=", "gpu-architecture=", "cuda-gpu-arch=", "offload-arch="};

/* The target that a flag names; NULL: it is another flag. */
static const char *target_of(const char *word) {
  const char *name = word + strspn(word, "-");
  for (size_t i = 0; i < ARRAY_LEN(spellings); i++)
    if (*word == '-' && base_begins(name, spellings[i])) return name + strlen(spellings[i]);
  return NULL;
}

/* The targets to try in order: the one that is given; those of the features that the source asks for, such as sm_90a of
 * __CUDA_ARCH_FEAT_SM90_ALL; or one that all compilers know. */
static struct kernel_flags find_targets(struct kernel_compilation *c, const char *source) {
  static const char feature[] = "__CUDA_ARCH_FEAT_SM";
  struct kernel_flags targets = {0};
  for (uint32_t i = 0; i < c->flags->len; i++) {
    const char *given = target_of(c->flags->data[i]);
    if (!given) continue;
    targets.len = 0;
    VEC_PUSH(c->arena, &targets, given);
  }
  for (const char *at = targets.len ? NULL : source; at && (at = strstr(at, feature));) {
    at += strlen(feature);
    size_t digits = strspn(at, "0123456789");
    if (!digits || digits > 3 || !base_begins(at + digits, "_ALL")) continue;
    const char *target = arena_printf(c->arena, "sm_%.*sa", (int)digits, at);
    bool known = SOME_BELOW(i, targets.len, strcmp(targets.data[i], target) == 0);
    if (!known) VEC_PUSH(c->arena, &targets, target);
  }
  if (!targets.len) VEC_PUSH(c->arena, &targets, is_clang(c->compiler) ? "sm_80" : "sm_90");
  return targets;
}

/* ---- the command */

static void add(struct arena *arena, struct kernel_flags *command, const char *word) { VEC_PUSH(arena, command, word); }

/* The words of a text that blanks separate. */
static void add_words(struct arena *arena, struct kernel_flags *command, const char *text) {
  for (size_t length; *text; text += length + (text[length] == ' ')) {
    length = strcspn(text, " ");
    add(arena, command, arena_strndup(arena, text, length));
  }
}

/* nvcc takes these but once. */
static bool is_given(const struct kernel_flags *flags, const char *flag) {
  return SOME_BELOW(i, flags->len, base_begins(flags->data[i] + (flags->data[i][1] == '-'), flag));
}

static void build_command(struct kernel_compilation *c, struct kernel_flags *command, const char *dir,
                          const char *target) {
  add(c->arena, command, c->compiler);
  if (is_clang(c->compiler)) {
    add_words(c->arena, command, "-x cuda --cuda-device-only -nocudainc -nocudalib");
    add(c->arena, command, arena_printf(c->arena, "--cuda-gpu-arch=%s", target));
    add_words(c->arena, command, "-O2 -S -gline-tables-only -Wno-unknown-cuda-version -std=c++17");
    add(c->arena, command, "-I");
    add(c->arena, command, dir);
    add(c->arena, command, "-include");
    add(c->arena, command, arena_printf(c->arena, "%s/cuda.h", dir));
  } else {
    add_words(c->arena, command, "-ptx -lineinfo");
    if (!is_given(c->flags, "-std=")) add(c->arena, command, "-std=c++17");
    add(c->arena, command, arena_printf(c->arena, "-arch=%s", target));
  }
  for (uint32_t i = 0; i < c->flags->len; i++)
    if (!target_of(c->flags->data[i])) add(c->arena, command, c->flags->data[i]);
}

/* The command without names of files. */
static const char *describe(struct arena *arena, const struct kernel_flags *command) {
  const char *out = command->data[0];
  for (uint32_t i = 1; i < command->len; i++) {
    const char *word = command->data[i];
    bool file = *word == '/' || strcmp(word, "-include") == 0 || strcmp(word, "-I") == 0;
    if (!file) out = arena_printf(arena, "%s %s", out, word);
  }
  return out;
}

/* ---- running it */

/* Runs in the child after fork. Processes that the compiler starts end with it. */
_Noreturn static void become_compiler(struct kernel_flags *command, const char *dir, const char *messages,
                                      pid_t parent) {
  process_become_group(parent);
  int in = open("/dev/null", O_RDONLY), out = open(messages, O_WRONLY | O_CREAT | O_APPEND, 0600);
  bool ready = in >= 0 && out >= 0 && dup2(in, 0) == 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2;
  if (ready && setenv("TMPDIR", dir, 1) == 0) execvp(command->data[0], (char *const *)command->data);
  _exit(127);
}

/* Runs the compiler. Its messages go to a file, its other output into the directory. Returns the status as from wait;
 * -1: the compiler was not run. */
static int run(struct kernel_compilation *c, struct kernel_flags *command, const char *dir, const char *messages) {
  const char *leftovers = arena_printf(c->arena, "%s/tmp", dir);
  add(c->arena, command, NULL);
  if (mkdir(leftovers, 0700) != 0) return -1;
  pid_t parent = getpid(), child = fork();
  if (child == 0) become_compiler(command, leftovers, messages, parent);
  return child < 0 ? -1 : process_await(child, c->arena->deadline);
}

/* The header for clang. No macro of a test applies to it: a test may define T, which is a word of the header. */
static const char *header_text(struct kernel_compilation *c, size_t *length) {
  struct text out = {.arena = c->arena}, after = {.arena = c->arena};
  const char *text = kernel_header(length);
  for (uint32_t i = 0; i < c->flags->len; i++) {
    const char *word = c->flags->data[i];
    if (!base_begins(word, "-D")) continue;
    int name = (int)strcspn(word + 2, "=");
    text_printf(&out, "#pragma push_macro(\"%.*s\")\n#undef %.*s\n", name, word + 2, name, word + 2);
    text_printf(&after, "#pragma pop_macro(\"%.*s\")\n", name, word + 2);
  }
  text_add_slice(&out, text, *length);
  text_add(&out, text_str(&after));
  *length = out.len;
  return text_str(&out);
}

static bool write_text(const char *path, const char *text, size_t length) {
  FILE *file = fopen(path, "w");
  if (!file) return false;
  bool right = fwrite(text, 1, length, file) == length;
  return fclose(file) == 0 && right;
}

/* Writes the file under another name first, as several processes may keep the same one at a time. */
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
  return source_read(arena, path, false, &there) == SOURCE_OK && there.length == module->length &&
         memcmp(there.text, module->text, module->length) == 0;
}

/* Replaces no file: one of that name may have been read by a test of this run, in another process. */
static void keep(struct kernel_compilation *c, const struct source *module) {
  const char *of = base_file_name(c->path), *path = arena_printf(c->arena, "%s/%s.ptx", c->options->keep, of);
  if (write_kept(path, module)) return;
  if (errno != EEXIST) diag_report(c->diags, DIAG_UNREADABLE, c->span, "cannot write '%s': %s", path, strerror(errno));
  else if (!is_kept(c->arena, path, module))
    diag_report(c->diags, DIAG_UNREADABLE, c->span, "cannot keep '%s': there is another file of that name", path);
}

/* The headers of CUDA that a kernel may include: header.c has their content, so that these are empty. */
static const char *const included[] = {"cuda/atomic", "cuda/barrier", "cuda/std/atomic", "cuda/std/barrier"};

static bool write_includes(struct arena *arena, const char *dir) {
  bool right = mkdir(arena_printf(arena, "%s/cuda", dir), 0700) == 0;
  right = right && mkdir(arena_printf(arena, "%s/cuda/std", dir), 0700) == 0;
  for (size_t i = 0; i < ARRAY_LEN(included); i++)
    right = right && write_text(arena_printf(arena, "%s/%s", dir, included[i]), "", 0);
  return right;
}

/* The message file as a text. */
static const char *read_messages(struct arena *arena, const char *path) {
  struct source source;
  return source_read(arena, path, false, &source) == SOURCE_OK ? source.text : "";
}

/* The source's path for the compiler, absolute, so that no name is taken for an option or a list of options. */
static const char *absolute_path(struct kernel_compilation *c) {
  const char *directory = kernel_directory(c->arena, c->path);
  if (!directory) return c->path;
  return arena_printf(c->arena, "%s/%s", strcmp(directory, "/") == 0 ? "" : directory, base_file_name(c->path));
}

/* Why nothing can be written to a directory, such as a full disk; NULL: something can. */
static const char *unwritable(struct arena *arena, const char *dir) {
  enum { SIZE = 1 << 16 };
  const char *path = arena_printf(arena, "%s/probe", dir), *bytes = arena_alloc(arena, SIZE);
  errno = 0;
  bool right = write_text(path, bytes, SIZE);
  int why = errno;
  unlink(path);
  return right ? NULL : arena_printf(arena, "cannot write to '%s': %s", dir, strerror(why));
}

/* Compiles the source there. False: this failed, because of the deadline, `starved`, or with an error reported. */
static bool compile_in(struct kernel_compilation *c, const char *dir, const char *target, struct source *module,
                       bool *starved) {
  const char *out = arena_printf(c->arena, "%s/module.ptx", dir), *header = arena_printf(c->arena, "%s/cuda.h", dir);
  const char *messages = arena_printf(c->arena, "%s/messages", dir), *source = absolute_path(c);
  struct kernel_flags command = {0};
  size_t length;
  const char *text = header_text(c, &length);
  build_command(c, &command, dir, target);
  c->command = describe(c->arena, &command);
  add(c->arena, &command, "-o");
  add(c->arena, &command, out);
  if (is_clang(c->compiler)) add(c->arena, &command, "--");
  add(c->arena, &command, source);
  bool ready = write_text(header, text, length) && write_includes(c->arena, dir);
  int status = ready ? run(c, &command, dir, messages) : -1;
  if (status == 0 && source_read(c->arena, out, false, module) == SOURCE_OK) {
    if (c->options->keep) keep(c, module);
    return true;
  }
  const char *said = read_messages(c->arena, messages);
  if (base_is_late(c->arena->deadline)) return false;
  *starved = status >= 0 && kernel_was_starved(status, said);
  if (*starved) return false;
  const char *full = unwritable(c->arena, dir), *why = full ? full : kernel_first_error(c, source, status, said);
  struct diagnostic *d =
      diag_report(c->diags, DIAG_COMPILER, c->span, "%s cannot compile '%s': %s", c->compiler, c->path, why);
  if (full) diag_hint(c->diags, d, "set TMPDIR to another place");
  return false;
}

static bool refuse_missing(struct kernel_compilation *c) {
  const char *wanted = c->options->compiler;
  struct diagnostic *d = wanted
                             ? diag_report(c->diags, DIAG_COMPILER, c->span, "there is no compiler '%s'", wanted)
                             : diag_report(c->diags, DIAG_COMPILER, c->span, "there is no compiler for '%s'", c->path);
  return diag_hint(c->diags, d,
                   "nvcc or clang must be on the path, or be named with --compiler; a .ptx file needs none");
}

bool kernel_may_compile(struct diags *diags, const struct kernel_options *options, const char *path, struct span span) {
  if (!options->forbidden) return true;
  return diag_refuse(diags, DIAG_NOT_COMPILED, span,
                     "'%s' is not compiled: %s" HINT "name the module that a compiler makes of it, as nvcc -ptx does",
                     path, options->forbidden);
}

/* nvcc writes its commands with names in double quotes, for a shell. */
static bool is_safe(struct kernel_compilation *c, const char *path) {
  const char *unsafe = kernel_unsafe_character(path);
  if (!unsafe) return true;
  return diag_refuse(c->diags, DIAG_COMPILER, c->span,
                     "cannot compile '%s': a shell that nvcc starts would read the '%c' in its path", path, *unsafe);
}

/* Compiles for the first target that works; the error is that of the first. */
static bool compile_for_some(struct kernel_compilation *c, const char *dir, struct source *module, bool *starved) {
  const struct kernel_flags targets = find_targets(c, module->text);
  struct diags *to = c->diags, *first = NULL;
  bool right = false;
  for (uint32_t i = 0; i < targets.len && !right && !*starved && !base_is_late(c->arena->deadline); i++) {
    const char *own = arena_printf(c->arena, "%s/%u", dir, i);
    c->diags = ARENA_NEW(c->arena, struct diags);
    diags_init(c->diags, c->arena);
    right = mkdir(own, 0700) == 0 && compile_in(c, own, targets.data[i], module, starved);
    if (!first) first = c->diags;
  }
  struct diags *last = c->diags;
  c->diags = to;
  if (first) diags_add(to, right ? last : first);
  return right;
}

static void close_scratch(void *scratch) { scratch_close(scratch); }

bool kernel_compile(struct kernel_compilation *c, struct source *module) {
  struct scratch *scratch = ARENA_NEW(c->arena, struct scratch);
  bool starved = false;
  if (!is_safe(c, absolute_path(c))) return false;
  c->compiler = find_compiler(c->arena, c->options);
  if (!c->compiler) return refuse_missing(c);
  const char *wrong = kernel_wrong_flag(c->flags, is_clang(c->compiler));
  if (wrong)
    return diag_refuse(c->diags, DIAG_COMPILER, c->span, "cannot compile '%s': '%s' is a flag of %s, not of %s",
                       c->path, wrong, is_clang(c->compiler) ? "nvcc" : "clang", c->compiler);
  arena_own(c->arena, close_scratch, scratch);
  if (!scratch_open(scratch))
    return diag_refuse(c->diags, DIAG_COMPILER, c->span, "cannot make a directory for the output of the compiler");
  bool right = compile_for_some(c, scratch->path, module, &starved);
  scratch_close(scratch);
  if (!right && c->options->doing) *c->options->doing = "compiling a kernel of";
  if (starved) arena_out_of_memory(c->arena);
  if (!right) arena_poll(c->arena);
  module->name = c->path;
  return right;
}
