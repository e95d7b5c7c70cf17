/* src/flow on small graphs and programs: paths, loops, liveness, slices and forks, with the result by hand; and on
 * random graphs, where a slower definition gives the result. */
#include "test_cat.h"
#include "test_litmus.h"

#include "base/rng.h"
#include "ptx/uses.h"

enum { NONE = FLOW_NONE };

/* A graph from pairs of numbers, one for each node. */
static struct flow graph_of(uint32_t count, const uint32_t next[][2]) {
  struct flow flow = flow_new(&arena, count);
  for (uint32_t i = 0; i < count; i++) memcpy(flow.next[i], next[i], sizeof flow.next[i]);
  return flow;
}

static struct bitset set_of(uint32_t n, const char *members) {
  struct bitset set = bitset_new(&arena, n);
  for (; *members; members++) bitset_add(set, (uint32_t)(*members - '0'));
  return set;
}

static const char *text_of(struct bitset set) {
  struct text out = {.arena = &arena};
  EACH (i, set) text_printf(&out, "%u", i);
  return text_str(&out);
}

static struct flow flow_of(struct fixture *f, const char *init, const char *rows) {
  build(f, init, "P0@cta 0,gpu 0", rows, "exists (x=0)");
  assert_non_null(f->program);
  return thread_flow(&arena, &f->program->threads[0]);
}

/* ---- graphs */

TEST(instructions_lead_on_or_away) {
  struct fixture f;
  struct flow flow =
      flow_of(&f, "x=0; .pred 0:p=1;",
              "L: ld.weak r0, x ;\n@p bra L ;\n@p exit ;\nbra M ;\nst.weak x, 1 ;\nexit ;\nM: st.weak x, 2 ;");
  const uint32_t wanted[][2] = {{1, NONE}, {2, 0}, {3, 7}, {NONE, 6}, {5, NONE}, {NONE, 7}, {7, NONE}, {NONE, NONE}};
  assert_int_equal(flow.count, 7);
  for (uint32_t i = 0; i <= flow.count; i++) assert_memory_equal(flow.next[i], wanted[i], sizeof wanted[i]);
  assert_true(thread_has_loop(&f.program->threads[0]));
}

TEST(paths_are_followed_both_ways) {
  /* 0 -> 1 <-> 2 -> 4 (the end); 3 is reached by nothing, and leads to 2 */
  const struct flow flow = graph_of(4, (const uint32_t[][2]){{1, NONE}, {2, NONE}, {NONE, 1}, {NONE, 2}});
  struct bitset from = set_of(5, "0"), before = set_of(5, "2"), apart = set_of(5, "2");
  flow_follow(&flow, from);
  flow_trace(&flow, before, FLOW_NONE);
  flow_trace(&flow, apart, 1);
  assert_string_equal(text_of(from), "012");
  assert_string_equal(text_of(before), "0123");
  assert_string_equal(text_of(apart), "123"); /* 0 comes to 2 only through 1 */
}

static struct flow random_graph(struct rng *rng, uint32_t count) {
  struct flow flow = flow_new(&arena, count);
  for (uint32_t i = 0; i < count; i++) {
    flow.next[i][0] = rng_below(rng, 4) ? i + 1 : (uint32_t)NONE;
    if (flow.next[i][0] == NONE || rng_below(rng, 2)) flow.next[i][1] = rng_below(rng, count + 1);
  }
  return flow;
}

TEST(paths_of_random_graphs) {
  struct rng rng = {7};
  for (uint32_t turn = 0; turn < 200; turn++) {
    const struct flow flow = random_graph(&rng, 9);
    struct bitmat leads = bitmat_new(&arena, 10);
    for (uint32_t i = 0; i < 9; i++)
      for (uint32_t k = 0; k < 2; k++)
        if (flow.next[i][k] != NONE) bitmat_add(leads, i, flow.next[i][k]);
    bitmat_closure(leads);
    for (uint32_t i = 0; i < 10; i++) bitmat_add(leads, i, i);
    for (uint32_t i = 0; i < 10; i++) {
      struct bitset after = bitset_new(&arena, 10), before = bitset_new(&arena, 10);
      bitset_add(after, i);
      bitset_add(before, i);
      flow_follow(&flow, after);
      flow_trace(&flow, before, FLOW_NONE);
      for (uint32_t k = 0; k < 10; k++) {
        assert_int_equal(bitset_has(after, k), bitmat_has(leads, i, k));
        assert_int_equal(bitset_has(before, k), bitmat_has(leads, k, i));
      }
    }
  }
}

