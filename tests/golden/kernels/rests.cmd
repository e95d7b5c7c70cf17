# A verdict rests on columns that stand for other threads, and on locations without values that decide a branch.
cat >"$T/k.ptx" <<'PTX'
.version 8.0
.target sm_80
.address_size 64
.visible .entry pick(.param .u64 out, .param .u64 which)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd2, [which];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r2, [%rd4];
  setp.eq.s32 %p1, %r2, 0;
  @%p1 bra DONE;
  st.global.u32 [%rd1], %r1;
DONE:
  ret;
}
PTX
ptxlit check --format=herd "$T/k.ptx" 'pick<<<1, 4>>>(int out, int which[4])' | grep -e Assumes -e Verdict
echo
# With values the answer is of these: a race.
cat >"$T/k.litmus" <<'TEST'
PTX k
{ int out; int which[4]={1,1,1,1}; }
kernel "k.ptx" pick(out, which)
grid 1
block 4
threads grouped
safe
TEST
ptxlit check --format=herd "$T/k.litmus" 2>&1 | grep -e Assumes -e Verdict -e Unsafe
echo
# The same through shared memory and a barrier that tells who has a value.
cat >"$T/s.ptx" <<'PTX'
.version 8.0
.target sm_80
.address_size 64
.visible .entry sink(.param .u64 out, .param .u64 data)
{
  .shared .align 4 .b8 s[16];
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [data];
  ld.param.u64 %rd4, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  mov.u32 %r3, s;
  shl.b32 %r4, %r1, 2;
  add.u32 %r5, %r3, %r4;
  st.shared.u32 [%r5], %r2;
  bar.sync 0;
  ld.shared.u32 %r6, [s];
  setp.ne.s32 %p1, %r6, 0;
  bar.red.or.pred %p2, 0, %p1;
  @%p2 st.global.u32 [%rd4], %r1;
  ret;
}
PTX
ptxlit check --format=herd "$T/s.ptx" 'sink<<<1, 4>>>(int out, int data[4])' | grep -e Assumes -e Verdict
