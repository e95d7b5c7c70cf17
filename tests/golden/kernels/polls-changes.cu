// nvcc 13.0 -O3 -arch=sm_90 -ptx: a thread waits for a count that another thread counts down.
// As libcu++'s latch: a value that is not 0 is polled until it changes, then read again. nvcc writes the first test of
// the loop before it, and the others at its end, the other way round.
static __device__ void wait_until_zero(int *left, bool acquires) {
  int seen, now;
  while (true) {
    if (acquires) asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(seen) : "l"(left) : "memory");
    else asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(seen) : "l"(left) : "memory");
    if (seen == 0) return;
    do asm volatile("ld.relaxed.gpu.s32 %0, [%1];" : "=r"(now) : "l"(left) : "memory");
    while (now == seen);
  }
}

static __device__ void count_down(int *left, int *data, int *out, bool acquires) {
  if (threadIdx.x) return;
  if (blockIdx.x) {
    wait_until_zero(left, acquires);
    out[0] = data[0];
    return;
  }
  data[0] = 7;
  for (int i = 0; i < 20; i++) asm volatile("red.release.gpu.add.s32 [%0], -1;" ::"l"(left) : "memory");
}

extern "C" __global__ void counted_down(int *left, int *data, int *out) { count_down(left, data, out, true); }
extern "C" __global__ void counted_down_relaxed(int *left, int *data, int *out) { count_down(left, data, out, false); }
