#define _GNU_SOURCE /* fopencookie */

#include "base/input.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is read as its bytes arrive. */
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

FILE *input_stream(int fd, double deadline) {
  if (deadline <= 0) return fdopen(fd, "r");
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

static int fail(int why) {
  errno = why;
  return -1;
}

static bool is_below(const char *dir, const char *real) {
  size_t length = strlen(dir);
  while (length && dir[length - 1] == '/') length--;
  return strncmp(real, dir, length) == 0 && (real[length] == '/' || !real[length]);
}

/* True if the path of `length` bytes, which ends in a name, is a link that leads out of its directory. */
static bool link_leads_out(const char *path, size_t length) {
  char link[PATH_MAX + 1], dir[PATH_MAX + 1], real[PATH_MAX + 1];
  struct stat about;
  size_t before = length;
  while (before && path[before - 1] != '/') before--;
  if (length > PATH_MAX) return true;
  memcpy(link, path, length);
  link[length] = '\0';
  if (lstat(link, &about) != 0 || !S_ISLNK(about.st_mode)) return false;
  bool there = realpath(link, real) != NULL;
  link[before] = '\0';
  return !there || !realpath(before ? link : ".", dir) || !is_below(dir, real);
}

bool input_leads_out(const char *path) {
  for (size_t at = strspn(path, "/"); path[at]; at += strspn(path + at, "/")) {
    at += strcspn(path + at, "/");
    if (link_leads_out(path, at)) return true;
  }
  return false;
}

/* True if the system says that the open file is in the directory that its path names: `path` may lead elsewhere by
 * now. */
static bool is_at(int fd, const char *path) {
  char own[32], dir[PATH_MAX + 1], real[PATH_MAX + 1];
  const char *slash = strrchr(path, '/');
  snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(own, real, PATH_MAX);
  if (length <= 0) return true; /* a system without /proc */
  real[length] = '\0';
  if (slash && (size_t)(slash - path) >= PATH_MAX) return false;
  char named[PATH_MAX + 1] = ".";
  if (slash) memcpy(named, path, (size_t)(slash + 1 - path)), named[slash + 1 - path] = '\0';
  return real[0] != '/' || (realpath(named, dir) && is_below(dir, real)); /* "pipe:[1]" is no file */
}

static int open_path(const char *path, double deadline, bool closed) {
  if (strcmp(path, "-") == 0) return dup(STDIN_FILENO);
  if (closed && input_leads_out(path)) return fail(EXDEV);
  int fd = open(path, O_RDONLY | O_CLOEXEC | (deadline > 0 ? O_NONBLOCK : 0));
  if (fd < 0 || !closed || (is_at(fd, path) && !input_leads_out(path))) return fd;
  close(fd);
  return fail(EXDEV);
}

/* Takes ownership of the descriptor. */
static FILE *stream_of(int fd, const struct stat *about, double deadline) {
  bool slow = S_ISFIFO(about->st_mode) || S_ISCHR(about->st_mode) || S_ISSOCK(about->st_mode);
  FILE *file = input_stream(fd, slow ? deadline : 0);
  int why = errno;
  if (!file) close(fd);
  errno = why;
  return file;
}

FILE *input_open(const char *path, double deadline, bool closed) {
  struct stat about = {0};
  int fd = open_path(path, deadline, closed);
  if (fd < 0) return NULL;
  fstat(fd, &about);
  return stream_of(fd, &about, deadline);
}

/* Reads `size` bytes, the size of the file. */
static char *read_size(struct arena *arena, int fd, size_t size, size_t *length) {
  char *text = arena_alloc(arena, size + 1);
  for (*length = 0; *length < size;) {
    ssize_t got = read(fd, text + *length, size - *length);
    if (got == 0) break;
    if (got < 0 && errno != EINTR) return NULL;
    if (got > 0) *length += (size_t)got;
  }
  text[*length] = '\0';
  char more;
  if (size || pread(fd, &more, 1, 0) <= 0) return text;
  errno = EMEDIUMTYPE; /* its content is generated while it is read */
  return NULL;
}

char *input_read(struct arena *arena, const char *path, double deadline, bool closed, size_t most, size_t *length) {
  struct stat about = {0};
  int fd = open_path(path, deadline, closed);
  if (fd < 0) return NULL;
  fstat(fd, &about);
  bool sized = strcmp(path, "-") != 0 && S_ISREG(about.st_mode) && about.st_size > 0 && (size_t)about.st_size <= most;
  FILE *file = stream_of(fd, &about, deadline);
  if (!file) return NULL;
  char *text = sized ? read_size(arena, fd, (size_t)about.st_size, length) : read_stream(arena, file, most, length);
  int why = errno;
  fclose(file);
  errno = why;
  return text;
}

/* ---- files that other files name */

const char *input_real(struct arena *arena, const char *path) {
  char *real = arena_alloc(arena, PATH_MAX + 1);
  return realpath(path, real);
}

bool input_is_special(const char *path) {
  struct stat about;
  return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

bool input_is_within(const struct input_bounds *bounds, const char *real) {
  return SOME_BELOW(i, bounds->count, is_below(bounds->dirs[i], real));
}

bool input_is_outside(struct arena *arena, const struct input_bounds *bounds, const char *path) {
  const char *real = input_real(arena, path), *missing = path;
  struct stat about;
  while (!real && *path) { /* the directory before the first name that is missing */
    size_t length = strlen(missing = path);
    while (length && path[length - 1] == '/') length--;
    while (length && path[length - 1] != '/') length--;
    path = arena_strndup(arena, path, length);
    real = input_real(arena, length ? path : ".");
  }
  bool led = real && path != missing && lstat(missing, &about) == 0; /* by a link to nothing */
  return !real || led || !input_is_within(bounds, real);
}

/* Checks the file's kind before opening, because opening a device can have effects, and again afterwards, because by
 * then the name may refer to a different file. */
static int open_regular(const char *real) {
  struct stat about;
  if (stat(real, &about) != 0) return -1;
  if (!S_ISREG(about.st_mode)) return fail(EMEDIUMTYPE);
  int fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || (fstat(fd, &about) == 0 && S_ISREG(about.st_mode))) return fd;
  close(fd);
  return fail(EMEDIUMTYPE);
}

/* Asks the system for the path of the open file, because `path` may name another file by now. */
static bool is_open_within(struct arena *arena, int fd, const char *path, const struct input_bounds *bounds) {
  char *real = arena_alloc(arena, PATH_MAX + 1);
  ssize_t length = readlink(arena_printf(arena, "/proc/self/fd/%d", fd), real, PATH_MAX);
  if (length > 0) real[length] = '\0';
  return input_is_within(bounds, length > 0 ? real : path);
}

char *input_read_named(struct arena *arena, const char *path, const struct input_bounds *bounds, size_t most,
                       size_t *length, bool *within) {
  struct stat about;
  char *text = NULL;
  bool outside = bounds->closed && input_is_outside(arena, bounds, path);
  const char *real = outside ? NULL : input_real(arena, path);
  if (outside) errno = EXDEV;
  int fd = real ? open_regular(real) : -1;
  if (fd < 0 || fstat(fd, &about) != 0) return NULL;
  *within = is_open_within(arena, fd, real, bounds);
  if (bounds->closed && !*within) errno = EXDEV;
  else if ((unsigned long long)about.st_size > most) errno = EFBIG;
  else text = read_size(arena, fd, (size_t)about.st_size, length);
  int why = errno;
  close(fd);
  errno = why;
  return text;
}
