# Four tiles, drawn from a counter, go round a ring of three stages: a warp stays while the number drawn is below 4, so
# five iterations are written out. Without a proxy fence before the reader gives a stage back to the copies (G57), the
# fourth tile races with the read of the first one.
for kernel in tile_copies_fenced tile_copies; do
  printf '%s\n' "PTX $kernel" \
    '{ float in[256]; tensormap from = {in, .f32, dims 16 16, box 8 8}; float out[4]; int counter; }' \
    "kernel \"k.ptx\" $kernel(from, out, counter, 2, 4) grid 1 block 96 threads grouped" safe >"$T/$kernel.litmus"
done
cp litmus/kernels/tile-copies.ptx "$T/k.ptx"
ptxlit --quiet "$T"/tile_copies_fenced.litmus "$T"/tile_copies.litmus
