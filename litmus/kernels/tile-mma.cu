// A tile of a product by ldmatrix and mma.sync, in two stages that cp.async fills: two warps, some steps of K.
#include <cstdint>

enum mistake { NONE, NO_WAIT, WARP_BARRIER, NO_BARRIER_AFTER };

__device__ uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ void copy(void *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place(to)), "l"(from) : "memory");
}

template <mistake m> __device__ void multiply(const uint16_t *a, const uint16_t *b, float *c, int turns) {
  __shared__ __align__(128) uint16_t as[2][32][16], bs[2][16][16];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  auto fetch = [&](int k) {
    if (k < turns) copy(&as[k % 2][t / 2][t % 2 * 8], a + t / 2 * 16 * turns + k * 16 + t % 2 * 8);
    if (k < turns && t < 32) copy(&bs[k % 2][t / 2][t % 2 * 8], b + (k * 16 + t / 2) * 16 + t % 2 * 8);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float d[4] = {0, 0, 0, 0};
  fetch(0);
  for (int k = 0; k < turns; k++) {
    if (m != NO_BARRIER_AFTER) __syncthreads();
    fetch(k + 1);
    if (m != NO_WAIT) asm volatile("cp.async.wait_group 1;" ::: "memory");
    if (m == WARP_BARRIER) __syncwarp();
    else __syncthreads();
    uint32_t x[4], y[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(place(&as[k % 2][warp * 16 + lane % 16][lane / 16 * 8]))
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(place(&bs[k % 2][lane % 16][0]))
                 : "memory");
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                 "{%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  }
  for (int i = 0; i < 4; i++) c[t * 4 + i] = d[i];
}

#define KERNEL(name, m)                                                                                                \
  __global__ void name(const uint16_t *a, const uint16_t *b, float *c, int turns) { multiply<m>(a, b, c, turns); }
KERNEL(tile_mma, NONE)
KERNEL(tile_mma_no_wait, NO_WAIT)
KERNEL(tile_mma_warp_barrier, WARP_BARRIER)
KERNEL(tile_mma_overwrites, NO_BARRIER_AFTER)
