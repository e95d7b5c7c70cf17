# Two warps allocate more tensor memory than there is: the second waits until the first frees its columns. Where that
# happens behind a barrier that the waiting warp comes to later, both wait for ever. An access behind dealloc.
cp tests/golden/kernels/warps-allocate.ptx "$T/all.ptx"
printf 'PTX all\n{\n}\nkernel "all.ptx" allocate()\ngrid 1 block 64 threads grouped\nsafe\n' >"$T/all.litmus"
ptxlit check --quiet "$T/all.litmus"
sed '/dealloc.*512/s/^/bar.sync 0; bar.sync 1;/; s/^SECOND:/&bar.sync 0;/; s/dealloc.*256;/&bar.sync 1;/' \
  tests/golden/kernels/warps-allocate.ptx >"$T/all.ptx"
ptxlit check --quiet "$T/all.litmus"
sed '/dealloc.*256/d; /%r4, %r3, 0x200000/s/$/tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r3, 256;/' \
  tests/golden/kernels/warps-allocate.ptx >"$T/all.ptx"
ptxlit check --quiet "$T/all.litmus"
