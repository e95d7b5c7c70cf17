#define _GNU_SOURCE /* memfd_create, ITIMER_PROF */

#include "fuzz.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

/* In this variant the library calls this instead of _Exit (see the Makefile): what ends a run ends it with a report. */
NORETURN void fuzz_exit(int status);
NORETURN void fuzz_exit(int status) {
  fprintf(stderr, "the library left with status %d\n", status);
  abort();
}

static void out_of_time(int signal) {
  static const char text[] = "fuzz: this input takes too much processor time\n";
  (void)signal;
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  abort();
}

static void set_clock(int seconds) {
  struct itimerval limit = {.it_value = {.tv_sec = seconds}};
  if (setitimer(ITIMER_PROF, &limit, NULL) != 0) BUG("setitimer");
}

/* Processor seconds left of what fuzz_begin gave. */
static double left(void) {
  struct itimerval limit;
  if (getitimer(ITIMER_PROF, &limit) != 0) BUG("getitimer");
  return (double)limit.it_value.tv_sec + 1e-6 * (double)limit.it_value.tv_usec;
}

static double left_before; /* of the call that fuzz_kept is about */

void fuzz_begin(void) {
  signal(SIGPROF, out_of_time);
  set_clock(FUZZ_CPU_SECONDS);
  left_before = FUZZ_CPU_SECONDS;
}

enum { SLACK = 20 }; /* seconds, on a slow machine, too; the sanitizers make everything slow */

void fuzz_kept(double limit, const char *call) {
  double used = left_before - left();
  if (used > limit + SLACK) BUG("%s took %g s of processor time, with a limit of %g s", call, used, limit);
  left_before = left();
}

void fuzz_end(void) { set_clock(0); }

struct ptxlit *fuzz_session(const char *models) {
  struct ptxlit *session = ptxlit_new();
  const char *dir = getenv("PTXLIT_MODELS");
  char name[32];
  if (!session || ptxlit_add_model_dir(session, dir ? dir : "models") != PTXLIT_OK) BUG("no session");
  for (const char *at = models; *at; at += strspn(at, ",")) {
    size_t length = strcspn(at, ",");
    REQUIRE(length < sizeof name);
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    if (ptxlit_use_model(session, name) != PTXLIT_OK) BUG("%s", ptxlit_messages(session, false));
    at += length;
  }
  return session;
}

struct ptxlit_options fuzz_options(size_t mix) {
  struct ptxlit_options options = ptxlit_defaults();
  options.same_names = true;
  options.timeout = 0.3;
  options.max_outcomes = 100;
  options.unroll = 2;
  options.implicit_locations = mix & 1;
  options.dat3m_dialect = mix & 2;
  options.all_state = mix & 4;
  options.termination = mix & 8;
  options.races = mix & 16;
  options.count_races = mix & 32;
  options.progress = (enum ptxlit_progress)(mix >> 7 & 3);
  return options;
}

int fuzz_file(const void *data, size_t size, char path[32]) {
  int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data, size) != (ssize_t)size) BUG("no file in memory");
  snprintf(path, 32, "/proc/self/fd/%d", file);
  return file;
}
