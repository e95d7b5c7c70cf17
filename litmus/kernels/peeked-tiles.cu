// Each consumer looks at the next stage before it needs it, and waits only if that stage was not full; wgmma runs one
// tile behind.
#include <cuda.h>
#include <stdint.h>

__device__ static uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ static void mb_init(uint64_t *b, uint32_t n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n));
}
__device__ static void mb_init_fence() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ static void wait(uint64_t *b, uint32_t par) {
  asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra "
               "DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(at(b)),
               "r"(par)
               : "memory");
}
__device__ static bool try_wait(uint64_t *b, uint32_t par) {
  uint32_t ok;
  asm volatile("{\n.reg .pred P1;\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%1], %2;\nselp.b32 %0, 1, 0, P1;\n}"
               : "=r"(ok)
               : "r"(at(b)), "r"(par)
               : "memory");
  return ok;
}
__device__ static void arrive(uint64_t *b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory");
}
__device__ static void expect(uint64_t *b, uint32_t n) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(n) : "memory");
}
__device__ static void tma2(void *d, const void *m, uint64_t *b, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
          at(d)),
      "l"(m), "r"(at(b)), "r"(x), "r"(y)
      : "memory");
}
__device__ static bool elect() {
  uint32_t pred = 0, laneid = 0;
  asm volatile(
      "{\n.reg .b32 %%rx;\n.reg .pred %%px;\n elect.sync %%rx|%%px, %2;\n@%%px mov.s32 %1, 1;\n mov.s32 %0, %%rx;\n}"
      : "+r"(laneid), "+r"(pred)
      : "r"(0xFFFFFFFF));
  return pred;
}
__device__ static void wg_fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ static void wg_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int N> __device__ static void wg_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
__device__ static uint64_t desc(const void *p, uint32_t lead = 1, uint32_t stride = 1024) { // 128B swizzle, K major
  return (uint64_t)((at(p) & 0x3ffff) >> 4) | (uint64_t)lead << 16 | (uint64_t)(stride >> 4) << 32 | (uint64_t)1 << 62;
}
__device__ static void wgmma64x16(float (&d)[8], uint64_t a, uint64_t b, int sc) {
  asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\nwgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, "
               "%1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1, 0, 0;\n}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
               : "l"(a), "l"(b), "r"(sc));
}
constexpr int S = 3;
struct __align__(1024) Sm {
  uint16_t a[S][64 * 64], b[S][16 * 64];
  uint64_t full[S], empty[S];
};
extern "C" __global__ void __launch_bounds__(256, 1)
    peeked_tiles(const __grid_constant__ CUtensorMap ta, const __grid_constant__ CUtensorMap tb, float *out, int nk) {
  extern __shared__ __align__(1024) uint8_t mem[];
  Sm &s = *(Sm *)mem;
  if (threadIdx.x == 0) {
    for (int i = 0; i < S; i++) mb_init(&s.full[i], 1), mb_init(&s.empty[i], 4);
    mb_init_fence();
  }
  __syncthreads();
  int wg = __shfl_sync(~0u, threadIdx.x / 128, 0);
  if (wg == 0) {
    int w = __shfl_sync(~0u, threadIdx.x / 32, 0);
    if (w == 0 && elect()) {
      int st = 0;
      uint32_t ph = 1;
#pragma unroll 1
      for (int k = 0; k < nk; k++) {
        wait(&s.empty[st], ph);
        expect(&s.full[st], 8192 + 2048);
        tma2(s.a[st], &ta, &s.full[st], k * 64, 0);
        tma2(s.b[st], &tb, &s.full[st], k * 64, 0);
        if (++st == S) st = 0, ph ^= 1;
      }
    }
  } else {
    float d[8];
    int st = 0, prev = 0;
    uint32_t ph = 0;
    bool tok = try_wait(&s.full[st], ph);
#pragma unroll 1
    for (int k = 0; k < nk; k++) {
      if (!tok) wait(&s.full[st], ph);
      wg_fence();
#pragma unroll
      for (int i = 0; i < 4; i++) wgmma64x16(d, desc(s.a[st]) + i * 2, desc(s.b[st]) + i * 2, k + i > 0);
      wg_commit();
      wg_wait<1>();
      if (k > 0 && threadIdx.x % 32 == 0) arrive(&s.empty[prev]);
      prev = st;
      if (++st == S) st = 0, ph ^= 1;
      if (k + 1 < nk) tok = try_wait(&s.full[st], ph);
    }
    wg_wait<0>();
    if (threadIdx.x % 32 == 0) arrive(&s.empty[prev]);
    for (int i = 0; i < 8; i++) out[(threadIdx.x - 128) * 8 + i] = d[i];
  }
}
