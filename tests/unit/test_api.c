/* The public interface as a client uses it: lifetimes, statuses, messages, several sessions, long suites. */

#include "ptxlit.h"
#include "api/session.h" /* for session memory */

#include "unit.h"

#define SB_BODY                                                                                                        \
  "{ x=0; y=0; }\n"                                                                                                    \
  " P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"                                                                               \
  " st.weak x, 1   | st.weak y, 1   ;\n"                                                                               \
  " ld.weak r0, y  | ld.weak r1, x  ;\n"                                                                               \
  "exists (0:r0=0 /\\ 1:r1=0)\n"

static const char sb[] = "PTX SB\n" SB_BODY;
static const char sb_expected[] = "PTX SB-expected\nExpect=ptx:Never sc:Never\n" SB_BODY;

static struct ptxlit *new_session(const char *model) {
  struct ptxlit *s = ptxlit_new();
  assert_non_null(s);
  assert_int_equal(ptxlit_add_model_dir(s, "models"), PTXLIT_OK);
  if (model) assert_int_equal(ptxlit_use_model(s, model), PTXLIT_OK);
  return s;
}

static enum ptxlit_status read_text(struct ptxlit *s, const char *text) {
  return ptxlit_read_text(s, "memory", text, strlen(text));
}

TEST(one_test_two_models) {
  struct ptxlit *s = new_session("ptx");
  assert_int_equal(ptxlit_use_model(s, "models/sc.cat"), PTXLIT_OK);
  assert_int_equal(ptxlit_model_count(s), 2);
  assert_string_equal(ptxlit_model_name(s, 1), "sc");
  assert_int_equal(read_text(s, sb), PTXLIT_OK);
  assert_int_equal(ptxlit_test_count(s), 1);
  assert_string_equal(ptxlit_test_name(s, 0), "SB");
  const struct ptxlit_result *weak, *strong;
  assert_int_equal(ptxlit_check(s, 0, 0, &weak), PTXLIT_OK);
  assert_int_equal(ptxlit_check(s, 0, 1, &strong), PTXLIT_OK);
  /* the first result is still there */
  assert_int_equal(weak->verdict, PTXLIT_ALLOWED);
  assert_int_equal(weak->observation, PTXLIT_SOMETIMES);
  assert_int_equal(weak->positive, 1);
  assert_int_equal(weak->negative, 3);
  assert_int_equal(strong->verdict, PTXLIT_FORBIDDEN);
  assert_false(strong->vacuous);
  assert_null(strong->expected);
  assert_true(strong->as_expected);
  const char *text = ptxlit_render(s, weak, PTXLIT_TEXT);
  assert_memory_equal(text, "Test SB Allowed\nStates 4\n", 25);
  assert_string_equal(ptxlit_render(s, strong, PTXLIT_QUIET), "Test SB sc forbidden Never\n");
  assert_string_equal(ptxlit_messages(s, false), "");
  ptxlit_free(s);
}

TEST(expectations) {
  struct ptxlit *s = new_session("ptx");
  assert_int_equal(ptxlit_use_model(s, "sc"), PTXLIT_OK);
  assert_int_equal(read_text(s, sb_expected), PTXLIT_OK);
  const struct ptxlit_result *result;
  assert_int_equal(ptxlit_check(s, 0, 0, &result), PTXLIT_UNMET);
  assert_false(result->as_expected);
  assert_non_null(strstr(ptxlit_messages(s, false), "memory:2:8: error: 'SB-expected' under 'ptx': expected Never"));
  assert_int_equal(ptxlit_check(s, 0, 1, &result), PTXLIT_OK);
  assert_string_equal(ptxlit_messages(s, false), "");
  ptxlit_free(s);
}

TEST(bad_input) {
  struct ptxlit *s = new_session("ptx");
  assert_int_equal(read_text(s, "PTX broken\n{ x=0; }\n"), PTXLIT_BAD_INPUT);
  assert_int_equal(ptxlit_test_count(s), 0);
  assert_non_null(strstr(ptxlit_messages(s, false), "error: "));
  assert_int_equal(ptxlit_read_file(s, "no/such/file.litmus"), PTXLIT_BAD_INPUT);
  assert_non_null(strstr(ptxlit_messages(s, false), "no/such/file.litmus"));
  assert_int_equal(ptxlit_use_model(s, "ptxx"), PTXLIT_BAD_INPUT);
  assert_non_null(strstr(ptxlit_messages(s, false), "did you mean 'ptx'?"));
  assert_int_equal(ptxlit_model_count(s), 1);
  /* and the session still works */
  assert_int_equal(read_text(s, sb), PTXLIT_OK);
  assert_string_equal(ptxlit_messages(s, false), "");
  ptxlit_free(s);
}

