/* Checks of small programs by both engines: outcomes, verdicts, flags, endings and limits, by hand. */
#include "test_core.h"

#include "search/check.h"

static const char sc[] = "acyclic po | rf | fr | co as sc";
static const char coherence[] = "acyclic (po & loc) | rf | fr | co as coherence";

static const enum engine engines[] = {ENGINE_SAT, ENGINE_ENUMERATE};

static struct result checked(struct fixture *f, const char *model, struct check_options options) {
  struct result result = {0};
  assert_accepted(f);
  check(&arena, f->program, read(model), &options, &result);
  return result;
}

/* "0,1 1,1": the values of each outcome, in their order; with * those that satisfy the condition. */
static const char *outcomes_text(struct fixture *f, const struct result *r) {
  struct text out = {.arena = &arena};
  for (uint32_t i = 0; i < r->outcomes.len; i++) {
    struct outcome o = outcomes_at(&r->outcomes, i);
    if (i) text_char(&out, ' ');
    for (uint32_t k = 0; k < f->program->observed_count; k++)
      text_printf(&out, "%s%u", k ? "," : "", (unsigned)o.values[k]);
    if (o.satisfies) text_char(&out, '*');
  }
  return text_str(&out);
}

static void store_buffering(struct fixture *f) {
  build(f, "x=0; y=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
        "st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\n ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;",
        "exists (0:r0=0 /\\ 1:r0=0)");
}

TEST(store_buffering_has_four_outcomes_or_three) {
  for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
    struct fixture f;
    store_buffering(&f);
    struct result weak = checked(&f, coherence, (struct check_options){.engine = engines[e]});
    assert_string_equal(outcomes_text(&f, &weak), "0,0* 0,1 1,0 1,1");
    assert_int_equal(weak.verdict, VERDICT_ALLOWED);
    assert_int_equal(weak.observation, OBSERVATION_SOMETIMES);
    assert_true(weak.complete && weak.holds);
    assert_int_equal(weak.positive, 1);
    assert_int_equal(weak.negative, 3);
    struct result strong = checked(&f, sc, (struct check_options){.engine = engines[e]});
    assert_string_equal(outcomes_text(&f, &strong), "0,1 1,0 1,1");
    assert_int_equal(strong.verdict, VERDICT_FORBIDDEN);
    assert_int_equal(strong.observation, OBSERVATION_NEVER);
    assert_false(strong.holds || strong.vacuous);
    assert_true(strong.vacuous_known);
  }
}

/* Two stores of one value, which nothing orders (M9): a load of 1 reads from one or from the other (O7). */
TEST(executions_are_counted) {
  for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
    struct fixture f;
    build(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0",
          "st.relaxed.gpu x, 1 | st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;", "exists (2:r0=1)");
    struct result r = checked(&f, coherence, (struct check_options){.engine = engines[e], .count_executions = true});
    assert_int_equal(r.outcomes.len, 2);
    assert_int_equal(r.positive, 2);
    assert_int_equal(r.negative, 1);
    assert_int_equal(r.observation, OBSERVATION_SOMETIMES);
  }
}

TEST(a_filter_leaves_outcomes_out) {
  for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
    struct fixture f;
    build(&f, "x=0; y=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
          "st.relaxed.gpu x, 1 | st.relaxed.gpu y, 1 ;\n ld.relaxed.gpu r0, y | ld.relaxed.gpu r0, x ;",
          "filter (0:r0=1)\nexists (1:r0=1)");
    struct result r = checked(&f, coherence, (struct check_options){.engine = engines[e]});
    assert_int_equal(r.outcomes.len, 2);
    assert_false(r.filter_empty);
    build(&f, "x=0;", "P0@cta 0,gpu 0", "ld.relaxed.gpu r0, x ;", "filter (0:r0=1)\nexists (0:r0=1)");
    r = checked(&f, coherence, (struct check_options){.engine = engines[e]});
    assert_true(r.filter_empty);
    assert_int_equal(r.outcomes.len, 0);
  }
}

TEST(what_no_axiom_forbids_is_vacuous) {
  struct fixture f;
  build(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0", "st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x ;",
        "exists (1:r0=2)");
  for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
    struct result r = checked(&f, sc, (struct check_options){.engine = engines[e]});
    assert_int_equal(r.verdict, VERDICT_FORBIDDEN);
    assert_true(r.vacuous_known && r.vacuous);
  }
}

#define TWO_STORES "flag ~empty ext & loc & ((W \\ IW) * (W \\ IW)) as both"

/* The pair of a flag: the two stores. */
TEST(a_flag_names_its_pair) {
  for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
    struct fixture f;
    build(&f, "x=0; y=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0", "st.weak y, 1 | st.weak x, 2 ;\n st.weak x, 1 | ;",
          "exists (x=1)");
    struct result r = checked(&f, "acyclic (po & loc) | rf | fr | co as coherence\n" TWO_STORES,
                              (struct check_options){.engine = engines[e], .races = true});
    assert_int_equal(r.raised.len, 1);
    assert_string_equal(r.raised.data[0].name, "both");
    assert_int_equal(r.raised.data[0].pair_count, 1);
    const struct raised_pair *pair = &r.raised.data[0].pairs[0];
    assert_int_equal(pair->thread_a + pair->thread_b, 1);
    assert_int_equal(pair->thread_a ? pair->instr_b : pair->instr_a, 1); /* the second store of P0 */
    r = checked(&f, TWO_STORES, (struct check_options){.engine = engines[e]});
    assert_int_equal(r.raised.len, 0); /* not asked */
  }
}

