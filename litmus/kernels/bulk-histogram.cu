// A histogram in shared memory of tiles that bulk copies bring: which word an atomic reaches depends on what was copied,
// and no word is the mbarrier object.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

template <bool meets> __device__ void count(const unsigned *in, unsigned *out, int tiles) {
  __shared__ __align__(16) unsigned tile[16];
  __shared__ unsigned bins[4];
  __shared__ unsigned long long full;
  int i = threadIdx.x;
  if (i < 4) bins[i] = 0;
  if (i == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
  __syncthreads();
#pragma unroll 1
  for (int t = 0; t < tiles; t++) {
    if (i == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 64;" ::"r"(at(&full)) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 64, [%2];" ::"r"(
                       at(tile)), "l"(in + t * 16), "r"(at(&full)) : "memory");
    }
    asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(at(&full)),
                 "r"(t & 1) : "memory");
    atomicAdd(&bins[tile[i] & 3], 1);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (meets) __syncthreads();
  }
  __syncthreads();
  if (i < 4) out[i] = bins[i];
}

__global__ void bulk_histogram(const unsigned *in, unsigned *out, int tiles) { count<true>(in, out, tiles); }

// The next tile comes while others still read this one.
__global__ void bulk_histogram_no_meeting(const unsigned *in, unsigned *out, int tiles) { count<false>(in, out, tiles); }
