# The base offset of a descriptor says where the pattern of swizzling begins: with 1, at row 0 of the matrix, so that
# the first 32 bytes of row 1 are in its chunks 1 and 0; with 0 they are in 2 and 3.
cp tests/golden/kernels/base-offset.ptx "$T"
for base in 0 1; do
  printf 'PTX base\n{\n}\nkernel "base-offset.ptx" multiply(%s)\n' $base >"$T/base.litmus"
  printf 'grid 1 block 256 threads grouped\nsafe\n' >>"$T/base.litmus"
  ptxlit check --quiet "$T/base.litmus"
done
