/* The solver behind its interface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/vec.h"
#include "sat/sat.h"

static struct arena arena;

static int open_arena(void **state) {
  arena_init(&arena, NULL);
  *state = sat_new(&arena, false);
  return 0;
}

static int close_arena(void **state) {
  (void)state;
  arena_release(&arena); /* the solver goes with it */
  return 0;
}

static void constants_are_fixed(void **state) {
  struct sat *sat = *state;
  assert_int_equal(sat_solve(sat), SAT_YES);
  assert_true(sat_value(sat, LIT_TRUE));
  assert_false(sat_value(sat, LIT_FALSE));
  sat_assume(sat, LIT_FALSE);
  assert_int_equal(sat_solve(sat), SAT_NO);
  assert_int_equal(sat_solve(sat), SAT_YES); /* an assumption is for one solve */
}

static void clauses_hold_in_solutions(void **state) {
  struct sat *sat = *state;
  lit a = sat_variable(sat), b = sat_variable(sat), c = sat_variable(sat);
  sat_clause2(sat, a, b);
  sat_clause2(sat, -a, c);
  sat_assume(sat, -b);
  assert_int_equal(sat_solve(sat), SAT_YES);
  assert_true(sat_value(sat, a) && sat_value(sat, c) && !sat_value(sat, b) && sat_value(sat, -b));
  sat_assume(sat, -b);
  sat_assume(sat, -c);
  assert_int_equal(sat_solve(sat), SAT_NO);
  sat_clause1(sat, -c); /* clauses may come between solves, and stay */
  assert_int_equal(sat_solve(sat), SAT_YES);
  assert_true(sat_value(sat, b) && !sat_value(sat, a));
  sat_clause1(sat, -b);
  assert_int_equal(sat_solve(sat), SAT_NO);
  assert_int_equal(sat_solve(sat), SAT_NO);
}

static void true_literals_fold(void **state) {
  struct sat *sat = *state;
  lit a = sat_variable(sat);
  uint64_t before = sat_clauses(sat);
  sat_clause2(sat, a, LIT_TRUE);
  sat_clause3(sat, a, -a, LIT_FALSE);
  assert_int_equal(sat_clauses(sat), before);
  assert_false(sat_occurs(sat, a));
  sat_clause2(sat, a, LIT_FALSE);
  assert_int_equal(sat_clauses(sat), before + 1);
  assert_true(sat_occurs(sat, a));
  assert_int_equal(sat_solve(sat), SAT_YES);
  assert_true(sat_value(sat, a));
}

static void no_literal_at_all_is_a_contradiction(void **state) {
  struct sat *sat = *state;
  sat_clause(sat, NULL, 0);
  assert_int_equal(sat_solve(sat), SAT_NO);
}

/* The same formula in CaDiCaL and in what small ones begin with. */
struct twins {
  struct rng rng;
  struct sat *sats[2];
  lit variables;
  VEC(lit) clauses; /* each ends with 0 */
  lit assumed[3];   /* in the last question */
  size_t count;
  bool solved; /* it has an answer, and nothing was added since */
};

static lit random_literal(struct twins *t) {
  lit variable = (lit)(1 + rng_below(&t->rng, (uint32_t)t->variables));
  return rng_below(&t->rng, 2) ? variable : -variable;
}

/* A literal may stand there twice, or with its opposite. Some clauses are what the last solution is excluded with. */
static void add_random(struct twins *t) {
  lit lits[12];
  size_t count = rng_below(&t->rng, 4) ? 3 : 1 + rng_below(&t->rng, ARRAY_LEN(lits));
  bool excludes = t->solved && rng_below(&t->rng, 2);
  for (size_t i = 0; i < count; i++) {
    lits[i] = random_literal(t);
    if (excludes && sat_value(t->sats[1], lits[i])) lits[i] = -lits[i];
    VEC_PUSH(&arena, &t->clauses, lits[i]);
  }
  VEC_PUSH(&arena, &t->clauses, 0);
  for (int k = 0; k < 2; k++) sat_clause(t->sats[k], lits, count);
  t->solved = false;
}

static void check_solution(struct twins *t, struct sat *sat) {
  bool holds = false;
  for (size_t i = 0; i < t->count; i++) assert_true(sat_value(sat, t->assumed[i]));
  for (uint32_t i = 0; i < t->clauses.len; i++) {
    lit a = t->clauses.data[i];
    if (!a) assert_true(holds);
    holds = a && (holds || sat_value(sat, a));
  }
}

static enum sat_answer ask(struct twins *t, struct sat *sat, int effort) {
  for (size_t i = 0; i < t->count; i++) sat_assume(sat, t->assumed[i]);
  sat_effort(sat, effort);
  return sat_solve(sat);
}

