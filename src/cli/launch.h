/* Turns a launch as CUDA writes it into a test (docs/semantics.md K11). */
#pragma once

#include "base/text.h"

/* True if an operand is a launch: `gemm<<<2, 128>>>(float A[64], B[64], 3)`. */
bool launch_is(const char *operand);

/* True if both are launches of kernels with the same name. */
bool launch_is_of(const char *operand, const char *launch);

/* Adds the test of a launch of a kernel of the module at `path`, which expects that the `count` models find it safe.
 * Words after the arguments, such as `cluster 2`, are as on the lines about a kernel in a test. `before`: the number of
 * earlier launches of that kernel, which makes the test's name unique. `flags`: for the compiler; NULL: none. Returns
 * NULL, or the reason why `launch` is not a launch. */
const char *launch_test(const char *launch, const char *path, size_t before, const char *flags,
                        const char *const *models, size_t count, struct text *out);
