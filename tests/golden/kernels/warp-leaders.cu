// The first lane of each warp counts up in shared memory; the last of them to come adds up what all have left.
extern "C" __global__ void warp_leaders(const float *in, float *out) {
  __shared__ float part[8];
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    part[threadIdx.x / 32] = in[threadIdx.x];
    __threadfence_block();
    if (atomicAdd(&count, 1) != blockDim.x / 32 - 1) return;
    __threadfence_block();
    float sum = 0;
#pragma unroll 1
    for (unsigned i = 0; i < blockDim.x / 32; i++) sum += part[i];
    *out = sum;
  }
}
