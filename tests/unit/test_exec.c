/* Skeletons of small programs: events, guards, places, possible values and relations, with the result by hand. */
#include "exec/sets.h"
#include "test_core.h"

/* Letter and size in bytes of each event. */
static void expect_kinds(const struct skeleton *s, const char *kinds) {
  struct text out = {.arena = &arena};
  for (uint32_t e = 0; e < s->n; e++) {
    static const char letters[] = {[EVENT_READ] = 'R',        [EVENT_WRITE] = 'W',  [EVENT_FENCE] = 'F',
                                   [EVENT_PROXY_FENCE] = 'P', [EVENT_ARRIVE] = 'A', [EVENT_WAIT] = 'B'};
    text_printf(&out, "%c%u", letters[skeleton_event(s, e)->kind], skeleton_event(s, e)->size);
    text_add(&out, e + 1 < s->n ? " " : "");
  }
  assert_string_equal(text_str(&out), kinds);
}

static void expect_set(const struct skeleton *s, const char *name, const char *members) {
  assert_string_equal(members_text(&arena, s->sets[builtin_find(name)]), members);
}

static void expect_relation(const struct skeleton *s, const char *name, const char *may, const char *must) {
  assert_string_equal(pairs_text(&arena, s->may[builtin_find(name)]), may);
  assert_string_equal(pairs_text(&arena, s->must[builtin_find(name)]), must);
}

TEST(events_of_each_kind) {
  struct fixture f;
  const struct skeleton *s = skeleton_of(&f, "x=0; .u64 w=0;", "P0@cta 0,gpu 0",
                                         "atom.acq_rel.cta.add.u32 r0, [x], 1 ;\n red.relaxed.gpu.add.u32 [x], 1 ;\n"
                                         "fence.sc.sys ;\n fence.proxy.alias ;\n st.weak.v2.u32 [w], {1, 2} ;\n"
                                         "bar.sync 0 ;",
                                         "exists (x=1)");
  expect_kinds(s, "R4 W4 R4 W4 F0 P0 W4 W4 A0 B0 W4 W4 W4");
  assert_int_equal(skeleton_event(s, 0)->sem, SEM_ACQUIRE); /* acq_rel falls apart */
  assert_int_equal(skeleton_event(s, 1)->sem, SEM_RELEASE);
  assert_int_equal(skeleton_event(s, 0)->partner, 1);
  assert_int_equal(skeleton_event(s, 9)->partner, 8);
  expect_set(s, "ATOM", "e0 e1 e2 e3");
  expect_set(s, "RED", "e2");
  expect_set(s, "ACQ", "e0");
  expect_set(s, "SC", "e4");
  expect_set(s, "F", "e4 e5");
  expect_set(s, "ALIAS", "e5");
  expect_set(s, "CTA", "e0 e1");
  expect_set(s, "WEAK", "e6 e7 e10 e11 e12");
  expect_set(s, "GEN", "e0 e1 e2 e3 e4 e6 e7 e10 e11 e12");
  expect_relation(s, "rmw", "e0-e1 e2-e3", "e0-e1 e2-e3");
  expect_relation(s, "data", "e0-e1 e2-e3", "e0-e1 e2-e3");
  expect_relation(s, "bar", "e8-e9", "e8-e9");
  assert_false(bitmat_has(s->must[CAT_REL_PO], 6, 7)); /* elements of one vector */
  assert_true(bitmat_has(s->must[CAT_REL_PO], 5, 6) && bitmat_has(s->must[CAT_REL_PO], 7, 8));
}

TEST(guards_say_when) {
  struct fixture f;
  struct skeleton *s = skeleton_of(&f, "x=0; y=0;", "P0@cta 0,gpu 0",
                                   "ld.weak r0, x ;\n setp.eq.u32 p, r0, 1 ;\n @p st.weak y, 1 ;\n @!p st.weak y, 2 ;",
                                   "exists (y=1)");
  const struct term *when = term_get(&s->terms, skeleton_event(s, 1)->exec);
  assert_int_equal(when->op, TERM_EQ);
  assert_int_equal(skeleton_event(s, 2)->exec, term_not(&s->terms, skeleton_event(s, 1)->exec));
  assert_string_equal(members_text(&arena, s->always), "e0 e3 e4");
  expect_relation(s, "ctrl", "e0-e1 e0-e2", "e0-e1 e0-e2");
}

