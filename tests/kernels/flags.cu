// Message passing, of a value that the test's CompilerFlags= give.
#include <defined.h>
#include <cuda/atomic>

#if !defined FIRST || !defined DEFINED || defined OTHER
#error "what the test's line says did not come here"
#endif

__global__ void flag(int *data, int *ready, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> f(*ready);
  if (blockIdx.x == 0) {
    *data = VALUE;
    f.store(1, cuda::memory_order_release);
  } else {
    while (f.load(cuda::memory_order_acquire) == 0) {}
    *out = *data;
  }
}
