// A product by wmma: two warps, tiles in two stages of shared memory, and the result through shared memory.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void wmma_tile(const half *a, const half *b, float *c, int turns) {
  __shared__ __align__(32) half as[2][32 * 16], bs[2][16 * 16];
  __shared__ __align__(32) float cs[16 * 32];
  int warp = threadIdx.x / 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> d;
  wmma::fill_fragment(d, 0.0f);
#pragma unroll 1
  for (int k = 0; k < turns; k++) {
    reinterpret_cast<int4 *>(as[k % 2])[threadIdx.x] = reinterpret_cast<const int4 *>(a)[k * 64 + threadIdx.x];
    if (threadIdx.x < 32)
      reinterpret_cast<int4 *>(bs[k % 2])[threadIdx.x] = reinterpret_cast<const int4 *>(b)[k * 32 + threadIdx.x];
    __syncthreads();
    wmma::load_matrix_sync(fa, &as[k % 2][warp * 256], 16);
    wmma::load_matrix_sync(fb, bs[k % 2], 16);
    wmma::mma_sync(d, fa, fb, d);
  }
  wmma::store_matrix_sync(&cs[warp * 16], d, 32, wmma::mem_row_major);
  __syncthreads();
#pragma unroll 1
  for (int i = threadIdx.x; i < 512; i += 64) c[i] = cs[511 - i];
}