/* x xor x is 0: the address is known, and nothing depends on the read (P10). */
TEST(values_fold) {
  struct fixture f;
  const struct skeleton *s = skeleton_of(&f, ".u64 x=0; y=0; P0:rd1=y;", "P0@cta 0,gpu 0",
                                         "ld.weak.u64 rd0, [x] ;\n xor.b64 rd2, rd0, rd0 ;\n"
                                         "add.u64 rd3, rd1, rd2 ;\n st.weak.u32 [rd3], 1 ;",
                                         "exists (y=1)");
  assert_true(term_is_const(&s->terms, skeleton_event(s, 1)->address));
  assert_int_equal(skeleton_event(s, 1)->place_count, 1);
  assert_true(s->fixed_places);
  expect_relation(s, "addr", "", "");
}

/* P1 reads i: 0, 4 or 8, of which the last leads out of a. */
TEST(places_of_a_computed_address) {
  struct fixture f;
  const struct skeleton *s = skeleton_of(&f, ".u64 i=4; .u32 a[2]={0,0}; P1:rd1=a;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
                                         "st.weak.u64 [i], 8 | ld.weak.u64 rd0, [i] ;\n"
                                         "st.weak.u64 [i], 0 | add.u64 rd2, rd1, rd0 ;\n | st.weak.u32 [rd2], 7 ;",
                                         "exists (a[1]=7)");
  const struct event *write = skeleton_event(s, 3);
  const struct value_set *index = &s->value_sets[skeleton_event(s, 2)->value];
  assert_true(index->count == 3 && !index->top);
  for (uint32_t i = 0; i < 3; i++) assert_true(index->values[i] == 4 * i);
  assert_int_equal(write->place_count, 2);
  assert_int_not_equal(write->places[0].guard, TERM_TRUE);
  assert_false(s->fixed_places);
  assert_int_equal(s->hazards.len, 1);
  assert_int_equal(s->hazards.data[0].reason->id, REASON_NO_LOCATION);
}

TEST(ranges_of_mixed_sizes) {
  struct fixture f;
  const struct skeleton *s = skeleton_of(&f, ".u64 w=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0",
                                         "st.weak.u64 [w], 1 | st.weak.u32 [w], 2 ;\n | ld.weak.u32 r0, [w+4] ;",
                                         "exists (1:r0=0)");
  expect_kinds(s, "W8 W4 R4 W8");
  assert_int_equal(s->chunk_count, 2);
  expect_relation(s, "partial", "e0-e1 e0-e2 e1-e0 e1-e3 e2-e0 e2-e3 e3-e1 e3-e2",
                  "e0-e1 e0-e2 e1-e0 e1-e3 e2-e0 e2-e3 e3-e1 e3-e2");
  expect_relation(s, "same-range", "e0-e0 e0-e3 e1-e1 e2-e2 e3-e0 e3-e3", "e0-e0 e0-e3 e1-e1 e2-e2 e3-e0 e3-e3");
  expect_relation(s, "rf", "e0-e2 e3-e2", "");
  expect_relation(s, "co", "e0-e1 e1-e0 e3-e0 e3-e1", "e3-e0 e3-e1");
}

TEST(scopes_and_fence_order) {
  struct fixture f;
  const struct skeleton *s = skeleton_of(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 1",
                                         "fence.sc.gpu | fence.sc.sys | fence.sc.cta ;\n st.weak x, 1 | | ;",
                                         "exists (x=1)");
  expect_kinds(s, "F0 W4 F0 F0 W4");
  expect_relation(s, "incl", "e0-e0 e0-e1 e0-e2 e2-e0 e2-e1 e2-e2 e2-e3 e3-e3",
                  "e0-e0 e0-e1 e0-e2 e2-e0 e2-e1 e2-e2 e2-e3 e3-e3");
  expect_relation(s, "sr", "e0-e0 e0-e2 e2-e0 e2-e2 e3-e3", "e0-e0 e0-e2 e2-e0 e2-e2 e3-e3");
  expect_relation(s, "sc", "e0-e2 e2-e0", "");
}

