/* Turns a launch as CUDA writes it into a test (docs/semantics.md K11). */
#pragma once

#include "diag/diag.h"

/* Words after the arguments, such as `cluster 2`, are as on the lines about a kernel in a test. */
struct typed_launch {
  const char *text;          /* gemm<<<2, 128>>>(float A[64], B[64], 3) */
  const char *module;        /* the path of the module with the kernel */
  size_t before;             /* the number of earlier launches of that kernel, which makes the test's name unique */
  const char *flags;         /* for the compiler; NULL: none */
  const char *const *models; /* the test expects that they find the launch safe */
  size_t model_count;
  const struct source *typed; /* that has the launch, as litmus_next_noted gives it; NULL: the text is all of it */
};

/* The next launch in a comment of a source, `// ptxlit: gemm<<<2, 128>>>(float A[64], 3)`, from `*at` on, as a source
 * of its own in which all else is blank; more lines of comments belong to it until its brackets close. NULL: none. */
const struct source *litmus_next_noted(struct arena *arena, const struct source *source, size_t *at);

/* The test of a launch; messages about it quote the launch. NULL, with a message, if the text is not a launch. */
const struct source *litmus_from_launch(struct arena *arena, struct diags *diags, const struct typed_launch *launch);
