/* The litmus front end: parsing, printing, the instruction table, lowering. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/litmus.h"
#include "ptx/isa.h"
#include "ptx/lower.h"

/* One test of the front end: everything lives in `arena`. */
struct fixture {
  struct arena arena;
  struct intern names;
  struct diags diags;
  struct source source;
  struct litmus_test *test;
  struct program *program;
};

static void read_text(struct fixture *f, const char *text, size_t length, bool implicit) {
  struct lower_options options = {.implicit_locations = implicit};
  arena_init(&f->arena, NULL);
  intern_init(&f->names, &f->arena);
  diags_init(&f->diags, &f->arena);
  f->source = source_from_text("test", text, length);
  f->test = litmus_parse(&f->arena, &f->names, &f->diags, &f->source);
  f->program = f->test ? lower(&f->arena, &f->names, &f->diags, f->test, &options) : NULL;
}

static void end(struct fixture *f) { arena_release(&f->arena); }

/* A test made of its parts. */
static void build(struct fixture *f, const char *init, const char *head, const char *rows, const char *condition) {
  static char text[8192]; /* cmocka runs one test at a time; the source must outlive the fixture's use */
  int length = snprintf(text, sizeof text, "PTX t\n{\n%s\n}\n%s ;\n%s\n%s\n", init, head, rows, condition);
  assert_in_range(length, 1, sizeof text - 1);
  read_text(f, text, (size_t)length, false);
}

/* One instruction of one thread, among locations of all kinds. */
static void build_instr(struct fixture *f, const char *instr) {
  char row[512];
  snprintf(row, sizeof row, "%s ;", instr);
  build(f,
        "x=0; y=0; int a[4]; .u64 w; .u8 b; .s32 s; .b128 q; .u64 v[8]; .shared .u32 z; .const .u32 k=7; .local .u32 o;"
        "g aliases x; t @ texture aliases x; 0:r9=x; .u64 0:rd9=x; .pred 0:p9=1;",
        "P0@cta 0,gpu 0", row, "exists (x=0)");
}

static bool reported(const struct fixture *f, enum diag_code code) {
  for (uint32_t i = 0; i < f->diags.list.len; i++)
    if (f->diags.list.data[i].code == code) return true;
  return false;
}

static void show(const struct fixture *f) {
  struct text text;
  text_init(&text, f->diags.arena);
  diags_render(&f->diags, &text, false);
  if (f->diags.list.len) print_message("%s", text_str(&text));
}

static void assert_rejected(const struct fixture *f, enum diag_code code) {
  if (f->program || !reported(f, code)) {
    show(f);
    fail_msg("expected %s in:\n%s", diag_code_name(code), f->source.text);
  }
}

static void assert_accepted(const struct fixture *f) {
  if (!f->program) show(f);
  assert_non_null(f->program);
}

/* The only instruction of a test that is right. */
static struct instr only(struct fixture *f, const char *instr) {
  build_instr(f, instr);
  if (!f->program) show(f);
  assert_non_null(f->program);
  assert_int_equal(f->program->threads[0].instr_count, 1);
  return f->program->threads[0].instrs[0];
}

static void rejects(const char *instr, enum diag_code code) {
  struct fixture f;
  build_instr(&f, instr);
  assert_rejected(&f, code);
  assert_int_equal(f.diags.errors, 1); /* one mistake, one message */
  end(&f);
}

/* Printing */

static const char *const round_trips[] = {
    "PTX a+b-c.d_e\n\"text\n over lines\"\nKey=Value with = and words\nEmpty=\n{\n}\nP0@cta 0;\nexists (0=0)",
    "PTX t\n(* (* nested *) *)\n// line\n{ x; y=1 ; .shared .u32 z=-1;int a[4]={1,2} ; .u64 p=a+4; unsigned long q[]={1,x};}\n"
    "P0@gpu 1,cta 2 cluster 3,warp 4,lane 5 |P7@cta 9 ; st x,1| ;|LC0: LC1:;@p ld.u32.acquire.gpu %r1,[x+4]|@!p bra LC0;\n"
    "ld.v2.u32 {%r1,_}, [a].unified|__syncthreads();;;;fence.sc.gpu|f(1,!p,%tid.x,[16],a[1],cta1:z,gpu0.cta1:z);\n"
    "locations [x; 0:r1; a;]\nfilter ~(0:r1=1)\n~exists ~x=1 /\\ (y==2 \\/ 0:%r1!=3) /\\ (x<1 /\\ x<=1) /\\ ~~x>0x10 \\/ "
    "[x]>=-1 /\\ 0:r1=&x",
    "PTX t\n{ x @ generic aliases y; y; s @ surface aliases x; P0:r1=x; 1:r2=0xff; .u64 P0:rd1=0b101; .pred 0:p=017; }\n"
    "P0@cta 0|P1@cta 0;forall P0:r1=x",
};

