/* The differential tester: the SAT engine against brute force, on random tests and on files.
 *
 *   differ [--seed N] [--from I] [--count N] [--seconds S] [--shard K/N] [--models A,B] [--model-dir DIR]
 *          [--timeout S] [--choices N] [--print] [--coverage] [--no-shrink] [--save DIR] [--allow-limits] [--progress]
 *          [--random-models N] [--asynchronous] [--locks] [--alike] [--tensor] [--hosts] [FILE...]
 *
 * Brute force gives up on a check after --timeout seconds, or --choices of its choices, which are the same ones on
 * every machine.
 * A model may have readings: --models ptx+H1=no-relay,ptx+G26=complete.
 * Without files, tests I .. I+N-1 of the seed are generated (of these, those whose index is K modulo N); with --seconds
 * as many as that time allows, and with --progress a line each minute says how far it is. With --print they are only
 * printed, and with --coverage it is only counted which opcodes and dots they have; a modelled opcode that none has is
 * a failure. With --random-models the models are not those of --models, but N that are generated from the seed too. Any
 * disagreement is printed with the test, what each engine says, the test made small, which is also written to a file of
 * DIR, and the command that replays it. With --allow-limits no number of comparisons without an answer is too large.
 * With --asynchronous the tests without asynchronous operations are left out, with --locks those that are not of locks,
 * with --alike those that are not of threads that are alike. With --tensor all tests are of tensor memory: a seed and
 * an index give another test then.
 * Exit status: 0 all agree; 1 not; 2 usage. The last line counts comparisons.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../options.h"
#include "coverage.h"
#include "generate_model.h"
#include "lab.h"
#include "shrink.h"

struct options {
  uint64_t seed, from, count, random_models, choices;
  struct shard shard;
  const char *program, *models, *model_dir, *save;
  double timeout, seconds;
  bool print, as_found, coverage, progress; /* as_found: not made small */
  bool asynchronous, locks, alike; /* only tests that have such operations, that are of locks, of threads alike */
  bool tensor, hosts; /* all tests are of tensor memory; have threads of a host */
  bool allow_limits; /* brute force may give up on as many tests as it likes */
  char **files;
  int file_count;
};

struct tally {
  uint64_t tests, passed, failed, unanswered, late; /* late: some of the unanswered */
};

struct tester {
  struct options options;
  struct lab lab;
  struct tally tally;
  struct coverage coverage; /* with options.coverage */
};

/* One comparison of one test under one model, so that it can be made again on a smaller test. */
enum comparison { COMPARE_ENGINES, COMPARE_PERMUTED, COMPARE_RENAMED, COMPARE_IDLE, COMPARE_BOUNDS, COMPARISONS };

static const char *const comparison_names[COMPARISONS] = {
    "the two engines disagree",
    "permuting the threads changes the outcomes",
    "renaming the locations changes the outcomes",
    "adding an idle thread changes the outcomes",
    "looking at more iterations changes what should be settled",
};

struct experiment {
  const struct tester *tester;
  const struct model *model;
  enum comparison comparison;
  struct lab_plan plan;
};

static const struct program *read_sketch(struct arena *arena, const struct sketch *sketch,
                                         const struct sketch_view *view, struct text *why) {
  const char *text = sketch_print(arena, sketch, view);
  bool all_state = sketch->index % 5 != 2 && !sketch->alike; /* on some tests registers are dead */
  return lab_read(arena, "generated.litmus", text, strlen(text), all_state, why);
}

static enum agreement compare_views(const struct experiment *e, struct arena *arena, const struct program *program,
                                    const struct sketch *sketch, struct text *why) {
  struct rng rng = {sketch->seed ^ sketch->index};
  struct sketch_view view = sketch_plain_view();
  struct sketch other = *sketch;
  if (e->comparison == COMPARE_PERMUTED) view = sketch_permuted_view(&rng, sketch->thread_count);
  if (e->comparison == COMPARE_RENAMED) view = sketch_renamed_view();
  if (e->comparison == COMPARE_IDLE) sketch_add_idle(&other);
  const struct program *changed = read_sketch(arena, &other, &view, why);
  if (!changed) return DISAGREE;
  return lab_compare_views(&e->tester->lab, arena, program, changed, &view, e->model, sketch->unroll, why);
}

static enum agreement run_experiment(const struct experiment *e, const struct sketch *sketch, struct text *why) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct sketch_view plain = sketch_plain_view();
  const struct program *program = read_sketch(&arena, sketch, &plain, why);
  enum agreement agreement = NO_ANSWER;
  if (program && e->comparison == COMPARE_ENGINES)
    agreement = lab_compare(&e->tester->lab, &arena, program, e->model, e->plan, why);
  else if (program && e->comparison == COMPARE_BOUNDS)
    agreement = lab_compare_bounds(&e->tester->lab, &arena, program, e->model, sketch->unroll, why);
  else if (program)
    agreement = compare_views(e, &arena, program, sketch, why);
  arena_release(&arena);
  return agreement;
}

