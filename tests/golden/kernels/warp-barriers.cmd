# Threads of another warp, of which only barriers are left too, do not stand for a warp whose lanes do not meet; nor do
# the lanes that a mask names count as come because they have no column.
for kernel in round pair block; do
  ptxlit --quiet tests/golden/kernels/warp-barriers.ptx "$kernel<<<1, 64>>>(int a[1])"
done
