// A warp that fills a ring: all of its lanes wait for room, and the elected one copies.
#include <cstdint>

__device__ uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ void wait(uint64_t *object, int parity) {
  int done;
  do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                  : "=r"(done) : "r"(place(object)), "r"(parity) : "memory");
  while (!done);
}

__device__ bool elected() {
  int yes;
  asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.b32 %0, 1, 0, p; }" : "=r"(yes));
  return yes;
}

extern "C" __global__ void elect_ring(const int *tiles, int *out, int turns) {
  __shared__ __align__(16) int stage[32];
  __shared__ uint64_t full, empty;
  int lane = threadIdx.x % 32, sum = 0;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&full)) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(place(&empty)) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
  }
  __syncthreads();
  for (int k = 0; k < turns; k++)
    if (threadIdx.x < 32) {
      wait(&empty, (k & 1) ^ 1);
      if (elected()) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;" ::"r"(place(&full)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];"
                     ::"r"(place(stage)), "l"(tiles + k * 32), "r"(place(&full)) : "memory");
      }
    } else {
      wait(&full, k & 1);
      sum += stage[lane];
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(&empty)) : "memory");
    }
  if (threadIdx.x >= 32) out[lane] = sum;
}
