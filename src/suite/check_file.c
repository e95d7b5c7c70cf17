/* What a worker does: reads a file, checks the tests asked for and answers (worker.h). */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"
#include "suite/record.h"
#include "suite/worker.h"

_Noreturn void worker_run(const struct work *work, const struct resumption *resumption, uint32_t number,
                          struct lane *lane, int wake);

struct job {
  const struct work *work;
  const struct suite_options *options;
  const struct cache *cache; /* NULL: none */
  struct lane *lane;
  int wake;
  uint32_t file; /* in the suite */
  const char *path;
  struct arena arena; /* for this file */
  char *text;         /* of the file, for the cache; NULL without one, or where the library will say why not */
  size_t length;
};

static void answer(struct job *job, enum answer_kind kind, uint32_t number, uint32_t line, const char *bytes,
                   size_t size) {
  struct answer head = {(uint32_t)kind, number, line, size};
  lane_put(job->lane, job->wake, &head, sizeof head);
  lane_put(job->lane, job->wake, bytes, size);
}

static void answer_text(struct job *job, enum answer_kind kind, uint32_t number, uint32_t line, const char *text) {
  answer(job, kind, number, line, text, strlen(text) + 1);
}

/* Takes `json` over. `printed`: the result as text; without a line, or NULL: that is still to be made. */
static void answer_result(struct job *job, json_t *json, const struct printed *printed, size_t model) {
  struct arena arena;
  struct text out = {.arena = &arena};
  arena_init(&arena, NULL);
  judge_answer(job->work->judge, json, printed, job->file, (int32_t)model, &out);
  answer(job, ANSWER_RESULT, 0, 0, out.data, out.len);
  arena_release(&arena);
}

/* Where the first message is about: it starts with "PATH:LINE:COLUMN: ". */
static void put_place(struct json json, const char *path, uint32_t line, const char *messages) {
  size_t length = strlen(path);
  unsigned at_line = 0, at_column = 0;
  bool placed = strncmp(messages, path, length) == 0 &&
                sscanf(messages + length, ":%u:%u: ", &at_line, &at_column) == 2; /* no number is out of range */
  if (!line && placed) line = at_line;
  if (line) put_number(json, "line", line);
  if (placed && line == at_line) put_number(json, "column", at_column);
}

/* `line`: 0 when only the message has it. `limit`: nothing is wrong with the file, but memory or time ran out; or
 * NULL. */
static void answer_error(struct job *job, const char *limit, uint32_t line, const char *messages) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct json json = record_new(&arena, NULL, job->path);
  put_place(json, job->path, line, messages);
  struct text first = {.arena = &arena};
  record_first_error(messages, &first);
  if (limit) record_lose(json, (struct loss){limit, text_str(&first)});
  put_text(json, "error", messages);
  answer_result(job, json_incref(json.value), NULL, (size_t)NO_MODEL);
  arena_release(&arena);
}

/* What is wrong with the file or with rows of it, past those that were answered before. */
static void answer_errors(struct job *job, uint32_t before) {
  struct ptxlit *session = job->options->session;
  size_t wrong = ptxlit_wrong_count(session);
  if (!wrong && !before) answer_error(job, ptxlit_limit(session), 0, ptxlit_messages(session, false));
  for (size_t row = before; row < wrong; row++)
    answer_error(job, NULL, ptxlit_wrong_line(session, row), ptxlit_wrong_messages(session, row));
}

/* ---- which tests */

static bool matches(const char *pattern, const char *text) {
  return strpbrk(pattern, "*?[") ? fnmatch(pattern, text, 0) == 0 : strstr(text, pattern) != NULL;
}

static bool is_wanted(const struct job *job, size_t test) {
  const struct suite_words *filters = &job->options->filters;
  const char *name = ptxlit_test_name(job->options->session, test);
  if (job->work->rerun && !rerun_wants(job->work->rerun, job->path, name)) return false;
  for (size_t i = 0; i < filters->count; i++)
    if (matches(filters->items[i], name) || matches(filters->items[i], job->path)) return true;
  return !filters->count;
}

/* ---- one result */

/* What the library could not finish for lack of memory. */
static void answer_out_of_memory(struct job *job, size_t test, size_t model) {
  struct ptxlit *session = job->options->session;
  unsigned long long limit = memory_limit() >> 20;
  struct arena arena;
  arena_init(&arena, NULL);
  struct json json = record_new(&arena, ptxlit_test_name(session, test), job->path);
  put_number(json, "line", ptxlit_test_line(session, test));
  put_text(json, "model", ptxlit_model_name(session, model));
  const char *text = limit ? arena_printf(&arena, "out of memory (the limit is %llu MB)", limit) : "out of memory";
  record_lose(json, (struct loss){loss_out_of_memory, text});
  answer_result(job, json_incref(json.value), NULL, model);
  arena_release(&arena);
}

