# Threads of which nothing is left but barriers follow another one that also branches on a settled word, if all of its
# ways lead to the same barriers (kernel/followers.c). In `crossed` they do not.
for launch in 'last<<<64, 256>>>(int sums[64], unsigned ticket[1], 0)' \
  'last<<<2, 64>>>(int sums[2], unsigned ticket[1], 1)' 'last<<<2, 256>>>(int sums[2], unsigned ticket[1], 1)'; do
  ptxlit check --quiet --cure no tests/golden/kernels/last-blocks.ptx "$launch" 2>&1
done
