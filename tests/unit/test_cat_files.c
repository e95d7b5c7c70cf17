/* Tests of the cat language: whole files, the errors of bad ones, and the shipped models. */
#include "test_cat.h"

/* ---- statements ---- */

TEST(axioms_have_roles_and_names) {
  struct model *model = read("acyclic po as a\n~acyclic po as b\nflag ~empty rf as c\nundefined_unless empty co as d\n"
                             "flag irreflexive fr\n~ empty po");
  assert_int_equal(model->axioms.len, 6);
  static const struct {
    enum cat_role role;
    enum cat_test test;
    bool negated;
    const char *name;
  } want[] = {{CAT_AXIOM, CAT_ACYCLIC, false, "a"},
              {CAT_AXIOM, CAT_ACYCLIC, true, "b"},
              {CAT_FLAG, CAT_IS_EMPTY, true, "c"},
              {CAT_UNDEFINED, CAT_IS_EMPTY, false, "d"},
              {CAT_FLAG, CAT_IRREFLEXIVE, false, "axiom-at-line-5"},
              {CAT_AXIOM, CAT_IS_EMPTY, true, "axiom-at-line-6"}};
  for (size_t i = 0; i < ARRAY_LEN(want); i++) {
    struct cat_axiom *a = &model->axioms.data[i];
    assert_int_equal(a->role, want[i].role);
    assert_int_equal(a->test, want[i].test);
    assert_int_equal(a->negated, want[i].negated);
    assert_string_equal(a->name, want[i].name);
  }
}

TEST(shows_are_collected) {
  struct model *model = read("let x = rf show x, co, rf ; co as both show po | x as other unshow co, other");
  assert_int_equal(model->shows.len, 2);
  assert_string_equal(model->shows.data[0].name, "x");
  assert_string_equal(model->shows.data[1].name, "both");
  assert_int_equal(model->nodes.data[model->shows.data[1].node].op, CAT_SEQ);
}

TEST(the_header_is_the_title) {
  assert_string_equal(read("PTX\nacyclic po")->title, "PTX");
  assert_string_equal(read("\"SC\"\nacyclic po")->title, "SC");
  assert_string_equal(read("C \"the model\" acyclic po")->title, "the model");
  assert_string_equal(read("X86 TSO acyclic po")->title, "X86 TSO");
  assert_null(read("acyclic po")->title);
  assert_string_equal(read("acyclic po")->name, "test");
}

TEST(comments_are_blank) {
  assert_same("rf (* a (* nested *) ** comment *) | co", "rf | co");
  assert_same("rf // a line with (* no end\n | co", "rf | co");
  assert_same("rf # another\n | co /* C's * / */", "rf | co");
  assert_refused("empty rf (* (* *)", DIAG_UNCLOSED, NULL);
}

TEST(includes_are_read_in_place) {
  assert_true(same_in("include \"defines.cat\"", "twice(included)", "(rf | co) ; (rf | co)"));
  assert_true(same_in("let included = po include \"defines.cat\"", "included", "rf | co"));
  struct model *model = read("include \"defines.cat\" empty included");
  assert_int_equal(model->sources.len, 3);
  assert_null(model->title);
  assert_int_equal(read("include \"cos.cat\"")->axioms.len, 1);
  assert_int_equal(read("include \"cos.cat\" include \"cos.cat\"")->axioms.len, 1);
  assert_int_equal(read("include \"cross.cat\" with co from generate_cos(co0)")->axioms.len, 1);
}

TEST(bad_includes_are_errors) {
  assert_refused("include \"no-such-file.cat\"", DIAG_CAT_INCLUDE, "\"no-such-file.cat\"");
  assert_refused("include \"loop.cat\"", DIAG_CAT_INCLUDE, NULL);
  assert_refused("include \"broken.cat\"", DIAG_SYNTAX, NULL);
  assert_string_equal(diags.list.data[0].span.source->name, "broken.cat");
}

/* ---- errors ---- */

TEST(unknown_names_are_errors) {
  assert_refused("let x = rf | fo", DIAG_CAT_UNKNOWN, "fo");
  assert_refused("let com = rf\nacyclic comm", DIAG_CAT_UNKNOWN, "comm");
  assert_string_equal(diags.list.data[0].hint, "did you mean 'com'?");
  assert_refused("let x = y let y = rf", DIAG_CAT_UNKNOWN, "y");
  assert_refused("let x = x", DIAG_CAT_UNKNOWN, NULL);
  assert_refused("let f(r) = r let y = r", DIAG_CAT_UNKNOWN, NULL);
  assert_refused("let x = let y = rf in y let z = y", DIAG_CAT_UNKNOWN, NULL);
  assert_refused("show nothing-here", DIAG_CAT_UNKNOWN, "nothing-here");
}

