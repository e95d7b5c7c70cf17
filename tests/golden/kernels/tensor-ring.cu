// A product of two matrices by tcgen05: warp 0 copies tiles through a ring of stages, warp 1 multiplies them into one
// of two accumulators, warps 2 to 5 bring finished ones to global memory while the next tile is multiplied.
#include <cuda.h>
#include <stdint.h>

constexpr int STAGES = 2, ROWS = 128, COLUMNS = 64, DEPTH = 64;
constexpr uint32_t A_BYTES = ROWS * DEPTH * 2, B_BYTES = COLUMNS * DEPTH * 2;

struct __align__(1024) Shared {
  uint8_t a[STAGES][A_BYTES];
  uint8_t b[STAGES][B_BYTES];
  uint64_t full[STAGES], empty[STAGES], ready[2], drained[2];
  uint32_t tensor;
};

__device__ static uint32_t at(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ static void init(uint64_t *o, uint32_t n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(o)), "r"(n) : "memory");
}

__device__ static void wait(uint64_t *o, uint32_t parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}" ::"r"(at(o)),
               "r"(parity)
               : "memory");
}

__device__ static void arrive(uint64_t *o) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(o)) : "memory");
}

__device__ static void expect(uint64_t *o, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(o)), "r"(bytes) : "memory");
}

__device__ static void load(const void *map, void *to, uint64_t *o, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
               "[%4];" ::"r"(at(to)), "l"(map), "r"(x), "r"(y), "r"(at(o))
               : "memory");
}

__device__ static uint64_t describe(const void *p) {
  return (uint64_t)(at(p) >> 4 & 0x3fff) | (uint64_t)1 << 16 | (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 46 |
         (uint64_t)2 << 61;
}

__device__ static void multiply(uint32_t d, uint64_t a, uint64_t b, uint32_t shape, uint32_t adds) {
  asm volatile("{\n.reg .pred adds;\nsetp.ne.u32 adds, %4, 0;\n"
               "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, adds;\n}" ::"r"(d), "l"(a), "l"(b), "r"(shape),
               "r"(adds)
               : "memory");
}

__device__ static void commit(uint64_t *o) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(at(o)) : "memory");
}

extern "C" __global__ void __launch_bounds__(192)
    tensor_ring(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, uint16_t *out, int tiles,
                int slices) {
  extern __shared__ __align__(1024) uint8_t memory[];
  Shared &s = *reinterpret_cast<Shared *>(memory);
  const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < STAGES; i++) init(&s.full[i], 1), init(&s.empty[i], 1);
    for (int i = 0; i < 2; i++) init(&s.ready[i], 1), init(&s.drained[i], 128);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  if (warp == 1)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 128;" ::"r"(at(&s.tensor)) : "memory");
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  const uint32_t tensor = *(volatile uint32_t *)&s.tensor;
  if (warp == 0 && lane == 0) {
    uint32_t stage = 0, turn = 0;
#pragma unroll 1
    for (int tile = 0; tile < tiles; tile++)
#pragma unroll 1
      for (int k = 0; k < slices; k++) {
        wait(&s.empty[stage], turn ^ 1);
        expect(&s.full[stage], A_BYTES + B_BYTES);
        load(&a, s.a[stage], &s.full[stage], k * DEPTH, 0);
        load(&b, s.b[stage], &s.full[stage], k * DEPTH, tile * COLUMNS);
        if (++stage == STAGES) stage = 0, turn ^= 1;
      }
  } else if (warp == 1 && lane == 0) {
    const uint32_t shape = 1u << 4 | COLUMNS / 8 << 17 | ROWS / 16 << 24;
    uint32_t stage = 0, turn = 0;
#pragma unroll 1
    for (int tile = 0; tile < tiles; tile++) {
      const uint32_t half = tile & 1, sum = tensor + half * COLUMNS;
      wait(&s.drained[half], (tile >> 1 & 1) ^ 1);
      asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
#pragma unroll 1
      for (int k = 0; k < slices; k++) {
        wait(&s.full[stage], turn);
        asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
#pragma unroll 1
        for (int i = 0; i < DEPTH / 16; i++)
          multiply(sum, describe(s.a[stage]) + i * 2, describe(s.b[stage]) + i * 2, shape, k + i > 0);
        commit(&s.empty[stage]);
        if (++stage == STAGES) stage = 0, turn ^= 1;
      }
      commit(&s.ready[half]);
    }
  } else if (warp >= 2) {
    const uint32_t quarter = warp % 4;
#pragma unroll 1
    for (int tile = 0; tile < tiles; tile++) {
      const uint32_t half = tile & 1;
      wait(&s.ready[half], tile >> 1 & 1);
      asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
#pragma unroll 1
      for (int c = 0; c < COLUMNS; c += 4) {
        uint32_t r[4];
        asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0, %1, %2, %3}, [%4];\n"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(tensor + (quarter * 32 << 16) + half * COLUMNS + c));
        asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
        for (int i = 0; i < 4; i++)
          out[(tile * ROWS + quarter * 32 + lane) * COLUMNS + c + i] = (uint16_t)(r[i] >> 16);
      }
      asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
      arrive(&s.drained[half]);
    }
  }
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  if (warp == 1) {
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 128;" ::"r"(tensor));
  }
}
