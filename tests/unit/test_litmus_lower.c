/* The litmus front end: locations, columns, registers and conditions. */
#include "test_litmus.h"

/* Locations */

static const struct view *view_named(const struct program *program, const char *name) {
  for (uint32_t i = 0; i < program->view_count; i++)
    if (strcmp(program->views[i].name, name) == 0) return &program->views[i];
  return NULL;
}

TEST(test_layout) {
  struct fixture f;
  build(&f,
        "x=5; int a[4]={1,-2}; y @ generic aliases z; z aliases a; s @ surface aliases y; .u8 b=255; .u64 p=a+4; q=x;",
        "P0@cta 0", "suld.weak r0, s ;", "exists (x=5)");
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
  const struct object *array = &program->objects[a->object],
                      *pointer = &program->objects[view_named(program, "p")->object];
  assert_int_equal(array->size, 16);
  assert_true(array->init[0] == 1 && array->init[1] == 0xfffffffeu && array->init[2] == 0);
  assert_true(pointer->init[0] == a->vaddr + 4);
  for (uint32_t i = 0; i < program->object_count; i++) {
    assert_int_equal(program->objects[i].phys % 16, 0);
    assert_true(i == 0 || program->objects[i].phys >= program->objects[i - 1].phys + program->objects[i - 1].size);
  }
  for (uint32_t i = 0; i < program->view_count; i++) {
    assert_int_equal(program->views[i].vaddr % 256, 0);
    assert_true(program->views[i].vaddr >= 4096);
    uint32_t size = i ? program->objects[program->views[i - 1].object].size : 0;
    assert_true(i == 0 || program->views[i].vaddr > program->views[i - 1].vaddr + size);
  }
}

