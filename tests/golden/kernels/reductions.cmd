# Atomics whose results nothing uses are left out where no fences give them a meaning (kernel/relaxed.c): here 16,384 of
# them. A weak read that nothing orders races with them, and so do they themselves where their scope is too narrow.
# Those that a poll and fences see order what it reads.
for launch in 'sum<<<64, 256>>>(unsigned out[1], 0)' 'sum<<<4, 64>>>(unsigned out[1], 1)' \
  'narrow<<<1, 64>>>(unsigned out[1])' 'narrow<<<2, 64>>>(unsigned out[1])' \
  'flags<<<2, 2>>>(unsigned out[1], int data[2], 3)' 'flags<<<2, 2>>>(unsigned out[1], int data[2], 1)'; do
  ptxlit check --quiet --cure no tests/golden/kernels/reductions.ptx "$launch" 2>&1
done
