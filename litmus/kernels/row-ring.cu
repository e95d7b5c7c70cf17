// Rows that a warp loads by ldmatrix from a ring that another thread fills; one lane hands each stage back for its warp.
#include <cstdint>

enum mistake { NONE, EARLY, PLAIN };

__device__ uint32_t place(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

__device__ void wait(uint64_t *object, int parity) {
  asm volatile("{\n.reg .pred done;\nAGAIN:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}" ::"r"(place(object)),
               "r"(parity)
               : "memory");
}

__device__ void arrive(uint64_t *o) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place(o)) : "memory");
}

template <mistake m> __device__ void ring(const uint16_t *tiles, float *out, int turns) {
  __shared__ __align__(128) uint16_t stage[2][16][16];
  __shared__ uint64_t full[2], empty[2];
  int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; i++) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&full[i])) : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place(&empty[i])) : "memory");
    }
    asm volatile("fence.proxy.async;" ::: "memory");
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 0; k < turns; k++) {
      wait(&empty[k % 2], (k / 2 & 1) ^ 1);
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(place(&full[k % 2])) : "memory");
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];"
                   ::"r"(place(stage[k % 2])), "l"(tiles + k * 256), "r"(place(&full[k % 2])) : "memory");
    }
  } else if (threadIdx.x >= 32) {
    float d[4] = {0, 0, 0, 0};
    for (int k = 0; k < turns; k++) {
      uint32_t x[4];
      wait(&full[k % 2], k / 2 & 1);
      if (m == EARLY && lane == 0) arrive(&empty[k % 2]);
      if (m == PLAIN)
        for (int i = 0; i < 4; i++) x[i] = *(uint32_t *)&stage[k % 2][lane / 2][lane % 2 * 8 + i * 2];
      else
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                     : "r"(place(&stage[k % 2][lane % 16][lane / 16 * 8]))
                     : "memory");
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%6,%7}, "
                   "{%0,%1,%2,%3};"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                   : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]));
      if (m != EARLY && lane == 0) arrive(&empty[k % 2]);
    }
    for (int i = 0; i < 4; i++) out[lane * 4 + i] = d[i];
  }
}

#define KERNEL(name, m)                                                                                                \
  __global__ void name(const uint16_t *tiles, float *out, int turns) { ring<m>(tiles, out, turns); }
KERNEL(row_ring, NONE)
KERNEL(row_ring_early, EARLY)
KERNEL(row_ring_plain, PLAIN)
