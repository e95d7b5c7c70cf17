# A thread behind a column writes what a column reads: 5 and 4 are columns, as 0 and 63 read what they write, and 10 and
# 9 are not. What they write counts as given (K5); slots that nobody writes have no value.
module() { # BYTES READ WRITE: bytes between the slots that threads write
  cat >"$T/k.ptx" <<END
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a)
{
  .reg .pred %p<3>;
  .reg .b32 %r<7>;
  .reg .b64 %rd<2>;
  .shared .align 4 .b8 s[512];
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, s;
  mad.lo.u32 %r3, %r1, $1, %r2;
  st.shared.u32 [%r3], %r1;
  bar.sync 0;
  add.u32 %r4, %r1, 5;
  and.b32 %r4, %r4, 63;
  mad.lo.u32 %r5, %r4, 4, %r2;
  $2
  $3
  ret;
}
END
}
cat >"$T/k.litmus" <<'END'
PTX k
{ x[64]; }
kernel "k.ptx" k(x) grid 1 block 64
threads grouped
safe
END
store='mul.wide.u32 %rd0, %r1, 4; add.u64 %rd1, %rd1, %rd0; st.global.u32 [%rd1], %r6;'
echo "each writes its slot"
module 4 'ld.shared.u32 %r6, [%r5];' "$store"
try --quiet "$T/k.litmus"
echo "even slots alone"
module 8 'ld.shared.u32 %r6, [%r5];' "$store"
try --quiet "$T/k.litmus"
# What %clock gives is not known to anybody, so that the value read decides which threads write x[0].
echo "the value decides who writes"
module 4 'ld.shared.u32 %r6, [%r5]; setp.eq.u32 %p1, %r6, 77;' '@%p1 st.global.u32 [%rd1], %r1;'
sed -i 's/st.shared.u32 \[%r3\], %r1/mov.u32 %r0, %clock; st.shared.u32 [%r3], %r0/' "$T/k.ptx"
try --quiet "$T/k.litmus"
try "$T/k.litmus"
