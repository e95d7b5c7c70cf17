/* Tests of the cat language: the graphs of operators that expressions become. */
#include "test_cat.h"

/* ---- predefined names ---- */

TEST(every_builtin_has_its_name) {
  for (unsigned i = 0; i < CAT_BUILTIN_COUNT; i++) {
    enum cat_builtin b = (enum cat_builtin)i;
    assert_int_equal(builtin_find(builtin_name(b)), b);
    assert_true(strlen(builtin_meaning(b)) > 0);
    assert_int_equal(builtin_is_set(b), i < CAT_SET_COUNT);
    struct model *model = read(arena_printf(&arena, "empty %s", builtin_name(b)));
    assert_int_equal(model->nodes.len, 1);
    assert_int_equal(model->nodes.data[0].builtin, b);
    assert_int_equal(model->nodes.data[0].is_set, builtin_is_set(b));
  }
  assert_int_equal(builtin_find("no-such-name"), CAT_BUILTIN_COUNT);
}

TEST(aliases_name_the_same_thing) {
  assert_same("sync_fence", "sc");
  assert_same("syncbar", "bar");
  assert_same("sync_barrier", "bar");
  assert_same("amo", "rmw");
}

/* ---- precedence ---- */

/* For the binary operators, loosest first: how a text with two of them groups. */
TEST(binary_operators_group_by_precedence) {
  static const char *const ops[] = {"|", ";", "\\", "&"};
  for (size_t loose = 0; loose < ARRAY_LEN(ops); loose++)
    for (size_t tight = loose + 1; tight < ARRAY_LEN(ops); tight++) {
      const char *l = ops[loose], *t = ops[tight];
      assert_same(arena_printf(&arena, "rf %s co %s po", l, t), arena_printf(&arena, "rf %s (co %s po)", l, t));
      assert_differ(arena_printf(&arena, "rf %s co %s po", l, t), arena_printf(&arena, "(rf %s co) %s po", l, t));
      assert_same(arena_printf(&arena, "rf %s co %s po", t, l), arena_printf(&arena, "(rf %s co) %s po", t, l));
      assert_differ(arena_printf(&arena, "rf %s co %s po", t, l), arena_printf(&arena, "rf %s (co %s po)", t, l));
    }
}

TEST(difference_groups_to_the_left) {
  assert_same("rf \\ co \\ po", "(rf \\ co) \\ po");
  assert_differ("rf \\ co \\ po", "rf \\ (co \\ po)");
  assert_same("(rf | co) | po", "rf | co | po");
  assert_same("rf ; co ; po", "(rf ; co) ; po");
}

TEST(product_binds_tightest) {
  static const char *const ops[] = {"|", ";", "\\", "&"};
  for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
    assert_same(arena_printf(&arena, "po %s W * R", ops[i]), arena_printf(&arena, "po %s (W * R)", ops[i]));
    assert_same(arena_printf(&arena, "W * R %s po", ops[i]), arena_printf(&arena, "(W * R) %s po", ops[i]));
  }
}

TEST(complement_is_looser_than_product_and_postfix) {
  assert_same("~W * R", "~(W * R)");
  assert_differ("~W * R", "(~W) * R");
  assert_same("W * ~R", "W * (~R)");
  assert_same("~rf^-1", "~(rf^-1)");
  assert_same("~rf+", "~(rf+)");
  assert_same("~co*", "~(co*)");
  assert_same("~co?", "~(co?)");
  assert_differ("~co?", "(~co)?");
}

TEST(complement_is_tighter_than_the_other_operators) {
  static const char *const ops[] = {"|", ";", "\\", "&"};
  for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
    assert_same(arena_printf(&arena, "~rf %s co", ops[i]), arena_printf(&arena, "(~rf) %s co", ops[i]));
    assert_differ(arena_printf(&arena, "~rf %s co", ops[i]), arena_printf(&arena, "~(rf %s co)", ops[i]));
    assert_same(arena_printf(&arena, "rf %s ~co", ops[i]), arena_printf(&arena, "rf %s (~co)", ops[i]));
  }
}

TEST(postfix_operators_bind_to_the_nearest) {
  static const char *const ops[] = {"|", ";", "\\", "&"}, *const post[] = {"+", "*", "?", "^-1"};
  for (size_t i = 0; i < ARRAY_LEN(ops); i++)
    for (size_t j = 0; j < ARRAY_LEN(post); j++) {
      const char *o = ops[i], *p = post[j];
      assert_same(arena_printf(&arena, "ctrl %s data%s", o, p), arena_printf(&arena, "ctrl %s (data%s)", o, p));
      assert_differ(arena_printf(&arena, "ctrl %s data%s", o, p), arena_printf(&arena, "(ctrl %s data)%s", o, p));
      assert_same(arena_printf(&arena, "ctrl%s %s data", p, o), arena_printf(&arena, "(ctrl%s) %s data", p, o));
    }
  assert_same("W * R+", "(W * R)+");
  assert_same("data^-1+", "(data^-1)+");
  assert_same("data+^-1", "(data+)^-1");
  assert_same("data?+", "(data?)+");
  assert_same("rf ^ -1", "rf^-1");
  assert_same("data^+", "data+");
  assert_same("data^*", "data*");
}

