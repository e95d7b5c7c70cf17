/* Checks the lines CompilerFlags= of a test. An attacker may have written them, so the compiler gets only flags known
 * to be harmless, and only paths in the test's directory. */
#include <sys/stat.h>

#include "kernel/compile.h"

/* The argument of a flag. `accepts`: all of a word, one of several, or NULL. */
#define FLAG_VALUES(X)                                                                                                 \
  X(NOTHING, "")                                                                                                       \
  X(LEVEL, "0 1 2 3 s z fast")                                                                                         \
  X(STANDARD, "c++03 c++11 c++14 c++17 c++20 c++23 gnu++11 gnu++14 gnu++17 gnu++20 gnu++23")                           \
  X(SWITCH, "true false")                                                                                              \
  X(CONTRACTION, "fast on off")                                                                                        \
  X(ARCHITECTURE, NULL)                                                                                                \
  X(NUMBER, NULL)                                                                                                      \
  X(DEFINITION, NULL)                                                                                                  \
  X(NAME, NULL)                                                                                                        \
  X(DIRECTORY, NULL)                                                                                                   \
  X(FILE, NULL)

enum flag_value {
#define X(id, accepts) VALUE_##id,
  FLAG_VALUES(X)
#undef X
};

static const char *const accepted[] = {
#define X(id, accepts) accepts,
    FLAG_VALUES(X)
#undef X
};

enum flag_compiler { COMPILER_ANY, COMPILER_NVCC, COMPILER_CLANG };

struct flag {
  const char *spelling;
  enum flag_value value;
  enum flag_compiler compiler;
};

static const struct flag flags[] = {
#define FLAG(spelling, value, compiler) {spelling, VALUE_##value, COMPILER_##compiler},
#include "kernel/flags.def"
#undef FLAG
};

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

static bool stands_apart(enum flag_value value) { return value >= VALUE_DEFINITION; }
static bool is_one_of(const char *words, const char *word) {
  size_t length = strlen(word);
  for (const char *at = words;; at++) {
    size_t other = strcspn(at, " ");
    if (other == length && strncmp(at, word, length) == 0) return true;
    at += other;
    if (!*at) return false;
  }
}

static bool is_number(const char *word, size_t most) {
  size_t digits = strspn(word, DIGITS);
  return digits > 0 && digits <= most && !word[digits];
}

static bool is_architecture(const char *word) {
  const char *number = base_begins(word, "sm_") ? word + 3 : base_begins(word, "compute_") ? word + 8 : "";
  size_t digits = strspn(number, DIGITS);
  return digits >= 2 && digits <= 3 && is_one_of(" a f", number + digits);
}

/* A name, which a definition may give a value. */
static bool is_definition(const char *word, bool has_value) {
  size_t name = strspn(word, LETTERS DIGITS), value = 0;
  if (has_value && word[name] == '=') value = 1 + strspn(word + name + 1, LETTERS DIGITS ".:+-*/()=");
  return name > 0 && !strchr(DIGITS, *word) && !word[name + value];
}

static bool is_right(enum flag_value kind, const char *value) {
  switch (kind) {
    case VALUE_NOTHING:
    case VALUE_LEVEL:
    case VALUE_STANDARD:
    case VALUE_SWITCH:
    case VALUE_CONTRACTION: return is_one_of(accepted[kind], value);
    case VALUE_ARCHITECTURE: return is_architecture(value);
    case VALUE_NUMBER: return is_number(value, 3);
    case VALUE_DEFINITION: return is_definition(value, true);
    case VALUE_NAME: return is_definition(value, false);
    case VALUE_DIRECTORY:
    case VALUE_FILE: return *value != '\0';
  }
  BUG("no such value of a flag: %d", (int)kind);
}

/* ---- paths */

/* nvcc writes its commands with names in double quotes, for a shell. */
const char *kernel_unsafe_character(const char *path) {
  for (const char *at = path; *at; at++)
    if ((unsigned char)*at < ' ' || *at == 0x7f || strchr("\"$`\\", *at)) return at;
  return NULL;
}

const char *kernel_directory(struct arena *arena, const char *file) {
  const char *slash = strrchr(file, '/');
  return input_real(arena, slash ? arena_strndup(arena, file, (size_t)(slash + 1 - file)) : ".");
}

/* ---- the words of a line */

struct flag_reader {
  struct arena *arena;
  struct diags *diags;
  const char *directory; /* of the test */
  bool callers;          /* the words are the caller's own, whose paths may lie anywhere */
  const char *blanks;    /* the separators of words */
  struct span line;      /* of which `at` is the rest */
  const char *at;
  struct kernel_flags *out;
};

/* The next word of the line, and its place; NULL: none. */
static const char *next_word(struct flag_reader *r, struct span *span) {
  const char *text = r->line.source->text, *end = text + r->line.end;
  while (r->at < end && *r->at && strchr(r->blanks, *r->at)) r->at++;
  const char *from = r->at;
  while (r->at < end && !(*r->at && strchr(r->blanks, *r->at))) r->at++;
  *span = (struct span){r->line.source, (uint32_t)(from - text), (uint32_t)(r->at - text)};
  return from < r->at ? arena_strndup(r->arena, from, (size_t)(r->at - from)) : NULL;
}

/* The flag that a word spells; if several match its beginning, the longest. */
static const struct flag *find_flag(const char *word) {
  const struct flag *found = NULL;
  size_t longest = 0;
  for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
    size_t length = strlen(flags[i].spelling);
    bool whole = flags[i].value == VALUE_NOTHING || flags[i].value == VALUE_FILE; /* -includeX differs by compiler */
    if (strncmp(word, flags[i].spelling, length) != 0 || length <= longest || (whole && word[length])) continue;
    found = &flags[i];
    longest = length;
  }
  return found;
}

