# The counter of a cooperative grid is a barrier of the grid (kernel/grid_barriers.c), unless its additions do not
# release, or its poll ends too early. A race leaves the columns of the blocks that show it.
for launch in 'meet<<<32, 64>>>(int data[2048], 1)' 'meet<<<8, 64>>>(int data[512], 0)' \
  'relaxed<<<2, 64>>>(int data[128], 1)' 'early<<<3, 64>>>(int data[192], 1)'; do
  ptxlit check --quiet --cure no tests/golden/kernels/grid-barriers.ptx "$launch cooperative" 2>&1
done
