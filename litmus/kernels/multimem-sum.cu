// Two GPUs sum an array through a multimem address: each writes its own replica, both meet, and each sums its half.
template <bool meets, bool fences> __device__ void sum(float *own, float *all, int *mine, int *other, int rank) {
  int i = threadIdx.x, half = rank * 32 + i;
  float total;
  own[i] = own[i + 32] = i;
  if (fences) asm volatile("fence.proxy.alias;" ::: "memory");
  __syncthreads();
  if (meets && i == 0) {
    int told;
    asm volatile("red.release.sys.global.add.u32 [%0], 1;" ::"l"(other) : "memory");
    do asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(told) : "l"(mine) : "memory");
    while (told != 1);
  }
  __syncthreads();
  asm volatile("multimem.ld_reduce.relaxed.sys.global.add.f32 %0, [%1];" : "=f"(total) : "l"(all + half) : "memory");
  asm volatile("multimem.st.relaxed.sys.global.f32 [%0], %1;" ::"l"(all + half), "f"(total) : "memory");
}

__global__ void multimem_sum(float *own, float *all, int *mine, int *other, int rank) {
  sum<true, true>(own, all, mine, other, rank);
}

// The replicas are written at other addresses than they are read at.
__global__ void multimem_sum_no_fence(float *own, float *all, int *mine, int *other, int rank) {
  sum<true, false>(own, all, mine, other, rank);
}

// Nothing says that the other replica has been written.
__global__ void multimem_sum_no_meeting(float *own, float *all, int *mine, int *other, int rank) {
  sum<false, true>(own, all, mine, other, rank);
}
