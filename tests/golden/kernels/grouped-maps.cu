// Tensor maps of a grouped product, as CUTLASS has them: a warp copies a map to shared memory, turns it to the matrix
// of the next group, and copies it to global memory behind a fence.
#include <stdint.h>

struct alignas(128) Map {
  uint4 parts[8];
};

__device__ __forceinline__ uint32_t shared_of(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ __forceinline__ void turn(uint32_t map, const float *to, int rows, uint64_t pitch) {
  asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(map), "l"(to) : "memory");
  asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(map), "r"(rows) : "memory");
  asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(map), "l"(pitch)
               : "memory");
}

__device__ __forceinline__ void publish(Map *to, uint32_t map) {
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned\n"
               " [%0], [%1], 128;" ::"l"(to), "r"(map)
               : "memory");
}

__device__ __forceinline__ void wait_for(uint32_t bar, int parity) {
  asm volatile("{\n .reg .pred p;\n"
               "again:\n mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n @!p bra again;\n}" ::"r"(bar),
               "r"(parity)
               : "memory");
}

extern "C" __global__ void __launch_bounds__(64)
    grouped_maps(const __grid_constant__ Map proto, Map *maps, float *const *matrices, const int *rows, float *out,
                 int groups) {
  __shared__ alignas(128) Map map;
  __shared__ alignas(128) float tile[8 * 16];
  __shared__ alignas(8) uint64_t full, empty;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  Map *mine = maps + blockIdx.x;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_of(&full)));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" ::"r"(shared_of(&empty)));
    asm volatile("fence.mbarrier_init.release.cluster;");
    for (int i = 0; i < 8; i++) map.parts[i] = proto.parts[i];
  }
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int group = 0; group < groups; group++) {
    if (warp == 0) {
      if (lane == 0) {
        if (group) wait_for(shared_of(&empty), (group - 1) & 1);
        turn(shared_of(&map), matrices[group], rows[group], 64);
      }
      __syncwarp();
      publish(mine, shared_of(&map));
      asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(mine) : "memory");
      if (lane == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(shared_of(&full)) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes\n"
                     " [%0], [%1, {%2, %3}], [%4];" ::"r"(shared_of(tile)),
                     "l"(mine), "r"(0), "r"(8 * (int)blockIdx.x), "r"(shared_of(&full))
                     : "memory");
      }
      __syncwarp();
    } else {
      wait_for(shared_of(&full), group & 1);
      for (int i = lane; i < 128; i += 32) sum += tile[i];
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_of(&empty)) : "memory");
    }
  }
  if (warp == 1) out[blockIdx.x * 32 + lane] = sum;
}
