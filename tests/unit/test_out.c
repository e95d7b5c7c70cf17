/* The printers and what they rest on, over results made by hand: herd's block with its quirks, JSON that parses back,
 * quiet lines, comparisons of values, expectations. */

#include "unit.h"
#include <jansson.h>

#include "out/out.h"
#include "result/expect.h"

static const char test_text[] = "PTX T\n{ x=0; }\n P0@cta 0 ;\n st.weak  x,\n 1 ;\nexists (0:r0=1)\n";

struct world {
  struct arena arena;
  struct source source;
  struct observable observables[3];
  struct instr instr;
  struct thread thread;
  struct program program;
  struct model model;
  struct result result;
  struct finding finding;
};

static void add_outcome(struct world *w, value_t a, value_t b, value_t c, bool satisfies) {
  outcomes_add(&w->arena, &w->program, &w->result.outcomes, (struct outcome){(value_t[]){a, b, c}, satisfies, 1});
}

/* A program with r0 (u32), x (s32) and y (u64) that can end in two states. */
static int set_up(void **state) {
  static struct world world;
  struct world *w = &world;
  memset(w, 0, sizeof *w);
  arena_init(&w->arena, NULL);
  w->source = source_from_text("t.litmus", test_text, strlen(test_text));
  w->observables[0] = (struct observable){.name = "0:r0", .is_reg = true, .type = {TYPE_UNSIGNED, 32}};
  w->observables[1] = (struct observable){.name = "x", .type = {TYPE_SIGNED, 32}};
  w->observables[2] = (struct observable){.name = "y", .type = {TYPE_UNSIGNED, 64}};
  uint32_t at = (uint32_t)(strstr(test_text, "st.weak") - test_text);
  w->instr.span = (struct span){&w->source, at, at + 14};
  w->thread = (struct thread){.instrs = &w->instr, .instr_count = 1};
  static const struct litmus_test test;
  w->program = (struct program){.name = "T",
                                .test = &test,
                                .source = &w->source,
                                .span = {&w->source, 4, 5},
                                .threads = &w->thread,
                                .thread_count = 1,
                                .observables = w->observables,
                                .observed_count = 3,
                                .condition_text = "exists (0:r0=1)"};
  w->model.name = "ptx";
  w->result = (struct result){.program = &w->program,
                              .model = &w->model,
                              .verdict = VERDICT_ALLOWED,
                              .observation = OBSERVATION_SOMETIMES,
                              .holds = true,
                              .complete = true,
                              .positive = 1,
                              .negative = 2};
  add_outcome(w, 1, value_mask(32), 5, true);
  add_outcome(w, 0, 7, value_mask(64), false);
  w->finding = (struct finding){.result = &w->result, .as_expected = true, .hash = "00ff"};
  *state = w;
  return 0;
}

static int tear_down(void **state) {
  struct world *w = *state;
  arena_release(&w->arena);
  return 0;
}

static const char *printed(struct world *w, void (*print)(const struct finding *, struct text *)) {
  struct text text = {.arena = &w->arena};
  print(&w->finding, &text);
  return text_str(&text);
}

TEST(block_of_exists) {
  struct world *w = *state;
  assert_string_equal(printed(w, out_text), "Test T Allowed\n"
                                            "States 2\n"
                                            "0:r0=1; x=-1; y=5;\n"
                                            "0:r0=0; x=7; y=18446744073709551615;\n"
                                            "Ok\n"
                                            "Witnesses\n"
                                            "Positive: 1 Negative: 2\n"
                                            "Condition exists (0:r0=1)\n"
                                            "Observation T Sometimes 1 2\n"
                                            "Verdict T allowed under ptx\n"
                                            "Time T 0.00\n"
                                            "Hash=00ff\n\n");
}

/* herd exchanges the counts under Witnesses, and not in Observation. */
TEST(block_of_not_exists) {
  struct world *w = *state;
  w->program.quantifier = LITMUS_NOT_EXISTS;
  w->result.holds = false;
  const char *text = printed(w, out_text);
  assert_non_null(strstr(text, "Test T Forbidden\n"));
  assert_non_null(strstr(text, "\nNo\nWitnesses\nPositive: 2 Negative: 1\n"));
  assert_non_null(strstr(text, "\nObservation T Sometimes 1 2\n"));
}

TEST(block_of_forall) {
  struct world *w = *state;
  w->program.quantifier = LITMUS_FORALL;
  const char *text = printed(w, out_text);
  assert_non_null(strstr(text, "Test T Required\n"));
  assert_non_null(strstr(text, "Positive: 1 Negative: 2\n"));
}

