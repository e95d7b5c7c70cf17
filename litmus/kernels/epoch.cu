// Epoch reclamation: a reader pins the epoch before it follows the pointer; who reclaims looks for pins.
__global__ void epoch(volatile int *pinned, volatile int *shown, int *object, int *seen) {
  if (blockIdx.x == 0) {
    *pinned = 1;
    __threadfence();
    if (*shown) *seen = *(volatile int *)object;
    __threadfence();
    *pinned = 0;
  } else {
    *shown = 0;
    __threadfence();
    while (*pinned) {}
    __threadfence();
    *(volatile int *)object = -1;
  }
}

// The pin may become visible after the pointer was followed.
__global__ void epoch_no_fence(volatile int *pinned, volatile int *shown, int *object, int *seen) {
  if (blockIdx.x == 0) {
    *pinned = 1;
    if (*shown) *seen = *(volatile int *)object;
    __threadfence();
    *pinned = 0;
  } else {
    *shown = 0;
    while (*pinned) {}
    __threadfence();
    *(volatile int *)object = -1;
  }
}
