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
