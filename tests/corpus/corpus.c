/* Checks tests, each of which is read once, by all that is to be checked of each:
 *
 *   results   the result is the one that the test states in Expect=, under each model that it names
 *   stories   explanations: of the condition and of states, and what they follow (corpus.h)
 *   pictures  what every picture must keep (audit.h), under ptx and sc
 *   engines   the SAT engine against brute force (diff/lab.h), on all state
 *   laws      the laws between models, and those of a changed test (laws/laws.h)
 *
 *   corpus [--only CHECK,CHECK] [--shard K/N] [--said FILE] [--laws FILE] [--choices N] [--few] [--slow]
 *          FILE...
 *
 * Run in the root of the tree. With --shard, only each N-th file. --said: a file for the results, a line for each, as
 * `ptxlit --quiet` prints them. --laws: a file for the rows of the laws: law|equal or within|tests|strict on|example.
 * --choices: of brute force, for a test under a model. --few: engines on kernels under ptx, sc and odd.cat only. --slow
 * shows the files that take more than a second of processor time. No check has a limit of time: the work of brute force
 * and of the solver on a changed test is counted. Exit status: 0; 1: something failed; 2: usage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../diff/lab.h"
#include "../laws/laws.h"
#include "../options.h"
#include "audit.h"
#include "corpus.h"

enum check { RESULTS, STORIES, PICTURES, ENGINES, OF_LAWS, CHECKS };

static const char *const check_names[CHECKS] = {"results", "stories", "pictures", "engines", "laws"};

/* The models of the session. Those before RESULT_MODELS every test has a result for; the next two those in CUDA C++. */
static const char *const models[] = {"ptx",         "ptx-7.5",        "ptx-6.0",           "sc", "tso", "coherence",
                                     "rc11-scoped", "rc11-scoped-17", "tests/diff/odd.cat"};

enum { PLAIN_MODELS = 6, RESULT_MODELS = 8, ODD = 8, ALL_MODELS = 9 };

static const struct {
  bool story, states, picture;
} looks[ALL_MODELS] = {
    [PTX] = {true, true, true}, [PTX_75] = {.story = true}, [PTX_60] = {true, true, false},
    [SC] = {true, true, true},  [TSO] = {.story = true},    [ODD] = {true, true, false},
};

/* So much work, and no more, on any machine. */
enum { CHOICES = 400000, WORK_FOR_LAWS = 20000 }; /* CHOICES: unless --choices says otherwise */

struct corpus {
  bool on[CHECKS], few, slow;
  struct shard shard;
  FILE *said, *laws;
  struct ptxlit *session;
  struct lab lab; /* the first six of its models are those of the laws */
  struct bench bench;
  struct told told;
  struct audit audits[ALL_MODELS]; /* by model: labels are counted by model */
  struct tally tallies[CHECKS];
  unsigned late, at_limits, files;
};

/* ---- results, stories, pictures: what a user gets */

static void count_result(struct corpus *c, const char *file, size_t model, enum ptxlit_status status,
                         const struct ptxlit_result *result) {
  bool right = result && result->expected && status != PTXLIT_UNMET;
  c->tallies[RESULTS].passed += right;
  c->tallies[RESULTS].failed += !right;
  if (!right)
    printf("FAIL %s under %s: %s\n", file, ptxlit_model_name(c->session, model),
           result && result->expected ? ptxlit_messages(c->session, false) : "no result, or none expected");
  const char *line = result ? ptxlit_render(c->session, result, PTXLIT_QUIET) : NULL;
  if (c->said && line) fputs(line, c->said);
}

static void draw(struct corpus *c, const char *file, size_t model, const struct full_result *full) {
  struct ptxlit *s = c->session;
  struct audit *audit = &c->audits[model];
  struct pick_options options = session_pick(s, PICK_AUTO, 1);
  const unsigned pictures = audit->pictures, faults = audit->faults;
  audit->file = file;
  audit->arena = &s->input;
  options.result = &full->result;
  bool unknown = pick_executions(&s->input, session_test(s, 0)->program, s->models.data[model].model, &options,
                                 audit_picture, audit)
                     .unknown;
  bool none = audit->pictures == pictures;
  audit->undrawn += unknown && none;
  bool right = audit->faults == faults && (unknown || !none);
  if (none && !unknown) printf("FAIL %s under %s has no picture\n", file, ptxlit_model_name(s, model));
  c->tallies[PICTURES].passed += right;
  c->tallies[PICTURES].failed += !right;
}

static bool is_result(const struct corpus *c, const char *file, size_t test, size_t model) {
  if (!c->on[RESULTS]) return false;
  if (model < PLAIN_MODELS) return true;
  if (model < RESULT_MODELS) return strncmp(file, "litmus/cuda/", 12) == 0;
  const char *name = c->session->models.data[model].model->name; /* a model with readings */
  return strchr(name, '+') && expect_find(&session_test(c->session, test)->expectations, name);
}

