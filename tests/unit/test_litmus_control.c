/* The litmus front end: predicates, jumps, barriers of every kind, and multimem addresses. */
#include "test_litmus.h"

/* Predicates and jumps */

static void one_thread(struct fixture *f, const char *rows) {
  build(f, "x=0; y=0; 0:r0=1; .u64 0:rd0=1;", "P0@cta 0,gpu 0", rows, "exists (x=0)");
}

TEST(test_guards) {
  struct fixture f;
  one_thread(&f, "setp.eq.u32 %p, r0, 1; @!p st x, 1; @p fence.sc.gpu; @%p exit;");
  assert_accepted(&f);
  const struct thread *thread = &f.program->threads[0];
  assert_int_equal(thread->instr_count, 4);
  assert_false(thread->instrs[0].guard.present);
  assert_int_equal(thread->instrs[1].kind, INSTR_STORE);
  assert_true(thread->instrs[1].guard.present && thread->instrs[1].guard.negated);
  assert_string_equal(thread->regs[thread->instrs[1].guard.reg].name, "p");
  assert_true(thread->instrs[2].guard.present && !thread->instrs[2].guard.negated);
  assert_int_equal(thread->instrs[3].kind, INSTR_EXIT);
}

TEST(test_predicate_of_the_init_block) {
  struct fixture f;
  build(&f, "x=0; 0:p=1;", "P0@cta 0", "@p st x, 1;", "exists (x=0)");
  assert_accepted(&f);
  assert_int_equal(reg_named(f.program, "p")->type.kind, TYPE_PRED);
}

TEST(test_bad_predicates) {
  rejects("@p0 st x, 1", DIAG_WRONG_PREDICATE);
  rejects("@r9 st x, 1", DIAG_WRONG_PREDICATE);
  rejects("selp.u32 r1, 1, 2, r9", DIAG_WRONG_PREDICATE);
  rejects("selp.u32 r1, 1, 2, p0", DIAG_WRONG_PREDICATE);
  rejects("bar.red.popc.u32 r1, 0, r9", DIAG_WRONG_PREDICATE);
  rejects("setp.eq.and.u32 p1, r9, 0, r9", DIAG_WRONG_PREDICATE);
}

TEST(test_jumps) {
  struct fixture f;
  one_thread(&f, "L: M: setp.eq.u32 p, r0, 1; N:; @p bra.uni L; @!p goto E; bra N; ret; E:;");
  assert_accepted(&f);
  const struct instr *code = f.program->threads[0].instrs;
  assert_int_equal(f.program->threads[0].instr_count, 5);
  assert_int_equal(code[1].kind, INSTR_BRANCH);
  assert_int_equal(code[1].target, 0);
  assert_true(code[1].guard.present);
  assert_int_equal(code[2].target, 5); /* the end of the thread */
  assert_int_equal(code[3].target, 1);
  assert_false(code[3].guard.present);
  assert_int_equal(code[4].kind, INSTR_EXIT);
}

TEST(test_comparing_jumps) {
  static const struct {
    const char *opcode;
    enum compare compare;
  } cases[] = {{"beq", COMPARE_EQ}, {"bne", COMPARE_NE}, {"blt", COMPARE_LT},
               {"ble", COMPARE_LE}, {"bgt", COMPARE_GT}, {"bge", COMPARE_GE}};
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    char rows[64];
    snprintf(rows, sizeof rows, "st x, 1; L: %s r0, -1, L;", cases[i].opcode);
    one_thread(&f, rows);
    assert_accepted(&f);
    const struct thread *thread = &f.program->threads[0];
    assert_int_equal(thread->instr_count, 3);
    assert_int_equal(thread->instrs[1].alu, ALU_SETP);
    assert_int_equal(thread->instrs[1].arith.compare, cases[i].compare);
    assert_int_equal(thread->instrs[1].type.kind, TYPE_SIGNED);
    assert_true(thread->instrs[1].src[1].imm == 0xffffffff);
    assert_int_equal(thread->instrs[2].target, 1); /* back to the comparison, which is part of the instruction */
    assert_int_equal(thread->instrs[2].guard.reg, thread->instrs[1].dst[0]);
    assert_true(thread->regs[thread->instrs[1].dst[0]].hidden);
    assert_int_equal(thread->instrs[1].span.begin, thread->instrs[2].span.begin);
  }
}

