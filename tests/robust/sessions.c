/* Two concurrent sessions in two threads, on the same and on different tests and models; then failing calls, for leak
 * checkers. Built with a sanitizer (make tsan, make asan) it looks for races and leaks; without, for answers that
 * differ from those of a single session. With `again`, one session prints its result of one test, and if memory runs
 * out does so once more. Run in the root of the tree. */
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptxlit.h"

static const char *const tests[] = {
    "litmus/classic/SB.litmus",
    "litmus/classic/MP.litmus",
    "litmus/classic/IRIW.litmus",
    "litmus/fences/SB+fence.sc.gpu.litmus",
    "litmus/classic/MP+release.gpu+acquire.gpu.litmus",
    "docs/examples/mp.test",
};
enum { TESTS = sizeof tests / sizeof tests[0], ROUNDS = 3, WORKERS = 4 };

static const char *const models[WORKERS] = {"ptx", "ptx", "ptx-7.5", "tso"};

struct worker {
  pthread_t thread;
  unsigned number;
  unsigned long sum; /* of all the texts */
  unsigned failed;
};

static void add(struct worker *w, const char *text) {
  if (!text) w->failed++;
  for (; text && *text; text++) w->sum = w->sum * 31 + (unsigned char)*text;
}

static void ask(struct worker *w, struct ptxlit *s, size_t test) {
  const struct ptxlit_result *result;
  const struct ptxlit_drawing *drawings;
  const struct ptxlit_draw_options dot = {.format = PTXLIT_PICTURE_DOT}, svg = {.format = PTXLIT_PICTURE_SVG};
  const char *text;
  size_t count;
  ptxlit_check(s, test, 0, &result);
  add(w, result ? ptxlit_render(s, result, PTXLIT_QUIET) : NULL);
  add(w, result ? ptxlit_render(s, result, PTXLIT_SUMMARY) : NULL);
  if (ptxlit_explain(s, test, 0, NULL, PTXLIT_TEXT, &text) == PTXLIT_OK) add(w, text);
  if (ptxlit_explain(s, test, 0, NULL, PTXLIT_JSON, &text) == PTXLIT_OK) add(w, text);
  if (ptxlit_draw(s, test, 0, &dot, &drawings, &count) == PTXLIT_OK) add(w, drawings[0].data);
  if (ptxlit_draw(s, test, 0, &svg, &drawings, &count) == PTXLIT_OK) add(w, drawings[0].data);
  if (ptxlit_use_model(s, "./none.cat") == PTXLIT_BAD_INPUT) add(w, ptxlit_messages(s, false));
}

static void *work(void *state) {
  struct worker *w = state;
  struct ptxlit *s = ptxlit_new();
  struct ptxlit_options options = ptxlit_defaults();
  options.same_names = true;
  if (!s) return NULL;
  ptxlit_set_options(s, &options);
  w->failed += ptxlit_add_model_dir(s, "models") != PTXLIT_OK;
  w->failed += ptxlit_use_model(s, models[w->number]) != PTXLIT_OK;
  for (unsigned i = 0; i < ROUNDS * TESTS && !w->failed; i++) {
    w->failed += ptxlit_read_file(s, tests[(i + w->number) % TESTS]) != PTXLIT_OK;
    for (size_t test = 0; test < ptxlit_test_count(s); test++) ask(w, s, test);
  }
  ptxlit_free(s);
  return NULL;
}

/* The same work, alone and with the others at a time. */
static unsigned compare_with_alone(void) {
  struct worker together[WORKERS] = {0}, alone[WORKERS] = {0};
  unsigned failed = 0;
  for (unsigned i = 0; i < WORKERS; i++) {
    together[i].number = alone[i].number = i;
    work(&alone[i]);
  }
  setlocale(LC_ALL, ""); /* later calls of setlocale change no output */
  for (unsigned i = 0; i < WORKERS; i++)
    if (pthread_create(&together[i].thread, NULL, work, &together[i]) != 0) abort();
  for (unsigned i = 0; i < WORKERS; i++) {
    pthread_join(together[i].thread, NULL);
    bool same = together[i].sum == alone[i].sum && !together[i].failed && alone[i].sum;
    if (!same) printf("FAIL session %u gives another answer beside others\n", i);
    failed += !same;
  }
  return failed;
}

static unsigned want(bool right, const char *what) {
  if (!right) printf("FAIL %s\n", what);
  return !right;
}

