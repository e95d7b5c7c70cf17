# A counter that blocks poll for a bound is a barrier of the grid (kernel/grid_barriers.c); where its additions release
# nothing or its polls acquire nothing, blocks that only meet others there are left out all the same. It is none if a
# bound is too low, the counter does not begin as 0, something else accesses it, or what was drawn is needed later.
for launch in 'bounds<<<32, 64>>>(int data[2048], unsigned count, 0)' \
  'bounds<<<3, 64>>>(int data[192], unsigned count, 1)' \
  'bounds<<<3, 64>>>(int data[192], unsigned count = 1, 0)' \
  'unreleased<<<32, 64>>>(int data[2048], unsigned count)' \
  'unacquired<<<32, 64>>>(int data[2048], unsigned count)' \
  'exact<<<32, 64>>>(int data[2048], unsigned count[2])' \
  'last<<<3, 64>>>(int data[193], unsigned count)' \
  'set<<<3, 64>>>(int data[192], unsigned count)'; do
  ptxlit check --quiet --cure no tests/golden/kernels/grid-bounds.ptx "$launch" 2>&1
done
