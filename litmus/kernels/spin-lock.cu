// A spin lock from compare-and-swap and exchange.
__global__ void spin_lock(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  __threadfence();
  *count = *count + 1;
  __threadfence();
  atomicExch(lock, 0);
}

__global__ void spin_lock_no_fence(int *lock, int *count) {
  while (atomicCAS(lock, 0, 1) != 0) {}
  *count = *count + 1;
  atomicExch(lock, 0);
}
