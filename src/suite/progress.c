#include "suite/report.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH = 24 };

void progress_start(struct progress_bar *progress, bool on, uint32_t files, double now) {
  *progress = (struct progress_bar){.on = on, .files = files, .start = now, .last = now};
}

/* The number of columns of the terminal; 0 if unknown. */
static size_t columns(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static void add_rest(struct text *out, double seconds) {
  unsigned long long whole = (unsigned long long)(seconds + 0.5);
  if (whole >= 3600) text_printf(out, "%llu h %02llu min left", whole / 3600, whole / 60 % 60);
  else if (whole >= 60) text_printf(out, "%llu min %02llu s left", whole / 60, whole % 60);
  else text_printf(out, "%llu s left", whole);
}

static void add_numbers(struct text *out, const struct progress_bar *progress, uint32_t done,
                        const struct report *report) {
  double passed = base_now() - progress->start;
  text_printf(out, "%u/%u files", (unsigned)done, (unsigned)progress->files);
  if (report->counts[RESULT_FAIL]) text_printf(out, ", %llu fail", (unsigned long long)report->counts[RESULT_FAIL]);
  if (!done || passed <= 0) return;
  double rate = done / passed;
  text_printf(out, ", %.*f/s, ", rate < 1 ? 2 : rate < 10 ? 1 : 0, rate);
  add_rest(out, (progress->files - done) / rate);
}

/* A narrow terminal gets the numbers without the bar, because a line that does not fit could not be cleared. */
static void draw(const char *numbers, uint32_t full) {
  size_t room = columns(), length = strlen(numbers);
  fputs("\r\033[K", stderr);
  if (!room || room > WIDTH + 3 + length) {
    fputc('[', stderr);
    for (uint32_t i = 0; i < WIDTH; i++) fputc(i < full ? '#' : '.', stderr);
    fputs("] ", stderr);
  }
  fprintf(stderr, "%.*s", (int)(room && room <= length ? room - 1 : length), numbers);
  fflush(stderr);
}

void progress_draw(struct progress_bar *progress, uint32_t done, const struct report *report) {
  double time = base_now();
  struct arena arena;
  struct text numbers = {.arena = &arena};
  if (!progress->on || time - progress->last < 0.1) return;
  progress->last = time;
  progress->drawn = true;
  arena_init(&arena, NULL);
  add_numbers(&numbers, progress, done, report);
  draw(text_str(&numbers), progress->files ? (uint32_t)((uint64_t)WIDTH * done / progress->files) : WIDTH);
  arena_release(&arena);
}

void progress_clear(struct progress_bar *progress) {
  if (!progress->drawn) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  progress->drawn = false;
}
