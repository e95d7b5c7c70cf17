/* For all unit tests: cmocka, tests that list themselves, and an arena. */
#ifndef PTXLIT_UNIT_H
#define PTXLIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"

enum { MOST_TESTS = 64 };

static struct CMUnitTest all_tests[MOST_TESTS]; /* cmocka passes by rows without a name */
static size_t test_count;

/* TEST(a_sentence_about_the_module) { ... } */
#define TEST(title)                                                                                                    \
  static void title(void **state);                                                                                     \
  __attribute__((constructor)) static void list_##title(void) {                                                        \
    if (test_count == MOST_TESTS) abort();                                                                             \
    all_tests[test_count++] = (struct CMUnitTest)cmocka_unit_test(title);                                              \
  }                                                                                                                    \
  static void title(UNUSED void **state)

UNUSED static struct arena arena;

UNUSED static int open_arena(void **state) {
  arena_init(&arena, NULL);
  *state = &arena;
  return 0;
}

UNUSED static int close_arena(UNUSED void **state) {
  arena_release(&arena);
  return 0;
}

/* Runs all tests, with a fixture around each of them, or around all of them. */
UNUSED static int run_each(CMFixtureFunction begin, CMFixtureFunction end) {
  for (size_t i = 0; i < test_count; i++) all_tests[i].setup_func = begin, all_tests[i].teardown_func = end;
  return cmocka_run_group_tests(all_tests, NULL, NULL);
}

UNUSED static int run_all(CMFixtureFunction begin, CMFixtureFunction end) {
  return cmocka_run_group_tests(all_tests, begin, end);
}

#endif