/* Each way to fail, and the end of a session in the middle of it. */
static unsigned fail_in_each_way(void) {
  static const char wrong[] = "PTX t\n{ x=0; }\n P0@cta 0 ;\n st x ;\nexists (y=1)\n";
  const struct ptxlit_result *result;
  const char *text;
  unsigned failed = 0;
  for (int until = 0; until < 6; until++) {
    struct ptxlit *s = ptxlit_new();
    struct ptxlit_options options = ptxlit_defaults();
    const struct ptxlit_fix_options fix = {0};
    options.timeout = 1e-9;
    if (!s) return 1;
    failed += want(ptxlit_add_model_dir(s, "models") == PTXLIT_OK, "a directory is added");
    if (until > 0) failed += want(ptxlit_use_model(s, "none") == PTXLIT_BAD_INPUT, "no such model");
    if (until > 1) failed += want(ptxlit_use_model(s, "ptx") == PTXLIT_OK, "a model is loaded");
    if (until > 2) failed += want(ptxlit_read_text(s, "w", wrong, strlen(wrong)) == PTXLIT_BAD_INPUT, "a wrong test");
    if (until > 2) failed += want(strstr(ptxlit_messages(s, true), "error") != NULL, "a message about it");
    if (until > 2) failed += want(ptxlit_read_file(s, "none.litmus") == PTXLIT_BAD_INPUT, "no such file");
    if (until > 3) failed += want(ptxlit_read_file(s, tests[0]) == PTXLIT_OK, "a test is read");
    if (until > 3) ptxlit_set_options(s, &options);
    if (until > 3) failed += want(ptxlit_check(s, 0, 0, &result) == PTXLIT_NO_VERDICT && result, "no time to check");
    if (until > 4)
      failed += want(ptxlit_fix(s, 0, 0, &fix, PTXLIT_TEXT, &text) == PTXLIT_NO_VERDICT, "no time to fix");
    if (until > 4) ptxlit_explain(s, 0, 0, "nothing", PTXLIT_TEXT, &text);
    ptxlit_free(s);
  }
  return failed;
}

/* A session's answer for a test, by one engine. */
static enum ptxlit_status say(struct ptxlit *s, const char *test, enum ptxlit_engine engine) {
  const struct ptxlit_result *result;
  const struct ptxlit_drawing *drawings;
  const struct ptxlit_draw_options svg = {.format = PTXLIT_PICTURE_SVG};
  const char *text = NULL, *line = NULL;
  size_t count;
  struct ptxlit_options options = ptxlit_defaults();
  options.same_names = true;
  options.engine = engine;
  ptxlit_set_options(s, &options);
  enum ptxlit_status status = ptxlit_read_file(s, test);
  if (status == PTXLIT_OK) status = ptxlit_check(s, 0, 0, &result);
  if (status == PTXLIT_OK) status = ptxlit_explain(s, 0, 0, NULL, PTXLIT_TEXT, &text);
  if (status == PTXLIT_OK) line = ptxlit_render(s, result, PTXLIT_QUIET);
  if (status == PTXLIT_OK && !line) status = PTXLIT_NO_VERDICT;
  if (status == PTXLIT_OK) status = ptxlit_draw(s, 0, 0, &svg, &drawings, &count);
  if (status == PTXLIT_OK) printf("%s%s%s", line, text, drawings[0].data);
  return status;
}

/* Retries each step that runs out of memory: the session goes on. */
static enum ptxlit_status say_all(struct ptxlit *s) {
  static const char *const scarce[] = {"litmus/classic/MP+release.gpu+acquire.gpu.litmus",
                                       "litmus/async/bug-TileOPs-1574-mended.litmus"};
  enum ptxlit_status status = ptxlit_add_model_dir(s, "models");
  if (status == PTXLIT_NO_VERDICT) status = ptxlit_add_model_dir(s, "models");
  if (status == PTXLIT_OK) status = ptxlit_use_model(s, "ptx");
  if (status == PTXLIT_NO_VERDICT) status = ptxlit_use_model(s, "ptx");
  for (unsigned i = 0; i < 3 && status == PTXLIT_OK; i++) {
    const enum ptxlit_engine engine = i < 2 ? PTXLIT_SAT : PTXLIT_ENUMERATE;
    status = say(s, scarce[i > 0], engine);
    if (status == PTXLIT_NO_VERDICT) status = say(s, scarce[i > 0], engine);
  }
  return status;
}

static int say_again(void) {
  struct ptxlit *s = ptxlit_new();
  if (!s) s = ptxlit_new();
  if (!s) return PTXLIT_NO_VERDICT;
  enum ptxlit_status status = say_all(s);
  if (status != PTXLIT_OK) fputs(ptxlit_messages(s, false), stderr);
  ptxlit_free(s);
  return (int)status;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "again") == 0) return say_again();
  unsigned failed = compare_with_alone() + fail_in_each_way();
  printf("%u passed, %u failed\n", failed ? 0 : 2, failed);
  return failed != 0;
}