static const char *printed(struct fixture *f) {
  struct text text;
  text_init(&text, &f->arena);
  assert_non_null(f->test);
  litmus_print(f->test, &text);
  return text_str(&text);
}

static void test_round_trip(void **state) {
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(round_trips); i++) {
    struct fixture first, second;
    read_text(&first, round_trips[i], strlen(round_trips[i]), false);
    if (!first.test) show(&first);
    const char *once = printed(&first);
    read_text(&second, once, strlen(once), false);
    if (!second.test) show(&second);
    assert_string_equal(once, printed(&second));
    end(&second);
    end(&first);
  }
}

static void test_printed_form(void **state) {
  struct fixture f;
  const char *text = "PTX  name \nK = v \n{x=0x10; P0:r1=010;}P0@cta 0,gpu 0|P1@cta 1;st.gpu.relaxed x , 1|;exists P0:r1==1/\\x=1";
  (void)state;
  read_text(&f, text, strlen(text), false);
  assert_string_equal(printed(&f), "PTX name\nK=v\n{\nx=16;\n0:r1=8;\n}\n P0@cta 0,gpu 0 | P1@cta 1 ;\n"
                                   " st.gpu.relaxed x, 1 |  ;\nexists (0:r1=1 /\\ x=1)\n");
  assert_string_equal(litmus_key(f.test, "K"), "v");
  assert_null(litmus_key(f.test, "L"));
  end(&f);
}

/* Text that is no test */

static void rejects_text(const char *text, size_t length, enum diag_code code) {
  struct fixture f;
  read_text(&f, text, length, false);
  assert_null(f.test);
  assert_int_equal(f.diags.errors, 1);
  assert_int_equal(f.diags.list.data[0].code, code);
  end(&f);
}

static void test_bad_text(void **state) {
  static const struct {
    const char *text;
    enum diag_code code;
  } cases[] = {
      {"", DIAG_EMPTY_INPUT},
      {" \n// x\n(* y *)", DIAG_EMPTY_INPUT},
      {"ptx t\n{}", DIAG_SYNTAX},
      {"AArch64 t\n{}", DIAG_SYNTAX},
      {"\x01\x02", DIAG_STRAY_BYTE},
      {"PTX t\n{\xff", DIAG_STRAY_BYTE},
      {"PTX t\n(* (* *)", DIAG_UNCLOSED},
      {"PTX t\n\"a", DIAG_UNCLOSED},
      {"PTX t\n{x=0;", DIAG_UNCLOSED},
      {"PTX t\n{x=0; P0@cta 0; st x,1; exists x=1", DIAG_UNCLOSED},
      {"PTX t\n{}P0@cta 0; exists (0=0", DIAG_UNCLOSED},
      {"PTX t\n{}P0@cta 0;", DIAG_SYNTAX},
      {"PTX t\n{}P0@cta 0; exists 0=0 x", DIAG_SYNTAX},
      {"PTX t\n{}P0@cta 0; st # x; exists 0=0", DIAG_STRAY_BYTE},
      {"PTX t\n{}P0@cta 0; st ???? x; exists 0=0", DIAG_STRAY_BYTE},
      {"PTX t\n{}P0@cta 0; st x 1; st x, 1; exists 0=0", DIAG_SYNTAX},
      {"PTX t\n{}P0@cta 0; st x, 09; exists 0=0", DIAG_SYNTAX},
      {"PTX t\n{}P0@cta 0; st x, 0x100000000000000000000000000000000; exists 0=0", DIAG_NUMBER_RANGE},
  };
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) rejects_text(cases[i].text, strlen(cases[i].text), cases[i].code);
  rejects_text("PTX t\n{\0", 8, DIAG_STRAY_BYTE);
}

static void test_recovery(void **state) {
  struct fixture f;
  const char *text = "PTX t\n{x==1; y=0;}\nP0@cta 0;\nst x 1;\nst x, 1;\nld ,;\nexists 0=0";
  (void)state;
  read_text(&f, text, strlen(text), false);
  assert_null(f.test);
  assert_int_equal(f.diags.errors, 3);
  end(&f);
}

