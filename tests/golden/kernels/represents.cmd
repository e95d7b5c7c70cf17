# The threads of a block copy 16 bytes each to shared memory with a bulk copy and 4 with cp.async, and one mbarrier
# counts it all: 64 arrivals that expect bytes, and 64 when copies end. Columns represent most threads
# (docs/semantics.md K5), and their arrivals and bytes count for these too: else no phase would be complete.
cat >"$T/k.ptx" <<'PTX'
.version 8.0
.target sm_90
.address_size 64
.visible .entry sum(.param .u64 in, .param .u64 out)
{
  .reg .pred %p<3>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  .shared .align 16 .b8 bulk[1024];
  .shared .align 16 .b8 tile[256];
  .shared .align 8 .b64 bar;
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 16;
  add.s64 %rd4, %rd1, %rd3;
  mul.wide.u32 %rd5, %r1, 4;
  add.s64 %rd6, %rd1, %rd5;
  add.s64 %rd7, %rd2, %rd5;
  mov.u32 %r2, bar;
  shl.b32 %r3, %r1, 4;
  mov.u32 %r4, bulk;
  add.s32 %r3, %r4, %r3;
  shl.b32 %r5, %r1, 2;
  mov.u32 %r6, tile;
  add.s32 %r6, %r6, %r5;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra MEET;
  mbarrier.init.shared.b64 [%r2], 128;
MEET:
  bar.sync 0;
  mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 16;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd4], 16, [%r2];
  cp.async.ca.shared.global [%r6], [%rd6], 4;
  cp.async.mbarrier.arrive.noinc.shared.b64 [%r2];
WAIT:
  mbarrier.try_wait.parity.shared.b64 %p2, [%r2], 0;
  @!%p2 bra WAIT;
  xor.b32 %r7, %r5, 4;
  mov.u32 %r8, tile;
  add.s32 %r7, %r8, %r7;
  ld.shared.u32 %r7, [%r7];
  ld.shared.u32 %r8, [%r3];
  add.u32 %r8, %r7, %r8;
  st.global.u32 [%rd7], %r8;
  ret;
}
PTX
ptxlit check --print "$T/k.ptx" 'sum<<<1, 64>>>(int in[256], int out[64])' >"$T/k.litmus"
ptxlit convert "$T/k.litmus" >"$T/columns.litmus"
grep -o 'represents [0-9]*' "$T/columns.litmus"
sed 's/,represents [0-9]*//' "$T/columns.litmus" >"$T/alone.litmus"
for test in k columns alone; do
  echo "$test: $(ptxlit check --quiet "$T/$test.litmus" 2>&1 | head -1)"
done