TEST(test_hidden_registers_are_not_observed) {
  struct fixture f;
  struct lower_options options = {.all_state = true};
  one_thread(&f, "beq r0, 1, L; setp.eq.and.u32 p, r0, 1, !p; L:;");
  assert_accepted(&f);
  struct program *all = lower(&arena, &f.names, &f.diags, f.test, &options);
  assert_int_equal(all->observed_count, 5); /* r0, rd0, p, x, y */
}

TEST(test_wide_comparing_jump) {
  struct fixture f;
  one_thread(&f, "beq rd0, 1, L; L:;");
  assert_accepted(&f);
  assert_int_equal(f.program->threads[0].instrs[0].type.width, 64);
}

static void rejects_rows(const char *rows, enum diag_code code) {
  struct fixture f;
  one_thread(&f, rows);
  assert_rejected(&f, code);
  assert_int_equal(f.diags.errors, 1);
}

TEST(test_bad_jumps) {
  struct fixture f;
  rejects_rows("bra L;", DIAG_UNKNOWN_LABEL);
  rejects_rows("beq r0, 0, L;", DIAG_UNKNOWN_LABEL);
  rejects_rows("L:; L: bra L;", DIAG_REDECLARED);
  rejects_rows("bra 7;", DIAG_WRONG_OPERAND);
  rejects_rows("bra;", DIAG_OPERAND_COUNT);
  rejects_rows("L: beq r0, L;", DIAG_OPERAND_COUNT);
  rejects_rows("setp.eq.u32 p, r0, 0; @p beq r0, 0, L; L:;", DIAG_WRONG_PREDICATE);
  build(&f, "x=0;", "P0@cta 0|P1@cta 0", "bra L|; |L: ;", "exists (x=0)");
  assert_rejected(&f, DIAG_UNKNOWN_LABEL);
  assert_string_equal(f.diags.list.data[0].other_message, "P1 has it");
}

TEST(test_endless_loops) {
  rejects_rows("L: bra L;", DIAG_ENDLESS_LOOP);
  rejects_rows("L: ld.relaxed.gpu r0, x; goto L; st x, 1;", DIAG_ENDLESS_LOOP);
  rejects_rows("L: beq r0, 0, M; st x, 1; M: bra L; exit;", DIAG_ENDLESS_LOOP);
  rejects_rows("beq r0, 0, E; L: beq r0, 1, L; bra L; E:;", DIAG_ENDLESS_LOOP);
}

TEST(test_loops_with_an_exit) {
  static const char *const cases[] = {
      "L: ld.relaxed.gpu r0, x; beq r0, 0, L;",
      "L: beq r0, 0, E; bra L; E:;",
      "setp.eq.u32 p, r0, 0; L: @p exit; bra L;",
      "L: beq r0, 0, M; bra L; M: bne r0, 1, L;",
      "bra E; L: bra L; E:;", /* never entered */
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    one_thread(&f, cases[i]);
    assert_accepted(&f);
  }
}

TEST(test_combined_comparison) {
  struct fixture f;
  one_thread(&f, "setp.ne.u32 q, r0, 0; setp.lt.xor.s32 p, r0, 5, !q;");
  assert_accepted(&f);
  const struct instr *code = f.program->threads[0].instrs;
  assert_int_equal(f.program->threads[0].instr_count, 4);
  assert_int_equal(code[1].alu, ALU_SETP);
  assert_int_equal(code[1].arith.compare, COMPARE_LT);
  assert_int_equal(code[2].alu, ALU_NOT);
  assert_int_equal(code[3].alu, ALU_XOR);
  assert_int_equal(code[3].type.kind, TYPE_PRED);
  assert_int_equal(code[3].src[0].reg, code[1].dst[0]);
  assert_int_equal(code[3].src[1].reg, code[2].dst[0]);
}

/* Barriers of a CTA */