TEST(a_star_before_an_operand_is_a_product) {
  assert_same("W * (R)", "(W) * (R)");
  assert_same("data* ; po", "(data*) ; po");
  assert_same("data* | po", "(data*) | po");
  assert_same("(data* )", "data*");
  assert_same("W * _", "W * E");
  assert_same("_ * {}", "0 & po");
  struct model *model = read("let x = data*\nlet y = x*\nacyclic data*\nshow y");
  assert_int_equal(model->axioms.len, 1);
}

TEST(addition_stands_between_union_and_sequence) {
  assert_refused("empty R | W ++ F", DIAG_CAT_UNSUPPORTED, "W ++ F");
  assert_refused("empty rf ++ po ; co", DIAG_CAT_UNSUPPORTED, "rf ++ po ; co");
}

/* ---- operators ---- */

TEST(operators_make_their_nodes) {
  static const struct {
    const char *text;
    enum cat_op op;
    bool is_set;
  } cases[] = {
      {"rf | co", CAT_UNION, false},
      {"R | F", CAT_UNION, true},
      {"rf & co", CAT_INTER, false},
      {"R & F", CAT_INTER, true},
      {"rf \\ co", CAT_DIFF, false},
      {"R \\ F", CAT_DIFF, true},
      {"~rf", CAT_COMPL, false},
      {"~R", CAT_COMPL, true},
      {"rf ; co", CAT_SEQ, false},
      {"rf^-1", CAT_INVERSE, false},
      {"data+", CAT_PLUS, false},
      {"R * F", CAT_PRODUCT, false},
      {"[R]", CAT_IDENTITY, false},
      {"domain(rf)", CAT_DOMAIN, true},
      {"range(rf)", CAT_RANGE, true},
      {"data*", CAT_UNION, false},
      {"data?", CAT_UNION, false},
      {"0", CAT_EMPTY, false},
      {"{}", CAT_EMPTY, false},
      {"po", CAT_BUILTIN, false},
      {"id", CAT_BUILTIN, false},
      {"domain rf", CAT_DOMAIN, true},
      {"fencerel(F)", CAT_SEQ, false},
      {"begin rf | co end", CAT_UNION, false},
      {"let x = rf in x | co", CAT_UNION, false},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct model *model = read(arena_printf(&arena, "empty %s", cases[i].text));
    struct cat_expr *e = &model->nodes.data[model->axioms.data[0].node];
    if (e->op != cases[i].op || e->is_set != cases[i].is_set) fail_msg("%s: operator %d", cases[i].text, (int)e->op);
  }
}

TEST(operands_come_before_their_node) {
  static const char *const files[] = {"ptx", "ptx-7.5", "ptx-6.0", "sc", "tso", "coherence"};
  for (size_t i = 0; i < ARRAY_LEN(files); i++) {
    struct model *model = read(arena_printf(&arena, "include \"%s.cat\"", files[i]));
    assert_true(model->axioms.len > 0);
    for (cat_node n = 0; n < model->nodes.len; n++) {
      struct cat_expr *e = &model->nodes.data[n];
      assert_true(e->a == CAT_NO_NODE || e->a < n);
      assert_true(e->b == CAT_NO_NODE || e->b < n);
      for (cat_node m = 0; m < n; m++) {
        struct cat_expr *f = &model->nodes.data[m];
        assert_false(e->op != CAT_REC && f->op == e->op && f->a == e->a && f->b == e->b && f->builtin == e->builtin &&
                     f->is_set == e->is_set);
      }
    }
  }
}

TEST(free_constants_take_the_type_they_need) {
  assert_same("rf | 0", "rf");
  assert_same("R | {}", "R");
  assert_same("[{}]", "0 & rf");
  assert_same("_ & R", "R");
  assert_same("_ & rf", "rf");
  assert_same("~0 & rf", "rf");
  assert_same("_ \\ R", "E \\ R");
  assert_same("domain(0)", "{} & R");
  assert_same("let none = 0 in rf | none", "rf | (let none = 0 in none)");
}

/* ---- simplification ---- */

