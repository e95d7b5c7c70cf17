/* The main loop of a worker process: reads a file, checks the requested tests and sends answers (worker.h). */
#include <fnmatch.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "suite/worker.h"

struct job {
  const struct work *work;
  const struct suite_options *options;
  int answers;               /* the pipe */
  struct arena answer_arena; /* holds answers that wait to be written */
  struct text waiting;
  uint32_t file; /* the file's index in the suite */
  const char *path;
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
  return SOME_BELOW(i, filters->count, matches(filters->items[i], name) || matches(filters->items[i], job->path)) ||
         !filters->count;
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

/* Answers a result, without holding very many outcomes in memory. False if memory runs out. */
static bool answer_result(struct job *job, const struct ptxlit_result *result, struct arena *arena) {
  bool lists = job->options->output.format->outcomes;
  const struct text none = {.arena = arena};
  struct answer_parts json = {job, .answered = lists, .head = none, .outcomes = none, .rest = none};
  struct text found = none;
  if (!ptxlit_print(job->options->session, result, PTXLIT_JSON, take_piece, &json)) return false;
  text_add(&found, text_str(&json.head));
  text_add_slice(&found, text_str(&json.rest), json.rest.len + 1);
  if (lists && json.outcomes.len) text_add_slice(&found, json.outcomes.data, json.outcomes.len);
  answer(job, ANSWER_RESULT, 0, 0, found.data, found.len);
  return true;
}

static void check_one(struct job *job, size_t test, size_t model) {
  const struct suite_options *options = job->options;
  const struct ptxlit_result *result;
  struct arena arena;
  arena_init(&arena, NULL);
  flush(job);
  ptxlit_check(options->session, test, model, &result);
  if (result && options->certify) options->certify(options->certify_state, test, model, result);
  if (!result || !answer_result(job, result, &arena)) answer_out_of_memory(job, test, model);
  arena_release(&arena);
}

/* ---- one file */

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
  enum ptxlit_status status = ptxlit_read_file(job->options->session, job->path);
  const char *messages = ptxlit_messages(job->options->session, false);
  bool again = from.test || from.model || from.errors; /* an earlier worker has sent the messages */
  if (*messages && !again) answer_text(job, ANSWER_MESSAGE, 0, 0, messages);
  if (status != PTXLIT_OK) answer_errors(job, from.errors);
  check_tests(job, from);
  answer(job, ANSWER_DONE, number, 0, NULL, 0);
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
  struct job job = {.work = work, .options = work->options, .answers = answers};
  static const struct position_in_file start = {0};
  uint32_t file;
  arena_init(&job.answer_arena, NULL);
  text_init(&job.waiting, &job.answer_arena);
  if (resumption->wanted) do_file(&job, resumption->file, resumption->from);
  while (claim(&job, number, &file)) do_file(&job, file, start);
  flush(&job);
  _exit(0);
}
