# Exchanges of lanes that stand behind columns (K5): what they bring counts where constants give it, and is left out
# where nothing depends on it; who brings something else that decides a result becomes a column.
module() { # BODY: %r1 the thread, %r2 the block, %rd1 the flags, %rd2 the data
  cat >"$T/k.ptx" <<END
.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 f, .param .u64 d)
{
  .reg .pred %p<4>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [f];
  ld.param.u64 %rd2, [d];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd5, %rd2, %rd3;
  $1
  ret;
}
END
}
launch() { # THREADS FLAGS DATA
  printf 'PTX k\n{ int f[%s]; int d[%s]; }\nkernel "k.ptx" k(f, d)\ngrid 2 block %s threads grouped\nsafe\n' \
    "$2" "$3" "$1" >"$T/k.litmus"
  try --quiet "$T/k.litmus"
}

# Block 1 writes d[0] and d[1] and raises two flags. Of a whole warp of block 0, lanes 0 and 1 poll them; all vote, and
# read. The others bring true, which decides nothing.
poll() { # LOAD
  module "setp.eq.u32 %p0, %r2, 0; @%p0 bra READER; setp.gt.u32 %p0, %r1, 1; @%p0 ret;
  st.global.u32 [%rd5], 7; st.release.gpu.global.u32 [%rd4], 1; ret;
READER: mov.u32 %r3, 1; setp.gt.u32 %p0, %r1, 1; @%p0 bra VOTE;
  $1 %r3, [%rd4];
VOTE: setp.eq.u32 %p1, %r3, 1; vote.sync.all.pred %p2, %p1, -1; @!%p2 bra READER;
  setp.gt.u32 %p0, %r1, 1; @%p0 ret; ld.global.u32 %r4, [%rd5];"
}
echo "some lanes poll, all vote"
poll ld.acquire.gpu.global.u32
launch 32 2 2
echo "the same without acquire"
poll ld.relaxed.gpu.global.u32
launch 32 2 2

# Lane 0 adds for its warp and tells all; each writes its own element, or all write the first of these.
echo "one lane adds for all"
add='setp.ne.u32 %p0, %r1, 0; @%p0 bra TAKE; atom.global.add.u32 %r3, [%rd1], 32;
TAKE: shfl.sync.idx.b32 %r3, %r3, 0, 31, -1;'
store='mul.wide.u32 %rd6, %r3, 4; add.u64 %rd6, %rd2, %rd6; st.global.u32 [%rd6], %r1;'
module "$add add.u32 %r3, %r3, %r1; $store"
launch 32 1 64
module "$add $store"
launch 32 1 64

# Each of eight lanes polls a flag of its own, and the last one then reads what thread 5 of block 1 wrote: 1 to 6 are
# columns of block 0 for what they bring. A vote orders no values (G7), bar.warp.sync does (B7). Where thread 5 raises
# no flag, they wait for ever.
all() { # THREAD: of block 1, which raises no flag; BARRIER
  module "setp.eq.u32 %p0, %r2, 0; @%p0 bra READER;
  setp.eq.u32 %p1, %r1, 5; @%p1 st.global.u32 [%rd2], 7; setp.eq.u32 %p1, %r1, $1; @%p1 ret;
  st.release.gpu.global.u32 [%rd4], 1; ret;
READER: ld.acquire.gpu.global.u32 %r3, [%rd4];
  setp.eq.u32 %p1, %r3, 1; vote.sync.all.pred %p2, %p1, 255; @!%p2 bra READER;
  $2 setp.eq.u32 %p0, %r1, 7; @%p0 ld.global.u32 %r4, [%rd2];"
}
echo "all lanes poll"
all 8 'bar.warp.sync 255;'
launch 8 8 1
all 8
launch 8 8 1
all 5 'bar.warp.sync 255;'
launch 8 8 1

# Lane 1 alone asks what the vote says: not all can have seen 1, as f[0] is never 1. What lane 0 brings decides.
echo "a lane brings what it does not ask for"
module "setp.eq.u32 %p0, %r2, 0; @%p0 bra VOTER; setp.ne.u32 %p0, %r1, 0; @%p0 ret;
  st.relaxed.gpu.global.u32 [%rd1], 2; st.relaxed.gpu.global.u32 [%rd1+4], 1; st.global.u32 [%rd2], 2; ret;
VOTER: ld.relaxed.gpu.global.u32 %r3, [%rd4];
  setp.eq.u32 %p1, %r3, 1; vote.sync.all.pred %p2, %p1, 3; setp.eq.u32 %p0, %r1, 0; @%p0 ret;
  @%p2 st.global.u32 [%rd2], 1;"
launch 2 2 1
