/* Random programs with loops, whose answers are known from all turns of their threads (explore.c), given to the tool.
 *
 *   turns-of-threads [--seed N] [--from N] [--count N] [--print]      run in the root of the tree
 *
 * Under sc outcomes, verdict and termination by each scheduler must be those of the turns. Under ptx memory can do
 * more: every end is an outcome there, and what can go on for ever can. The plain ones of these programs, two of four,
 * write constants by st and exch and decide on what was read last, as the progress tests do that others published:
 * there `unknown` is a failure. The rest also copy, compare and swap, count, decide on what was read before, and half
 * of them meet at barriers or vote there, as a rule with the same code in two threads; there `unknown` counts as
 * skipped, as it does where only two iterations are written out. The last line counts comparisons: one for each
 * program, model, scheduler and number of iterations. */
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../options.h"
#include "base/rng.h"
#include "ptxlit.h"
#include "turns.h"

static const char *const scheduler_names[SCHEDULERS] = {"fair", "hsa", "obe", "lobe"};
static const enum ptxlit_progress progress_of[SCHEDULERS] = {PTXLIT_FAIR, PTXLIT_HSA, PTXLIT_OBE, PTXLIT_LOBE};

enum { TEXT_SIZE = 4000, MOST_SHOWN = LOCATIONS + MOST_THREADS * MOST_STEPS };

/* A location, where step is MOST_STEPS, or a register. */
struct variable {
  uint8_t thread, step;
};

struct test {
  struct rng rng;
  bool is_plain, has_barriers, has_votes, failed;
  struct program program;
  struct variable shown[MOST_SHOWN]; /* by the condition */
  uint8_t wanted[MOST_SHOWN];
  size_t shown_count, length;
  char text[TEXT_SIZE];
};

struct tally {
  unsigned passed, failed;
  unsigned unknown, too_many; /* skipped: by reason */
};

static uint8_t below(struct test *t, uint32_t bound) { return (uint8_t)rng_below(&t->rng, bound); }
static bool chance(struct test *t, uint32_t percent) { return below(t, 100) < percent; }

/* ---- programs */

static bool has_result(const struct step *step) { return step->operation != STORE && step->operation != BARRIER; }

/* A register of the thread that something writes: as a rule the step's own. */
static uint8_t some_register(struct test *t, unsigned thread, unsigned step) {
  uint8_t other = below(t, t->program.steps[thread]);
  bool takes = !t->is_plain && other < step && has_result(&t->program.step[thread][other]) && chance(t, 30);
  return takes ? other : (uint8_t)step;
}

static void make_branch(struct test *t, unsigned thread, unsigned k) {
  struct step *step = &t->program.step[thread][k];
  step->branches = true;
  step->tested = some_register(t, thread, k);
  step->when_equal = chance(t, 50);
  step->with = below(t, chance(t, 20) ? VALUES : 2);
  step->target = below(t, t->program.steps[thread]);
  if (step->target > k) step->target++;
}

/* A vote on the last result before it, whatever it is at first; as a rule it decides a branch. */
static void make_vote(struct test *t, unsigned thread, unsigned k) {
  struct step *step = &t->program.step[thread][k];
  step->asked = (uint8_t)(k ? k - 1 : 0);
  step->compared = below(t, 2);
  if (chance(t, 80)) make_branch(t, thread, k);
}

static void make_step(struct test *t, unsigned thread, unsigned k) {
  struct step *step = &t->program.step[thread][k];
  static const enum operation operations[] = {STORE, LOAD, LOAD, EXCHANGE, COMPARE_AND_SWAP, INCREMENT};
  step->operation = operations[below(t, t->is_plain ? 4 : 6)];
  if (t->has_barriers && chance(t, t->has_votes ? 40 : 25)) {
    step->operation = t->has_votes ? VOTE : BARRIER;
    if (t->has_votes) make_vote(t, thread, k);
    return;
  }
  step->location = below(t, LOCATIONS);
  step->written.value = below(t, chance(t, 20) ? VALUES : 2);
  step->compared = below(t, 2);
  uint8_t from = some_register(t, thread, k);
  if (from != k) step->written = (struct operand){true, from};
  if (step->operation != STORE && !(t->has_votes && chance(t, 70))) make_branch(t, thread, k);
}

