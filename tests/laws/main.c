/* Tries the laws of laws.h.
 *
 *   laws-of-models [--seed N] [--from I] [--count N] [--seconds S] [--shard K/N] [--timeout S] [--work N]
 *                  [--choices N] [--model-dir DIR] [FILE...]
 *
 * Without files, tests I .. I+N-1 of the seed are generated as by tests/diff/differ (with --seconds as many as that
 * time allows), and of the changes to a test some are tried; on files, all. A law that is broken is printed with the
 * test, made small when it was generated. --timeout, --work of the solver and --choices of brute force limit one check;
 * the last two are the same on every machine. Exit status: 0; 1 when a law is broken; 2 usage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../diff/shrink.h"
#include "../options.h"
#include "laws.h"

struct options {
  uint64_t seed, from, count, work, choices;
  struct shard shard;
  double seconds, timeout;
  const char *model_dir;
  char **files;
  int file_count;
};

/* False when it is no valid test. */
static bool try_sketch(struct bench *b, const struct sketch *sketch) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct text why = {.arena = &arena};
  struct sketch_view plain = sketch_plain_view();
  const char *text = sketch_print(&arena, sketch, &plain);
  struct subject s = {.bench = b, .arena = &arena, .unroll = sketch->unroll, .choice = sketch->index};
  s.program = lab_read(&arena, "generated.litmus", text, strlen(text), true, &why);
  if (s.program) laws_try(&s);
  bool valid = s.program != NULL;
  arena_release(&arena);
  return valid;
}

static bool still_broken(void *state, const struct sketch *sketch) {
  struct bench *b = state;
  b->broke = false;
  return try_sketch(b, sketch) && b->broke;
}

static void show_small(struct bench *b, const struct sketch *sketch) {
  struct bench small = *b;
  struct arena arena;
  arena_init(&arena, NULL);
  arena_init(&small.arena, NULL);
  VEC(struct row) none = {0};
  memcpy(&small.rows, &none, sizeof none);
  small.shrinking = true;
  for (uint32_t i = 0; i < b->rows.len && !small.only; i++)
    if (b->rows.data[i].broken) small.only = b->rows.data[i].law;
  struct sketch_view plain = sketch_plain_view();
  struct sketch least = shrink(&arena, *sketch, still_broken, &small);
  printf("made small, for '%s':\n%s\n", small.only, sketch_print(&arena, &least, &plain));
  arena_release(&small.arena);
  arena_release(&arena);
}

static void test_index(struct bench *b, const struct options *o, uint64_t index) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct sketch sketch = sketch_random(&arena, o->seed, index, false);
  b->broke = false;
  b->tests++;
  try_sketch(b, &sketch);
  if (b->broke) {
    struct sketch_view plain = sketch_plain_view();
    printf("%s  replay: laws --seed %llu --from %llu --count 1\n", sketch_print(&arena, &sketch, &plain),
           (unsigned long long)sketch.seed, (unsigned long long)index);
    show_small(b, &sketch);
  }
  arena_release(&arena);
}

static void test_file(struct bench *b, const char *path) {
  struct arena arena;
  arena_init(&arena, NULL);
  const struct filled_rows rows = lab_read_file(&arena, path);
  const struct source *text = rows.len ? rows.data[0].source : NULL; /* of a table the first */
  struct text why = {.arena = &arena};
  struct subject s = {.bench = b, .arena = &arena, .all = true};
  if (text) s.program = lab_read(&arena, path, text->text, text->length, true, &why);
  b->tests++;
  if (s.program) laws_try(&s);
  else laws_row(b, arena_printf(&arena, "%s cannot be read", path), true)->broken++;
  arena_release(&arena);
}

static void test_indices(struct bench *b, const struct options *o) {
  double end = base_now() + o->seconds;
  for (uint64_t i = o->from; o->seconds > 0 ? base_now() < end : i < o->from + o->count; i++)
    if (i % o->shard.count == o->shard.index) test_index(b, o, i);
}

/* ---- the command line */

static void read_options(struct options *o, int argc, char **argv) {
  const struct test_option options[] = {{"--seed", .number = &o->seed},        {"--from", .number = &o->from},
                                        {"--count", .number = &o->count},      {"--work", .number = &o->work},
                                        {"--choices", .number = &o->choices},  {"--seconds", .seconds = &o->seconds},
                                        {"--timeout", .seconds = &o->timeout}, {"--model-dir", .text = &o->model_dir},
                                        {"--shard", .shard = &o->shard},       {0}};
  int first = test_options_read(options, argc, argv);
  o->files = argv + first;
  o->file_count = argc - first;
}

int main(int argc, char **argv) {
  struct options options = {.seed = 1, .count = 100, .shard = {0, 1}, .timeout = 5, .model_dir = "models"};
  struct bench b = {0};
  read_options(&options, argc, argv);
  arena_init(&b.arena, NULL);
  struct text why = {.arena = &b.arena};
  if (!lab_open(&b.lab, options.model_dir, LAWS_MODELS, options.timeout, &why)) {
    fputs(text_str(&why), stderr);
    return 2;
  }
  b.work = options.work;
  b.lab.choices = options.choices;
  for (int i = 0; i < options.file_count; i++) test_file(&b, options.files[i]);
  if (!options.file_count) test_indices(&b, &options);
  uint64_t passed = 0, failed = 0;
  for (uint32_t i = 0; i < b.rows.len; i++) {
    passed += b.rows.data[i].compared;
    failed += b.rows.data[i].broken;
  }
  if (b.open)
    printf("SKIPPED %llu: a law on a test that is undefined, unknown or cut off\n", (unsigned long long)b.open);
  printf("%llu tests, %u laws; %llu passed, %llu failed, %llu skipped\n", (unsigned long long)b.tests, b.rows.len,
         (unsigned long long)(passed > failed ? passed - failed : 0), (unsigned long long)failed,
         (unsigned long long)b.open);
  lab_close(&b.lab);
  arena_release(&b.arena);
  return failed > 0;
}
