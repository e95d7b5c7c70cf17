// A copy of many values that are read one by one.
#include <stdint.h>
__device__ static uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
extern "C" __global__ void many_pieces(const int *in, int *out) {
  __shared__ __align__(16) int s[160];
  __shared__ uint64_t full;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 640;" ::"r"(at(&full)) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 640, [%2];" ::"r"(at(s)),
               "l"(in), "r"(at(&full))
               : "memory");
  asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
               "@!done bra AGAIN;\n}" ::"r"(at(&full))
               : "memory");
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < 80; i++) sum += *(volatile int *)&s[2 * i];
  *out = sum;
}