static void choose_shown(struct test *t) {
  for (uint8_t thread = 0; thread < t->program.threads; thread++)
    for (uint8_t k = 0; k < t->program.steps[thread]; k++)
      if (has_result(&t->program.step[thread][k]) && chance(t, 60))
        t->shown[t->shown_count++] = (struct variable){thread, k};
  for (uint8_t x = 0; x < LOCATIONS; x++)
    if (!t->shown_count || chance(t, 40)) t->shown[t->shown_count++] = (struct variable){x, MOST_STEPS};
  for (size_t i = 0; i < t->shown_count; i++) t->wanted[i] = below(t, 2);
}

/* Two threads, or three, and three or four instructions in all; sometimes more. */
static struct test make_test(uint64_t seed, uint64_t number) {
  struct test t = {.rng = {(seed << 32) + number}};
  t.is_plain = number % 4 < 2;
  t.has_barriers = number % 4 == 3;
  t.has_votes = number % 8 == 7;
  t.program.threads = 2 + chance(&t, 33);
  for (unsigned i = 0; i < t.program.threads; i++) t.program.steps[i] = 1;
  unsigned steps = 3u + chance(&t, 75) + chance(&t, 20) + (t.has_votes ? 2u : 0);
  for (unsigned left = steps - t.program.threads; left; left--) t.program.steps[below(&t, t.program.threads)]++;
  for (unsigned i = 0; i < t.program.threads; i++) {
    if (i == 1 && t.has_votes && chance(&t, 70)) {
      t.program.steps[1] = t.program.steps[0];
      memcpy(t.program.step[1], t.program.step[0], sizeof t.program.step[0]);
      continue;
    }
    for (unsigned k = 0; k < t.program.steps[i]; k++) make_step(&t, i, k);
  }
  choose_shown(&t);
  return t;
}

/* ---- as text */

static void put(struct test *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct test *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int added = vsnprintf(t->text + t->length, TEXT_SIZE - t->length, format, arguments);
  va_end(arguments);
  if (added < 0 || (t->length += (size_t)added) >= TEXT_SIZE) abort();
}

static void put_written(struct test *t, const struct step *step) {
  put(t, ", %s%u", step->written.is_register ? "r" : "", step->written.value);
}

static void put_access(struct test *t, const struct step *step, unsigned k) {
  char location = "xy"[step->location];
  switch (step->operation) {
    case STORE: put(t, "st.relaxed.gpu.u32 [%c]", location); break;
    case LOAD: put(t, "ld.relaxed.gpu.u32 r%u, [%c]", k, location); return;
    case INCREMENT: put(t, "atom.relaxed.gpu.inc.u32 r%u, [%c], %u", k, location, VALUES - 1u); return;
    case BARRIER: put(t, "barrier.cta.sync 0"); return;
    case VOTE: put(t, "barrier.cta.red.and.pred v, 0, q"); return;
    case EXCHANGE: put(t, "atom.relaxed.gpu.exch.b32 r%u, [%c]", k, location); break;
    case COMPARE_AND_SWAP: put(t, "atom.relaxed.gpu.cas.b32 r%u, [%c], %u", k, location, step->compared); break;
  }
  put_written(t, step);
}

enum { ROWS_OF_STEP = 5 }; /* the predicate of a vote, the access, the result of a vote, setp, bra */

static void put_cell(struct test *t, unsigned thread, unsigned row) {
  unsigned k = row / ROWS_OF_STEP;
  if (k > t->program.steps[thread]) return;
  unsigned part = row % ROWS_OF_STEP;
  if (part == 0) put(t, "L%u%u: ", thread, k);
  if (k == t->program.steps[thread]) return;
  const struct step *step = &t->program.step[thread][k];
  bool votes = step->operation == VOTE, branches = step->branches;
  if (part == 0 && votes) put(t, "setp.eq.u32 q, r%u, %u", step->asked, step->compared);
  if (part == 1) put_access(t, step, k);
  if (part == 2 && votes) put(t, "selp.u32 r%u, 1, 0, v", k);
  if (part == 3 && branches)
    put(t, "setp.%s.u32 p%u, r%u, %u", step->when_equal ? "eq" : "ne", thread, step->tested, step->with);
  if (part == 4 && branches) put(t, "@p%u bra L%u%u", thread, thread, step->target);
}

