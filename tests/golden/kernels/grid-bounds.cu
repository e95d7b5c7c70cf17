// Barriers of a grid by counters that only grow, as in hand-written kernels: each block adds 1 and polls for a bound.
template <int kind>
__device__ unsigned meet(unsigned *count, unsigned goal) {
  unsigned drew = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    if (kind != 1) __threadfence();
    drew = atomicAdd(count, 1);
    if (kind == 2) while (atomicAdd(count, 0) != goal) {}
    else while (*(volatile unsigned *)count < goal) {}
    if (kind != 3) __threadfence();
  }
  __syncthreads();
  return drew;
}
template <int kind>
__device__ unsigned both(int *data, unsigned *count, unsigned less) {
  unsigned n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = 1;
  unsigned drew = meet<kind>(count, gridDim.x - less);
  int next = data[(i + blockDim.x) % n];
  meet<kind>(kind == 2 ? count + 1 : count, gridDim.x * (kind == 2 ? 1 : 2));
  data[i] = next;
  return drew;
}
extern "C" {
__global__ void bounds(int *data, unsigned *count, unsigned less) { both<0>(data, count, less); }
__global__ void unreleased(int *data, unsigned *count) { both<1>(data, count, 0); }
__global__ void exact(int *data, unsigned *count) { both<2>(data, count, 0); }
__global__ void unacquired(int *data, unsigned *count) { both<3>(data, count, 0); }
// The last block to come writes what the first one reads; the number that it drew is needed after the meeting.
__global__ void last(int *data, unsigned *count) {
  unsigned drew = both<0>(data, count, 0);
  if (threadIdx.x == 0 && drew == gridDim.x - 1) data[gridDim.x * blockDim.x] = 1;
  if (threadIdx.x == 0 && drew == 0) data[gridDim.x * blockDim.x] = 2;
}
// A thread of the first block sets the counter.
__global__ void set(int *data, unsigned *count) {
  if (blockIdx.x == 0 && threadIdx.x == 1) *(volatile unsigned *)count = 0;
  both<0>(data, count, 0);
}
}
