/* The main loop of a worker process: reads a file, checks the requested tests and sends answers (worker.h). */
#include <fnmatch.h>
#include <time.h>
#include <unistd.h>

#include "base/input.h"
#include "base/memory.h"
#include "suite/record.h"
#include "suite/worker.h"

struct job {
  const struct work *work;
  const struct suite_options *options;
  const struct cache *cache; /* NULL: none */
  int answers;               /* the pipe */
  struct arena answer_arena; /* holds answers that wait to be written */
  struct text waiting;
  uint32_t file; /* the file's index in the suite */
  const char *path;
  struct arena arena; /* for this file */
  char *text;         /* the file's text, for the cache; NULL without a cache, or if the library will report an error */
  size_t length;
};

/* Sends the answers: before a step that may kill the worker, and when many wait. Exits if nobody reads them. */
static void flush(struct job *job) {
  for (size_t done = 0; done < job->waiting.len;) {
    ssize_t got = write(job->answers, job->waiting.data + done, job->waiting.len - done);
    if (got < 0 && errno != EINTR) _exit(PTXLIT_NO_VERDICT);
    if (got > 0) done += (size_t)got;
  }
  job->waiting.len = 0;
}

static void answer(struct job *job, enum answer_kind kind, uint32_t number, uint32_t line, const char *bytes,
                   size_t size) {
  enum { MUCH = 1 << 16 };
  const struct answer head = {(uint32_t)kind, number, line, size};
  text_add_slice(&job->waiting, (const char *)&head, sizeof head);
  text_add_slice(&job->waiting, bytes, size);
  if (job->waiting.len > MUCH) flush(job);
}

static void answer_text(struct job *job, enum answer_kind kind, uint32_t number, uint32_t line, const char *text) {
  answer(job, kind, number, line, text, strlen(text) + 1);
}

static void answer_json(struct job *job, struct json json) {
  struct text line = {.arena = json.arena};
  json_add_line(json.arena, json.value, &line);
  answer_text(job, ANSWER_RESULT, 0, 0, text_str(&line));
}

/* Adds the place of the first message, which starts with "PATH:LINE:COLUMN: ". */
static void put_place(struct json json, const char *path, uint32_t line, const char *messages) {
  size_t length = strlen(path);
  unsigned at_line = 0, at_column = 0;
  bool placed = strncmp(messages, path, length) == 0 &&
                sscanf(messages + length, ":%u:%u: ", &at_line, &at_column) == 2; /* the numbers cannot overflow */
  if (!line && placed) line = at_line;
  if (line) put_number(json, "line", line);
  if (placed && line == at_line) put_number(json, "column", at_column);
}

/* `line`: 0 if only the message has it. `limit`: the limit, if memory or time ran out, so that the file may be valid;
 * else NULL. */
static void answer_error(struct job *job, const char *limit, uint32_t line, const char *messages) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct json json = record_new(&arena, NULL, job->path);
  put_place(json, job->path, line, messages);
  struct text first = {.arena = &arena};
  record_first_error(messages, &first);
  if (limit) record_lose(json, (struct loss){limit, text_str(&first)});
  put_text(json, "error", messages);
  answer_json(job, json);
  arena_release(&arena);
}

/* Answers the errors of the file or of its rows, without the first `before`, which were answered already. */
static void answer_errors(struct job *job, uint32_t before) {
  struct ptxlit *session = job->options->session;
  size_t wrong = ptxlit_wrong_count(session);
  if (!wrong && !before) answer_error(job, ptxlit_limit(session), 0, ptxlit_messages(session, false));
  for (size_t row = before; row < wrong; row++)
    answer_error(job, NULL, ptxlit_wrong_line(session, row), ptxlit_wrong_messages(session, row));
}

/* ---- selecting tests */

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

/* Answers for a test that ran out of memory in the library. */
static void answer_out_of_memory(struct job *job, size_t test, size_t model) {
  struct ptxlit *session = job->options->session;
  unsigned long long limit = memory_limit() >> 20;
  struct arena arena;
  arena_init(&arena, NULL);
  const char *text = limit ? arena_printf(&arena, "out of memory (the limit is %llu MB)", limit) : "out of memory";
  answer_json(job, record_lost(&arena, ptxlit_test_name(session, test), job->path, ptxlit_test_line(session, test),
                               ptxlit_model_name(session, model), (struct loss){loss_out_of_memory, text}));
  arena_release(&arena);
}

