/* A launch as CUDA writes it, in place of a test file (docs/semantics.md K11). */
#pragma once

#include "base/text.h"

/* True if an operand is one: `gemm<<<2, 128>>>(float A[64], B[64], 3)`. */
bool launch_is(const char *operand);

/* Adds the test that it comes to, of a kernel of the module at `path`, which the `count` models are expected to find
 * safe. What follows the arguments, such as `cluster 2`, is said of the kernel too. `flags`: for its compiler; NULL:
 * none. NULL, or what is wrong with the launch. */
const char *launch_test(const char *launch, const char *path, const char *flags, const char *const *models,
                        size_t count, struct text *out);
