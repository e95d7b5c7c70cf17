// Warp 1 produces and goes on; warp 0 waits for it at barrier 1, to which the 64 threads of both count.
__global__ void named_barrier(int value, int *out) {
  __shared__ int data;
  if (threadIdx.x >= 32) {
    if (threadIdx.x == 32) data = value;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 0) *out = data;
  }
}

// The producer arrives before it has produced.
__global__ void named_barrier_early(int value, int *out) {
  __shared__ int data;
  if (threadIdx.x >= 32) {
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    if (threadIdx.x == 32) data = value;
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x == 0) *out = data;
  }
}
