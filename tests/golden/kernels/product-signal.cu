// A ring of two tiles and a warpgroup that multiplies them, of which one thread alone gives a tile back.
#include <cstdint>

__device__ uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ void wait(uint64_t *object, int parity) {
  int done;
  do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                  : "=r"(done) : "r"(place(object)), "r"(parity) : "memory");
  while (!done);
}

template <bool early> __device__ void multiply(const uint8_t *tiles, float *out, int turns) {
  __shared__ __align__(1024) uint8_t ring[2][3072];
  __shared__ uint64_t full[2], empty[2];
  if (threadIdx.x == 0)
    for (int s = 0; s < 2; s++) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(full + s)) : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(empty + s)) : "memory");
    }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    for (int k = 0; k < turns; k++) {
      wait(empty + k % 2, (k / 2 & 1) ^ 1);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 3072;" ::"r"(place(full + k % 2)) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 3072, [%2];"
                   ::"r"(place(ring[k % 2])), "l"(tiles + k * 3072), "r"(place(full + k % 2)) : "memory");
    }
  if (threadIdx.x < 128) return;
  float d[4] = {0, 0, 0, 0};
  for (int k = 0; k < turns; k++) {
    wait(full + k % 2, k / 2 & 1);
    uint64_t a = (place(ring[k % 2]) & 0x3FFFF) >> 4 | 8ull << 16 | 16ull << 32, b = a + 128;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (early && threadIdx.x == 128)
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(empty + k % 2)) : "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (!early && threadIdx.x == 128)
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(empty + k % 2)) : "memory");
  }
  for (int i = 0; i < 4; i++) out[(threadIdx.x - 128) * 4 + i] = d[i];
}

#define KERNEL(name, early)                                                                                            \
  extern "C" __global__ void name(const uint8_t *tiles, float *out, int turns) { multiply<early>(tiles, out, turns); }
KERNEL(product_signal, false)
KERNEL(product_signal_early, true)
