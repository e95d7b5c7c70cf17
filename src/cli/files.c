#define _DEFAULT_SOURCE /* DT_DIR */

#include "cli/run.h"

#include <dirent.h>

#include "base/input.h"
#include "base/text.h"

static bool is_directory(const char *path, bool follow) {
  struct stat about;
  return (follow ? stat(path, &about) : lstat(path, &about)) == 0 && S_ISDIR(about.st_mode);
}

/* `path`: NULL, or that of the file, whose comments may be tests if it is a source. */
static bool is_test(const char *name, const char *path) {
  static const char *const endings[] = {".litmus", ".test"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    size_t ending = strlen(endings[i]);
    if (length > ending && strcmp(name + length - ending, endings[i]) == 0) return true;
  }
  bool source = length > 3 && strcmp(name + length - 3, ".cu") == 0;
  return source && !input_is_special(path) && ptxlit_notes_launches(path, NULL);
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Sorts by bytes, not by the locale, so that the order is the same everywhere. */
static int by_bytes(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

static bool walk_directory(const char *path, struct arena *arena, struct word_list *out);

/* True for a directory, by readdir if that gives the kind, else by stat. Links are followed. */
static bool leads_to_directory(const struct dirent *entry, const char *path) {
  return entry->d_type == DT_UNKNOWN ? is_directory(path, false) : entry->d_type == DT_DIR;
}

static bool walk_entry(const char *directory, const struct dirent *entry, struct arena *arena, struct word_list *out) {
  size_t length = strlen(directory);
  const char *name = entry->d_name, *slash = length && directory[length - 1] == '/' ? "" : "/";
  char *path = arena_printf(arena, "%s%s%s", directory, slash, name);
  bool right = true;
  if (leads_to_directory(entry, path)) {
    right = walk_directory(path, arena, out);
  } else if (is_test(name, path) && entry->d_type != DT_REG && input_is_special(path)) {
    say_error(NULL, "'%s' is not a regular file", path);
    right = false;
  } else if (is_test(name, path)) {
    word_push(arena, out, path);
  }
  return right;
}

static bool walk_directory(const char *path, struct arena *arena, struct word_list *out) {
  struct dirent **entries;
  int count = scandir(path, &entries, is_visible, by_bytes);
  bool right = count >= 0;
  if (!right) say_error(NULL, "cannot read directory '%s': %s", path, strerror(errno));
  for (int i = 0; i < count; i++) {
    right = walk_entry(path, entries[i], arena, out) && right;
    free(entries[i]);
  }
  if (count >= 0) free(entries);
  return right;
}

/* How operands are searched for. */
struct operand_search {
  struct arena *arena;
  bool closed;                /* untrusted links lead to no other directory */
  struct input_bounds bounds; /* of what an untrusted list names; no directory: the user names it */
  struct word_list *out;
};

static bool refuse_outside(const char *path) {
  return say_error(NULL, "cannot read '%s': %s", path, base_error(EXDEV));
}

static bool is_refused(const struct operand_search *s, const char *path) {
  if (!s->closed || strcmp(path, "-") == 0) return false;
  if (s->bounds.count) return input_is_outside(s->arena, &s->bounds, path);
  return is_directory(path, true) && input_leads_out(path); /* a file's reader says it */
}

static bool add_path(const struct operand_search *s, const char *path) {
  size_t before = s->out->count;
  if (is_refused(s, path)) return refuse_outside(path);
  if (strcmp(path, "-") == 0 || !is_directory(path, true)) {
    word_push(s->arena, s->out, arena_strdup(s->arena, path));
    return true;
  }
  bool right = walk_directory(path, s->arena, s->out);
  if (right && s->out->count == before) say_error(NULL, "no .litmus or .test file in directory '%s'", path);
  return right && s->out->count > before;
}

static bool exists(const char *path) {
  struct stat about;
  return lstat(path, &about) == 0;
}

/* The directory of a list; none if there is none: then the list cannot be read either. */
static struct input_bounds bounds_of(struct arena *arena, const char *list) {
  const char *slash = strrchr(list, '/'), **dir = ARENA_NEW(arena, const char *);
  *dir = input_real(arena, slash ? arena_strndup(arena, list, (size_t)(slash + 1 - list)) : ".");
  return (struct input_bounds){dir, *dir != NULL, true};
}

/* Adds the operands of a list, one per line; skips empty lines and those that start with #. */
static bool add_list(struct operand_search s, const char *list, double seconds) {
  if (s.closed) s.bounds = bounds_of(s.arena, list);
  FILE *file = input_open(list, base_deadline(seconds), s.closed);
  char *line = NULL;
  size_t room = 0, operands = 0;
  ssize_t length;
  bool right = true;
  while (file && (length = getline(&line, &room, file)) >= 0) {
    while (length > 0 && strchr(" \t\r\n", line[length - 1])) line[--length] = '\0';
    if (!length || line[0] == '#') continue;
    operands++;
    right = add_path(&s, line) && right;
  }
  bool unread = !file || ferror(file);
  if (unread) say_error(NULL, "cannot read list '%s': %s", list, base_error(errno));
  else if (!operands) say_error(NULL, "there is nothing in list '%s'", list);
  free(line);
  if (file) fclose(file);
  return right && !unread && operands;
}

bool files_find(const char *operand, double seconds, bool closed, struct arena *arena, struct word_list *out) {
  const struct operand_search s = {.arena = arena, .closed = closed, .out = out};
  if (operand[0] == '@' && operand[1] && !exists(operand)) return add_list(s, operand + 1, seconds);
  return add_path(&s, operand);
}

/* ---- writing */

bool files_are_one(const char *path, const struct stat *file) {
  struct stat about;
  return stat(path, &about) == 0 && about.st_dev == file->st_dev && about.st_ino == file->st_ino;
}

bool files_are_source(const char *path) {
  static const char *const endings[] = {".ptx", ".cu", ".c", ".cpp", ".cuh", ".h", ".hpp"};
  const char *dot = strrchr(path, '.');
  return SOME(for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++), strcmp(dot, endings[i]) == 0);
}

const char *files_of_test(struct arena *arena, const char *directory, const char *name) {
  if (strchr(name, '/') || name[0] == '.' || !*name) return NULL;
  size_t length;
  for (const char *at = name; *at; at += length)
    if (text_is_hidden(text_character(at, &length))) return NULL;
  return arena_printf(arena, "%s/%s.litmus", directory, name);
}
