#include "base/process.h"

#include <signal.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

enum { NOT_STARTED = 127 }; /* as in a shell */

static void end_group(int type) {
  (void)type;
  kill(0, SIGKILL);
}

/* After exec the other program has the default handlers again. */
static void follow(pid_t parent) {
  signal(SIGTERM, end_group);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
  if (getppid() != parent) _exit(NOT_STARTED);
}

_Noreturn static void end_alike(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(NOT_STARTED);
}

void process_become_group(pid_t parent) {
  sigset_t none;
  int status;
  if (setpgid(0, 0) != 0) _exit(NOT_STARTED);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  follow(parent);
  pid_t program = fork();
  if (program == 0) return;
  if (program < 0) _exit(NOT_STARTED);
  for (int fd = 0; fd < 1024; fd++) close(fd); /* or a reader of the output would also wait for this process */
  while (waitpid(program, &status, 0) < 0)
    if (errno != EINTR) _exit(NOT_STARTED);
  end_alike(status);
}

void process_end_group(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
}

int process_await(pid_t child, double deadline) {
  static const struct timespec moment = {.tv_nsec = 5000000};
  int status = -1;
  pid_t ended;
  while ((ended = waitpid(child, &status, deadline > 0 ? WNOHANG : 0)) != child) {
    if (ended < 0 && errno != EINTR) return -1;
    if (deadline > 0) nanosleep(&moment, NULL);
    if (!base_is_late(deadline)) continue;
    process_end_group(child);
    deadline = 0;
  }
  return status;
}
