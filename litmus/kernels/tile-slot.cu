// A warp of its own draws the tiles and hands their numbers over in a slot, with a full and an empty mbarrier object.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void init(unsigned long long *bar, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory");
}

__device__ void arrive(unsigned long long *bar) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at(bar)) : "memory");
}

__device__ void wait(unsigned long long *bar, int parity) {
  asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(at(bar)),
               "r"(parity) : "memory");
}

template <bool waits> __device__ void slots(int *next, float *out, int count) {
  __shared__ unsigned long long full, empty;
  __shared__ int slot;
  int turn = 0;
  if (threadIdx.x == 0) init(&full, 1), init(&empty, 32);
  __syncthreads();
  if (threadIdx.x == 32) {
#pragma unroll 1
    for (int tile = 0; tile < count; turn++) {
      if (waits) wait(&empty, ~turn & 1);
      slot = tile = atomicAdd(next, 1);
      arrive(&full);
    }
  } else if (threadIdx.x < 32) {
#pragma unroll 1
    for (;; turn++) {
      wait(&full, turn & 1);
      int tile = slot;
      arrive(&empty);
      if (tile >= count) break;
      out[tile * 32 + threadIdx.x] = tile;
    }
  }
}

__global__ void tile_slot(int *next, float *out, int count) { slots<true>(next, out, count); }

// The slot is filled again before all have read it.
__global__ void tile_slot_no_empty(int *next, float *out, int count) { slots<false>(next, out, count); }
