# GR1 to GR3: the end of a grid orders the next launch of its stream; one with programmatic dependence is ordered by its
# wait alone, although the grid before it never lets it begin early. Without an order they race.
k=tests/golden/kernels/grids-overlap.ptx
for how in after overlaps ''; do
  for reader in reads waits; do
    echo "$reader $how"
    ptxlit check --quiet $k 'writes<<<1, 1>>>(int a[1])' then "$reader<<<1, 1>>>(a, int b[1])" $how
  done
done 2>&1