TEST(test_cta_barriers) {
  enum { ALL = 0 };
  static const struct {
    const char *text;
    enum barrier_action action;
    unsigned id, count;
    bool aligned;
  } cases[] = {
      {"bar.sync 0", BARRIER_SYNC, 0, ALL, true},
      {"bar.cta.sync 15", BARRIER_SYNC, 15, ALL, true},
      {"bar.sync 1, 2", BARRIER_SYNC, 1, 2, true},
      {"bar.sync 1, 0", BARRIER_SYNC, 1, ALL, true},
      {"bar.cta.sync 1, 2", BARRIER_SYNC, 1, 2, true},
      {"bar.cta.sync 1, 2, 3", BARRIER_SYNC, 2, 3, true}, /* Dat3M: instance, barrier, count */
      {"bar.arrive 1, 64", BARRIER_ARRIVE, 1, 2, true},
      {"barrier.sync 3", BARRIER_SYNC, 3, ALL, false},
      {"barrier.cta.sync.aligned 3, 32", BARRIER_SYNC, 3, 1, true},
      {"barrier.arrive 3, 31", BARRIER_ARRIVE, 3, 31, false},
      {"__syncthreads()", BARRIER_SYNC, 0, ALL, true},
      {"__syncthreads ( )", BARRIER_SYNC, 0, ALL, true},
      {"__syncthreads", BARRIER_SYNC, 0, ALL, true},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    assert_int_equal(instr.kind, INSTR_BARRIER);
    assert_int_equal(instr.barrier->kind, BARRIER_CTA);
    assert_int_equal(instr.barrier->action, cases[i].action);
    assert_int_equal(instr.barrier->id.kind, OPERAND_IMM);
    assert_int_equal(instr.barrier->id.imm, cases[i].id);
    assert_int_equal(instr.barrier->count.kind, cases[i].count == ALL ? OPERAND_NONE : OPERAND_IMM);
    assert_int_equal(instr.barrier->count.imm, cases[i].count);
    assert_int_equal(instr.barrier->aligned, cases[i].aligned);
  }
}

TEST(test_reductions) {
  static const struct {
    const char *text;
    enum barrier_reduction reduction;
    unsigned width, id, count;
    bool negated;
  } cases[] = {
      {"bar.red.popc.u32 r1, 2, p9", REDUCE_POPC, 32, 2, 0, false},
      {"bar.red.popc r1, 2, 64, !p9", REDUCE_POPC, 32, 2, 2, true},
      {"bar.cta.red.and.pred p1, 2, 3, p9", REDUCE_AND, 1, 2, 3, false},
      {"barrier.red.or.aligned p1, 2, p9", REDUCE_OR, 1, 2, 0, false},
      {"__syncthreads_count(r1, p9)", REDUCE_POPC, 32, 0, 0, false},
      {"r1 = __syncthreads_and(!p9)", REDUCE_AND, 32, 0, 0, true},
      {"%r1 = __syncthreads_or(p9)", REDUCE_OR, 32, 0, 0, false},
      {"__syncthreads_or r1, p9", REDUCE_OR, 32, 0, 0, false},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    const struct thread *thread = &f.program->threads[0];
    assert_int_equal(instr.barrier->action, BARRIER_RED);
    assert_int_equal(instr.barrier->reduction, cases[i].reduction);
    assert_int_equal(thread->regs[instr.dst[0]].type.width, cases[i].width);
    assert_int_equal(instr.barrier->id.imm, cases[i].id);
    assert_int_equal(instr.barrier->count.imm, cases[i].count);
    assert_string_equal(thread->regs[instr.barrier->predicate.reg].name, "p9");
    assert_int_equal(instr.barrier->negated, cases[i].negated);
  }
}

TEST(test_number_as_a_truth) {
  struct fixture f;
  one_thread(&f, "r1 = __syncthreads_count(!r0); __syncthreads_or(2);");
  assert_accepted(&f);
  const struct instr *code = f.program->threads[0].instrs;
  assert_int_equal(f.program->threads[0].instr_count, 3);
  assert_int_equal(code[0].alu, ALU_SETP);
  assert_int_equal(code[0].arith.compare, COMPARE_NE);
  assert_int_equal(code[1].barrier->predicate.reg, code[0].dst[0]);
  assert_true(code[1].barrier->negated);
  assert_int_equal(code[2].dst[0], NO_REG);
  assert_true(code[2].barrier->predicate.kind == OPERAND_IMM && code[2].barrier->predicate.imm == 1);
}

