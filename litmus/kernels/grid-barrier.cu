// A barrier of the grid: thread 0 of each block counts in and waits until all have.
__device__ unsigned arrived;

__global__ void grid_barrier(int *a, int *b) {
  a[blockIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (*(volatile unsigned *)&arrived < gridDim.x) {}
    __threadfence();
  }
  __syncthreads();
  b[blockIdx.x] = a[gridDim.x - 1 - blockIdx.x];
}

__global__ void grid_barrier_no_fence(int *a, int *b) {
  a[blockIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1u);
    while (*(volatile unsigned *)&arrived < gridDim.x) {}
  }
  __syncthreads();
  b[blockIdx.x] = a[gridDim.x - 1 - blockIdx.x];
}
