# A fragment of A is accessed before the wait, or without a wgmma.fence before the next product (AG3).
for kernel in late bare fenced; do
  ptxlit check --quiet tests/golden/kernels/fragments.ptx "$kernel<<<1, 128>>>()"
done