/* ---- loops */

static const char *loops_text(const struct flow *flow) {
  struct text out = {.arena = &arena};
  const struct loop_list loops = flow_loops(&arena, flow);
  VEC_EACH (loop, &loops) text_printf(&out, "[%u,%u)%s", loop->begin, loop->end, loop->irregular ? "!" : "");
  return text_str(&out);
}

TEST(loops_are_nested_or_apart) {
  const struct flow nested = graph_of(5, (const uint32_t[][2]){{1, NONE}, {2, NONE}, {3, 1}, {4, 0}, {5, 4}});
  assert_string_equal(loops_text(&nested), "[0,4)[1,3)[4,5)");
  const struct loop_list loops = flow_loops(&arena, &nested);
  assert_int_equal(loops_common(&loops, 1, 2), 1);
  assert_int_equal(loops_common(&loops, 1, 3), 0);
  assert_int_equal(loops_common(&loops, 3, 4), NONE);
  const struct flow overlap = graph_of(4, (const uint32_t[][2]){{1, NONE}, {2, NONE}, {3, 0}, {4, 1}});
  assert_string_equal(loops_text(&overlap), "[0,4)!"); /* the second edge goes back to the middle */
  const struct flow shared = graph_of(3, (const uint32_t[][2]){{1, NONE}, {2, 0}, {3, 0}});
  assert_string_equal(loops_text(&shared), "[0,3)");
  const struct flow entered = graph_of(4, (const uint32_t[][2]){{1, 2}, {2, NONE}, {3, 1}, {4, NONE}});
  assert_string_equal(loops_text(&entered), "[1,3)!");
}

TEST(cycles_need_no_order_of_nodes) {
  /* 0 -> 3; 3 -> 1 or the end; 1 -> 2; 2 -> 3: the loop of 3 stands before it */
  const struct flow flow = graph_of(4, (const uint32_t[][2]){{NONE, 3}, {2, NONE}, {3, NONE}, {4, 1}});
  struct cycle_list cycles = flow_cycles(&arena, &flow);
  assert_int_equal(cycles.len, 1);
  assert_int_equal(cycles.data[0].begin, 3);
  assert_string_equal(text_of(cycles.data[0].has), "123");
  /* 0 -> 1 or 2; 1 <-> 2: two entries, and no loop */
  const struct flow two = graph_of(3, (const uint32_t[][2]){{1, 2}, {2, NONE}, {3, 1}});
  cycles = flow_cycles(&arena, &two);
  assert_int_equal(cycles.len, 0);
  /* two edges back to 0 are one loop */
  const struct flow both = graph_of(3, (const uint32_t[][2]){{1, NONE}, {2, 0}, {3, 0}});
  cycles = flow_cycles(&arena, &both);
  assert_int_equal(cycles.len, 1);
  assert_string_equal(text_of(cycles.data[0].has), "012");
}

/* ---- liveness */

static const char *live_text(const struct fixture *f, struct bitset live) {
  struct text out = {.arena = &arena};
  EACH (r, live) text_printf(&out, "%s ", f->program->threads[0].regs[r].name);
  return text_str(&out);
}

static struct bitset *live_of(struct fixture *f, const char *rows, const char *condition) {
  build(f, "x=0; y=0; .pred 0:p=1;", "P0@cta 0,gpu 0", rows, condition);
  assert_non_null(f->program);
  return thread_live(&arena, &f->program->threads[0], thread_observed(&arena, f->program, 0));
}

TEST(values_live_until_their_last_use) {
  struct fixture f;
  struct bitset *live =
      live_of(&f, "ld.weak r0, x ;\nadd.u32 r1, r0, 1 ;\n@p mov.u32 r1, 5 ;\nst.weak y, r1 ;", "exists (0:r0=1)");
  assert_string_equal(live_text(&f, live[0]), "p ");
  assert_string_equal(live_text(&f, live[1]), "p r0 ");
  assert_string_equal(live_text(&f, live[2]), "p r0 r1 "); /* the guarded move may leave r1 as it is */
  assert_string_equal(live_text(&f, live[3]), "r0 r1 ");
  assert_string_equal(live_text(&f, live[4]), "r0 "); /* observed */
}

