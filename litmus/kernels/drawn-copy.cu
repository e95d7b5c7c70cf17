// A block draws a tile and copies it by cp.async: the source depends on the number drawn.
template <bool waits> __device__ void copy(const float *in, float *out, int *next, int count) {
  __shared__ float tile[32];
  __shared__ int drawn;
  if (threadIdx.x == 0) drawn = atomicAdd(next, 1);
  __syncthreads();
  int mine = drawn;
  if (mine >= count) return;
  unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + mine * 32 + threadIdx.x) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  if (waits) asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  out[mine * 32 + threadIdx.x] = tile[threadIdx.x ^ 1];
}

__global__ void drawn_copy(const float *in, float *out, int *next, int count) { copy<true>(in, out, next, count); }

// Nobody waits for the copies.
__global__ void drawn_copy_no_wait(const float *in, float *out, int *next, int count) {
  copy<false>(in, out, next, count);
}