TEST(test_barrier_operands_in_registers) {
  struct fixture f;
  one_thread(&f, "bar.sync r0, r0;");
  assert_accepted(&f);
  const struct thread *thread = &f.program->threads[0];
  const struct instr *bar = &thread->instrs[thread->instr_count - 1];
  assert_int_equal(bar->barrier->id.kind, OPERAND_REG);
  assert_string_equal(thread->regs[bar->barrier->id.reg].name, "r0");
  assert_true(thread->regs[bar->barrier->count.reg].hidden); /* divided by 32 where it is a multiple */
  assert_int_equal(thread->instrs[thread->instr_count - 2].alu, ALU_SELP);
}

TEST(test_dialect) {
  struct fixture f;
  struct lower_options options = {.dat3m_barriers = true};
  one_thread(&f, "bar.cta.sync 1, 2; bar.sync 3, 4;");
  assert_accepted(&f);
  struct program *program = lower(&arena, &f.names, &f.diags, f.test, &options);
  const struct barrier *first = program->threads[0].instrs[0].barrier, *second = program->threads[0].instrs[1].barrier;
  assert_int_equal(first->id.imm, 2);
  assert_int_equal(first->count.kind, OPERAND_NONE);
  assert_int_equal(second->id.imm, 3);
  assert_int_equal(second->count.imm, 4);
}

