/* The scheduler: starts workers, replaces lost ones, and passes results on in the order of the suite. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "suite/suite.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "suite/judge.h"
#include "suite/worker.h"

/* The maximum distance between a worker's file and the first unfinished file: it bounds the waiting results. */
enum { AHEAD = 4096 };

/* The polling interval of the pipes, in seconds: long enough to leave the processor to the workers, too short for a
 * pipe to fill up. */
static const double interval = 0.005;

/* The seconds past --timeout after which a worker is killed: the library should have stopped by itself. */
static const double grace = 1.0;

enum { LOST = 1 }; /* the number of a result that the worker itself did not send */

/* The state of one file of this shard. */
struct file_slot {
  char *answers; /* answers that wait for their turn, in the order of arrival */
  size_t length, room;
  struct position_in_file at;
  bool done;
};

/* The current work of one worker. */
struct busy {
  bool working;
  uint32_t file;
  struct lost_test test; /* name == NULL: the file is being read */
  double since;          /* the time of the worker's last answer */
  bool went_on;          /* the worker has begun a test since its start */
};

struct scheduler {
  const struct suite_options *options;
  const struct rerun *rerun;
  struct arena arena;
  uint32_t jobs;
  struct worker *workers;
  struct board *board;
  struct busy *busy;
  struct file_slot *slots;     /* one per file of the shard */
  uint32_t *files;             /* the number of each file in the suite */
  uint32_t count, done, shown; /* shown <= done: results wait for their turn */
  uint32_t models;
  struct judge judge;
  struct progress_bar progress;
  int signals;
  bool complained;     /* a failure to start a worker was reported */
  const char *stopped; /* why the run stops; NULL: it continues */
};

/* ---- answers */

static void keep_bytes(struct file_slot *slot, const void *bytes, size_t length) {
  if (slot->length + length > slot->room) {
    size_t room = slot->length + length;
    room = room < 2 * slot->room ? 2 * slot->room : room;
    slot->answers = must_have(realloc(slot->answers, room));
    slot->room = room;
  }
  memcpy(slot->answers + slot->length, bytes, length);
  slot->length += length;
}

static void keep(struct file_slot *slot, enum answer_kind kind, uint32_t number, const void *bytes, size_t size) {
  const struct answer head = {.kind = (uint32_t)kind, .number = number, .size = size};
  keep_bytes(slot, &head, sizeof head);
  keep_bytes(slot, bytes, size);
}

static void forget_test(struct busy *busy) {
  free((char *)(uintptr_t)busy->test.name);
  busy->test = (struct lost_test){0};
}

static void finish(struct scheduler *s, struct busy *busy) {
  s->slots[busy->file].done = true;
  s->done++;
  forget_test(busy);
  busy->working = false;
}

/* Records one more result of the current test. */
static void advance(struct scheduler *s, struct busy *busy) {
  struct file_slot *slot = &s->slots[busy->file];
  if (!busy->test.name) {
    slot->at.errors++;
  } else if (++busy->test.model == s->models) {
    slot->at.test++;
    slot->at.model = 0;
    forget_test(busy);
  } else {
    slot->at.model = busy->test.model;
  }
}

static void begin_test(struct busy *busy, const struct file_slot *slot, const struct answer *head, const char *name) {
  forget_test(busy);
  busy->test = (struct lost_test){must_have(strdup(name)), head->line, slot->at.model, head->number};
}

static void take_answer(struct scheduler *s, struct busy *busy, const struct answer *head, const char *bytes) {
  struct file_slot *slot = &s->slots[busy->working ? busy->file : head->number];
  switch ((enum answer_kind)head->kind) {
    case ANSWER_FILE:
      busy->working = true;
      busy->file = head->number;
      break;
    case ANSWER_TEST:
      busy->went_on = true;
      begin_test(busy, slot, head, bytes);
      break;
    case ANSWER_MESSAGE:
    case ANSWER_OUTCOMES:
    case ANSWER_RESULT:
      keep(slot, (enum answer_kind)head->kind, 0, bytes, head->size);
      if (head->kind == ANSWER_RESULT) advance(s, busy);
      break;
    case ANSWER_DONE: finish(s, busy); break;
  }
}

/* Takes the next part of the input. False if there is none. */
static bool receive(struct scheduler *s, uint32_t index) {
  struct worker *worker = &s->workers[index];
  struct answer head;
  const char *answer;
  size_t at = 0;
  if (!worker_receive(worker)) return false;
  s->busy[index].since = base_now();
  while ((answer = worker_answer(worker, &at, &head)) != NULL)
    take_answer(s, &s->busy[index], &head, answer + sizeof head);
  worker_forget(worker, at);
  return true;
}

