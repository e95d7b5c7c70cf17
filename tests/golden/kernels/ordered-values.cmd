# Values that barriers and program order leave a word of shared memory (K14): the name of each kernel says which.
kernel() { # NAME THREADS BODY: threads 0 and 32 of block 0; a thread of block 1 raises the flag at %q1
  cat >"$T/k.ptx" <<END
.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 f, .param .u64 o)
{
  .shared .align 16 .b32 s[256];
  .reg .pred %p<4>;
  .reg .b32 %t, %v, %w, %f, %b, %m;
  .reg .b64 %q<5>;
  ld.param.u64 %q1, [f];
  ld.param.u64 %q2, [o];
  mov.u32 %t, %tid.x;
  mov.u32 %b, %ctaid.x;
  setp.eq.u32 %p0, %b, 1;
  @%p0 bra WRITER;
  setp.eq.u32 %p0, %t, 32;
  mov.u32 %v, 9;
  $3
  st.global.u32 [%q2], %v;
  ret;
WRITER:
  ${4:-st.relaxed.sys.global.u32 [%q1], 1;}
  ret;
}
END
  printf 'PTX %s\n{ f[132]; .u32 o[2]; }\nkernel "k.ptx" k(f, o) grid 2 block %s\nexists (o[0]=%s)\n' \
    "$1" "$2" "${asked:-99}" >"$T/k.litmus"
  ptxlit --format=herd "$T/k.litmus" 2>&1 | grep -e '^o\[' -e ^Verdict -e ^Undefined
}
one() { kernel "$1" 1 "$2"; }
two() { kernel "$1" "64 threads 0,0 0,32 1,0" "$2"; }
flag='ld.relaxed.sys.global.u32 %f, [%q1]; setp.eq.u32 %p1, %f, 0;'

# Atomics after and before plain stores of their thread.
one sum-102 'st.shared.u32 [s], 100; red.shared.add.u32 [s], 2; ld.shared.u32 %v, [s];'
one sum-then-3 'st.shared.u32 [s], 100; red.shared.add.u32 [s], 2; st.shared.u32 [s], 3; ld.shared.u32 %v, [s];'
one sum-barrier-102 'st.shared.u32 [s], 100; red.shared.add.u32 [s], 2; bar.sync 0; ld.shared.u32 %v, [s];'
one bytes-512 'st.shared.u32 [s], 0; st.shared.u8 [s+1], 1; red.shared.add.u32 [s], 255; red.shared.add.u32 [s], 1;
  ld.shared.u32 %v, [s];'
one exch-5 'st.shared.u32 [s], 100; atom.shared.exch.b32 %w, [s], 5; ld.shared.u32 %v, [s];'
one cas-5 'st.shared.u32 [s], 100; atom.shared.cas.b32 %w, [s], 100, 5; ld.shared.u32 %v, [s];'
one min-sum-6 'st.shared.u32 [s], 100; red.shared.min.u32 [s], 5; red.shared.add.u32 [s], 1; ld.shared.u32 %v, [s];'
one branches-6 "$flag @%p1 bra B; st.shared.u32 [s], 5; bra J; B: mov.u32 %w, 5; st.shared.u32 [s], %w;
J: red.shared.add.u32 [s], 1; bar.sync 0; ld.shared.u32 %v, [s];"
two branches-of-other-6 "@%p0 bra R; $flag @%p1 bra B; st.shared.u32 [s], 5; bra J;
B: mov.u32 %w, 5; st.shared.u32 [s], %w;
J: red.shared.add.u32 [s], 1; bar.sync 0; ret;
R: bar.sync 0; ld.shared.u32 %v, [s];"
two all-add-12 '@!%p0 st.shared.u32 [s], 10; bar.sync 0; red.shared.add.u32 [s], 1; bar.sync 0; ld.shared.u32 %v, [s];'

