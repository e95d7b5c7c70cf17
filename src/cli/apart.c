#include "cli/apart.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

/* What whoever started the tool may send it. */
static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static sigset_t watched_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++) sigaddset(&set, passed_on[i]);
  return set;
}

/* The child does not outlive its parent, however that ends. */
static void follow_parent(pid_t parent) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(PTXLIT_NO_VERDICT);
}

/* Waits for the child with the watched signals blocked: one that comes is the child's. */
static int await(pid_t child, const sigset_t *watched) {
  int status, signal;
  for (;;) {
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return PTXLIT_NO_VERDICT << 8;
    if (sigwait(watched, &signal) == 0 && signal != SIGCHLD) kill(child, signal);
  }
}

/* The child died of a signal that somebody sent, so its parent does too. */
static void die_alike(int status, const sigset_t *before) {
  if (!WIFSIGNALED(status)) return;
  int number = WTERMSIG(status);
  for (size_t i = 0; i < sizeof passed_on / sizeof passed_on[0]; i++) {
    if (passed_on[i] != number) continue;
    signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, before, NULL);
    raise(number);
  }
}

/* `report` gives the status that the child came to; nothing when it got no further than a library let it. */
static void take_over(struct run *run, int report, int status, const sigset_t *before) {
  unsigned char worst;
  die_alike(status, before);
  bool whole = read(report, &worst, 1) == 1;
  if (whole) run_note(run, (enum ptxlit_status)worst);
  if (whole && WIFEXITED(status)) return;
  run_note(run, PTXLIT_NO_VERDICT);
  fputs("ptxlit: error: drawing broke off, as Graphviz does when it gets no memory\n"
        "    hint: the formats text and dot are drawn without it\n",
        stderr);
}

static void be_parent(struct run *run, pid_t child, const int report[2], const sigset_t *before) {
  const sigset_t watched = watched_signals();
  close(report[1]); /* so that reading ends with the child */
  take_over(run, report[0], await(child, &watched), before);
  close(report[0]);
}

static void be_child(struct run *run, pid_t parent, const int report[2], void (*work)(struct run *run, void *state),
                     void *state) {
  follow_parent(parent);
  close(report[0]);
  setenv("G_SLICE", "always-malloc", 0); /* GLib, which Graphviz uses, else locks itself out when it gets no memory */
  work(run, state);
  unsigned char worst = (unsigned char)run->worst;
  if (write(report[1], &worst, 1) != 1) run_note(run, PTXLIT_NO_VERDICT);
  close(report[1]);
}

void apart_run(struct run *run, void (*work)(struct run *run, void *state), void *state) {
  const sigset_t watched = watched_signals();
  sigset_t before;
  int report[2];
  pid_t parent = getpid(), child = -1;
  if (pipe(report) != 0) {
    work(run, state);
    return;
  }
  sigprocmask(SIG_BLOCK, &watched, &before);
  child = fork();
  if (child > 0) be_parent(run, child, report, &before);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child == 0) be_child(run, parent, report, work, state);
  if (child >= 0) return;
  close(report[0]);
  close(report[1]);
  work(run, state);
}
