# Who takes part in a barrier or in an operation of a warp is decided over all threads, also those without a column
# (docs/semantics.md B5, K5).
cp tests/golden/kernels/lanes.ptx "$T/k.ptx"
cd "$T" || exit
for launch in 'counted<<<1,128>>>(int out[64], 128)' 'counted<<<1,128>>>(int out[64], 64)' \
  'counted<<<1,128>>>(int out[64], 256)' 'counted<<<1,128>>>(int out[64], 100)' \
  'reused<<<1,128>>>(int out[1], 96)' 'reused<<<1,128>>>(int out[1], 64)' \
  'reduced<<<1,64>>>(int out[1], 64)' 'reduced<<<1,64>>>(int out[1], 5)' \
  'ended<<<1,128>>>(int out[1], 70)' 'arms<<<1,64>>>(int out[1], 37)' 'arms<<<1,33>>>(int out[1], 32)' \
  'product<<<1,128>>>(int out[1], 127)' 'product<<<1,128>>>(int out[1], 63)' 'product<<<1,128>>>(int out[1], 69)' \
  'drawn<<<1,4>>>(unsigned counter[1], 4)' \
  'drawn<<<1,4>>>(unsigned counter[1], 2)' 'elects<<<1,96>>>(int out[1], 37)' \
  'warpgroup<<<1,128>>>(int out[1], 128)' 'warpgroup<<<1,128>>>(int out[1], 70)' \
  'warpgroup<<<1,96>>>(int out[1], 128)'; do
  echo "$launch"
  ptxlit check -f herd k.ptx "$launch" | grep -e ^Unsafe -e ^Unknown -e ^Verdict
done
echo 'ended<<<1,128>>>(int out[1], 70) under G94=all'
ptxlit check -f herd --reading G94=all k.ptx 'ended<<<1,128>>>(int out[1], 70)' |
  grep -e ^Unsafe -e ^Unknown -e ^Verdict
true
