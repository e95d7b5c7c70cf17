// Each CTA of a cluster sends its sum to all CTAs by st.async, in one of two slots.
#include <stdint.h>

__device__ static uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ static void mb_init(uint64_t *b, uint32_t n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n));
}
__device__ static void mb_init_fence() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ static void wait_cluster(uint64_t *b, uint32_t par) {
  asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 P1, [%0], "
               "%1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(at(b)),
               "r"(par)
               : "memory");
}
__device__ static void expect(uint64_t *b, uint32_t n) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(n) : "memory");
}
__device__ static uint32_t cta_rank() {
  uint32_t r;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
  return r;
}
__device__ static void cl_arrive() { asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); }
__device__ static void cl_wait() { asm volatile("barrier.cluster.wait.aligned;" ::: "memory"); }
extern "C" __global__ void __cluster_dims__(4, 1, 1) __launch_bounds__(32)
    cluster_sum(const float *in, float *out, int n) {
  __shared__ __align__(16) float slot[2][4];
  __shared__ uint64_t bar[2];
  uint32_t r = cta_rank();
  if (threadIdx.x == 0) {
    mb_init(&bar[0], 1);
    mb_init(&bar[1], 1);
    mb_init_fence();
  }
  {
    cl_arrive();
    cl_wait();
  }
  float x = in[blockIdx.x * 32 + threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    int b = i & 1;
    uint32_t ph = i >> 1 & 1;
    float v = x;
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    if (threadIdx.x == 0) expect(&bar[b], 16);
    if (threadIdx.x < 4) {
      uint32_t ra, rb;
      asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(ra) : "r"(at(&slot[b][r])), "r"(threadIdx.x));
      asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(rb) : "r"(at(&bar[b])), "r"(threadIdx.x));
      asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(ra),
                   "r"(__float_as_uint(v)), "r"(rb)
                   : "memory");
    }
    wait_cluster(&bar[b], ph);
    float sum = slot[b][0] + slot[b][1] + slot[b][2] + slot[b][3];
    x = x / sum;
    __syncwarp();
  }
  out[blockIdx.x * 32 + threadIdx.x] = x;
  {
    cl_arrive();
    cl_wait();
  }
}
