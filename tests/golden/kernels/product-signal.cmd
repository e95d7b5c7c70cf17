# One thread of a warpgroup gives back a tile that all multiply: it gets past its wait only when all have issued
# the product, so that no other thread still waits for the tile. Given back before the wait, that is not so.
for kernel in product_signal product_signal_early; do
  ptxlit check --format=herd tests/golden/kernels/product-signal.ptx \
    "$kernel<<<1, 256>>>(char tiles[12288], float out[512], 4)" 2>&1 |
    grep -e ^Verdict -e ^Unsafe
done