/* Takes a limited amount of input, so that other workers get their turns. */
static void receive_much(struct scheduler *s, uint32_t index) {
  enum { TURNS = 64 };
  for (int i = 0; i < TURNS && receive(s, index); i++) continue;
}

/* ---- a worker that is gone or hangs */

/* Stores a result for the test during which the worker was lost. */
static void keep_lost(struct scheduler *s, struct busy *busy, struct loss loss) {
  const struct lost_test *test = busy->test.name ? &busy->test : NULL;
  struct arena arena;
  struct text line = {.arena = &arena};
  arena_init(&arena, NULL);
  judge_lost(&s->judge, s->files[busy->file], test, loss, &line);
  keep(&s->slots[busy->file], ANSWER_RESULT, LOST, text_str(&line), line.len + 1);
  arena_release(&arena);
  if (test) advance(s, busy);
  else finish(s, busy);
}

static struct loss with_limit(struct scheduler *s, struct loss loss) {
  uint64_t memory = s->options->room >> 20;
  if (memory)
    loss.text = arena_printf(&s->arena, "%s (the memory limit is %llu MB)", loss.text, (unsigned long long)memory);
  return loss;
}

/* The file that a worker has claimed and not finished; false if there is none. */
static bool claimed(const struct scheduler *s, uint32_t index, uint32_t *file) {
  uint32_t end = atomic_load(&s->board->limit);
  for (*file = s->shown; *file < s->count && *file < end; ++*file)
    if (atomic_load(&s->board->owners[*file]) == index + 1 && !s->slots[*file].done) return true;
  return false;
}

/* Kills and reaps a lost worker. `late`: why it is killed; NULL if it ended by itself. */
static void lose_worker(struct scheduler *s, uint32_t index, const struct loss *late) {
  struct busy *busy = &s->busy[index];
  struct loss how = worker_kill(&s->workers[index], &s->arena);
  while (receive(s, index)) continue; /* takes its remaining answers */
  worker_close(&s->workers[index]);
  bool idle = busy->working && busy->went_on && !busy->test.name && s->slots[busy->file].at.test;
  if (!busy->working) {
    if (!claimed(s, index, &busy->file)) return;
    busy->working = true;
  }
  if (!idle) keep_lost(s, busy, late ? *late : with_limit(s, how)); /* otherwise it ended between two tests */
  busy->since = base_now();
}

/* The time at which a worker is overdue. Certifying takes several times as long as a check, and ends by itself. */
static double deadline(const struct scheduler *s, const struct busy *busy) {
  double timeout = s->options->certify ? 0 : s->options->check.timeout;
  return timeout > 0 ? busy->since + timeout + grace : busy->since + 1e9;
}

static void end_late(struct scheduler *s) {
  double time = base_now();
  for (uint32_t i = 0; i < s->jobs; i++) {
    if (!s->workers[i].pid || !s->busy[i].working || time < deadline(s, &s->busy[i])) continue;
    receive_much(s, i);
    if (time < deadline(s, &s->busy[i])) continue;
    const char *text =
        arena_printf(&s->arena, "no answer after %g s; its worker process was ended", s->options->check.timeout);
    lose_worker(s, i, &(struct loss){loss_no_answer, text});
  }
}

/* ---- starting workers */

static bool start(struct scheduler *s, uint32_t index) {
  struct busy *busy = &s->busy[index];
  const struct work work = {s->options, s->rerun, s->board, s->files};
  struct resumption resumption = {.wanted = busy->working, .file = busy->file};
  if (busy->working) resumption.from = s->slots[busy->file].at;
  progress_clear(&s->progress);
  busy->since = base_now();
  busy->went_on = false;
  forget_test(busy);
  if (worker_start(s->workers, index, s->jobs, &work, &resumption)) return true;
  if (!s->complained) text_say(stderr, "ptxlit: error: cannot start a worker process: %s\n", strerror(errno));
  s->complained = true;
  return false;
}

/* Starts the missing workers. False if none is running and none can be started. */
static bool start_workers(struct scheduler *s) {
  bool more = atomic_load(&s->board->next) < s->count, failed = false, alive = false;
  for (uint32_t i = 0; i < s->jobs; i++) {
    if (!s->workers[i].pid && (more || s->busy[i].working) && !failed) failed = !start(s, i);
    alive = alive || s->workers[i].pid;
  }
  return alive || !failed;
}