TEST(a_name_twice) {
  struct ptxlit *s = new_session("ptx");
  assert_int_equal(read_text(s, sb), PTXLIT_OK);
  assert_int_equal(read_text(s, sb), PTXLIT_BAD_INPUT);
  assert_non_null(strstr(ptxlit_messages(s, false), "memory:1:5"));
  ptxlit_free(s);
}

TEST(sessions_are_independent) {
  struct ptxlit *a = new_session("ptx"), *b = new_session("sc");
  assert_int_equal(read_text(a, sb), PTXLIT_OK);
  assert_int_equal(read_text(b, sb), PTXLIT_OK);
  const struct ptxlit_result *ra, *rb;
  assert_int_equal(ptxlit_check(a, 0, 0, &ra), PTXLIT_OK);
  assert_int_equal(ptxlit_check(b, 0, 0, &rb), PTXLIT_OK);
  ptxlit_free(b);
  assert_int_equal(ra->verdict, PTXLIT_ALLOWED);
  assert_string_equal(ptxlit_render(a, ra, PTXLIT_QUIET), "Test SB ptx allowed Sometimes\n");
  ptxlit_free(a);
}

/* The resident memory of the process, in kilobytes. */
static long resident(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long size, pages;
  if (!file) return 0;
  int read = fscanf(file, "%ld %ld", &size, &pages);
  fclose(file);
  return read == 2 ? pages * 4 : 0;
}

/* Kilobytes that a suite may add. The address sanitizer keeps freed memory, to catch uses of it. */
#ifdef __SANITIZE_ADDRESS__
enum { SLACK = 1000000 };
#else
enum { SLACK = 4000 };
#endif

/* Only test names stay in memory: after a warm-up, thousands of tests take almost none. */
TEST(long_suites_stay_small) {
  struct ptxlit *s = new_session("ptx");
  struct ptxlit_options options = ptxlit_defaults();
  options.verdict_only = true;
  ptxlit_set_options(s, &options);
  long before = 0;
  for (int i = 0; i < 1500; i++) {
    char text[1024];
    snprintf(text, sizeof text, "PTX SB%d\n%s", i, SB_BODY);
    assert_int_equal(read_text(s, text), PTXLIT_OK);
    const struct ptxlit_result *result;
    assert_int_equal(ptxlit_check(s, 0, 0, &result), PTXLIT_OK);
    assert_non_null(ptxlit_render(s, result, PTXLIT_JSON));
    if (i == 300) before = resident();
  }
  assert_true(resident() - before < SLACK);
  ptxlit_free(s);
}

/* Results are freed without their tests; names interned since the tests were read stay valid. */
TEST(results_are_forgotten) {
  struct ptxlit *s = new_session("ptx");
  assert_int_equal(read_text(s, sb), PTXLIT_OK);
  char first[65] = "";
  long before = 0;
  for (int i = 0; i < 1500; i++) {
    const struct ptxlit_result *result;
    assert_int_equal(ptxlit_check(s, 0, 0, &result), PTXLIT_OK);
    const char *hash = strstr(ptxlit_render(s, result, PTXLIT_TEXT), "Hash=");
    if (!i) snprintf(first, sizeof first, "%.32s", hash);
    assert_memory_equal(hash, first, 32);
    ptxlit_forget_results(s);
    if (i == 300) before = resident();
  }
  assert_true(resident() - before < SLACK);
  for (int i = 0; i < 3; i++) {
    const char *text;
    assert_int_equal(ptxlit_explain(s, 0, 0, "0:r0=0; 1:r1=0", PTXLIT_TEXT, &text), PTXLIT_OK);
    assert_int_equal(ptxlit_explain(s, 0, 0, "0:another=0", PTXLIT_TEXT, &text), PTXLIT_BAD_INPUT);
    ptxlit_forget_results(s);
  }
  ptxlit_free(s);
}

TEST(dumps) {
  struct ptxlit *s = new_session("ptx");
  assert_non_null(strstr(ptxlit_dump(s, 0, 0, PTXLIT_DUMP_MODEL), "ptx"));
  assert_int_equal(read_text(s, sb), PTXLIT_OK);
  assert_non_null(strstr(ptxlit_dump(s, 0, 0, PTXLIT_DUMP_AST), "PTX SB"));
  for (int what = PTXLIT_DUMP_EVENTS; what <= PTXLIT_DUMP_CNF; what++)
    assert_true(strlen(ptxlit_dump(s, 0, 0, (enum ptxlit_dump)what)) > 0);
  ptxlit_free(s);
}

