/* A launch as CUDA writes it, in place of a test file (docs/semantics.md K11). */
#pragma once

#include "base/text.h"

/* True if an operand is one: `gemm<<<2, 128>>>(float A[64], B[64], 3)`. */
bool launch_is(const char *operand);

/* True if both are launches of kernels of one name. */
bool launch_is_of(const char *operand, const char *launch);

/* Adds the test that the launch comes to, of a kernel of the module at `path`, which the `count` models are expected to
 * find safe. Words behind the arguments, such as `cluster 2`, are those of a test's lines about its kernel. `before`:
 * launches of that kernel before it, so that the test has a name of its own. `flags`: for its compiler; NULL: none.
 * NULL, or why it is no launch. */
const char *launch_test(const char *launch, const char *path, size_t before, const char *flags,
                        const char *const *models, size_t count, struct text *out);
