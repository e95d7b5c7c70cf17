/* Programs for GPUs: the plan of a small test, its PTX and its tables, by hand; and what cannot be run. */
#include "test_litmus.h"

#include "chip/chip.h"

/* The device code of a test, and its row. */
struct made {
  struct fixture f;
  struct chip_plan plan;
  const char *code, *row;
};

static void make(struct made *m, const char *init, const char *head, const char *rows, const char *condition) {
  build(&m->f, init, head, rows, condition);
  assert_accepted(&m->f);
  struct text code = {.arena = &arena}, row = {.arena = &arena};
  chip_plan(&arena, m->f.program, &m->plan);
  chip_code(&arena, m->f.program, &m->plan, 7, &code);
  chip_row(m->f.program, &m->plan, 7, "\"test\":\"t\"", &row);
  m->code = text_str(&code);
  m->row = text_str(&row);
}

static unsigned count_of(const char *in, const char *what) {
  unsigned count = 0;
  for (const char *at = in; (at = strstr(at, what)); at += strlen(what)) count++;
  return count;
}

/* These texts stand in the code, in this order. */
static void assert_order(const char *code, const char *const *texts, size_t count) {
  const char *at = code;
  for (size_t i = 0; i < count; i++) {
    const char *found = strstr(at, texts[i]);
    if (!found) fail_msg("no '%s' after the texts before it in:\n%s", texts[i], code);
    at = found + strlen(texts[i]);
  }
}

TEST(message_passing_in_two_ctas) {
  struct made m;
  make(&m, "x=0; y=5;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
       "st.weak x, 1 | ld.acquire.gpu r0, y ;\n st.release.gpu y, 2 | ld.weak r1, x ;", "exists (1:r0=2 /\\ 1:r1=0)");
  assert_null(m.plan.reason);
  assert_int_equal(m.plan.clusters, 2); /* CTAs of no cluster are clusters of one */
  assert_int_equal(m.plan.cluster_size, 1);
  assert_int_equal(m.plan.seats, 1);
  assert_int_equal(m.plan.gpus, 1);
  assert_int_equal(m.plan.global_count, 2);
  assert_int_equal(m.plan.result_count, 2);
  assert_int_equal(m.plan.shared_size, 0);
  assert_int_equal(m.plan.capability, 0);
  assert_false(m.plan.narrow || m.plan.barriers || m.plan.stops || m.plan.remote || m.plan.async);
  static const char *const texts[] = {"case 0: {",          "st.u32 [%2], t0;", "mov.b32 t1, 0x2;",
                                      "st.release.gpu.u32", "case 1: {",        "ld.acquire.gpu.u32 t2, [%4];",
                                      "ld.u32 t4, [%5];",   "m.result(0, o0);", "m.result(1, o1);"};
  assert_order(m.code, texts, ARRAY_LEN(texts));
  /* Operands of P1 follow its two outputs, gave_up and the steps: y is the object 1. */
  assert_non_null(strstr(m.code, ": \"r\"(m.l->steps), \"l\"(m.global(1, 0)), \"l\"(m.global(0, 0))"));
  assert_non_null(strstr(m.code, "{0, 0, 4, 0x0u, 0x0u}"));
  assert_non_null(strstr(m.code, "{1, 0, 4, 0x5u, 0x0u}"));
  assert_non_null(strstr(m.row, "kernel_of<test_7>()"));
}

TEST(threads_of_one_cta_have_seats) {
  struct made m;
  make(&m, ".shared .u32 z=0; x=0;", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0",
       "st.shared.u32 [z], 1 | bar.sync 0 | st.weak x, 1 ;\n bar.sync 0 | ld.shared.u32 r0, [z] | ;",
       "exists (1:r0=1)");
  assert_null(m.plan.reason);
  assert_int_equal(m.plan.seats, 2);
  assert_int_equal(m.plan.clusters, 2);
  assert_true(m.plan.barriers);
  assert_true(m.plan.shared_size >= 4);
  assert_int_equal(m.plan.roles[1].seat, 1);
  assert_int_equal(m.plan.roles[1].cluster, m.plan.roles[0].cluster);
  assert_int_not_equal(m.plan.roles[2].cluster, m.plan.roles[0].cluster);
  assert_int_equal(m.plan.roles[2].seat, 0);
  assert_int_equal(count_of(m.code, "barrier"), count_of(m.code, "barrier.sync"));
  assert_true(count_of(m.code, "bar.sync") + count_of(m.code, "barrier.sync") >= 2);
}

TEST(a_cluster_is_launched_as_one) {
  struct made m;
  make(&m, "x=0;", "P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0 | P2@cta 2,cluster 1,gpu 0",
       "st.relaxed.cluster x, 1 | ld.relaxed.cluster r0, x | ld.relaxed.gpu r0, x ;", "exists (1:r0=1)");
  assert_null(m.plan.reason);
  assert_int_equal(m.plan.cluster_size, 2);
  assert_int_equal(m.plan.clusters, 2);
  assert_int_equal(m.plan.roles[0].rank + m.plan.roles[1].rank, 1);
  assert_int_equal(m.plan.roles[0].cluster, m.plan.roles[1].cluster);
  assert_int_not_equal(m.plan.roles[0].cluster, m.plan.roles[2].cluster);
}

/* A loop counts its steps, so that the program ends where the test does not. */
TEST(a_loop_gives_up) {
  struct made m;
  make(&m, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
       "st.relaxed.gpu x, 1 | L: ld.relaxed.gpu r0, x ;\n | setp.eq.u32 p, r0, 0 ;\n | @p bra L ;", "exists (1:r0=1)");
  assert_null(m.plan.reason);
  const char *second = strstr(m.code, "case 1: {");
  const char *loop = strstr(second, "ld.relaxed.gpu.u32");
  assert_non_null(strstr(loop, "steps"));
  assert_non_null(strstr(loop, "bra"));
}

TEST(what_cannot_be_run_has_a_reason) {
  struct made m;
  /* Replicas of a multimem address are on several GPUs. */
  make(&m, "multimem m={x,y}; x=0; y=0;", "P0@cta 0,gpu 0", "multimem.st.relaxed.gpu.global.u32 [m], 1 ;",
       "exists (x=1)");
  assert_non_null(m.plan.reason);
  assert_true(m.plan.reason[0] >= 'a' && m.plan.reason[0] <= 'z');
  assert_int_not_equal(m.plan.reason[strlen(m.plan.reason) - 1], '.');
  assert_string_equal(m.code, "");
  assert_null(strstr(m.row, "kernel_of"));
  assert_non_null(strstr(m.row, m.plan.reason));
}

TEST(products_name_the_only_device) {
  struct fixture f;
  build(&f, "x=0;", "P0@cta 0,gpu 0", "wgmma.fence.sync.aligned ;", "exists (x=0)");
  struct chip_plan plan;
  assert_accepted(&f);
  chip_plan(&arena, f.program, &plan);
  assert_null(plan.reason);
  assert_int_equal(plan.capability, 90);
  assert_int_equal(plan.lanes, 128); /* a warpgroup acts as one */
}

TEST(texts_are_quoted) {
  struct text literal = {.arena = &arena}, comment = {.arena = &arena};
  chip_literal("a\"b\\c\nd", &literal);
  assert_string_equal(text_str(&literal), "\"a\\\"b\\\\c\\nd\"");
  chip_comment("one\ntwo \\", &comment);
  assert_int_equal(count_of(text_str(&comment), "\n"), 1); /* no line goes on */
  assert_int_equal(strncmp(text_str(&comment), "// one", 6), 0);
}

int main(void) { return run_each(open_arena, close_arena); }
