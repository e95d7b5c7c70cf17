/* The encoder: gates, words and orders for all inputs; small programs with their executions counted by hand. */
#include "test_core.h"

#include "encode/parts.h"

/* ---- Gates and words ---- */

struct circuit {
  struct sat *sat;
  struct gates gates;
};

static struct circuit *new_circuit(void) {
  struct circuit *c = ARENA_NEW(&arena, struct circuit);
  c->sat = sat_new(&arena, false);
  gates_init(&c->gates, &arena, c->sat);
  return c;
}

static struct word inputs(struct circuit *c, unsigned width) {
  struct word w = {ARENA_ARRAY(&arena, lit, width), width};
  for (unsigned i = 0; i < width; i++) w.bits[i] = sat_variable(c->sat);
  return w;
}

static void assume_value(struct circuit *c, struct word w, value_t value) {
  for (unsigned i = 0; i < w.width; i++) sat_assume(c->sat, value >> i & 1 ? w.bits[i] : -w.bits[i]);
}

static value_t value_of(struct circuit *c, struct word w) {
  value_t value = 0;
  for (unsigned i = 0; i < w.width; i++) value |= (value_t)sat_value(c->sat, w.bits[i]) << i;
  return value;
}

/* For all values of operands of 3 bits the circuit of an operator gives the value of term_apply. */
TEST(circuits_compute_what_terms_mean) {
  enum { WIDTH = 3, VALUES = 1 << WIDTH };
  for (enum term_op op = TERM_ADD; op <= TERM_SEXT; op++) {
    struct circuit *c = new_circuit();
    bool compares = op == TERM_EQ || op == TERM_ULT || op == TERM_SLT;
    bool resizes = op == TERM_ZEXT || op == TERM_SEXT || op == TERM_POPC;
    const struct term t = {.op = op, .width = compares ? 1 : resizes ? 5 : WIDTH};
    struct word a = inputs(c, op == TERM_ITE ? 1 : WIDTH), b = inputs(c, WIDTH), d = inputs(c, WIDTH);
    struct word out = word_apply(&c->gates, &t, a, b, d);
    assert_int_equal(out.width, t.width);
    for (unsigned i = 0; i < 1u << a.width; i++)
      for (unsigned k = 0; k < VALUES; k++) {
        unsigned other = (i + 5 * k) % VALUES; /* of d, which only TERM_ITE has */
        assume_value(c, a, i);
        assume_value(c, b, k);
        assume_value(c, d, other);
        assert_int_equal(sat_solve(c->sat), SAT_YES);
        value_t wanted = term_apply(&t, i, a.width, k, other);
        if (value_of(c, out) != wanted) fail_msg("operator %d of %u and %u", (int)op, i, k);
      }
  }
}

TEST(constants_make_no_gates) {
  struct circuit *c = new_circuit();
  lit a = sat_variable(c->sat), b = sat_variable(c->sat);
  uint64_t before = sat_variables(c->sat);
  assert_int_equal(gates_and2(&c->gates, a, LIT_TRUE, NEED_BOTH), a);
  assert_int_equal(gates_and2(&c->gates, a, LIT_FALSE, NEED_BOTH), LIT_FALSE);
  assert_int_equal(gates_and2(&c->gates, a, -a, NEED_BOTH), LIT_FALSE);
  assert_int_equal(gates_or2(&c->gates, a, -a, NEED_BOTH), LIT_TRUE);
  assert_int_equal(gates_or(&c->gates, NULL, 0, NEED_BOTH), LIT_FALSE);
  assert_int_equal(gates_xor(&c->gates, a, -a), LIT_TRUE);
  assert_int_equal(gates_ite(&c->gates, b, a, a), a);
  assert_int_equal(sat_variables(c->sat), before);
  lit both = gates_and2(&c->gates, a, b, NEED_IF);
  assert_int_equal(gates_and(&c->gates, (lit[]){b, LIT_TRUE, a, b}, 4, NEED_IF), both); /* equal gates are one */
  assert_int_equal(-gates_or2(&c->gates, -b, -a, NEED_ONLY_IF), both);
  assert_int_equal(sat_variables(c->sat), before + 1);
}

/* Half a gate binds in its own direction alone. */
TEST(halves_of_gates) {
  for (unsigned need = NEED_IF; need <= NEED_BOTH; need++) {
    struct circuit *c = new_circuit();
    lit a = sat_variable(c->sat), b = sat_variable(c->sat), both = gates_and2(&c->gates, a, b, need);
    const lit operands[] = {a, b};
    for (unsigned i = 0; i < 2; i++) { /* the gate, and one operand not */
      sat_assume(c->sat, both);
      sat_assume(c->sat, -operands[i]);
      assert_int_equal(sat_solve(c->sat), need & NEED_ONLY_IF ? SAT_NO : SAT_YES);
    }
    sat_assume(c->sat, a);
    sat_assume(c->sat, b);
    sat_assume(c->sat, -both);
    assert_int_equal(sat_solve(c->sat), need & NEED_IF ? SAT_NO : SAT_YES);
    assert_int_equal(need_flip(need_flip(need)), need);
  }
}