/* An entry may come from a file of another place. One that lacks outcomes which the report needs is no use. */
static bool answer_cached(struct job *job, const char *key, size_t model) {
  enum outcomes_form form = job->options->output.format->outcomes;
  struct printed printed = {0};
  json_t *found = cache_get(job->cache, key, form == OUTCOMES_JSON ? job->work->store : -1, &printed);
  if (!found) return false;
  if (form != OUTCOMES_NONE && printed.shortened && !printed.stored.size) {
    json_decref(found);
    return false;
  }
  struct arena arena;
  arena_init(&arena, NULL);
  struct json json = {&arena, found, NULL}, reason = {&arena, json_object_get(found, "reason"), NULL};
  if (json_object_get(reason.value, "file")) put_text(reason, "file", job->path);
  put_text(json, "file", job->path);
  answer_result(job, found, &printed, model);
  arena_release(&arena);
  return true;
}

static void keep(struct job *job, const char *key, const struct ptxlit_result *result, const char *line) {
  if (cache_put(job->cache, key, job->options->session, result, line)) return;
  int why = errno;
  char text[300];
  if (atomic_exchange(&job->work->board->cache_failed, true)) return;
  snprintf(text, sizeof text, "ptxlit: warning: cannot write to the cache '%.150s': %s\n", job->cache->dir,
           strerror(why));
  answer_text(job, ANSWER_MESSAGE, 0, 0, text);
}

/* A test of kernels depends on more files than its own. */
static bool reads_more(const struct job *job) {
  static const char keyword[] = "kernel";
  for (const char *at = job->text; (at = strstr(at, keyword)); at += sizeof keyword - 1) {
    const char *after = at + sizeof keyword - 1;
    if (after[strspn(after, " \t\n")] == '"') return true;
  }
  return false;
}

/* Whether a result is judged and written as the library gave it, or in few words. */
static bool needs_few_members(const struct suite_options *options) {
  return options->output.format != &format_log && !options->expect.count && !options->qualify;
}

static bool is_ascii(const char *text) {
  while (*text && (unsigned char)*text < 128) text++;
  return !*text;
}

/* Whether a result says no more than answer_ordinary makes a record of; then its line need not be read, which
 * takes a tenth of the time of a small test. */
static bool is_ordinary(const struct job *job, const struct ptxlit_result *result, const char *line) {
  static const char *const more[] = {"\"warnings\":", "\"deadlock\":{", "\"termination\":", "\"certificate\":"};
  bool decided = result->verdict == PTXLIT_ALLOWED || result->verdict == PTXLIT_FORBIDDEN;
  for (size_t i = 0; i < ARRAY_LEN(more); i++)
    if (strstr(line, more[i])) return false;
  return decided && !result->reason && is_ascii(result->test) && is_ascii(job->path);
}

/* In JSON is what records have no member for. */
static void answer_ordinary(struct job *job, const struct ptxlit_result *result, const struct printed *printed,
                            size_t test, size_t model) {
  static const char *const words[] = {
      [PTXLIT_NONE] = NULL, [PTXLIT_NEVER] = "Never", [PTXLIT_SOMETIMES] = "Sometimes", [PTXLIT_ALWAYS] = "Always"};
  static const char ms[] = "\"ms\":";
  const char *stats = strstr(printed->line, "\"stats\":{"), *time = stats ? strstr(stats, ms) : NULL;
  struct arena arena;
  struct text out = {.arena = &arena};
  arena_init(&arena, NULL);
  struct json json = json_new(&arena);
  put_bool(json, "holds", result->holds);
  put_bool(json, "vacuous", result->vacuous);
  if (result->complete) put_number(json, "positive", result->positive);
  if (result->complete) put_number(json, "negative", result->negative);
  struct record record = {
      .json = json_incref(json.value),
      .test = result->test,
      .file = job->path,
      .model = result->model,
      .verdict = result->verdict == PTXLIT_ALLOWED ? "allowed" : "forbidden",
      .observation = words[result->observation],
      .expected = result->expected,
      .line = ptxlit_test_line(job->options->session, test),
      .ms = time ? strtod(time + sizeof ms - 1, NULL) : 0,
      .stored = printed->stored,
  };
  judge_found(job->work->judge, &record, printed->line, job->file, (int32_t)model, &out);
  answer(job, ANSWER_RESULT, 0, 0, out.data, out.len);
  arena_release(&arena);
}

