// A ticket lock: who comes takes a number, and who leaves calls the next.
__global__ void ticket_lock(unsigned *next, unsigned *serving, int *count) {
  unsigned mine = atomicAdd(next, 1u);
  while (*(volatile unsigned *)serving != mine) {}
  __threadfence();
  *count = *count + 1;
  __threadfence();
  *(volatile unsigned *)serving = mine + 1;
}

__global__ void ticket_lock_no_fence(unsigned *next, unsigned *serving, int *count) {
  unsigned mine = atomicAdd(next, 1u);
  while (*(volatile unsigned *)serving != mine) {}
  *count = *count + 1;
  *(volatile unsigned *)serving = mine + 1;
}