TEST(words_count_and_compare) {
  struct circuit *c = new_circuit();
  struct word bits = inputs(c, 5), sum = word_count(&c->gates, bits.bits, 5, 3);
  struct word unary = word_count_unary(&c->gates, bits.bits, 5, 4);
  lit is_three = word_equal(&c->gates, sum, word_const(&arena, 3, 3));
  for (unsigned i = 0; i < 32; i++) {
    assume_value(c, bits, i);
    assert_int_equal(sat_solve(c->sat), SAT_YES);
    assert_true(value_of(c, sum) == (value_t)__builtin_popcount(i));
    assert_int_equal(sat_value(c->sat, is_three), __builtin_popcount(i) == 3);
    assert_true(value_of(c, unary) == (1u << (i == 31 ? 4 : __builtin_popcount(i))) - 1);
  }
}

/* ---- Orders ---- */

/* Every graph of four nodes, some edges of which are fixed. */
TEST(no_cycle_is_what_it_says) {
  enum { NODES = 4, PAIRS = NODES * (NODES - 1) };
  struct circuit *c = new_circuit();
  struct encoder e = {.arena = &arena, .scratch = &arena, .sat = c->sat};
  lit edges[NODES * NODES], variables[PAIRS], off = sat_variable(c->sat);
  for (unsigned i = 0; i < PAIRS; i++) variables[i] = sat_variable(c->sat);
  for (unsigned i = 0, at = 0; i < NODES * NODES; i++) edges[i] = i % (NODES + 1) == 0 ? LIT_FALSE : variables[at++];
  encode_no_cycle(&e, edges, NODES, off);
  for (unsigned graph_bits = 0; graph_bits < 1u << PAIRS; graph_bits++) {
    struct bitmat m = bitmat_new(&arena, NODES);
    for (unsigned i = 0; i < PAIRS; i++) {
      unsigned from = i / (NODES - 1), to = i % (NODES - 1);
      if (graph_bits >> i & 1) bitmat_add(m, from, to + (to >= from));
      sat_assume(c->sat, graph_bits >> i & 1 ? variables[i] : -variables[i]);
    }
    sat_assume(c->sat, -off);
    assert_int_equal(sat_solve(c->sat), bitmat_cyclic(&arena, m) ? SAT_NO : SAT_YES);
  }
}

TEST(a_cycle_of_fixed_edges_needs_the_switch) {
  struct circuit *c = new_circuit();
  struct encoder e = {.arena = &arena, .scratch = &arena, .sat = c->sat};
  lit off = sat_variable(c->sat);
  lit edges[] = {LIT_FALSE, LIT_TRUE, LIT_FALSE, LIT_FALSE, LIT_FALSE, LIT_TRUE, LIT_TRUE, LIT_FALSE, LIT_FALSE};
  encode_no_cycle(&e, edges, 3, off);
  sat_assume(c->sat, -off);
  assert_int_equal(sat_solve(c->sat), SAT_NO);
  assert_int_equal(sat_solve(c->sat), SAT_YES);
  assert_true(sat_value(c->sat, off));
}

/* ---- Programs ---- */

static void start(struct encoder *e, const struct skeleton *s, const struct model *model) {
  struct slots *slots = ARENA_NEW(&arena, struct slots);
  *slots = slots_build(&arena, s);
  encoder_init(e, &arena, sat_new(&arena, false), model, s, slots, false, 0);
  assert_null(e->refusal);
}

static enum sat_answer solve(struct encoder *e, lit goal) {
  for (uint32_t i = 0; i < e->graph.model->axioms.len; i++) sat_assume(e->sat, e->assumptions[i]);
  sat_assume(e->sat, goal);
  return sat_solve(e->sat);
}

/* How many final states the observed registers and locations have. */
static unsigned count_states(struct encoder *e) {
  uint32_t observed = e->skeleton->program->observed_count;
  for (unsigned count = 0;; count++) {
    if (solve(e, LIT_TRUE) != SAT_YES) return count;
    assert_in_range(count, 0, 100);
    VEC(lit) other = {0};
    for (uint32_t i = 0; i < observed; i++) {
      value_t value = encoder_final(e, i);
      for (unsigned b = 0; b < e->finals[i].width; b++) {
        lit bit = e->finals[i].bits[b];
        VEC_PUSH(&arena, &other, value >> b & 1 ? -bit : bit);
      }
    }
    sat_clause(e->sat, other.data, other.len);
  }
}