static void nested(const char *open, const char *close, size_t depth, bool accepted) {
  size_t length = 100 + depth * (strlen(open) + strlen(close)), at;
  char *text = test_malloc(length);
  struct fixture f;
  at = (size_t)snprintf(text, length, "PTX t\n{}\nP0@cta 0;\nexists ");
  for (size_t i = 0; i < depth; i++) at += (size_t)snprintf(text + at, length - at, "%s", open);
  at += (size_t)snprintf(text + at, length - at, "0=0");
  for (size_t i = 0; i < depth; i++) at += (size_t)snprintf(text + at, length - at, "%s", close);
  read_text(&f, text, at, false);
  if (accepted) {
    assert_accepted(&f);
  } else {
    assert_null(f.test);
    assert_int_equal(f.diags.errors, 1);
    assert_true(reported(&f, DIAG_TOO_DEEP));
  }
  end(&f);
  test_free(text);
}

static void test_depth(void **state) {
  (void)state;
  nested("(", ")", 900, true);
  nested("~", "", 900, true);
  nested("(0=0 /\\ ", ")", 400, true);
  nested("(", ")", 100000, false);
  nested("~", "", 100000, false);
  nested("0=0 /\\ ", "", 100000, true); /* a chain is not deep */
}

static unsigned depth_of(const struct cond *cond) {
  if (!cond) return 0;
  unsigned left = depth_of(cond->left), right = depth_of(cond->right);
  return 1 + (left > right ? left : right);
}

static void test_chain_is_balanced(void **state) {
  struct fixture f;
  (void)state;
  build(&f, "x=0;", "P0@cta 0", "",
        "exists x=0 /\\ x=1 /\\ x=2 /\\ x=3 /\\ x=4 /\\ x=5 /\\ x=6 /\\ x=7 /\\ x=8 /\\ x=9 /\\ x=10 /\\ x=11 /\\ x=12 /\\ "
        "x=13 /\\ x=14 /\\ x=15");
  assert_accepted(&f);
  assert_int_equal(depth_of(f.program->condition), 5);
  end(&f);
}

/* Qualifiers */

static void test_qualifiers_are_a_set(void **state) {
  static const char *const spellings[] = {
      "ld.acquire.gpu.global.u32 %r1, [x]", "ld.gpu.acquire.u32.global r1, x", "ld.u32.global.gpu.acquire r1, [x+0]",
      "ld.acquire.gpu r1, x",
  };
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(spellings); i++) {
    struct fixture f;
    struct instr instr = only(&f, spellings[i]);
    assert_int_equal(instr.kind, INSTR_LOAD);
    assert_int_equal(instr.sem, SEM_ACQUIRE);
    assert_int_equal(instr.scope, SCOPE_GPU);
    assert_int_equal(instr.type.width, 32);
    assert_int_equal(instr.elements, 1);
    end(&f);
  }
}

static void test_bad_qualifiers(void **state) {
  (void)state;
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
  rejects("membar", DIAG_MISSING_SCOPE);
  rejects("ld.mmio.relaxed r1, x", DIAG_MISSING_SCOPE);
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
  rejects("ld.volatile.relaxed r1, x", DIAG_QUALIFIER_CONFLICT);
  rejects("st.volatile.sys x, 1", DIAG_QUALIFIER_CONFLICT);
  rejects("ld.volatile.cg r1, x", DIAG_QUALIFIER_CONFLICT);
  rejects("ld.acquire.gpu.cv r1, x", DIAG_QUALIFIER_CONFLICT);
  rejects("ld.mmio.relaxed.gpu r1, x", DIAG_QUALIFIER_CONFLICT);
  rejects("ld.mmio.relaxed.sys.v2 {r1,r2}, a", DIAG_QUALIFIER_CONFLICT);
  rejects("fence.proxy.texture.cta", DIAG_QUALIFIER_CONFLICT);
  rejects("ld.mmio r1, x", DIAG_MISSING_QUALIFIER);
  rejects("atom r1, x, 1", DIAG_MISSING_QUALIFIER);
  rejects("setp p1, r9, 1", DIAG_MISSING_QUALIFIER);
  rejects("fence.proxy", DIAG_MISSING_QUALIFIER);
  rejects("fence.alias", DIAG_MISSING_QUALIFIER);
}

static void test_semantics(void **state) {
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
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    assert_int_equal(instr.kind, cases[i].kind);
    assert_int_equal(instr.sem, cases[i].sem);
    assert_int_equal(instr.scope, cases[i].scope);
    end(&f);
  }
}

