#define _GNU_SOURCE /* mkostemp */

#include "base/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_replaces(const char *path) {
  struct stat about;
  return lstat(path, &about) != 0 || S_ISREG(about.st_mode);
}

char *output_target(const char *path) {
  struct stat about;
  bool leads_to_file = !output_replaces(path) && stat(path, &about) == 0 && S_ISREG(about.st_mode);
  char *target = leads_to_file ? realpath(path, NULL) : NULL; /* also NULL for a file without a name, as under /proc */
  return target && output_replaces(target) ? target : (free(target), strdup(path));
}

/* The temporary name is short, so that it is valid if the file's name is valid. */
int output_beside(const char *path, char **part) {
  const char *slash = strrchr(path, '/');
  int length = slash ? (int)(slash - path) + 1 : 0;
  size_t room = (size_t)length + sizeof ".ptxlit-XXXXXX";
  *part = malloc(room);
  if (!*part) return -1;
  snprintf(*part, room, "%.*s.ptxlit-XXXXXX", length, path);
  mode_t mask = umask(0);
  umask(mask);
  int fd = mkostemp(*part, O_CLOEXEC);
  if (fd >= 0) {
    fchmod(fd, 0666 & ~mask);
    return fd;
  }
  free(*part);
  *part = NULL;
  return -1;
}

/* link fails if the file exists; on file systems without links, the existence is checked first. */
bool output_name(const char *part, const char *path, bool fresh) {
  struct stat about;
  if (!fresh) return rename(part, path) == 0;
  if (link(part, path) == 0) return unlink(part) == 0;
  if (errno == EEXIST) return false;
  if (lstat(path, &about) != 0) return rename(part, path) == 0;
  errno = EEXIST;
  return false;
}

/* Takes ownership of the descriptor. */
static bool write_all(int fd, const char *data, size_t size) {
  FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
  if (!file) return false;
  bool written = fwrite(data, 1, size, file) == size;
  int why = errno;
  if (fclose(file) == 0 && written) return true;
  if (!written) errno = why;
  return false;
}

static bool write_whole(const char *path, const char *data, size_t size, bool fresh) {
  char *part;
  int fd = output_beside(path, &part);
  bool done = write_all(fd, data, size) && output_name(part, path, fresh);
  int why = errno;
  if (!done && part) unlink(part);
  free(part);
  errno = why;
  return done;
}

bool output_write(const char *path, const char *data, size_t size, bool fresh) {
  struct stat about;
  bool there = lstat(path, &about) == 0;
  char *target = fresh ? NULL : output_target(path);
  const char *to = target ? target : path;
  bool done = false;
  if (fresh && there) errno = EEXIST;
  else if (!fresh && !output_replaces(to)) done = write_all(open(to, O_WRONLY | O_CREAT | O_TRUNC, 0666), data, size);
  else done = write_whole(to, data, size, fresh);
  int why = errno;
  free(target);
  errno = why;
  return done;
}
