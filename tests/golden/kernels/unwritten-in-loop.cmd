for early in 1 0; do
  ptxlit check --quiet tests/golden/kernels/unwritten-in-loop.ptx "tiles<<<1, 64>>>(int next[1], int out[64], $early)"
done