static void test_proxies(void **state) {
  static const struct {
    const char *text;
    enum proxy proxy;
  } cases[] = {
      {"suld.weak r1, x", PROXY_SURFACE},       {"sust.weak [x], 1", PROXY_SURFACE}, {"tld.weak r1, t", PROXY_TEXTURE},
      {"cold.weak r1, k", PROXY_CONSTANT},      {"ldc.u32 r1, [x]", PROXY_CONSTANT}, {"ld r1, t", PROXY_GENERIC},
      {"fence.proxy.surface", PROXY_SURFACE},   {"fence.proxy.texture", PROXY_TEXTURE},
      {"fence.proxy.constant", PROXY_CONSTANT}, {"fence.proxy.alias", PROXY_ALIAS},
  };
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    assert_int_equal(only(&f, cases[i].text).proxy, cases[i].proxy);
    end(&f);
  }
}

static void test_unsupported(void **state) {
  static const char *const cases[] = {
      "bar.sync 0",
      "bar.cta.sync 1, 1, 2",
      "barrier.cluster.arrive",
      "__syncthreads()",
      "goto LC",
      "bne r9, 0, LC",
      "@p9 st x, 1",
      "ld.global.nc.u32 r1, [x]",
      "fence.proxy.async",
      "fence.proxy.async.global",
      "fence.proxy.tensormap::generic.acquire.gpu [x], 128",
      "fence.acquire.sync_restrict::shared::cluster.cluster",
      "fence.mbarrier_init.release.cluster",
      "red.async.relaxed.cluster.global.add.u32 [x], 1",
      "st.async.weak.b32 [x], 1, [y]",
      "atom.add.f32 r1, [x], r9",
      "red.add.noftz.f16x2 [x], r9",
      "add.f32 r1, r9, r9",
      "add.u16x2 r1, r9, r9",
      "cvt.u32.u16 r1, r9",
      "multimem.st.weak.u32 [x], 1",
      "mov.u32 r1, %tid.x",
  };
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    char text[256];
    snprintf(text, sizeof text, "LC: %s", cases[i]);
    struct instr instr = only(&f, text);
    if (instr.kind != INSTR_UNSUPPORTED) fail_msg("%s", cases[i]);
    assert_non_null(instr.unsupported);
    assert_int_equal(f.diags.warnings, 0);
    end(&f);
  }
}

/* Types, values and addresses */

static void test_types(void **state) {
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
      {"ld r0, 1", TYPE_UNSIGNED, 32, 1},
      {"shl.b64 r1, rd9, r9", TYPE_BITS, 64, 1},
  };
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    if (instr.type.kind != cases[i].kind) fail_msg("%s", cases[i].text);
    assert_int_equal(instr.type.width, cases[i].width);
    assert_int_equal(instr.elements, cases[i].elements);
    end(&f);
  }
}

static const struct reg *reg_named(const struct program *program, const char *name) {
  const struct thread *thread = &program->threads[0];
  for (uint32_t i = 0; i < thread->reg_count; i++)
    if (strcmp(thread->regs[i].name, name) == 0) return &thread->regs[i];
  return NULL;
}

static void test_result_types(void **state) {
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
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    struct instr instr = only(&f, cases[i].text);
    assert_int_equal(instr.kind, INSTR_ALU);
    assert_int_equal(instr.alu, cases[i].alu);
    const struct reg *reg = reg_named(f.program, "r1");
    assert_non_null(reg);
    assert_int_equal(reg->type.kind, cases[i].kind);
    assert_int_equal(reg->type.width, cases[i].width);
    end(&f);
  }
}

