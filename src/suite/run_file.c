#include "suite/record.h"

#include <sys/types.h>

static bool complain(struct run_file *file, const char *what) {
  text_say(stderr, "%s:%llu: error: %s\n", file->path, (unsigned long long)file->number, what);
  file->failed = true;
  return false;
}

/* The next line that is not empty, as JSON; NULL at the end, and if the line is invalid. */
static json_t *next_line(struct run_file *file) {
  for (;;) {
    errno = 0;
    ssize_t length = getline(&file->line, &file->room, file->file);
    if (length < 0) {
      if (ferror(file->file)) complain(file, base_error(errno));
      return NULL;
    }
    file->number++;
    if (strspn(file->line, " \t\r\n") == (size_t)length) continue;
    json_error_t error;
    json_t *json = json_loadb(file->line, (size_t)length, 0, &error);
    if (json_is_object(json)) return json;
    if (json) {
      complain(file, "not an object");
    } else {
      int column = error.line > 1 || error.column < 1 ? (int)strcspn(file->line, "\n") + 1 : error.column;
      text_say(stderr, "%s:%llu:%d: error: malformed JSON: %s\n", file->path, (unsigned long long)file->number, column,
               error.text);
      file->failed = true;
    }
    json_decref(json);
    return NULL;
  }
}

/* Takes a line about the run itself. False if it is a result. */
static bool take_own(struct run_file *file, json_t *json) {
  json_t *run = json_object_get(json, "run"), *end = json_object_get(json, "end");
  if (run && !file->run) file->run = json_incref(run);
  if (end && !file->end) file->end = json_incref(end);
  if (!run && !end) return false;
  json_decref(json);
  return true;
}

bool run_file_open(struct run_file *file, const char *path, FILE *open) {
  *file = (struct run_file){.path = path, .file = open};
  int first = file->file ? getc(file->file) : EOF; /* a directory can be opened, but not read */
  if (!file->file || ferror(file->file)) {
    text_say(stderr, "ptxlit: error: cannot read '%s': %s\n", path, base_error(errno));
    file->failed = true;
    return false;
  }
  ungetc(first, file->file);
  if (first != '{' && (first == EOF || !strchr(" \t\r\n", first))) {
    file->number = 1;
    return complain(file, "this is not a JSON report of ptxlit: 'ptxlit suite --format json' writes one");
  }
  return true;
}

bool run_file_next(struct run_file *file, struct record *out) {
  json_t *json;
  while (!file->failed && (json = next_line(file)) != NULL) {
    json_int_t format = json_integer_value(json_object_get(json, "format"));
    if (format != 1) {
      json_decref(json);
      return complain(file, "'format' is not 1: this is not a report of ptxlit, or it is of a later version");
    }
    if (take_own(file, json)) continue;
    if (file->end) {
      json_decref(json);
      return complain(file, "a result after the end of the run");
    }
    return record_from_json(json, out) || complain(file, "this is not a result: test, model or verdict is missing");
  }
  return false;
}

static void warn_if_cut(const struct run_file *file) {
  json_int_t not_run = json_integer_value(json_object_get(file->end, "not_run"));
  const char *why = json_string_value(json_object_get(file->end, "why"));
  if (file->failed || !file->run) return;
  if (!file->end)
    text_say(stderr, "%s: warning: the end is missing: the run was interrupted, or the file is cut off\n", file->path);
  else if (not_run)
    text_say(stderr, "%s: warning: %lld file%s not run%s%s\n", file->path, (long long)not_run,
             not_run == 1 ? " was" : "s were", why ? ": " : "", why ? why : "");
}

void run_file_close(struct run_file *file) {
  if (file->file) fclose(file->file);
  free(file->line);
  json_decref(file->run);
  json_decref(file->end);
  file->file = NULL;
}

bool run_file_each(const char *path, FILE *open, run_visitor *visit, void *state) {
  struct run_file file;
  struct record record;
  bool right = run_file_open(&file, path, open);
  while (right && run_file_next(&file, &record)) {
    visit(state, &record, &file);
    record_release(&record);
  }
  warn_if_cut(&file);
  run_file_close(&file);
  return !file.failed;
}
