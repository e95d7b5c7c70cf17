// A work queue: a producer fills a slot and raises the count; workers draw numbers.
__global__ void work_queue(int *items, int *filled, int *drawn, int *out) {
  if (blockIdx.x == 0) {
    items[0] = 11;
    __threadfence();
    atomicAdd(filled, 1);
  } else {
    int mine = atomicAdd(drawn, 1);
    if (atomicAdd(filled, 0) > mine) {
      __threadfence();
      out[mine] = items[mine];
    }
  }
}

__global__ void work_queue_no_fence(int *items, int *filled, int *drawn, int *out) {
  if (blockIdx.x == 0) {
    items[0] = 11;
    atomicAdd(filled, 1);
  } else {
    int mine = atomicAdd(drawn, 1);
    if (atomicAdd(filled, 0) > mine) out[mine] = items[mine];
  }
}
