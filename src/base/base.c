#include "base/base.h"

#include <langinfo.h>
#include <locale.h>
#include <time.h>
#include <unistd.h>

/* Known C libraries allocate nothing for this locale, so it need not be released. */
static locale_t no_locale(void) { return newlocale(LC_ALL_MASK, "C", (locale_t)0); }

size_t base_format(char *to, size_t size, const char *format, va_list args) {
  bool plain = strcmp(nl_langinfo(RADIXCHAR), ".") == 0;
  locale_t before = plain ? (locale_t)0 : uselocale(no_locale());
  int length = vsnprintf(to, size, format, args);
  if (!plain) uselocale(before);
  if (length < 0) BUG("format error in '%s'", format);
  return (size_t)length;
}

double base_number(const char *text) {
  locale_t before = uselocale(no_locale());
  double number = strtod(text, NULL);
  uselocale(before);
  return number;
}

const char *base_error(int why) {
  if (why == ETIMEDOUT) return "the time limit was reached";
  if (why == EMEDIUMTYPE) return "it is not a regular file";
  if (why == EXDEV) return "it lies outside of the directory that the command line names";
  return strerror_l(why, no_locale());
}

const char *base_file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

bool base_can_run(const char *name) {
  const char *path = getenv("PATH");
  char file[4096];
  if (strchr(name, '/')) return access(name, X_OK) == 0;
  while (path && *path) {
    size_t length = strcspn(path, ":");
    int size = snprintf(file, sizeof file, "%.*s/%s", (int)length, path, name);
    if (size > 0 && (size_t)size < sizeof file && length && access(file, X_OK) == 0) return true;
    path += length + (path[length] == ':');
  }
  return false;
}

double base_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double base_busy(void) {
  struct timespec busy;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &busy) ? 0 : (double)busy.tv_sec + 1e-9 * (double)busy.tv_nsec;
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