TEST(types_must_fit) {
  assert_refused("let x = W ; rf", DIAG_CAT_TYPE, "W");
  assert_refused("let x = rf & FENCE-less", DIAG_CAT_UNKNOWN, "FENCE-less");
  assert_refused("let x = rf & W", DIAG_CAT_TYPE, "W");
  assert_refused("let x = W | rf", DIAG_CAT_TYPE, "W");
  assert_refused("let x = [rf]", DIAG_CAT_TYPE, "rf");
  assert_refused("let x = rf * W", DIAG_CAT_TYPE, "rf");
  assert_refused("let x = W+", DIAG_CAT_TYPE, "W");
  assert_refused("let x = W^-1", DIAG_CAT_TYPE, "W");
  assert_refused("let x = domain(W)", DIAG_CAT_TYPE, "W");
  assert_refused("acyclic W", DIAG_CAT_TYPE, "W");
  assert_refused("let f(r) = r let x = f | rf", DIAG_CAT_TYPE, NULL);
  assert_refused("acyclic fencerel", DIAG_CAT_TYPE, "fencerel");
  assert_refused("let x = rf po", DIAG_CAT_TYPE, "rf");
  assert_refused("let x = rf [W]", DIAG_CAT_TYPE, "rf");
  assert_refused("let x = fencerel(W, R)", DIAG_CAT_ARGUMENTS, "fencerel(W, R)");
  assert_refused("let x = domain(rf, co)", DIAG_CAT_ARGUMENTS, "domain(rf, co)");
  assert_refused("let x = fencerel(po)", DIAG_CAT_TYPE, NULL);
}

TEST(one_mistake_gives_one_message) {
  assert_refused("let x = rf | fo let y = x ; po let z = y & co acyclic z", DIAG_CAT_UNKNOWN, "fo");
  assert_refused("let rec x = rf | (x ; fo)", DIAG_CAT_UNKNOWN, "fo");
}

TEST(several_mistakes_are_all_reported) {
  assert_null(read_bytes("let x = aa1 let y = bb2 acyclic W", 33));
  assert_int_equal(diags.errors, 3);
}

TEST(names_are_distinct) {
  assert_refused("let x = rf and x = co", DIAG_CAT_DUPLICATE, NULL);
  assert_refused("let rec x = rf and x = co", DIAG_CAT_DUPLICATE, NULL);
  assert_refused("let f(a, a) = a", DIAG_CAT_DUPLICATE, NULL);
}

TEST(syntax_errors_have_places) {
  assert_refused("let x =) rf", DIAG_SYNTAX, ")");
  assert_refused("let = rf", DIAG_SYNTAX, "=");
  assert_refused("acyclic", DIAG_SYNTAX, NULL);
  assert_refused("acyclic po |", DIAG_SYNTAX, NULL);
  assert_refused("let x = (rf", DIAG_SYNTAX, NULL);
  assert_refused("let x = rf)", DIAG_SYNTAX, ")");
  assert_refused("acyclic po as", DIAG_SYNTAX, NULL);
  assert_refused("empty po } x", DIAG_SYNTAX, "}");
  assert_refused("let x = rf $", DIAG_STRAY_BYTE, "$");
  assert_refused("let x = 1", DIAG_STRAY_BYTE, "1");
  assert_refused("include \"cos", DIAG_UNCLOSED, "\"");
  assert_refused("acyclic po cut x", DIAG_CAT_TYPE, "po");
  assert_refused("acyclic po as a cut x", DIAG_SYNTAX, "cut");
  assert_refused("acylic po empty rf", DIAG_SYNTAX, "acylic");
  assert_refused("\"T\" acylic po", DIAG_SYNTAX, "acylic");
}

TEST(foreign_constructs_are_named) {
  static const char *const words[] = {"match", "procedure", "call", "enum", "forall", "fun", "instructions"};
  for (size_t i = 0; i < ARRAY_LEN(words); i++)
    assert_refused(arena_printf(&arena, "acyclic po %s x", words[i]), DIAG_CAT_UNSUPPORTED, NULL);
  assert_refused("let x = 'tag", DIAG_CAT_UNSUPPORTED, "'tag");
  assert_refused("let (x, y) = rf", DIAG_CAT_UNSUPPORTED, "(x, y)");
  assert_refused("let rec f(r) = f(r)", DIAG_CAT_UNSUPPORTED, "f");
  assert_refused("with co from linearisations(W, co0)", DIAG_CAT_UNSUPPORTED, NULL);
  assert_refused("let rec x = (let rec y = rf | y in y) | x", DIAG_CAT_UNSUPPORTED, NULL);
}

