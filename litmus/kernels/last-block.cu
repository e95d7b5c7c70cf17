// The block that finishes last adds up what the others left.
__device__ unsigned done;

__global__ void last_block(const int *in, int *part, int *out) {
  part[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  if (atomicInc(&done, gridDim.x) == gridDim.x - 1) {
    __threadfence();
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; i++) sum += part[i];
    *out = sum;
  }
}

// As it is often written: nothing orders what the last block reads after its atomic.
__global__ void last_block_one_fence(const int *in, int *part, int *out) {
  part[blockIdx.x] = in[blockIdx.x];
  __threadfence();
  if (atomicInc(&done, gridDim.x) == gridDim.x - 1) {
    int sum = 0;
    for (unsigned i = 0; i < gridDim.x; i++) sum += part[i];
    *out = sum;
  }
}
