/* What emscripten's C library lacks: what the tool calls to start and to watch other processes, of which there are none
 * in a browser (fork fails there first), to give back a part of a file, and to keep one in memory alone. */
#include <errno.h>
#include <spawn.h>
#include <sys/types.h>

int prctl(int option, ...);
int signalfd(int fd, const void *mask, int flags);
int fallocate(int fd, int mode, off_t from, off_t size);
int memfd_create(const char *name, unsigned flags);

int prctl(int option, ...) {
  (void)option;
  errno = ENOSYS;
  return -1;
}

int signalfd(int fd, const void *mask, int flags) {
  (void)fd, (void)mask, (void)flags;
  errno = ENOSYS;
  return -1;
}

int fallocate(int fd, int mode, off_t from, off_t size) {
  (void)fd, (void)mode, (void)from, (void)size;
  errno = ENOSYS;
  return -1;
}

int memfd_create(const char *name, unsigned flags) {
  (void)name, (void)flags;
  errno = ENOSYS;
  return -1;
}

int posix_spawnp(pid_t *child, const char *name, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const words[], char *const environment[]) {
  (void)child, (void)name, (void)actions, (void)attributes, (void)words, (void)environment;
  return ENOSYS;
}