/* True if the entry lacks outcomes because they were too many to store with the result. */
static bool lacks_outcomes(const json_t *json) {
  json_int_t positive = json_integer_value(json_object_get(json, "positive"));
  json_int_t negative = json_integer_value(json_object_get(json, "negative"));
  return positive + negative > 0 && !json_array_size(json_object_get(json, "outcomes"));
}

/* Answers from the cache, also an entry of a file at another path. False also if it lacks outcomes for the report. */
static bool answer_cached(struct job *job, const char *key) {
  struct arena arena;
  arena_init(&arena, NULL);
  json_t *entry = cache_get(job->cache, key);
  struct json json = {&arena, entry, NULL}, reason = {&arena, json_object_get(entry, "reason"), NULL};
  bool useful = entry && !(job->options->output.format->outcomes && lacks_outcomes(entry));
  if (useful && json_object_get(reason.value, "file")) put_text(reason, "file", job->path);
  if (useful) put_text(json, "file", job->path);
  if (useful) answer_json(job, json);
  json_decref(entry);
  arena_release(&arena);
  return useful;
}

static void keep(struct job *job, const char *key, const char *line) {
  if (cache_put(job->cache, key, line)) return;
  int why = errno;
  char text[300];
  if (atomic_exchange(&job->work->board->cache_failed, true)) return;
  snprintf(text, sizeof text, "ptxlit: warning: cannot write to the cache '%.150s': %s\n", job->cache->dir,
           strerror(why));
  answer_text(job, ANSWER_MESSAGE, 0, 0, text);
}

/* True for a test of kernels, or a source in CUDA C++, which depends on other files. */
static bool reads_more(const struct job *job) {
  static const char keyword[] = "kernel";
  if (ptxlit_is_module(job->path)) return true;
  for (const char *at = job->text; (at = strstr(at, keyword)); at += sizeof keyword - 1) {
    const char *after = at + sizeof keyword - 1;
    if (after[strspn(after, " \t\n")] == '"') return true;
  }
  return false;
}

/* The pieces in which a result arrives: the part before its outcomes, their last piece, the part after them. */
struct answer_parts {
  struct job *job;
  bool answered; /* all pieces of outcomes but the last are sent; false: the report needs none */
  size_t count;
  struct text head, outcomes, rest;
};

static void take_piece(void *context, const char *data, size_t size) {
  struct answer_parts *p = context;
  struct text outcomes = p->outcomes;
  if (p->count > 2 && p->answered) answer(p->job, ANSWER_OUTCOMES, 0, 0, outcomes.data, outcomes.len);
  if (p->count > 1) p->outcomes = p->rest, p->rest = outcomes, p->rest.len = 0;
  text_add_slice(p->count ? &p->rest : &p->head, data, size);
  p->count++;
}

/* Joins the whole result, without outcomes that are too many for one piece. */
static void join_parts(const struct answer_parts *p, struct text *line) {
  text_add(line, text_str(&p->head));
  if (p->count == 3) text_add(line, text_str(&p->outcomes));
  text_add(line, text_str(&p->rest));
}

/* Answers a result, without holding very many outcomes in memory. `*line` receives the result for the cache, without
 * those outcomes. False if memory runs out. */
static bool answer_result(struct job *job, const struct ptxlit_result *result, struct text *line) {
  bool lists = job->options->output.format->outcomes;
  const struct text none = {.arena = line->arena};
  struct answer_parts json = {job, .answered = lists, .head = none, .outcomes = none, .rest = none};
  struct text found = none;
  if (!ptxlit_print(job->options->session, result, PTXLIT_JSON, take_piece, &json)) return false;
  text_add(&found, text_str(&json.head));
  text_add_slice(&found, text_str(&json.rest), json.rest.len + 1);
  if (lists && json.outcomes.len) text_add_slice(&found, json.outcomes.data, json.outcomes.len);
  answer(job, ANSWER_RESULT, 0, 0, found.data, found.len);
  join_parts(&json, line);
  return true;
}

/* In seconds: a result that took less time is computed again as fast as it is read from the cache. */
static const double worth_keeping = 0.1;