static void test_bad_operands(void **state) {
  (void)state;
  rejects("atom.exch.u32 r1, x, 1", DIAG_WRONG_TYPE);
  rejects("atom.add.s64 r1, w, 1", DIAG_WRONG_TYPE);
  rejects("atom.inc r1, w, 1", DIAG_WRONG_TYPE);
  rejects("ld.f16 r1, x", DIAG_WRONG_TYPE);
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

static void test_atom_details(void **state) {
  struct fixture f;
  (void)state;
  struct instr instr = only(&f, "atom.sys.inc.u32 r1, [x]"); /* as 8.10.3 prints it */
  assert_true(instr.src[0].imm == 0xffffffffu);
  assert_true(reported(&f, DIAG_MISSING_OPERAND));
  end(&f);
  instr = only(&f, "atom.cas.b32 _, [x], 3, 4");
  assert_int_equal(instr.dst[0], NO_REG);
  assert_true(instr.src[0].imm == 3 && instr.src[1].imm == 4);
  end(&f);
  instr = only(&f, "atom.acq_rel.sys.sub r1, x, 1");
  assert_int_equal(instr.alu, ALU_SUB);
  end(&f);
}

static void test_addresses(void **state) {
  struct fixture f;
  (void)state;
  struct instr instr = only(&f, "ld r1, [a+8]");
  assert_int_equal(instr.addr.base.kind, OPERAND_IMM);
  assert_int_equal(instr.addr.offset, 8);
  end(&f);
  instr = only(&f, "ld r1, a[3]");
  assert_int_equal(instr.addr.offset, 12);
  end(&f);
  instr = only(&f, "ld r1, [%r9+-4]");
  assert_int_equal(instr.addr.base.kind, OPERAND_REG);
  assert_int_equal(instr.addr.offset, -4);
  end(&f);
  instr = only(&f, "mov.u64 r1, a+4");
  assert_int_equal(instr.src[0].kind, OPERAND_IMM);
  assert_int_equal((uint32_t)instr.src[0].imm % 256, 4);
  end(&f);
}

/* Locations */

static const struct view *view_named(const struct program *program, const char *name) {
  for (uint32_t i = 0; i < program->view_count; i++)
    if (strcmp(program->views[i].name, name) == 0) return &program->views[i];
  return NULL;
}

static void test_layout(void **state) {
  struct fixture f;
  (void)state;
  build(&f, "x=5; int a[4]={1,-2}; y @ generic aliases z; z aliases a; s @ surface aliases y; .u8 b=255; .u64 p=a+4; q=x;",
        "P0@cta 0", "ld.weak r0, s ;", "exists (x=5)");
  assert_accepted(&f);
  const struct program *program = f.program;
  assert_int_equal(program->object_count, 5);
  assert_int_equal(program->view_count, 7); /* s is a name of y's addresses */
  const struct view *a = view_named(program, "a"), *y = view_named(program, "y"), *z = view_named(program, "z");
  assert_true(a && y && z && !view_named(program, "s"));
  assert_int_equal(a->object, y->object);
  assert_int_equal(a->object, z->object);
  assert_true(a->vaddr != y->vaddr && y->vaddr != z->vaddr);
  assert_true(program->threads[0].instrs[0].addr.base.imm == y->vaddr);
  const struct object *array = &program->objects[a->object], *pointer = &program->objects[view_named(program, "p")->object];
  assert_int_equal(array->size, 16);
  assert_true(array->init[0] == 1 && array->init[1] == 0xfffffffeu && array->init[2] == 0);
  assert_true(pointer->init[0] == a->vaddr + 4);
  for (uint32_t i = 0; i < program->object_count; i++) {
    assert_int_equal(program->objects[i].phys % 16, 0);
    assert_true(program->objects[i].phys + program->objects[i].size <= program->phys_size);
    assert_true(i == 0 || program->objects[i].phys >= program->objects[i - 1].phys + program->objects[i - 1].size);
  }
  for (uint32_t i = 0; i < program->view_count; i++) {
    assert_int_equal(program->views[i].vaddr % 256, 0);
    assert_true(program->views[i].vaddr >= 4096);
    uint32_t size = i ? program->objects[program->views[i - 1].object].size : 0;
    assert_true(i == 0 || program->views[i].vaddr > program->views[i - 1].vaddr + size);
  }
  end(&f);
}

static void test_shared(void **state) {
  struct fixture f;
  (void)state;
  build(&f, ".shared .u32 z=3; .local .u32 o=1;",
        "P0@cta 0,cluster 0 | P1@cta 1,cluster 0 | P2@cta 0,cluster 0 | P5@cta 0,gpu 1",
        "st z, 1 | ld.shared::cluster.u32 r0, [gpu0.cta0:z] | ld r0, z | st.shared z, 4 ;\n st o, 1 | ld r1, cta0:z | | ;",
        "exists (gpu0.cta0:z=1 /\\ gpu1.cta0:z=4 /\\ cta1:z=3 /\\ 5:o=1)");
  assert_accepted(&f);
  const struct program *program = f.program;
  assert_int_equal(program->object_count, 3 + 4);
  assert_string_equal(program->objects[0].name, "gpu0.cta0:z");
  assert_string_equal(program->objects[1].name, "cta1:z");
  assert_string_equal(program->objects[2].name, "gpu1.cta0:z");
  assert_string_equal(program->objects[6].name, "5:o");
  assert_int_equal(program->objects[1].owner, program->threads[1].cta_id);
  const struct thread *t = program->threads;
  assert_true(t[0].instrs[0].addr.base.imm == t[1].instrs[0].addr.base.imm);
  assert_true(t[0].instrs[0].addr.base.imm == t[2].instrs[0].addr.base.imm);
  assert_true(t[0].instrs[0].addr.base.imm == t[1].instrs[1].addr.base.imm);
  assert_true(t[0].instrs[0].addr.base.imm != t[3].instrs[0].addr.base.imm);
  end(&f);
}

static void rejects_init(const char *init, enum diag_code code) {
  struct fixture f;
  build(&f, init, "P0@cta 0", "st x, 1 ;", "exists (x=0)");
  assert_rejected(&f, code);
  end(&f);
}

static void test_bad_declarations(void **state) {
  (void)state;
  rejects_init("x=0; x=0;", DIAG_REDECLARED);
  rejects_init("x=0; 0:r0=1; P0:r0=1;", DIAG_REDECLARED);
  rejects_init("x aliases x;", DIAG_ALIAS_CYCLE);
  rejects_init("x aliases y; y @ surface aliases z; z aliases y;", DIAG_ALIAS_CYCLE);
  rejects_init("x aliases y;", DIAG_UNKNOWN_LOCATION);
  rejects_init("x=0; y @ wrong aliases x;", DIAG_WRONG_DECLARATION);
  rejects_init("x=0; .u32 y aliases x;", DIAG_WRONG_DECLARATION);
  rejects_init(".u33 x=0;", DIAG_WRONG_DECLARATION);
  rejects_init("foo x=0;", DIAG_WRONG_DECLARATION);
  rejects_init(".u32 .u64 x=0;", DIAG_WRONG_DECLARATION);
  rejects_init("x[]; ", DIAG_WRONG_DECLARATION);
  rejects_init("x={1,2};", DIAG_WRONG_DECLARATION);
  rejects_init("x=0; .shared z; cta0:z=1;", DIAG_WRONG_DECLARATION);
  rejects_init(".u8 x=256;", DIAG_VALUE_RANGE);
  rejects_init("x=-2147483649;", DIAG_VALUE_RANGE);
  rejects_init("x=0; .u8 p=x;", DIAG_VALUE_RANGE);
  rejects_init("x=0; P4:r0=1;", DIAG_UNKNOWN_THREAD);
  rejects_init(".u64 x[65536];", DIAG_TOO_LARGE);
}

static void test_implicit_locations(void **state) {
  const char *text = "PTX t\n{g aliases h;}\nP0@cta 0;\nld r0, y;\nst g, 1;\nexists (x=0 /\\ y=0)";
  struct fixture f;
  (void)state;
  read_text(&f, text, strlen(text), false);
  assert_rejected(&f, DIAG_UNKNOWN_LOCATION);
  end(&f);
  read_text(&f, text, strlen(text), true);
  assert_accepted(&f);
  assert_int_equal(f.program->object_count, 3);
  assert_int_equal(f.program->view_count, 4);
  assert_int_equal(f.diags.warnings, 3);
  end(&f);
}

/* Columns */

static void test_placement(void **state) {
  struct fixture f;
  (void)state;
  build(&f, "x;", "P3@gpu 0,cta 0 | P1@cta 0,gpu 1 | P0@cta 1 | P9@cta 0,warp 2 | P8@cta 0,warp 2", "", "exists (x=0)");
  assert_accepted(&f);
  const struct thread *t = f.program->threads;
  assert_int_equal(t[0].number, 3);
  assert_int_not_equal(t[0].cta_id, t[1].cta_id);
  assert_int_not_equal(t[0].gpu_id, t[1].gpu_id);
  assert_int_not_equal(t[0].cta_id, t[2].cta_id);
  assert_int_equal(t[0].gpu_id, t[2].gpu_id);
  assert_int_not_equal(t[0].cluster_id, t[2].cluster_id); /* unnamed: each CTA is a cluster */
  assert_int_equal(t[0].cta_id, t[3].cta_id);
  assert_int_not_equal(t[0].warp_id, t[3].warp_id);
  assert_int_equal(t[3].warp_id, t[4].warp_id);
  assert_int_not_equal(t[3].lane, t[4].lane);
  end(&f);
  build(&f, "x;", "P0@cta 0,cluster 1 | P1@cta 1,cluster 1 | P2@cta 0,cluster 1,gpu 1", "", "exists (x=0)");
  assert_accepted(&f);
  assert_int_equal(f.program->threads[0].cluster_id, f.program->threads[1].cluster_id);
  assert_int_not_equal(f.program->threads[0].cluster_id, f.program->threads[2].cluster_id);
  end(&f);
}

static void rejects_head(const char *head, const char *rows, enum diag_code code) {
  struct fixture f;
  build(&f, "x=0;", head, rows, "exists (x=0)");
  assert_rejected(&f, code);
  end(&f);
}

static void test_bad_columns(void **state) {
  (void)state;
  rejects_head("P0 | P1", "", DIAG_MISSING_PLACEMENT);
  rejects_head("P0@cta 0 | P1", "", DIAG_MISSING_PLACEMENT);
  rejects_head("P0@gpu 0", "", DIAG_MISSING_PLACEMENT);
  rejects_head("P0@cta 0 | P0@cta 1", "", DIAG_DUPLICATE_THREAD);
  rejects_head("P0@cta 0,block 1", "", DIAG_WRONG_PLACEMENT);
  rejects_head("P0@cta 0,cta 1", "", DIAG_WRONG_PLACEMENT);
  rejects_head("P0@cta 0,cluster 0 | P1@cta 0,cluster 1", "", DIAG_WRONG_PLACEMENT);
  rejects_head("P0@cta 0,warp 0,lane 1 | P1@cta 0,warp 0,lane 1", "", DIAG_WRONG_PLACEMENT);
  rejects_head("T0@cta 0", "", DIAG_SYNTAX);
  rejects_head("P0@cta 0 | P1@cta 0", "st x, 1 ;", DIAG_RAGGED_ROW);
  rejects_head("P0@cta 0", "st x, 1 | st x, 2 ;", DIAG_RAGGED_ROW);
  rejects_head("P0@cta 0", "LC: st x, 1 ;\nLC: ;", DIAG_REDECLARED);
}

static void test_registers(void **state) {
  struct fixture f;
  (void)state;
  build(&f, "x=0; 0:r1=-1; 0:r2=x; .u64 0:r3=5; 0:r4=0x1ffffffff;", "P0@cta 0", "st x, r7 ;", "exists (x=0)");
  assert_accepted(&f);
  assert_true(reg_named(f.program, "r1")->init == 0xffffffffu);
  assert_true(reg_named(f.program, "r2")->init == f.program->views[0].vaddr);
  assert_int_equal(reg_named(f.program, "r3")->type.width, 64);
  assert_int_equal(reg_named(f.program, "r4")->type.width, 64);
  assert_int_equal(f.diags.warnings, 1);
  assert_true(reported(&f, DIAG_NEVER_WRITTEN));
  end(&f);
  build(&f, "x=0; 0:r0=0x1ffffffff;", "P0@cta 0", "ld r0, x ;", "exists (x=0)");
  assert_rejected(&f, DIAG_VALUE_RANGE);
  end(&f);
}

/* Conditions */

static void test_observables(void **state) {
  static const char *const expected[] = {"0:r2", "0:r10", "1:r0", "x", "a[1]"};
  struct fixture f;
  (void)state;
  build(&f, "x=0; y=0; int a[2]={7,8};", "P0@cta 0 | P1@cta 1",
        "ld r10, x | ld r0, y ;\nld r2, x | ld r1, y ;", "locations [0:r2; a[1];]\nfilter 0:r10=0\nexists (x=0 /\\ P1:r0=1)");
  assert_accepted(&f);
  const struct program *program = f.program;
  assert_int_equal(program->observable_count, 4 + 4);
  assert_int_equal(program->observed_count, ARRAY_LEN(expected));
  for (size_t i = 0; i < ARRAY_LEN(expected); i++) assert_string_equal(program->observables[i].name, expected[i]);
  assert_string_equal(program->condition_text, "exists (x=0 /\\ 1:r0=1)");
  assert_int_equal(program->condition->left->a.observable, 3);
  assert_int_equal(program->condition->right->a.observable, 2);
  assert_int_equal(program->filter->a.observable, 1);
  end(&f);
}

static void test_condition_text(void **state) {
  static const char *const cases[][2] = {
      {"exists 0==0", "exists (0=0)"},
      {"~exists (P0:r1 != 1 /\\ (x == 2))", "~exists (0:r1!=1 /\\ x=2)"},
      {"forall (x=1 \\/ y=1) /\\ ~(x=2)", "forall ((x=1 \\/ y=1) /\\ ~(x=2))"},
      {"exists x=1 \\/ y=1 /\\ x=2", "exists (x=1 \\/ y=1 /\\ x=2)"},
      {"exists x>=-1 /\\ [y]<=3", "exists (x>=-1 /\\ [y]<=3)"},
  };
  (void)state;
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    build(&f, "x=0; y=0;", "P0@cta 0", "ld r1, x ;", cases[i][0]);
    assert_accepted(&f);
    assert_string_equal(f.program->condition_text, cases[i][1]);
    end(&f);
  }
}