TEST(test_shared) {
  struct fixture f;
  build(&f, ".shared .u32 z=3; .local .u32 o=1;",
        "P0@cta 0,cluster 0 | P1@cta 1,cluster 0 | P2@cta 0,cluster 0 | P5@cta 0,gpu 1",
        "st z, 1 | ld.shared::cluster.u32 r0, [gpu0.cta0:z] | ld r0, z | st.shared z, 4 ;\n st o, 1 | ld r1, cta0:z | "
        "| ;",
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
}

static void rejects_init(const char *init, enum diag_code code) {
  struct fixture f;
  build(&f, init, "P0@cta 0", "st x, 1 ;", "exists (x=0)");
  assert_rejected(&f, code);
}

TEST(test_bad_declarations) {
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
  rejects_init(".u64 x[262144];", DIAG_TOO_LARGE);
}

TEST(test_implicit_locations) {
  const char *text = "PTX t\n{g aliases h;}\nP0@cta 0;\nld r0, y;\nst g, 1;\nexists (x=0 /\\ y=0)";
  struct fixture f;
  read_text(&f, text, strlen(text), false);
  assert_rejected(&f, DIAG_UNKNOWN_LOCATION);
  read_text(&f, text, strlen(text), true);
  assert_accepted(&f);
  assert_int_equal(f.program->object_count, 3);
  assert_int_equal(f.program->view_count, 4);
  assert_int_equal(f.diags.warnings, 3);
}

/* Columns */

TEST(test_placement) {
  struct fixture f;
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
  build(&f, "x;", "P0@cta 0,cluster 1 | P1@cta 1,cluster 1 | P2@cta 0,cluster 1,gpu 1", "", "exists (x=0)");
  assert_accepted(&f);
  assert_int_equal(f.program->threads[0].cluster_id, f.program->threads[1].cluster_id);
  assert_int_not_equal(f.program->threads[0].cluster_id, f.program->threads[2].cluster_id);
}

static void rejects_head(const char *head, const char *rows, enum diag_code code) {
  struct fixture f;
  build(&f, "x=0;", head, rows, "exists (x=0)");
  assert_rejected(&f, code);
}

TEST(test_bad_columns) {
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

TEST(test_registers) {
  struct fixture f;
  build(&f, "x=0; 0:r1=-1; 0:r2=x; .u64 0:r3=5; 0:r4=0x1ffffffff;", "P0@cta 0", "st x, r7 ;", "exists (x=0)");
  assert_accepted(&f);
  assert_true(reg_named(f.program, "r1")->init == 0xffffffffu);
  assert_true(reg_named(f.program, "r2")->init == f.program->views[0].vaddr);
  assert_int_equal(reg_named(f.program, "r3")->type.width, 64);
  assert_int_equal(reg_named(f.program, "r4")->type.width, 64);
  assert_int_equal(f.diags.warnings, 1);
  assert_true(reported(&f, DIAG_NEVER_WRITTEN));
  build(&f, "x=0; 0:r0=0x1ffffffff;", "P0@cta 0", "ld r0, x ;", "exists (x=0)");
  assert_rejected(&f, DIAG_VALUE_RANGE);
}

/* Conditions */

TEST(test_observables) {
  static const char *const expected[] = {"0:r2", "0:r10", "1:r0", "x", "a[1]"};
  struct fixture f;
  build(&f, "x=0; y=0; int a[2]={7,8};", "P0@cta 0 | P1@cta 1", "ld r10, x | ld r0, y ;\nld r2, x | ld r1, y ;",
        "locations [0:r2; a[1];]\nfilter 0:r10=0\nexists (x=0 /\\ P1:r0=1)");
  assert_accepted(&f);
  const struct program *program = f.program;
  assert_int_equal(program->observed_count, ARRAY_LEN(expected));
  for (size_t i = 0; i < ARRAY_LEN(expected); i++) assert_string_equal(program->observables[i].name, expected[i]);
  assert_string_equal(program->condition_text, "exists (x=0 /\\ 1:r0=1)");
  assert_int_equal(program->condition->left->a.observable, 3);
  assert_int_equal(program->condition->right->a.observable, 2);
  assert_int_equal(program->filter->a.observable, 1);
}

TEST(test_condition_text) {
  static const char *const cases[][2] = {
      {"exists 0==0", "exists (0=0)"},
      {"~exists (P0:r1 != 1 /\\ (x == 2))", "~exists (0:r1!=1 /\\ x=2)"},
      {"forall (x=1 \\/ y=1) /\\ ~(x=2)", "forall ((x=1 \\/ y=1) /\\ ~(x=2))"},
      {"exists x=1 \\/ y=1 /\\ x=2", "exists (x=1 \\/ y=1 /\\ x=2)"},
      {"exists x>=-1 /\\ [y]<=3", "exists (x>=-1 /\\ [y]<=3)"},
  };
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
    struct fixture f;
    build(&f, "x=0; y=0;", "P0@cta 0", "ld r1, x ;", cases[i][0]);
    assert_accepted(&f);
    assert_string_equal(f.program->condition_text, cases[i][1]);
  }
}

TEST(test_condition_meaning) {
  struct fixture f;
  build(&f, "x=0; y=0;", "P0@cta 0", "mov r1, x ;", "exists 0:r1=y /\\ 0:r1=&x /\\ x=y /\\ 0:r1=[y] /\\ x=-1");
  assert_accepted(&f);
  const struct program *program = f.program;
  const struct cond *left = program->condition->left, *right = program->condition->right;
  assert_true(left->left->b.is_constant && left->left->b.constant == program->views[1].vaddr);
  assert_true(left->right->b.is_constant && left->right->b.constant == program->views[0].vaddr);
  assert_false(right->left->b.is_constant);
  assert_false(right->right->left->b.is_constant);
  assert_true(right->right->right->b.constant == ~(value_t)0);
}

static void rejects_condition(const char *condition, enum diag_code code) {
  struct fixture f;
  build(&f, "x=0; int a[4]; .u8 b; .shared .u32 z;", "P0@cta 0 | P1@cta 1", "ld r0, x | ld r1, x ;", condition);
  assert_rejected(&f, code);
  assert_int_equal(f.diags.errors, 1);
}

TEST(test_bad_conditions) {
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

int main(void) { return run_each(open_arena, close_arena); }
