// Launches of each kind, for tests/record/on-gpu: plain, of a template with a structure of pointers, with dynamic
// shared memory, cooperative, in clusters, with a tensor map, in a graph, and with programmatic dependence.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cstdio>
#include <ctime>

struct Parts {
  int count;
  const float *from;
  float *to;
};

__global__ void add(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] += a[i];
}

template <int N, class T> __global__ void scale(Parts p, T by) {
  int i = threadIdx.x;
  if (i < p.count) p.to[i] = p.from[i] * by * N;
}

__global__ void turn(float *a) {
  extern __shared__ float part[];
  part[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}

__global__ void both(float *a) {
  a[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();
  a[2 + blockIdx.x] = a[1 - blockIdx.x];
}

__global__ void __cluster_dims__(2) pair(float *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 2; }

__global__ void mapped(const __grid_constant__ CUtensorMap m, const void **to) { *to = &m; }

// The second waits for the first, which lets it begin early.
__global__ void early(float *a) {
  cudaTriggerProgrammaticLaunchCompletion();
  a[threadIdx.x] = 3;
}

__global__ void late(const float *a, float *b) {
  cudaGridDependencySynchronize();
  b[threadIdx.x] = a[threadIdx.x];
}

__global__ void empty() {}

static int failed;
static void must(int status, const char *what) {
  if (status) printf("%s: error %d\n", what, status), failed = 1;
}

int main(int argc, char **) {
  float *a, *b;
  must(cudaMalloc(&a, 4096), "malloc"), must(cudaMalloc(&b, 1 << 21), "malloc");
  if (argc > 1) {
    timespec begin, end;
    empty<<<1, 1>>>();
    cudaDeviceSynchronize();
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < 20000; i++) add<<<1, 32>>>(a, b, 32);
    clock_gettime(CLOCK_MONOTONIC, &end);
    cudaDeviceSynchronize();
    printf("%.2f us a launch\n", (end.tv_sec - begin.tv_sec) * 50.0 + (end.tv_nsec - begin.tv_nsec) / 20e6);
    return 0;
  }
  add<<<4, 256>>>(a, b + 64, 1000);
  add<<<4, 256>>>(a, b + 64, 1000);
  scale<3, float><<<1, 128>>>(Parts{100, a, b}, 2.0f);
  turn<<<1, 256, 1024>>>(a);
  void *arguments[] = {&b};
  must(cudaLaunchCooperativeKernel((void *)both, 2, 1, arguments, 0, 0), "cooperative");
  pair<<<4, 32>>>(b);
  CUtensorMap map;
  cuuint64_t dims[2] = {32, 16}, strides[1] = {128};
  cuuint32_t box[2] = {32, 8}, steps[2] = {1, 1};
  must(cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, a, dims, strides, box, steps,
                              CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                              CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
       "map");
  mapped<<<1, 1>>>(map, (const void **)b);
  must(cudaDeviceSynchronize(), "run");
  cudaStream_t stream;
  cudaGraph_t graph;
  must(cudaStreamCreate(&stream), "stream");
  must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "capture");
  add<<<1, 64, 0, stream>>>(a, b, 64);
  must(cudaStreamEndCapture(stream, &graph), "capture");
  cudaLaunchAttribute depends;
  depends.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  depends.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1), config.blockDim = dim3(64), config.stream = stream;
  config.attrs = &depends, config.numAttrs = 1;
  early<<<1, 64, 0, stream>>>(a);
  must(cudaLaunchKernelEx(&config, late, (const float *)a, b), "dependent");
  must(cudaDeviceSynchronize(), "run");
  return failed;
}