/* Behaviour that PTX leaves open is a hazard of its own kind, and each feature that is not modelled has its reason. */
TEST(hazards_and_refusals) {
  struct fixture f;
  const struct skeleton *s = skeleton_of(&f, "x=0;", "P0@cta 0,gpu 0", "bar.arrive r0, 1 ;\n st.weak x, 1 ;",
                                         "exists (x=1)");
  for (uint32_t i = 0; i < s->hazards.len; i++) assert_int_equal(s->hazards.data[i].reason->kind, REASON_UNDEFINED);
  build(&f, "x=0;", "P0@cta 0,gpu 0", "stackrestore.u32 r0 ;", "exists (x=1)");
  struct skeleton_options options = {.shape = {.unroll = 2}};
  s = skeleton_build(&arena, f.program, &options);
  assert_non_null(s->refusal);
  assert_int_equal(s->refusal->id, REASON_STACK_ALLOCATION);
  assert_string_equal(s->refusal->name, "stack-allocation");
}

static value_t sum_of(const void *context, const value_t values[3]) {
  (void)context;
  return values[0] + values[1] + values[2];
}

/* Sets only grow; without a value nothing comes of them, with too many they are top. */
TEST(sets_of_values) {
  struct value_set one = {0}, two = {0}, empty = {0}, top = {.top = true}, sums = {0};
  assert_true(value_set_add(&arena, &one, 5, 3) && value_set_add(&arena, &one, 1, 3));
  assert_false(value_set_add(&arena, &one, 5, 3));
  assert_true(one.count == 2 && one.values[0] == 1 && one.values[1] == 5);
  assert_true(value_set_add(&arena, &two, 10, 3) && value_set_add(&arena, &two, 14, 3));
  const struct value_set *const nothing[3] = {&one, &empty, &top}, *const any[3] = {&one, &top, &value_set_zero};
  assert_false(value_set_combine(&arena, &sums, nothing, sum_of, NULL, 8));
  assert_int_equal(sums.count, 0);
  const struct value_set *const both[3] = {&one, &two, &value_set_zero}; /* 11, 15, 15, 19 */
  assert_true(value_set_combine(&arena, &sums, both, sum_of, NULL, 8));
  assert_true(!sums.top && sums.count == 3 && sums.values[0] == 11 && sums.values[1] == 15 && sums.values[2] == 19);
  assert_false(value_set_combine(&arena, &sums, both, sum_of, NULL, 8));
  assert_true(value_set_join(&arena, &one, &sums, 3) && one.top); /* it would be 1, 5, 11, 15, 19 */
  assert_true(value_set_combine(&arena, &sums, any, sum_of, NULL, 8) && sums.top);
  assert_false(value_set_top(&sums));
}

/* Runs an execution with these phases for the arrivals, in the order of events. */
static enum run_status meet(const struct skeleton *s, const uint32_t *phases, struct execution **out) {
  struct slots *slots = ARENA_NEW(&arena, struct slots);
  *slots = slots_build(&arena, s);
  struct execution *x = *out = execution_new(&arena, s, slots);
  for (uint32_t e = 0; e < s->n; e++)
    if (skeleton_event(s, e)->kind == EVENT_ARRIVE) x->phase[e] = *phases++;
  return execution_run(x);
}

/* Two arrivals a phase, and three threads that do not wait: the two of P0 in one phase are a misuse, and one phase has
 * no room for three. */
