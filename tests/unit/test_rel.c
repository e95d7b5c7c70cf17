/* Bounds, evaluation and violations of a model on small graphs, with the result by hand. */
#include "test_core.h"

#include "rel/cycle.h"
#include "rel/graph.h"

/* The clause of `empty EXPRESSION`, which is the model's only one. */
static cat_node only_node(const struct model *model) {
  assert_int_equal(model->axioms.len, 1);
  return model->axioms.data[0].node;
}

static struct model *about(const char *expression) { return read(arena_printf(&arena, "empty %s as it", expression)); }

static void expect_bounds(const struct skeleton *s, const char *expression, const char *may, const char *must) {
  struct model *model = about(expression);
  struct graph g;
  graph_init(&g, &arena, model, s);
  const struct bounds *b = &g.bounds.data[only_node(model)];
  bool is_set = graph_expr(&g, only_node(model))->is_set;
  assert_string_equal(is_set ? members_text(&arena, b->may_set) : pairs_text(&arena, b->may), may);
  assert_string_equal(is_set ? members_text(&arena, b->must_set) : pairs_text(&arena, b->must), must);
}

TEST(bounds_of_choices) {
  struct fixture f;
  const struct skeleton *s = message_passing(&f);
  expect_bounds(s, "po", "e0-e1 e2-e3", "e0-e1 e2-e3");
  expect_bounds(s, "rf", "e0-e3 e1-e2 e4-e3 e5-e2", "");
  expect_bounds(s, "co", "e4-e0 e5-e1", "e4-e0 e5-e1");
  expect_bounds(s, "fr", "e2-e1 e3-e0", "");
}

TEST(bounds_of_operators) {
  struct fixture f;
  const struct skeleton *s = message_passing(&f);
  expect_bounds(s, "po ; rf", "e0-e2", "");
  expect_bounds(s, "po | rf^-1", "e0-e1 e2-e1 e2-e3 e2-e5 e3-e0 e3-e4", "e0-e1 e2-e3");
  expect_bounds(s, "(po | co)+", "e0-e1 e2-e3 e4-e0 e4-e1 e5-e1", "e0-e1 e2-e3 e4-e0 e4-e1 e5-e1");
  expect_bounds(s, "co \\ (rf ; fr)", "e4-e0 e5-e1", "");
  expect_bounds(s, "[W] ; po", "e0-e1", "e0-e1");
  expect_bounds(s, "domain(rf)", "e0 e1 e4 e5", "");
  expect_bounds(s, "range(po)", "e1 e3", "e1 e3");
  expect_bounds(s, "~(W * _) & po", "e2-e3", "e2-e3");
}

/* An event that need not happen leads nowhere for sure. */
TEST(bounds_know_what_may_not_happen) {
  struct fixture f;
  const struct skeleton *s =
      skeleton_of(&f, "x=0; y=0;", "P0@cta 0,gpu 0",
                  "ld.weak r0, x ;\n setp.eq.u32 p, r0, 0 ;\n @p st.weak y, 1 ;\n st.weak x, 1 ;", "exists (x=1)");
  expect_bounds(s, "po", "e0-e1 e0-e2 e1-e2", "e0-e1 e0-e2 e1-e2");
  expect_bounds(s, "po ; po", "e0-e2", ""); /* through e1, which happens only if e0 reads 0 */
  expect_bounds(s, "ctrl", "e0-e1", "e0-e1");
}

/* True if the only clause can gain a pair through the write of y or the read of it. */
static bool gains(const struct skeleton *s, const char *expression) {
  struct model *model = about(expression);
  struct bitset third = bitset_new(&arena, s->n);
  struct graph g;
  graph_init(&g, &arena, model, s);
  bitset_add(third, MP_WY), bitset_add(third, MP_RY);
  return graph_gains(&g, only_node(model), third);
}

TEST(a_third_event_matters_on_one_side_of_a_difference) {
  struct fixture f;
  const struct skeleton *s = message_passing(&f);
  static const char *const alone[] = {"(rf & ext) | co^-1", "W * R \\ (po ; rf)", "~(po ; co)", "[R] & loc",
                                      "rf \\ (rf | co)+"};
  static const char *const others[] = {
      "po ; rf",           "(rf | po)+ & loc",     "rf \\ ~(po ; rf)", "~(loc \\ (po ; rf))",
      "[range(rf)] & loc", "(R & domain(po)) * R", "co & (po ; rf)^-1"};
  for (size_t i = 0; i < ARRAY_LEN(alone); i++)
    if (gains(s, alone[i])) fail_msg("%s", alone[i]);
  for (size_t i = 0; i < ARRAY_LEN(others); i++)
    if (!gains(s, others[i])) fail_msg("%s", others[i]);
  struct model *model = read("let rec x = rf | (co ; x & po) empty x empty loc \\ x");
  struct graph g;
  graph_init(&g, &arena, model, s);
  for (uint32_t i = 0; i < 2; i++)
    assert_true(graph_gains(&g, model->axioms.data[i].node, bitset_new(&arena, s->n)));
}

/* Other events than these, and the ends of a pair, are no third ones. */
TEST(only_given_events_are_third_ones) {
  struct fixture f;
  const struct skeleton *s = message_passing(&f);
  static const char *const alone[] = {"po ; co", "[W] ; rf", "[range([IW] ; rf)]", "fr ; [W]",
                                      "co ; po \\ (po ; rf)"};
  static const char *const others[] = {"rf ; po", "[range([W \\ IW] ; rf)]", "[domain(rf ; [R])]"};
  for (size_t i = 0; i < ARRAY_LEN(alone); i++)
    if (gains(s, alone[i])) fail_msg("%s", alone[i]);
  for (size_t i = 0; i < ARRAY_LEN(others); i++)
    if (!gains(s, others[i])) fail_msg("%s", others[i]);
}

