#define _GNU_SOURCE /* mkostemp */

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_replaces(const char *path) {
  struct stat about;
  return lstat(path, &about) != 0 || S_ISREG(about.st_mode);
}

char *output_target(const char *path) {
  struct stat about;
  bool leads_to_file = !output_replaces(path) && stat(path, &about) == 0 && S_ISREG(about.st_mode);
  char *target = leads_to_file ? realpath(path, NULL) : NULL; /* NULL too for a file without a name, as under /proc */
  return target && output_replaces(target) ? target : (free(target), strdup(path));
}

/* The name is short, so that it fits where that of the file does. */
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

/* A link fails where there is a file already; where there are no links, looking first has to do. */
bool output_name(const char *part, const char *path, bool fresh) {
  struct stat about;
  if (!fresh) return rename(part, path) == 0;
  if (link(part, path) == 0) return unlink(part) == 0;
  if (errno == EEXIST) return false;
  if (lstat(path, &about) != 0) return rename(part, path) == 0;
  errno = EEXIST;
  return false;
}
