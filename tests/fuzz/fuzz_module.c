/* Modules of PTX: listing their kernels, and a test of the first one, which is read, printed again and checked. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kernel/module.h"
#include "tests.h"

/* The file that the input is written to: a test names its module by a path. */
static const char *module_path(void) {
  static char path[64];
  if (path[0]) return path;
  snprintf(path, sizeof path, "/tmp/ptxlit-fuzz-%ld.ptx", (long)getpid());
  return path;
}

static bool write_module(const uint8_t *data, size_t size) {
  FILE *file = fopen(module_path(), "w");
  bool right = file && fwrite(data, 1, size, file) == size;
  return file && fclose(file) == 0 && right;
}

/* A test of the first kernel, with as many arguments as it has parameters; NULL when there is none. */
static const char *test_of(struct arena *arena, const struct module *module) {
  struct text text = {.arena = arena};
  for (const struct module_function *f = module->functions.first; f; f = f->next) {
    if (!f->is_entry || !f->has_body) continue;
    text_printf(&text, "PTX t\n{\nx[8]={0};\n}\nkernel \"%s\" %s(", module_path(), f->name.text);
    for (const struct module_variable *p = f->params; p; p = p->next)
      text_printf(&text, "%s%s", litmus_has_word(&p->words, ".u64") ? "x" : "1", p->next ? ", " : "");
    text_add(&text, ") grid 2 block 33 cluster 2 threads 0,0 0,1 1,32\nexists (x[0]=1)\n");
    return text_str(&text);
  }
  return NULL;
}

static void check_test(struct ptxlit *session, const struct ptxlit_options *options) {
  const struct ptxlit_result *result;
  fuzz_round_trip(session, options);
  fuzz_kept(3, "reading and printing"); /* which has no limit of its own, and walks the kernel */
  ptxlit_check(session, 0, 0, &result);
  fuzz_kept(options->timeout, "check");
  if (!result) BUG("%s", ptxlit_messages(session, false));
}

static void read_test(struct ptxlit *session, const uint8_t *data, size_t size) {
  struct ptxlit_options options = fuzz_options(0);
  struct arena arena;
  struct intern names;
  struct diags diags;
  arena_init(&arena, NULL);
  intern_init(&names, &arena);
  diags_init(&diags, &arena);
  struct source source = source_from_text("fuzz.ptx", arena_strndup(&arena, (const char *)data, size), size);
  const struct module *module = module_parse(&arena, &names, &diags, &source);
  const char *text = module ? test_of(&arena, module) : NULL;
  if (text && write_module(data, size) &&
      fuzz_read(session, "fuzz.litmus", (const uint8_t *)text, strlen(text), &options))
    check_test(session, &options);
  arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct ptxlit *session; /* as in fuzz_check.c */
  struct ptxlit_options options = fuzz_options(0);
  if (!session) session = fuzz_session("ptx");
  fuzz_begin();
  fuzz_read(session, "fuzz.ptx", data, size, &options);
  read_test(session, data, size);
  fuzz_end();
  return 0;
}