/* Where outcomes are very many, they need not be in memory. */
static bool print(struct job *job, const struct ptxlit_result *result, struct arena *arena, struct printed *printed) {
  enum outcomes_form form = job->options->output.format->outcomes;
  int fd = form ? job->work->store : -1;
  bool finds_room = !form || fd >= 0;
  if (finds_room && printed_make(printed, arena, fd, form, job->options->session, result)) return true;
  *printed = (struct printed){.line = ptxlit_render(job->options->session, result, PTXLIT_JSON)};
  return printed->line;
}

static void check_one(struct job *job, size_t test, size_t model) {
  const struct suite_options *options = job->options;
  struct ptxlit *session = options->session;
  const struct ptxlit_result *result;
  char key[65];
  bool cached = job->cache && job->text && !options->certify && !reads_more(job); /* what is certified is found anew */
  if (cached) {
    cache_key(job->cache, base_file_name(job->path), job->text, job->length, test, model, key);
    if (answer_cached(job, key, model)) return;
  }
  ptxlit_check(session, test, model, &result);
  if (result && options->certify) options->certify(options->certify_state, test, model, result);
  struct arena arena;
  struct printed printed;
  arena_init(&arena, NULL);
  bool few = needs_few_members(options);
  if (!result || !print(job, result, &arena, &printed)) answer_out_of_memory(job, test, model);
  else if (few && is_ordinary(job, result, printed.line)) answer_ordinary(job, result, &printed, test, model);
  else answer_result(job, must_have(json_loads(printed.line, 0, NULL)), &printed, model);
  if (cached && result && result->verdict != PTXLIT_UNKNOWN && printed.line)
    keep(job, key, result, printed.shortened ? NULL : printed.line);
  arena_release(&arena);
}

/* ---- one file */

static enum ptxlit_status read_tests(struct job *job) {
  struct ptxlit *session = job->options->session;
  double deadline = base_deadline(job->options->check.timeout);
  if (job->cache) job->text = input_read(&job->arena, job->path, deadline, SIZE_MAX, &job->length);
  return job->text ? ptxlit_read_text(session, job->path, job->text, job->length)
                   : ptxlit_read_file(session, job->path);
}

static void check_tests(struct job *job, struct position_in_file from) {
  struct ptxlit *session = job->options->session;
  uint32_t wanted = 0;
  for (size_t test = 0; test < ptxlit_test_count(session); test++) {
    if (!is_wanted(job, test) || wanted++ < from.test) continue;
    uint32_t number = wanted - 1, line = ptxlit_test_line(session, test);
    answer_text(job, ANSWER_TEST, number, line, ptxlit_test_name(session, test));
    for (size_t model = number == from.test ? from.model : 0; model < ptxlit_model_count(session); model++)
      check_one(job, test, model);
    ptxlit_forget_results(session);
  }
}

static void do_file(struct job *job, uint32_t number, struct position_in_file from) {
  job->file = job->work->files[number];
  job->path = job->options->files.items[job->file];
  answer(job, ANSWER_FILE, number, 0, NULL, 0);
  enum ptxlit_status status = read_tests(job);
  const char *messages = ptxlit_messages(job->options->session, false);
  bool again = from.test || from.model || from.errors; /* the messages were given before */
  if (*messages && !again) answer_text(job, ANSWER_MESSAGE, 0, 0, messages);
  if (status != PTXLIT_OK) answer_errors(job, from.errors);
  check_tests(job, from);
  answer(job, ANSWER_DONE, number, 0, NULL, 0);
  job->text = NULL;
  arena_release(&job->arena);
}

/* ---- which file */

/* Claims the next free file. False when there is none. */
static bool claim(struct board *board, uint32_t worker, uint32_t *file) {
  static const struct timespec moment = {.tv_nsec = 2000000};
  for (uint32_t i = atomic_load(&board->next); i < board->count; i++) {
    uint32_t nobody = 0, next = i;
    while (i >= atomic_load(&board->limit)) nanosleep(&moment, NULL);
    if (!atomic_compare_exchange_strong(&board->owners[i], &nobody, worker + 1)) continue;
    while (next <= i && !atomic_compare_exchange_weak(&board->next, &next, i + 1)) continue;
    *file = i;
    return true;
  }
  return false;
}

_Noreturn void worker_run(const struct work *work, const struct resumption *resumption, uint32_t number,
                          struct lane *lane, int wake) {
  struct job job = {.work = work, .options = work->options, .cache = work->cache, .lane = lane, .wake = wake};
  static const struct position_in_file start = {0};
  uint32_t file;
  arena_init(&job.arena, NULL);
  if (resumption->wanted) do_file(&job, resumption->file, resumption->from);
  while (claim(work->board, number, &file)) do_file(&job, file, start);
  _exit(0);
}
