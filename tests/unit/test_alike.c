/* Tests of threads that can change places (exec/alike.c): code that is equal up to names, and one test for each
 * property that may distinguish two threads. */
#include "test_core.h"

/* By thread, the number of the first one that it is like. */
static const char *classes(const struct skeleton *s, bool in_outcomes) {
  struct text out = {.arena = &arena};
  for (uint32_t t = 0; t < s->program->thread_count; t++) {
    uint32_t first = 0;
    while (first < t && !skeleton_alike(s, first, t, in_outcomes)) first++;
    text_printf(&out, "%u", first);
  }
  return text_str(&out);
}

struct likeness {
  const char *what, *init, *head, *rows, *condition;
  const char *in_outcomes, *in_verdict;
};

#define APART "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0"
#define TOGETHER "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0"
#define ADD "atom.relaxed.gpu.add.u32 r0, [x], 1"
#define THREE(a, b, c) a " | " b " | " c " ;"
#define ALL(a) THREE(a, a, a)
#define ODD(a, b) THREE(a, b, a)
#define OWN THREE("st.weak [a], 1", "st.weak [b], 1", "st.weak [c], 1")
#define COUNTS "exists (x=3)"
#define PAIR "P0@cta 0,gpu 0 | P1@cta 1,gpu 0"
#define READ_BOTH "ld.weak r1, [x] | ld.weak r1, [x] ;\nld.weak r2, [y] | ld.weak r2, [y] ;\n"
#define WRITE "st.weak [x], r3 | st.weak [x], r3 ;"

