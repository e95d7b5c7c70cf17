# A launch with too many events is refused before the time is spent, and the answer names a smaller one to
# try.
cat >"$T/k.ptx" <<'END'
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [x];
  mov.u32 %r1, 0;
AGAIN:
  fence.acq_rel.gpu;
  atom.relaxed.gpu.global.add.u32 %r2, [%rd1], %r1;
  st.relaxed.gpu.global.u32 [%rd1+4], %r2;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 300;
  @%p1 bra AGAIN;
  ret;
}
END
try check "$T/k.ptx" 'k<<<16, 1>>>(int x[2])'
