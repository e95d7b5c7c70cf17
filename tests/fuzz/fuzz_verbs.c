/* The other verbs on a test: fix, races, compare, pictures, a program for a GPU. */
#include "tests.h"

static void draw(struct ptxlit *session, size_t size) {
  struct ptxlit_draw_options options = {.format = size & 1 ? PTXLIT_PICTURE_DOT : PTXLIT_PICTURE_TEXT,
                                        .pick = (enum ptxlit_pick)(size / 2 % 4),
                                        .dark = size & 8};
  const struct ptxlit_drawing *drawings;
  size_t count;
  ptxlit_draw(session, 0, 0, &options, &drawings, &count);
}

static void make_program(struct ptxlit *session) {
  const struct ptxlit_file *files;
  const char *reason;
  size_t count;
  if (ptxlit_gpu_add(session, 0, &reason) == PTXLIT_OK) ptxlit_gpu_program(session, 1, &files, &count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct ptxlit *session = fuzz_session(size & 16 ? "ptx,tso" : "ptx");
  struct ptxlit_options options = fuzz_options(size / 32);
  const char *text;
  fuzz_begin();
  options.timeout = 0.2;
  if (fuzz_read(session, "fuzz.litmus", data, size, &options)) {
    struct ptxlit_fix_options fix = {.weaken = size & 2, .races = size & 1, .changes = size & 8 ? 2 : 0, .ways = 4};
    ptxlit_fix(session, 0, 0, &fix, size & 4 ? PTXLIT_JSON : PTXLIT_TEXT, &text);
    fuzz_kept(options.timeout, "fix");
    ptxlit_races(session, 0, 0, size & 4 ? PTXLIT_JSON : PTXLIT_TEXT, &text);
    fuzz_kept(options.timeout, "races");
    ptxlit_compare(session, 0, size & 4 ? PTXLIT_JSON : PTXLIT_TEXT, &text);
    fuzz_kept(4 * options.timeout, "compare"); /* two models, and two explanations */
    draw(session, size);
    make_program(session);
    fuzz_kept(3 * options.timeout, "graph");
  }
  fuzz_end();
  ptxlit_free(session);
  return 0;
}