static bool refuse(struct flag_reader *r, struct span span, const char *word) {
  return diag_refuse(r->diags, DIAG_WRONG_FLAG, span,
                     "'%s' is not an option that %s may give to a compiler" HINT
                     "-D, -U, -I, -include, -O, -std, -arch and some of -f and -m are, see docs/format.md",
                     word, r->callers ? "the command line" : "a test");
}

static bool refuse_value(struct flag_reader *r, struct span span, const struct flag *flag, const char *value) {
  struct diagnostic *d = diag_report(r->diags, DIAG_WRONG_FLAG, span, "%s'%s' is not a value of '%s'%s",
                                     *value ? "" : "nothing: ", value, flag->spelling, r->callers ? "" : " in a test");
  const char *words = accepted[flag->value];
  if (words) diag_hint(r->diags, d, "it may be %s", words);
  else if (stands_apart(flag->value))
    diag_hint(r->diags, d, "a name, and after = in -D digits, letters and any of _.:+-*/()=");
  else diag_hint(r->diags, d, flag->value == VALUE_NUMBER ? "it is a number" : "it is like sm_90 or sm_90a");
  return false;
}

static void add(struct flag_reader *r, const char *word) { VEC_PUSH(r->arena, r->out, word); }

static bool add_path(struct flag_reader *r, struct span span, const struct flag *flag, const char *value) {
  struct stat about;
  bool own = *value == '/' || r->callers, directory = flag->value == VALUE_DIRECTORY;
  const char *whole = input_real(r->arena, own ? value : arena_printf(r->arena, "%s/%s", r->directory, value));
  const struct input_bounds bounds = {&r->directory, r->directory != NULL, true};
  bool there = whole && stat(whole, &about) == 0 && (r->callers || input_is_within(&bounds, whole));
  if (!there || !(directory ? S_ISDIR(about.st_mode) : S_ISREG(about.st_mode))) {
    struct diagnostic *d = diag_report(r->diags, DIAG_WRONG_FLAG, span, "'%s' is not a %s%s", value,
                                       directory ? "directory" : "file", r->callers ? "" : " in the test's directory");
    if (!r->callers)
      diag_hint(r->diags, d, "'%s' may name files in or below the directory of the test, links resolved",
                flag->spelling);
    return false;
  }
  if (kernel_unsafe_character(whole) || strchr(whole, ','))
    return diag_refuse(r->diags, DIAG_WRONG_FLAG, span,
                       "'%s' has a character that compilers read otherwise: one of \" $ ` \\ or a comma", whole);
  add(r, flag->spelling);
  add(r, whole);
  return true;
}

/* The caller has the last word, and nvcc takes this but once. */
static void drop(struct flag_reader *r, enum flag_value value) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->out->len; i++) {
    const struct flag *flag = find_flag(r->out->data[i]); /* NULL: a path */
    if (!flag || flag->value != value) r->out->data[kept++] = r->out->data[i];
  }
  r->out->len = kept;
}

static bool read_word(struct flag_reader *r, const char *word, struct span span) {
  const struct flag *flag = find_flag(word);
  if (!flag || strlen(word) != span.end - span.begin) return refuse(r, span, word);
  const char *value = word + strlen(flag->spelling);
  if (!*value && stands_apart(flag->value)) {
    struct span own = span;
    value = next_word(r, &own);
    if (!value) return diag_refuse(r->diags, DIAG_WRONG_FLAG, span, "'%s' takes a value", word);
    span = own;
  }
  if (!is_right(flag->value, value)) return refuse_value(r, span, flag, value);
  if (flag->value >= VALUE_DIRECTORY) return add_path(r, span, flag, value);
  if (r->callers && (flag->value == VALUE_STANDARD || flag->value == VALUE_ARCHITECTURE)) drop(r, flag->value);
  add(r, arena_printf(r->arena, "%s%s", flag->spelling, value));
  return true;
}

static bool read_line(struct flag_reader *r, struct span line, const char *at, const char *blanks) {
  struct span span;
  r->line = line;
  r->at = at;
  r->blanks = blanks;
  for (const char *word; (word = next_word(r, &span));)
    if (!read_word(r, word, span)) return false;
  return true;
}

const char *kernel_wrong_flag(const struct kernel_flags *of, bool clang) {
  for (uint32_t i = 0; i < of->len; i++) {
    const struct flag *flag = find_flag(of->data[i]); /* NULL: a path */
    if (flag && flag->compiler == (clang ? COMPILER_NVCC : COMPILER_CLANG)) return of->data[i];
  }
  return NULL;
}

bool kernel_read_flags(struct arena *arena, struct diags *diags, const struct litmus_test *test, const char *callers,
                       struct kernel_flags *out) {
  struct flag_reader r = {.arena = arena, .diags = diags, .out = out};
  LIST_EACH (key, test->keys) {
    if (strcmp(key->key, "CompilerFlags") != 0) continue;
    r.directory = r.directory ? r.directory : kernel_directory(arena, test->source->name);
    const char *text = key->span.source->text + key->span.begin;
    if (!read_line(&r, key->span, text + strcspn(text, "=") + 1, " \t\r\f\v")) return false;
  }
  struct source *source = ARENA_NEW(arena, struct source);
  *source = source_from_text("command line", callers ? callers : "", callers ? strlen(callers) : 0);
  r.callers = true;
  return read_line(&r, (struct span){source, 0, (uint32_t)source->length}, source->text, "\n");
}
