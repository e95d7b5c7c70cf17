# A copy or a product beyond the shared memory of the launch is undefined, with the bytes that are there; 8,192 bytes
# hold the second tile of 4,096, and 4,096 the matrices that begin at 0 and 2,048.
for bytes in 8192 4096; do
  ptxlit check --cure no tests/golden/kernels/outside-tiles.ptx \
    "loads<<<1, 1, $bytes>>>(tensormap m = {float a[1024], .f32, dims 32 32, box 32 32})"
done
for bytes in 4096 1024; do
  ptxlit check --cure no tests/golden/kernels/outside-tiles.ptx "multiplies<<<1, 128, $bytes>>>()"
done
