// The end of a Chase-Lev deque: its owner and a thief want the last task, and one must not get it.
__global__ void deque(volatile int *top, volatile int *bottom, int *taken) {
  if (blockIdx.x == 0) {
    int b = *bottom - 1;
    *bottom = b;
    __threadfence();
    int t = *top;
    if (t < b) taken[0] = 1;
    else if (t == b) taken[0] = atomicCAS((int *)top, t, t + 1) == t;
  } else {
    int t = *top;
    __threadfence();
    int b = *bottom;
    if (t < b) taken[1] = atomicCAS((int *)top, t, t + 1) == t;
  }
}

// With two tasks left and no fence the owner may take the last one without seeing the thief.
__global__ void deque_no_fence(volatile int *top, volatile int *bottom, int *taken) {
  if (blockIdx.x == 0) {
    int b = *bottom - 1;
    *bottom = b;
    int t = *top;
    if (t < b) taken[0] = 1;
    else if (t == b) taken[0] = atomicCAS((int *)top, t, t + 1) == t;
  } else {
    for (int i = 0; i < 2; i++) {
      int t = *top;
      int b = *bottom;
      if (t < b) taken[1 + t] = atomicCAS((int *)top, t, t + 1) == t;
    }
  }
}

__global__ void deque_two(volatile int *top, volatile int *bottom, int *taken) {
  if (blockIdx.x == 0) {
    int b = *bottom - 1;
    *bottom = b;
    __threadfence();
    int t = *top;
    if (t < b) taken[0] = 1;
    else if (t == b) taken[0] = atomicCAS((int *)top, t, t + 1) == t;
  } else {
    for (int i = 0; i < 2; i++) {
      int t = *top;
      __threadfence();
      int b = *bottom;
      if (t < b) taken[1 + t] = atomicCAS((int *)top, t, t + 1) == t;
    }
  }
}
