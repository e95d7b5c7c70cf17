/* The litmus front end: reading and printing text, and the instruction table. */
#include "test_litmus.h"

/* Printing */

static const char *const round_trips[] = {
    "PTX a+b-c.d_e\n\"text\n over lines\"\nKey=Value with = and words\nEmpty=\n{\n}\nP0@cta 0;\nexists (0=0)",
    "PTX t\n(* (* nested *) *)\n// line\n{ x; y=1 ; .shared .u32 z=-1;int a[4]={1,2} ; .u64 p=a+4; unsigned long "
    "q[]={1,x};}\n"
    "P0@gpu 1,cta 2 cluster 3,warp 4,lane 5 |P7@cta 9 ; st x,1| ;|LC0: LC1:;@p ld.u32.acquire.gpu %r1,[x+4]|@!p bra "
    "LC0;\n"
    "ld.v2.u32 {%r1,_}, [a].unified|__syncthreads();;;;fence.sc.gpu|f(1,!p,%tid.x,[16],a[1],cta1:z,gpu0.cta1:z);\n"
    "locations [x; 0:r1; a;]\nfilter ~(0:r1=1)\n~exists ~x=1 /\\ (y==2 \\/ 0:%r1!=3) /\\ (x<1 /\\ x<=1) /\\ ~~x>0x10 "
    "\\/ "
    "[x]>=-1 /\\ 0:r1=&x",
    "PTX t\n{ x; y; multimem m = {x, y}; }\nP0@lane 3,warp 1,cta 0|P1@cta 0; r1 = __syncthreads_count ( p )|"
    "__syncthreads_or(r1,!p);\n%r2=__syncthreads_and(%p1)|r3 = f();bar.red.popc.u32 r1,2,64,!p|L:\n@!p bra L;"
    "exists x=0",
    "PTX t\n{ x @ generic aliases y; y; s @ surface aliases x; P0:r1=x; 1:r2=0xff; .u64 P0:rd1=0b101; .pred 0:p=017; "
    "}\n"
    "P0@cta 0|P1@cta 0;forall P0:r1=x",
};

static const char *printed(struct fixture *f) {
  struct text text = {.arena = &arena};
  assert_non_null(f->test);
  litmus_print(f->test, &text);
  return text_str(&text);
}

TEST(test_round_trip) {
  for (size_t i = 0; i < ARRAY_LEN(round_trips); i++) {
    struct fixture first, second;
    read_text(&first, round_trips[i], strlen(round_trips[i]), false);
    if (!first.test) show(&first);
    const char *once = printed(&first);
    read_text(&second, once, strlen(once), false);
    if (!second.test) show(&second);
    assert_string_equal(once, printed(&second));
  }
}

TEST(test_printed_form) {
  struct fixture f;
  const char *text =
      "PTX  name \nK = v \n{x=0x10; P0:r1=010;}P0@cta 0,gpu 0|P1@cta 1;st.gpu.relaxed x , 1|;exists P0:r1==1/\\x=1";
  read_text(&f, text, strlen(text), false);
  assert_string_equal(printed(&f), "PTX name\nK=v\n{\nx=16;\n0:r1=8;\n}\n P0@cta 0,gpu 0 | P1@cta 1 ;\n"
                                   " st.gpu.relaxed x, 1 |  ;\nexists (0:r1=1 /\\ x=1)\n");
  assert_string_equal(litmus_key(f.test, "K"), "v");
  assert_null(litmus_key(f.test, "L"));
}

/* Text that is no test */

static void rejects_text(const char *text, size_t length, enum diag_code code) {
  struct fixture f;
  read_text(&f, text, length, false);
  assert_null(f.test);
  assert_int_equal(f.diags.errors, 1);
  assert_int_equal(f.diags.list.data[0].code, code);
}

TEST(test_bad_text) {
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
  for (size_t i = 0; i < ARRAY_LEN(cases); i++) rejects_text(cases[i].text, strlen(cases[i].text), cases[i].code);
  rejects_text("PTX t\n{\0", 8, DIAG_STRAY_BYTE);
}

TEST(test_recovery) {
  struct fixture f;
  const char *text = "PTX t\n{x==1; y=0;}\nP0@cta 0;\nst x 1;\nst x, 1;\nld ,;\nexists 0=0";
  read_text(&f, text, strlen(text), false);
  assert_null(f.test);
  assert_int_equal(f.diags.errors, 3);
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
  test_free(text);
}

TEST(test_depth) {
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

TEST(test_chain_is_balanced) {
  struct fixture f;
  build(&f, "x=0;", "P0@cta 0", "",
        "exists x=0 /\\ x=1 /\\ x=2 /\\ x=3 /\\ x=4 /\\ x=5 /\\ x=6 /\\ x=7 /\\ x=8 /\\ x=9 /\\ x=10 /\\ x=11 /\\ x=12 "
        "/\\ "
        "x=13 /\\ x=14 /\\ x=15");
  assert_accepted(&f);
  assert_int_equal(depth_of(f.program->condition), 5);
}

/* The table */

TEST(test_table) {
  assert_null(isa_find("lod"));
  assert_string_equal(isa_nearest("lod"), "ld");
  assert_int_equal(isa_find("atom")->form, FORM_ATOM);
  assert_non_null(isa_find("discard")->later);
  assert_int_equal(isa_find("bar")->form, FORM_BARRIER);
  assert_null(isa_find("bar")->later);
  assert_int_equal(isa_type_named(".u32"), PTX_U32);
  assert_int_equal(isa_type_named(".foo"), PTX_TYPES);
  assert_int_equal(isa_op(OP_CAS)->sources, 2);
  assert_false(isa_op(OP_EXCH)->in_red);
}

int main(void) { return run_each(open_arena, close_arena); }