TEST(laws_that_always_hold_are_applied) {
  static const char *const laws[][2] = {
      {"rf | rf", "rf"},
      {"rf & rf", "rf"},
      {"rf \\ rf", "0 & rf"},
      {"rf | co", "co | rf"},
      {"rf & co", "co & rf"},
      {"rf ; 0", "0 & rf"},
      {"0 ; rf", "0 & rf"},
      {"id ; rf", "rf"},
      {"rf ; id", "rf"},
      {"[_]", "id"},
      {"[R] ; [F]", "[R & F]"},
      {"rf ; [R] ; [ACQ]", "rf ; [R & ACQ]"},
      {"[R] ; ([ACQ] ; rf)", "[R & ACQ] ; rf"},
      {"(data+)+", "data+"},
      {"(data*)*", "data*"},
      {"data+*", "data*"},
      {"data*+", "data*"},
      {"data?+", "data*"},
      {"data+?", "data*"},
      {"(data+ | ctrl)+", "(data | ctrl)+"},
      {"(rf^-1)^-1", "rf"},
      {"loc^-1", "loc"},
      {"[R]^-1", "[R]"},
      {"(R * F)^-1", "F * R"},
      {"co+", "co"},
      {"po+", "po"},
      {"rf+", "rf"},
      {"int+", "int"},
      {"~~rf", "rf"},
      {"~_", "{}"},
      {"R * 0", "0 & rf"},
      {"R * F & id", "[R & F]"},
      {"rf | rf & co", "rf"},
      {"rf & (rf | co)", "rf"},
      {"(rf | co) | co", "rf | co"},
      {"domain([R])", "R"},
      {"range(id)", "E"},
      {"domain(rf^-1)", "range(rf)"},
  };
  for (size_t i = 0; i < ARRAY_LEN(laws); i++) assert_same(laws[i][0], laws[i][1]);
}

TEST(laws_that_may_fail_are_not) {
  assert_differ("sc+", "sc");
  assert_differ("loc+", "loc");
  assert_differ("bar+", "bar");
  assert_differ("data+", "data");
  assert_differ("rf^-1", "rf");
  assert_differ("sc^-1", "sc");
  assert_differ("incl^-1", "incl");
  assert_differ("rf ; co", "co ; rf");
  assert_differ("rf \\ co", "co \\ rf");
  assert_differ("R * F", "F * R");
  assert_differ("domain(rf)", "range(rf)");
  assert_differ("domain(R * F)", "R");
}

static enum cat_test test_of(const char *text, const char *same_as) {
  struct model *model = read(arena_printf(&arena, "%s as one empty %s as two", text, same_as));
  if (model->axioms.data[0].node != model->axioms.data[1].node) fail_msg("%s is not about %s", text, same_as);
  return model->axioms.data[0].test;
}

TEST(axioms_lose_closures) {
  assert_int_equal(test_of("acyclic data+", "data"), CAT_ACYCLIC);
  assert_int_equal(test_of("acyclic data+ | ctrl", "data | ctrl"), CAT_ACYCLIC);
  assert_int_equal(test_of("irreflexive data+", "data"), CAT_ACYCLIC);
  assert_int_equal(test_of("irreflexive data", "data"), CAT_IRREFLEXIVE);
  assert_int_equal(test_of("irreflexive sc", "sc"), CAT_IRREFLEXIVE);
  assert_int_equal(test_of("acyclic po", "po"), CAT_ACYCLIC);
  assert_int_equal(test_of("empty data+", "data+"), CAT_IS_EMPTY);
}

TEST(what_nothing_uses_is_dropped) {
  struct model *model = read("let unused = rf ; co\nlet rec unused-too = po | (unused-too ; rf)\n"
                             "let rec used = data | ((used & data) ; used)\nempty used");
  assert_int_equal(model->group_count, 1);
  for (cat_node n = 0; n < model->nodes.len; n++)
    assert_true(model->nodes.data[n].op != CAT_BUILTIN || model->nodes.data[n].builtin == CAT_REL_DATA);
}

/* ---- definitions ---- */

TEST(definitions_name_their_nodes) {
  struct model *model = read("let com = rf | co\nlet again = co | rf\nempty again");
  assert_string_equal(model->nodes.data[model->axioms.data[0].node].name, "com");
  assert_null(model->nodes.data[0].name);
}

TEST(a_later_definition_shadows) {
  assert_true(same_in("let x = rf let y = x let x = co", "x", "co"));
  assert_true(same_in("let x = rf let y = x let x = co", "y", "rf"));
  assert_true(same_in("let co = co+ let fr = rf^-1 ; co", "fr", "rf^-1 ; co"));
  assert_true(same_in("let po = rf let f(r) = r | po let po = co", "f(data)", "data | rf"));
  assert_true(same_in("let R = W", "R", "W"));
  assert_true(same_in("let x = rf", "let x = x | co in x ; x", "(rf | co) ; (rf | co)"));
  assert_true(same_in("let x = rf let y = let x = co in x", "x | y", "rf | co"));
}

