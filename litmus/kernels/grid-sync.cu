// All blocks of a cooperative launch meet by grid.sync(); then each reads what the other one wrote.
#include <cooperative_groups.h>

__global__ void grid_sync(int *part, int *out) {
  if (threadIdx.x == 0) part[blockIdx.x] = blockIdx.x + 1;
  cooperative_groups::this_grid().sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = part[gridDim.x - 1 - blockIdx.x];
}

// The threads of a block meet, the blocks do not.
__global__ void grid_sync_of_block(int *part, int *out) {
  if (threadIdx.x == 0) part[blockIdx.x] = blockIdx.x + 1;
  cooperative_groups::this_thread_block().sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = part[gridDim.x - 1 - blockIdx.x];
}
