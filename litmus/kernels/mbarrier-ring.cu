// A ring of two stages between two warps: full and empty, an mbarrier object of each kind for a stage. Thread 0
// produces, warp 1 consumes; its lane 0 arrives for it.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void init(unsigned long long *bar) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(bar)) : "memory");
}

__device__ void arrive(unsigned long long *bar) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at(bar)) : "memory");
}

__device__ void wait(unsigned long long *bar, int parity) {
  unsigned done;
  do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                  : "=r"(done) : "r"(at(bar)), "r"(parity) : "memory");
  while (!done);
}

enum mistake { NONE, NO_MEETING, NO_EMPTY, SAME_PARITY, NO_ARRIVAL, NO_SYNCWARP };

template <mistake m> __device__ void ring(const int *in, int *out, int count) {
  __shared__ unsigned long long full[2], empty[2];
  __shared__ int stage[2];
  int lane = threadIdx.x & 31;
  if (threadIdx.x == 0)
    for (int s = 0; s < 2; s++) init(&full[s]), init(&empty[s]);
  if (m != NO_MEETING) __syncthreads();
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (int i = 0; i < count; i++) {
      int s = i & 1, turn = i >> 1;
      if (m != NO_EMPTY) wait(&empty[s], m == SAME_PARITY ? 1 : (turn & 1) ^ 1);
      stage[s] = in[i];
      arrive(&full[s]);
    }
  } else if (threadIdx.x >= 32) {
#pragma unroll 1
    for (int i = 0; i < count; i++) {
      int s = i & 1, turn = i >> 1;
      wait(&full[s], turn & 1);
      out[i * 32 + lane] = stage[s];
      if (m != NO_SYNCWARP) __syncwarp();
      if (m != NO_ARRIVAL && lane == 0) arrive(&empty[s]);
    }
  }
}

__global__ void mbarrier_ring(const int *in, int *out, int count) { ring<NONE>(in, out, count); }

// The objects are used before their initialisation has reached the others.
__global__ void mbarrier_ring_no_meeting(const int *in, int *out, int count) { ring<NO_MEETING>(in, out, count); }

// The producer does not wait for the consumer.
__global__ void mbarrier_ring_no_empty(const int *in, int *out, int count) { ring<NO_EMPTY>(in, out, count); }

// The parity that the producer waits for does not change from turn to turn.
__global__ void mbarrier_ring_same_parity(const int *in, int *out, int count) { ring<SAME_PARITY>(in, out, count); }

// The consumer never says that a stage is free.
__global__ void mbarrier_ring_no_arrival(const int *in, int *out, int count) { ring<NO_ARRIVAL>(in, out, count); }

// Lane 0 says that the stage is free while other lanes still read it.
__global__ void mbarrier_ring_no_syncwarp(const int *in, int *out, int count) { ring<NO_SYNCWARP>(in, out, count); }
