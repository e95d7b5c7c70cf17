// A kernel waits for a flag that the host sets, works on the data, and tells the host.
#include <cuda/atomic>

using word_of_both = cuda::atomic_ref<int, cuda::thread_scope_system>;

__device__ void work(int *request, const int *data, int *result) {
  if (threadIdx.x == 0)
    while (word_of_both(*request).load(cuda::memory_order_acquire) == 0) continue;
  __syncthreads();
  result[threadIdx.x] = data[threadIdx.x] + 1;
  __syncthreads();
}

extern "C" __global__ void serve(int *request, const int *data, int *result, int *done) {
  work(request, data, result);
  if (threadIdx.x == 0) word_of_both(*done).store(1, cuda::memory_order_release);
}

// The last store does not release the results.
extern "C" __global__ void serve_early(int *request, const int *data, int *result, int *done) {
  work(request, data, result);
  if (threadIdx.x == 0) word_of_both(*done).store(1, cuda::memory_order_relaxed);
}
