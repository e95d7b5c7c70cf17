/* Tests the solver through sat.h. */

#include "unit.h"

#include "base/rng.h"
#include "base/vec.h"
#include "sat/sat.h"

/* The solver goes with the arena. */
static int open_solver(void **state) {
  open_arena(state);
  *state = sat_new(&arena, false);
  return 0;
}

TEST(constants_are_fixed) {
  struct sat *sat = *state;
  assert_int_equal(sat_solve(sat), SAT_YES);
  assert_true(sat_value(sat, LIT_TRUE));
  assert_false(sat_value(sat, LIT_FALSE));
  sat_assume(sat, LIT_FALSE);
  assert_int_equal(sat_solve(sat), SAT_NO);
  assert_int_equal(sat_solve(sat), SAT_YES); /* an assumption is for one solve */
}

TEST(clauses_hold_in_solutions) {
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

TEST(true_literals_fold) {
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

TEST(no_literal_at_all_is_a_contradiction) {
  struct sat *sat = *state;
  sat_clause(sat, NULL, 0);
  assert_int_equal(sat_solve(sat), SAT_NO);
}

/* A formula that is small enough to try all values of its variables. */
struct formula {
  struct rng rng;
  struct sat *sat;
  lit variables;    /* numbers 1 to this; 1 is LIT_TRUE */
  VEC(lit) clauses; /* each ends with 0 */
  lit assumed[3];   /* in the last question */
  size_t count;
  bool solved; /* satisfiable, and no clause was added since */
};

static lit random_literal(struct formula *f) {
  lit variable = (lit)(1 + rng_below(&f->rng, (uint32_t)f->variables));
  return rng_below(&f->rng, 2) ? variable : -variable;
}

/* A clause may repeat a literal or contain its negation. Some clauses exclude the last solution. */
static void add_random(struct formula *f) {
  lit lits[12];
  size_t count = rng_below(&f->rng, 4) ? 3 : 1 + rng_below(&f->rng, ARRAY_LEN(lits));
  bool excludes = f->solved && rng_below(&f->rng, 2);
  for (size_t i = 0; i < count; i++) {
    lits[i] = random_literal(f);
    if (excludes && sat_value(f->sat, lits[i])) lits[i] = -lits[i];
    VEC_PUSH(&arena, &f->clauses, lits[i]);
  }
  VEC_PUSH(&arena, &f->clauses, 0);
  sat_clause(f->sat, lits, count);
  f->solved = false;
}

/* `values`: a set of the variables that are true. */
static bool is_true(unsigned values, lit a) { return (values >> abs(a) & 1) == (a > 0); }

static bool is_solution(const struct formula *f, unsigned values) {
  bool holds = false;
  for (size_t i = 0; i < f->count; i++)
    if (!is_true(values, f->assumed[i])) return false;
  for (uint32_t i = 0; i < f->clauses.len; i++) {
    lit a = f->clauses.data[i];
    if (!a && !holds) return false;
    holds = a && (holds || is_true(values, a));
  }
  return is_true(values, LIT_TRUE);
}

static bool has_solution(const struct formula *f) {
  for (unsigned values = 0; values < 2u << f->variables; values += 2)
    if (is_solution(f, values)) return true;
  return false;
}

static enum sat_answer ask(struct formula *f, int effort) {
  for (size_t i = 0; i < f->count; i++) sat_assume(f->sat, f->assumed[i]);
  sat_effort(f->sat, effort);
  return sat_solve(f->sat);
}

/* Half of the time keeps all old assumptions, else a part of them. */
static void ask_random(struct formula *f) {
  unsigned found = 0;
  size_t kept = rng_below(&f->rng, 2) ? f->count : rng_below(&f->rng, (uint32_t)f->count + 1);
  if (kept < f->count || !f->count) f->count = kept + rng_below(&f->rng, 4 - (uint32_t)kept);
  for (size_t i = kept; i < f->count; i++) f->assumed[i] = random_literal(f);
  if (rng_below(&f->rng, 2)) ask(f, 1); /* giving up changes no answer */
  f->solved = ask(f, 0) == SAT_YES;
  for (lit v = 1; f->solved && v <= f->variables; v++) found |= (unsigned)sat_value(f->sat, v) << v;
  if (f->solved) assert_true(is_solution(f, found));
  else assert_false(has_solution(f));
}

/* Clauses come one by one, and wait for a solve. */
TEST(answers_are_those_of_all_values_tried) {
  struct rng rng = {1};
  for (int round = 0; round < 500; round++) {
    struct arena_mark mark = arena_mark(&arena);
    struct formula f = {.rng = {rng_next(&rng)}, .sat = sat_new(&arena, round % 2), .variables = 1};
    for (lit more = 2 + (lit)rng_below(&rng, 7); more > 0; more--) f.variables = sat_variable(f.sat);
    for (lit i = 0; i < 5 * f.variables; i++) {
      add_random(&f);
      ask_random(&f);
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

TEST(what_was_refuted_is_kept_and_proved) {
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

TEST(a_deadline_that_has_passed_is_no_answer) {
  struct sat *sat = *state;
  sat_deadline(sat, base_now() - 1);
  assert_int_equal(sat_solve(sat), SAT_UNKNOWN);
  sat_deadline(sat, base_deadline(100));
  assert_int_equal(sat_solve(sat), SAT_YES);
}

TEST(everything_is_counted) {
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

int main(void) { return run_each(open_solver, close_arena); }
