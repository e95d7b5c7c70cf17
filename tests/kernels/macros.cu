// Macros of the test's line, whose names are words of the header for clang.
__global__ void add(int *sum, int *out) {
  if (atomicAdd(sum, A) + A == N * A) *out = S + W;
}