static bool still_disagrees(void *state, const struct sketch *sketch) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct text ignored = {.arena = &arena};
  bool fails = run_experiment(state, sketch, &ignored) == DISAGREE;
  arena_release(&arena);
  return fails;
}

/* The small test as a file, so that it can be looked at by itself. */
static void save(const struct experiment *e, struct arena *arena, const struct sketch *small, const char *text) {
  if (!e->tester->options.save) return;
  const char *path = arena_printf(arena, "%s/%llu-%llu-%s.litmus", e->tester->options.save,
                                  (unsigned long long)small->seed, (unsigned long long)small->index, e->model->name);
  FILE *file = fopen(path, "w");
  bool saved = file && fputs(text, file) >= 0;
  if (file) saved &= fclose(file) == 0;
  if (saved) printf("  it is in %s\n", path);
  else printf("  it cannot be written to %s: %s\n", path, strerror(errno));
}

static void report_small(struct experiment *e, struct arena *arena, const struct sketch *sketch) {
  struct sketch_view plain = sketch_plain_view();
  struct sketch small = shrink(arena, *sketch, still_disagrees, e);
  struct text why = {.arena = arena};
  run_experiment(e, &small, &why);
  const char *text = sketch_print(arena, &small, &plain);
  printf("made small:\n%s\n%s", text, text_str(&why));
  save(e, arena, &small, text);
}

/* How to run the same again; a random model is shown first. */
static void print_replay(const struct experiment *e, struct arena *arena, const struct sketch *sketch) {
  const struct options *o = &e->tester->options;
  uint64_t m = 0;
  if (o->random_models) {
    while (e->tester->lab.models.data[m] != e->model) m++;
    printf("  the model:\n%s", generate_model(arena, o->seed, m));
  }
  printf("  replay: %s --seed %llu --from %llu --count 1 --timeout %g %s", o->program, (unsigned long long)sketch->seed,
         (unsigned long long)sketch->index, o->timeout, o->tensor  ? "--tensor "
         : o->hosts ? "--hosts "
                    : "");
  if (o->choices) printf("--choices %llu ", (unsigned long long)o->choices);
  if (o->random_models) printf("--random-models %llu\n", (unsigned long long)(m + 1));
  else printf("--models %s\n", e->model->name);
}

static void report(struct experiment *e, struct arena *arena, const struct sketch *sketch, const char *why) {
  struct sketch_view plain = sketch_plain_view();
  const struct options *o = &e->tester->options;
  printf("FAIL %s under %s\n%s\n%s", comparison_names[e->comparison], e->model->name,
         sketch_print(arena, sketch, &plain), why);
  print_replay(e, arena, sketch);
  if (!o->as_found) report_small(e, arena, sketch);
  putchar('\n');
  fflush(stdout);
}

static void count(struct tally *tally, enum agreement agreement) {
  tally->passed += agreement == AGREE;
  tally->failed += agreement == DISAGREE;
  tally->unanswered += agreement == NO_ANSWER || agreement == LATE;
  tally->late += agreement == LATE;
}

/* Mostly fair; brute force takes its time over HSA, where each thread may halt anywhere. */
static enum progress scheduler(uint64_t index) {
  static const enum progress schedulers[] = {PROGRESS_FAIR, PROGRESS_OBE, PROGRESS_LOBE, PROGRESS_FAIR};
  return index % 36 == 3 ? PROGRESS_HSA : schedulers[index / 3 % ARRAY_LEN(schedulers)];
}

static void experiment(struct tester *tester, struct arena *arena, const struct sketch *sketch,
                       const struct model *model, enum comparison comparison) {
  /* Where threads meet or loop, several phases and repetitions stand for one execution: the engines count by their own
   * lights there. */
  bool straight = sketch->barriers == SKETCH_NO_BARRIERS && !sketch->unroll && !sketch->asynchronous;
  struct experiment e = {tester, model, comparison,
                         {.executions = sketch->index % 8 == 3 && straight,
                          .verdicts = sketch->index % 4 == 1 || sketch->alike,
                          .termination = sketch->index % 3 == 0, .lemmas = sketch->index % 2 == 0,
                          .progress = scheduler(sketch->index), .unroll = sketch->unroll}};
  struct text why = {.arena = arena};
  enum agreement agreement = run_experiment(&e, sketch, &why);
  count(&tester->tally, agreement);
  if (agreement == DISAGREE) report(&e, arena, sketch, text_str(&why));
  if (agreement == NO_ANSWER || agreement == LATE)
    printf("index %llu under %s: %s", (unsigned long long)sketch->index, model->name,
           why.len ? text_str(&why) : "  no answer in time\n");
}

