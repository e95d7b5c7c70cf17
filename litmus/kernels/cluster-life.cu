// Blocks of a cluster use the shared memory of one another while all of them run: they meet first, and meet again last.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// Each block reads the value of the next one.
template <bool stays> __device__ void read_next(int *out) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  value = 10 + rank;
  cluster.sync();
  out[rank] = *cluster.map_shared_rank(&value, rank ^ 1);
  if (stays) cluster.sync();
}

__global__ void __cluster_dims__(2) cluster_read(int *out) { read_next<true>(out); }

// The next block may have ended.
__global__ void __cluster_dims__(2) cluster_read_leaves(int *out) { read_next<false>(out); }

// Block 1 adds to a counter of block 0.
template <bool begins> __device__ void add_first(int *out) {
  __shared__ int sum;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  if (rank == 0) sum = 0;
  if (begins) cluster.sync();
  if (rank != 0) atomicAdd(cluster.map_shared_rank(&sum, 0), 1);
  cluster.sync();
  if (rank == 0) *out = sum;
}

__global__ void __cluster_dims__(2) cluster_add(int *out) { add_first<true>(out); }

// Block 0 may not have begun, and sets the counter to 0 whenever it does.
__global__ void __cluster_dims__(2) cluster_add_early(int *out) { add_first<false>(out); }

// One block has nothing to do and ends, while the other stores into its shared memory.
__global__ void __cluster_dims__(2) cluster_put_idle(int *out) {
  __shared__ int box;
  cg::cluster_group cluster = cg::this_cluster();
  cluster.sync();
  if (cluster.block_rank() == 1) {
    if (*out == 7) *out = box;
    return;
  }
  *cluster.map_shared_rank(&box, 1) = 1;
}

// Block 1 tells block 0 through an object there that its part is done; block 0 waits for that before it ends.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

template <bool waits> __device__ void hand_over(int *out) {
  __shared__ int box;
  __shared__ unsigned long long done;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), over = !waits;
  if (rank == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&done)) : "memory");
  cluster.sync();
  if (rank != 0) {
    *cluster.map_shared_rank(&box, 0) = 5;
    asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, 0;\n"
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }" ::"r"(at(&done)) : "memory");
    return;
  }
  while (!over)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0;\n"
                 "selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(at(&done)) : "memory");
  if (waits) *out = box;
}

__global__ void __cluster_dims__(2) cluster_hand_over(int *out) { hand_over<true>(out); }

// Block 0 does not wait: the arrival may come when its object is gone.
__global__ void __cluster_dims__(2) cluster_hand_over_leaves(int *out) { hand_over<false>(out); }
