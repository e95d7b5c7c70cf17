/* Kernels as tests: what launches of small modules come to. Exchanges of lanes, counted barriers, and the pairs of
 * threads that conflict. */
#include <unistd.h>

#include "api/session.h"

#include "unit.h"

static char directory[] = "/tmp/test_kernel.XXXXXX";

static const char *path_of(const char *name) {
  static char path[200];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static void put_file(const char *name, const char *text) {
  FILE *file = fopen(path_of(name), "w");
  assert_non_null(file);
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
}

/* A test of a kernel with this body, on one CTA of so many threads: %r0 is the thread; it stores %r1 to out[%r2]. */
static struct ptxlit *launch(const char *body, unsigned threads, const char *condition) {
  char text[4096];
  int length = snprintf(text, sizeof text,
                        ".version 8.3\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
                        ".reg .pred %%p<4>; .reg .b32 %%r<9>; .reg .b64 %%rd<4>; .shared .align 4 .b8 s[512];\n"
                        "ld.param.u64 %%rd0, [out];\nmov.u32 %%r0, %%tid.x;\n%s\n"
                        "mul.wide.u32 %%rd1, %%r2, 4;\nadd.u64 %%rd1, %%rd0, %%rd1;\nst.global.u32 [%%rd1], %%r1;\n"
                        "ret;\n}\n",
                        body);
  assert_in_range(length, 1, sizeof text - 1);
  put_file("k.ptx", text);
  /* groups of threads stand for all of them where only safety is asked */
  const char *how = strcmp(condition, "safe") == 0 ? " threads grouped" : "";
  snprintf(text, sizeof text, "PTX k\n{ int out[128]; }\nkernel \"k.ptx\" k(out) grid 1 block %u%s\n%s\n", threads,
           how, condition);
  put_file("k.litmus", text);
  struct ptxlit *s = ptxlit_new();
  assert_int_equal(ptxlit_add_model_dir(s, "models"), PTXLIT_OK);
  assert_int_equal(ptxlit_use_model(s, "ptx"), PTXLIT_OK);
  if (ptxlit_read_file(s, path_of("k.litmus")) != PTXLIT_OK) fail_msg("%s", ptxlit_messages(s, false));
  return s;
}

static enum ptxlit_verdict verdict_of(const char *body, unsigned threads, const char *condition) {
  struct ptxlit *s = launch(body, threads, condition);
  const struct ptxlit_result *result;
  ptxlit_check(s, 0, 0, &result);
  enum ptxlit_verdict verdict = result->verdict;
  ptxlit_free(s);
  return verdict;
}

/* The findings of a launch, as JSON. */
static void assert_finds(const char *body, unsigned threads, const char *what) {
  struct ptxlit *s = launch(body, threads, "safe");
  const struct ptxlit_result *result;
  ptxlit_check(s, 0, 0, &result);
  assert_int_equal(result->verdict, PTXLIT_UNSAFE);
  const char *text = ptxlit_render(s, result, PTXLIT_JSON);
  if (!strstr(text, what)) fail_msg("no '%s' in %s", what, text);
  ptxlit_free(s);
}

#define OWN_INDEX "mov.u32 %r1, 1; mov.u32 %r2, %r0;"

TEST(words_of_their_own_do_not_conflict) {
  assert_int_equal(verdict_of(OWN_INDEX, 128, "safe"), PTXLIT_SAFE);
}

/* Threads 62 and 63 alone share a word. */
TEST(one_pair_of_many_is_found) {
  assert_finds("mov.u32 %r1, %r0; min.u32 %r2, %r0, 62;", 64, "\"race\"");
  assert_int_equal(verdict_of("mov.u32 %r1, %r0; min.u32 %r2, %r0, 63;", 64, "safe"), PTXLIT_SAFE);
}

/* s[t] = t; bar; out[t] = s[n - 1 - t]: known to be n - 1 - t. */
#define MIRROR(barrier)                                                                                                \
  "mov.u32 %r2, s; shl.b32 %r3, %r0, 2; add.u32 %r4, %r2, %r3; st.shared.u32 [%r4], %r0;\n" barrier                    \
  "\nsub.u32 %r5, 7, %r0; shl.b32 %r5, %r5, 2; add.u32 %r5, %r2, %r5; ld.shared.u32 %r1, [%r5]; mov.u32 %r2, %r0;"

TEST(a_barrier_orders_shared_memory) {
  assert_int_equal(verdict_of(MIRROR("bar.sync 0;"), 8, "safe"), PTXLIT_SAFE);
  assert_finds(MIRROR(""), 8, "\"race\"");
  assert_int_equal(verdict_of(MIRROR("bar.sync 0;"), 8, "exists (out[2]=5 /\\ out[7]=0)"), PTXLIT_ALLOWED);
  assert_int_equal(verdict_of(MIRROR("bar.sync 0;"), 8, "exists (out[2]=4)"), PTXLIT_FORBIDDEN);
}

/* Two warps of 32 threads, of which only the first comes to the barrier. */
#define FIRST_WARP_ONLY(barrier) "setp.lt.u32 %p1, %r0, 32; @!%p1 bra AFTER;\n" barrier "\nAFTER:\n" OWN_INDEX

TEST(a_counted_barrier_waits_for_its_count) {
  assert_int_equal(verdict_of(FIRST_WARP_ONLY("bar.sync 1, 32;"), 64, "safe"), PTXLIT_SAFE);
  assert_finds(FIRST_WARP_ONLY("bar.sync 1, 64;"), 64, "\"hang\"");
  /* Both arrive where the one waits. */
  assert_int_equal(
      verdict_of("setp.lt.u32 %p1, %r0, 32; @%p1 bar.sync 1, 64; @!%p1 bar.arrive 1, 64;\n" OWN_INDEX, 64, "safe"),
      PTXLIT_SAFE);
}

/* The lanes of a warp have known values: butterfly, broadcast, ballot and sum. */
TEST(lanes_exchange_constants) {
#define ALL "mov.u32 %r2, %r0;\n"
  assert_int_equal(verdict_of(ALL "shfl.sync.bfly.b32 %r1, %r0, 1, 0x1f, 0xffffffff;", 32,
                              "exists (out[6]=7 /\\ out[7]=6 /\\ out[0]=1)"),
                   PTXLIT_ALLOWED);
  assert_int_equal(verdict_of(ALL "shfl.sync.up.b32 %r1, %r0, 2, 0, 0xffffffff;", 32,
                              "exists (~(out[0]=0 /\\ out[1]=1 /\\ out[2]=0 /\\ out[31]=29))"),
                   PTXLIT_FORBIDDEN);
  assert_int_equal(verdict_of(ALL "setp.gt.u32 %p1, %r0, 29; vote.sync.ballot.b32 %r1, %p1, 0xffffffff;", 32,
                              "exists (~(out[5]=0xc0000000))"),
                   PTXLIT_FORBIDDEN);
  assert_int_equal(verdict_of(ALL "redux.sync.add.u32 %r1, %r0, 0xffffffff;", 32, "exists (~(out[9]=496))"),
                   PTXLIT_FORBIDDEN);
  assert_int_equal(
      verdict_of(ALL "shr.u32 %r3, %r0, 3; match.any.sync.b32 %r1, %r3, 0xffffffff;", 32, "exists (~(out[9]=0xff00))"),
      PTXLIT_FORBIDDEN);
}

/* An index from an exchange: lane 0's, so that all lanes store to one word. */
TEST(an_exchanged_index_is_known) {
  assert_finds("mov.u32 %r1, %r0; shfl.sync.idx.b32 %r2, %r0, 0, 0x1f, 0xffffffff;", 32, "\"race\"");
  assert_int_equal(verdict_of("mov.u32 %r1, %r0; shfl.sync.bfly.b32 %r2, %r0, 16, 0x1f, 0xffffffff;", 32, "safe"),
                   PTXLIT_SAFE);
}

/* A loop of constants is unrolled: 0 + 1 + 2 + 3. */
TEST(a_loop_of_constants_ends) {
  assert_int_equal(verdict_of("mov.u32 %r1, 0; mov.u32 %r3, 0; mov.u32 %r2, %r0;\n"
                              "L: add.u32 %r1, %r1, %r3; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 4; @%p1 bra L;",
                              1, "exists (~(out[0]=6))"),
                   PTXLIT_FORBIDDEN);
}

static int make_directory(void **state) {
  (void)state;
  return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state) {
  (void)state;
  remove(path_of("k.ptx"));
  remove(path_of("k.litmus"));
  return rmdir(directory);
}

int main(void) { return run_all(make_directory, remove_directory); }
