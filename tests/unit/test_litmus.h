/* For the unit tests of the litmus front end: a fixture that parses and lowers a text, and assertions on it. */
#ifndef PTXLIT_TEST_LITMUS_H
#define PTXLIT_TEST_LITMUS_H

#include "unit.h"

#include "litmus/litmus.h"
#include "ptx/isa.h"
#include "ptx/lower.h"

/* A test of the front end: everything lives in the arena of the unit test. */
struct fixture {
  struct intern names;
  struct diags diags;
  struct source source;
  struct litmus_test *test;
  struct program *program;
};

UNUSED static void read_text(struct fixture *f, const char *text, size_t length, bool implicit) {
  struct lower_options options = {.implicit_locations = implicit};
  intern_init(&f->names, &arena);
  diags_init(&f->diags, &arena);
  f->source = source_from_text("test", text, length);
  f->test = litmus_parse(&arena, &f->names, &f->diags, &f->source);
  f->program = f->test ? lower(&arena, &f->names, &f->diags, f->test, &options) : NULL;
}

/* A test made of its parts. */
UNUSED static void build(struct fixture *f, const char *init, const char *head, const char *rows,
                         const char *condition) {
  static char text[8192]; /* cmocka runs one test at a time; the source must outlive the fixture's use */
  int length = snprintf(text, sizeof text, "PTX t\n{\n%s\n}\n%s ;\n%s\n%s\n", init, head, rows, condition);
  assert_in_range(length, 1, sizeof text - 1);
  read_text(f, text, (size_t)length, false);
}

/* One instruction of one thread, among locations of all kinds. */
UNUSED static void build_instr(struct fixture *f, const char *instr) {
  char row[512];
  snprintf(row, sizeof row, "%s ;", instr);
  build(f,
        "x=0; y=0; int a[4]; .u64 w; .u8 b; .s32 s; .b128 q; .u64 v[8]; .shared .u32 z; .const .u32 k=7; .local .u32 o;"
        ".f32 f; .b16 h; g aliases x; t @ texture aliases x; 0:r9=x; .u64 0:rd9=x; .pred 0:p9=1; multimem m={x,y};",
        "P0@cta 0,gpu 0", row, "exists (x=0)");
}

UNUSED static bool reported(const struct fixture *f, enum diag_code code) {
  for (uint32_t i = 0; i < f->diags.list.len; i++)
    if (f->diags.list.data[i].code == code) return true;
  return false;
}

UNUSED static void show(const struct fixture *f) {
  struct text text = {.arena = f->diags.arena};
  diags_render(&f->diags, &text, false);
  if (f->diags.list.len) print_message("%s", text_str(&text));
}

UNUSED static void assert_rejected(const struct fixture *f, enum diag_code code) {
  if (f->program || !reported(f, code)) {
    show(f);
    fail_msg("expected %s in:\n%s", diag_code_name(code), f->source.text);
  }
}

UNUSED static void assert_accepted(const struct fixture *f) {
  if (!f->program) show(f);
  assert_non_null(f->program);
}

/* The only instruction of a test that is right. */
UNUSED static struct instr only(struct fixture *f, const char *instr) {
  build_instr(f, instr);
  if (!f->program) show(f);
  assert_non_null(f->program);
  assert_int_equal(f->program->threads[0].instr_count, 1);
  return f->program->threads[0].instrs[0];
}

UNUSED static void rejects(const char *instr, enum diag_code code) {
  struct fixture f;
  build_instr(&f, instr);
  assert_rejected(&f, code);
  assert_int_equal(f.diags.errors, 1); /* one mistake, one message */
}

UNUSED static const struct reg *reg_named(const struct program *program, const char *name) {
  const struct thread *thread = &program->threads[0];
  for (uint32_t i = 0; i < thread->reg_count; i++)
    if (strcmp(thread->regs[i].name, name) == 0) return &thread->regs[i];
  return NULL;
}

#endif
