/* The lines of a test that place kernels (docs/semantics.md T6). */
#include <string.h>

#include "litmus/build.h"

static struct diagnostic *no_line(struct litmus_parse *parse, const struct litmus_word *keyword) {
  struct diagnostic *d =
      litmus_error(parse, DIAG_SYNTAX, keyword->span, "'%s' begins no line of a kernel", keyword->text);
  diag_hint(parse->diags, d,
            "the lines are kernel \"file.ptx\" entry(x, 1); grid, block, cluster and shared with a number; "
            "threads 0,0 1,0; and gpu 1: before a kernel");
  return d;
}

/* The kernel that a line of sizes or threads belongs to. */
static struct litmus_kernel *latest(struct litmus_parse *parse, const struct litmus_word *keyword) {
  if (parse->last_kernel) return parse->last_kernel;
  litmus_error(parse, DIAG_SYNTAX, keyword->span,
               "'%s' stands before any kernel" HINT "first say which: kernel \"file.ptx\" entry(x, 1)", keyword->text);
  return NULL;
}

void litmus_kernel_add(struct litmus_parse *parse, const struct litmus_word *keyword, const struct litmus_word *file,
                       const struct litmus_word *entry, struct litmus_value *args, struct span span) {
  struct litmus_kernel *kernel = ARENA_NEW(parse->arena, struct litmus_kernel);
  if (strcmp(keyword->text, "kernel") != 0) no_line(parse, keyword);
  *kernel = (struct litmus_kernel){.file = *file, .entry = *entry, .args = args, .span = span};
  kernel->gpu = parse->has_gpu ? parse->gpu : 0;
  parse->has_gpu = false;
  if (parse->last_kernel) parse->last_kernel->next = kernel;
  else parse->test->kernels = kernel;
  parse->last_kernel = kernel;
}

static void twice(struct litmus_parse *parse, const struct litmus_word *keyword) {
  litmus_error(parse, DIAG_SYNTAX, keyword->span, "'%s' is given twice for this kernel", keyword->text);
}

static uint32_t *size_of(struct litmus_kernel *kernel, const char *keyword) {
  return strcmp(keyword, "grid") == 0      ? &kernel->grid
         : strcmp(keyword, "block") == 0   ? &kernel->block
         : strcmp(keyword, "cluster") == 0 ? &kernel->cluster
         : strcmp(keyword, "shared") == 0  ? &kernel->shared
                                           : NULL;
}

void litmus_kernel_size(struct litmus_parse *parse, const struct litmus_word *keyword, struct litmus_number number,
                        struct span span) {
  struct litmus_kernel *kernel = latest(parse, keyword);
  if (!kernel) return;
  uint32_t *size = size_of(kernel, keyword->text);
  if (!size) {
    no_line(parse, keyword);
    return;
  }
  if (*size) twice(parse, keyword);
  *size = litmus_small(parse, number, 1000000, keyword->text);
  if (*size) return;
  if (size == &kernel->shared) litmus_error(parse, DIAG_NUMBER_RANGE, span, "shared memory of 0 bytes: leave it out");
  else litmus_error(parse, DIAG_NUMBER_RANGE, span, "a %s of 0 has no threads", keyword->text);
}

void litmus_kernel_gpu(struct litmus_parse *parse, const struct litmus_word *keyword, struct litmus_number number,
                       struct span span) {
  (void)span;
  if (strcmp(keyword->text, "gpu") != 0) no_line(parse, keyword);
  parse->has_gpu = true;
  parse->gpu = litmus_small(parse, number, 1000000, "a gpu");
}

void litmus_kernel_threads(struct litmus_parse *parse, const struct litmus_word *keyword, struct litmus_pair *threads,
                           struct span span) {
  struct litmus_kernel *kernel = latest(parse, keyword);
  if (!kernel) return;
  if (size_of(kernel, keyword->text)) {
    litmus_error(parse, DIAG_SYNTAX, span, "'%s' takes a number, not a pair of them" HINT
                 "such as '%s %llu'", keyword->text, keyword->text,
                 (unsigned long long)threads->block * threads->thread);
    return;
  }
  if (strcmp(keyword->text, "threads") != 0) {
    no_line(parse, keyword);
    return;
  }
  if (kernel->threads) twice(parse, keyword);
  kernel->threads = threads;
}