static void look_at(struct corpus *c, const char *file, size_t test, size_t model, const char *messages) {
  bool result = is_result(c, file, test, model), first = test == 0 && model < ALL_MODELS;
  bool story = first && c->on[STORIES] && looks[model].story,
       picture = first && c->on[PICTURES] && looks[model].picture;
  if (!result && !story && !picture) return;
  const struct ptxlit_result *facts;
  enum ptxlit_status status = ptxlit_check(c->session, test, model, &facts);
  if (result) count_result(c, file, model, status, facts);
  if (!facts) return;
  const struct full_result *full = (const struct full_result *)facts; /* its first member */
  struct lesson lesson = {c->session, file, model, messages, full, &c->told, model != ODD};
  if (picture) draw(c, file, model, full);
  if (story) explain_condition(&lesson);
  if (story && looks[model].states) explain_states(&lesson);
  session_rewind(c->session, c->session->read); /* what was computed */
}

/* Models with readings that a test has expectations for are loaded when the first such test is read. */
static void load_readings(struct corpus *c, size_t test) {
  VEC_EACH (wanted, &session_test(c->session, test)->expectations.list) {
    bool known = !strchr(wanted->model, '+');
    for (size_t m = 0; m < ptxlit_model_count(c->session) && !known; m++)
      known = strcmp(c->session->models.data[m].model->name, wanted->model) == 0;
    if (!known && ptxlit_use_model(c->session, wanted->model) != PTXLIT_OK) {
      c->tallies[RESULTS].failed++;
      printf("FAIL %s\n", ptxlit_messages(c->session, false));
    }
  }
}

/* ---- engines and laws: on all state of the test */

static void compare_engines(struct corpus *c, struct arena *arena, const char *file, const struct program *program,
                            struct result *base) {
  const bool few = c->few && strncmp(file, "litmus/kernels/", 15) == 0;
  for (uint32_t m = 0; m < c->lab.models.len; m++) {
    if (few && m != PTX && m != SC && m != PLAIN_MODELS) continue;
    struct text why = {.arena = arena};
    struct lab_plan plan = {.verdicts = true, .sat = m < MODELS ? &base[m] : NULL};
    enum agreement agreement = lab_compare(&c->lab, arena, program, c->lab.models.data[m], plan, &why);
    c->tallies[ENGINES].passed += agreement == AGREE;
    c->tallies[ENGINES].failed += agreement == DISAGREE;
    c->late += agreement == LATE;
    c->at_limits += agreement == NO_ANSWER;
    if (agreement == AGREE) continue;
    printf("%s %s under %s\n%s", agreement == DISAGREE ? "FAIL" : "no answer:", file, c->lab.models.data[m]->name,
           text_str(&why));
  }
}

static void on_all_state(struct corpus *c, const char *file, size_t test) {
  bool laws = c->on[OF_LAWS] && test == 0; /* of a table the first */
  if (!c->on[ENGINES] && !laws) return;
  struct arena arena;
  struct input_test *input = session_test(c->session, test);
  struct diags diags;
  arena_init(&arena, NULL);
  diags_init(&diags, &arena);
  struct lower_options all = input->lowering;
  all.all_state = true;
  struct subject subject = {.bench = &c->bench,
                            .arena = &arena,
                            .all = true,
                            .program = lower(&arena, input->names, &diags, input->ast, &all)};
  if (!subject.program) c->tallies[ENGINES].failed++, printf("FAIL %s cannot be lowered with all state\n", file);
  if (subject.program && c->on[ENGINES]) compare_engines(c, &arena, file, subject.program, subject.base);
  if (subject.program && laws) laws_try(&subject);
  arena_release(&arena);
}

/* ---- the walk */

static void walk(struct corpus *c, const char *file) {
  const clock_t began = clock();
  c->files++;
  if (ptxlit_read_file(c->session, file) != PTXLIT_OK) {
    c->tallies[RESULTS].failed++;
    printf("FAIL %s cannot be read\n%s", file, ptxlit_messages(c->session, false));
  }
  char *messages = strdup(ptxlit_messages(c->session, false));
  for (size_t t = 0; messages && t < ptxlit_test_count(c->session); t++) {
    if (c->on[RESULTS]) load_readings(c, t);
    for (size_t m = 0; m < ptxlit_model_count(c->session); m++) look_at(c, file, t, m, messages);
    on_all_state(c, file, t);
  }
  free(messages);
  const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
  if (c->slow && seconds > 1) printf("%.1f s: %s\n", seconds, file);
}

static void print_laws(struct corpus *c) {
  for (uint32_t i = 0; i < c->bench.rows.len; i++) {
    const struct row *row = &c->bench.rows.data[i];
    c->tallies[OF_LAWS].failed += (unsigned)row->broken;
    c->tallies[OF_LAWS].passed += (unsigned)(row->compared > row->broken ? row->compared - row->broken : 0);
    if (c->laws)
      fprintf(c->laws, "%s|%s|%llu|%llu|%s\n", row->law, row->equality ? "equal" : "within",
              (unsigned long long)row->compared, (unsigned long long)row->strict_count, row->strict ? row->strict : "");
  }
}

