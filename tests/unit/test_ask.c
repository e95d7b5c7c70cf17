/* Questions to the solver: small programs with the answers by hand. */
#include "test_core.h"

#include "ask/ask.h"

static const char sc[] = "acyclic po | rf | fr | co as sc";

static struct ask asked(const struct skeleton *s, const char *model) {
  return (struct ask){.arena = &arena, .model = read(model), .skeleton = s};
}

static struct ask opened(const struct skeleton *s, const char *model) {
  struct ask ask = asked(s, model);
  assert_true(ask_open(&ask));
  assert_null(ask.refusal);
  return ask;
}

/* A model that reads programs as they are. */
static const struct model plain;
static const struct shape two_iterations = {.unroll = 2};

/* How many final states the executions have in which nothing is dropped. */
static unsigned count_states(struct ask *ask) {
  unsigned count = 0;
  for (; ask_find(ask, LIT_TRUE, LIT_TRUE, NULL) == SAT_YES; count++) {
    assert_in_range(count, 0, 20);
    ask_exclude_state(ask, ask->finals, LIT_TRUE);
  }
  return count;
}

TEST(message_passing_is_answered) {
  struct fixture f;
  struct skeleton *s = message_passing(&f);
  struct ask ask = opened(s, "acyclic po | rf | fr | co as sc\nempty 0 as nothing");
  lit stale = ask_goal(&ask, s->program->condition, false), other = ask_goal(&ask, s->program->condition, true);
  const bool only_sc[] = {true, false};
  assert_int_equal(stale, -other);
  assert_int_equal(ask_solve(&ask, stale, LIT_TRUE, NULL), SAT_NO);
  assert_int_equal(ask_solve(&ask, other, LIT_TRUE, NULL), SAT_YES);
  assert_int_equal(ask_solve(&ask, stale, other, only_sc), SAT_NO);
  assert_int_equal(ask_find(&ask, stale, LIT_TRUE, only_sc), SAT_YES);
  assert_int_equal(ask.status, RUN_OK);
  assert_string_equal(pairs_text(&arena, ask.execution->rf), "e1-e2 e4-e3");
  assert_string_equal(pairs_text(&arena, ask.execution->fr), "e3-e0");
  assert_int_equal(ask.finals[0], 1);
  assert_int_equal(ask.finals[1], 0);
  assert_int_equal(ask_solve(&ask, stale, LIT_TRUE, ask_all_axioms(&ask)), SAT_YES);
  assert_int_equal(count_states(&ask), 3);
  ask_close(&ask);
}

TEST(a_filter_is_part_of_the_goal) {
  struct fixture f;
  struct skeleton *s =
      skeleton_of(&f, "x=0; y=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
                  "st.weak x, 1 | ld.weak r0, y ;\n st.weak y, 1 | ld.weak r1, x ;", "filter (1:r0=1) exists (1:r1=0)");
  struct ask ask = opened(s, sc);
  assert_int_equal(ask_solve(&ask, ask_condition(&ask), LIT_TRUE, NULL), SAT_YES);
  assert_int_equal(ask_solve(&ask, ask_filter(&ask), LIT_TRUE, NULL), SAT_YES);
  assert_int_equal(ask_solve(&ask, ask_filter(&ask), ask_condition(&ask), NULL), SAT_NO);
  assert_int_equal(ask_solve(&ask, ask_goal(&ask, s->program->condition, false), LIT_TRUE, NULL), SAT_NO);
  ask_close(&ask);
}

/* Two writes that no axiom orders: whatever the solver chose, none of it is needed. With an axiom that orders writes of
 * one location each way but one is. */
TEST(coherence_is_reduced_to_what_is_needed) {
  static const struct {
    const char *model;
    uint64_t pairs;
  } cases[] = {{"empty 0 as nothing", 0}, {"let ww = (W * W) & loc & ext\nempty ww \\ (co | co^-1) as total", 3}};
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct skeleton *s = skeleton_of(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0",
                                     "st.weak x, 1 | st.weak x, 2 | st.weak x, 3 ;", "exists (x=3)");
    struct ask ask = opened(s, cases[i].model);
    assert_int_equal(ask_find(&ask, LIT_TRUE, LIT_TRUE, NULL), SAT_YES);
    bitmat_add(ask.execution->order, 0, 1);
    bitmat_add(ask.execution->order, 1, 2);
    bitmat_add(ask.execution->order, 0, 2);
    bitmat_del(ask.execution->order, 1, 0);
    bitmat_del(ask.execution->order, 2, 1);
    bitmat_del(ask.execution->order, 2, 0);
    ask_reduce_order(&ask, NULL);
    assert_int_equal(bitmat_count(ask.execution->order), cases[i].pairs);
    assert_int_equal(count_states(&ask), 3);
    ask_close(&ask);
  }
}