TEST(nothing_is_an_error) {
  assert_refused("", DIAG_EMPTY_INPUT, NULL);
  assert_refused("PTX", DIAG_EMPTY_INPUT, NULL);
  assert_refused(" \n (* only a comment *) // and another", DIAG_EMPTY_INPUT, NULL);
}

TEST(junk_is_an_error) {
  char junk[256];
  for (int i = 0; i < 256; i++) junk[i] = (char)i;
  assert_null(read_bytes(junk, sizeof junk));
  assert_int_equal(diags.list.data[0].code, DIAG_STRAY_BYTE);
  assert_null(read_bytes("let x = rf\0 | co", 16));
  assert_int_equal(diags.list.data[0].code, DIAG_STRAY_BYTE);
}

static const char *repeat(const char *head, const char *unit, size_t times, const char *tail) {
  struct text out = {.arena = &arena};
  text_add(&out, head);
  for (size_t i = 0; i < times; i++) text_add(&out, unit);
  text_add(&out, tail);
  return text_str(&out);
}

TEST(depth_is_limited) {
  assert_refused(repeat("empty ", "(", 100000, "po"), DIAG_TOO_DEEP, NULL);
  assert_refused(repeat("empty ", "[domain(", 50000, "po"), DIAG_TOO_DEEP, NULL);
  assert_refused(repeat("empty ", "~", 100000, "po"), DIAG_TOO_DEEP, NULL);
  assert_refused(repeat("empty po", "^-1", 100000, ""), DIAG_TOO_DEEP, NULL);
  assert_refused(repeat("empty po", " ; rf", 100000, ""), DIAG_TOO_DEEP, NULL);
  assert_refused(repeat("empty ", "let x = rf in ", 100000, "x"), DIAG_TOO_DEEP, NULL);
  assert_refused(repeat("empty domain", " domain", 100000, ""), DIAG_TOO_DEEP, NULL);
  assert_refused(repeat("empty rf ", "(*", 100000, ""), DIAG_UNCLOSED, NULL);
  read(repeat("empty po", " ; rf", 300, ""));
  read(repeat(repeat("empty ", "(", 300, "po"), ")", 300, ""));
}

TEST(expansion_is_limited) {
  struct text out = {.arena = &arena};
  text_add(&out, "let f0(r) = r ; r\n");
  for (int i = 1; i < 60; i++) text_printf(&out, "let f%d(r) = f%d(r) | f%d(r^-1)\n", i, i - 1, i - 1);
  text_add(&out, "empty f59(data)");
  assert_refused(text_str(&out), DIAG_CAT_TOO_LARGE, NULL);
  struct text chain = {.arena = &arena};
  text_add(&chain, "let f0(r) = r\n");
  for (int i = 1; i < 5000; i++) text_printf(&chain, "let f%d(r) = f%d(r)\n", i, i - 1);
  text_add(&chain, "empty f4999(data)");
  assert_refused(text_str(&chain), DIAG_TOO_DEEP, NULL);
}

TEST(large_files_are_read) {
  struct text out = {.arena = &arena};
  while (out.len < 10000000) text_add(&out, "(* a line to make the file long *) // and another comment\n");
  for (int i = 0; i < 2000; i++) text_add(&out, "let x = rf | (co ; data)+\n");
  text_add(&out, "acyclic x");
  assert_int_equal(read(text_str(&out))->axioms.len, 1);
}

/* ---- shipped models ---- */

