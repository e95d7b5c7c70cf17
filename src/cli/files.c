#include "cli/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
  static const char ending[] = ".litmus";
  size_t length = strlen(name);
  return length > sizeof ending - 1 && strcmp(name + length - (sizeof ending - 1), ending) == 0;
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
    fprintf(stderr, "ptxlit: error: cannot read directory '%s': %s\n", path, strerror(errno));
    walker->result = WALK_FAILED;
    return;
  }
  for (int i = 0; i < count; i++) {
    if (walker->result != WALK_STOPPED) walk_entry(walker, path, entries[i]->d_name);
    free(entries[i]);
  }
  free(entries);
}

enum walk files_walk(const char *path, file_visitor *visit, void *state) {
  if (strcmp(path, "-") == 0 || !is_directory(path, true)) return visit(state, path) ? WALK_DONE : WALK_STOPPED;
  struct walker walker = {visit, state, 0, WALK_DONE};
  walk_directory(&walker, path);
  if (walker.result == WALK_DONE && !walker.files) {
    fprintf(stderr, "ptxlit: error: no .litmus file in directory '%s'\n", path);
    return WALK_FAILED;
  }
  return walker.result;
}