static void test_condition_meaning(void **state) {
  struct fixture f;
  (void)state;
  build(&f, "x=0; y=0;", "P0@cta 0", "mov r1, x ;", "exists 0:r1=y /\\ 0:r1=&x /\\ x=y /\\ 0:r1=[y] /\\ x=-1");
  assert_accepted(&f);
  const struct program *program = f.program;
  const struct cond *left = program->condition->left, *right = program->condition->right;
  assert_true(left->left->b.is_constant && left->left->b.constant == program->views[1].vaddr);
  assert_true(left->right->b.is_constant && left->right->b.constant == program->views[0].vaddr);
  assert_false(right->left->b.is_constant);
  assert_false(right->right->left->b.is_constant);
  assert_true(right->right->right->b.constant == ~(value_t)0);
  end(&f);
}

static void rejects_condition(const char *condition, enum diag_code code) {
  struct fixture f;
  build(&f, "x=0; int a[4]; .u8 b; .shared .u32 z;", "P0@cta 0 | P1@cta 1", "ld r0, x | ld r1, x ;", condition);
  assert_rejected(&f, code);
  assert_int_equal(f.diags.errors, 1);
  end(&f);
}

static void test_bad_conditions(void **state) {
  (void)state;
  rejects_condition("exists 4:r0=0", DIAG_UNKNOWN_THREAD);
  rejects_condition("exists 0:r1=0", DIAG_UNKNOWN_REGISTER);
  rejects_condition("exists 0:x=0", DIAG_UNKNOWN_REGISTER);
  rejects_condition("exists r0=0", DIAG_UNKNOWN_REGISTER);
  rejects_condition("exists y=0", DIAG_UNKNOWN_LOCATION);
  rejects_condition("exists z=0", DIAG_UNKNOWN_LOCATION);
  rejects_condition("exists cta0:x=0", DIAG_UNKNOWN_LOCATION);
  rejects_condition("exists cta7:z=0", DIAG_OTHER_CTA);
  rejects_condition("exists a=0", DIAG_WRONG_OPERAND);
  rejects_condition("exists a[4]=0", DIAG_OUT_OF_BOUNDS);
  rejects_condition("exists a+2=0", DIAG_MISALIGNED);
  rejects_condition("exists b=256", DIAG_VALUE_RANGE);
  rejects_condition("exists x=4294967296", DIAG_VALUE_RANGE);
  rejects_condition("filter y=0 exists x=0", DIAG_UNKNOWN_LOCATION);
  rejects_condition("locations [y;] exists x=0", DIAG_UNKNOWN_LOCATION);
}