static void name_of(struct variable v, char name[8]) {
  if (v.step == MOST_STEPS) snprintf(name, 8, "%c", "xy"[v.thread % LOCATIONS]);
  else snprintf(name, 8, "%u:r%u", v.thread % 10u, v.step % 10u);
}

static void put_test(struct test *t, uint64_t number) {
  unsigned longest = 0;
  put(t, "PTX turns-%llu\n{ x=0; y=0; }\n", (unsigned long long)number);
  for (unsigned i = 0; i < t->program.threads; i++) {
    put(t, "%sP%u@cta %u,gpu 0", i ? " | " : "", i, t->has_barriers ? 0 : i);
    if (t->program.steps[i] > longest) longest = t->program.steps[i];
  }
  for (unsigned row = 0; row <= longest * ROWS_OF_STEP; row++) {
    put(t, " ;\n");
    for (unsigned i = 0; i < t->program.threads; i++) {
      put(t, i ? " | " : "");
      put_cell(t, i, row);
    }
  }
  put(t, " ;\nexists (");
  for (size_t i = 0; i < t->shown_count; i++) {
    char name[8];
    name_of(t->shown[i], name);
    put(t, "%s%s=%u", i ? " /\\ " : "", name, t->wanted[i]);
  }
  put(t, ")\n");
}

/* ---- comparing */

/* The state that the condition shows, as a number: VALUES to the power of its variables is well below 2^64. */
static uint64_t shown_of(const struct test *t, state s) {
  uint64_t key = 0;
  for (size_t i = 0; i < t->shown_count; i++) {
    struct variable v = t->shown[i];
    key = key * VALUES + (v.step == MOST_STEPS ? location_of(s, v.thread) : register_of(s, v.thread, v.step));
  }
  return key;
}

static uint64_t shown_by(const struct test *t, const json_t *outcome) {
  uint64_t key = 0;
  for (size_t i = 0; i < t->shown_count; i++) {
    char name[8];
    name_of(t->shown[i], name);
    key = key * VALUES + (uint64_t)json_integer_value(json_object_get(json_object_get(outcome, "state"), name));
  }
  return key;
}

static bool among_ends(const struct test *t, const struct answers *a, uint64_t key) {
  for (size_t i = 0; i < a->count; i++)
    if (shown_of(t, a->ends[i]) == key) return true;
  return false;
}

static bool among_outcomes(const struct test *t, const json_t *outcomes, uint64_t key) {
  const json_t *outcome;
  size_t i;
  json_array_foreach(outcomes, i, outcome) if (shown_by(t, outcome) == key) return true;
  return false;
}

static bool says(const json_t *result, const char *key, const char *text) {
  const char *said = json_string_value(json_object_get(result, key));
  return said && strcmp(said, text) == 0;
}

/* The error in a result, or NULL. `exact`: the turns give all outcomes; else there may be more. */
static const char *fault(const struct test *t, const struct answers *a, const json_t *result, bool exact,
                         enum scheduler s) {
  if (!says(result, "verdict", "allowed") && !says(result, "verdict", "forbidden") &&
      !says(result, "verdict", "unknown"))
    return "no such verdict";
  if (!says(result, "termination", "always") && !says(result, "termination", "not always") &&
      !says(result, "termination", "unknown"))
    return "no such termination";
  const json_t *outcomes = json_object_get(result, "outcomes"), *outcome;
  bool settled = !json_object_get(result, "bound") || json_object_get(result, "bound_settled");
  bool complete = settled && json_is_array(outcomes); /* null: there are more than are known, none that matters */
  uint64_t wanted = 0;
  size_t i;
  for (i = 0; i < t->shown_count; i++) wanted = wanted * VALUES + t->wanted[i];
  bool allowed = among_ends(t, a, wanted);
  if (allowed ? says(result, "verdict", "forbidden") : exact && says(result, "verdict", "allowed"))
    return "the verdict";
  for (i = 0; complete && i < a->count; i++)
    if (!among_outcomes(t, outcomes, shown_of(t, a->ends[i]))) return "an outcome is missing";
  json_array_foreach(outcomes, i, outcome)
    if (exact && !among_ends(t, a, shown_by(t, outcome))) return "an outcome that no turns bring";
  if (a->hangs[s] ? says(result, "termination", "always") : exact && says(result, "termination", "not always"))
    return "the termination";
  return NULL;
}

