#define _GNU_SOURCE /* fallocate, memfd_create */

#include "suite/record.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int spill_open(void) {
  FILE *file = tmpfile();
  int fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : memfd_create("outcomes", MFD_CLOEXEC);
  if (file) fclose(file);
  return fd;
}

bool spill_add(struct stored *stored, const char *bytes, size_t size) {
  while (size) {
    ssize_t done = pwrite(stored->fd, bytes, size, (off_t)(stored->from + stored->size));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    bytes += done;
    size -= (size_t)done;
    stored->size += (uint64_t)done;
  }
  return true;
}

bool spill_take(const struct stored *stored, void (*take)(void *context, const char *data, size_t size),
                void *context) {
  char bytes[1 << 14];
  for (uint64_t done = 0; done < stored->size;) {
    size_t wanted = stored->size - done < sizeof bytes ? (size_t)(stored->size - done) : sizeof bytes;
    ssize_t got = pread(stored->fd, bytes, wanted, (off_t)(stored->from + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    take(context, bytes, (size_t)got);
    done += (uint64_t)got;
  }
  return true;
}

void spill_drop(const struct stored *stored) {
  /* If the file system cannot punch holes, the space is freed with the file. */
  const int punch = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  if (stored->size && !stored->bytes) (void)fallocate(stored->fd, punch, (off_t)stored->from, (off_t)stored->size);
}