static void test_sketch(struct tester *tester, struct arena *arena, const struct sketch *sketch) {
  struct sketch_view plain = sketch_plain_view();
  struct text why = {.arena = arena};
  tester->tally.tests++;
  if (!read_sketch(arena, sketch, &plain, &why)) {
    tester->tally.failed++;
    printf("FAIL a generated test is not valid\n%s\n%s\n", sketch_print(arena, sketch, &plain), text_str(&why));
    return;
  }
  for (uint32_t m = 0; m < tester->lab.models.len; m++) {
    const struct model *model = tester->lab.models.data[m];
    experiment(tester, arena, sketch, model, COMPARE_ENGINES);
    uint64_t extra = sketch->index % 12; /* each of the others on one test in twelve */
    if (extra > COMPARE_ENGINES && extra < COMPARE_BOUNDS)
      experiment(tester, arena, sketch, model, (enum comparison)extra);
    if (sketch->unroll) experiment(tester, arena, sketch, model, COMPARE_BOUNDS);
  }
}

static void test_index(struct tester *tester, uint64_t index) {
  struct arena arena;
  arena_init(&arena, NULL);
  const struct options *o = &tester->options;
  enum sketch_about about = o->tensor ? ABOUT_TENSOR : o->hosts ? ABOUT_HOSTS : ABOUT_ALL;
  struct sketch sketch = sketch_random(&arena, o->seed, index, about);
  struct sketch_view plain = sketch_plain_view();
  if ((o->asynchronous && !sketch.asynchronous) || (o->locks && !sketch.locks) || (o->alike && !sketch.alike)) {
    arena_release(&arena);
    return;
  }
  if (tester->options.print)
    puts(sketch_print(&arena, &sketch, &plain));
  else if (tester->options.coverage)
    coverage_add(&tester->coverage, sketch_print(&arena, &sketch, &plain));
  else
    test_sketch(tester, &arena, &sketch);
  arena_release(&arena);
}

enum { PROGRESS_SECONDS = 60 };

/* How far it is, now and then. */
static void show_progress(const struct tester *tester, double began, double *shown, uint64_t index) {
  const struct tally *t = &tester->tally;
  double time = base_now(), spent = time - began;
  if (!tester->options.progress || time - *shown < PROGRESS_SECONDS) return;
  *shown = time;
  fprintf(stderr,
          "%.0f s: %llu tests (%.0f/s), the last is %llu; %llu agreements, %llu not, %llu unanswered\n", spent,
          (unsigned long long)t->tests, (double)t->tests / spent, (unsigned long long)index,
          (unsigned long long)t->passed, (unsigned long long)t->failed, (unsigned long long)t->unanswered);
}

static void test_indices(struct tester *tester) {
  const struct options *o = &tester->options;
  double began = base_now(), shown = began;
  for (uint64_t i = o->from; o->seconds > 0 ? base_now() < began + o->seconds : i < o->from + o->count; i++) {
    if (i % o->shard.count != o->shard.index) continue;
    test_index(tester, i);
    show_progress(tester, began, &shown, i);
  }
}

/* A test of a file: `text` NULL is one that could not be filled in. */
static void test_text(struct tester *tester, struct arena *arena, const char *path, const struct source *text) {
  struct text why = {.arena = arena};
  tester->tally.tests++;
  const struct program *program = text ? lab_read(arena, path, text->text, text->length, true, &why) : NULL;
  if (!program) {
    tester->tally.failed++;
    printf("FAIL %s cannot be read\n%s", path, text_str(&why));
  }
  for (uint32_t m = 0; program && m < tester->lab.models.len; m++) {
    struct text differences = {.arena = arena};
    enum agreement agreement = lab_compare(&tester->lab, arena, program, tester->lab.models.data[m],
                                           (struct lab_plan){.verdicts = true}, &differences);
    count(&tester->tally, agreement);
    if (agreement == AGREE) continue;
    printf("%s %s under %s\n%s", agreement == DISAGREE ? "FAIL" : "no answer:", path,
           tester->lab.models.data[m]->name, text_str(&differences));
  }
}

static void test_file(struct tester *tester, const char *path) {
  struct arena arena;
  arena_init(&arena, NULL);
  const struct filled_rows rows = lab_read_file(&arena, path);
  if (!rows.len) test_text(tester, &arena, path, NULL);
  for (uint32_t i = 0; i < rows.len; i++) test_text(tester, &arena, path, rows.data[i].source);
  arena_release(&arena);
}

