/* measure RUNS COMMAND [ARGUMENT...]: runs a command that many times, discards its output, and prints "MEDIAN-MS
 * LEAST-MS MOST-KILOBYTES STATUS": wall clock from fork to exit, the largest resident set, and the exit status (128 +
 * signal when killed) of the last run. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void become(char **command) {
  int nowhere = open("/dev/null", O_RDWR);
  if (nowhere < 0 || dup2(nowhere, 0) < 0 || dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0) _exit(127);
  execvp(command[0], command);
  _exit(127);
}

/* The exit status; the time goes to *ms. */
static int run(char **command, double *ms) {
  double start = now_ms();
  pid_t child = fork();
  if (child < 0) return 126;
  if (child == 0) become(command);
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 126;
  *ms = now_ms() - start;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  long runs = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
  if (runs < 1 || runs > 10000) {
    fprintf(stderr, "usage: measure RUNS COMMAND [ARGUMENT...]\n");
    return 2;
  }
  double *ms = calloc((size_t)runs, sizeof *ms);
  if (!ms) return 3;
  int status = 0;
  for (long i = 0; i < runs; i++) status = run(argv + 2, &ms[i]);
  qsort(ms, (size_t)runs, sizeof *ms, compare);
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  printf("%.2f %.2f %ld %d\n", ms[runs / 2], ms[0], usage.ru_maxrss, status);
  free(ms);
  return 0;
}
