/* What a worker does: reads a file, checks the tests asked for and answers (worker.h). */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite/record.h"
#include "suite/worker.h"

_Noreturn void worker_run(const struct suite_options *options, const struct cache *cache, int requests, int answers);

struct job {
  const struct suite_options *options;
  const struct cache *cache; /* NULL: none */
  FILE *answers;
  const char *path;
  char *text; /* of the file, for the cache; NULL without one */
  size_t length;
  bool cache_failed;
};

static void answer(struct job *job, char letter, json_t *json) {
  char *line = json_dumps(must_json(json), JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
  if (!line) must_json(NULL);
  fprintf(job->answers, "%c %s\n", letter, line);
  free(line);
  json_decref(json);
}

static void answer_error(struct job *job) {
  json_t *json = must_json(json_object());
  member_put(json, "format", json_integer(1));
  member_put(json, "test", json_null());
  member_put(json, "file", safe_string(job->path));
  member_put(json, "error", safe_string(ptxlit_messages(job->options->session, false)));
  answer(job, 'E', json);
}

/* ---- which tests */

static bool matches(const char *pattern, const char *text) {
  return strpbrk(pattern, "*?[") ? fnmatch(pattern, text, 0) == 0 : strstr(text, pattern) != NULL;
}

static bool is_wanted(const struct job *job, size_t test) {
  const struct suite_words *filters = &job->options->filters;
  const char *name = ptxlit_test_name(job->options->session, test);
  for (size_t i = 0; i < filters->count; i++)
    if (matches(filters->items[i], name) || matches(filters->items[i], job->path)) return true;
  return !filters->count;
}

static void answer_tests(struct job *job) {
  struct ptxlit *session = job->options->session;
  json_t *json = must_json(json_object()), *tests = must_json(json_array());
  for (size_t i = 0; i < ptxlit_test_count(session); i++) {
    if (!is_wanted(job, i)) continue;
    json_t *test = must_json(json_object());
    member_put(test, "name", safe_string(ptxlit_test_name(session, i)));
    member_put(test, "line", json_integer((json_int_t)ptxlit_test_line(session, i)));
    json_array_append_new(tests, test);
  }
  member_put(json, "tests", tests);
  member_put(json, "messages", safe_string(ptxlit_messages(session, false)));
  answer(job, 'F', json);
}

/* ---- one result */

/* What the library could not finish for lack of memory. */
static void answer_out_of_memory(struct job *job, size_t test, size_t model) {
  struct ptxlit *session = job->options->session;
  json_t *json = must_json(json_object()), *reason = must_json(json_object());
  char text[80];
  if (job->options->memory)
    snprintf(text, sizeof text, "out of memory (the limit is %llu MB)",
             (unsigned long long)(job->options->memory >> 20));
  else snprintf(text, sizeof text, "out of memory");
  member_put(reason, "text", json_string(text));
  member_put(json, "format", json_integer(1));
  member_put(json, "test", safe_string(ptxlit_test_name(session, test)));
  member_put(json, "file", safe_string(job->path));
  member_put(json, "line", json_integer((json_int_t)ptxlit_test_line(session, test)));
  member_put(json, "model", safe_string(ptxlit_model_name(session, model)));
  member_put(json, "verdict", json_string("unknown"));
  member_put(json, "reason", reason);
  answer(job, 'R', json);
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* An entry may come from a file of another place. */
static bool answer_cached(struct job *job, const char *key) {
  json_t *json = cache_get(job->cache, key);
  if (!json) return false;
  json_t *reason = json_object_get(json, "reason");
  if (json_object_get(reason, "file")) member_put(reason, "file", safe_string(job->path));
  member_put(json, "file", safe_string(job->path));
  answer(job, 'R', json);
  return true;
}

static void keep(struct job *job, const char *key, const char *line) {
  if (cache_put(job->cache, key, line) || job->cache_failed) return;
  char text[300];
  snprintf(text, sizeof text, "ptxlit: warning: cannot write to the cache '%.150s': %s\n", job->cache->dir,
           strerror(errno));
  job->cache_failed = true;
  answer(job, 'M', safe_string(text));
}

static void check_one(struct job *job, size_t test, size_t model) {
  struct ptxlit *session = job->options->session;
  const struct ptxlit_result *result;
  char key[65];
  bool cached = job->cache && job->text;
  if (cached) {
    cache_key(job->cache, base_name(job->path), job->text, job->length, test, model, key);
    if (answer_cached(job, key)) return;
  }
  ptxlit_check(session, test, model, &result);
  const char *line = result ? ptxlit_render(session, result, PTXLIT_JSON) : NULL;
  if (!line) {
    answer_out_of_memory(job, test, model);
    return;
  }
  fprintf(job->answers, "R %s", line);
  if (cached && result->verdict != PTXLIT_UNKNOWN) keep(job, key, line);
}

/* ---- one file */

/* The whole file; NULL when it cannot be read, which the library will then find and say. */
static char *read_whole(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t room = 0, got;
  *length = 0;
  if (!file) return NULL;
  do {
    room = room ? room * 2 : 16384;
    char *larger = realloc(text, room);
    if (!larger) break;
    text = larger;
    got = fread(text + *length, 1, room - *length, file);
    *length += got;
  } while (*length == room);
  bool whole = text && feof(file) && !ferror(file);
  fclose(file);
  if (whole) return text;
  free(text);
  return NULL;
}

static enum ptxlit_status read_tests(struct job *job) {
  struct ptxlit *session = job->options->session;
  if (job->cache) job->text = read_whole(job->path, &job->length);
  return job->text ? ptxlit_read_text(session, job->path, job->text, job->length)
                   : ptxlit_read_file(session, job->path);
}

static void check_tests(struct job *job, struct position_in_file from) {
  struct ptxlit *session = job->options->session;
  uint32_t wanted = 0;
  for (size_t test = 0; test < ptxlit_test_count(session); test++) {
    if (!is_wanted(job, test) || wanted++ < from.test) continue;
    size_t first = wanted - 1 == from.test ? from.model : 0;
    for (size_t model = first; model < ptxlit_model_count(session); model++) {
      check_one(job, test, model);
      fflush(job->answers);
    }
  }
}

static void do_file(struct job *job, const struct request *request) {
  job->path = job->options->files.items[request->file];
  if (read_tests(job) != PTXLIT_OK) {
    answer_error(job);
  } else {
    answer_tests(job);
    if (ptxlit_test_count(job->options->session)) fflush(job->answers);
    check_tests(job, request->from);
  }
  fputs("D\n", job->answers);
  fflush(job->answers);
  free(job->text);
  job->text = NULL;
}

_Noreturn void worker_run(const struct suite_options *options, const struct cache *cache, int requests, int answers) {
  struct job job = {.options = options, .cache = cache, .answers = fdopen(answers, "w")};
  struct request request;
  while (job.answers && read(requests, &request, sizeof request) == (ssize_t)sizeof request) do_file(&job, &request);
  _exit(0);
}
