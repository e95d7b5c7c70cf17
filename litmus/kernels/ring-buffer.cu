// One producer and one consumer: a slot is filled before head moves on.
__global__ void ring_buffer(int *slots, unsigned *head, int *out) {
  if (blockIdx.x == 0) {
    slots[0] = 7;
    __threadfence();
    *(volatile unsigned *)head = 1;
  } else {
    while (*(volatile unsigned *)head == 0) {}
    __threadfence();
    *out = slots[0];
  }
}

__global__ void ring_buffer_no_fence(int *slots, unsigned *head, int *out) {
  if (blockIdx.x == 0) {
    slots[0] = 7;
    *(volatile unsigned *)head = 1;
  } else {
    while (*(volatile unsigned *)head == 0) {}
    *out = slots[0];
  }
}