/* --- the command line */

static void read_options(struct options *o, int argc, char **argv) {
  const struct test_option options[] = {{"--seed", .number = &o->seed},
                                        {"--from", .number = &o->from},
                                        {"--count", .number = &o->count},
                                        {"--shard", .shard = &o->shard},
                                        {"--choices", .number = &o->choices},
                                        {"--timeout", .seconds = &o->timeout},
                                        {"--seconds", .seconds = &o->seconds},
                                        {"--models", .text = &o->models},
                                        {"--model-dir", .text = &o->model_dir},
                                        {"--random-models", .number = &o->random_models},
                                        {"--save", .text = &o->save},
                                        {"--print", .flag = &o->print},
                                        {"--coverage", .flag = &o->coverage},
                                        {"--allow-limits", .flag = &o->allow_limits},
                                        {"--progress", .flag = &o->progress},
                                        {"--asynchronous", .flag = &o->asynchronous},
                                        {"--locks", .flag = &o->locks},
                                        {"--alike", .flag = &o->alike},
                                        {"--tensor", .flag = &o->tensor},
                                        {"--hosts", .flag = &o->hosts},
                                        {"--no-shrink", .flag = &o->as_found},
                                        {0}};
  int first = test_options_read(options, argc, argv);
  o->files = argv + first;
  o->file_count = argc - first;
}

static int finish(const struct tester *tester) {
  const struct tally *t = &tester->tally;
  if (tester->options.print) return 0;
  if (tester->options.coverage) {
    bool all = coverage_print(&tester->coverage);
    printf("%d passed, %d failed\n", all, !all);
    return !all;
  }
  /* Limits are rare by construction; many of them would mean that little was compared. Those of time depend on the
   * machine. */
  uint64_t limits = t->unanswered - t->late, all = t->passed + t->failed + t->unanswered;
  bool too_few = !tester->options.allow_limits && (limits * 50 > all || (all && all == t->unanswered));
  if (too_few) printf("FAIL more than 2 in 100 comparisons reached a limit other than that of time, or all did\n");
  if (limits) printf("SKIPPED %llu: brute force reached a limit\n", (unsigned long long)limits);
  if (t->late) printf("SKIPPED %llu: brute force reached its limit of time or choices\n", (unsigned long long)t->late);
  printf("%llu tests; %llu passed, %llu failed, %llu skipped\n", (unsigned long long)t->tests,
         (unsigned long long)t->passed, (unsigned long long)t->failed + too_few, (unsigned long long)t->unanswered);
  return t->failed || too_few;
}

/* So many random models in place of the named ones; false and a message when one cannot be read. */
static bool take_random_models(struct lab *lab, uint64_t seed, uint64_t count, struct text *why) {
  lab->models.len = 0;
  for (uint64_t i = 0; i < count; i++) {
    const char *text = generate_model(&lab->arena, seed, i);
    struct source *source = ARENA_NEW(&lab->arena, struct source);
    *source = source_from_text(arena_printf(&lab->arena, "random-%llu.cat", (unsigned long long)i), text, strlen(text));
    const struct model *model = lab_read_model(lab, &lab->arena, source, why);
    if (!model) return false;
    VEC_PUSH(&lab->arena, &lab->models, model);
  }
  return true;
}

int main(int argc, char **argv) {
  struct tester tester = {.options = {.seed = 1, .count = 100, .shard = {0, 1}, .timeout = 20,
                                      .program = argv[0],
                                      .models = "ptx,ptx-7.5,ptx-6.0,sc,tso,coherence,odd,odd-fences",
                                      .model_dir = "models"}};
  struct options *options = &tester.options;
  read_options(options, argc, argv);
  struct arena arena;
  arena_init(&arena, NULL);
  struct text why = {.arena = &arena};
  if (options->coverage) coverage_init(&tester.coverage, &arena);
  if (!options->print && !lab_open(&tester.lab, options->model_dir, options->models, options->timeout, &why)) {
    fputs(text_str(&why), stderr);
    return 2;
  }
  tester.lab.choices = options->choices;
  if (options->random_models && !take_random_models(&tester.lab, options->seed, options->random_models, &why)) {
    fputs(text_str(&why), stderr);
    return 2;
  }
  for (int i = 0; i < options->file_count; i++) test_file(&tester, options->files[i]);
  if (!options->file_count) test_indices(&tester);
  if (!options->print) lab_close(&tester.lab);
  int status = finish(&tester);
  arena_release(&arena);
  return status;
}