TEST(message_passing_has_four_states_or_fewer) {
  static const struct {
    const char *model;
    unsigned states;
    enum sat_answer stale;
  } cases[] = {{"empty 0 as nothing", 4, SAT_YES},
               {"acyclic po | rf | fr | co as sc", 3, SAT_NO},
               {"acyclic rf | fr | co as communication", 4, SAT_YES},
               {"irreflexive (po | rf)+ ; fr as path", 3, SAT_NO},
               {"empty rf ; po ; fr as no_path", 2, SAT_NO},
               {"~empty rf ; po ; fr as some_path", 2, SAT_YES}};
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct encoder e;
    struct skeleton *s = message_passing(&f);
    start(&e, s, read(cases[i].model));
    lit stale = encoder_condition(&e, s->program->condition);
    assert_int_equal(solve(&e, stale), cases[i].stale);
    assert_int_equal(count_states(&e), cases[i].states);
  }
}

TEST(witnesses_are_read_back) {
  struct fixture f;
  struct encoder e;
  struct skeleton *s = message_passing(&f);
  start(&e, s, read("empty 0 as nothing"));
  assert_int_equal(solve(&e, encoder_condition(&e, s->program->condition)), SAT_YES);
  struct execution *x = execution_new(&arena, s, e.slots);
  uint32_t *last = ARENA_ARRAY(&arena, uint32_t, s->chunk_count);
  encoder_witness(&e, x, last);
  assert_int_equal(x->source[0], MP_WY);
  assert_int_equal(x->source[1], MP_IX);
  assert_int_equal(execution_run(x), RUN_OK);
}

/* A pair that is asked for later is defined as well: rf then po, in just the executions that have it. */
TEST(pairs_are_made_when_asked_for) {
  struct fixture f;
  struct encoder e;
  struct skeleton *s = message_passing(&f);
  struct model *model = read("empty (rf ; po)+ & 0 as it\nflag ~empty (rf ; po)+ as path");
  start(&e, s, model);
  cat_node path = model->axioms.data[1].node;
  lit pair = encoder_pair(&e, path, MP_WY, MP_RX, NEED_BOTH);
  encoder_define_pairs(&e);
  assert_int_equal(encoder_pair(&e, path, MP_WX, MP_RY, NEED_BOTH), LIT_FALSE);
  lit reads = e.source[0][e.writer_index[MP_WY]];
  for (unsigned i = 0; i < 4; i++) {
    sat_assume(e.sat, i & 1 ? pair : -pair);
    sat_assume(e.sat, i & 2 ? reads : -reads);
    assert_int_equal(sat_solve(e.sat), (i & 1) == i >> 1 ? SAT_YES : SAT_NO);
  }
}

TEST(coherence_is_an_order) {
  struct fixture f;
  struct encoder e;
  struct skeleton *s = skeleton_of(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0",
                                   "st.weak x, 1 | st.weak x, 2 | st.weak x, 3 ;", "exists (x=3)");
  start(&e, s, read("empty 0 as nothing"));
  lit forth[3];
  for (uint32_t i = 0; i < 3; i++)
    forth[i] = e.order[(size_t)e.writer_index[i] * e.writer_count + e.writer_index[(i + 1) % 3]];
  for (unsigned most = 1; most <= 3; most++) {
    for (unsigned i = 0; i < most; i++) sat_assume(e.sat, forth[i]);
    assert_int_equal(sat_solve(e.sat), most < 3 ? SAT_YES : SAT_NO);
  }
  assert_int_equal(count_states(&e), 3);
}

/* bar.sync of two threads: both arrivals in phase 0, and both are let through. */
TEST(barriers_join_their_arrivals) {
  struct fixture f;
  struct encoder e;
  struct skeleton *s = skeleton_of(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0",
                                   "st.weak x, 1 | bar.sync 0 ;\n bar.sync 0 | ld.weak r0, x ;", "exists (1:r0=0)");
  start(&e, s, read("acyclic po | bar | rf | fr as order"));
  uint32_t arrivals = 0;
  for (uint32_t i = 0; i < s->first_init; i++) {
    if (skeleton_event(s, i)->kind != EVENT_ARRIVE) continue;
    arrivals++;
    assert_int_equal(e.phase[i][0], LIT_TRUE);
  }
  assert_int_equal(arrivals, 2);
  assert_int_equal(e.misuse_count, 0);
  assert_int_equal(solve(&e, encoder_condition(&e, s->program->condition)), SAT_NO);
  assert_int_equal(count_states(&e), 1);
}

TEST(late_encoding_is_refused) {
  struct fixture f;
  struct encoder e;
  struct skeleton *s = message_passing(&f);
  struct slots slots = slots_build(&arena, s);
  encoder_init(&e, &arena, sat_new(&arena, false), read("acyclic po | rf as it"), s, &slots, false, base_now() - 1);
  assert_true(encoder_is_late(&e));
  assert_non_null(e.refusal);
}

int main(void) { return run_each(open_arena, close_arena); }
