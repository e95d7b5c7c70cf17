#include "cli/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/input.h"
#include "cli/options.h"

struct walker {
  file_visitor *visit;
  void *state;
  size_t files;
  enum walk result;
};

static bool is_directory(const char *path, bool follow) {
  struct stat about;
  if ((follow ? stat(path, &about) : lstat(path, &about)) != 0) return false;
  return S_ISDIR(about.st_mode);
}

static bool is_test(const char *name) {
  static const char *const endings[] = {".litmus", ".test"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    size_t ending = strlen(endings[i]);
    if (length > ending && strcmp(name + length - ending, endings[i]) == 0) return true;
  }
  return false;
}

/* What there is at a path, but no regular file: a pipe would be waited for, perhaps for ever. What is not there is left
 * to who reads it. */
static bool is_special(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Bytes, not the locale's order: the same everywhere. */
static int by_bytes(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static void walk_directory(struct walker *walker, const char *path);

static void walk_entry(struct walker *walker, const char *directory, const char *name) {
  size_t length = strlen(directory);
  const char *slash = length && directory[length - 1] == '/' ? "" : "/";
  size_t size = length + strlen(name) + 2;
  char *path = must_alloc(size);
  snprintf(path, size, "%s%s%s", directory, slash, name);
  if (is_directory(path, false)) {
    walk_directory(walker, path);
  } else if (is_test(name) && is_special(path)) {
    say_error(NULL, "'%s' is no regular file", path);
    walker->result = WALK_FAILED;
  } else if (is_test(name)) {
    walker->files++;
    if (!walker->visit(walker->state, path)) walker->result = WALK_STOPPED;
  }
  free(path);
}

static void walk_directory(struct walker *walker, const char *path) {
  struct dirent **entries;
  int count = scandir(path, &entries, is_visible, by_bytes);
  if (count < 0) {
    say_error(NULL, "cannot read directory '%s': %s", path, strerror(errno));
    walker->result = WALK_FAILED;
    return;
  }
  for (int i = 0; i < count; i++) {
    if (walker->result != WALK_STOPPED) walk_entry(walker, path, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
}

static enum walk visit_path(const char *path, file_visitor *visit, void *state) {
  if (strcmp(path, "-") == 0 || !is_directory(path, true)) return visit(state, path) ? WALK_DONE : WALK_STOPPED;
  struct walker walker = {visit, state, 0, WALK_DONE};
  walk_directory(&walker, path);
  if (walker.result == WALK_DONE && !walker.files) {
    say_error(NULL, "no .litmus or .test file in directory '%s'", path);
    return WALK_FAILED;
  }
  return walker.result;
}

static bool exists(const char *path) {
  struct stat about;
  return lstat(path, &about) == 0;
}

/* For shells that leave patterns alone, and for lists. */
static enum walk walk_pattern(const char *pattern, file_visitor *visit, void *state) {
  glob_t found;
  enum walk result = WALK_DONE, one;
  int status = glob(pattern, GLOB_ERR, NULL, &found);
  if (status != 0) {
    say_error(NULL, "%s '%s'", status == GLOB_NOMATCH ? "nothing matches" : "cannot search for", pattern);
    return WALK_FAILED;
  }
  for (size_t i = 0; i < found.gl_pathc && result != WALK_STOPPED; i++)
    if ((one = visit_path(found.gl_pathv[i], visit, state)) != WALK_DONE) result = one;
  globfree(&found);
  return result;
}

static enum walk walk_one(const char *path, file_visitor *visit, void *state) {
  bool pattern = strpbrk(path, "*?[") && !exists(path);
  return pattern ? walk_pattern(path, visit, state) : visit_path(path, visit, state);
}

/* One operand a line; empty lines and those that start with # are passed over. False, and said, when there is none. */
static bool read_list(const char *list, double seconds, struct word_list *out) {
  FILE *file = input_open(list, base_deadline(seconds));
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while (file && (length = getline(&line, &room, file)) >= 0) {
    while (length > 0 && strchr(" \t\r\n", line[length - 1])) line[--length] = '\0';
    if (length && line[0] != '#') word_push(out, must_copy(line, (size_t)length));
  }
  bool wrong = !file || ferror(file);
  if (wrong) say_error(NULL, "cannot read list '%s': %s", list, base_error(errno));
  else if (!out->count) say_error(NULL, "there is nothing in list '%s'", list);
  free(line);
  if (file) fclose(file);
  return !wrong && out->count;
}

/* Read before anything is visited: that may take as long as it wants. */
static enum walk walk_list(const char *list, double seconds, file_visitor *visit, void *state) {
  struct word_list words = {0};
  enum walk result = read_list(list, seconds, &words) ? WALK_DONE : WALK_FAILED, one;
  for (size_t i = 0; i < words.count && result != WALK_STOPPED; i++)
    if ((one = walk_one(words.items[i], visit, state)) != WALK_DONE) result = one;
  words_release(&words);
  return result;
}

enum walk files_walk(const char *path, double seconds, file_visitor *visit, void *state) {
  if (path[0] == '@' && path[1] && !exists(path)) return walk_list(path + 1, seconds, visit, state);
  return walk_one(path, visit, state);
}

/* ---- writing */

static bool write_all(int fd, const char *data, size_t size) {
  FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
  if (!file) return false;
  bool written = fwrite(data, 1, size, file) == size;
  int why = errno;
  if (fclose(file) == 0 && written) return true;
  if (!written) errno = why;
  return false;
}

/* Makes a file beside `path` under a name that nobody has or can foresee, with the rights of any new file. The name is
 * short, so that it fits where that of the file does. */
static int open_beside(const char *path, char **part) {
  const char *slash = strrchr(path, '/');
  int length = slash ? (int)(slash - path) + 1 : 0;
  size_t room = (size_t)length + sizeof ".ptxlit-XXXXXX";
  *part = must_alloc(room);
  snprintf(*part, room, "%.*s.ptxlit-XXXXXX", length, path);
  mode_t mask = umask(0);
  umask(mask);
  int fd = mkstemp(*part);
  if (fd >= 0) fchmod(fd, 0666 & ~mask);
  return fd;
}

/* A link fails where there is a file already; where there are no links, looking first has to do. */
static bool give_name(const char *part, const char *path, bool fresh) {
  if (!fresh) return rename(part, path) == 0;
  if (link(part, path) == 0) return unlink(part) == 0;
  if (errno == EEXIST) return false;
  if (!exists(path)) return rename(part, path) == 0;
  errno = EEXIST;
  return false;
}

bool files_write(const char *path, const char *data, size_t size, bool fresh) {
  struct stat about;
  bool there = lstat(path, &about) == 0;
  if (there && !S_ISREG(about.st_mode) && !fresh)
    return write_all(open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666), data, size);
  if (there && fresh) {
    errno = EEXIST;
    return false;
  }
  char *part;
  int fd = open_beside(path, &part);
  bool done = write_all(fd, data, size) && give_name(part, path, fresh);
  int why = errno;
  if (!done && fd >= 0) unlink(part);
  free(part);
  errno = why;
  return done;
}

bool files_on_path(const char *name) {
  const char *path = getenv("PATH");
  char file[4096];
  for (const char *at = path ? path : ""; *at;) {
    size_t length = strcspn(at, ":");
    int size = snprintf(file, sizeof file, "%.*s/%s", (int)length, at, name);
    if (size > 0 && (size_t)size < sizeof file && length && access(file, X_OK) == 0) return true;
    at += length + (at[length] == ':');
  }
  return false;
}

bool files_append(const char *path, const char *text) {
  FILE *file = fopen(path, "a");
  if (!file) return false;
  bool done = fputs(text, file) >= 0;
  return fclose(file) == 0 && done;
}
