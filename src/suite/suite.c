/* The scheduler: gives files to workers, outlives them, and passes results on in the order of the suite. */
#include "suite/suite.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "suite/judge.h"
#include "suite/progress.h"
#include "suite/worker.h"

/* How far workers may be ahead of the first file that is not done, so that what waits stays small. */
enum { AHEAD = 4096 };

/* What a worker may take longer than --timeout before it is ended: the library looks at the clock itself. */
static const double grace = 1.0;

/* What is known of one file of this shard. */
struct slot {
  char *lines; /* answers that wait for their turn, each ended by NUL */
  size_t length, room;
  bool listed, done;
};

struct busy {
  bool working;
  struct request request;
  struct position_in_file at;
  json_t *tests; /* what F said; NULL before */
  double since;  /* of the last sign of life */
};

struct scheduler {
  const struct suite_options *options;
  const struct cache *cache;
  struct arena arena;
  struct worker *workers;
  struct busy *busy;
  struct slot *slots; /* one for each file of the shard */
  uint32_t *files;    /* the number in the suite of each */
  uint32_t count, next, shown;
  uint32_t models;
  struct judge judge;
  struct progress progress;
  int signals;
  const char *stopped; /* why; NULL: going on */
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- answers */

static void keep(struct slot *slot, const char *line, size_t length) {
  if (slot->length + length + 1 > slot->room) {
    size_t room = slot->length + length + 1;
    room = room < 2 * slot->room ? 2 * slot->room : room;
    char *lines = realloc(slot->lines, room);
    if (!lines) must_json(NULL);
    slot->lines = lines;
    slot->room = room;
  }
  memcpy(slot->lines + slot->length, line, length);
  slot->length += length;
  slot->lines[slot->length++] = '\0';
}

static void advance(struct scheduler *s, struct busy *busy) {
  if (++busy->at.model < s->models) return;
  busy->at.model = 0;
  busy->at.test++;
}

static void finish(struct scheduler *s, struct busy *busy) {
  s->slots[busy->request.file].done = true;
  json_decref(busy->tests);
  *busy = (struct busy){0};
}

static void take_list(struct slot *slot, struct busy *busy, const char *line, size_t length) {
  json_t *json = must_json(json_loadb(line + 2, length - 2, 0, NULL));
  json_decref(busy->tests);
  busy->tests = json_incref(json_object_get(json, "tests"));
  json_decref(json);
  if (!slot->listed) keep(slot, line, length);
  slot->listed = true;
}

static void take_line(struct scheduler *s, struct busy *busy, const char *line, size_t length) {
  struct slot *slot = &s->slots[busy->request.file];
  if (!busy->working) return;
  busy->since = now();
  switch (line[0]) {
    case 'F': take_list(slot, busy, line, length); break;
    case 'R':
      keep(slot, line, length);
      advance(s, busy);
      break;
    case 'D': finish(s, busy); break;
    default: keep(slot, line, length); break;
  }
}

static void take_lines(struct scheduler *s, uint32_t index) {
  size_t at = 0, length;
  const char *line;
  while ((line = worker_line(&s->workers[index], &at, &length)) != NULL) take_line(s, &s->busy[index], line, length);
  worker_forget(&s->workers[index], at);
}

/* ---- giving work */

/* The worker numbers files of the suite; the scheduler those of the shard. */
static bool ask(struct scheduler *s, uint32_t index) {
  struct busy *busy = &s->busy[index];
  struct request request = {s->files[busy->request.file], busy->request.from};
  if (!s->workers[index].pid && !worker_start(&s->workers[index], s->options, s->cache, s->workers, s->options->jobs)) {
    fprintf(stderr, "ptxlit: error: cannot start a worker process: %s\n", strerror(errno));
    return false;
  }
  busy->working = true;
  busy->since = now();
  worker_ask(&s->workers[index], &request); /* one that is gone is found when its answer is awaited */
  return true;
}

static bool give_work(struct scheduler *s) {
  uint32_t working = 0;
  for (uint32_t i = 0; i < s->options->jobs; i++) {
    struct busy *busy = &s->busy[i];
    if (!busy->working && s->next < s->count && s->next < s->shown + AHEAD) {
      *busy = (struct busy){.request = {.file = s->next}};
      if (ask(s, i)) s->next++;
      else if (!working) return false; /* with others at work it may go better later */
    }
    working += busy->working;
  }
  return true;
}

/* ---- a worker that is gone or hangs */

static void lose(struct scheduler *s, uint32_t index, const char *why) {
  struct busy *busy = &s->busy[index];
  struct slot *slot = &s->slots[busy->request.file];
  const char *path = s->options->files.items[s->files[busy->request.file]];
  const json_t *test = json_array_get(busy->tests, busy->at.test);
  json_t *json = judge_lost(&s->judge, path, test, busy->at.model, why);
  char *line = json_dumps(json, JSON_COMPACT);
  if (!line) must_json(NULL);
  char *whole = arena_printf(&s->arena, "%c %s", test ? 'R' : 'E', line);
  keep(slot, whole, strlen(whole));
  free(line);
  json_decref(json);
  if (test) advance(s, busy);
  if (!test || busy->at.test >= json_array_size(busy->tests)) {
    finish(s, busy);
    return;
  }
  busy->request.from = busy->at; /* a new worker goes on after it */
  if (!ask(s, index)) finish(s, busy);
}

static const char *death(struct scheduler *s, uint32_t index) {
  uint64_t memory = s->options->memory >> 20;
  const char *how = worker_end(&s->workers[index], &s->arena);
  if (!memory) return arena_printf(&s->arena, "its worker process %s", how);
  return arena_printf(&s->arena, "its worker process %s (the memory limit is %llu MB)", how,
                      (unsigned long long)memory);
}

static double deadline(const struct scheduler *s, const struct busy *busy) {
  double timeout = s->options->check.timeout;
  return timeout > 0 ? busy->since + timeout + grace : busy->since + 1e9;
}

static void end_late(struct scheduler *s) {
  double time = now();
  for (uint32_t i = 0; i < s->options->jobs; i++) {
    if (!s->busy[i].working || time < deadline(s, &s->busy[i])) continue;
    worker_end(&s->workers[i], &s->arena);
    double timeout = s->options->check.timeout;
    lose(s, i, arena_printf(&s->arena, "no answer after %g s; its worker process was ended", timeout));
  }
}

/* ---- waiting */

static int wait_ms(const struct scheduler *s) {
  double time = now(), until = time + 60;
  for (uint32_t i = 0; i < s->options->jobs; i++)
    if (s->busy[i].working && deadline(s, &s->busy[i]) < until) until = deadline(s, &s->busy[i]);
  if (s->options->progress && until > time + 0.1) until = time + 0.1;
  return until <= time ? 0 : (int)((until - time) * 1000) + 1;
}

static void receive(struct scheduler *s, uint32_t index) {
  bool alive = worker_receive(&s->workers[index]);
  take_lines(s, index);
  if (alive) return;
  const char *why = death(s, index);
  if (s->busy[index].working) lose(s, index, why);
}

static void wait_for_answers(struct scheduler *s, struct pollfd *waiting) {
  uint32_t jobs = s->options->jobs;
  for (uint32_t i = 0; i < jobs; i++)
    waiting[i] = (struct pollfd){.fd = s->workers[i].pid ? s->workers[i].from : -1, .events = POLLIN};
  waiting[jobs] = (struct pollfd){.fd = s->signals, .events = POLLIN};
  if (poll(waiting, jobs + 1, wait_ms(s)) < 0) return;
  if (waiting[jobs].revents) s->stopped = "interrupted";
  for (uint32_t i = 0; i < jobs; i++)
    if (waiting[i].revents && s->workers[i].pid) receive(s, i);
}

/* ---- passing results on */

static void show_lines(struct scheduler *s, struct slot *slot, uint32_t file) {
  for (size_t at = 0; at < slot->length && !s->stopped; at += strlen(slot->lines + at) + 1) {
    progress_clear(&s->progress);
    if (!judge_line(&s->judge, file, slot->lines + at)) s->stopped = judge_why(&s->judge);
  }
  free(slot->lines);
  *slot = (struct slot){.done = slot->done};
}

static void show_done(struct scheduler *s) {
  while (!s->stopped && s->shown < s->count && s->slots[s->shown].done) {
    show_lines(s, &s->slots[s->shown], s->files[s->shown]);
    s->shown++;
  }
}

/* What is there of files whose turn has not come: after an interrupt. */
static uint32_t show_rest(struct scheduler *s) {
  uint32_t missing = 0;
  bool interrupted = s->stopped && strcmp(s->stopped, "interrupted") == 0;
  const char *why = s->stopped;
  s->stopped = NULL;
  for (uint32_t i = s->shown; i < s->count; i++) {
    if (interrupted) show_lines(s, &s->slots[i], s->files[i]);
    missing += !interrupted || !s->slots[i].done;
    free(s->slots[i].lines);
  }
  s->stopped = why;
  return missing;
}

static void run_all(struct scheduler *s) {
  struct pollfd *waiting = ARENA_ARRAY(&s->arena, struct pollfd, s->options->jobs + 1);
  while (!s->stopped && s->shown < s->count) {
    if (!give_work(s)) {
      s->stopped = "no worker process could be started";
      return;
    }
    wait_for_answers(s, waiting);
    end_late(s);
    show_done(s);
    progress_draw(&s->progress, s->shown, &s->judge.report);
  }
}

static void end_workers(struct scheduler *s) {
  for (uint32_t i = 0; i < s->options->jobs; i++) {
    if (s->workers[i].pid) worker_end(&s->workers[i], &s->arena);
    json_decref(s->busy[i].tests);
  }
}

static void choose_files(struct scheduler *s) {
  const struct suite_options *o = s->options;
  s->files = ARENA_ARRAY(&s->arena, uint32_t, o->files.count);
  for (uint32_t i = 0; i < o->files.count; i++)
    if (!o->shard_count || i % o->shard_count == o->shard - 1) s->files[s->count++] = i;
  s->slots = ARENA_ARRAY(&s->arena, struct slot, s->count);
}

/* Interrupts come as something to read; blocked, so that none is lost between two looks. */
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
  double start = now();
  s->workers = ARENA_ARRAY(&s->arena, struct worker, s->options->jobs);
  s->busy = ARENA_ARRAY(&s->arena, struct busy, s->options->jobs);
  s->signals = watch_signals(&before);
  progress_start(&s->progress, s->options->progress, s->count, start);
  run_all(s);
  progress_clear(&s->progress);
  end_workers(s);
  struct report_end end = {.not_run = show_rest(s)};
  if (end.not_run) end.why = s->stopped;
  end.seconds = now() - start;
  enum ptxlit_status status = judge_close(&s->judge, &end);
  close(s->signals);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return status;
}

enum ptxlit_status suite_run(const struct suite_options *options) {
  struct cache cache;
  struct scheduler s = {.options = options, .models = (uint32_t)ptxlit_model_count(options->session)};
  enum ptxlit_status status = PTXLIT_BAD_INPUT;
  REQUIRE(options->jobs > 0 && s.models > 0);
  if (options->cache && !cache_open(&cache, options->cache, options->session, &options->check)) return status;
  s.cache = options->cache ? &cache : NULL;
  arena_init(&s.arena, NULL);
  choose_files(&s);
  if (judge_open(&s.judge, options)) status = run(&s);
  arena_release(&s.arena);
  if (s.cache) cache_close(&cache);
  return status;
}
