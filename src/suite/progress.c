#include "suite/progress.h"

#include <time.h>

enum { WIDTH = 24 };

void progress_start(struct progress *progress, bool on, uint32_t files, double now) {
  *progress = (struct progress){.on = on, .files = files, .start = now, .last = now};
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void draw_rest(double seconds) {
  unsigned long long whole = (unsigned long long)(seconds + 0.5);
  if (whole >= 3600) fprintf(stderr, "%llu h %02llu min left", whole / 3600, whole / 60 % 60);
  else if (whole >= 60) fprintf(stderr, "%llu min %02llu s left", whole / 60, whole % 60);
  else fprintf(stderr, "%llu s left", whole);
}

void progress_draw(struct progress *progress, uint32_t done, const struct report *report) {
  double time = now(), passed = time - progress->start;
  if (!progress->on || time - progress->last < 0.1) return;
  progress->last = time;
  progress->drawn = true;
  uint32_t full = progress->files ? (uint32_t)((uint64_t)WIDTH * done / progress->files) : WIDTH;
  fputs("\r\033[K[", stderr);
  for (uint32_t i = 0; i < WIDTH; i++) fputc(i < full ? '#' : '.', stderr);
  fprintf(stderr, "] %u/%u files", (unsigned)done, (unsigned)progress->files);
  if (report->counts[RESULT_FAIL]) fprintf(stderr, ", %llu fail", (unsigned long long)report->counts[RESULT_FAIL]);
  if (done && passed > 0) {
    double rate = done / passed;
    fprintf(stderr, ", %.0f/s, ", rate);
    draw_rest((progress->files - done) / rate);
  }
  fflush(stderr);
}

void progress_clear(struct progress *progress) {
  if (!progress->drawn) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  progress->drawn = false;
}