TEST(shipped_models_are_whole) {
  static const struct {
    const char *file, *axioms;
  } want[] = {
      {"ptx", "Barrier-Phases-9.7.15.1 Coherence-Order-8.9.6 Coherence-8.10.1 Fence-SC-8.10.2 Atomicity-8.10.3 "
              "No-Thin-Air-8.10.4 SC-per-Location-8.10.5 Causality-8.10.6 Time-8.9.1.1 Mbarrier-Order-9.7.15.16 "
              "In-Flight-9.7.10.28.1 Mbarrier-Init-9.7.15.16 Mbarrier-Never-9.7.15.16 Mbarrier-Inval-9.7.15.16 "
              "Shared-Memory-9.7.9 Tensor-Columns-9.7.18.7 Tensor-Dealloc-9.7.18.7 Tensor-Pair-9.7.18.7 "
              "Mixed-Size-Race-8.7.2 Data-Race-8.7.1 Reader-Side-Proxy-Fence Scope-Too-Narrow Phase-Unseen "
              "Grid-Not-Waited Unwaited-Copy Unwaited-At-End Shared-Memory-Begin Shared-Memory-End "
              "Uninitialised-Read "},
      {"ptx-7.5", "Barrier-Phases-9.7.15.1 Coherence-Order-8.9.6 Coherence-8.10.1 Fence-SC-8.10.2 Atomicity-8.10.3 "
                  "No-Thin-Air-8.10.4 "
                  "SC-per-Location-8.10.5 Causality-8.10.6 Mixed-Size-Race-8.7.2 Data-Race-8.7.1 "},
      {"ptx-6.0", "Barrier-Phases-9.7.15.1 Coherence-Order-8.9.6 Coherence-8.10.1 Fence-SC-8.10.2 Atomicity-8.10.3 "
                  "No-Thin-Air-8.10.4 "
                  "SC-per-Location-8.10.5 Causality-8.10.6 Mixed-Size-Race-8.7.2 Data-Race-8.7.1 "},
      {"sc", "Total-Coherence Sequential-Consistency Atomicity "},
      {"tso", "Total-Coherence SC-per-Location Atomicity Total-Store-Order "},
      {"coherence", "Total-Coherence SC-per-Location No-Thin-Air "},
  };
  for (size_t i = 0; i < ARRAY_LEN(want); i++) {
    struct model *model = read(arena_printf(&arena, "include \"%s.cat\"", want[i].file));
    struct text names = {.arena = &arena};
    for (uint32_t j = 0; j < model->axioms.len; j++) text_printf(&names, "%s ", model->axioms.data[j].name);
    assert_string_equal(text_str(&names), want[i].axioms);
  }
}

/* Readings add executions or take some away; only so can `--readings=all` try dozens of them. */
TEST(readings_have_effects) {
  struct model *ptx = read_as("include \"ptx.cat\"", NULL);
  assert_true(model_is_stronger(&arena, ptx, ptx));
  for (uint32_t i = 0; i < ptx->readings.len; i++) {
    const char *name = ptx->readings.data[i].name;
    if (ptx->readings.data[i].effect != CAT_UNKNOWN) continue;
    struct model *other = read_as("include \"ptx.cat\"", name);
    if (model_is_stronger(&arena, ptx, other) == model_is_stronger(&arena, other, ptx))
      fail_msg("%s: not known whether it adds or takes away", name);
  }
}

TEST(stronger_models_are_told_by_their_form) {
  static const struct {
    const char *strong, *weak;
  } want[] = {
      {"acyclic po | rf", "acyclic rf"},
      {"empty (po | rf)+ & loc", "empty ((po ; rf) | (co & rf))+ & loc"},
      {"acyclic po | rf acyclic co", "acyclic rf"},
      {"empty (po \\ rf) ; co", "empty (po \\ (rf | fr)) ; co"},
      {"empty po", "empty po & rf"},
      {"empty po", "empty po \\ rf"},
      {"irreflexive (po | rf)+", "irreflexive po+"},
      {"empty ~(po & rf)", "empty ~po"},
      {"let rec r = po | rf | (r ; r) irreflexive r", "let rec r = po | (r ; r) irreflexive r"},
      {"empty _ * _", "empty co"},
      {"~empty po", "~empty po | rf"},
      {"empty co undefined_unless empty po & rf", "empty co undefined_unless empty po"},
  };
  for (size_t i = 0; i < ARRAY_LEN(want); i++) {
    struct model *strong = read(want[i].strong), *weak = read(want[i].weak);
    if (!model_is_stronger(&arena, strong, weak)) fail_msg("%s is not stronger than %s", want[i].strong, want[i].weak);
    assert_false(model_is_stronger(&arena, weak, strong));
  }
  struct model *one = read("empty po & rf"), *other = read("empty po & co");
  assert_false(model_is_stronger(&arena, one, other) || model_is_stronger(&arena, other, one));
}

TEST(a_dump_shows_nodes_and_axioms) {
  struct model *model = read("\"T\" let com = rf | co acyclic com+ as A show com");
  struct text out = {.arena = &arena};
  model_dump(model, &out);
  assert_string_equal(text_str(&out), "model test \"T\"\nn0    rel builtin rf\nn1    rel builtin co\n"
                                      "n2    rel union n0 n1  # com\naxiom A: acyclic n2\nshow com: n2\n");
}

int main(void) { return run_each(open_arena, close_arena); }
