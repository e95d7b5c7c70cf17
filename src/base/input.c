#define _GNU_SOURCE /* fopencookie */

#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

/* What is read as it comes. */
struct slow_input {
  int fd;
  double deadline;
};

static ssize_t read_in_time(void *cookie, char *bytes, size_t size) {
  const struct slow_input *input = cookie;
  while (!base_is_late(input->deadline)) {
    struct pollfd waiting = {.fd = input->fd, .events = POLLIN};
    double left = base_left(input->deadline);
    if (poll(&waiting, 1, left < 1000 ? (int)(left * 1000) + 1 : 1000000) <= 0) continue;
    ssize_t got = read(input->fd, bytes, size);
    if (got >= 0 || (errno != EAGAIN && errno != EINTR)) return got;
  }
  errno = ETIMEDOUT;
  return -1;
}

static int close_slow(void *cookie) {
  struct slow_input *input = cookie;
  int status = close(input->fd);
  free(input);
  return status;
}

static FILE *open_slow(int fd, double deadline) {
  struct slow_input *input = malloc(sizeof *input);
  if (!input) return NULL;
  *input = (struct slow_input){fd, deadline};
  FILE *file = fopencookie(input, "r", (cookie_io_functions_t){.read = read_in_time, .close = close_slow});
  if (!file) free(input);
  return file;
}

FILE *input_open(const char *path, double deadline) {
  bool standard = strcmp(path, "-") == 0;
  int fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | (deadline > 0 ? O_NONBLOCK : 0));
  struct stat about;
  if (fd < 0) return NULL;
  bool slow = fstat(fd, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode) || S_ISSOCK(about.st_mode));
  FILE *file = slow && deadline > 0 ? open_slow(fd, deadline) : fdopen(fd, "r");
  int why = errno;
  if (!file) close(fd);
  errno = why;
  return file;
}