/* ---- waiting */

static int wait_ms(const struct scheduler *s) {
  double time = base_now(), until = time + interval;
  for (uint32_t i = 0; i < s->jobs; i++)
    if (s->busy[i].working && deadline(s, &s->busy[i]) < until) until = deadline(s, &s->busy[i]);
  return until <= time ? 0 : (int)((until - time) * 1000) + 1;
}

/* Sleeps for an interval. Only the end of a worker or a signal ends the sleep early, not an answer. */
static void wait_for_answers(struct scheduler *s, struct pollfd *waiting) {
  for (uint32_t i = 0; i < s->jobs; i++)
    waiting[i] = (struct pollfd){.fd = s->workers[i].pid ? s->workers[i].answers : -1};
  waiting[s->jobs] = (struct pollfd){.fd = s->signals, .events = POLLIN};
  if (poll(waiting, s->jobs + 1, wait_ms(s)) < 0) return;
  if (waiting[s->jobs].revents) s->stopped = "interrupted";
  for (uint32_t i = 0; i < s->jobs; i++) {
    if (!s->workers[i].pid) continue;
    if (waiting[i].revents) lose_worker(s, i, NULL);
    else receive_much(s, i);
  }
}

/* ---- passing results on */

static void show_message(struct scheduler *s, const char *message) {
  if (!*message) return;
  progress_clear(&s->progress);
  if (fputs(message, stderr) >= 0 || errno != EPIPE) return;
  s->stopped = "standard error was closed";
  s->judge.report.status = ptxlit_worse(s->judge.report.status, PTXLIT_BAD_INPUT);
}

/* Passes on a result, with the outcomes that came before its line and with it. */
static bool show_result(struct scheduler *s, uint32_t file, const struct answer *head, const char *line,
                        struct outcome_text *outcomes) {
  size_t length = strlen(line) + 1;
  if (head->number == LOST) outcomes->pieces.len = 0; /* they are incomplete */
  const struct outcome_piece last = {line + length, head->size - length};
  if (last.size) VEC_PUSH(outcomes->arena, &outcomes->pieces, last);
  bool more = judge_take(&s->judge, file, line, outcomes);
  outcomes->pieces.len = 0;
  return more;
}

static void show_answers(struct scheduler *s, struct file_slot *slot, uint32_t file) {
  struct arena arena;
  struct outcome_text outcomes = {.arena = &arena};
  arena_init(&arena, NULL);
  for (size_t at = 0; at < slot->length && !s->stopped;) {
    struct answer head;
    memcpy(&head, slot->answers + at, sizeof head);
    const char *bytes = slot->answers + at + sizeof head;
    const struct outcome_piece piece = {bytes, head.size};
    at += sizeof head + head.size;
    if (head.kind == ANSWER_MESSAGE) show_message(s, bytes);
    else if (head.kind == ANSWER_OUTCOMES) VEC_PUSH(&arena, &outcomes.pieces, piece);
    else if (!show_result(s, file, &head, bytes, &outcomes)) s->stopped = judge_why(&s->judge);
  }
  arena_release(&arena);
  free(slot->answers);
  *slot = (struct file_slot){.done = slot->done};
}

static void flush(struct scheduler *s) {
  if (s->judge.report.batch.len) progress_clear(&s->progress);
  report_flush(&s->judge.report);
  if (s->judge.report.broken && !s->stopped) s->stopped = judge_why(&s->judge);
}

static void set_limit(struct scheduler *s) {
  atomic_store(&s->board->limit, s->count - s->shown > AHEAD ? s->shown + AHEAD : s->count);
}

static void show_done(struct scheduler *s) {
  while (!s->stopped && s->shown < s->count && s->slots[s->shown].done) {
    show_answers(s, &s->slots[s->shown], s->files[s->shown]);
    s->shown++;
  }
  set_limit(s);
  flush(s);
}

/* After an interrupt: passes on the results of files that were waiting for their turn. */
static uint32_t show_rest(struct scheduler *s) {
  uint32_t missing = 0;
  bool interrupted = s->stopped && strcmp(s->stopped, "interrupted") == 0;
  const char *why = s->stopped;
  s->stopped = NULL;
  for (uint32_t i = s->shown; i < s->count; i++) {
    if (interrupted) show_answers(s, &s->slots[i], s->files[i]);
    missing += !interrupted || !s->slots[i].done;
    free(s->slots[i].answers);
  }
  s->stopped = why;
  return missing;
}