TEST(reasons) {
  struct world *w = *state;
  w->result.verdict = VERDICT_UNKNOWN;
  w->result.observation = OBSERVATION_NONE;
  w->result.reason = reason_with(&w->arena, REASON_ASYNC_COPY, "barriers are not modelled");
  w->result.place = w->instr.span;
  assert_non_null(strstr(printed(w, out_text), "\n?? Unknown: t.litmus:4:2: barriers are not modelled\nWitnesses\n"));
  assert_non_null(strstr(printed(w, out_text), "\nObservation T Unknown 1 2\n"));
  assert_string_equal(printed(w, out_quiet), "Test T ptx unknown None t.litmus:4:2: barriers are not modelled\n");
  w->result.complete = false; /* what was found before a limit is not listed */
  assert_non_null(strstr(printed(w, out_text), "Test T Allowed\nStates 0\n?? Unknown: "));
  assert_non_null(strstr(printed(w, out_text), "\nObservation T Unknown 0 0\n"));
  w->result.verdict = VERDICT_UNDEFINED;
  w->result.place.source = NULL;
  assert_non_null(strstr(printed(w, out_text), "\nUndefined: barriers are not modelled\n"));
  assert_non_null(strstr(printed(w, out_text), "\nVerdict T undefined under ptx\n"));
}

TEST(remarks) {
  struct world *w = *state;
  w->result.verdict = VERDICT_FORBIDDEN;
  w->result.observation = OBSERVATION_NEVER;
  w->result.vacuous = true;
  w->finding.expected = "Always";
  w->finding.as_expected = false;
  assert_non_null(strstr(printed(w, out_text), "\nVacuous T unreachable even without the axioms\n"));
  assert_non_null(strstr(printed(w, out_text), "\nExpected T Always, but found Never\n"));
  assert_string_equal(printed(w, out_quiet), "Test T ptx forbidden Never vacuous\n");
  assert_non_null(strstr(printed(w, out_summary), "Test T: (0:r0=1) is forbidden under ptx: "));
}

TEST(flags_name_instructions) {
  struct world *w = *state;
  struct raised_pair pair = {.thread_b = NO_THREAD};
  VEC_PUSH(&w->arena, &w->result.raised, (struct raised){"Race", CAT_FLAG, &pair, 1, 1});
  assert_non_null(
      strstr(printed(w, out_text), "\nFlag Race: P0 'st.weak x, 1' (line 4) and an initial write\nCondition "));
}

TEST(json_parses_back) {
  struct world *w = *state;
  struct raised_pair pair = {.thread_b = NO_THREAD};
  VEC_PUSH(&w->arena, &w->result.raised, (struct raised){"Race", CAT_UNDEFINED, &pair, 1, 1});
  w->finding.expected = "Never";
  w->finding.as_expected = false;
  w->source.name = "caf\xe9.litmus"; /* not UTF-8 */
  const char *text = printed(w, out_json);
  assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
  json_t *object = json_loads(text, 0, NULL);
  assert_non_null(object);
  const char *test, *file, *verdict, *observation, *big, *race, *expected;
  int format, line, holds, positive, x, met, undefined, row;
  int wrong = json_unpack(object, "{s:i,s:s,s:s,s:i,s:s,s:b,s:s,s:i,s:n}", "format", &format, "test", &test, "file",
                          &file, "line", &line, "verdict", &verdict, "holds", &holds, "observation", &observation,
                          "positive", &positive, "deadlock");
  assert_int_equal(wrong, 0);
  wrong = json_unpack(object, "{s:[{s:{s:i}},{s:{s:s}}]}", "outcomes", "state", "x", &x, "state", "y", &big);
  assert_int_equal(wrong, 0);
  assert_int_equal(json_unpack(object, "{s:{s:s,s:b}}", "expected", "observation", &expected, "met", &met), 0);
  assert_int_equal(format, 1);
  assert_string_equal(test, "T");
  assert_string_equal(file, "caf?.litmus");
  assert_int_equal(line, 1);
  assert_string_equal(verdict, "allowed");
  assert_true(holds);
  assert_int_equal(positive, 1);
  assert_int_equal(x, -1);
  assert_string_equal(big, "18446744073709551615");
  assert_string_equal(expected, "Never");
  assert_false(met);
  assert_int_equal(json_unpack(object, "{s:[{s:s,s:b,s:[[{s:i},{s:n}]]}]}", "races", "name", &race, "undefined",
                               &undefined, "pairs", "line", &row, "thread"),
                   0);
  assert_string_equal(race, "Race");
  assert_true(undefined);
  assert_int_equal(row, 4);
  json_decref(object);
}

TEST(many_outcomes) {
  enum { MANY = 40000 };
  struct world *w = *state;
  struct outcomes list = {0};
  for (uint32_t i = 0; i < MANY; i++) {
    value_t values[] = {i, value_mask(32) - i, value_mask(64) - i};
    outcomes_add(&w->arena, &w->program, &list, (struct outcome){values, i % 3 == 0, i});
  }
  assert_int_equal(list.len, MANY);
  for (uint32_t i = MANY; i-- > 0;) {
    struct outcome outcome = outcomes_at(&list, i);
    assert_true(outcome.values[0] == i && outcome.values[1] == value_mask(32) - i);
    assert_true(outcome.values[2] == value_mask(64) - i && outcome.satisfies == (i % 3 == 0));
    assert_int_equal(outcome.executions, i);
  }
}

