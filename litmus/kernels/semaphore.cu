// Blocks add to one sum in the order of their numbers: a semaphore in global memory says whose turn it is. Thread 0
// waits for it and passes it on; the others of the block wait for thread 0.
template <bool acquires, bool meets> __device__ void add_in_turn(int *sum, int *turn) {
  int state = -1;
  while (threadIdx.x == 0 && state != (int)blockIdx.x) {
    if (acquires) asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(state) : "l"(turn) : "memory");
    else asm volatile("ld.global.relaxed.gpu.b32 %0, [%1];" : "=r"(state) : "l"(turn) : "memory");
  }
  __syncthreads();
  sum[threadIdx.x] += 1;
  if (meets) __syncthreads();
  if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(turn) : "memory");
}

__global__ void semaphore(int *sum, int *turn) { add_in_turn<true, true>(sum, turn); }

// The turn is read by a load that orders nothing after it.
__global__ void semaphore_relaxed(int *sum, int *turn) { add_in_turn<false, true>(sum, turn); }

// Thread 0 passes the turn on while the others are still adding.
__global__ void semaphore_no_meeting(int *sum, int *turn) { add_in_turn<true, false>(sum, turn); }
