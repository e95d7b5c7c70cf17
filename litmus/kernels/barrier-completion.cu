// cuda::barrier with a completion function: the last thread to arrive runs it before any thread goes on. The barrier
// counts in words of shared memory, which all threads poll.
#include <cuda/barrier>

struct add_up {
  const int *parts;
  int *sum;
  __device__ void operator()() noexcept { *sum = parts[0] + parts[1]; }
};
using summing_barrier = cuda::barrier<cuda::thread_scope_block, add_up>;

template <bool waits> __device__ void complete(int *out) {
  __shared__ int parts[2], sum;
  __shared__ alignas(alignof(summing_barrier)) char room[sizeof(summing_barrier)];
  summing_barrier *barrier = reinterpret_cast<summing_barrier *>(room);
  if (threadIdx.x == 0) init(barrier, blockDim.x, add_up{parts, &sum});
  __syncthreads();
  parts[threadIdx.x] = threadIdx.x + 1;
  auto token = barrier->arrive();
  if (waits) barrier->wait(std::move(token));
  out[threadIdx.x] = sum;
}

__global__ void barrier_completion(int *out) { complete<true>(out); }

// The sum is read by threads that have arrived and do not wait.
__global__ void barrier_completion_no_wait(int *out) { complete<false>(out); }