TEST(crossing_barriers_deadlock) {
  for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
    struct fixture f;
    build(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0", "bar.sync 0, 64 | bar.sync 1, 64 ;", "exists (x=0)");
    struct result r = checked(&f, coherence, (struct check_options){.engine = engines[e]});
    assert_true(r.deadlock.found);
    assert_int_equal(r.deadlock.waiting.len, 2);
  }
}

/* x counts how often the loop ran: with a bound of 3 iterations, more are possible. */
TEST(the_bound_is_reached) {
  for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
    struct fixture f;
    build(&f, "x=0; y=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
          "L: atom.relaxed.gpu.add.u32 r1, [x], 1 | st.relaxed.gpu y, 1 ;\n ld.relaxed.gpu r0, y | ;\n"
          "setp.eq.u32 p, r0, 0 | ;\n @p bra L | ;",
          "exists (x=2)");
    struct result r = checked(&f, coherence, (struct check_options){.engine = engines[e], .shape = {.unroll = 3}});
    assert_true(r.bounded);
    assert_int_equal(r.bound, 3);
    assert_int_equal(r.verdict, VERDICT_ALLOWED); /* a state that is reached stays reached */
    build(&f, "x=0; y=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
          "L: atom.relaxed.gpu.add.u32 r1, [x], 1 | st.relaxed.gpu y, 1 ;\n ld.relaxed.gpu r0, y | ;\n"
          "setp.eq.u32 p, r0, 0 | ;\n @p bra L | ;",
          "exists (x=9)");
    r = checked(&f, coherence, (struct check_options){.engine = engines[e], .shape = {.unroll = 3}});
    assert_int_equal(r.verdict, VERDICT_UNKNOWN); /* nine iterations are past the bound */
    assert_int_equal(r.reason->id, REASON_BOUND);
  }
}

TEST(limits_are_reasons) {
  struct fixture f;
  store_buffering(&f);
  struct result r = checked(&f, coherence, (struct check_options){.max_outcomes = 3});
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  r = checked(&f, coherence, (struct check_options){.max_outcomes = 4});
  assert_int_equal(r.verdict, VERDICT_ALLOWED);
  /* Brute force makes many more than two choices for four outcomes, and the same ones each time. */
  r = checked(&f, coherence, (struct check_options){.engine = ENGINE_ENUMERATE, .work = 2});
  assert_int_equal(r.verdict, VERDICT_UNKNOWN);
  assert_int_equal(r.reason->id, REASON_TIME_LIMIT);
  assert_string_equal(r.reason->text, "the limit of work was reached");
  r = checked(&f, coherence, (struct check_options){.engine = ENGINE_ENUMERATE, .work = 100000});
  assert_int_equal(r.verdict, VERDICT_ALLOWED);
}

TEST(a_verdict_alone_needs_no_list) {
  struct fixture f;
  store_buffering(&f);
  struct result r = checked(&f, coherence, (struct check_options){.verdict_only = true});
  assert_int_equal(r.verdict, VERDICT_ALLOWED);
  assert_false(r.complete);
  assert_true(r.outcomes.len < 4);
}

TEST(a_certificate_claims_what_is_not) {
  struct fixture f;
  store_buffering(&f);
  struct result r = checked(&f, sc, (struct check_options){.certify = true});
  assert_int_equal(r.verdict, VERDICT_FORBIDDEN);
  assert_true(r.claims.len >= 1);
  VEC_EACH (claim, &r.claims) assert_int_equal(strncmp(claim->dimacs, "p cnf ", 6), 0);
}

/* Under a fair scheduler the store comes; a thread that waits for another value waits for ever. */
TEST(threads_end_or_hang) {
  for (size_t e = 0; e < ARRAY_LEN(engines); e++)
    for (unsigned wanted = 1; wanted <= 2; wanted++) {
      struct fixture f;
      char rows[200];
      snprintf(rows, sizeof rows,
               "st.relaxed.gpu x, 1 | L: ld.relaxed.gpu r0, x ;\n | setp.ne.u32 p, r0, %u ;\n | @p bra L ;", wanted);
      build(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0", rows, "exists (x=1)");
      struct result r = checked(&f, sc, (struct check_options){.engine = engines[e], .termination = true});
      if (wanted == 2) {
        assert_int_equal(r.termination, TERMINATION_MAY_HANG);
        assert_true(r.hang.found);
      } else if (engines[e] == ENGINE_SAT) {
        assert_int_equal(r.termination, TERMINATION_ALWAYS);
      } else {
        assert_int_not_equal(r.termination, TERMINATION_MAY_HANG);
      }
    }
}

/* A `safe` test: one finding, a race, and none with atomics. */
TEST(safety_finds_a_race) {
  static const char racy[] = "include \"ptx.cat\"";
  for (size_t e = 0; e < ARRAY_LEN(engines); e++) {
    struct fixture f;
    build(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0", "st.weak x, 1 | st.weak x, 2 ;", "safe");
    struct result r = checked(&f, racy, (struct check_options){.engine = engines[e]});
    assert_int_equal(r.verdict, VERDICT_UNSAFE);
    assert_int_equal(r.findings.len, 1);
    build(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0", "st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 ;", "safe");
    r = checked(&f, racy, (struct check_options){.engine = engines[e]});
    assert_int_equal(r.verdict, VERDICT_SAFE);
    assert_int_equal(r.findings.len, 0);
  }
}

int main(void) { return run_all(open_arena, close_arena); }
