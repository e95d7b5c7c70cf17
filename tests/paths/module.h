/* Numbers, files and lines of a module, for the two generators of random kernels, which share nothing else. Each is a
 * program of one file, which includes this once. */
#pragma once

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t seed;
static FILE *module;
static const char *guard = ""; /* of the lines that follow */

static unsigned choose(unsigned count) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % count;
}

__attribute__((format(printf, 1, 2))) static void line(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(module, "\t%s", guard);
  vfprintf(module, format, list);
  fprintf(module, ";\n");
  va_end(list);
}

static FILE *create(const char *directory, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "w");
  if (!file) perror(path), exit(2);
  return file;
}

/* The arguments of a generator: SEED FIRST COUNT DIRECTORY. */
struct arguments {
  unsigned long seed, first, end;
  const char *directory;
};

/* Reads the arguments, and begins the module. Ends the program if they are not four. */
static struct arguments begin(int argc, char **argv, const char *name) {
  if (argc != 5) fprintf(stderr, "usage: %s SEED FIRST COUNT DIRECTORY\n", argv[0]), exit(2);
  unsigned long first = strtoul(argv[2], NULL, 10);
  struct arguments out = {strtoul(argv[1], NULL, 10), first, first + strtoul(argv[3], NULL, 10), argv[4]};
  module = create(out.directory, name);
  fprintf(module, ".version 8.3\n.target sm_90\n.address_size 64\n");
  return out;
}

/* The numbers of each kernel begin anew, so that one can be made alone. */
static void begin_kernel(const struct arguments *arguments, unsigned long number) {
  seed = arguments->seed * 1000003 + number;
  for (unsigned i = 0; i < 4; i++) choose(2);
}