/* Of message passing the four ways to read. */
TEST(choices_are_excluded_where_that_is_assumed) {
  struct fixture f;
  struct skeleton *s = message_passing(&f);
  struct ask ask = opened(s, "empty 0 as nothing");
  lit on = sat_variable(ask.sat);
  unsigned count = 0;
  for (; ask_find(&ask, LIT_TRUE, on, NULL) == SAT_YES; count++) {
    struct lits chosen = {0};
    ask_choice(&ask, &chosen);
    assert_int_equal(chosen.len, 2);
    ask_exclude(&ask, on);
  }
  assert_int_equal(count, 4);
  assert_int_equal(ask_solve(&ask, LIT_TRUE, LIT_TRUE, NULL), SAT_YES);
  ask_close(&ask);
}

TEST(witnesses_stay_when_they_are_kept) {
  struct fixture f;
  struct skeleton *s = message_passing(&f);
  struct ask ask = asked(s, "empty rf ; po ; fr as path");
  ask.keeps_witnesses = true;
  assert_true(ask_open(&ask));
  cat_node read_new = ask.model->axioms.data[0].node;
  const bool dropped[] = {true};
  lit stale = ask_condition(&ask);
  assert_int_equal(ask_find(&ask, stale, LIT_TRUE, dropped), SAT_YES);
  struct ask_found first = ask_found(&ask);
  assert_string_equal(pairs_text(&arena, eval_relation(ask.eval, read_new)), "e1-e0");
  assert_int_equal(ask_find(&ask, -stale, LIT_TRUE, NULL), SAT_YES);
  assert_ptr_not_equal(first.execution, ask.execution);
  assert_true(bitmat_empty(eval_relation(ask.eval, read_new)));
  ask_return(&ask, &first);
  assert_string_equal(pairs_text(&arena, eval_relation(ask.eval, read_new)), "e1-e0");
  assert_int_equal(ask.finals[1], 0);
  ask_close(&ask);
}

/* Every pair of rf that some execution has is found once: each read from its write and from the initial one. */
TEST(pairs_are_found_until_there_are_no_more) {
  struct fixture f;
  struct skeleton *s = message_passing(&f);
  struct ask ask = opened(s, "empty 0 as nothing\nflag ~empty rf as reads");
  const struct cat_axiom *flag = &ask.model->axioms.data[1];
  struct bitmat seen = bitmat_new(&arena, s->n);
  assert_true(ask_raised_by_pairs(ask.model, flag));
  while (ask_find(&ask, ask_new_pair(&ask, flag->node, seen), LIT_TRUE, NULL) == SAT_YES) {
    uint64_t before = bitmat_count(seen);
    bitmat_or(seen, eval_relation(ask.eval, flag->node));
    assert_true(bitmat_count(seen) > before);
  }
  assert_string_equal(pairs_text(&arena, seen), "e0-e3 e1-e2 e4-e3 e5-e2");
  assert_int_equal(ask_pair(&ask, flag->node, MP_WX, MP_RY), LIT_FALSE);
  ask_close(&ask);
}

TEST(values_out_of_thin_air_are_taken_from_the_solver) {
  struct fixture f;
  struct skeleton *s =
      skeleton_of(&f, "x=0; y=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
                  "ld.weak r0, x | ld.weak r1, y ;\n st.weak y, r0 | st.weak x, r1 ;", "exists (0:r0=42)");
  struct ask ask = opened(s, "empty 0 as nothing");
  assert_int_equal(ask_find(&ask, ask_condition(&ask), LIT_TRUE, NULL), SAT_YES);
  assert_int_equal(ask.status, RUN_CIRCULAR);
  assert_int_equal(ask.finals[0], 42);
  ask_close(&ask);
  struct ask causal = opened(s, "acyclic rf | data as causal");
  assert_int_equal(ask_solve(&causal, ask_condition(&causal), LIT_TRUE, NULL), SAT_NO);
  ask_close(&causal);
}

/* ---- Faults and endings ---- */

