// Decoupled look-back with the state and the value of a tile in one word of 8 bytes, which need no fence: state 1 is the
// tile's own sum, 2 the sum of all tiles up to it. Thread 0 of a block looks back for it.
__device__ void publish(unsigned long long *tile, unsigned state, unsigned value) {
  unsigned long long word = (unsigned long long)state << 32 | value;
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(tile), "l"(word) : "memory");
}

__global__ void look_back_word(const unsigned *in, unsigned long long *tiles, unsigned *out) {
  __shared__ unsigned before;
  if (threadIdx.x == 0) {
    unsigned mine = in[blockIdx.x];
    publish(&tiles[blockIdx.x], blockIdx.x ? 1 : 2, mine);
    unsigned sum = 0;
    for (int i = (int)blockIdx.x - 1; i >= 0; i--) {
      unsigned long long word;
      do asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(&tiles[i]) : "memory");
      while (word >> 32 == 0);
      sum += (unsigned)word;
      if (word >> 32 == 2) break;
    }
    if (blockIdx.x) publish(&tiles[blockIdx.x], 2, sum + mine);
    before = sum;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = before;
}

// State and value are two words: the state may be seen before the value is.
__global__ void look_back_apart(const unsigned *in, unsigned *state, unsigned *sum, unsigned *out) {
  __shared__ unsigned before;
  if (threadIdx.x == 0) {
    unsigned earlier = 0;
    if (blockIdx.x) {
      while (*(volatile unsigned *)&state[blockIdx.x - 1] == 0) {}
      earlier = sum[blockIdx.x - 1];
    }
    sum[blockIdx.x] = earlier + in[blockIdx.x];
    *(volatile unsigned *)&state[blockIdx.x] = 2;
    before = earlier;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = before;
}

// The others of the block read what thread 0 has found without waiting for it.
__global__ void look_back_no_meeting(const unsigned *in, unsigned long long *tiles, unsigned *out) {
  __shared__ unsigned before;
  if (threadIdx.x == 0) {
    publish(&tiles[blockIdx.x], 2, in[blockIdx.x]);
    before = blockIdx.x;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = before;
}
