// A sequence lock: the reader takes the pair only if no writer was there meanwhile.
__global__ void seqlock(volatile int *version, volatile int *pair, int *seen) {
  if (blockIdx.x == 0) {
    *version = 1;
    __threadfence();
    pair[0] = 5;
    pair[1] = 5;
    __threadfence();
    *version = 2;
  } else {
    int before = *version;
    __threadfence();
    int a = pair[0], b = pair[1];
    __threadfence();
    int after = *version;
    *seen = (before & 1) == 0 && before == after ? a == b : 1;
  }
}

__global__ void seqlock_no_fence(volatile int *version, volatile int *pair, int *seen) {
  if (blockIdx.x == 0) {
    *version = 1;
    pair[0] = 5;
    pair[1] = 5;
    *version = 2;
  } else {
    int before = *version;
    int a = pair[0], b = pair[1];
    int after = *version;
    *seen = (before & 1) == 0 && before == after ? a == b : 1;
  }
}
