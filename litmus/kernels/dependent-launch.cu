// Programmatic dependent launch: the second grid starts while the first one still runs, and waits for it before it reads
// what the first one wrote. It loads its weights, which no grid writes, before it waits.
__global__ void scale(const int *in, int *mid, int *sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  mid[i] = 2 * in[i];
  cudaTriggerProgrammaticLaunchCompletion();
  if (threadIdx.x == 0) sums[blockIdx.x] = in[i];
}

template <bool waits> __device__ void weigh(const int *mid, const int *sums, const int *weights, int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = weights[threadIdx.x];
  if (waits) cudaGridDependencySynchronize();
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = mid[i] * tile[63 - threadIdx.x] + sums[blockIdx.x];
}

__global__ void weighted(const int *mid, const int *sums, const int *weights, int *out) {
  weigh<true>(mid, sums, weights, out);
}

// What the first grid wrote before it let the second one start is not visible yet.
__global__ void weighted_early(const int *mid, const int *sums, const int *weights, int *out) {
  weigh<false>(mid, sums, weights, out);
}
