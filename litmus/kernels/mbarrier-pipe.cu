// A producer and a consumer in one block: an mbarrier says that the slot is full.
__device__ unsigned address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ bool is_done(unsigned barrier, unsigned parity) {
  unsigned done;
  asm volatile(
      "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done;
}

__global__ void mbarrier_pipe(int value, int *out) {
  __shared__ unsigned long long full;
  __shared__ int slot;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&full)) : "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    slot = value;
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(address(&full)) : "memory");
  } else if (threadIdx.x == 32) {
    while (!is_done(address(&full), 0)) {}
    *out = slot;
  }
}

// The slot is filled after the arrival.
__global__ void mbarrier_pipe_early(int value, int *out) {
  __shared__ unsigned long long full;
  __shared__ int slot;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&full)) : "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared::cta.b64 s, [%0]; }" ::"r"(address(&full)) : "memory");
    slot = value;
  } else if (threadIdx.x == 32) {
    while (!is_done(address(&full), 0)) {}
    *out = slot;
  }
}
