// Macros of the test's line, whose names are words of the header for clang.
#include <cuda/atomic>

__global__ void add(T *sum, T *out) {
  cuda::atomic_ref<T, cuda::thread_scope_device> s(*sum);
  if (s.fetch_add(A) + A == N * A) *out = S + W;
}
