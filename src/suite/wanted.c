#define _XOPEN_SOURCE 700 /* realpath */

#include "suite/wanted.h"

#include <sys/stat.h>
#include <sys/types.h>

#include "base/expected.h"
#include "base/input.h"

struct csv {
  struct wanted *wanted;
  struct ptxlit *session;
  struct arena arena;
  const char *path, *model; /* model: "" for all */
  uint64_t line, found;
  bool closed; /* links lead to no other directory */
};

static void complain(struct csv *csv, size_t column, const char *format, ...) PRINTF_LIKE(3, 4);

static void complain(struct csv *csv, size_t column, const char *format, ...) {
  va_list arguments;
  text_say(stderr, "%s:%llu:%zu: error: ", csv->path, (unsigned long long)csv->line, column);
  va_start(arguments, format);
  text_say_list(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  csv->wanted->failed = true;
}

static void cannot_read(struct csv *csv) {
  text_say(stderr, "ptxlit: error: cannot read '%s': %s\n", csv->path, base_error(errno));
  csv->wanted->failed = true;
}

/* The hash of a real path or a test's name, and a model or "". */
static uint64_t hash_of(bool by_path, const char *what, const char *model) {
  return hash_mix(hash_mix(by_path, hash_bytes(what, strlen(what))), hash_bytes(model, strlen(model)));
}

static struct wanted_entry *look_up(const struct wanted *wanted, bool by_path, const char *what, const char *model) {
  HASH_EACH (i, &wanted->index, hash_of(by_path, what, model)) {
    struct wanted_entry *entry = &wanted->entries.data[i];
    if (!entry->real == !by_path && strcmp(by_path ? entry->real : entry->what, what) == 0 &&
        strcmp(entry->model, model) == 0)
      return entry;
  }
  return NULL;
}

/* False if there is already an entry for the same test and model. */
static bool add_entry(struct csv *csv, const struct wanted_entry *entry) {
  struct wanted *wanted = csv->wanted;
  const char *what = entry->real ? entry->real : entry->what;
  if (look_up(wanted, entry->real, what, entry->model)) return false;
  struct wanted_entry kept = {
      .word = arena_strdup(&wanted->arena, entry->word),
      .from = csv->path,
      .what = arena_strdup(&wanted->arena, entry->what),
      .model = arena_strdup(&wanted->arena, entry->model),
      .real = entry->real ? arena_strdup(&wanted->arena, entry->real) : NULL,
      .line = csv->line,
  };
  HASH_PUSH(&wanted->arena, &wanted->index, hash_of(entry->real, what, entry->model), &wanted->entries, kept);
  csv->found++;
  return true;
}

/* ---- models */

static bool in_run(const struct wanted *wanted, const char *model) {
  return SOME_BELOW(i, wanted->model_count, strcmp(wanted->models[i], model) == 0) || !*model;
}

/* NULL if the model is known, else a hint. */
static const char *unknown_model(struct csv *csv, const char *model) {
  const char *near;
  if (in_run(csv->wanted, model) || ptxlit_knows_model(csv->session, model, &near)) return NULL;
  return near ? arena_printf(&csv->arena, "did you mean '%s'?", near) : "ptxlit --list-models lists the models";
}

/* ---- CSV */

enum { FIELDS = 3 };

struct field {
  char *text;
  size_t column; /* from 1 */
};

/* Reads one field; leaves *at at the comma or the end. False if the field is malformed. */
static bool take_field(struct csv *csv, const char *line, const char **at, struct field *out) {
  struct text text = {.arena = &csv->arena};
  const char *c = *at;
  while (*c == ' ' || *c == '\t') c++;
  out->column = (size_t)(c - line) + 1;
  if (*c == '"') {
    for (c++; *c && !(*c == '"' && c[1] != '"'); c++) {
      if (*c == '"') c++;
      text_char(&text, *c);
    }
    if (*c++ != '"') {
      complain(csv, out->column, "%s", "this quoted field is never closed");
      return false;
    }
    c += strspn(c, " \t");
    if (*c && *c != ',') {
      complain(csv, (size_t)(c - line) + 1, "%s", "a comma is missing after a quoted field");
      return false;
    }
  } else {
    size_t length = strcspn(c, ",");
    const char *end = c + length;
    while (length > 0 && (c[length - 1] == ' ' || c[length - 1] == '\t')) length--;
    text_add_slice(&text, c, length);
    c = end;
  }
  out->text = arena_strdup(&csv->arena, text_str(&text));
  *at = c;
  return true;
}

static char *real_path(struct csv *csv, const char *path) {
  const char *slash = strrchr(csv->path, '/');
  if (slash && *path != '/') {
    const char *beside = arena_printf(&csv->arena, "%.*s/%s", (int)(slash - csv->path), csv->path, path);
    char *real = realpath(beside, NULL);
    if (real) return real;
  }
  return realpath(path, NULL);
}

static void add_path(struct csv *csv, const struct field *fields) {
  const char *model = *fields[2].text ? fields[2].text : csv->model, *hint = unknown_model(csv, model);
  char *real = real_path(csv, fields[0].text);
  if (!real) {
    complain(csv, fields[0].column, "there is no file '%s'", fields[0].text);
  } else if (hint) {
    complain(csv, fields[2].column, "there is no model '%s'\n    hint: %s", model, hint);
  } else {
    struct wanted_entry entry = {.word = fields[1].text, .what = fields[0].text, .model = model, .real = real};
    if (!add_entry(csv, &entry)) complain(csv, fields[0].column, "a second expectation for '%s'", fields[0].text);
  }
  free(real);
}

static void read_csv_line(struct csv *csv, const char *line) {
  struct field fields[FIELDS] = {{"", 1}, {"", 1}, {"", 1}};
  size_t count = 0;
  const char *at = line;
  for (;; at++) {
    if (count == FIELDS) {
      complain(csv, (size_t)(at - line) + 1, "%s", "too many fields: PATH,RESULT or PATH,RESULT,MODEL is expected");
      return;
    }
    if (!take_field(csv, line, &at, &fields[count++])) return;
    if (!*at) break;
  }
  bool head = csv->line == 1 && !expected_find(fields[1].text) &&
              (strcmp(fields[0].text, "path") == 0 || strcmp(fields[0].text, "file") == 0);
  if (head) return;
  if (count < 2) complain(csv, (size_t)(at - line) + 1, "%s", "a comma and a result are missing");
  else if (!expected_find(fields[1].text))
    complain(csv, fields[1].column, "'%s' is not a result\n    hint: results are %s", fields[1].text, expected_words);
  else add_path(csv, fields);
}

static void read_csv(struct csv *csv, FILE *file) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, file)) >= 0) {
    csv->line++;
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) line[--length] = '\0';
    if (strlen(line) != (size_t)length) complain(csv, strlen(line) + 1, "%s", "a NUL byte");
    else if (length > 0 && line[0] != '#') read_csv_line(csv, line);
  }
  if (ferror(file)) cannot_read(csv);
  free(line);
}

