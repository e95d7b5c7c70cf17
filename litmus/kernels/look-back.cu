// Decoupled look-back: each block adds its own sum to what the block before it has published.
__global__ void look_back(const int *in, int *sum, int *ready, int *out) {
  int mine = in[blockIdx.x], before = 0;
  if (blockIdx.x > 0) {
    while (*(volatile int *)&ready[blockIdx.x - 1] == 0) {}
    __threadfence();
    before = sum[blockIdx.x - 1];
  }
  sum[blockIdx.x] = before + mine;
  out[blockIdx.x] = before;
  __threadfence();
  *(volatile int *)&ready[blockIdx.x] = 1;
}

__global__ void look_back_no_fence(const int *in, int *sum, int *ready, int *out) {
  int mine = in[blockIdx.x], before = 0;
  if (blockIdx.x > 0) {
    while (*(volatile int *)&ready[blockIdx.x - 1] == 0) {}
    before = sum[blockIdx.x - 1];
  }
  sum[blockIdx.x] = before + mine;
  out[blockIdx.x] = before;
  *(volatile int *)&ready[blockIdx.x] = 1;
}