/* What is to hold of all pictures together. */
static void count_labels(struct corpus *c) {
  for (size_t m = 0; m < ALL_MODELS; m++) {
    const struct audit *a = &c->audits[m];
    if (a->pictures + a->undrawn == 0) continue;
    bool many = a->pictures + a->undrawn > 500, few_undrawn = a->undrawn <= a->pictures;
    bool right = !a->covered_labels && !a->meeting_labels && a->left_out * 50 <= a->labels && (few_undrawn || !many);
    c->tallies[PICTURES].passed += right;
    c->tallies[PICTURES].failed += !right;
    if (!right)
      printf(
          "FAIL pictures under %s: of %u labels %u are covered, %u meet others, %u are left out; %u of %u tests have "
          "no picture\n",
          models[m], a->labels, a->covered_labels, a->meeting_labels, a->left_out, a->undrawn,
          a->pictures + a->undrawn);
  }
}

static int finish(struct corpus *c) {
  print_laws(c);
  count_labels(c);
  c->tallies[STORIES].passed += c->told.tally.passed;
  c->tallies[STORIES].failed += c->told.tally.failed;
  unsigned passed = 0, failed = 0;
  for (int i = 0; i < CHECKS; i++) {
    printf("%s: %u right, %u wrong\n", check_names[i], c->tallies[i].passed, c->tallies[i].failed);
    passed += c->tallies[i].passed;
    failed += c->tallies[i].failed;
  }
  printf("explained: %u forbidden, %u allowed, %u of them by an interleaving; the most work %llu\n", c->told.forbidden,
         c->told.allowed, c->told.interleaved, (unsigned long long)c->told.most_work);
  const struct {
    unsigned count;
    const char *reason;
  } skips[] = {{c->told.beyond_type, "a state that the type of its variable rules out"},
               {c->told.without_outcomes, "a test without outcomes"},
               {c->late, "brute force reached its limit of choices"},
               {c->at_limits, "brute force reached a limit"},
               {(unsigned)c->bench.open, "a law on a test that is undefined, unknown or cut off"}};
  unsigned skipped = 0;
  for (size_t i = 0; i < ARRAY_LEN(skips); i++) {
    skipped += skips[i].count;
    if (skips[i].count) printf("SKIPPED %u: %s\n", skips[i].count, skips[i].reason);
  }
  printf("%u files; %u passed, %u failed, %u skipped\n", c->files, passed, failed, skipped);
  return failed > 0;
}

/* ---- the command line */

static void choose_checks(struct corpus *c, const char *names) {
  for (int i = 0; i < CHECKS; i++) c->on[i] = false;
  while (*names) {
    size_t length = strcspn(names, ",");
    int i = 0;
    while (i < CHECKS && (strlen(check_names[i]) != length || strncmp(check_names[i], names, length) != 0)) i++;
    if (i == CHECKS) fprintf(stderr, "corpus: no such check: '%s'\n", names), exit(2);
    c->on[i] = true;
    names += length + (names[length] == ',');
  }
}

static FILE *created(const char *path) {
  FILE *file = path ? fopen(path, "w") : NULL;
  if (path && !file) perror(path), exit(2);
  return file;
}

/* The index of the first file. */
static int read_options(struct corpus *c, int argc, char **argv) {
  const char *only = NULL, *said = NULL, *laws = NULL;
  const struct test_option options[] = {{"--only", .text = &only},       {"--said", .text = &said},
                                        {"--laws", .text = &laws},       {"--choices", .number = &c->lab.choices},
                                        {"--shard", .shard = &c->shard}, {"--few", .flag = &c->few},
                                        {"--slow", .flag = &c->slow},    {0}};
  int first = test_options_read(options, argc, argv);
  if (only) choose_checks(c, only);
  c->said = created(said);
  c->laws = created(laws);
  return first;
}

static bool open_models(struct corpus *c) {
  struct text why = {.arena = &c->bench.arena};
  const uint64_t choices = c->lab.choices ? c->lab.choices : CHOICES;
  if (!lab_open(&c->lab, "models", LAWS_MODELS ",odd,odd-fences", 0, &why)) return fputs(text_str(&why), stderr), false;
  c->lab.choices = choices;
  c->bench.lab = c->lab;
  c->bench.work = WORK_FOR_LAWS;
  ptxlit_add_model_dir(c->session, "models");
  for (size_t m = 0; m < ALL_MODELS; m++)
    if (ptxlit_use_model(c->session, models[m]) != PTXLIT_OK)
      return fputs(ptxlit_messages(c->session, false), stderr), false;
  return true;
}

int main(int argc, char **argv) {
  struct corpus c = {.on = {true, true, true, true, true}, .shard = {0, 1}, .session = ptxlit_new()};
  int first = read_options(&c, argc, argv);
  arena_init(&c.bench.arena, NULL);
  if (!open_models(&c)) return 2;
  for (int i = first; i < argc; i++)
    if ((unsigned)(i - first) % c.shard.count == c.shard.index) walk(&c, argv[i]);
  int status = finish(&c);
  if (c.said) fclose(c.said);
  if (c.laws) fclose(c.laws);
  lab_close(&c.lab);
  arena_release(&c.bench.arena);
  ptxlit_free(c.session);
  return status;
}
