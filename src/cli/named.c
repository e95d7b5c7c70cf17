#define _XOPEN_SOURCE 700 /* realpath */

/* Finds out if tests name a file, before an output replaces it: tests are read later, and in other processes. The texts
 * are only searched for names, so some files are protected without need. */
#include <fnmatch.h>
#include <sys/stat.h>

#include "base/input.h"
#include "base/text.h"
#include "cli/files.h"

enum { MOST_SOURCES = 200, MOST_BYTES = 64 << 20 };

struct naming {
  struct arena arena; /* for the current test */
  struct stat file;
  const char *name; /* the file name in the output's path */
  const char *sources[MOST_SOURCES];
  size_t count;
};

bool files_are_one(const char *path, const struct stat *file) {
  struct stat about;
  return stat(path, &about) == 0 && about.st_dev == file->st_dev && about.st_ino == file->st_ino;
}

static bool ends_in(const char *word, const char *name) {
  size_t length = strlen(word), end = strlen(name);
  return length >= end && strcmp(word + length - end, name) == 0;
}

/* The path of a name relative to the directory of `of`. */
static const char *beside(struct naming *s, const char *of, const char *name) {
  const char *slash = strrchr(of, '/');
  if (name[0] == '/' || !slash) return name;
  return arena_printf(&s->arena, "%.*s%s", (int)(slash + 1 - of), of, name);
}

/* True if a word matches the output's name, in any directory; "*" matches the parts that a table fills in. */
static bool names_by_pattern(struct naming *s, const char *word) {
  char *pattern = arena_strdup(&s->arena, word);
  for (char *at = pattern; *at; at++)
    if (*at == '$') *at = '*';
  return strchr(word, '$') && fnmatch(base_file_name(pattern), s->name, 0) == 0;
}

static void add_source(struct naming *s, const char *path) {
  for (size_t i = 0; i < s->count; i++)
    if (strcmp(s->sources[i], path) == 0) return;
  if (s->count < MOST_SOURCES) s->sources[s->count++] = path;
}

/* True if a quoted word names the output: as a module, a source, an included file, or other text. */
static bool is_meant(struct naming *s, const char *of, const char *word, bool includes) {
  const char *path = beside(s, of, word);
  if (files_are_one(path, &s->file) || names_by_pattern(s, word)) return true;
  if (includes && ends_in(word, s->name)) return true; /* -I may find it */
  if (files_are_source(path)) add_source(s, path);
  return false;
}

static bool follows_include(const char *text, const char *at) {
  static const char word[] = "include";
  while (at > text && (at[-1] == ' ' || at[-1] == '\t')) at--;
  return (size_t)(at - text) >= sizeof word - 1 && strncmp(at - (sizeof word - 1), word, sizeof word - 1) == 0;
}

/* True if a word of the rest of a line CompilerFlags=... names the output. */
static bool flags_name(struct naming *s, const char *of, const char *flags) {
  const char *end = flags + strcspn(flags, "\n");
  for (size_t length; flags < end; flags += length + 1) {
    length = strcspn(flags, " \t\r\n");
    if (is_meant(s, of, arena_strndup(&s->arena, flags, length), true)) return true;
  }
  return false;
}

static bool text_names(struct naming *s, const char *of, const char *text) {
  static const char key[] = "CompilerFlags";
  for (const char *at = text; (at = strstr(at, key)); at += sizeof key - 1)
    if (flags_name(s, of, at + sizeof key - 1)) return true;
  for (const char *at = text; (at = strpbrk(at, "\"<")); at++) {
    bool includes = follows_include(text, at);
    if (*at == '<' && !includes) continue;
    size_t length = strcspn(at + 1, *at == '<' ? ">\n" : "\"\n");
    if (is_meant(s, of, arena_strndup(&s->arena, at + 1, length), includes)) return true;
  }
  return false;
}

/* True if a test names the output. A file that cannot be read names nothing: its reader will report it. */
static bool test_names(struct naming *s, const char *test) {
  static const struct input_bounds open = {0};
  bool named = false;
  s->count = 0;
  add_source(s, test);
  for (size_t i = 0; i < s->count && !named; i++) {
    size_t length;
    bool within;
    const char *text = input_read_named(&s->arena, s->sources[i], &open, MOST_BYTES, &length, &within);
    named = text && text_names(s, s->sources[i], text);
  }
  return named;
}

bool files_are_named(const struct word_list *tests, const char *output) {
  struct naming s = {.count = 0};
  char *real = realpath(output, NULL);
  bool named = false;
  s.name = base_file_name(real ? real : output);
  for (size_t i = 0; i < tests->count && !named && stat(output, &s.file) == 0; i++) {
    arena_init(&s.arena, NULL);
    named = test_names(&s, tests->items[i]);
    arena_release(&s.arena);
  }
  free(real);
  return named;
}
