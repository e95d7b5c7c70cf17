// Blocks that take over the work of blocks which have not begun: thread 0 asks for the next one while all work.
#include <stdint.h>

__device__ static uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

extern "C" __global__ void __launch_bounds__(64) persistent(uint32_t *out) {
  __shared__ uint64_t object;
  __shared__ __align__(16) uint4 response;
  uint32_t tile = blockIdx.x, parity = 0;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&object)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  for (;;) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(at(&object)) : "memory");
      asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%0], "
                   "[%1];" ::"r"(at(&response)),
                   "r"(at(&object))
                   : "memory");
    }
    out[tile * 64 + threadIdx.x] = tile;
    asm volatile("{\n.reg .pred done;\nAGAIN:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}" ::"r"(at(&object)),
                 "r"(parity)
                 : "memory");
    parity ^= 1;
    uint32_t canceled, next;
    asm volatile("{\n.reg .pred p;\n.reg .b128 answer;\nld.shared.b128 answer, [%2];\n"
                 "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, answer;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "@p clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %1, answer;\n}"
                 : "=r"(canceled), "=r"(next) : "r"(at(&response)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (!canceled) break;
    __syncthreads();
    tile = next;
  }
}