TEST(json_without_outcomes) {
  struct world *w = *state;
  w->result.complete = false;
  json_t *object = json_loads(printed(w, out_json), 0, NULL);
  assert_true(json_is_null(json_object_get(object, "outcomes")));
  assert_true(json_is_null(json_object_get(object, "positive")));
  assert_true(json_is_null(json_object_get(object, "races")));
  assert_true(json_is_null(json_object_get(object, "expected")));
  json_decref(object);
}

/* ---- conditions */

static struct cond_term observable(uint32_t index) { return (struct cond_term){.observable = index}; }
static struct cond_term constant(value_t value) { return (struct cond_term){.is_constant = true, .constant = value}; }

static bool compare(struct world *w, struct cond_term a, enum compare how, struct cond_term b, value_t r0, value_t x,
                    value_t y) {
  value_t values[] = {r0, x, y};
  struct cond cond = {.kind = COND_COMPARE, .compare = how, .a = a, .b = b};
  return cond_holds(&w->program, &cond, values);
}

TEST(comparisons) {
  struct world *w = *state;
  const value_t minus = ~(value_t)0, ones = value_mask(32);
  assert_true(compare(w, observable(1), COMPARE_LT, constant(0), 0, ones, 0));     /* -1 < 0, signed */
  assert_false(compare(w, observable(0), COMPARE_LT, constant(0), ones, 0, 0));    /* unsigned */
  assert_true(compare(w, observable(0), COMPARE_EQ, constant(minus), ones, 0, 0)); /* modulo 2^32 */
  assert_true(compare(w, constant(5), COMPARE_GE, observable(0), 5, 0, 0));
  assert_true(compare(w, constant(minus), COMPARE_LT, constant(1), 0, 0, 0));         /* 128 bits, signed */
  assert_false(compare(w, observable(0), COMPARE_EQ, observable(2), ones, 0, minus)); /* the wider: 64 bits */
  assert_true(compare(w, observable(0), COMPARE_NE, observable(2), 1, 0, (value_t)1 << 32));
  assert_true(compare(w, observable(0), COMPARE_GT, observable(1), ones, 1, 0)); /* one unsigned: unsigned */
  assert_true(compare(w, observable(2), COMPARE_LE, constant(7), 0, 0, 7));
}

TEST(connectives) {
  struct world *w = *state;
  struct cond yes = {.kind = COND_TRUE}, no = {.kind = COND_NOT, .left = &yes};
  struct cond both = {.kind = COND_AND, .left = &yes, .right = &no};
  struct cond either = {.kind = COND_OR, .left = &no, .right = &yes};
  assert_true(cond_holds(&w->program, &yes, NULL));
  assert_false(cond_holds(&w->program, &no, NULL));
  assert_false(cond_holds(&w->program, &both, NULL));
  assert_true(cond_holds(&w->program, &either, NULL));
}

/* ---- expectations */

static struct expectations expectations_of(struct world *w, struct diags *diags, const char *line) {
  w->source = source_from_text("t.litmus", line, strlen(line));
  struct litmus_key key = {.key = "Expect", .span = {&w->source, 0, (uint32_t)strlen(line)}};
  struct litmus_test test = {.source = &w->source, .keys = &key};
  struct expectations out;
  diags_init(diags, &w->arena);
  expect_read(&w->arena, diags, &test, &out);
  return out;
}

TEST(expectations_are_read) {
  struct world *w = *state;
  struct diags diags;
  struct expectations e = expectations_of(w, &diags, "Expect= ptx:Never,ptx-7.5:undefined\tsc:Always ");
  assert_int_equal(diags.errors, 0);
  assert_int_equal(e.list.len, 3);
  assert_null(expect_find(&e, "tso"));
  const struct expectation *undefined = expect_find(&e, "ptx-7.5");
  assert_string_equal(undefined->word, "undefined");
  assert_int_equal(undefined->span.begin, strcspn(w->source.text, ",") + 1);
  assert_false(expect_met(undefined, &w->result));
  w->result.verdict = VERDICT_UNDEFINED;
  assert_true(expect_met(undefined, &w->result));
  w->result.verdict = VERDICT_FORBIDDEN;
  w->result.observation = OBSERVATION_NEVER;
  assert_true(expect_met(expect_find(&e, "ptx"), &w->result));
  assert_false(expect_met(expect_find(&e, "sc"), &w->result));
}

TEST(expectations_that_are_wrong) {
  struct world *w = *state;
  static const char *const wrong[] = {"Expect=Never", "Expect=ptx:Nevr", "Expect=ptx:", "Expect=:Never",
                                      "Expect=ptx:Never ptx:Always"};
  for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
    struct diags diags;
    expectations_of(w, &diags, wrong[i]);
    assert_int_equal(diags.errors, 1);
    assert_int_equal(diags.list.data[0].code, DIAG_BAD_EXPECTATION);
  }
}

int main(void) { return run_each(set_up, tear_down); }