TEST(counts_for_themselves_are_dead) {
  struct fixture f;
  struct bitset *live =
      live_of(&f, "mov.u32 r1, 0 ;\nL: add.u32 r1, r1, 1 ;\nld.weak r0, x ;\nbeq r0, 0, L ;", "exists (x=1)");
  assert_string_equal(live_text(&f, live[1]), "");
}

TEST(an_exit_ends_lives) {
  struct fixture f;
  struct bitset *live =
      live_of(&f, "ld.weak r0, x ;\n@p exit ;\nst.weak y, r0 ;\nexit ;\nst.weak x, r0 ;", "exists (x=1)");
  assert_string_equal(live_text(&f, live[1]), "p r0 ");
  assert_string_equal(live_text(&f, live[3]), "");
  assert_string_equal(live_text(&f, live[4]), "r0 ");
}

/* ---- slices */

TEST(rules_lead_from_item_to_item) {
  struct flow_slice slice = slice_new(&arena, 10);
  slice_rule(&slice); /* 1 or 2, then 3 and 5 to 6 */
  slice_if(&slice, 1, 1);
  slice_if(&slice, 2, 1);
  slice_then(&slice, 3, 1);
  slice_then(&slice, 5, 2);
  slice_rule(&slice); /* some of 5 to 7, then 8 */
  slice_if(&slice, 5, 3);
  slice_then(&slice, 8, 1);
  slice_rule(&slice); /* never */
  slice_then(&slice, 9, 1);
  slice_rule(&slice);
  slice_if_always(&slice);
  slice_then(&slice, 0, 1);
  slice_close(&slice);
  assert_string_equal(text_of(slice.items), "0");
  slice_want(&slice, 2, 1);
  slice_close(&slice);
  assert_string_equal(text_of(slice.items), "023568");
  assert_true(slice_has(&slice, 4, 2));
  assert_false(slice_has(&slice, 9, 1) || slice_has(&slice, 4, 0));
}

TEST(backward_and_forward_slices_of_a_program) {
  struct fixture f;
  flow_of(&f, "x=0; 0:rd1=x; 0:r2=1;", "ld.weak r0, [rd1] ;\nadd.u32 r1, r0, r2 ;\nmov.u32 r3, r1 ;\nmov.u32 r4, r2 ;");
  const struct thread *thread = &f.program->threads[0];
  struct flow_slice needed = slice_new(&arena, thread->reg_count);
  struct bitset loads = bitset_new(&arena, thread->instr_count);
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    const struct instr *in = &thread->instrs[i];
    slice_rule(&needed);
    slice_if_written(&needed, in, 0);
    slice_then_read(&needed, in, 0);
    if (in->kind == INSTR_LOAD) bitset_add(loads, i);
  }
  const struct bitset loaded = thread_results(&arena, thread, loads);
  for (uint32_t r = 0; r < thread->reg_count; r++)
    if (strcmp(thread->regs[r].name, "r3") == 0) slice_want(&needed, r, 1);
  slice_close(&needed);
  for (uint32_t r = 0; r < thread->reg_count; r++) {
    const char *name = thread->regs[r].name;
    assert_int_equal(bitset_has(needed.items, r), strcmp(name, "r4") != 0);
    assert_int_equal(bitset_has(loaded, r), strstr("r0 r1 r3", name) != NULL);
  }
}

static struct bitset regs_of(const struct thread *thread, struct instr_regs regs) {
  struct bitset out = bitset_new(&arena, thread->reg_count);
  for (uint32_t i = 0, reg; instr_has_reg(&regs, i, &reg); i++) bitset_add(out, reg);
  return out;
}

/* Results, then addresses, then other values, however many they are. */
TEST(an_unmodelled_instruction_uses_the_registers_that_it_names) {
  struct fixture f;
  flow_of(&f, "x=0; 0:rd0=x;",
          "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {r0,r1}, {r2,r3,r4,r5}, {r6,r7}, {r8,r9,r10} ;\n"
          "stmatrix.sync.aligned.m8n8.x1.shared.b16 [rd0], {r11} ;");
  const struct thread *thread = &f.program->threads[0];
  const struct instr *product = &thread->instrs[0], *store = &thread->instrs[1];
  const struct bitset read = regs_of(thread, instr_reads(product)), written = regs_of(thread, instr_writes(product));
  const struct bitset stored = regs_of(thread, instr_reads(store));
  assert_true(product->kind == INSTR_UNSUPPORTED && product->pure && store->kind == INSTR_UNSUPPORTED && !store->pure);
  assert_int_equal(bitset_count(regs_of(thread, instr_writes(store))), 0);
  for (uint32_t r = 0; r < thread->reg_count; r++) {
    const char *name = thread->regs[r].name;
    bool results = strcmp(name, "r0") == 0 || strcmp(name, "r1") == 0;
    bool own = strcmp(name, "r11") == 0 || strcmp(name, "rd0") == 0;
    assert_int_equal(bitset_has(written, r), results);
    assert_int_equal(bitset_has(read, r), !results && !own);
    assert_int_equal(bitset_has(stored, r), own);
  }
}

