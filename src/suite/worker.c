#define _GNU_SOURCE /* F_SETPIPE_SZ */

#include "suite/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

static void close_pair(int pair[2]) {
  close(pair[0]);
  close(pair[1]);
}

/* ---- the child */

/* Grows the stack early, because under a memory limit growing it later might fail, which would kill the worker. */
static char grow_stack(void) {
  enum { ROOM = 1 << 20, PAGE = 4096 };
  volatile char room[ROOM];
  for (size_t i = 0; i < ROOM; i += PAGE) room[i] = 0;
  return room[0];
}

_Noreturn static void become_worker(const struct worker *workers, size_t index, const struct work *work,
                                    const struct resumption *resumption, int answers, pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  /* ends with a killed parent */
  if (getppid() != parent) _exit(3); /* the parent ended before prctl */
  signal(SIGINT, SIG_IGN);           /* the terminal sends it to all processes; the parent decides */
  signal(SIGTERM, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (workers[index].errors) dup2(fileno(workers[index].errors), STDERR_FILENO);
  (void)grow_stack();
  if (work->options->room && !memory_limit_to(work->options->room)) _exit(3);
  worker_run(work, resumption, (uint32_t)index, answers);
}

uint64_t worker_least_memory(void) {
  enum { TO_WORK_WITH = 12 << 20 };
  return memory_taken() + TO_WORK_WITH;
}

/* ---- the parent's side */

/* Opens a large pipe, so that a worker seldom waits, with a non-blocking read end. */
static bool open_pipe(int ends[2]) {
  enum { MUCH = 1 << 20 };
  if (pipe(ends) != 0) return false;
  (void)fcntl(ends[1], F_SETPIPE_SZ, MUCH); /* with a smaller pipe it only waits more often */
  return fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

bool worker_start(struct worker *workers, size_t index, size_t count, const struct work *work,
                  const struct resumption *resumption) {
  struct worker *worker = &workers[index];
  int ends[2];
  if (!open_pipe(ends)) return false;
  fflush(stdout);
  fflush(stderr);
  worker->errors = tmpfile(); /* without it, only the worker's messages are lost */
  pid_t parent = getpid(), pid = fork();
  if (pid == 0) {
    for (size_t i = 0; i < count; i++)
      if (workers[i].pid) close(workers[i].answers);
    close(ends[0]);
    become_worker(workers, index, work, resumption, ends[1], parent);
  }
  if (pid > 0) {
    close(ends[1]);
    worker->pid = pid;
    worker->answers = ends[0];
    return true;
  }
  int why = errno;
  close_pair(ends);
  if (worker->errors) fclose(worker->errors);
  worker->errors = NULL;
  errno = why;
  return false;
}

bool worker_receive(struct worker *worker) {
  enum { LEAST = 1 << 16 };
  ssize_t got;
  if (worker->room - worker->length < LEAST) {
    worker->room = 2 * worker->room + LEAST;
    worker->data = must_have(realloc(worker->data, worker->room));
  }
  do got = read(worker->answers, worker->data + worker->length, worker->room - worker->length);
  while (got < 0 && errno == EINTR);
  if (got > 0) worker->length += (size_t)got;
  return got > 0;
}

const char *worker_answer(struct worker *worker, size_t *at, struct answer *head) {
  if (worker->length - *at < sizeof *head) return NULL;
  const char *answer = worker->data + *at;
  memcpy(head, answer, sizeof *head);
  if (worker->length - *at - sizeof *head < head->size) return NULL;
  *at += sizeof *head + head->size;
  return answer;
}

void worker_forget(struct worker *worker, size_t at) {
  if (at) memmove(worker->data, worker->data + at, worker->length - at);
  worker->length -= at;
}

/* The first line that the worker wrote to its standard error. */
static const char *first_error(const struct worker *worker, struct arena *arena) {
  char line[200] = "";
  if (worker->errors) {
    rewind(worker->errors);
    if (!fgets(line, sizeof line, worker->errors)) line[0] = '\0';
  }
  line[strcspn(line, "\n")] = '\0';
  return *line ? arena_printf(arena, ": %s", line) : "";
}

/* True if the worker ran out of memory, which is a limit and not a bug. */
static bool ran_out_of_memory(int status, const char *more) {
  return WIFEXITED(status) && WEXITSTATUS(status) == PTXLIT_NO_VERDICT && strstr(more, "out of memory") != NULL;
}

struct loss worker_kill(struct worker *worker, struct arena *arena) {
  int status = 0;
  kill(worker->pid, SIGKILL);
  while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) continue;
  const char *more = first_error(worker, arena);
  struct loss loss = {.id = loss_worker};
  if (WIFSIGNALED(status))
    loss.text = arena_printf(arena, "its worker process died of signal %d (%s)%s", WTERMSIG(status),
                             strsignal(WTERMSIG(status)), more);
  else if (ran_out_of_memory(status, more)) loss = (struct loss){loss_out_of_memory, "out of memory"};
  else loss.text = arena_printf(arena, "its worker process ended with status %d%s", WEXITSTATUS(status), more);
  return loss;
}

void worker_close(struct worker *worker) {
  close(worker->answers);
  if (worker->errors) fclose(worker->errors);
  worker->errors = NULL;
  worker->length = 0;
  worker->pid = 0;
}
