/* Loops for any number of iterations: the machines of small programs, counted by hand, and which of them end under
 * which scheduler. */
#include "test_core.h"

#include "loops/machine.h"

static const char sc[] = "acyclic po | rf | fr | co as sc";

static struct looping looping_of(struct fixture *f, const struct skeleton *s, const struct model *model,
                                 enum progress progress) {
  static bool given_up[2];
  given_up[0] = given_up[1] = false;
  return (struct looping){.arena = &arena,
                          .program = f->program,
                          .model = model,
                          .skeleton = s,
                          .progress = progress,
                          .given_up = given_up};
}

/* P0 stores 1, for which P1 waits; with `turned` the threads change places. */
static struct skeleton *waiting(struct fixture *f, bool turned) {
  if (!turned)
    return skeleton_of(f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
                       "st.relaxed.gpu x, 1 | L: ld.relaxed.gpu r0, x ;\n | setp.eq.u32 p, r0, 0 ;\n | @p bra L ;",
                       "exists (1:r0=1)");
  return skeleton_of(f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
                     "L: ld.relaxed.gpu r0, x | st.relaxed.gpu x, 1 ;\n setp.eq.u32 p, r0, 0 | ;\n @p bra L | ;",
                     "exists (0:r0=1)");
}

static bool ends(bool turned, enum progress progress) {
  struct fixture f;
  struct skeleton *s = waiting(&f, turned);
  struct looping q = looping_of(&f, s, read(sc), progress);
  bool all = loops_all_end(&q);
  return all;
}

/* The machines of a thread that stores and one that waits for the store. */
static struct machines machines_of_waiting(struct fixture *f) {
  struct skeleton *s = waiting(f, false);
  struct looping *q = ARENA_NEW(&arena, struct looping);
  struct machines x = {0};
  *q = looping_of(f, s, read(sc), PROGRESS_FAIR);
  assert_true(machines_build(&x, q, false));
  return x;
}

TEST(the_machine_of_a_waiting_thread) {
  struct fixture f;
  struct machines x = machines_of_waiting(&f);
  assert_int_equal(x.list.len, 1);
  const struct location_machine *m = &x.list.data[0];
  /* Before the store; after it; and after the load of 1. */
  assert_int_equal(m->count, 3);
  /* The store; the load of 0, which leads back; the load of 1. */
  assert_int_equal(m->moves.len, 3);
  unsigned loops = 0;
  VEC_EACH (move, &m->moves) {
    loops += move->from == move->to;
    if (move->from == move->to) assert_int_equal(move->thread, 1);
  }
  assert_int_equal(loops, 1);
  uint32_t place = m->place == EVERY_PLACE ? 0 : m->place;
  assert_int_equal(x.held.data[place].list.len, 2);
  assert_int_equal(x.held.data[place].list.data[machine_held(&x, m, 0, place)], 0);
  /* Without the store, P1 stays where it is. */
  struct location_machine alone = machine_run(&x, m->place, 1u << 1);
  assert_int_equal(alone.count, 1);
  assert_int_equal(alone.moves.len, 1);
}

TEST(rounds_are_cycles_of_all_that_move) {
  struct fixture f;
  struct machines x = machines_of_waiting(&f);
  const struct location_machine *m = &x.list.data[0];
  struct bitset states = bitset_new(&arena, m->count);
  for (uint32_t i = 0; i < m->count; i++) bitset_add(states, i);
  machine_keep_rounds(&arena, m, states, 1u << 1);
  assert_string_equal(members_text(&arena, states), "e0"); /* where P1 reads 0 again and again */
  for (uint32_t i = 0; i < m->count; i++) bitset_add(states, i);
  machine_keep_rounds(&arena, m, states, 1u << 0 | 1u << 1);
  assert_string_equal(members_text(&arena, states), ""); /* P0 stores once */
}

/* The one that waits has the higher number: each scheduler lets the other one run. The other way round, the scheduler
 * of HSA keeps only the one that waits, and so may one that keeps those that have begun. */
TEST(schedulers_differ_in_whom_they_keep) {
  assert_true(ends(false, PROGRESS_FAIR));
  assert_true(ends(false, PROGRESS_HSA));
  assert_true(ends(false, PROGRESS_LOBE));
  assert_true(ends(true, PROGRESS_FAIR));
  assert_false(ends(true, PROGRESS_HSA));
  assert_false(ends(true, PROGRESS_OBE));
  assert_false(ends(true, PROGRESS_LOBE));
}

/* Two threads wait for one another: x before y, and y before x. */
TEST(two_that_wait_do_not_end) {
  struct fixture f;
  struct skeleton *s = skeleton_of(&f, "x=0; y=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
                                   "L: ld.relaxed.gpu r0, x | M: ld.relaxed.gpu r0, y ;\n"
                                   "setp.eq.u32 p, r0, 0 | setp.eq.u32 p, r0, 0 ;\n @p bra L | @p bra M ;\n"
                                   "st.relaxed.gpu y, 1 | st.relaxed.gpu x, 1 ;",
                                   "exists (0:r0=1)");
  struct looping q = looping_of(&f, s, read(sc), PROGRESS_FAIR);
  assert_false(loops_all_end(&q));
}

/* A model without coherence does not order the accesses: there is no machine. */
TEST(a_model_must_order_the_accesses) {
  struct fixture f;
  struct skeleton *s = waiting(&f, false);
  struct looping q = looping_of(&f, s, read("acyclic po as order"), PROGRESS_FAIR);
  struct machines x = {0};
  assert_false(machines_build(&x, &q, false));
  assert_false(loops_all_end(&q));
}

TEST(one_order_of_all_accesses) {
  assert_true(machines_interleave(read(sc)));
  assert_false(machines_interleave(read("acyclic (po & loc) | rf | fr | co as coherence")));
}

/* An atomic that adds 1 each time: the location may hold 0, 1 and 2, and no fourth value. */
TEST(a_cell_holds_what_can_be_written) {
  struct fixture f;
  struct skeleton *s = skeleton_of(
      &f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0",
      "atom.relaxed.gpu.add.u32 r0, [x], 1 | atom.relaxed.gpu.add.u32 r0, [x], 1 | L: ld.relaxed.gpu r0, x ;\n"
      " | | setp.ne.u32 p, r0, 2 ;\n | | @p bra L ;",
      "exists (2:r0=2)");
  struct looping q = looping_of(&f, s, read("include \"ptx.cat\""), PROGRESS_FAIR);
  struct machines x = {0};
  assert_true(machines_build(&x, &q, false));
  const struct location_machine *m = &x.list.data[0];
  assert_int_equal(x.held.data[0].list.len, 3);
  /* Each adder before or after its atomic, P2 waiting: 4; and P2 ended after both: 1. */
  assert_int_equal(m->count, 5);
}

int main(void) { return run_all(open_arena, close_arena); }
