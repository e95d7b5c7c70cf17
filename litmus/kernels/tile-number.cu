// A persistent kernel: thread 0 draws the next tile and tells its block the number through shared memory.
enum mistake { NONE, ONE_WORD_SOON, ONE_WORD_LATE };

template <mistake m> __device__ void tiles(int *next, const float *in, float *out, int count) {
  __shared__ int tile;
#pragma unroll 1
  for (;;) {
    if (m != ONE_WORD_SOON) __syncthreads();
    if (threadIdx.x == 0) tile = atomicAdd(next, 1);
    if (m != ONE_WORD_LATE) __syncthreads();
    int mine = tile;
    if (mine >= count) return;
    out[mine * 64 + threadIdx.x] = 2 * in[mine * 64 + threadIdx.x];
  }
}

__global__ void tile_number(int *next, const float *in, float *out, int count) { tiles<NONE>(next, in, out, count); }

// Thread 0 draws the next tile while others still read the number of this one.
__global__ void tile_number_soon(int *next, const float *in, float *out, int count) {
  tiles<ONE_WORD_SOON>(next, in, out, count);
}

// The others read the number before thread 0 has written it.
__global__ void tile_number_late(int *next, const float *in, float *out, int count) {
  tiles<ONE_WORD_LATE>(next, in, out, count);
}