/* The table */

static void test_table(void **state) {
  (void)state;
  assert_null(isa_find("lod"));
  assert_string_equal(isa_nearest("lod"), "ld");
  assert_int_equal(isa_find("atom")->form, FORM_ATOM);
  assert_non_null(isa_find("bar")->later);
  assert_int_equal(isa_type_named(".u32"), PTX_U32);
  assert_int_equal(isa_type_named(".foo"), PTX_TYPES);
  assert_int_equal(isa_op(OP_CAS)->sources, 2);
  assert_false(isa_op(OP_EXCH)->in_red);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),        cmocka_unit_test(test_printed_form),
      cmocka_unit_test(test_bad_text),          cmocka_unit_test(test_recovery),
      cmocka_unit_test(test_depth),             cmocka_unit_test(test_chain_is_balanced),
      cmocka_unit_test(test_qualifiers_are_a_set), cmocka_unit_test(test_bad_qualifiers),
      cmocka_unit_test(test_semantics),         cmocka_unit_test(test_proxies),
      cmocka_unit_test(test_unsupported),       cmocka_unit_test(test_types),
      cmocka_unit_test(test_result_types),      cmocka_unit_test(test_bad_operands),
      cmocka_unit_test(test_atom_details),      cmocka_unit_test(test_addresses),
      cmocka_unit_test(test_layout),            cmocka_unit_test(test_shared),
      cmocka_unit_test(test_bad_declarations),  cmocka_unit_test(test_implicit_locations),
      cmocka_unit_test(test_placement),         cmocka_unit_test(test_bad_columns),
      cmocka_unit_test(test_registers),         cmocka_unit_test(test_observables),
      cmocka_unit_test(test_condition_text),    cmocka_unit_test(test_condition_meaning),
      cmocka_unit_test(test_bad_conditions),    cmocka_unit_test(test_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
