// Loads by im2col and by gather4, a store by scatter4.
#include <stdint.h>

struct alignas(128) Map {
  char bytes[128];
};

__device__ __forceinline__ uint32_t shared_of(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void load_pixels(float *to, const Map *map, int from, short offset, uint32_t bar) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes\n"
               " [%0], [%1, {%2, %3, %3, %4}], [%5], {%6, %6};" ::"r"(shared_of(to)),
               "l"(map), "r"(0), "r"(-1), "r"(from), "r"(bar), "h"(offset)
               : "memory");
}

__device__ __forceinline__ void load_rows(float *to, const Map *map, int a, int b, int c, int d, uint32_t bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes\n"
               " [%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(shared_of(to)),
               "l"(map), "r"(0), "r"(a), "r"(b), "r"(c), "r"(d), "r"(bar)
               : "memory");
}

__device__ __forceinline__ void store_rows(const Map *map, const float *from, int a, int b, int c, int d) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group\n"
               " [%0, {%1, %2, %3, %4, %5}], [%6];" ::"l"(map),
               "r"(0), "r"(a), "r"(b), "r"(c), "r"(d), "r"(shared_of(from))
               : "memory");
}

extern "C" __global__ void __launch_bounds__(128)
    tensor_modes(const __grid_constant__ Map images, const __grid_constant__ Map table, const __grid_constant__ Map to,
                 int steps) {
  __shared__ alignas(128) float pixels[64 * 8];
  __shared__ alignas(128) float picked[4 * 32];
  __shared__ alignas(8) uint64_t full;
  uint32_t bar = shared_of(&full);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar));
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < steps; i++) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(64 * 32 + 4 * 128)
                   : "memory");
      load_pixels(pixels, &images, i, (short)i, bar);
      load_rows(picked, &table, 7, i, 3, i + 1, bar);
    }
    asm volatile("{\n .reg .pred p;\n"
                 "again:\n mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n @!p bra again;\n}" ::"r"(bar),
                 "r"(i & 1)
                 : "memory");
    picked[threadIdx.x] += pixels[threadIdx.x] + pixels[threadIdx.x + 384];
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      store_rows(&to, picked, 4 * i + 3, 4 * i, 4 * i + 2, 4 * i + 1);
      asm volatile("cp.async.bulk.commit_group;");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
  }
}
