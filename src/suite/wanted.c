#define _XOPEN_SOURCE 700 /* realpath */

#include "suite/wanted.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "suite/run_file.h"

struct csv {
  struct wanted *wanted;
  struct arena arena;
  const char *path, *model; /* model: "" for all */
  uint64_t line;
};

PRINTF_LIKE(3, 4)
static void complain(struct csv *csv, size_t column, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s:%llu:%zu: error: ", csv->path, (unsigned long long)csv->line, column);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  csv->wanted->failed = true;
}

static json_t *entry_new(const char *word, const char *from, uint64_t line) {
  json_t *entry = must_json(json_object());
  member_put(entry, "word", json_string(word));
  member_put(entry, "from", safe_string(from));
  member_put(entry, "line", json_integer((json_int_t)line));
  return entry;
}

/* ---- CSV */

enum { FIELDS = 3 };

struct field {
  char *text;
  size_t column; /* from 1 */
};

/* Takes one field off; *at is then at the comma or the end. False when it is malformed. */
static bool take_field(struct csv *csv, const char *line, const char **at, struct field *out) {
  struct text text;
  text_init(&text, &csv->arena);
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
  char *real = real_path(csv, fields[0].text);
  if (!real) {
    complain(csv, fields[0].column, "there is no test '%s'", fields[0].text);
    return;
  }
  const char *model = *fields[2].text ? fields[2].text : csv->model;
  const char *key = arena_printf(&csv->arena, "%s\t%s", real, model);
  free(real);
  if (json_object_get(csv->wanted->by_path, key)) {
    complain(csv, fields[0].column, "a second expectation for '%s'", fields[0].text);
    return;
  }
  member_put(csv->wanted->by_path, key, entry_new(fields[1].text, csv->path, csv->line));
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
  bool head = csv->line == 1 && !wanted_is_word(fields[1].text) &&
              (strcmp(fields[0].text, "path") == 0 || strcmp(fields[0].text, "file") == 0);
  if (head) return;
  if (count < 2) complain(csv, (size_t)(at - line) + 1, "%s", "a comma and a result are missing");
  else if (!wanted_is_word(fields[1].text))
    complain(csv, fields[1].column,
             "'%s' is not a result\n    hint: results are 1, 0, Never, Sometimes, Always, holds, fails, allowed, "
             "forbidden, undefined, unknown, terminates and hangs",
             fields[1].text);
  else add_path(csv, fields);
}

static void read_csv(struct csv *csv, FILE *file) {
  char *line = NULL;
  size_t room = 0;
  ssize_t length;
  while ((length = getline(&line, &room, file)) >= 0) {
    csv->line++;
    while (length > 0 && strchr("\r\n", line[length - 1])) line[--length] = '\0';
    if (strlen(line) != (size_t)length) complain(csv, strlen(line) + 1, "%s", "a NUL byte");
    else if (length > 0 && line[0] != '#') read_csv_line(csv, line);
  }
  if (ferror(file)) complain(csv, 1, "cannot read: %s", strerror(errno));
  free(line);
}

/* ---- a previous run */

static void read_run(struct csv *csv) {
  struct run_file file;
  struct record record;
  bool open = run_file_open(&file, csv->path);
  while (open && run_file_next(&file, &record)) {
    bool wanted = !record.error && (!*csv->model || strcmp(csv->model, record.model) == 0);
    if (wanted) {
      const char *key = arena_printf(&csv->arena, "%s\t%s", record.test, record.model);
      csv->line = file.number;
      if (json_object_get(csv->wanted->by_name, key))
        complain(csv, 1, "a second result of '%s' under one model", record.test);
      else member_put(csv->wanted->by_name, key, entry_new(record_found(&record), csv->path, file.number));
    }
    record_release(&record);
  }
  if (file.failed) csv->wanted->failed = true;
  run_file_close(&file);
}

/* ---- all */

static void read_one(struct wanted *wanted, const char *given) {
  struct csv csv = {.wanted = wanted, .path = given, .model = ""};
  arena_init(&csv.arena, NULL);
  const char *equals = strchr(given, '=');
  FILE *file = fopen(given, "r");
  if (!file && equals) {
    csv.model = arena_strndup(&csv.arena, given, (size_t)(equals - given));
    csv.path = equals + 1;
    file = fopen(csv.path, "r");
  }
  if (!file) {
    fprintf(stderr, "ptxlit: error: cannot read '%s': %s\n", csv.path, strerror(errno));
    wanted->failed = true;
  } else {
    int first = getc(file);
    if (first != EOF) ungetc(first, file);
    if (first == '{') read_run(&csv);
    else read_csv(&csv, file);
    fclose(file);
  }
  arena_release(&csv.arena);
}

void wanted_read(struct wanted *wanted, struct suite_words files) {
  *wanted = (struct wanted){must_json(json_object()), must_json(json_object()), false};
  for (size_t i = 0; i < files.count; i++) read_one(wanted, files.items[i]);
}

static const char *look_up(json_t *table, struct arena *arena, const char *key, const char *model) {
  json_t *entry = json_object_get(table, arena_printf(arena, "%s\t%s", key, model));
  if (!entry) return NULL;
  if (!json_object_get(entry, "used")) member_put(entry, "used", json_true());
  return json_string_value(json_object_get(entry, "word"));
}

const char *wanted_find(struct wanted *wanted, const struct record *record) {
  const char *word = NULL;
  struct arena arena;
  arena_init(&arena, NULL);
  char *real = json_object_size(wanted->by_path) && record->file ? realpath(record->file, NULL) : NULL;
  if (real) word = look_up(wanted->by_path, &arena, real, record->model);
  if (real && !word) word = look_up(wanted->by_path, &arena, real, "");
  if (!word && json_object_size(wanted->by_name)) word = look_up(wanted->by_name, &arena, record->test, record->model);
  free(real);
  arena_release(&arena);
  return word;
}

uint64_t wanted_report_unused(const struct wanted *wanted) {
  const char *key;
  json_t *entry;
  uint64_t count = 0;
  json_object_foreach(wanted->by_name, key, entry) {
    if (json_object_get(entry, "used")) continue;
    fprintf(stderr, "%s:%lld: error: this run has no test '%.*s' under '%s'\n",
            json_string_value(json_object_get(entry, "from")),
            (long long)json_integer_value(json_object_get(entry, "line")), (int)strcspn(key, "\t"), key,
            strchr(key, '\t') + 1);
    count++;
  }
  return count;
}

void wanted_release(struct wanted *wanted) {
  json_decref(wanted->by_path);
  json_decref(wanted->by_name);
}
