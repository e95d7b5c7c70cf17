// Each block of a cluster puts a value into the shared memory of the next, and reads what it got.
#include <cooperative_groups.h>

__global__ void __cluster_dims__(2) cluster_dsmem(int *out) {
  __shared__ int box;
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  unsigned rank = cluster.block_rank();
  *cluster.map_shared_rank(&box, rank ^ 1) = 10 + rank;
  cluster.sync();
  out[rank] = box;
}

// The barrier counts and orders nothing.
__global__ void __cluster_dims__(2) cluster_dsmem_relaxed(int *out) {
  __shared__ int box;
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  unsigned rank = cluster.block_rank();
  *cluster.map_shared_rank(&box, rank ^ 1) = 10 + rank;
  asm volatile("barrier.cluster.arrive.relaxed.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
  out[rank] = box;
}
