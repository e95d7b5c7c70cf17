/* What emscripten's C library lacks of what the tool calls to watch other processes. There are none in a browser: fork
 * fails there first. */
#include <errno.h>

int prctl(int option, ...);
int signalfd(int fd, const void *mask, int flags);

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
