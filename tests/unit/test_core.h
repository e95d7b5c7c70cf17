/* For the tests of rel, encode and ask: a skeleton from a program in text, with a model in text. */
#ifndef PTXLIT_TEST_CORE_H
#define PTXLIT_TEST_CORE_H

#include "test_cat.h"
#include "test_litmus.h"

#include "exec/execution.h"

/* The skeleton of a test; `fixture` must last as long. */
UNUSED static struct skeleton *skeleton_of(struct fixture *fixture, const char *init, const char *head,
                                           const char *rows, const char *condition) {
  build(fixture, init, head, rows, condition);
  assert_accepted(fixture);
  struct skeleton_options options = {.shape = {.unroll = 2}};
  struct skeleton *skeleton = skeleton_build(&arena, fixture->program, &options);
  assert_null(skeleton->refusal);
  return skeleton;
}

/* Message passing: e0 W x, e1 W y; e2 R y, e3 R x; e4 and e5 the initial writes of x and y. */
enum { MP_WX, MP_WY, MP_RY, MP_RX, MP_IX, MP_IY, MP_EVENTS };

UNUSED static struct skeleton *message_passing(struct fixture *fixture) {
  struct skeleton *s =
      skeleton_of(fixture, "x=0; y=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
                  "st.weak x, 1 | ld.weak r0, y ;\n st.weak y, 1 | ld.weak r1, x ;", "exists (1:r0=1 /\\ 1:r1=0)");
  assert_int_equal(s->n, MP_EVENTS);
  return s;
}

/* The value of a relation as text, "e0-e1 e2-e3". */
UNUSED static const char *pairs_text(struct arena *in, struct bitmat m) {
  struct text out = {.arena = in};
  for (uint32_t a = 0; a < m.n; a++)
    EACH (b, bitmat_row_set(m, a)) text_printf(&out, "%se%u-e%u", out.len ? " " : "", a, b);
  return text_str(&out);
}

UNUSED static const char *members_text(struct arena *in, struct bitset s) {
  struct text out = {.arena = in};
  EACH (a, s) text_printf(&out, "%se%u", out.len ? " " : "", a);
  return text_str(&out);
}

#endif