/* The claims of a forbidden verdict are unsatisfiable, and satisfiable without the last assumption. */
TEST(claims) {
  struct ptxlit *s = new_session("sc");
  struct ptxlit_options options = ptxlit_defaults();
  const struct ptxlit_result *result;
  const struct ptxlit_claim *claims;
  assert_int_equal(read_text(s, sb), PTXLIT_OK);
  assert_int_equal(ptxlit_check(s, 0, 0, &result), PTXLIT_OK);
  assert_int_equal(ptxlit_claims(result, &claims), 0);
  options.certify = true;
  ptxlit_set_options(s, &options);
  assert_int_equal(ptxlit_check(s, 0, 0, &result), PTXLIT_OK);
  assert_int_equal(result->verdict, PTXLIT_FORBIDDEN);
  assert_int_equal(ptxlit_claims(result, &claims), 2);
  assert_string_equal(claims[0].what, "no execution satisfies the predicate");
  assert_string_equal(claims[1].what, "no other outcome");
  for (int i = 0; i < 2; i++) {
    assert_int_equal(claims[i].size, strlen(claims[i].dimacs));
    assert_int_equal(ptxlit_prove(claims[i].dimacs, 0), PTXLIT_UNSATISFIABLE);
  }
  char weaker[8192];
  assert_true(claims[0].size < sizeof weaker);
  memcpy(weaker, claims[0].dimacs, claims[0].size - 1);
  weaker[claims[0].size - 1] = '\0';
  *strrchr(weaker, '\n') = '\0';
  assert_int_equal(ptxlit_prove(weaker, 0), PTXLIT_SATISFIABLE);
  ptxlit_free(s);
}

TEST(certificates_are_shown) {
  struct ptxlit *s = new_session("sc");
  const struct ptxlit_result *a, *b;
  struct ptxlit_options options = ptxlit_defaults();
  assert_int_equal(read_text(s, sb), PTXLIT_OK);
  assert_int_equal(ptxlit_check(s, 0, 0, &a), PTXLIT_OK);
  options.engine = PTXLIT_ENUMERATE;
  ptxlit_set_options(s, &options);
  assert_int_equal(ptxlit_check(s, 0, 0, &b), PTXLIT_OK);
  assert_null(ptxlit_difference(a, b));
  assert_true(b->candidates > 0);
  const struct ptxlit_certificate none = {.problem = "nobody asked"}, some = {.certified = true, .candidates = 5};
  assert_int_equal(ptxlit_certify(s, a, &none), PTXLIT_OK);
  assert_string_equal(ptxlit_render(s, a, PTXLIT_QUIET), "Test SB sc forbidden Never not certified: nobody asked\n");
  assert_int_equal(ptxlit_certify(s, a, &some), PTXLIT_OK);
  assert_string_equal(ptxlit_render(s, a, PTXLIT_QUIET), "Test SB sc forbidden Never certified\n");
  assert_non_null(strstr(ptxlit_render(s, a, PTXLIT_TEXT), "from 5 candidate executions"));
  ptxlit_free(s);
}

TEST(models_are_listed) {
  struct ptxlit *s = new_session(NULL);
  const char *list = ptxlit_list_models(s);
  assert_non_null(strstr(list, "ptx\t"));
  assert_non_null(strstr(list, "coherence\t"));
  assert_null(strstr(list, "stdlib"));
  assert_null(strstr(list, "cos"));
  const char *near = "";
  assert_true(ptxlit_knows_model(s, "coherence", &near));
  assert_null(near);
  assert_false(ptxlit_knows_model(s, "coherense", &near));
  assert_string_equal(near, "coherence");
  size_t held = s->session.bytes;
  for (int i = 0; i < 10; i++) assert_non_null(ptxlit_list_models(s));
  assert_int_equal(s->session.bytes, held);
  ptxlit_free(s);
}

TEST(statuses) {
  static const enum ptxlit_status order[] = {PTXLIT_OK, PTXLIT_UNMET, PTXLIT_NO_VERDICT, PTXLIT_BAD_INPUT};
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) assert_int_equal(ptxlit_worse(order[i], order[j]), order[i > j ? i : j]);
}

int main(void) { return run_each(NULL, NULL); }
