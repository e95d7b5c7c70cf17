#include "suite/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the parent's side */

static void close_pair(int pair[2]) {
  close(pair[0]);
  close(pair[1]);
}

static bool set_limits(const struct suite_options *options) {
  struct rlimit limit = {options->memory, options->memory};
  return !options->memory || setrlimit(RLIMIT_AS, &limit) == 0;
}

_Noreturn void worker_run(const struct suite_options *options, const struct cache *cache, int requests, int answers);

_Noreturn static void become_worker(const struct worker *worker, const struct suite_options *options,
                                    const struct cache *cache, int requests, int answers) {
  sigset_t none;
  sigemptyset(&none);
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* the parent may be killed */
  signal(SIGINT, SIG_IGN);          /* the terminal sends it to all; the parent decides */
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (worker->errors) dup2(fileno(worker->errors), STDERR_FILENO);
  if (!set_limits(options)) _exit(3);
  worker_run(options, cache, requests, answers);
}

bool worker_start(struct worker *worker, const struct suite_options *options, const struct cache *cache,
                  const struct worker *others, size_t count) {
  int requests[2], answers[2];
  if (pipe(requests) != 0) return false;
  if (pipe(answers) != 0) {
    close_pair(requests);
    return false;
  }
  fflush(stdout);
  fflush(stderr);
  *worker = (struct worker){.errors = tmpfile()}; /* without one its messages are lost with it, no more */
  pid_t pid = fork();
  if (pid == 0) {
    for (size_t i = 0; i < count; i++) {
      if (!others[i].pid) continue;
      close(others[i].to);
      close(others[i].from);
    }
    close(requests[1]);
    close(answers[0]);
    become_worker(worker, options, cache, requests[0], answers[1]);
  }
  close(requests[0]);
  close(answers[1]);
  worker->pid = pid;
  worker->to = requests[1];
  worker->from = answers[0];
  if (pid > 0) return true;
  int why = errno;
  close(worker->to);
  close(worker->from);
  if (worker->errors) fclose(worker->errors);
  *worker = (struct worker){0};
  errno = why;
  return false;
}

bool worker_ask(struct worker *worker, const struct request *request) {
  return write(worker->to, request, sizeof *request) == (ssize_t)sizeof *request; /* less than PIPE_BUF: whole */
}

bool worker_receive(struct worker *worker) {
  if (worker->room - worker->length < 65536) {
    size_t room = worker->room ? worker->room * 2 : 131072;
    char *data = realloc(worker->data, room);
    if (!data) {
      fputs("ptxlit: error: out of memory\n", stderr);
      exit(3);
    }
    worker->data = data;
    worker->room = room;
  }
  ssize_t got = read(worker->from, worker->data + worker->length, worker->room - worker->length);
  if (got > 0) worker->length += (size_t)got;
  return got > 0 || (got < 0 && errno == EINTR);
}

const char *worker_line(struct worker *worker, size_t *at, size_t *length) {
  if (!worker->length) return NULL;
  const char *line = worker->data + *at, *end = memchr(line, '\n', worker->length - *at);
  if (!end) return NULL;
  *length = (size_t)(end - line);
  *at += *length + 1;
  return line;
}

void worker_forget(struct worker *worker, size_t at) {
  if (at) memmove(worker->data, worker->data + at, worker->length - at);
  worker->length -= at;
}

/* The first line that it wrote to its standard error. */
static const char *first_error(const struct worker *worker, struct arena *arena) {
  char line[200] = "";
  if (worker->errors) {
    rewind(worker->errors);
    if (!fgets(line, sizeof line, worker->errors)) line[0] = '\0';
  }
  line[strcspn(line, "\n")] = '\0';
  return *line ? arena_printf(arena, ": %s", line) : "";
}

const char *worker_end(struct worker *worker, struct arena *arena) {
  int status = 0;
  close(worker->to); /* an idle one ends by itself now */
  kill(worker->pid, SIGKILL);
  while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) continue;
  const char *more = first_error(worker, arena), *how;
  if (WIFSIGNALED(status))
    how = arena_printf(arena, "died of signal %d (%s)%s", WTERMSIG(status), strsignal(WTERMSIG(status)), more);
  else how = arena_printf(arena, "ended with status %d%s", WEXITSTATUS(status), more);
  close(worker->from);
  if (worker->errors) fclose(worker->errors);
  free(worker->data);
  *worker = (struct worker){0};
  return how;
}
