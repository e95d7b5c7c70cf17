#include "base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

enum { PATH_ROOM = 4096 };

/* The first number of a file; 0 if there is none, as in "max". */
static uint64_t read_number(const char *path) {
  unsigned long long number = 0;
  FILE *file = fopen(path, "r");
  if (file && fscanf(file, "%llu", &number) != 1) number = 0;
  if (file) fclose(file);
  return number;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return !a ? b : !b || a < b ? a : b; }

/* The smallest limit of a group and its parents. `line`: a line of /proc/self/cgroup, "4:memory:/a/b"; in version 2 its
 * middle field is empty. */
static uint64_t limit_of_group(const char *root, char *line) {
  char path[2 * PATH_ROOM];
  char *name = strchr(line, ':'), *group = name ? strchr(name + 1, ':') : NULL;
  uint64_t limit = 0;
  if (!group) return 0;
  *group++ = '\0';
  bool second = name[1] == '\0';
  if (!second && strcmp(name + 1, "memory") != 0) return 0;
  for (char *end = group + strcspn(group, "\n"); end; end = strrchr(group, '/')) {
    *end = '\0';
    snprintf(path, sizeof path, "%s/sys/fs/cgroup%s%s/%s", root, second ? "" : "/memory", group,
             second ? "memory.max" : "memory.limit_in_bytes");
    limit = smaller(limit, read_number(path));
  }
  return limit;
}

static uint64_t limit_of_groups(const char *root) {
  char line[PATH_ROOM];
  uint64_t limit = 0;
  snprintf(line, sizeof line, "%s/proc/self/cgroup", root);
  FILE *file = fopen(line, "r");
  while (file && fgets(line, sizeof line, file)) limit = smaller(limit, limit_of_group(root, line));
  if (file) fclose(file);
  return limit;
}

uint64_t memory_of_machine(const char *root) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return smaller(pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0, limit_of_groups(root));
}

uint64_t memory_limit(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? (uint64_t)limit.rlim_cur : 0;
}

bool memory_limit_to(uint64_t bytes) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) != 0) return false;
  if (bytes < limit.rlim_cur) limit.rlim_cur = bytes;
  limit.rlim_max = limit.rlim_cur;
  return setrlimit(RLIMIT_AS, &limit) == 0;
}

uint64_t memory_taken(void) { return read_number("/proc/self/statm") * (uint64_t)sysconf(_SC_PAGESIZE); }
