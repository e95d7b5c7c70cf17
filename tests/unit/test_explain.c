/* Explanations, fixes, races and comparisons of single tests. tests/corpus follows the explanations of all shipped
 * tests. */

#include "unit.h"
#include <jansson.h>

#include "ptxlit.h"

static const char *const models[] = {"ptx", "ptx-7.5", "ptx-6.0", "sc", "tso"};

enum { MODELS = sizeof models / sizeof models[0] };

static struct ptxlit *new_session(void) {
  struct ptxlit *s = ptxlit_new();
  assert_non_null(s);
  assert_int_equal(ptxlit_add_model_dir(s, "models"), PTXLIT_OK);
  for (size_t i = 0; i < MODELS; i++) assert_int_equal(ptxlit_use_model(s, models[i]), PTXLIT_OK);
  return s;
}

static json_t *parse(const char *text) {
  json_t *object = json_loads(text, 0, NULL);
  assert_non_null(object);
  return object;
}

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

/* ---- Single facts ---- */

static json_t *explained(struct ptxlit *s, const char *path, size_t model, const char *outcome) {
  const char *text;
  assert_int_equal(ptxlit_read_file(s, path), PTXLIT_OK);
  assert_int_equal(ptxlit_explain(s, 0, model, outcome, PTXLIT_JSON, &text), PTXLIT_OK);
  return parse(text);
}

TEST(core_of_atomicity) {
  struct ptxlit *s = new_session();
  json_t *x = explained(s, "litmus/rmw/atom.add+atom.add.litmus", 0, NULL);
  const json_t *axioms = json_object_get(x, "axioms");
  assert_int_equal(json_array_size(axioms), 2);
  assert_string_equal(text_of(json_array_get(axioms, 0), "name"), "Coherence-Order-8.9.6");
  assert_string_equal(text_of(json_array_get(axioms, 1), "name"), "Atomicity-8.10.3");
  assert_string_equal(text_of(x, "violates"), "Atomicity-8.10.3");
  assert_true(json_is_true(json_object_get(x, "minimum")));
  json_decref(x);
  ptxlit_free(s);
}

TEST(stated_outcomes) {
  struct ptxlit *s = new_session();
  const char *text;
  json_t *x = explained(s, "litmus/classic/SB.litmus", 3, "0:r0=0; 1:r1=0;");
  assert_string_equal(text_of(x, "verdict"), "forbidden");
  json_decref(x);
  assert_int_equal(ptxlit_explain(s, 0, 3, "0:r0=1 /\\ 1:r1=0", PTXLIT_JSON, &text), PTXLIT_OK);
  x = parse(text);
  assert_true(json_is_true(json_object_get(x, "interleaving")));
  json_decref(x);
  assert_int_equal(ptxlit_explain(s, 0, 0, "0:r0=5", PTXLIT_JSON, &text), PTXLIT_OK);
  x = parse(text);
  assert_string_equal(text_of(x, "verdict"), "unreachable");
  json_decref(x);
  assert_int_equal(ptxlit_explain(s, 0, 0, "0:r7=5", PTXLIT_TEXT, &text), PTXLIT_BAD_INPUT);
  assert_null(text);
  assert_non_null(strstr(ptxlit_messages(s, false), "<state>:1:1: error: thread P0 has no register 'r7'"));
  /* the test's own condition is untouched */
  assert_int_equal(ptxlit_explain(s, 0, 0, NULL, PTXLIT_JSON, &text), PTXLIT_OK);
  assert_string_equal(ptxlit_messages(s, false), "");
  ptxlit_free(s);
}

/* ---- Fixes ---- */

static json_t *fixed(struct ptxlit *s, const char *path, bool weaken) {
  const char *text;
  assert_int_equal(ptxlit_read_file(s, path), PTXLIT_OK);
  assert_int_equal(ptxlit_fix(s, 0, 0, &(struct ptxlit_fix_options){.weaken = weaken}, PTXLIT_JSON, &text), PTXLIT_OK);
  return parse(text);
}

TEST(fix_message_passing) {
  struct ptxlit *s = new_session();
  json_t *x = fixed(s, "litmus/classic/MP.litmus", false);
  const json_t *ways = json_object_get(x, "ways"), *way = json_array_get(ways, 0);
  assert_int_equal(json_array_size(ways), 4);
  assert_int_equal(json_array_size(way), 2);
  assert_string_equal(text_of(json_array_get(way, 0), "after"), "st.release.gpu flag, 1");
  assert_string_equal(text_of(json_array_get(way, 1), "after"), "ld.acquire.gpu r0, flag");
  json_decref(x);
  x = fixed(s, "litmus/classic/SB.litmus", false);
  ways = json_object_get(x, "ways");
  assert_int_equal(json_array_size(ways), 1);
  assert_string_equal(text_of(json_array_get(json_array_get(ways, 0), 1), "after"), "fence.sc.gpu");
  json_decref(x);
  ptxlit_free(s);
}

