# What the verbs tell of tests that ask whether they are safe: columns, and kernels with threads that stand for others.
mp() { # FILE ACQUIRE RELEASE LAST
  cat >"$T/$1.litmus" <<END
PTX $1
Expect=ptx:$5
{ x=0; f=0; }
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;
 st.weak x, 1   | L: $2          ;
 $3             | bne r0, 1, L   ;
                | ld.weak r1, x  ;
                | $4             ;
safe
END
}
mp safe 'ld.acquire.gpu r0, f' 'st.release.gpu f, 1' '' Safe
mp race 'ld.relaxed.gpu r0, f' 'st.release.gpu f, 1' '' Unsafe
mp hang 'ld.acquire.gpu r0, f' 'st.release.gpu f, 2' '' Unsafe
mp trap 'ld.acquire.gpu r0, f' 'st.release.gpu f, 1' trap Unsafe
for name in safe race hang trap; do
  for verb in explain fix graph; do
    try $verb "$T/$name.litmus"
  done
done
try explain --format json "$T/race.litmus"
try explain --format json "$T/hang.litmus"
try fix --format json "$T/race.litmus"
try fix --weaken "$T/safe.litmus"
try races "$T/race.litmus"
try compare "$T/race.litmus"
try suite "$T"
ptxlit graph --format svg "$T/race.litmus" | grep -c 'unsafe, race'
try check --engine enumerate --quiet "$T/race.litmus"

# A kernel: each thread adds to what the one before it has left; the turns of the loop are told apart, threads that do
# the same are one role, and a cure is one line of the module.
cat >"$T/turns.ptx" <<'END'
.version 9.0
.target sm_90
.address_size 64
.visible .entry turns(.param .u64 .ptr .align 4 out)
{
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  .shared .align 4 .b8 left[512];
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, left;
  mov.u32 %r3, 0;
L:
  mad.lo.u32 %r4, %r1, 4, %r2;
  st.shared.u32 [%r4], %r3;
  xor.b32 %r5, %r1, 32;
  mad.lo.u32 %r5, %r5, 4, %r2;
  bar.sync 0;
  ld.shared.u32 %r6, [%r5];
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, 3;
  @%p1 bra L;
  ret;
}
END
launch='turns<<<1, 64>>>(int out)'
ptxlit check --format=herd "$T/turns.ptx" "$launch" 2>/dev/null | grep ^Unsafe
ptxlit check --format json "$T/turns.ptx" "$launch" 2>/dev/null | grep -o '"findings":.*"races"'
for verb in explain fix; do
  try $verb "$T/turns.ptx" "$launch" 2>&1
done
