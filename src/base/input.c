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

static char *read_stream(struct arena *arena, FILE *file, size_t most, size_t *length) {
  size_t capacity = 16 * 1024, got;
  char *text = arena_alloc(arena, capacity + 1);
  for (*length = 0; (got = fread(text + *length, 1, capacity - *length, file)) > 0;) {
    *length += got;
    if (*length < capacity) continue;
    if (capacity >= most) {
      errno = EFBIG;
      return NULL;
    }
    char *larger = arena_alloc(arena, 2 * capacity + 1);
    memcpy(larger, text, *length);
    text = larger;
    capacity *= 2;
  }
  text[*length] = '\0';
  return ferror(file) ? NULL : text;
}

static int open_path(const char *path, double deadline) {
  if (strcmp(path, "-") == 0) return dup(STDIN_FILENO);
  return open(path, O_RDONLY | O_CLOEXEC | (deadline > 0 ? O_NONBLOCK : 0));
}

/* Takes over the descriptor. */
static FILE *stream_of(int fd, const struct stat *about, double deadline) {
  bool slow = S_ISFIFO(about->st_mode) || S_ISCHR(about->st_mode) || S_ISSOCK(about->st_mode);
  FILE *file = slow && deadline > 0 ? open_slow(fd, deadline) : fdopen(fd, "r");
  int why = errno;
  if (!file) close(fd);
  errno = why;
  return file;
}

FILE *input_open(const char *path, double deadline) {
  struct stat about = {0};
  int fd = open_path(path, deadline);
  if (fd < 0) return NULL;
  fstat(fd, &about);
  return stream_of(fd, &about, deadline);
}

/* A small file in one read, which gives as many bytes as it has, and not the one more that is asked for. NULL: it is
 * no such file, and nothing was read. */
static char *read_at_once(struct arena *arena, int fd, const struct stat *about, size_t *length) {
  enum { SMALL = 64 * 1024 };
  if (!S_ISREG(about->st_mode) || about->st_size <= 0 || about->st_size > SMALL) return NULL;
  *length = (size_t)about->st_size;
  char *text = arena_alloc(arena, *length + 2);
  ssize_t got = pread(fd, text, *length + 1, 0);
  if (got != (ssize_t)*length) return NULL;
  text[*length] = '\0';
  return text;
}

char *input_read(struct arena *arena, const char *path, double deadline, size_t most, size_t *length) {
  struct stat about = {0};
  int fd = open_path(path, deadline);
  if (fd < 0) return NULL;
  fstat(fd, &about);
  char *text = strcmp(path, "-") != 0 ? read_at_once(arena, fd, &about, length) : NULL;
  if (text) {
    close(fd);
    return text;
  }
  FILE *file = stream_of(fd, &about, deadline);
  if (!file) return NULL;
  text = read_stream(arena, file, most, length);
  int why = errno;
  fclose(file);
  errno = why;
  return text;
}