/* ---- forks */

/* The forks kept when no effect depends on them. */
static struct bitset forks_of(const struct flow *flow, struct bitset effects) {
  struct bitset kept = bitset_new(&arena, flow->count + 1);
  while (flow_keep_forks(&arena, flow, effects, kept)) continue;
  return kept;
}

TEST(forks_without_a_difference_are_left_out) {
  /* 0 forks to 1 and 2, which meet at 3 */
  const struct flow diamond = graph_of(4, (const uint32_t[][2]){{1, 2}, {NONE, 3}, {3, NONE}, {4, NONE}});
  assert_string_equal(text_of(forks_of(&diamond, set_of(5, "3"))), "");
  assert_string_equal(text_of(forks_of(&diamond, set_of(5, ""))), "");
  assert_string_equal(text_of(forks_of(&diamond, set_of(5, "13"))), "0");
  assert_string_equal(text_of(forks_of(&diamond, set_of(5, "12"))), "0");
  /* the fork's own node has an effect, too: it still decides about that of 1 */
  assert_string_equal(text_of(forks_of(&diamond, set_of(5, "01"))), "0");
  assert_string_equal(text_of(forks_of(&diamond, set_of(5, "03"))), "");
  /* a fork that makes no difference does not make one for the fork before it */
  const struct flow two = graph_of(4, (const uint32_t[][2]){{1, 3}, {2, 3}, {3, NONE}, {4, NONE}});
  assert_string_equal(text_of(forks_of(&two, set_of(5, "3"))), "");
  assert_string_equal(text_of(forks_of(&two, set_of(5, "2"))), "01");
}

TEST(forks_of_loops_that_may_not_end_are_kept) {
  /* 0 forks to 0 and 1 */
  const struct flow flow = graph_of(2, (const uint32_t[][2]){{1, 0}, {2, NONE}});
  assert_string_equal(text_of(forks_of(&flow, set_of(3, "1"))), "0");
  assert_string_equal(text_of(forks_of(&flow, set_of(3, ""))), "0");
}

/* Adds the places to which paths from the node may come first. False: a path may come to none. */
static bool add_firsts(const struct flow *flow, struct bitset places, uint32_t node, struct bitset on,
                       struct bitset out) {
  if (node == flow->count || bitset_has(places, node)) {
    bitset_add(out, node);
    return true;
  }
  if (bitset_has(on, node)) return false;
  bitset_add(on, node);
  bool come = true;
  for (uint32_t k = 0; k < 2; k++)
    if (flow->next[node][k] != NONE) come = add_firsts(flow, places, flow->next[node][k], on, out) && come;
  bitset_del(on, node);
  return come;
}

TEST(forks_of_random_graphs) {
  struct rng rng = {11};
  uint32_t left = 0;
  for (uint32_t turn = 0; turn < 500; turn++) {
    const struct flow flow = random_graph(&rng, 8);
    struct bitset effects = bitset_new(&arena, 9);
    for (uint32_t i = 0; i < 8; i++)
      if (rng_below(&rng, 3) == 0) bitset_add(effects, i);
    struct bitset kept = forks_of(&flow, effects), places = bitset_copy(&arena, effects);
    bitset_or(places, kept);
    for (uint32_t i = 0; i < 8; i++) {
      struct bitset firsts = bitset_new(&arena, 9), on = bitset_new(&arena, 9);
      if (!flow_is_fork(&flow, i) || bitset_has(kept, i)) continue;
      for (uint32_t k = 0; k < 2; k++) assert_true(add_firsts(&flow, places, flow.next[i][k], on, firsts));
      assert_int_equal(bitset_count(firsts), 1);
      left++;
    }
  }
  assert_true(left > 100);
}

int main(void) { return run_each(open_arena, close_arena); }
