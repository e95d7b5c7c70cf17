#define _GNU_SOURCE /* fallocate */

#include "suite/printed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Pieces as they come: each begins with an outcome or behind the last. */
struct catcher {
  enum outcomes_form form;
  struct text head; /* of several pieces: up to the outcomes */
  struct text last; /* piece; the only one is the whole */
  struct stored stored;
  bool several, failed;
};

const char *printed_list(enum outcomes_form form, const char *text) {
  static const char key[] = ",\"outcomes\":[", line[] = "\nStates "; /* in a text they would be escaped */
  bool json = form == OUTCOMES_JSON;
  const char *at = strstr(text, json ? key : line);
  if (at && json) return at + sizeof key - 1;
  at = at ? strchr(at + 1, '\n') : NULL;
  return at ? at + 1 : NULL;
}

static void write_out(struct catcher *c, const char *bytes, size_t size) {
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

static void store(struct catcher *c, const char *bytes, size_t size) {
  for (const char *at = bytes; (at = memchr(at, '\n', size - (size_t)(at - bytes))); at++) c->stored.lines++;
  write_out(c, bytes, size);
}

/* How much of the first piece comes before the outcomes. */
static size_t keep_head(struct catcher *c) {
  const char *list = printed_list(c->form, text_str(&c->last));
  c->failed = c->failed || !list;
  size_t size = list ? (size_t)(list - c->last.data) : 0;
  text_add_slice(&c->head, c->last.data, size);
  return size;
}

/* Behind what is stored there. Mostly nothing is to be. */
static void begin_storing(struct catcher *c) {
  off_t end = c->stored.fd >= 0 ? lseek(c->stored.fd, 0, SEEK_END) : 0;
  c->failed = c->failed || end < 0;
  c->stored.from = (uint64_t)end;
}

static void catch_piece(void *context, const char *data, size_t size) {
  struct catcher *c = context;
  if (c->last.len) {
    size_t head = c->several ? 0 : keep_head(c);
    if (!c->several) begin_storing(c);
    c->several = true;
    store(c, c->last.data + head, c->last.len - head);
    c->last.len = 0;
  }
  text_add_slice(&c->last, data, size);
}

/* Where the list of JSON ends that `at` is in. */
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

/* Where the last `count` lines of outcomes end. */
static const char *end_of_lines(const char *at, unsigned long long count) {
  for (const char *end; count && (end = strchr(at, '\n')); count--) at = end + 1;
  return at;
}

/* The outcomes of the last piece are stored too. */
static void finish(struct catcher *c) {
  const char *last = text_str(&c->last), *end = last;
  if (c->form == OUTCOMES_JSON) {
    end = end_of_list(last);
  } else if (!c->failed) { /* the head ends with how many there are */
    size_t digits = c->head.len - 1;
    while (digits && c->head.data[digits - 1] != ' ') digits--;
    end = end_of_lines(last, strtoull(c->head.data + digits, NULL, 10) - c->stored.lines);
  }
  store(c, last, (size_t)(end - last));
  text_add(&c->head, end);
}

static void begin(struct catcher *c, struct arena *arena, int fd) {
  c->head.arena = c->last.arena = arena;
  c->stored = (struct stored){.fd = fd};
}

static struct printed printed_of(const struct catcher *c) {
  return (struct printed){text_str(c->several ? &c->head : &c->last), c->several, c->stored};
}

static bool catch_all(struct catcher *c, struct arena *arena, int fd, struct ptxlit *session,
                      const struct ptxlit_result *result) {
  begin(c, arena, fd);
  if (!ptxlit_print(session, result, c->form == OUTCOMES_LINES ? PTXLIT_TEXT : PTXLIT_JSON, catch_piece, c) ||
      !c->last.len)
    return false;
  if (c->several) finish(c);
  return !c->failed;
}

bool printed_make(struct printed *printed, struct arena *arena, int fd, enum outcomes_form form, struct ptxlit *session,
                  const struct ptxlit_result *result) {
  struct catcher line = {.form = OUTCOMES_JSON}, other = {.form = form};
  if (!catch_all(&line, arena, form == OUTCOMES_JSON ? fd : -1, session, result)) return false;
  *printed = printed_of(&line);
  if (!line.several || form != OUTCOMES_LINES) return true;
  if (!catch_all(&other, arena, fd, session, result)) return false;
  printed->stored = other.stored;
  return other.several;
}

/* All up to the last outcome that begins in it. */
static void catch_outcomes(struct catcher *c, struct text *text) {
  static const char next[] = ",{\"state\":{"; /* in a text the quotes would be escaped */
  const size_t length = sizeof next - 1;
  size_t at = text->len - length;
  while (at && memcmp(text->data + at, next, length) != 0) at--;
  if (!at) return;
  catch_piece(c, text->data, at);
  text->len -= at;
  memmove(text->data, text->data + at, text->len);
}

bool printed_read(struct printed *printed, struct arena *arena, int fd, FILE *from) {
  enum { MUCH = 1 << 16 };
  struct catcher c = {.form = OUTCOMES_JSON};
  struct text text = {.arena = arena};
  char bytes[1 << 14];
  begin(&c, arena, fd);
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, from)) > 0;) {
    text_add_slice(&text, bytes, got);
    if (text.len >= MUCH) catch_outcomes(&c, &text);
  }
  if (!text.len || ferror(from)) return false;
  catch_piece(&c, text.data, text.len);
  if (c.several) finish(&c);
  *printed = printed_of(&c);
  return !c.failed;
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
