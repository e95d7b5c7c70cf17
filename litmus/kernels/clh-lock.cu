// A CLH lock: each waits on the node of the one before it in the queue.
__global__ void clh_lock(int *tail, int *held, int *count) {
  int mine = blockIdx.x + 1;
  *(volatile int *)&held[mine] = 1;
  __threadfence();
  int before = atomicExch(tail, mine);
  __threadfence();
  while (*(volatile int *)&held[before] != 0) {}
  __threadfence();
  *count = *count + 1;
  __threadfence();
  *(volatile int *)&held[mine] = 0;
}

// The exchange is relaxed: the node may join the queue before it says that the lock is held.
__global__ void clh_lock_late_node(int *tail, int *held, int *count) {
  int mine = blockIdx.x + 1;
  *(volatile int *)&held[mine] = 1;
  int before = atomicExch(tail, mine);
  __threadfence();
  while (*(volatile int *)&held[before] != 0) {}
  __threadfence();
  *count = *count + 1;
  __threadfence();
  *(volatile int *)&held[mine] = 0;
}
