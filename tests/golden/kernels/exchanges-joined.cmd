# Exchanges whose values nobody needs order asynchronous operations alone (G88): those that follow one another are one.
cat >"$T/k.ptx" <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry sum(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<6>;
  .shared .align 8 .b64 bar;
  ld.param.u64 %rd1, [in];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  mov.u32 %r2, bar;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra MEET;
  mbarrier.init.shared.b64 [%r2], 32;
MEET:
  bar.sync 0;
  ld.global.u32 %r3, [%rd4];
  shfl.sync.down.b32 %r4, %r3, 16, 31, -1;
  add.u32 %r3, %r3, %r4;
  shfl.sync.down.b32 %r4, %r3, 8, 31, -1;
  add.u32 %r3, %r3, %r4;
  mbarrier.arrive.shared.b64 %rd5, [%r2];
  shfl.sync.down.b32 %r4, %r3, 4, 31, -1;
  add.u32 %r3, %r3, %r4;
  shfl.sync.down.b32 %r4, %r3, 2, 31, -1;
  add.u32 %r3, %r3, %r4;
  shfl.sync.down.b32 %r4, %r3, 1, 31, -1;
  ret;
}
PTX
ptxlit check --print "$T/k.ptx" 'sum<<<1, 32>>>(int in[32], 0)' >"$T/k.litmus"
ptxlit convert "$T/k.litmus" | grep -e bar -e match | sed 's/ *| */ | /g'
ptxlit check --quiet "$T/k.litmus"
