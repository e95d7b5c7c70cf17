# The product of tiled-product.ptx, dense and sparse, and a thread that changes element 16 of a row while it is in
# flight: only the sparse one reads so far, as A leaves out every second element (9.7.17.6).
K=tests/golden/kernels
cp $K/tiled-product.litmus "$T"
store='@!%p0 st.shared.u32 [%r1+32], 0;'
for product in '' 's/m64n8k16/m64n8k32/; s/mma_async.sync/mma_async.sp.sync/; s/%rd3, 0, 1/%rd3, %r5, 0, 0, 1/'; do
  sed "$product" $K/tiled-product.ptx >"$T/tiled-product.ptx"
  grep mma_async "$T/tiled-product.ptx"
  ptxlit check --quiet "$T/tiled-product.litmus"
  sed "$product; s/wgmma.wait_group/$store\n&/" $K/tiled-product.ptx >"$T/tiled-product.ptx"
  ptxlit check --quiet "$T/tiled-product.litmus"
done