/* `key`: NULL if the result is not for the cache. */
static void check_anew(struct job *job, size_t test, size_t model, const char *key, struct arena *arena) {
  const struct suite_options *options = job->options;
  const struct ptxlit_result *result;
  struct text line = {.arena = arena};
  flush(job);
  double begin = base_now();
  ptxlit_check(options->session, test, model, &result);
  bool kept = key && result && result->verdict != PTXLIT_UNKNOWN && base_now() - begin > worth_keeping;
  if (result && options->certify) options->certify(options->certify_state, test, model, result);
  bool answered = result && answer_result(job, result, &line);
  if (!answered) answer_out_of_memory(job, test, model);
  if (answered && kept) keep(job, key, text_str(&line));
}

static void check_one(struct job *job, size_t test, size_t model) {
  bool cached = job->cache && job->text && !job->options->certify && !reads_more(job); /* --certify: always anew */
  const char *name = ptxlit_model_name(job->options->session, model), *key = NULL;
  struct arena arena;
  arena_init(&arena, NULL);
  if (cached) key = cache_key(&arena, job->cache, base_file_name(job->path), job->text, job->length, test, name);
  if (!cached || !answer_cached(job, key)) check_anew(job, test, model, key, &arena);
  arena_release(&arena);
}

/* ---- one file */

static enum ptxlit_status read_tests(struct job *job) {
  struct ptxlit *session = job->options->session;
  double deadline = base_deadline(job->options->check.timeout);
  if (job->cache) job->text = input_read(&job->arena, job->path, deadline, false, SIZE_MAX, &job->length);
  return job->text ? ptxlit_read_text(session, job->path, job->text, job->length)
                   : ptxlit_read_file(session, job->path);
}

static void check_tests(struct job *job, struct position_in_file from) {
  struct ptxlit *session = job->options->session;
  uint32_t wanted = 0;
  for (size_t test = 0; test < ptxlit_test_count(session); test++) {
    if (!is_wanted(job, test) || wanted++ < from.test) continue;
    uint32_t number = wanted - 1, line = ptxlit_test_line(session, test);
    answer_text(job, ANSWER_TEST, ptxlit_is_cuda(session, test), line, ptxlit_test_name(session, test));
    for (size_t model = number == from.test ? from.model : 0; model < ptxlit_model_count(session); model++)
      check_one(job, test, model);
    ptxlit_forget_results(session);
  }
}

static void do_file(struct job *job, uint32_t number, struct position_in_file from) {
  job->file = job->work->files[number];
  job->path = job->options->files.items[job->file];
  answer(job, ANSWER_FILE, number, 0, NULL, 0);
  flush(job);
  enum ptxlit_status status = read_tests(job);
  const char *messages = ptxlit_messages(job->options->session, false);
  bool again = from.test || from.model || from.errors; /* an earlier worker has sent the messages */
  if (*messages && !again) answer_text(job, ANSWER_MESSAGE, 0, 0, messages);
  if (status != PTXLIT_OK) answer_errors(job, from.errors);
  check_tests(job, from);
  answer(job, ANSWER_DONE, number, 0, NULL, 0);
  job->text = NULL;
  arena_release(&job->arena);
}

/* ---- claiming files */

/* Claims the next free file. False if there is none. */
static bool claim(struct job *job, uint32_t worker, uint32_t *file) {
  static const struct timespec moment = {.tv_nsec = 2000000};
  struct board *board = job->work->board;
  for (uint32_t i = atomic_load(&board->next); i < board->count; i++) {
    uint32_t nobody = 0, next = i;
    if (i >= atomic_load(&board->limit)) flush(job);
    while (i >= atomic_load(&board->limit)) nanosleep(&moment, NULL);
    if (!atomic_compare_exchange_strong(&board->owners[i], &nobody, worker + 1)) continue;
    while (next <= i && !atomic_compare_exchange_weak(&board->next, &next, i + 1)) continue;
    *file = i;
    return true;
  }
  return false;
}

_Noreturn void worker_run(const struct work *work, const struct resumption *resumption, uint32_t number, int answers) {
  struct job job = {.work = work, .options = work->options, .cache = work->cache, .answers = answers};
  static const struct position_in_file start = {0};
  uint32_t file;
  arena_init(&job.arena, NULL);
  arena_init(&job.answer_arena, NULL);
  text_init(&job.waiting, &job.answer_arena);
  if (resumption->wanted) do_file(&job, resumption->file, resumption->from);
  while (claim(&job, number, &file)) do_file(&job, file, start);
  flush(&job);
  _exit(0);
}
