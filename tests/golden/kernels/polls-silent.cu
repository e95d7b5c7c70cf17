// nvcc 13.0 -O3 -arch=sm_90 -ptx: polls by atomics that write what they read, with counts, votes and abort flags.
// Block 0 gives block 1 a value; or both take a lock.

static __device__ void give(int *data, int *flag) {
  if (threadIdx.x) return;
  data[0] = 7;
  __threadfence();
  atomicExch(flag, 1);
}

extern "C" __global__ void polls_add(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) return give(data, flag);
  if (threadIdx.x == 0) {
    while (atomicAdd(flag, 0) != 1) continue;
    __threadfence();
  }
  __syncthreads();
  out[threadIdx.x] = data[0];
}

extern "C" __global__ void polls_unfenced(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) return give(data, flag);
  if (threadIdx.x == 0)
    while (atomicOr(flag, 0) != 1) __nanosleep(20);
  __syncthreads();
  out[threadIdx.x] = data[0];
}

extern "C" __global__ void polls_in_vain(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 7;
    return;
  }
  if (threadIdx.x == 0)
    while (atomicAdd(flag, 0) != 1) continue;
  __syncthreads();
}

extern "C" __global__ void locks(int *lock, int *data) {
  if (threadIdx.x) return;
  while (atomicExch(lock, 1)) continue;
  __threadfence();
  data[0] += 1;
  __threadfence();
  atomicExch(lock, 0);
}

extern "C" __global__ void locks_unfenced(int *lock, int *data) {
  if (threadIdx.x) return;
  while (atomicExch(lock, 1)) continue;
  __threadfence();
  data[0] += 1;
  atomicExch(lock, 0);
}

extern "C" __global__ void locks_kept(int *lock, int *data) {
  if (threadIdx.x) return;
  while (atomicExch(lock, 1)) continue;
  __threadfence();
  data[0] += 1;
}

extern "C" __global__ void tries_then_traps(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) return give(data, flag);
  if (threadIdx.x == 0) {
    int tries = 0;
    while (*(volatile int *)flag != 1)
      if (++tries > 1000000) __trap();
    __threadfence();
  }
  __syncthreads();
  out[threadIdx.x] = data[0];
}

extern "C" __global__ void tries_then_skips(int *flag, int *data, int *out) {
  __shared__ int seen;
  if (blockIdx.x == 0) return give(data, flag);
  if (threadIdx.x == 0) {
    int tries = 0, value;
    while ((value = *(volatile int *)flag) != 1)
      if (++tries > 1000000) break;
    seen = value == 1;
    __threadfence();
  }
  __syncthreads();
  if (seen) out[threadIdx.x] = data[0];
}

extern "C" __global__ void tries_then_reads(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) return give(data, flag);
  if (threadIdx.x == 0) {
    int tries = 0;
    while (*(volatile int *)flag != 1)
      if (++tries > 1000000) break;
    __threadfence();
  }
  __syncthreads();
  out[threadIdx.x] = data[0];
}

extern "C" __global__ void tries_in_vain(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 7;
    return;
  }
  if (threadIdx.x == 0) {
    int tries = 0;
    while (*(volatile int *)flag != 1)
      if (++tries > 1000000) break;
  }
  __syncthreads();
}

extern "C" __global__ void looks_for_abort(int *flag, int *data, int *out, volatile int *abort) {
  if (blockIdx.x == 0) return give(data, flag);
  if (threadIdx.x == 0) {
    int tries = 0, aborted = 0;
    while (*(volatile int *)flag != 1) {
      if (aborted) break;
      if (++tries < 10000) continue;
      tries = 0;
      aborted |= *abort != 0;
    }
    __threadfence();
  }
  __syncthreads();
  out[threadIdx.x] = data[0];
}

extern "C" __global__ void agrees_by_red(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) return give(data, flag);
  long long start = clock64();
  while (!__syncthreads_or(threadIdx.x == 0 && atomicAdd(flag, 0) == 1))
    if (clock64() - start > 1000000000ll) __trap();
  __threadfence();
  out[threadIdx.x] = data[0];
}

extern "C" __global__ void counts_up(int *n, int *out) {
  int sum = 0;
  if (threadIdx.x) return;
#pragma unroll 1
  for (int i = 0; i < 100; i++) sum += atomicAdd(n, i);
  out[blockIdx.x] = sum;
}
