// Each of two warpgroups fills a tile of its own, meets at its own named barrier, and one of its threads stores the tile.
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

template <bool fences, bool apart> __device__ void tiles(float *out, float x, float y) {
  __shared__ __align__(128) float tile[2][256];
  int group = threadIdx.x / 128, t = threadIdx.x % 128;
  tile[group][2 * t] = x;
  tile[group][2 * t + 1] = y;
  if (fences) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("bar.sync %0, 128;" ::"r"(1 + (apart ? group : threadIdx.x / 64 % 2)) : "memory");
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out + 256 * group),
                 "r"(at(tile[group])) : "memory");
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

__global__ void warpgroup_tiles(float *out, float x, float y) { tiles<true, true>(out, x, y); }

// The stores of the threads and the copy go through different proxies.
__global__ void warpgroup_tiles_no_fence(float *out, float x, float y) { tiles<false, true>(out, x, y); }

// Halves of both warpgroups meet: a tile is copied before its second half is there.
__global__ void warpgroup_tiles_mixed(float *out, float x, float y) { tiles<true, false>(out, x, y); }