TEST(test_bad_barriers) {
  rejects("bar.sync 16", DIAG_BARRIER_RANGE);
  rejects("bar.sync 1, 33", DIAG_BARRIER_RANGE);
  rejects("bar.arrive 1, 0", DIAG_BARRIER_RANGE);
  rejects("bar.arrive 1", DIAG_OPERAND_COUNT);
  rejects("bar.sync", DIAG_OPERAND_COUNT);
  rejects("bar.sync 1, 2, 3", DIAG_OPERAND_COUNT);
  rejects("bar 0", DIAG_MISSING_QUALIFIER);
  rejects("bar.wait 0", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("bar.sync.aligned 0", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("bar.sync.popc 0", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("bar.sync.arrive 0, 1", DIAG_QUALIFIER_TWICE);
  rejects("barrier.sync.acquire 0", DIAG_MISSING_QUALIFIER);
  rejects("bar.red.popc.u32 r1, 0", DIAG_WRONG_PREDICATE);
  rejects("bar.red.popc.u32 r1, 0, 1", DIAG_WRONG_PREDICATE);
  rejects("bar.red.u32 r1, 0, p9", DIAG_MISSING_QUALIFIER);
  rejects("bar.red.xor.pred p1, 0, p9", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("bar.red.popc.pred p1, 0, p9", DIAG_WRONG_TYPE);
  rejects("bar.red.and.u32 r1, 0, p9", DIAG_WRONG_TYPE);
  rejects("bar.sync x", DIAG_WRONG_OPERAND);
  rejects("__syncthreads(1)", DIAG_OPERAND_COUNT);
  rejects("__syncthreads_count()", DIAG_OPERAND_COUNT);
  rejects("r1 = __syncthreads_count()", DIAG_OPERAND_COUNT);
  rejects("r1 = __syncthreads()", DIAG_WRONG_OPERAND);
  rejects("r1 = mov(r9)", DIAG_WRONG_OPERAND);
}

/* Warps and clusters */

TEST(test_warps) {
  struct fixture f;
  build(&f, "x=0;", "P0@lane 3,warp 0,cta 0,gpu 0 | P1@warp 0,cta 0 | P2@warp 0,cta 0 | P3@cta 0",
        "bar.warp.sync 0x8 | __syncwarp() | __syncwarp(-1) | bar.warp.sync 1;", "exists (x=0)");
  assert_accepted(&f);
  const struct thread *threads = f.program->threads;
  assert_int_equal(threads[0].lane, 3);
  assert_int_equal(threads[1].lane, 0);
  assert_int_equal(threads[2].lane, 1);
  assert_int_equal(threads[0].warp_id, threads[2].warp_id);
  assert_int_not_equal(threads[0].warp_id, threads[3].warp_id);
  static const uint32_t masks[] = {8, 0xffffffff, 0xffffffff, 1};
  for (size_t i = 0; i < ARRAY_LEN(masks); i++) {
    assert_int_equal(threads[i].instrs[0].barrier->kind, BARRIER_WARP);
    assert_true(threads[i].instrs[0].barrier->id.imm == masks[i]);
    assert_false(threads[i].instrs[0].barrier->aligned);
  }
  rejects("bar.warp.sync 2", DIAG_BARRIER_RANGE);
  rejects("bar.warp.sync 0", DIAG_BARRIER_RANGE);
  rejects("__syncwarp(6)", DIAG_BARRIER_RANGE);
  rejects("bar.warp.sync", DIAG_OPERAND_COUNT);
  rejects("bar.warp.arrive 1", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("bar.warp.cta.sync 1", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("barrier.warp.sync 1", DIAG_QUALIFIER_NOT_TAKEN);
}

TEST(test_lanes) {
  static const char *const heads[] = {"P0@lane 32,cta 0", "P0@lane 1,warp 2,cta 0|P1@lane 1,warp 2,cta 0"};
  struct fixture f;
  for (size_t i = 0; i < ARRAY_LEN(heads); i++) {
    build(&f, "x=0;", heads[i], "", "exists (x=0)");
    assert_rejected(&f, DIAG_WRONG_PLACEMENT);
  }
  build(&f, "x=0;", "P0@lane 1,warp 2,cta 0|P1@lane 1,warp 2,cta 1", "", "exists (x=0)");
  assert_accepted(&f);
}

TEST(test_clusters) {
  struct fixture f;
  one_thread(&f, "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire; "
                 "barrier.cluster.arrive.release;");
  assert_accepted(&f);
  const struct instr *code = f.program->threads[0].instrs;
  assert_int_equal(code[0].barrier->kind, BARRIER_CLUSTER);
  assert_int_equal(code[0].barrier->action, BARRIER_ARRIVE);
  assert_true(code[0].barrier->relaxed && code[0].barrier->aligned);
  assert_int_equal(code[1].barrier->action, BARRIER_WAIT);
  assert_false(code[2].barrier->relaxed || code[2].barrier->aligned);
  rejects("barrier.cluster.arrive.acquire", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("barrier.cluster.wait.relaxed", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("barrier.cluster.sync", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("barrier.cluster.arrive 0", DIAG_OPERAND_COUNT);
  rejects("barrier.cluster.arrive.cta", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("bar.cluster.arrive", DIAG_QUALIFIER_NOT_TAKEN);
}

TEST(test_cluster_wait_needs_an_arrival) {
  struct fixture f;
  rejects("barrier.cluster.wait", DIAG_CLUSTER_WAIT);
  rejects_rows("barrier.cluster.wait; barrier.cluster.arrive;", DIAG_CLUSTER_WAIT);
  rejects_rows("beq r0, 0, L; barrier.cluster.arrive; exit; L: barrier.cluster.wait;", DIAG_CLUSTER_WAIT);
  one_thread(&f, "beq r0, 0, L; barrier.cluster.arrive; L: barrier.cluster.wait;"); /* on some path */
  assert_accepted(&f);
}

/* Multimem */

TEST(test_multimem) {
  static const struct {
    const char *text;
    enum multimem_action action;
    enum sem sem;
    enum scope scope;
    enum alu_op alu;
  } cases[] = {
      {"multimem.ld_reduce.add.u32 r1, [m]", MULTIMEM_LOAD_REDUCE, SEM_WEAK, SCOPE_NONE, ALU_ADD},
      {"multimem.ld_reduce.weak.global.and.b32 r1, m", MULTIMEM_LOAD_REDUCE, SEM_WEAK, SCOPE_NONE, ALU_AND},
      {"multimem.ld_reduce.acquire.sys.min.s32 r1, m", MULTIMEM_LOAD_REDUCE, SEM_ACQUIRE, SCOPE_SYS, ALU_MIN},
      {"multimem.st.u32 [m], 1", MULTIMEM_STORE, SEM_WEAK, SCOPE_NONE, ALU_MOV},
      {"multimem.st.release.gpu.b32 [m], r9", MULTIMEM_STORE, SEM_RELEASE, SCOPE_GPU, ALU_MOV},
      {"multimem.red.or.b32 [m], 1", MULTIMEM_RED, SEM_RELAXED, SCOPE_SYS, ALU_OR},
      {"multimem.red.release.cta.max.u32 [m], 1", MULTIMEM_RED, SEM_RELEASE, SCOPE_CTA, ALU_MAX},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    assert_int_equal(instr.kind, INSTR_MULTIMEM);
    assert_int_equal(instr.multimem->action, cases[i].action);
    assert_int_equal(instr.sem, cases[i].sem);
    assert_int_equal(instr.scope, cases[i].scope);
    assert_int_equal(instr.alu, cases[i].alu);
    assert_int_equal(instr.multimem->count, 2);
    assert_true(f.program->uses_multimem);
  }
}

/* Each replica has virtual addresses of its own, which lead to the object of the location. */
TEST(test_replicas) {
  struct fixture f;
  build(&f, "int a[2]; multimem m = {a, b}; int b[2];", "P0@cta 0", "multimem.st.u32 [m+4], 1;", "exists (a[1]=0)");
  assert_accepted(&f);
  const struct program *program = f.program;
  const struct multimem *multimem = program->threads[0].instrs[0].multimem;
  assert_int_equal(program->view_count, 4);
  for (uint32_t i = 0; i < 2; i++) {
    const struct view *plain = &program->views[i], *replica = &program->views[2 + i];
    assert_int_equal(plain->object, replica->object);
    assert_int_not_equal(plain->vaddr, replica->vaddr);
    assert_int_equal(multimem->vaddrs[i], replica->vaddr + 4);
  }
}

TEST(test_bad_multimem) {
  static const char *const inits[] = {"multimem m={x,x};", "multimem m={x,w};", "multimem m={x,s};",
                                      "multimem m={x,1};", "multimem m={x+4};", "y aliases x; multimem m={y};"};
  rejects("st m, 1", DIAG_WRONG_MULTIMEM);
  rejects("ld r1, [m]", DIAG_WRONG_MULTIMEM);
  rejects("mov.u64 rd1, m", DIAG_WRONG_MULTIMEM);
  rejects("multimem.st.u32 [x], 1", DIAG_WRONG_MULTIMEM);
  rejects("multimem.st.u32 [rd9], 1", DIAG_WRONG_MULTIMEM);
  rejects("multimem.st.u32 [5], 1", DIAG_WRONG_OPERAND);
  rejects("multimem.st.u32 [m+4], 1", DIAG_OUT_OF_BOUNDS);
  rejects("multimem.add.u32 [m], 1", DIAG_MISSING_QUALIFIER);
  rejects("multimem.red.u32 [m], 1", DIAG_MISSING_QUALIFIER);
  rejects("multimem.red.gpu.add.u32 [m], 1", DIAG_MISSING_QUALIFIER);
  rejects("multimem.red.exch.b32 [m], 1", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("multimem.st.add.u32 [m], 1", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("multimem.st.relaxed.u32 [m], 1", DIAG_MISSING_SCOPE);
  rejects("multimem.st.gpu.u32 [m], 1", DIAG_WEAK_WITH_SCOPE);
  rejects("multimem.st.acquire.gpu.u32 [m], 1", DIAG_WRONG_SEMANTICS);
  rejects("multimem.red.weak.add.u32 [m], 1", DIAG_WRONG_SEMANTICS);
  rejects("multimem.st.shared.u32 [m], 1", DIAG_WRONG_SPACE);
  for (size_t i = 0; i < ARRAY_LEN(inits); i++) {
    struct fixture f;
    char text[128];
    snprintf(text, sizeof text, "x=0; .u64 w; .shared .u32 s; %s", inits[i]);
    build(&f, text, "P0@cta 0", "st x, 1;", "exists (x=0)");
    assert_rejected(&f, DIAG_WRONG_MULTIMEM);
    assert_int_equal(f.diags.errors, 1);
  }
}

int main(void) { return run_each(open_arena, close_arena); }
