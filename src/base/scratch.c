#define _GNU_SOURCE /* nftw, pipe2 */

#include "base/scratch.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *depth) {
  (void)status, (void)type, (void)depth;
  remove(path);
  return 0;
}

/* Processes that write into the directory end at about the same time, so removal is repeated while one exists. */
static void remove_all(const char *path) {
  enum { TRIES = 300, DEPTH = 16 };
  static const struct timespec moment = {.tv_nsec = 10000000};
  struct stat about;
  for (int i = 0; i < TRIES && lstat(path, &about) == 0; i++) {
    if (i) nanosleep(&moment, NULL);
    nftw(path, remove_one, DEPTH, FTW_DEPTH | FTW_PHYS);
  }
}

/* Has a process group of its own, so that it gets no signals from a terminal. */
_Noreturn static void keep(const char *path, int line) {
  enum { USUAL_DESCRIPTORS = 1024 };
  char byte;
  setpgid(0, 0);
  for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) signal(ending[i], SIG_IGN);
  for (int fd = 0; fd < USUAL_DESCRIPTORS; fd++)
    if (fd != line) close(fd); /* otherwise a reader of the process's output would also wait for this process */
  while (read(line, &byte, 1) < 0 && errno == EINTR) continue;
  remove_all(path);
  _exit(0);
}

static bool start_keeper(struct scratch *s) {
  int line[2];
  if (pipe2(line, O_CLOEXEC) != 0) return false;
  s->keeper = fork();
  if (s->keeper == 0) {
    close(line[1]);
    keep(s->path, line[0]);
  }
  close(line[0]);
  s->line = line[1];
  if (s->keeper < 0) close(line[1]);
  return s->keeper > 0;
}

static bool name_it(struct scratch *s) {
  const char *given = getenv("TMPDIR");
  char base[PATH_MAX];
  if (!realpath(given && *given ? given : "/tmp", base)) return false;
  if ((size_t)snprintf(s->path, sizeof s->path, "%s/ptxlit-XXXXXX", base) < sizeof s->path) return true;
  errno = ENAMETOOLONG;
  return false;
}

/* Blocks signals between making the directory and its keeper. */
bool scratch_open(struct scratch *s) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) sigaddset(&blocked, ending[i]);
  if (!name_it(s)) return false;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  bool made = mkdtemp(s->path) != NULL, kept = made && start_keeper(s);
  int why = errno;
  if (made && !kept) rmdir(s->path);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = why;
  return kept;
}

void scratch_close(struct scratch *s) {
  if (s->keeper <= 0) return;
  close(s->line);
  while (waitpid(s->keeper, NULL, 0) < 0 && errno == EINTR) continue;
  s->keeper = 0;
}
