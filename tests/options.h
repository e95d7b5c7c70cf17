/* The options of the test programs that are written in C: a table says what each sets. */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the tests, those whose index is K modulo N: K/N. */
struct shard {
  unsigned long long index, count;
};

/* One of the pointers is set. */
struct test_option {
  const char *name;
  bool *flag;
  uint64_t *number;
  double *seconds;
  const char **text;
  struct shard *shard;
};

static inline bool option_set(const struct test_option *option, const char *argument) {
  char *end = (char *)"", rest;
  struct shard *shard = option->shard;
  errno = 0;
  if (option->text) *option->text = argument;
  if (option->number) *option->number = strtoull(argument, &end, 10);
  if (option->seconds) *option->seconds = strtod(argument, &end);
  if (shard && sscanf(argument, "%llu/%llu%c", &shard->index, &shard->count, &rest) != 2) return false;
  if (option->seconds && *option->seconds <= 0) return false;
  return *argument && !*end && !errno && (!shard || shard->index < shard->count);
}

/* Reads the options, of which a row without a name is the last: the index of the first other word. Ends the program
 * if one is wrong. */
static inline int test_options_read(const struct test_option *options, int argc, char **argv) {
  int at = 1;
  for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
    const struct test_option *option = options;
    while (option->name && strcmp(option->name, argv[at]) != 0) option++;
    if (option->flag) *option->flag = true;
    else if (option->name && at + 1 < argc && option_set(option, argv[at + 1])) at++;
    else fprintf(stderr, "%s: bad option or argument: '%s'\n", argv[0], argv[at]), exit(2);
  }
  return at;
}
