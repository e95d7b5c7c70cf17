// Text for findings.ptx, whose .loc lines name these lines. It is not compiled.
__global__ void reversed(int *a, int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = a[threadIdx.x];
  out[threadIdx.x] = s[63 - threadIdx.x];
  s[63 - threadIdx.x] = 0;
}
__global__ void stuck() {
  __shared__ barrier full;
  if (threadIdx.x == 0) init(&full, 1);
  __syncthreads();
  if (threadIdx.x >= 32) full.wait();
  __syncthreads();
}
__global__ void guarded(int *a, int n) {
  if (threadIdx.x < n) a[threadIdx.x] = 1;
}