# A barrier that is not passed orders nothing: the end of a thread lets it through, or the thread only arrives.
two ended-1-or-7 '@%p0 bra W; st.shared.u32 [s], 1; bar.sync 0; bar.sync 0; ld.shared.u32 %v, [s];
  st.global.u32 [%q2], %v; ret;
W: bar.sync 0; st.shared.u32 [s], 7; ret;'
two may-end-1-or-7 "@%p0 bra W; st.shared.u32 [s], 1; bar.sync 0; bar.sync 0; ld.shared.u32 %v, [s];
  st.global.u32 [%q2], %v; ret;
W: bar.sync 0; st.shared.u32 [s], 7; $flag @%p1 ret; bar.sync 0; ret;"
two unset-ended-0-or-7 '@%p0 bra W; bar.sync 0; ld.shared.u32 %v, [s]; st.global.u32 [%q2], %v; ret;
W: st.shared.u32 [s], 7; ret;'
two unset-passed-7 '@%p0 bra W; bar.sync 0; ld.shared.u32 %v, [s]; st.global.u32 [%q2], %v; ret;
W: st.shared.u32 [s], 7; bar.sync 0; ret;'
two arrived-1-or-7 '@%p0 bra W; bar.sync 0; ld.shared.u32 %v, [s]; bar.sync 1; st.global.u32 [%q2], %v; ret;
W: st.shared.u32 [s], 1; bar.arrive 0, 64; st.shared.u32 [s], 7; bar.sync 1; ret;'

# Paths of a thread, or iterations of a loop, that pass different numbers of barriers.
two diamond-1-or-2 "@%p0 bra W; $flag @%p1 bra J; bar.sync 0;
J: bar.sync 0; ld.shared.u32 %v, [s]; st.global.u32 [%q2], %v; ret;
W: st.shared.u32 [s], 1; bar.sync 0; st.shared.u32 [s], 2; bar.sync 0; ret;"
asked=2 two turns-1-or-2 "@%p0 bra W;
L: bar.sync 0; ld.shared.u32 %v, [s]; bar.sync 0; $flag @%p1 bra L; st.global.u32 [%q2], %v; ret;
W: st.shared.u32 [s], 1; bar.sync 0; bar.sync 0; st.shared.u32 [s], 2; bar.sync 0; bar.sync 0; ret;"

# A copy writes later than it is issued, and more than a word.
one copied-0 'mov.u32 %m, s; st.shared.u32 [s+256], 5; mbarrier.init.shared.b64 [s+512], 1;
  fence.proxy.async.shared::cta; mbarrier.arrive.expect_tx.shared.b64 _, [s+512], 512; add.u32 %w, %m, 512;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%m], [%q1+16], 512, [%w];
L: mbarrier.try_wait.parity.shared.b64 %p1, [s+512], 0; @!%p1 bra L; ld.shared.u32 %v, [s+256];'
kernel peer-0-or-7 '1 cluster 2' 'st.shared.u32 [s], 7; barrier.cluster.arrive; barrier.cluster.wait; ret;' \
  'mov.u32 %w, s; bar.sync 0; mapa.shared::cluster.u32 %w, %w, 0; ld.shared::cluster.u32 %v, [%w];
  st.global.u32 [%q2], %v; barrier.cluster.arrive; barrier.cluster.wait;'
multicast='mov.u32 %m, s; st.shared.u32 [s], 5; mbarrier.init.shared.b64 [s+128], 1;
  fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;
  mbarrier.arrive.expect_tx.shared.b64 _, [s+128], 16; barrier.cluster.arrive; barrier.cluster.wait;'
wait='mbarrier.try_wait.parity.shared.b64 %p1, [s+128], 0; @!%p1 bra'
leave='barrier.cluster.arrive; barrier.cluster.wait;'
kernel multicast-0 '1 cluster 2' "$multicast add.u32 %w, %m, 128;
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%m], [%q1], 16, [%w], 3;
L: $wait L; $leave ret;" "$multicast
M: $wait M; ld.shared.u32 %v, [s]; st.global.u32 [%q2], %v; $leave"
