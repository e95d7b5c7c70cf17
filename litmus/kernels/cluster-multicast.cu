// A cluster of two blocks: block 0 copies a tile into the shared memory of both by one multicast copy; each block waits
// for its own object.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void meet_cluster() {
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

template <bool meets, bool expects, bool stays> __device__ void share_tile(const int *tile, int *out) {
  __shared__ alignas(128) int stage[8];
  __shared__ unsigned long long full;
  unsigned rank, done;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(at(&full)) : "memory");
    if (expects)
      asm volatile("{ .reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t, [%0], 32; }" ::"r"(at(&full)) : "memory");
  }
  if (meets) meet_cluster();
  else __syncthreads();
  if (rank == 0 && threadIdx.x == 0)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1], 32, [%2], %3;" ::"r"(at(stage)), "l"(tile), "r"(at(&full)), "h"((short)3) : "memory");
  do asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                  : "=r"(done) : "r"(at(&full)) : "memory");
  while (!done);
  if (threadIdx.x < 8) out[rank * 8 + threadIdx.x] = stage[threadIdx.x];
  if (stays) meet_cluster();
}

__global__ void __cluster_dims__(2) cluster_multicast(const int *tile, int *out) { share_tile<true, true, true>(tile, out); }

// The object of the other block may not be there yet when the bytes come.
__global__ void __cluster_dims__(2) cluster_multicast_no_meeting(const int *tile, int *out) {
  share_tile<false, true, true>(tile, out);
}

// Nobody arrives for the bytes, so that the phase never ends.
__global__ void __cluster_dims__(2) cluster_multicast_no_expect(const int *tile, int *out) {
  share_tile<true, false, true>(tile, out);
}