static const struct likeness likenesses[] = {
    {"the same", "x=0;", APART, ALL(ADD), COUNTS, "000", "000"},
    {"in one CTA", "x=0;", TOGETHER, ALL(ADD), COUNTS, "000", "000"},
    {"other registers", "x=0;", APART, ODD(ADD, "atom.relaxed.gpu.add.u32 a, [x], 1"), COUNTS, "000", "000"},
    {"a lock", "x=0; y=0;", APART,
     ALL("L: atom.acquire.gpu.cas.b32 r1, [y], 0, 1") "\n" ALL("bne r1, 0, L") "\n" ALL("ld.weak r2, [x]") "\n" ALL(
         "add.u32 r2, r2, 1") "\n" ALL("st.weak [x], r2") "\n" ALL("st.release.gpu [y], 0"),
     COUNTS, "000", "000"},

    /* what threads do */
    {"a constant", "x=0;", APART, ODD(ADD, "atom.relaxed.gpu.add.u32 r0, [x], 2"), COUNTS, "010", "010"},
    {"a register's initial value", "x=0; 0:r9=1; 1:r9=2; 2:r9=1;", APART, ALL("st.relaxed.gpu [x], r9"), COUNTS, "010",
     "010"},
    {"a special register", "x=0;", "P0@cta 0,tid 0,gpu 0 | P1@cta 1,tid 32,gpu 0 | P2@cta 2,tid 0,gpu 0",
     ALL("mov.u32 r1, %tid.x") "\n" ALL("st.relaxed.gpu [x], r1"), COUNTS, "010", "010"},
    {"one event more", "x=0;", APART, ALL(ADD) "\n" ODD("", "ld.relaxed.gpu r1, [x]"), COUNTS, "010", "010"},
    {"the order of instructions", "x=0; y=0;", APART,
     ODD(ADD, "ld.relaxed.gpu r1, [y]") "\n" ODD("ld.relaxed.gpu r1, [y]", ADD), COUNTS, "010", "010"},
    {"a guard", "x=0; y=0;", APART,
     ALL("ld.relaxed.gpu r1, [y]") "\n" ALL("setp.eq.u32 p, r1, 0") "\n" ODD("@p " ADD, "@!p " ADD), COUNTS, "010",
     "010"},
    {"what is written", "x=0; y=0;", APART, ALL(ADD) "\n" ODD("st.weak [y], r0", "st.weak [y], 1"), COUNTS, "010",
     "010"},
    {"what of two reads is written", "x=0; y=0;", APART,
     ALL("ld.weak r1, [x]") "\n" ALL("ld.weak r2, [x]") "\n" ODD("st.weak [y], r1", "st.weak [y], r2"), COUNTS, "010",
     "010"},
    {"a constant, of two", "x=0;", PAIR, ADD " | atom.relaxed.gpu.add.u32 r0, [x], 2 ;", COUNTS, "01", "01"},
    {"the order of operands", "x=0; y=0;", PAIR, READ_BOTH "sub.u32 r3, r1, r2 | sub.u32 r3, r2, r1 ;\n" WRITE, COUNTS,
     "01", "01"},
    {"an operation", "x=0; y=0;", PAIR, READ_BOTH "and.b32 r3, r1, r2 | xor.b32 r3, r1, r2 ;\n" WRITE, COUNTS, "01",
     "01"},
    {"the width of what is computed", "x=0; y=0;", PAIR, READ_BOTH "cvt.u32.u16 r3, r1 | cvt.u32.u8 r3, r1 ;\n" WRITE,
     COUNTS, "01", "01"},
    {"which address when", "x=0; y=0; .u64 0:a=x; .u64 0:b=y; .u64 1:a=x; .u64 1:b=y;", PAIR,
     READ_BOTH "setp.eq.u32 p, r1, 0 | setp.eq.u32 p, r1, 0 ;\nselp.b64 rd1, a, b, p | selp.b64 rd1, b, a, p ;\n"
               "st.weak [rd1], 1 | st.weak [rd1], 1 ;",
     COUNTS, "01", "01"},
    {"how a spin ends", "x=0; y=0;", APART,
     ALL("L: ld.relaxed.gpu r1, [y]") "\n" ODD("bne r1, 1, L", "bne r1, 2, L") "\n" ALL(ADD), COUNTS, "010", "010"},
    {"arithmetic on floating-point values", ".f32 x=0;", APART,
     ALL("ld.weak.f32 f1, [x]") "\n" ALL("add.f32 f1, f1, f1") "\n" ALL("st.weak.f32 [x], f1"), "exists (x=0)", "000",
     "000"},

    /* how, and where */
    {"semantics", "x=0;", APART, ODD(ADD, "atom.acquire.gpu.add.u32 r0, [x], 1"), COUNTS, "010", "010"},
    {"a scope", "x=0;", APART, ODD(ADD, "atom.relaxed.sys.add.u32 r0, [x], 1"), COUNTS, "010", "010"},
    {"volatile", "x=0;", APART, ODD("st.relaxed.sys [x], 1", "st.volatile [x], 1"), COUNTS, "010", "010"},
    {"a fence", "x=0;", APART, ODD("fence.sc.gpu", "fence.acq_rel.gpu") "\n" ALL(ADD), COUNTS, "010", "010"},
    {"a dependency", "x=0; y=0; .u64 a=x;", APART,
     ODD("ld.relaxed.gpu.u64 rd1, [a]", "ld.relaxed.gpu.u64 rd1, [a]") "\n" ODD("ld.relaxed.gpu r1, [rd1]",
                                                                                "ld.relaxed.gpu r1, [x]") "\n" ALL(ADD),
     COUNTS, "010", "010"},
    {"a location", "x=0; y=0;", APART, ALL(ADD) "\n" ODD("st.weak [y], 1", "st.weak [x], 1"), COUNTS, "010", "010"},
    {"a virtual address", "x=0; a @ generic aliases x;", APART, ODD(ADD, "atom.relaxed.gpu.add.u32 r0, [a], 1"), COUNTS,
     "010", "010"},
    {"a width", "x=0; y=0;", APART, ALL(ADD) "\n" ODD("st.weak [y], 1", "st.weak.u16 [y], 1"), COUNTS, "010", "010"},
    {"one of three in a CTA of its own", "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 0,gpu 0", ALL(ADD), COUNTS,
     "010", "010"},
    {"two and two in CTAs", "x=0;", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 1,gpu 0 | P3@cta 1,gpu 0",
     ADD " | " ADD " | " ADD " | " ADD " ;", COUNTS, "0022", "0022"},
    {"one of three on another GPU", "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 1 | P2@cta 2,gpu 0", ALL(ADD), COUNTS, "010",
     "010"},
    {"shared memory of their CTA", "x=0; .shared .u32 s=0;", TOGETHER, ALL(ADD) "\n" ALL("st.weak [s], 1"), COUNTS,
     "000", "000"},
    {"shared memory of each", "x=0; .shared .u32 s=0;", APART, ALL(ADD) "\n" ALL("st.weak [s], 1"), COUNTS, "000",
     "000"},
    {"memory of their own", "x=0; .local .u32 s=0;", TOGETHER, ALL(ADD) "\n" ALL("st.local [s], 1"), COUNTS, "000",
     "000"},
    {"a location of each", "x=0; a=0; b=0; c=0;", APART, ALL(ADD) "\n" OWN, COUNTS, "000", "000"},
    {"the value of one of these", "x=0; a=0; b=2; c=0;", APART, ALL(ADD) "\n" OWN, COUNTS, "010", "010"},
    {"a question about one of these", "x=0; a=0; b=0; c=0;", APART, ALL(ADD) "\n" OWN, "exists (b=1)", "010", "010"},
    {"barriers", "x=0;", TOGETHER, ALL(ADD) "\n" ALL("bar.sync 0"), COUNTS, "012", "012"},

    /* what is asked */
    {"a register", "x=0;", APART, ALL(ADD), "exists (1:r0=0)", "010", "010"},
    {"two registers", "x=0;", APART, ALL(ADD), "exists (0:r0=0 /\\ 1:r0=0)", "012", "002"},
    {"all registers, in another order", "x=0;", APART, ALL(ADD), "forall (2:r0=0 \\/ 0:r0=0 \\/ 1:r0=0)", "012", "000"},
    {"not the same of two", "x=0;", APART, ALL(ADD), "exists (0:r0=0 /\\ 1:r0=1)", "012", "012"},
    {"one way and the other", "x=0;", APART, ALL(ADD), "exists ((0:r0=0 /\\ 1:r0=1) \\/ (0:r0=1 /\\ 1:r0=0))", "012",
     "002"},
    {"twice one way", "x=0;", APART, ALL(ADD), "exists ((0:r0=0 /\\ 1:r0=1) \\/ (1:r0=1 /\\ 0:r0=0))", "012", "012"},
    {"equal registers", "x=0;", APART, ALL(ADD), "exists (0:r0=1:r0)", "012", "002"},
    {"not equal", "x=0;", APART, ALL(ADD), "exists (~(1:r0=0:r0))", "012", "002"},
    {"the smaller one", "x=0;", APART, ALL(ADD), "exists (0:r0<1:r0)", "012", "012"},
    {"equal and not", "x=0;", APART, ALL(ADD), "exists (0:r0=1 /\\ 1:r0!=1)", "012", "012"},
    {"both and one of both", "x=0;", APART, ALL(ADD), "exists (~(0:r0=0 /\\ x=3) \\/ ~(1:r0=0 \\/ x=3))", "012", "012"},
    {"a register and memory", "x=0;", APART, ALL(ADD), "exists (0:r0=1 /\\ x=1)", "011", "011"},
    {"another register", "x=0;", APART, ALL(ADD) "\n" ALL("ld.relaxed.gpu r1, [x]"), "exists (0:r0=0 /\\ 1:r1=0)",
     "012", "012"},
    {"more of one", "x=0;", APART, ALL(ADD), "exists (0:r0=0 /\\ 1:r0=0 /\\ 0:r0=0)", "012", "012"},
    {"another type", "x=0;", APART, ODD("atom.relaxed.gpu.exch.b32 r0, [x], 1", "atom.relaxed.gpu.add.s32 r0, [x], 1"),
     "exists (0:r0<2 /\\ 1:r0<2)", "012", "012"},
    {"signed and not", "x=0; y=0;", APART, ODD("ld.weak.u32 r1, [x]", "ld.weak.s32 r1, [x]") "\n" ALL("st.weak [y], 1"),
     "exists (0:r1<2 /\\ 1:r1<2)", "012", "012"},
    {"what is shown", "x=0;", APART, ALL(ADD), "locations [0:r0;]\nexists (x=3)", "011", "000"},
    {"the filter", "x=0;", APART, ALL(ADD), "filter (0:r0=0)\nexists (x=3)", "011", "011"},
    {"all in the filter", "x=0;", APART, ALL(ADD), "filter (0:r0=0 \\/ 1:r0=0 \\/ 2:r0=0)\nexists (x=3)", "012", "000"},
};

TEST(threads_are_alike_but_for_what_differs) {
  int bad = 0;
  for (size_t i = 0; i < ARRAY_LEN(likenesses); i++) {
    const struct likeness *l = &likenesses[i];
    struct fixture f;
    struct skeleton *s = skeleton_of(&f, l->init, l->head, l->rows, l->condition);
    const char *in_outcomes = classes(s, true), *in_verdict = classes(s, false);
    if (strcmp(in_outcomes, l->in_outcomes) != 0 || strcmp(in_verdict, l->in_verdict) != 0) {
      print_error("%s: %s in outcomes, %s in the verdict\n", l->what, in_outcomes, in_verdict);
      bad++;
    }
  }
  assert_int_equal(bad, 0);
}

int main(void) { return run_each(open_arena, close_arena); }
