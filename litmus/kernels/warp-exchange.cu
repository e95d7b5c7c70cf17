// Lanes of a warp exchange values through shared memory.
__global__ void warp_exchange(int *out) {
  __shared__ int slot[32];
  slot[threadIdx.x] = threadIdx.x + 1;
  __syncwarp();
  out[threadIdx.x] = slot[threadIdx.x ^ 1];
}

// As it was written for GPUs whose lanes ran in step.
__global__ void warp_exchange_in_step(int *out) {
  __shared__ volatile int slot[32];
  slot[threadIdx.x] = threadIdx.x + 1;
  out[threadIdx.x] = slot[threadIdx.x ^ 1];
}