static void compare(struct ptxlit *session, struct test *t, const struct answers *a, size_t model, enum scheduler s,
                    unsigned unroll, struct tally *tally) {
  struct ptxlit_options options = ptxlit_defaults();
  const struct ptxlit_result *checked;
  options.termination = true;
  options.unroll = unroll;
  options.progress = progress_of[s];
  ptxlit_set_options(session, &options);
  ptxlit_check(session, 0, model, &checked);
  const char *text = checked ? ptxlit_render(session, checked, PTXLIT_JSON) : NULL;
  json_t *result = text ? json_loads(text, 0, NULL) : NULL;
  const char *wrong = result ? fault(t, a, result, model == 0, s) : "no result";
  bool unknown = says(result, "verdict", "unknown") || says(result, "termination", "unknown");
  if (!wrong && unknown && t->is_plain && !unroll) wrong = "unknown";
  if (wrong)
    printf("FAIL under %s, %s, --unroll=%u: %s\n%s", ptxlit_model_name(session, model), scheduler_names[s], unroll,
           wrong, text ? text : "");
  t->failed |= wrong != NULL;
  tally->passed += !wrong && !unknown;
  tally->failed += wrong != NULL;
  tally->unknown += !wrong && unknown;
  json_decref(result);
}

static void try_test(struct ptxlit *session, struct test *t, struct tally *tally) {
  struct answers answers;
  bool all = take_turns(&t->program, &answers);
  bool read = ptxlit_read_text(session, "turns", t->text, t->length) == PTXLIT_OK;
  tally->failed += !read;
  tally->too_many += read && !all;
  if (!read) printf("FAIL to read:\n%s%s", t->text, ptxlit_messages(session, false));
  for (size_t model = 0; read && all && model < ptxlit_model_count(session); model++)
    for (enum scheduler s = 0; s < SCHEDULERS; s++)
      for (unsigned unroll = 0; unroll <= 2; unroll += 2) compare(session, t, &answers, model, s, unroll, tally);
  free(answers.ends);
}

int main(int argc, char **argv) {
  uint64_t seed = 1, from = 0, count = 30;
  bool print = false;
  const struct test_option options[] = {{"--seed", .number = &seed},
                                        {"--from", .number = &from},
                                        {"--count", .number = &count},
                                        {"--print", .flag = &print},
                                        {0}};
  test_options_read(options, argc, argv);
  struct ptxlit *session = ptxlit_new();
  struct tally tally = {0};
  ptxlit_add_model_dir(session, "models");
  if (ptxlit_use_model(session, "sc") != PTXLIT_OK || ptxlit_use_model(session, "ptx") != PTXLIT_OK)
    return fputs(ptxlit_messages(session, false), stderr), 2;
  for (uint64_t n = from; n < from + count; n++) {
    struct test t = make_test(seed, n);
    put_test(&t, n);
    if (!print) try_test(session, &t, &tally);
    if (print || t.failed) printf("turns-of-threads --seed %llu --from %llu --count 1\n%s", (unsigned long long)seed,
                                  (unsigned long long)n, t.text);
  }
  ptxlit_free(session);
  if (tally.unknown) printf("SKIPPED %u: unknown, of a program whose loops carry values\n", tally.unknown);
  if (tally.too_many) printf("SKIPPED %u: a program with too many interleavings\n", tally.too_many);
  if (!print) printf("%u passed, %u failed, %u skipped\n", tally.passed, tally.failed, tally.unknown + tally.too_many);
  return tally.failed > 0;
}