/* ---- a previous run */

static void take_result(void *state, struct record *record, const struct run_file *file) {
  struct csv *csv = state;
  csv->line = file->number;
  if (record->error || (*csv->model && strcmp(csv->model, record->model) != 0)) return;
  struct wanted_entry entry = {.word = record_found(record), .what = record->test, .model = record->model};
  if (!add_entry(csv, &entry)) complain(csv, 1, "a second result of '%s' under one model", record->test);
}

/* ---- all */

static bool is_directory(FILE *file) {
  struct stat about;
  return fstat(fileno(file), &about) == 0 && S_ISDIR(about.st_mode);
}

/* Opens the argument as a file or, if there is none of that name, as MODEL=FILE. */
static FILE *open_given(struct csv *csv, const char *given, double deadline) {
  const char *equals = strchr(given, '=');
  FILE *file = input_open(given, deadline, csv->closed);
  if (!file && equals) {
    csv->model = arena_strndup(&csv->wanted->arena, given, (size_t)(equals - given));
    csv->path = equals + 1;
    file = input_open(csv->path, deadline, csv->closed);
  }
  if (file && is_directory(file)) {
    fclose(file);
    file = NULL;
    errno = EISDIR;
  }
  if (file) return file;
  cannot_read(csv);
  return NULL;
}

