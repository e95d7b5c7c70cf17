#include "cli/run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

static void say(const char *text, size_t length) {
  while (length) {
    ssize_t written = write(STDERR_FILENO, text, length);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text += written;
    length -= (size_t)written;
  }
}

/* Shows the seconds until the pipe closes, also because the parent ended. */
static void tick(int end, const char *what, const char *name) {
  struct arena arena;
  struct pollfd closed = {.fd = end, .events = POLLIN};
  bool drawn = false;
  arena_init(&arena, NULL);
  for (unsigned seconds = 1; poll(&closed, 1, 1000) == 0; seconds++) {
    struct text line = {.arena = &arena};
    if (seconds < 2) continue;
    text_add(&line, "\r\033[K");
    text_printf(&line, "%s ", what);
    text_visible(&line, name);
    text_printf(&line, ": %u s", seconds);
    say(text_str(&line), line.len);
    drawn = true;
  }
  if (drawn) say("\r\033[K", 4);
  _exit(EXIT_SUCCESS);
}

struct ticker ticker_start(bool on, const char *what, const char *name) {
  int ends[2];
  if (!on || pipe(ends) != 0) return (struct ticker){0};
  fcntl(ends[1], F_SETFD, FD_CLOEXEC); /* a program that the tool starts must not hold the line */
  pid_t process = fork();
  if (process == 0) {
    close(ends[1]);
    tick(ends[0], what, name);
  }
  close(ends[0]);
  if (process > 0) return (struct ticker){process, ends[1]};
  close(ends[1]);
  return (struct ticker){0};
}

void ticker_stop(struct ticker *ticker) {
  if (!ticker->process) return;
  close(ticker->end);
  while (waitpid(ticker->process, NULL, 0) < 0 && errno == EINTR) continue;
  *ticker = (struct ticker){0};
}