static void run_all(struct scheduler *s) {
  struct pollfd *waiting = ARENA_ARRAY(&s->arena, struct pollfd, s->jobs + 1);
  while (!s->stopped && s->shown < s->count) {
    if (!start_workers(s)) {
      s->stopped = "no worker process could be started";
      return;
    }
    wait_for_answers(s, waiting);
    end_late(s);
    show_done(s);
    progress_draw(&s->progress, s->done, &s->judge.report);
  }
}

static void end_workers(struct scheduler *s) {
  for (uint32_t i = 0; i < s->jobs; i++) {
    if (s->workers[i].pid) worker_kill(&s->workers[i], &s->arena);
    while (s->workers[i].pid && receive(s, i)) continue;
    if (s->workers[i].pid) worker_close(&s->workers[i]);
    forget_test(&s->busy[i]);
    free(s->workers[i].data);
  }
}

static void choose_files(struct scheduler *s) {
  const struct suite_options *o = s->options;
  s->files = ARENA_ARRAY(&s->arena, uint32_t, o->files.count);
  for (uint32_t i = 0; i < o->files.count; i++)
    if (!o->shard_count || i % o->shard_count == o->shard - 1) s->files[s->count++] = i;
  s->slots = ARENA_ARRAY(&s->arena, struct file_slot, s->count);
  s->jobs = o->jobs < s->count ? o->jobs : s->count;
}

/* Turns interrupts into input of a file descriptor; the signals are blocked, so that none is lost between two polls. */
static int watch_signals(sigset_t *before) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  sigprocmask(SIG_BLOCK, &set, before);
  return signalfd(-1, &set, SFD_CLOEXEC);
}

static enum ptxlit_status run(struct scheduler *s) {
  sigset_t before;
  double start = base_now();
  s->signals = watch_signals(&before);
  progress_start(&s->progress, s->options->progress, s->count, start);
  run_all(s);
  progress_clear(&s->progress);
  end_workers(s);
  struct report_end end = {.not_run = show_rest(s)};
  if (end.not_run) end.why = s->stopped;
  end.seconds = base_now() - start;
  enum ptxlit_status status = judge_close(&s->judge, &end);
  close(s->signals);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return status;
}

static size_t board_size(const struct scheduler *s) { return sizeof *s->board + s->count * sizeof s->board->owners[0]; }

/* False if shared memory cannot be allocated. */
static bool set_up(struct scheduler *s) {
  arena_init(&s->arena, NULL);
  choose_files(s);
  s->workers = ARENA_ARRAY(&s->arena, struct worker, s->jobs);
  s->busy = ARENA_ARRAY(&s->arena, struct busy, s->jobs);
  s->board = mmap(NULL, board_size(s), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s->board == MAP_FAILED) {
    text_say(stderr, "ptxlit: error: cannot share memory with worker processes: %s\n", strerror(errno));
    return false;
  }
  s->board->count = s->count;
  set_limit(s);
  return true;
}

static bool enough_memory(const struct suite_options *options) {
  uint64_t least = worker_least_memory();
  if (!options->memory || options->memory >= least) return true;
  text_say(stderr, "ptxlit: error: --memory %llu is too small: a worker process needs %llu MB before it reads a test\n",
           (unsigned long long)(options->memory >> 20), (unsigned long long)((least >> 20) + 1));
  return false;
}

static enum ptxlit_status run_suite(const struct suite_options *options, const struct rerun *rerun) {
  struct scheduler s = {.options = options, .rerun = rerun, .models = (uint32_t)ptxlit_model_count(options->session)};
  enum ptxlit_status status = PTXLIT_BAD_INPUT;
  REQUIRE(options->jobs > 0 && s.models > 0);
  if (set_up(&s) && enough_memory(options) && judge_open(&s.judge, options)) status = run(&s);
  if (s.board != MAP_FAILED) munmap(s.board, board_size(&s));
  arena_release(&s.arena);
  return status;
}

enum ptxlit_status suite_run(const struct suite_options *options) {
  struct suite_options own = *options;
  struct rerun rerun;
  if (!options->rerun) return run_suite(options, NULL);
  bool read = rerun_read(&rerun, options->rerun, base_deadline(options->check.timeout), options->check.untrusted);
  if (!own.files.count) own.files = (struct suite_words){rerun.files.data, rerun.files.len};
  enum ptxlit_status status = read ? run_suite(&own, &rerun) : PTXLIT_BAD_INPUT;
  rerun_release(&rerun);
  return status;
}