static void check_model(struct csv *csv) {
  const char *hint = unknown_model(csv, csv->model);
  if (hint) text_say(stderr, "ptxlit: error: --expect: there is no model '%s'\n    hint: %s\n", csv->model, hint);
  else if (!in_run(csv->wanted, csv->model))
    text_say(stderr, "ptxlit: error: --expect: '%s' is not among the models of this run\n", csv->model);
  else return;
  csv->wanted->failed = true;
}

/* Skips a byte order mark, which spreadsheets write, and returns the first byte after it. */
static int first_byte(FILE *file) {
  int first = getc(file);
  if (first == 0xef) {
    int second = getc(file), third = second == 0xbb ? getc(file) : EOF;
    if (third == 0xbf) first = getc(file);
    else rewind(file);
  }
  if (first != EOF) ungetc(first, file);
  return first;
}

static void read_one(struct wanted *wanted, const char *given, struct ptxlit *session, double deadline, bool closed) {
  struct csv csv = {.wanted = wanted, .session = session, .path = given, .model = "", .closed = closed};
  arena_init(&csv.arena, NULL);
  FILE *file = open_given(&csv, given, deadline);
  if (file) {
    bool before = wanted->failed;
    check_model(&csv);
    bool json = first_byte(file) == '{';
    if (!json) read_csv(&csv, file);
    else if (!run_file_each(csv.path, file, take_result, &csv)) wanted->failed = true;
    if (!csv.found && wanted->failed == before) {
      text_say(stderr, "%s:1: error: there is no expectation in this file\n", csv.path);
      wanted->failed = true;
    }
    if (!json) fclose(file);
  }
  arena_release(&csv.arena);
}

void wanted_read(struct wanted *wanted, struct suite_words files, struct ptxlit *session, double seconds, bool closed) {
  arena_init(&wanted->arena, NULL);
  for (size_t i = 0; i < files.count; i++) read_one(wanted, files.items[i], session, base_deadline(seconds), closed);
}

static void use(struct wanted *wanted, bool by_path, const char *what, const char *model) {
  struct wanted_entry *entry = look_up(wanted, by_path, what, model);
  if (entry) entry->used = true;
}

const char *wanted_find(struct wanted *wanted, const struct record *record) {
  struct wanted_entry *entry = NULL;
  if (!wanted->entries.len) return NULL;
  char *real = record->file ? realpath(record->file, NULL) : NULL;
  if (real) entry = look_up(wanted, true, real, record->model);
  if (real && !entry) entry = look_up(wanted, true, real, "");
  if (!entry) entry = look_up(wanted, false, record->test, record->model);
  for (size_t i = 0; wanted->by_language && i < wanted->model_count; i++) {
    if (real) use(wanted, true, real, wanted->models[i]);
    use(wanted, false, record->test, wanted->models[i]);
  }
  free(real);
  if (entry) entry->used = true;
  return entry ? entry->word : NULL;
}

void wanted_use_file(struct wanted *wanted, const char *path) {
  char *real = wanted->entries.len ? realpath(path, NULL) : NULL;
  if (!real) return;
  use(wanted, true, real, "");
  for (size_t i = 0; i < wanted->model_count; i++) use(wanted, true, real, wanted->models[i]);
  free(real);
}

enum { UNUSED_SHOWN = 20 };

uint64_t wanted_report_unused(const struct wanted *wanted, bool by_path) {
  uint64_t count = 0;
  VEC_EACH (entry, &wanted->entries) {
    if (entry->used || !in_run(wanted, entry->model) || (by_path && !entry->real)) continue;
    if (++count > UNUSED_SHOWN) continue;
    text_say(stderr, "%s:%llu: error: this run has no test '%s'", entry->from, (unsigned long long)entry->line,
             entry->what);
    if (*entry->model) text_say(stderr, " under '%s'", entry->model);
    fputc('\n', stderr);
  }
  if (count > UNUSED_SHOWN)
    text_say(stderr,
             "ptxlit: error: this run has no test for %llu more expectations\n"
             "    hint: remove them, or select the part of the suite to run with --filter\n",
             (unsigned long long)(count - UNUSED_SHOWN));
  return count;
}

void wanted_release(struct wanted *wanted) { arena_release(&wanted->arena); }
