# Findings of the unsafe kernels of litmus/kernels: the kinds, and the places of two. tests/judge has the safe ones.
grep -l '^safe$' litmus/kernels/*.litmus | xargs grep -lE '^Expect=.*ptx:Unsafe' | sort | while read -r test; do
  ptxlit --quiet "$test"
done
for test in cp-async-overwrites cluster-multicast-no-expect; do
  ptxlit --format=herd "litmus/kernels/$test.litmus" | grep ^Unsafe
done
ptxlit fix litmus/kernels/semaphore-relaxed.litmus
ptxlit fix litmus/kernels/look-back-no-meeting.litmus
# Named barriers count warps, whoever of a warp is a column.
for kernel in named_barrier named_barrier_early; do
  ptxlit check --quiet litmus/kernels/named-barrier.ptx "$kernel<<<1, 64>>>(3, int out[64])" 2>&1 | grep ^Test
done
