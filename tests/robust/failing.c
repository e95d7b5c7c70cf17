/* Loaded before the C library (LD_PRELOAD): makes allocation number FAIL_AT (from 1) fail, and with FAIL_ALL=1 all
 * later ones too. With FAIL_COUNT=FILE each process appends its number of allocations, including its parent's before
 * the fork. Only a process whose path ends with FAIL_IN is affected. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong calls;
static unsigned long fail_at;
static bool fail_all, ready;

/* The loader allocates before the environment is there: those calls are not counted. */
__attribute__((constructor)) static void start(void) {
  const char *at = getenv("FAIL_AT"), *all = getenv("FAIL_ALL"), *in = getenv("FAIL_IN");
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self);
  size_t wanted = in ? strlen(in) : 0;
  bool other = length < 0 || (size_t)length < wanted;
  if (other || memcmp(self + (size_t)length - wanted, in ? in : "", wanted) != 0) return;
  fail_at = at ? strtoul(at, NULL, 10) : 0;
  fail_all = all && *all == '1';
  ready = true;
}

__attribute__((destructor)) static void finish(void) {
  const char *path = getenv("FAIL_COUNT");
  if (!path || !ready) return;
  char digits[24];
  size_t length = 0;
  for (unsigned long n = calls; n || !length; n /= 10) digits[sizeof digits - ++length] = (char)('0' + n % 10);
  digits[sizeof digits - ++length] = '\n';
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (file < 0 || write(file, digits + sizeof digits - length, length) < 0) abort();
  close(file);
}

static bool fails(void) {
  if (!ready) return false;
  unsigned long number = ++calls;
  if (!fail_at || number < fail_at || (number > fail_at && !fail_all)) return false;
  errno = ENOMEM;
  return true;
}

void *memalign(size_t alignment, size_t size);

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **out, size_t alignment, size_t size) {
  void *memory = fails() ? NULL : __libc_memalign(alignment, size);
  if (!memory) return ENOMEM;
  *out = memory;
  return 0;
}
