// Each lane of the first warp sets its own flag, and the lanes of the second one poll them together. Values of 28
// threads matter, each written by one of them, so that all of them are columns.
template <bool fenced, bool meets> __device__ void pass_on(int *data, volatile int *flags, int *out) {
  const unsigned lanes = 0x0fffffff;
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x;
    if (fenced) __threadfence();
    flags[threadIdx.x] = 1;
  } else {
    while (__ballot_sync(lanes, flags[threadIdx.x]) != lanes) {}
    __threadfence();
    if (meets) __syncwarp(lanes);
    out[threadIdx.x] = data[27 - threadIdx.x];
  }
}

__global__ void lane_flags(int *data, int *flags, int *out) { pass_on<true, true>(data, flags, out); }
__global__ void lane_flags_no_fence(int *data, int *flags, int *out) { pass_on<false, true>(data, flags, out); }

// A vote orders nothing: a lane has read its own flag only.
__global__ void lane_flags_no_meeting(int *data, int *flags, int *out) { pass_on<true, false>(data, flags, out); }
