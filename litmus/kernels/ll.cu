// A word and a flag go together in 8 bytes, so that the receiver needs no fence: it waits until the flag is there and
// has the word with it. Block 0 sends, block 1 receives.
__global__ void ll(unsigned long long *line, int *out) {
  unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    unsigned long long both = 1ull << 32 | (t + 7);
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(line + t), "l"(both) : "memory");
  } else {
    unsigned long long both;
    do asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(both) : "l"(line + t) : "memory");
    while (both >> 32 != 1);
    out[t] = (int)both;
  }
}

// The word is stored by itself before the flag: nothing makes it visible with the flag.
__global__ void ll_apart(int2 *line, int *out) {
  unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    line[t].x = t + 7;
    asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(&line[t].y) : "memory");
  } else {
    int flag;
    do asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(flag) : "l"(&line[t].y) : "memory");
    while (flag != 1);
    out[t] = line[t].x;
  }
}
