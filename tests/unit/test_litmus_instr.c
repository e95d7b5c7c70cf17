/* The litmus front end: qualifiers, types and operands of instructions. */
#include "test_litmus.h"

/* Qualifiers */

TEST(test_qualifiers_are_a_set) {
  static const char *const spellings[] = {
      "ld.acquire.gpu.global.u32 %r1, [x]",
      "ld.gpu.acquire.u32.global r1, x",
      "ld.u32.global.gpu.acquire r1, [x+0]",
      "ld.acquire.gpu r1, x",
  };
  for (size_t i = 0; i < ARRAY_LEN(spellings); i++) {
    struct fixture f;
    struct instr instr = only(&f, spellings[i]);
    assert_int_equal(instr.kind, INSTR_LOAD);
    assert_int_equal(instr.sem, SEM_ACQUIRE);
    assert_int_equal(instr.scope, SCOPE_GPU);
    assert_int_equal(instr.type.width, 32);
    assert_int_equal(instr.elements, 1);
  }
}

TEST(test_bad_qualifiers) {
  rejects("lod r1, x", DIAG_UNKNOWN_OPCODE);
  rejects("ld.aquire r1, x", DIAG_UNKNOWN_QUALIFIER);
  rejects("ld.add r1, x", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("st.ca x, 1", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("fence.gpu.u32", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("membar.gpu", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("red.cas.b32 x, 1, 2", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("ld.relaxed.gpu.cta r1, x", DIAG_QUALIFIER_TWICE);
  rejects("ld.weak.relaxed r1, x", DIAG_QUALIFIER_TWICE);
  rejects("st.u32.u32 x, 1", DIAG_QUALIFIER_TWICE);
  rejects("ld.relaxed r1, x", DIAG_MISSING_SCOPE);
  rejects("st.release x, 1", DIAG_MISSING_SCOPE);
  rejects("fence", DIAG_MISSING_SCOPE);
  rejects("fence.acq_rel", DIAG_MISSING_SCOPE);
  rejects("membar", DIAG_MISSING_QUALIFIER);
  rejects("ld.mmio.relaxed r1, x", DIAG_MISSING_QUALIFIER);
  rejects("ld.weak.cta r1, x", DIAG_WEAK_WITH_SCOPE);
  rejects("st.sys x, 1", DIAG_WEAK_WITH_SCOPE);
  rejects("ld.release.gpu r1, x", DIAG_WRONG_SEMANTICS);
  rejects("st.acquire.gpu x, 1", DIAG_WRONG_SEMANTICS);
  rejects("st.acq_rel.gpu x, 1", DIAG_WRONG_SEMANTICS);
  rejects("red.acquire.gpu.add x, 1", DIAG_WRONG_SEMANTICS);
  rejects("red.acq_rel.gpu.add x, 1", DIAG_WRONG_SEMANTICS);
  rejects("atom.weak.add r1, x, 1", DIAG_WRONG_SEMANTICS);
  rejects("atom.sc.gpu.add r1, x, 1", DIAG_WRONG_SEMANTICS);
  rejects("fence.relaxed.gpu", DIAG_WRONG_SEMANTICS);
  rejects("suld.relaxed r1, x", DIAG_WRONG_SEMANTICS);
  rejects("ld.volatile.relaxed r1, x", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("st.volatile.sys x, 1", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("ld.volatile.cg r1, x", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("ld.acquire.gpu.cv r1, x", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("ld.mmio.relaxed.gpu r1, x", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("ld.mmio.relaxed.sys.v2 {r1,r2}, a", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("fence.proxy.texture.cta", DIAG_QUALIFIER_NOT_TAKEN);
  rejects("ld.mmio r1, x", DIAG_MISSING_QUALIFIER);
  rejects("atom r1, x, 1", DIAG_MISSING_QUALIFIER);
  rejects("setp p1, r9, 1", DIAG_MISSING_QUALIFIER);
  rejects("fence.proxy", DIAG_MISSING_QUALIFIER);
  rejects("fence.alias", DIAG_MISSING_QUALIFIER);
}

TEST(test_semantics) {
  static const struct {
    const char *text;
    enum instr_kind kind;
    enum sem sem;
    enum scope scope;
  } cases[] = {
      {"ld r1, x", INSTR_LOAD, SEM_WEAK, SCOPE_NONE},
      {"ld.weak.cg.L2::128B r1, x", INSTR_LOAD, SEM_WEAK, SCOPE_NONE},
      {"ld.relaxed.cta.L1::evict_last.L2::cache_hint r1, x, r9", INSTR_LOAD, SEM_RELAXED, SCOPE_CTA},
      {"ld.volatile r1, x", INSTR_LOAD, SEM_RELAXED, SCOPE_SYS},
      {"ld.mmio.acquire.sys r1, x", INSTR_LOAD, SEM_ACQUIRE, SCOPE_SYS},
      {"ldu.global.u32 r1, [x]", INSTR_LOAD, SEM_WEAK, SCOPE_NONE},
      {"st.release.cluster x, 1", INSTR_STORE, SEM_RELEASE, SCOPE_CLUSTER},
      {"st.wt.b32 [x], 1", INSTR_STORE, SEM_WEAK, SCOPE_NONE},
      {"st.volatile x, 1", INSTR_STORE, SEM_RELAXED, SCOPE_SYS},
      {"atom.add r1, x, 1", INSTR_ATOM, SEM_RELAXED, SCOPE_GPU},
      {"atom.acquire.add r1, x, 1", INSTR_ATOM, SEM_ACQUIRE, SCOPE_GPU},
      {"atom.sys.exch.b32 r1, [x], 1", INSTR_ATOM, SEM_RELAXED, SCOPE_SYS},
      {"atom.acq_rel.cta.cas.b32 _, [x], 0, 1", INSTR_ATOM, SEM_ACQ_REL, SCOPE_CTA},
      {"red.release.cta.max.u32 [x], 1", INSTR_RED, SEM_RELEASE, SCOPE_CTA},
      {"fence.gpu", INSTR_FENCE, SEM_ACQ_REL, SCOPE_GPU},
      {"fence.cluster.sc", INSTR_FENCE, SEM_SC, SCOPE_CLUSTER},
      {"fence.acquire.cta", INSTR_FENCE, SEM_ACQUIRE, SCOPE_CTA},
      {"membar.gl", INSTR_FENCE, SEM_SC, SCOPE_GPU},
      {"membar.cta", INSTR_FENCE, SEM_SC, SCOPE_CTA},
      {"__threadfence_system()", INSTR_FENCE, SEM_SC, SCOPE_SYS},
      {"fence.proxy.alias", INSTR_PROXY_FENCE, SEM_WEAK, SCOPE_NONE},
      {"membar.proxy.alias", INSTR_PROXY_FENCE, SEM_WEAK, SCOPE_NONE},
      {"ld.shared.relaxed.sys.u32 r1, [z]", INSTR_LOAD, SEM_RELAXED, SCOPE_CLUSTER}, /* 8.3, G27 */
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    assert_int_equal(instr.kind, cases[i].kind);
    assert_int_equal(instr.sem, cases[i].sem);
    assert_int_equal(instr.scope, cases[i].scope);
  }
}

TEST(test_proxies) {
  static const struct {
    const char *text;
    enum proxy proxy;
  } cases[] = {
      {"suld.weak r1, x", PROXY_SURFACE},       {"sust.weak [x], 1", PROXY_SURFACE},
      {"tld.weak r1, t", PROXY_TEXTURE},        {"cold.weak r1, k", PROXY_CONSTANT},
      {"ldc.u32 r1, [x]", PROXY_CONSTANT},      {"ld r1, x", PROXY_GENERIC},
      {"fence.proxy.surface", PROXY_SURFACE},   {"fence.proxy.texture", PROXY_TEXTURE},
      {"fence.proxy.constant", PROXY_CONSTANT}, {"fence.proxy.alias", PROXY_ALIAS},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    assert_int_equal(only(&f, cases[i].text).proxy, cases[i].proxy);
  }
}

TEST(test_unsupported) {
  static const char *const cases[] = {
      "st.bulk.weak.shared::cta [w], 16, 0",
      "ld.global.proxy::readonly.u32 r1, [x]",
      "fma.rn.relu.f16 r1, r9, r9, r9",
      "activemask.b32 r1",
      "brx.idx r9, LC",
      "mbarrier.check_layout.b64 r1, r2",
      "tcgen05.cp.cta_group::1.4x256b [r9], [z]",
      "discard.global.L2 [x], 128",
      "tex.1d.v4.f32.s32 {r1,r2,r3,r4}, [t, {r9}]",
      "suld.b.1d.b32.trap {r1}, [s, {r9}]",
      "elect.sync r1|p1, -1",
      "call (r1), f, (r9)",
      "vadd.u32.u32.u32 d1, r9, r9",
      "mov.u32 r1, %smid",
      "mov.u32 r1, %laneid",
      "max.xorsign.abs.f32 r1, r9, r9",
      "multimem.ld_reduce.add.e4m3x4 r1, [m]",
      "mov.u32 r1, %tid.x",
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    char text[256];
    snprintf(text, sizeof text, "LC: %s", cases[i]);
    struct instr instr = only(&f, text);
    if (instr.kind != INSTR_UNSUPPORTED) fail_msg("%s", cases[i]);
    assert_non_null(instr.unsupported);
    assert_int_equal(f.diags.warnings, 0);
  }
}

/* Types, values and addresses */

TEST(test_types) {
  static const struct {
    const char *text;
    enum type_kind kind;
    unsigned width, elements;
  } cases[] = {
      {"ld r1, x", TYPE_UNSIGNED, 32, 1},
      {"ld r1, s", TYPE_SIGNED, 32, 1},
      {"ld r1, w", TYPE_UNSIGNED, 64, 1},
      {"ld.b128 r1, q", TYPE_BITS, 128, 1},
      {"ld.u8 r1, x+3", TYPE_UNSIGNED, 8, 1},
      {"ld r1, [r9]", TYPE_UNSIGNED, 32, 1},
      {"st [r9], rd9", TYPE_UNSIGNED, 64, 1},
      {"ld.v2 {r1,r2}, a", TYPE_SIGNED, 32, 2},
      {"ld.v4.u32 {r1,_,r3,r4}, [a]", TYPE_UNSIGNED, 32, 4},
      {"ld.v8.b32 {r1,r2,r3,r4,r5,r6,r7,r8}, [v+32]", TYPE_BITS, 32, 8},
      {"st.v4.u64 [v], {1,2,3,4}", TYPE_UNSIGNED, 64, 4},
      {"atom.cas r1, x, 0, 1", TYPE_UNSIGNED, 32, 1},
      {"atom.add.u64 r1, w, 1", TYPE_UNSIGNED, 64, 1},
      {"add r1, r9, 1", TYPE_UNSIGNED, 32, 1},
      {"add r1, rd9, 1", TYPE_UNSIGNED, 64, 1},
      {"and p1, p9, p9", TYPE_PRED, 1, 1},
      {"mov r1, x", TYPE_UNSIGNED, 64, 1},
      {"shl.b64 r1, rd9, r9", TYPE_BITS, 64, 1},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    if (instr.type.kind != cases[i].kind) fail_msg("%s", cases[i].text);
    assert_int_equal(instr.type.width, cases[i].width);
    assert_int_equal(instr.elements, cases[i].elements);
  }
}

TEST(test_floats) {
  static const struct {
    const char *text;
    enum type_kind kind;
    unsigned width, elements;
    bool packed;
    enum flush flush;
  } cases[] = {
      {"atom.add.f32 r1, [f], 1.0", TYPE_FLOAT, 32, 1, false, FLUSH_ALWAYS},
      {"atom.add r1, f, 1.0", TYPE_FLOAT, 32, 1, false, FLUSH_ALWAYS},
      {"atom.global.add.f32 r1, [rd9], 0f3F800000", TYPE_FLOAT, 32, 1, false, FLUSH_ALWAYS},
      {"atom.shared.add.f32 r1, [rd9], 1.0", TYPE_FLOAT, 32, 1, false, FLUSH_NEVER},
      {"atom.add.f32 r1, [rd9], 1.0", TYPE_FLOAT, 32, 1, false, FLUSH_IN_GLOBAL},
      {"atom.add.noftz.f32 r1, [f], 1.0", TYPE_FLOAT, 32, 1, false, FLUSH_NEVER},
      {"red.add.f64 [w], 1.0", TYPE_FLOAT, 64, 1, false, FLUSH_NEVER},
      {"red.add.noftz.f16x2 [x], r9", TYPE_FLOAT, 16, 2, true, FLUSH_NEVER},
      {"atom.max.noftz.v4.bf16x2 {r1,_,r2,r3}, [a], {r9,r9,r9,0x3f80}", TYPE_BFLOAT, 16, 8, true, FLUSH_NEVER},
      {"red.global.v8.f16.min.noftz [a], {r9,r9,r9,r9,r9,r9,r9,1.0}", TYPE_FLOAT, 16, 8, false, FLUSH_NEVER},
      {"red.v2.f32.add [a], {1.0,-1.0}", TYPE_FLOAT, 32, 2, false, FLUSH_ALWAYS},
      {"multimem.ld_reduce.weak.add.acc::f32.f16x2 r1, [m]", TYPE_FLOAT, 16, 2, true, FLUSH_NEVER},
      {"add.ftz.f32 r1, r9, 1.0", TYPE_FLOAT, 32, 1, false, FLUSH_ALWAYS},
      {"add.rn.bf16x2 r1, r9, r9", TYPE_BFLOAT, 16, 1, true, FLUSH_NEVER},
      {"add.u16x2 r1, r9, r9", TYPE_UNSIGNED, 16, 1, true, FLUSH_NEVER},
      {"mul.f32x2 r1, rd9, rd9", TYPE_FLOAT, 32, 1, true, FLUSH_NEVER},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    bool right = !instr.unsupported && instr.type.kind == cases[i].kind && instr.type.width == cases[i].width &&
                 instr.elements == cases[i].elements && instr.packed == cases[i].packed &&
                 instr.arith.flush == cases[i].flush;
    if (!right) fail_msg("%s", cases[i].text);
  }
}

TEST(test_float_values) {
  static const struct {
    const char *text;
    uint64_t bits;
  } cases[] = {
      {"st.f32 [f], 1.5", 0x3fc00000},
      {"st.f32 [f], -1.5", 0xbfc00000},
      {"st.f32 [f], 0d3FF8000000000000", 0x3fc00000},
      {"st.f32 [f], 0f7FC00000", 0x7fc00000},
      {"st.f32 [f], 0x3f800000", 0x3f800000},
      {"st.f32 [f], 0", 0},
      {"st.f64 [w], 0f3FC00000", 0x3ff8000000000000},
      {"st.f64 [w], 0.1", 0x3fb999999999999a},
      {"st.f32 [f], 0.1", 0x3dcccccd},
      {"st.b32 [x], 0f3F800000", 0x3f800000},
      {"red.add.noftz.f16 [h], 1e-3", 0x1419},
      {"red.add.noftz.bf16 [h], 257.0", 0x4380},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    if (instr.src[0].imm != cases[i].bits) fail_msg("%s: %llx", cases[i].text, (unsigned long long)instr.src[0].imm);
  }
  rejects("st.f32 [f], 1", DIAG_VALUE_RANGE);
  rejects("st.f32 [f], -1", DIAG_VALUE_RANGE);
  rejects("st.u32 [x], 1.5", DIAG_WRONG_TYPE);
  rejects("red.add.noftz.f16x2 [x], 1.5", DIAG_WRONG_TYPE);
}

TEST(test_result_types) {
  static const struct {
    const char *text;
    enum alu_op alu;
    enum type_kind kind;
    unsigned width;
  } cases[] = {
      {"setp.lt.s32 r1, r9, 1", ALU_SETP, TYPE_PRED, 1},
      {"setp.hi.u32 r1, r9, 1", ALU_SETP, TYPE_PRED, 1},
      {"mul.wide.s32 r1, r9, 2", ALU_MUL_WIDE, TYPE_SIGNED, 64},
      {"mul.hi.u32 r1, r9, 2", ALU_MUL_HI, TYPE_UNSIGNED, 32},
      {"mul r1, r9, 2", ALU_MUL_LO, TYPE_UNSIGNED, 32},
      {"popc.b64 r1, rd9", ALU_POPC, TYPE_UNSIGNED, 32},
      {"selp.b32 r1, r9, 2, p9", ALU_SELP, TYPE_BITS, 32},
      {"not.b32 r1, r9", ALU_NOT, TYPE_BITS, 32},
      {"shr.s32 r1, r9, 1", ALU_SHR, TYPE_SIGNED, 32},
      {"cvta.to.global.u64 r1, rd9", ALU_MOV, TYPE_UNSIGNED, 64},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    assert_int_equal(instr.kind, INSTR_ALU);
    assert_int_equal(instr.alu, cases[i].alu);
    const struct reg *reg = reg_named(f.program, "r1");
    assert_non_null(reg);
    assert_int_equal(reg->type.kind, cases[i].kind);
    assert_int_equal(reg->type.width, cases[i].width);
  }
}

TEST(test_bad_operands) {
  rejects("atom.exch.u32 r1, x, 1", DIAG_WRONG_TYPE);
  rejects("atom.add.s64 r1, w, 1", DIAG_WRONG_TYPE);
  rejects("atom.inc r1, w, 1", DIAG_WRONG_TYPE);
  rejects("ld.f16 r1, x", DIAG_WRONG_TYPE);
  rejects("atom.add r1, h, 1", DIAG_WRONG_TYPE);
  rejects("ld.v8.u64 {r1,r2,r3,r4,r5,r6,r7,r8}, v", DIAG_WRONG_TYPE);
  rejects("ld.v2.b128 {r1,r2}, v", DIAG_WRONG_TYPE);
  rejects("mul.wide.u64 r1, rd9, 1", DIAG_WRONG_TYPE);
  rejects("ld.shared r1, x", DIAG_WRONG_SPACE);
  rejects("ld.relaxed.gpu r1, k", DIAG_WRONG_SPACE);
  rejects("ld.acquire.gpu.local r1, o", DIAG_WRONG_SPACE);
  rejects("st k, 1", DIAG_STORE_TO_CONST);
  rejects("atom.add r1, k, 1", DIAG_STORE_TO_CONST);
  rejects("st.const [r9], 1", DIAG_STORE_TO_CONST);
  rejects("ld.u64 r1, x", DIAG_OUT_OF_BOUNDS);
  rejects("ld r1, a+16", DIAG_OUT_OF_BOUNDS);
  rejects("ld r1, a[4]", DIAG_OUT_OF_BOUNDS);
  rejects("ld r1, x-4", DIAG_OUT_OF_BOUNDS);
  rejects("ld r1, a+2", DIAG_MISALIGNED);
  rejects("ld.v2 {r1,r2}, a+4", DIAG_MISALIGNED);
  rejects("st b, 256", DIAG_VALUE_RANGE);
  rejects("st b, -129", DIAG_VALUE_RANGE);
  rejects("add.u16 r1, r9, 65536", DIAG_VALUE_RANGE);
  rejects("ld r1, nowhere", DIAG_UNKNOWN_LOCATION);
  rejects("ld r1, [r7]", DIAG_UNKNOWN_LOCATION);
  rejects("bra LC", DIAG_UNKNOWN_LABEL);
  rejects("ld r1", DIAG_OPERAND_COUNT);
  rejects("st x, 1, 2", DIAG_OPERAND_COUNT);
  rejects("ld.v2 {r1}, a", DIAG_OPERAND_COUNT);
  rejects("ld {r1,r2}, a", DIAG_OPERAND_COUNT);
  rejects("fence.gpu x", DIAG_OPERAND_COUNT);
  rejects("ld.v2 r1, a", DIAG_WRONG_OPERAND);
  rejects("ld x, y", DIAG_WRONG_OPERAND);
  rejects("st x, y", DIAG_WRONG_OPERAND);
  rejects("st 16, 1", DIAG_WRONG_OPERAND);
  rejects("st x, _", DIAG_WRONG_OPERAND);
  rejects("add _, r9, 1", DIAG_WRONG_OPERAND);
  rejects("ld r1, cta0:x", DIAG_UNKNOWN_LOCATION);
  rejects("ld r1, cta5:z", DIAG_OTHER_CTA);
}

TEST(test_atom_details) {
  struct fixture f;
  struct instr instr = only(&f, "atom.sys.inc.u32 r1, [x]"); /* as 8.10.3 prints it */
  assert_true(instr.src[0].imm == 0xffffffffu);
  assert_true(reported(&f, DIAG_MISSING_OPERAND));
  instr = only(&f, "atom.cas.b32 _, [x], 3, 4");
  assert_int_equal(instr.dst[0], NO_REG);
  assert_true(instr.src[0].imm == 3 && instr.src[1].imm == 4);
  instr = only(&f, "atom.acq_rel.sys.xor.b32 r1, x, 1");
  assert_int_equal(instr.alu, ALU_XOR);
}

TEST(test_addresses) {
  struct fixture f;
  struct instr instr = only(&f, "ld r1, [a+8]");
  assert_int_equal(instr.addr.base.kind, OPERAND_IMM);
  assert_int_equal(instr.addr.offset, 8);
  instr = only(&f, "ld r1, a[3]");
  assert_int_equal(instr.addr.offset, 12);
  instr = only(&f, "ld r1, [%r9+-4]");
  assert_int_equal(instr.addr.base.kind, OPERAND_REG);
  assert_int_equal(instr.addr.offset, -4);
  instr = only(&f, "mov.u64 r1, a+4");
  assert_int_equal(instr.src[0].kind, OPERAND_IMM);
  assert_int_equal((uint32_t)instr.src[0].imm % 256, 4);
}

int main(void) { return run_each(open_arena, close_arena); }
