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
{ x[80]; }
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
# Thread 0 writes x[1] while all read it, into their slots. Whoever finds 77 in the slot of another writes: 4 and 5 both
# x[0], which is a race. They read slots of threads that become columns for that, as no two write one slot.
echo "the value decides who writes"
module 4 'ld.shared.u32 %r6, [%r5]; setp.eq.u32 %p1, %r6, 77;' '@%p1 st.global.u32 [%rd1], %r1;'
sed -i '/st.shared/{
  i ld.relaxed.gpu.global.u32 %r0, [%rd1+4]; setp.eq.u32 %p0, %r1, 0;
  i @%p0 st.relaxed.gpu.global.u32 [%rd1+4], 77;
  i add.u32 %r4, %r1, 2; sub.u32 %r5, %r1, 4; setp.lt.u32 %p2, %r5, 2; selp.u32 %r4, 0, %r4, %p2;
  i mul.wide.u32 %rd0, %r4, 4; add.u64 %rd1, %rd1, %rd0;
  s/%r1;/%r0;/
}' "$T/k.ptx"
try --quiet "$T/k.litmus"
# Where these five threads alone exist, the race is found; 9 and 10 then read slots that none of them writes.
sed -i 's/threads grouped/threads 0,0 0,4 0,5 0,9 0,10/' "$T/k.litmus"
try --quiet "$T/k.litmus"
