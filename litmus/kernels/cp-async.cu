// Tiles come by cp.async into two buffers: while one is summed up, the next one comes. Each thread copies one word of
// a tile and reads the word of its neighbour.
template <int waits, bool keeps> __device__ void sum_tiles(const int *tiles, int *out, int count) {
  __shared__ int stage[2][64];
  unsigned t = threadIdx.x;
  int sum = 0;
  auto fetch = [&](int i) {
    unsigned to = (unsigned)__cvta_generic_to_shared(&stage[i & 1][t]);
    if (i < count) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(tiles + i * 64 + t) : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  fetch(0);
#pragma unroll 1
  for (int i = 0; i < count; i++) {
    fetch(i + 1);
    asm volatile("cp.async.wait_group %0;" ::"n"(waits) : "memory");
    __syncthreads();
    sum += stage[i & 1][t ^ 32];
    if (keeps) __syncthreads();
  }
  out[t] = sum;
}

__global__ void cp_async(const int *tiles, int *out, int count) { sum_tiles<1, true>(tiles, out, count); }

// Two groups may be on their way, and the tile that is read is one of them.
__global__ void cp_async_early(const int *tiles, int *out, int count) { sum_tiles<2, true>(tiles, out, count); }

// The next turn overwrites the buffer that others still read.
__global__ void cp_async_overwrites(const int *tiles, int *out, int count) { sum_tiles<1, false>(tiles, out, count); }
