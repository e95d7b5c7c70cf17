// A product of two matrices by pairs of CTAs: warp 0 of each copies its half of A and B through a ring of stages, warp
// 1 of the first CTA multiplies, warps 2 to 5 of each bring their half of the accumulator to global memory.
#include <cuda.h>
#include <stdint.h>

constexpr int STAGES = 2, ROWS = 128, COLUMNS = 64, DEPTH = 64;
constexpr uint32_t A_BYTES = ROWS * DEPTH * 2, B_BYTES = COLUMNS / 2 * DEPTH * 2;

struct __align__(1024) Shared {
  uint8_t a[STAGES][A_BYTES];
  uint8_t b[STAGES][B_BYTES];
  uint64_t full[STAGES], empty[STAGES], ready;
  uint32_t tensor;
};

__device__ static uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ static uint32_t first(const void *p) { return at(p) & 0xfeffffff; } // the same place in the CTA of even rank

__device__ static void init(uint64_t *o, uint32_t n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(o)), "r"(n) : "memory");
}

__device__ static void wait(uint64_t *o, uint32_t parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}" ::"r"(at(o)),
               "r"(parity)
               : "memory");
}

__device__ static void meet() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// Bytes that come to either CTA count at the object of the first one.
__device__ static void load(const void *map, void *to, uint64_t *o, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.mbarrier::complete_tx::bytes [%0],\n"
               "[%1, {%2, %3}], [%4];" ::"r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(first(o))
               : "memory");
}

__device__ static uint64_t describe(const void *p) {
  return (uint64_t)(at(p) >> 4 & 0x3fff) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 46 |
         (uint64_t)2 << 61;
}

__device__ static void multiply(uint32_t d, uint64_t a, uint64_t b, uint32_t shape, uint32_t adds) {
  asm volatile("{\n.reg .pred adds;\nsetp.ne.u32 adds, %4, 0;\n"
               "tcgen05.mma.cta_group::2.kind::f16 [%0], %1, %2, %3, adds;\n}" ::"r"(d), "l"(a), "l"(b), "r"(shape),
               "r"(adds)
               : "memory");
}

__device__ static void commit(uint64_t *o, uint16_t mask) {
  asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], %1;" ::
                   "r"(at(o)), "h"(mask) : "memory");
}

extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(192)
    tensor_pair(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, uint16_t *out,
                int slices) {
  extern __shared__ __align__(1024) uint8_t memory[];
  Shared &s = *reinterpret_cast<Shared *>(memory);
  const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32, rank = blockIdx.x % 2;
  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; i++) init(&s.full[i], 1), init(&s.empty[i], 1);
    init(&s.ready, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  meet(); /* both CTAs have begun (G97) */
  if (warp == 1)
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(at(&s.tensor)) : "memory");
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  meet();
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  const uint32_t tensor = *(volatile uint32_t *)&s.tensor;
  if (warp == 0 && lane == 0) {
    uint32_t stage = 0, turn = 0;
#pragma unroll 1
    for (int k = 0; k < slices; k++) {
      wait(&s.empty[stage], turn ^ 1);
      if (rank == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&s.full[stage])),
                     "r"(2 * (A_BYTES + B_BYTES))
                     : "memory");
      load(&a, s.a[stage], &s.full[stage], k * DEPTH, blockIdx.x * ROWS);
      load(&b, s.b[stage], &s.full[stage], k * DEPTH, rank * COLUMNS / 2);
      if (++stage == STAGES) stage = 0, turn ^= 1;
    }
    // The products of the other CTA still give stages back to this one.
#pragma unroll 1
    for (int i = 0; i < STAGES; i++) {
      wait(&s.empty[stage], turn ^ 1);
      if (++stage == STAGES) stage = 0, turn ^= 1;
    }
  } else if (warp == 1 && lane == 0 && rank == 0) {
    const uint32_t shape = 1u << 4 | COLUMNS / 8 << 17 | 2 * ROWS / 16 << 24;
    uint32_t stage = 0, turn = 0;
#pragma unroll 1
    for (int k = 0; k < slices; k++) {
      wait(&s.full[stage], turn);
      asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
#pragma unroll 1
      for (int i = 0; i < DEPTH / 16; i++)
        multiply(tensor, describe(s.a[stage]) + i * 2, describe(s.b[stage]) + i * 2, shape, k + i > 0);
      commit(&s.empty[stage], 3);
      if (++stage == STAGES) stage = 0, turn ^= 1;
    }
    commit(&s.ready, 3);
  } else if (warp >= 2) {
    const uint32_t quarter = warp % 4;
    wait(&s.ready, 0);
    asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
#pragma unroll 1
    for (int c = 0; c < COLUMNS; c += 4) {
      uint32_t r[4];
      asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, [%4];\n"
                   : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                   : "r"(tensor + (quarter * 32 << 16) + c));
      asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
      for (int i = 0; i < 4; i++)
        out[(blockIdx.x * ROWS + quarter * 32 + lane) * COLUMNS + c + i] = (uint16_t)(r[i] >> 16);
    }
  }
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  meet();
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  if (warp == 1) {
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;");
    asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 64;" ::"r"(tensor));
  }
}