/* Having given up changes no answer. */
static void ask_in_passing(struct twins *t, struct sat *sat) {
  if (rng_below(&t->rng, 2)) ask(t, sat, 1);
}

/* With the assumptions of before, or some of them, every other time. */
static void ask_random(struct twins *t) {
  enum sat_answer answers[2];
  size_t kept = rng_below(&t->rng, 2) ? t->count : rng_below(&t->rng, (uint32_t)t->count + 1);
  if (kept < t->count || !t->count) t->count = kept + rng_below(&t->rng, 4 - (uint32_t)kept);
  for (size_t i = kept; i < t->count; i++) t->assumed[i] = random_literal(t);
  for (int k = 0; k < 2; k++) {
    ask_in_passing(t, t->sats[k]);
    answers[k] = ask(t, t->sats[k], 0);
    if (answers[k] == SAT_YES) check_solution(t, t->sats[k]);
  }
  assert_int_equal(answers[0], answers[1]);
  t->solved = answers[1] == SAT_YES;
}

/* Small formulas have CaDiCaL's answers, and go on with it where they are hard. */
static void small_formulas_have_the_same_answers(void **state) {
  struct rng rng = {1};
  (void)state;
  for (int round = 0; round < 2000; round++) {
    struct arena_mark mark = arena_mark(&arena);
    struct twins t = {.rng = {rng_next(&rng)}, .sats = {sat_new(&arena, false), sat_new(&arena, true)}};
    t.variables = 5 + (lit)rng_below(&rng, round % 200 ? 30 : 150);
    for (lit v = 1; v < t.variables; v++) assert_int_equal(sat_variable(t.sats[0]), sat_variable(t.sats[1]));
    for (lit i = 0; i < 5 * t.variables; i++) {
      add_random(&t);
      if (i % 5 == 0 || t.variables < 20) ask_random(&t);
    }
    arena_rewind(&arena, mark);
  }
}

/* Three pigeons in two holes, if `on`. */
static lit pigeons(struct sat *sat) {
  lit in[3][2], on = sat_variable(sat);
  for (int p = 0; p < 3; p++) {
    for (int h = 0; h < 2; h++) in[p][h] = sat_variable(sat);
    sat_clause3(sat, -on, in[p][0], in[p][1]);
  }
  for (int h = 0; h < 2; h++)
    for (int p = 0; p < 3; p++)
      for (int q = 0; q < p; q++) sat_clause2(sat, -in[p][h], -in[q][h]);
  return on;
}

static void what_was_refuted_is_kept_and_proved(void **state) {
  struct sat *sat = *state;
  sat_keep_clauses(sat, &arena);
  lit on = pigeons(sat);
  assert_int_equal(sat_solve(sat), SAT_YES);
  sat_assume(sat, on);
  assert_int_equal(sat_solve(sat), SAT_NO);
  struct text refuted, clauses;
  text_init(&refuted, &arena);
  text_init(&clauses, &arena);
  sat_refuted(sat, &refuted);
  sat_dimacs(sat, &clauses);
  assert_int_equal(sat_prove(text_str(&refuted), 0), SAT_NO);
  assert_int_equal(sat_prove(text_str(&clauses), 0), SAT_YES);
}

static void a_deadline_that_has_passed_is_no_answer(void **state) {
  struct sat *sat = *state;
  sat_deadline(sat, base_now() - 1);
  assert_int_equal(sat_solve(sat), SAT_UNKNOWN);
  sat_deadline(sat, base_deadline(100));
  assert_int_equal(sat_solve(sat), SAT_YES);
}

static void everything_is_counted(void **state) {
  struct sat *sat = *state;
  assert_int_equal(sat_variables(sat), 1);
  assert_int_equal(sat_clauses(sat), 1);
  sat_clause1(sat, sat_variable(sat));
  assert_int_equal(sat_variables(sat), 2);
  assert_int_equal(sat_clauses(sat), 2);
  sat_solve(sat);
  assert_int_equal(sat_solves(sat), 1);
  sat_release(sat);
  sat_release(sat); /* again: allowed */
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
  const struct CMUnitTest tests[] = {
      TEST(constants_are_fixed),
      TEST(clauses_hold_in_solutions),
      TEST(true_literals_fold),
      TEST(small_formulas_have_the_same_answers),
      TEST(no_literal_at_all_is_a_contradiction),
      TEST(what_was_refuted_is_kept_and_proved),
      TEST(a_deadline_that_has_passed_is_no_answer),
      TEST(everything_is_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
