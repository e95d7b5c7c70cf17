// Two warpgroups take turns, as in attention kernels: a warpgroup multiplies while the other one computes, and then lets
// it go on by bar.arrive. A warp copies the tiles into a ring of two stages.
typedef unsigned long long object;
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void init(object *bar, int count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(bar)), "r"(count) : "memory");
}

__device__ void arrive(object *bar) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" ::"r"(at(bar)) : "memory");
}

__device__ void wait(object *bar, int parity) {
  asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(at(bar)),
               "r"(parity) : "memory");
}

__device__ void copy(void *to, const void *from, object *bar) {
  asm volatile("{ .reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], 512; }" ::"r"(at(bar)) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" ::"r"(at(to)),
               "l"(from), "r"(at(bar)) : "memory");
}

template <bool begins, bool stays> __device__ void turns(const float *in, float *out, int tiles) {
  __shared__ __align__(128) float stage[2][128];
  __shared__ object full[2], empty[2];
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; i++) init(&full[i], 1), init(&empty[i], 2);
  __syncthreads();
  int group = threadIdx.x / 128, t = threadIdx.x % 128;
  if (group == 2) {
    for (int i = 0; i < tiles && t == 0; i++) {
      wait(&empty[i % 2], ~(i / 2) & 1);
      copy(stage[i % 2], in + 128 * i, &full[i % 2]);
    }
    return;
  }
  if (begins && group == 1) asm volatile("bar.arrive 4, 256;" ::: "memory");
  float sum = 0;
  for (int i = 0; i < tiles; i++) {
    wait(&full[i % 2], i / 2 & 1);
    asm volatile("bar.sync %0, 256;" ::"r"(4 + group) : "memory");
    sum += stage[i % 2][t];
    asm volatile("bar.arrive %0, 256;" ::"r"(5 - group) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (stays) asm volatile("bar.sync %0, 128;" ::"r"(1 + group) : "memory");
    if (t == 0) arrive(&empty[i % 2]);
  }
  if (begins && group == 0) asm volatile("bar.sync 4, 256;" ::: "memory");
  out[128 * group + t] = sum;
}

__global__ void take_turns(const float *in, float *out, int tiles) { turns<true, true>(in, out, tiles); }

// No warpgroup begins.
__global__ void take_turns_none_first(const float *in, float *out, int tiles) { turns<false, true>(in, out, tiles); }

// A warpgroup gives a stage back while some of its threads still read it.
__global__ void take_turns_early(const float *in, float *out, int tiles) { turns<true, false>(in, out, tiles); }