/* Two arrivals in one phase that state different counts (B5). */
TEST(misuse_of_a_barrier_is_a_fault) {
  struct fixture f;
  build(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0", "bar.sync 0, 32 | bar.sync 0, 64 ;", "exists (x=0)");
  assert_accepted(&f);
  struct ask ask = opened(ask_skeleton(&arena, f.program, &plain, &two_iterations, ASK_PRECISE), "empty 0 as nothing");
  assert_true(skeleton_has_barriers(ask.skeleton));
  assert_true(ask_fault_count(&ask) > 0);
  unsigned possible = 0;
  for (uint32_t i = 0; i < ask_fault_count(&ask); i++) {
    struct fault fault = ask_fault(&ask, i);
    assert_int_equal(fault.reason->id, REASON_BARRIER_COUNTS);
    possible += ask_solve(&ask, fault.when, LIT_TRUE, NULL) == SAT_YES && fault.arrivals[0] != NO_EVENT;
  }
  assert_int_equal(possible, 1);
  ask_close(&ask);
}

/* It spins while x is 0, and x never changes: no execution ends, and the only other ending is the spin. */
TEST(endings_are_asked_for) {
  struct fixture f;
  build(&f, "x=0;", "P0@cta 0,gpu 0", "L0: ;\n ld.relaxed.gpu r0, x ;\n setp.eq.u32 p, r0, 0 ;\n @p bra L0 ;",
        "exists (x=0)");
  assert_accepted(&f);
  struct ask ends = opened(ask_skeleton(&arena, f.program, &plain, &two_iterations, ASK_ENDING), "empty 0 as nothing");
  assert_true(skeleton_may_end(ends.skeleton, ENDING_SPIN));
  assert_int_equal(ask_solve(&ends, LIT_TRUE, LIT_TRUE, NULL), SAT_NO);
  ask_close(&ends);
  struct ask ask = opened(ask_skeleton(&arena, f.program, &plain, &two_iterations, ASK_PRECISE), "empty 0 as nothing");
  lit spins = ask_some_ending(&ask, 1u << ENDING_SPIN), blocks = ask_some_ending(&ask, 1u << ENDING_BLOCKED);
  assert_int_equal(ask_find(&ask, spins, LIT_TRUE, NULL), SAT_YES);
  assert_int_equal(ask_solve(&ask, spins, ask_no_ending(&ask, ENDING_SPIN), NULL), SAT_NO);
  assert_int_equal(ask_solve(&ask, blocks, LIT_TRUE, NULL), SAT_NO);
  assert_int_equal(ask_solve(&ask, ask_some_ending(&ask, 1u << ENDING_SPIN | 1u << ENDING_BLOCKED), LIT_TRUE, NULL),
                   SAT_YES);
  ask_close(&ask);
}

/* ---- Shapes and limits ---- */

/* A counter that may go up in each iteration: an event for each half of the atomic in each copy, and the read. */
TEST(the_shape_says_how_many_iterations) {
  for (uint32_t unroll = 0; unroll <= 5; unroll++) {
    struct fixture f;
    const struct shape shape = {.unroll = unroll};
    uint32_t copies = unroll ? unroll : 4;
    build(&f, "x=0; y=0;", "P0@cta 0,gpu 0",
          "L0: ;\n atom.add.u32 r0, x, 1 ;\n ld.relaxed.gpu r1, y ;\n setp.ne.u32 p, r1, r0 ;\n @p bra L0 ;",
          "exists (x=2)");
    assert_accepted(&f);
    struct skeleton *s = ask_skeleton(&arena, f.program, &plain, &shape, ASK_ENDING);
    assert_null(s->refusal);
    assert_int_equal(s->options.shape.unroll, copies);
    assert_int_equal(s->first_init, 3 * copies);
  }
}

/* Two of three threads name the barrier: if it is for all, also for the third that has ended, it never completes. */
TEST(the_model_says_who_meets) {
  for (unsigned who = 0; who < 3; who++) {
    struct fixture f;
    const struct model model = {.reads = {[READING_WAITS_FOR_ENDED] = who == 1, [READING_WAITS_FOR_USERS] = who == 2}};
    const struct shape shape = {0};
    build(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0", "bar.sync 0 | bar.sync 0 | ;",
          "exists (x=0)");
    assert_accepted(&f);
    struct ask ask = opened(ask_skeleton(&arena, f.program, &model, &shape, ASK_ENDING), "empty 0 as nothing");
    assert_int_equal(ask_solve(&ask, LIT_TRUE, LIT_TRUE, NULL), who == 1 ? SAT_NO : SAT_YES);
    ask_close(&ask);
  }
}

TEST(what_cannot_be_asked_is_refused) {
  struct fixture f;
  struct ask late = asked(message_passing(&f), sc);
  late.deadline = base_now() - 1;
  assert_false(ask_open(&late));
  assert_non_null(late.refusal);
  ask_close(&late);
  struct skeleton refused = *late.skeleton;
  refused.refusal = reason_get(REASON_TRAP);
  struct ask ask = asked(&refused, sc);
  assert_false(ask_open(&ask));
  assert_int_equal(ask.refusal->id, REASON_TRAP);
  ask_close(&ask);
  struct ask open = opened(late.skeleton, sc);
  open.encoder.refusal = reason_get(REASON_UNFOLD_SIZE);
  assert_int_equal(ask_solve(&open, LIT_TRUE, LIT_TRUE, NULL), SAT_UNKNOWN);
  ask_close(&open);
}

/* The objects of mbarriers are encoded with the program: where time ran out there, no axiom may look at them. */
TEST(a_program_encoded_by_half_is_refused) {
  struct fixture f;
  struct skeleton *s =
      skeleton_of(&f, "mbarrier b=1; x=0;", "P0@cta 0,gpu 0",
                  "mbarrier.arrive.shared.b64 _, [b] ; mbarrier.wait.parity.shared.b64 [b], 0 ;", "exists (x=0)");
  const char model[] = "empty phase & mo as nothing";
  struct ask late = asked(s, model);
  late.deadline = base_now() - 1;
  assert_false(ask_open(&late));
  assert_int_equal(late.refusal->id, REASON_TIME_LIMIT);
  ask_close(&late);
  struct ask ask = opened(s, model);
  ask_close(&ask);
}

int main(void) { return run_each(open_arena, close_arena); }
