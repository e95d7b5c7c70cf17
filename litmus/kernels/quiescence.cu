// A writer publishes version 1 of the data and then reuses the memory of version 0. A reader marks that it reads before
// it looks which version to read, and the writer waits until nobody does. Each of the two writes and then reads what the
// other writes, so both need a fence between the two.
__global__ void quiescence(volatile int *version, int *data, volatile int *reads, int *out) {
  if (blockIdx.x == 0) {
    data[1] = 5;
    __threadfence();
    *version = 1;
    __threadfence();
    while (*reads) {}
    __threadfence();
    data[0] = 9;
  } else {
    *reads = 1;
    __threadfence();
    int v = *version;
    __threadfence();
    *out = data[v];
    __threadfence();
    *reads = 0;
  }
}

// The reader's mark may become visible after its look at the version.
__global__ void quiescence_no_fence(volatile int *version, int *data, volatile int *reads, int *out) {
  if (blockIdx.x == 0) {
    data[1] = 5;
    __threadfence();
    *version = 1;
    __threadfence();
    while (*reads) {}
    __threadfence();
    data[0] = 9;
  } else {
    *reads = 1;
    int v = *version;
    __threadfence();
    *out = data[v];
    __threadfence();
    *reads = 0;
  }
}
