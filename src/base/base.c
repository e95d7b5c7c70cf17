#include "base/base.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double base_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double base_deadline(double seconds) { return seconds > 0 ? base_now() + seconds : 0; }

double base_sooner(double a, double b) { return a <= 0 ? b : b <= 0 || a < b ? a : b; }

bool base_is_late(double deadline) { return deadline > 0 && base_now() > deadline; }

double base_left(double deadline) {
  if (deadline <= 0) return 0;
  double left = deadline - base_now();
  return left > 0.001 ? left : 0.001;
}

void bug_at(const char *file, int line, const char *format, ...) {
  va_list args;
  fprintf(stderr, "ptxlit: internal error: %s:%d: ", file, line);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputs("\nptxlit: please report this, with the input that shows it\n", stderr);
  fflush(NULL);
  _Exit(70);
}