/* r1 read the new flag, r0 the old data. */
static struct execution *stale(const struct skeleton *s) {
  struct slots *slots = ARENA_NEW(&arena, struct slots);
  *slots = slots_build(&arena, s);
  struct execution *x = execution_new(&arena, s, slots);
  assert_int_equal(slots->count, 2);
  assert_int_equal(slots->list[0].read, MP_RY);
  x->source[0] = MP_WY;
  x->source[1] = MP_IX;
  assert_int_equal(execution_run(x), RUN_OK);
  assert_true(x->values[MP_RY] == 1 && x->values[MP_RX] == 0);
  execution_relate(x);
  return x;
}

static const char *value(const struct execution *x, const char *expression) {
  struct model *model = about(expression);
  struct eval *eval = eval_new(&arena, model, x->skeleton);
  eval_execution(eval, x, PART_ALL);
  bool is_set = model->nodes.data[only_node(model)].is_set;
  return is_set ? members_text(&arena, eval_set(eval, only_node(model)))
                : pairs_text(&arena, eval_relation(eval, only_node(model)));
}

TEST(values_in_one_execution) {
  struct fixture f;
  const struct execution *x = stale(message_passing(&f));
  assert_string_equal(value(x, "rf"), "e1-e2 e4-e3");
  assert_string_equal(value(x, "co"), "e4-e0 e5-e1");
  assert_string_equal(value(x, "fr"), "e3-e0");
  assert_string_equal(value(x, "rf ; po ; fr"), "e1-e0");
  assert_string_equal(value(x, "(po | rf)+ \\ po"), "e0-e2 e0-e3 e1-e2 e1-e3 e4-e3");
  assert_string_equal(value(x, "(po | rf | fr)+ & id"), "e0-e0 e1-e1 e2-e2 e3-e3");
  assert_string_equal(value(x, "domain(fr) | range(rf)"), "e2 e3");
  assert_string_equal(value(x, "R \\ domain(fr)"), "e2");
}

TEST(recursion_is_the_least_solution) {
  struct fixture f;
  const struct execution *x = stale(message_passing(&f));
  struct model *model = read("let rec t = po | rf | t ; t\nempty t \\ (po | rf)+ as inside\n"
                             "empty (po | rf)+ \\ t as outside\nlet rec nothing = nothing | nothing ; po\n"
                             "empty nothing as least");
  struct eval *eval = eval_new(&arena, model, x->skeleton);
  eval_execution(eval, x, PART_ALL);
  for (uint32_t i = 0; i < model->axioms.len; i++) assert_true(eval_axiom(eval, i));
}

TEST(tests_of_axioms) {
  struct fixture f;
  const struct execution *x = stale(message_passing(&f));
  struct model *model = read("acyclic po | rf as a0\nacyclic po | rf | fr as a1\nirreflexive po | rf | fr as a2\n"
                             "irreflexive rf ; po ; fr ; po as a3\nempty fr as a4\n~empty fr as a5\nempty [F] as a6\n"
                             "~acyclic po | rf | fr as a7");
  static const bool holds[] = {true, false, true, false, false, true, true, true};
  struct eval *eval = eval_new(&arena, model, x->skeleton);
  eval_execution(eval, x, PART_ALL);
  for (uint32_t i = 0; i < ARRAY_LEN(holds); i++) assert_int_equal(eval_axiom(eval, i), holds[i]);
  assert_int_equal(eval_axiom_parts(eval, 0), PART_RF | (eval_axiom_parts(eval, 0) & PART_SHAPE));
  assert_true(eval_axiom_monotone(eval, 1));
  assert_false(eval_axiom_monotone(eval, 5));
}

/* A value is recomputed exactly if a dependency is reported as changed. */
TEST(values_follow_the_execution) {
  struct fixture f;
  struct execution *x = stale(message_passing(&f));
  struct model *model = read("empty fr as it");
  struct eval *eval = eval_new(&arena, model, x->skeleton);
  eval_execution(eval, x, PART_ALL);
  assert_false(eval_axiom(eval, 0));
  x->source[1] = MP_WX; /* now both are new, and nothing is overwritten */
  assert_int_equal(execution_run(x), RUN_OK);
  execution_relate(x);
  eval_execution(eval, x, PART_RF);
  assert_true(eval_axiom(eval, 0));
}

TEST(shortest_cycle_is_taken_apart) {
  struct fixture f;
  const struct execution *x = stale(message_passing(&f));
  struct model *model = read("let com = rf | fr\nlet all = (po | com)+\nacyclic all as order");
  struct eval *eval = eval_new(&arena, model, x->skeleton);
  eval_execution(eval, x, PART_ALL);
  struct cycles *cycles = cycle_new(&arena, model, x->skeleton->n);
  cycle_execution(cycles, eval);
  struct violation why;
  cycle_find(cycles, 0, &why);
  assert_true(why.is_pair && why.from == why.to);
  assert_int_equal(why.length, 4);
  struct base_path path = cycle_flatten(&arena, why.path);
  assert_int_equal(path.len, 4);
  static const char *const names[] = {[MP_WX] = "po", [MP_WY] = "rf", [MP_RY] = "po", [MP_RX] = "fr"};
  for (uint32_t i = 0; i < 4; i++) {
    const struct base_edge *e = &path.data[i];
    assert_int_equal(e->to, path.data[(i + 1) % 4].from);
    assert_false(e->against);
    assert_string_equal(builtin_name(model->nodes.data[e->leaf->node].builtin), names[e->from]);
  }
}

int main(void) { return run_each(open_arena, close_arena); }
