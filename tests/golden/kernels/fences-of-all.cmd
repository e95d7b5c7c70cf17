# Threads of which nothing is left but barriers and fences follow one with the same fences (kernel/followers.c). The
# fences of threads other than 0 order alone: those stay. Without any fence the last block reads without an order.
for launch in 'last<<<16, 256>>>(int sums[16], unsigned ticket[1], 0)' \
  'last<<<2, 64>>>(int sums[2], unsigned ticket[1], 1)' 'last<<<2, 64>>>(int sums[2], unsigned ticket[1], 64)'; do
  ptxlit check --quiet --cure no tests/golden/kernels/fences-of-all.ptx "$launch" 2>&1
done
