#define _GNU_SOURCE /* fallocate */

#include "suite/printed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char key[] = ",\"outcomes\":["; /* in a text the quotes would be escaped */

/* Pieces as they come: each begins with an outcome or behind the last. */
struct catcher {
  struct text head; /* of a line of several pieces: up to its outcomes */
  struct text last; /* piece; the only one is the line */
  struct stored stored;
  bool several, failed;
};

static void store(struct catcher *c, const char *bytes, size_t size) {
  while (size && c->stored.fd >= 0 && !c->failed) {
    ssize_t done = pwrite(c->stored.fd, bytes, size, (off_t)(c->stored.from + c->stored.size));
    if (done < 0 && errno == EINTR) continue;
    c->failed = done <= 0;
    if (c->failed) return;
    bytes += done;
    size -= (size_t)done;
    c->stored.size += (uint64_t)done;
  }
}

static void keep_head(struct catcher *c) {
  const char *list = strstr(text_str(&c->last), key);
  c->failed = c->failed || !list;
  if (list) text_add_slice(&c->head, c->last.data, (size_t)(list - c->last.data) + sizeof key - 1);
}

static void catch_piece(void *context, const char *data, size_t size) {
  struct catcher *c = context;
  if (c->last.len) {
    if (!c->several) keep_head(c);
    c->several = true;
    store(c, c->last.data, c->last.len);
    c->last.len = 0;
  }
  text_add_slice(&c->last, data, size);
}

/* Where the list ends that `at` is in. */
static const char *end_of_list(const char *at) {
  int depth = 1;
  bool quoted = false;
  for (; *at; at++) {
    if (quoted && *at == '\\' && at[1]) at++;
    else if (*at == '"') quoted = !quoted;
    else if (!quoted && (*at == '[' || *at == '{')) depth++;
    else if (!quoted && (*at == ']' || *at == '}') && --depth == 0) return at;
  }
  return at;
}

bool printed_make(struct printed *printed, struct arena *arena, int fd, struct ptxlit *session,
                  const struct ptxlit_result *result) {
  struct catcher c = {{.arena = arena}, {.arena = arena}, {.fd = fd}, false, false};
  off_t end = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
  if (end < 0) return false;
  c.stored.from = (uint64_t)end;
  bool whole = ptxlit_print(session, result, PTXLIT_JSON, catch_piece, &c) && !c.failed && c.last.len;
  if (whole && c.several) {
    store(&c, c.last.data, c.last.len - strlen("}\n"));
    text_add(&c.head, end_of_list(text_str(&c.last)));
  }
  *printed = (struct printed){text_str(c.several ? &c.head : &c.last), c.several, c.stored};
  return whole && !c.failed;
}

int stored_open(void) {
  FILE *file = tmpfile();
  int fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;
  if (file) fclose(file);
  return fd;
}

bool stored_take(const struct stored *stored, void (*take)(void *context, const char *data, size_t size),
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

void stored_drop(const struct stored *stored) {
  /* Where the file system cannot, the space is given back with the file. */
  const int punch = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  if (stored->size) (void)fallocate(stored->fd, punch, (off_t)stored->from, (off_t)stored->size);
}