TEST(fix_is_not_needed_or_impossible) {
  struct ptxlit *s = new_session();
  json_t *x = fixed(s, "litmus/classic/MP+release.gpu+acquire.gpu.litmus", false);
  assert_string_equal(text_of(x, "outcome"), "not-needed");
  json_decref(x);
  static const char sc[] = "PTX one\n{ x=0; }\n P0@cta 0 | P1@cta 1 ;\n st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;\n"
                           "exists (1:r0=1)\n";
  const char *text;
  assert_int_equal(ptxlit_read_text(s, "memory", sc, strlen(sc)), PTXLIT_OK);
  assert_int_equal(ptxlit_fix(s, 0, 0, &(struct ptxlit_fix_options){0}, PTXLIT_JSON, &text), PTXLIT_OK);
  x = parse(text);
  assert_string_equal(text_of(x, "outcome"), "none");
  assert_true(json_is_true(json_object_get(x, "interleaving")));
  json_decref(x);
  ptxlit_free(s);
}

TEST(weaken_what_is_too_strong) {
  static const char strong[] =
      "PTX strong\n{ x=0; f=0; }\n P0@cta 0 | P1@cta 1 ;\n st.weak x, 1 | ld.acquire.sys r0, f ;\n"
      " fence.sc.sys | ;\n st.release.gpu f, 1 | ld.weak r1, x ;\nexists (1:r0=1 /\\ 1:r1=0)\n";
  struct ptxlit *s = new_session();
  const char *text;
  assert_int_equal(ptxlit_read_text(s, "memory", strong, strlen(strong)), PTXLIT_OK);
  assert_int_equal(ptxlit_fix(s, 0, 0, &(struct ptxlit_fix_options){.weaken = true}, PTXLIT_JSON, &text), PTXLIT_OK);
  json_t *x = parse(text);
  const json_t *alone = json_object_get(x, "alone"), *together = json_object_get(x, "together");
  assert_int_equal(json_array_size(alone), 3);
  assert_string_equal(text_of(json_array_get(alone, 0), "kind"), "drop");
  assert_string_equal(text_of(json_array_get(alone, 1), "after"), "st.relaxed.gpu f, 1");
  assert_string_equal(text_of(json_array_get(alone, 2), "after"), "ld.acquire.gpu r0, f");
  assert_int_equal(json_array_size(together), 2); /* not both the fence and the release */
  json_decref(x);
  ptxlit_free(s);
}

/* ---- Races and comparisons ---- */

TEST(races_with_what_is_missing) {
  struct ptxlit *s = new_session();
  const char *text;
  assert_int_equal(ptxlit_read_file(s, "litmus/classic/SB+weak.litmus"), PTXLIT_OK);
  assert_int_equal(ptxlit_races(s, 0, 0, PTXLIT_JSON, &text), PTXLIT_OK);
  json_t *x = parse(text);
  const json_t *races = json_object_get(x, "races");
  assert_int_equal(json_array_size(races), 2);
  assert_string_equal(text_of(json_array_get(races, 0), "location"), "x");
  assert_false(json_is_true(json_object_get(json_array_get(races, 0), "mixed-size")));
  assert_non_null(strstr(text_of(json_array_get(races, 0), "not-morally-strong"), "is weak"));
  json_decref(x);
  assert_int_equal(ptxlit_races(s, 0, 3, PTXLIT_JSON, &text), PTXLIT_OK);
  x = parse(text);
  assert_false(json_is_true(json_object_get(x, "asked"))); /* sc has no races */
  json_decref(x);
  assert_int_equal(ptxlit_read_file(s, "litmus/mixed-size/MP+u64+u32+racy.litmus"), PTXLIT_OK);
  assert_int_equal(ptxlit_races(s, 0, 0, PTXLIT_JSON, &text), PTXLIT_OK);
  x = parse(text);
  assert_true(json_is_true(json_object_get(json_array_get(json_object_get(x, "races"), 0), "mixed-size")));
  json_decref(x);
  ptxlit_free(s);
}

TEST(compare_store_buffering) {
  struct ptxlit *s = new_session();
  const char *text;
  assert_int_equal(ptxlit_read_file(s, "litmus/classic/SB.litmus"), PTXLIT_OK);
  assert_int_equal(ptxlit_compare(s, 0, PTXLIT_JSON, &text), PTXLIT_OK);
  json_t *x = parse(text);
  const json_t *rows = json_object_get(x, "outcomes");
  unsigned by_sc = 0, by_ptx = 0;
  assert_int_equal(json_array_size(rows), 4);
  for (size_t i = 0; i < 4; i++) {
    const json_t *allowed = json_object_get(json_array_get(rows, i), "allowed");
    by_sc += json_is_true(json_object_get(allowed, "sc"));
    by_ptx += json_is_true(json_object_get(allowed, "ptx"));
  }
  assert_int_equal(by_sc, 3);
  assert_int_equal(by_ptx, 4);
  assert_string_equal(text_of(x, "strongest"), "sc");
  assert_int_equal(ptxlit_compare(s, 0, PTXLIT_TEXT, &text), PTXLIT_OK);
  assert_non_null(strstr(text, "allows 0:r0=0; 1:r1=0, which sc forbids"));
  json_decref(x);
  ptxlit_free(s);
}

int main(void) { return run_each(NULL, NULL); }
