// cuda::barrier and cuda::atomic_ref: what libcu++ makes of them, and what the header for clang does.
#include <cuda/atomic>
#include <cuda/barrier>

// Warp 0 fills the slot, and both meet.
__global__ void meet(int value, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  __shared__ int slot;
  if (threadIdx.x == 0) init(&b, 2);
  __syncthreads();
  if (threadIdx.x == 0) slot = value;
  b.arrive_and_wait();
  if (threadIdx.x == 32) *out = slot;
}

// The slot is filled after the arrival.
__global__ void meet_early(int value, int *out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  __shared__ int slot;
  if (threadIdx.x == 0) init(&b, 2);
  __syncthreads();
  if (threadIdx.x == 0) {
    auto token = b.arrive();
    slot = value;
    b.wait(static_cast<decltype(token) &&>(token));
  } else if (threadIdx.x == 32) {
    b.arrive_and_wait();
    *out = slot;
  }
}

// Message passing with a flag of device scope.
__global__ void flag(int *data, int *ready, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> f(*ready);
  if (blockIdx.x == 0) {
    *data = 7;
    f.store(1, cuda::memory_order_release);
  } else {
    while (f.load(cuda::memory_order_acquire) == 0) {}
    *out = *data;
  }
}

// The flag is of block scope, and the blocks are two.
__global__ void flag_of_block(int *data, int *ready, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_block> f(*ready);
  if (blockIdx.x == 0) {
    *data = 7;
    f.store(1, cuda::memory_order_release);
  } else {
    while (f.load(cuda::memory_order_acquire) == 0) {}
    *out = *data;
  }
}
