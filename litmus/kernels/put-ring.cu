// All lanes of a CTA put words into the shared memory of the other one by st.async, two stages in turn; lane 0 of the
// receiver gives a stage back.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ unsigned in_other(const void *p, int rank) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(p)), "r"(rank));
  return there;
}

__device__ void wait(unsigned long long *bar, int parity) {
  unsigned done;
  do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                  : "=r"(done) : "r"(at(bar)), "r"(parity) : "memory");
  while (!done);
}

__device__ void meet() {
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

enum mistake { NONE, NO_CREDIT, LEAVES };

template <mistake m> __device__ void ring(int *out, int count) {
  __shared__ int stage[2][32];
  __shared__ unsigned long long full[2], empty[2];
  int lane = threadIdx.x, receives = blockIdx.x;
  for (int s = 0; s < 2 && lane == 0; s++) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&full[s])) : "memory");
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&empty[s])) : "memory");
  }
  meet();
#pragma unroll 1
  for (int i = 0; i < count; i++) {
    int s = i & 1, turn = i >> 1 & 1;
    if (!receives) {
      if (m != NO_CREDIT) wait(&empty[s], turn ^ 1);
      asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                       in_other(&stage[s][lane], 1)), "r"(i + lane), "r"(in_other(&full[s], 1)) : "memory");
    } else {
      if (lane == 0) asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 128;" ::"r"(at(&full[s])) : "memory");
      wait(&full[s], turn);
      out[i * 32 + lane] = stage[s][31 - lane];
      __syncwarp();
      if (lane == 0)
        asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(in_other(&empty[s], 0))
                     : "memory");
    }
  }
  if (m != LEAVES) meet();
}

__global__ void put_ring(int *out, int count) { ring<NONE>(out, count); }

// A stage is written again before it is read.
__global__ void put_ring_no_credit(int *out, int count) { ring<NO_CREDIT>(out, count); }

// The sender ends while the receiver still gives it stages back.
__global__ void put_ring_leaves(int *out, int count) { ring<LEAVES>(out, count); }