TEST(and_defines_side_by_side) {
  assert_true(same_in("let x = rf let x = co and y = x", "x | y ; po", "co | rf ; po"));
}

TEST(functions_are_applied) {
  assert_true(same_in("let f(r) = r ; r", "f(rf | co)", "(rf | co) ; (rf | co)"));
  assert_true(same_in("let f r = r ; r", "f rf", "rf ; rf"));
  assert_true(same_in("let f(r) = r ; r", "f(f(rf))", "(rf ; rf) ; (rf ; rf)"));
  assert_true(same_in("let f(S, r) = [S] ; r", "f(W, rf)", "[W] ; rf"));
  assert_true(same_in("let f() = rf", "f()", "rf"));
  assert_true(same_in("let f(_, r) = r", "f(W, rf)", "rf"));
  assert_true(same_in("let f(g) = g(rf)", "f(domain)", "domain(rf)"));
  assert_true(same_in("let f(r) = r+ | id", "f(data)", "data*"));
  assert_same("fencerel(F & SC)", "po ; [F & SC] ; po");
  assert_same("toid(R)", "[R]");
  assert_same("po-loc", "po & loc");
  assert_same("fre ; coe", "(fr & ext) ; (co & ext)");
}

TEST(names_hold_dots_and_dashes) {
  assert_true(same_in("let a-1.b_c' = rf", "a-1.b_c'^-1", "rf^-1"));
  struct model *model = read("let x = rf acyclic x as Causality-8.10.6");
  assert_string_equal(model->axioms.data[0].name, "Causality-8.10.6");
}

TEST(recursion_makes_groups) {
  struct model *model =
      read("let rec x = rf | (x ; y) and y = co | x\nlet rec z = x | ((z & co) ; z)\nempty y empty z");
  assert_int_equal(model->group_count, 2);
  uint32_t counts[2] = {0, 0};
  for (cat_node n = 0; n < model->nodes.len; n++) {
    struct cat_expr *e = &model->nodes.data[n];
    if (e->op != CAT_REC) continue;
    assert_true(e->group < 2 && e->body < model->nodes.len);
    counts[e->group]++;
  }
  assert_int_equal(counts[0], 2);
  assert_int_equal(counts[1], 1);
}

TEST(recursive_sets_are_found_out) {
  struct model *model = read("let rec S = R | range([S] ; rf)\nempty S");
  assert_true(model->nodes.data[model->axioms.data[0].node].is_set);
  model = read("let rec S = W | range(r) and r = rf | ([S] ; co)\nempty r");
  assert_false(model->nodes.data[model->axioms.data[0].node].is_set);
  assert_int_equal(diags.errors, 0);
}

TEST(recursion_must_be_monotone) {
  assert_refused("let rec x = rf \\ (x ; co)", DIAG_CAT_NOT_MONOTONE, "(x ; co)");
  assert_refused("let rec xx = rf | ~(xx & po)", DIAG_CAT_NOT_MONOTONE, "(xx & po)");
  assert_refused("let rec x = rf | y and y = po \\ x+", DIAG_CAT_NOT_MONOTONE, "x+");
  read("let rec x = (rf \\ co) | ((x \\ rf) ; x) empty x");
  read("let rec x = rf | (x ; x) let y = po \\ x empty ~x | y");
}

TEST(recursion_that_is_a_closure_is_one) {
  assert_true(same_in("let rec x = data | x ; x", "x", "data+"));
  assert_true(same_in("let rec x = data | data ; x", "x", "data+"));
  assert_true(same_in("let rec x = data | x ; data | x", "x", "data+"));
  assert_true(same_in("let rec x = rf | x ; rmw ; x", "x", "rf ; (rmw ; rf)*"));
  assert_true(same_in("let rec x = rf | x ; data", "x", "rf ; data*"));
  assert_true(same_in("let rec x = rf | ctrl ; data ; x", "x", "(ctrl ; data)* ; rf"));
  assert_true(same_in("let rec x = x ; rf", "x", "0"));
  assert_true(same_in("let rec x = x ; rf | data | ctrl", "x", "(data | ctrl) ; rf*"));
  assert_false(same_in("let rec x = data | x ; x & po", "x", "data+"));
  assert_false(same_in("let rec x = data | x?", "x", "data"));
}

TEST(try_falls_back) {
  assert_same("try nothing-of-this-name with rf", "rf");
  assert_same("try co with rf", "co");
  assert_int_equal(diags.errors, 0);
}

int main(void) { return run_each(open_arena, close_arena); }