TEST(phases_fit_or_not) {
  struct fixture f;
  struct execution *x;
  const struct skeleton *s = skeleton_of(&f, "x=0;", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 0",
                                         "bar.arrive 1, 64 | bar.arrive 1, 64 | bar.arrive 1, 64 ;\n"
                                         "bar.arrive 1, 64 | | ;",
                                         "exists (x=0)");
  static const uint32_t apart[] = {0, 1, 0, 1}, twice[] = {0, 0, 1, 1}, three[] = {0, 1, 0, 0}, gap[] = {0, 2, 0, 2},
                        back[] = {1, 0, 0, 1};
  assert_true(meet(s, apart, &x) == RUN_OK && !x->misuse);
  assert_true(meet(s, twice, &x) == RUN_OK && x->misuse);
  assert_int_equal(x->misuse->id, REASON_ARRIVES_TWICE);
  assert_int_equal(meet(s, three, &x), RUN_INVALID);
  assert_int_equal(meet(s, gap, &x), RUN_INVALID);
  assert_int_equal(meet(s, back, &x), RUN_INVALID);
}

/* P0 and P1 are one warp, P2 and P3 one each. Two lanes in different phases would leave the first one incomplete. */
TEST(lanes_arrive_as_one) {
  struct fixture f;
  struct execution *x;
  const struct skeleton *s = skeleton_of(&f, "x=0;",
                                         "P0@lane 0,warp 0,cta 0 | P1@lane 1,warp 0,cta 0 | P2@warp 1,cta 0 | "
                                         "P3@warp 2,cta 0",
                                         "barrier.arrive 1, 64 | barrier.arrive 1, 64 | barrier.arrive 1, 64 | "
                                         "barrier.arrive 1, 64 ;",
                                         "exists (x=0)");
  const struct barrier_group *group = &s->groups.data[0];
  assert_true(group->members == 4 && group->units == 3);
  assert_true(skeleton_arrive_as_one(s, group, 0, 1) && !skeleton_arrive_as_one(s, group, 1, 2));
  static const uint32_t first[] = {0, 0, 0, 1}, second[] = {1, 1, 0, 0}, split[] = {0, 1, 0, 1}, all[] = {0, 0, 0, 0};
  assert_true(meet(s, first, &x) == RUN_OK && !x->misuse);
  assert_true(meet(s, second, &x) == RUN_OK && !x->misuse);
  assert_int_equal(meet(s, split, &x), RUN_INVALID);
  assert_int_equal(meet(s, all, &x), RUN_INVALID);
}

/* P0 spins on e0; e1 and e2 are P1's, and e3 a read. */
TEST(an_end_comes_before_the_wait_for_it) {
  struct fixture f;
  const struct skeleton *s = skeleton_of(&f, "x=0; y=0;", "P0@cta 0,gpu 0 | P1@cta 0,gpu 0",
                                         "L: ld.weak r0, x | bar.sync 0 ;\n bne r0, 1, L | ld.weak r1, y ;",
                                         "exists (0:r0=1)");
  expect_kinds(s, "R4 A0 B0 R4 W4 W4");
  expect_relation(s, "phase-order", "e0-e2 e1-e2", "e0-e2 e1-e2");
  expect_relation(s, "bar", "e1-e2", "e1-e2");
}

/* Each row of reasons.def is whole, and no two have one name. */
TEST(reasons_are_whole) {
  static const enum reason_id ids[] = {
#define UNDEFINED(id, name, text, section, title, meaning, cure, gaps) REASON_##id,
#define OPEN(id, name, text, meaning, cure) REASON_##id,
#define UNKNOWN(id, name, text, meaning, cure) REASON_##id,
#include "ptx/reasons.def"
  };
  for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
    const struct reason *r = reason_get(ids[i]);
    assert_true(r->id == ids[i] && *r->name && *r->text && *r->meaning && *r->cure);
    assert_int_equal(r->kind == REASON_UNDEFINED, r->section != NULL);
    for (size_t k = 0; k < i; k++) assert_string_not_equal(r->name, reason_get(ids[k])->name);
  }
}

int main(void) { return run_each(open_arena, close_arena); }
