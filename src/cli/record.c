#define _DEFAULT_SOURCE /* realpath, readlink */

/* ptxlit record: runs a program with the recorder (record/record.c) in it, and sorts what that wrote. */

#include <dirent.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/input.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/run.h"

static const char recorder_name[] = "libptxlit-record.so";

static bool is_there(const char *path) { return access(path, R_OK) == 0; }

/* The recorder: of PTXLIT_RECORDER, beside the tool, or where `make install` puts it. NULL: nowhere. */
static const char *find_recorder(struct arena *arena) {
  const char *given = getenv("PTXLIT_RECORDER");
  char self[PATH_MAX];
  if (given && *given) return is_there(given) ? given : NULL;
  ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  while (length > 0 && self[length - 1] != '/') length--;
  for (const char *const *place = (const char *const[]){"", "../lib/", NULL}; *place && length > 0; place++) {
    const char *path = arena_printf(arena, "%.*s%s%s", (int)length, self, *place, recorder_name);
    if (is_there(path)) return path;
  }
  return NULL;
}

static bool ends_in(const char *name, const char *end) {
  size_t length = strlen(name), of = strlen(end);
  return length > of && strcmp(name + length - of, end) == 0;
}

/* The names in a directory that end in `end`. */
static struct word_list names_in(struct arena *arena, const char *directory, const char *end) {
  struct word_list names = {0};
  struct dirent **entries;
  int count = scandir(directory, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    if (ends_in(entries[i]->d_name, end)) word_push(arena, &names, arena_strdup(arena, entries[i]->d_name));
    free(entries[i]);
  }
  if (count >= 0) free(entries);
  return names;
}

static const char *read_whole(struct arena *arena, const char *path, size_t *size) {
  enum { MOST = 1 << 30 };
  return input_read(arena, path, 0, false, MOST, size);
}

/* True if b begins with all of a. */
static bool is_same(struct arena *arena, const char *a, const char *b) {
  struct stat of_a, of_b;
  size_t first, second;
  if (stat(a, &of_a) != 0 || stat(b, &of_b) != 0 || of_a.st_size > of_b.st_size) return false;
  const struct arena_mark mark = arena_mark(arena);
  const char *one = read_whole(arena, a, &first), *two = read_whole(arena, b, &second);
  bool same = one && two && first <= second && memcmp(one, two, first) == 0;
  arena_rewind(arena, mark);
  return same;
}

static void copy_file(struct arena *arena, const char *from, const char *to) {
  size_t size;
  const char *data = read_whole(arena, from, &size);
  if (data) output_write(to, data, size, false);
}

/* Triton's cache has a folder for each kernel, with its cubin and the PTX of it. */
static void find_in_cache(struct arena *arena, const char *directory, const char *cubin) {
  const char *given = getenv("TRITON_CACHE_DIR"), *home = getenv("HOME");
  const char *cache = given ? given : arena_printf(arena, "%s/.triton/cache", home ? home : "");
  const char *own = arena_printf(arena, "%s/%s", directory, cubin);
  struct word_list folders = names_in(arena, cache, "");
  for (size_t i = 0; i < folders.count; i++) {
    const char *folder = arena_printf(arena, "%s/%s", cache, folders.items[i]);
    struct word_list cubins = names_in(arena, folder, ".cubin");
    for (size_t k = 0; k < cubins.count; k++) {
      int length = (int)(strlen(cubins.items[k]) - strlen(".cubin"));
      if (!is_same(arena, own, arena_printf(arena, "%s/%s", folder, cubins.items[k]))) continue;
      const char *ptx = arena_printf(arena, "%s/%.*s.ptx", folder, length, cubins.items[k]);
      copy_file(arena, ptx, arena_printf(arena, "%s/%.16s.ptx", directory, cubin));
    }
  }
}

/* The module that a recorded test names is there. */
static bool has_module(struct arena *arena, const char *directory, const char *test) {
  size_t size;
  const char *text = read_whole(arena, arena_printf(arena, "%s/%s", directory, test), &size);
  const char *at = text ? strstr(text, "\nkernel \"") : NULL;
  bool there = !at;
  if (at) at += strlen("\nkernel \"");
  if (at) there = is_there(arena_printf(arena, "%s/%.*s", directory, (int)strcspn(at, "\""), at));
  return there;
}

/* Finds PTX for cubins, and takes away tests whose module has none. */
static void sort_tests(struct run *run, const char *directory, size_t before) {
  struct arena *arena = run->options->arena;
  struct word_list cubins = names_in(arena, directory, ".cubin");
  for (size_t i = 0; i < cubins.count; i++) {
    find_in_cache(arena, directory, cubins.items[i]);
    unlink(arena_printf(arena, "%s/%s", directory, cubins.items[i]));
  }
  struct word_list tests = names_in(arena, directory, ".litmus");
  size_t lost = 0;
  for (size_t i = 0; i < tests.count; i++)
    if (!has_module(arena, directory, tests.items[i]))
      lost += unlink(arena_printf(arena, "%s/%s", directory, tests.items[i])) == 0;
  size_t kept = tests.count - lost;
  text_say(stderr, "ptxlit record: %zu new test%s in %s, %zu in all; ptxlit suite %s checks them\n",
           kept > before ? kept - before : 0, kept == before + 1 ? "" : "s", directory, kept, directory);
  if (lost)
    text_say(stderr,
             "ptxlit record: %zu launch%s of modules without PTX left out: nvcc -gencode "
             "arch=compute_90,code=[sm_90,compute_90] keeps PTX\n",
             lost, lost == 1 ? "" : "es");
  if (!kept && !is_there("/dev/nvidiactl") && !is_there("/dev/dxg"))
    run_complain(run, "a recording needs a machine with a GPU and its driver",
                 "no launch was recorded: there is no GPU");
  else if (!kept) run_note(run, PTXLIT_NO_VERDICT);
}

static int run_program(const struct word_list *words, const char *recorder, const char *directory,
                       struct arena *arena) {
  char **argv = ARENA_ARRAY(arena, char *, words->count + 1);
  int status = -1;
  for (size_t i = 0; i < words->count; i++) argv[i] = words->items[i];
  pid_t child = fork();
  if (child == 0) {
    setenv("CUDA_INJECTION64_PATH", recorder, 1);
    setenv("PTXLIT_RECORD_DIR", directory, 1);
    execvp(argv[0], argv);
    text_say(stderr, "ptxlit: error: cannot run '%s': %s\n", argv[0], strerror(errno));
    _exit(127);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

void verb_record(struct run *run) {
  const struct options *options = run->options;
  const struct word_list *words = &options->files;
  const char *given = options->set[OPT_RECORD_DIR].text, *recorder = find_recorder(options->arena);
  if (!words->count) {
    run_complain(run, "ptxlit record -- ./program its arguments", "no program given");
    return;
  }
  if (!recorder) {
    run_complain(run, "make record builds it where the headers of CUDA and CUPTI are (CUDA_HOME)",
                 "there is no %s beside ptxlit", recorder_name);
    return;
  }
  if (!run_make_directories(run, given)) return;
  char *directory = realpath(given, NULL), *library = realpath(recorder, NULL);
  size_t before = names_in(options->arena, given, ".litmus").count;
  if (directory && library) {
    int status = run_program(words, library, directory, options->arena);
    bool ran = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) run_note(run, PTXLIT_BAD_INPUT);
    else if (!ran)
      text_say(stderr, "ptxlit record: the program ended with %s %d\n", WIFEXITED(status) ? "status" : "signal",
               WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 127) sort_tests(run, given, before);
  }
  free(directory);
  free(library);
}
