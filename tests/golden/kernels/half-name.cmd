# Names in a launch are those of the source, which has `half` for the compiler's `__half`.
cat >"$T/k.ptx" <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry _Z4fillI6__halfLj8EEvPT_(.param .u64 a)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd2, %r1, 2, %rd1;
  st.global.u16 [%rd2], 0;
  ret;
}
PTX
for name in 'fill<half, 8>' 'fill<__half,8>' 'fill' 'fill<nv_bfloat16, 8>' 'fill<half, _8>'; do
  ptxlit check --quiet "$T/k.ptx" "$name<<<1, 32>>>(half a[32])" 2>&1
done
