// A line of 16 bytes from each lane (128 from eight), whose last word is the flag: who finds the flag takes the whole line
// for there. The hardware that this is for stores and loads such a line at once; PTX promises that of no more than the
// elements of one access (8.2.4), so that the line needs the order that a fence gives.
template <bool ordered> __device__ void send_line(unsigned long long *line, unsigned long long *out) {
  unsigned lane = threadIdx.x, last = blockDim.x - 1, all = (2u << last) - 1;
  unsigned long long word[2], *own = line + 2 * lane;
  if (blockIdx.x == 0) {
    if (ordered) {
      own[0] = lane + 5;
      if (lane != last) own[1] = lane + 1;
      __syncwarp(all);
      if (lane == last) {
        __threadfence();
        asm volatile("st.relaxed.gpu.global.u64 [%0], 1;" ::"l"(own + 1) : "memory");
      }
    } else {
      word[1] = lane == last ? 1 : lane + 1;
      asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(own), "l"(lane + 5ull),
                   "l"(word[1]) : "memory");
    }
  } else if (ordered) {
    if (lane == last) {
      do asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word[1]) : "l"(own + 1) : "memory");
      while (word[1] != 1);
      __threadfence();
    }
    __syncwarp(all);
    out[lane] = own[0];
  } else {
    do asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                    : "=l"(word[0]), "=l"(word[1]) : "l"(own) : "memory");
    while (__any_sync(all, lane == last && word[1] != 1));
    out[lane] = word[0];
  }
}

__global__ void ll128(unsigned long long *line, unsigned long long *out) { send_line<true>(line, out); }

__global__ void ll128_at_once(unsigned long long *line, unsigned long long *out) { send_line<false>(line, out); }
