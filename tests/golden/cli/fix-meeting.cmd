# Repairs of who meets where: lanes that execute a barrier apart, counts and masks of those that come, an arrival that
# comes too early, a barrier behind a wait for threads that wait at it.
cd "$T" || exit
head='.version 8.0
.target sm_90
.address_size 64'
cat >arms.ptx <<EOF
$head
.visible .entry arms(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q; .shared .align 4 .b8 s[256];
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r4, %r3, %r2;
cvt.u64.u32 %a2, %r2; add.u64 %a3, %a1, %a2; xor.b32 %r5, %r2, 252; add.u32 %r6, %r3, %r5;
st.shared.u32 [%r4], %r1;
and.b32 %r7, %r1, 1; setp.eq.u32 %q, %r7, 0;
@%q bra EVEN;
bar.sync 0;
bra BOTH;
EVEN:
bar.sync 0;
BOTH:
ld.shared.u32 %r8, [%r6];
st.global.u32 [%a3], %r8;
ret; }
EOF
ptxlit fix arms.ptx 'arms<<<1, 64>>>(int out[64])'
# Only two of the three warps come: the barrier is to count them. The third waits for a flag that is set behind it.
cat >come.ptx <<EOF
$head
.visible .entry come(.param .u64 f) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
ld.param.u64 %a1, [f]; mov.u32 %r1, %tid.x; setp.ge.u32 %q1, %r1, 64;
@%q1 bra POLL;
bar.sync 0;
setp.ne.u32 %q2, %r1, 0;
@%q2 ret;
st.relaxed.gpu.u32 [%a1], 1;
ret;
POLL:
ld.relaxed.gpu.u32 %r2, [%a1];
setp.eq.u32 %q2, %r2, 0;
@%q2 bra POLL;
ret; }
EOF
ptxlit fix come.ptx 'come<<<1, 96>>>(int f[1] = {0})'
# A count that is no multiple of 32.
sed 's/come/half/; s/bar.sync 0/bar.sync 1, 48/; s/, 64;/, 32;/' come.ptx >half.ptx
ptxlit fix half.ptx 'half<<<1, 64>>>(int f[1] = {0})'
# One lane comes to an election of the whole warp; the others wait for it at the barrier.
cat >lane.ptx <<EOF
$head
.visible .entry lane(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; setp.ne.u32 %q1, %r1, 0;
@%q1 bra ALL;
elect.sync _|%q2, 0xffffffff;
@%q2 st.global.u32 [%a1], 1;
ALL:
bar.sync 0;
ret; }
EOF
ptxlit fix lane.ptx 'lane<<<1, 32>>>(int out[1])'
# The mask of an exchange lacks lanes that execute it.
cat >mask.ptx <<EOF
$head
.visible .entry mask(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>;
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2;
shfl.sync.down.b32 %r2, %r1, 1, 31, 0xff;
st.global.u32 [%a3], %r2;
ret; }
EOF
ptxlit check mask.ptx 'mask<<<1, 32>>>(int out[32])'
# The reader frees the slot before it reads it.
cat >slot.ptx <<EOF
$head
.visible .entry slot(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
.shared .align 8 .b8 full[8]; .shared .align 8 .b8 free[8]; .shared .align 4 .b8 tile[4];
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; setp.ne.u32 %q1, %r1, 0;
@%q1 bra BEGUN;
mbarrier.init.shared.b64 [full], 1;
mbarrier.init.shared.b64 [free], 1;
BEGUN:
bar.sync 0;
@%q1 bra READER;
st.shared.u32 [tile], 1;
mbarrier.arrive.shared.b64 _, [full];
W: mbarrier.try_wait.parity.shared.b64 %q2, [free], 0;
@!%q2 bra W;
st.shared.u32 [tile], 2;
ret;
READER:
setp.ne.u32 %q2, %r1, 32;
@%q2 ret;
R: mbarrier.try_wait.parity.shared.b64 %q2, [full], 0;
@!%q2 bra R;
mbarrier.arrive.shared.b64 _, [free];
ld.shared.u32 %r2, [tile];
st.global.u32 [%a1], %r2;
ret; }
EOF
ptxlit fix slot.ptx 'slot<<<1, 64>>>(int out[1])'
# Warp 0 waits for the arrival of warp 1, which waits at the barrier of the cluster to which warp 0 comes later.
cat >circle.ptx <<EOF
$head
.file 1 "/src/circle.cu"
.visible .entry circle(.param .u64 p) .reqnctapercluster 2, 1, 1 { .reg .b32 %r<9>; .reg .pred %q<3>;
.shared .align 8 .b8 done[8];
.loc 1 2 3
mov.u32 %r1, %tid.x; setp.ne.u32 %q1, %r1, 0;
@%q1 bra BEGUN;
mbarrier.init.shared.b64 [done], 1;
BEGUN:
bar.sync 0;
setp.ge.u32 %q1, %r1, 32;
@%q1 bra SECOND;
.loc 1 4 3
W: mbarrier.try_wait.parity.shared.b64 %q2, [done], 0;
@!%q2 bra W;
.loc 1 5 3
barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;
ret;
SECOND:
.loc 1 7 3
barrier.cluster.arrive.aligned;
barrier.cluster.wait.aligned;
setp.ne.u32 %q2, %r1, 32;
@%q2 ret;
.loc 1 8 3
mbarrier.arrive.shared.b64 _, [done];
ret; }
EOF
ptxlit check circle.ptx 'circle<<<2, 64>>>(int out[1])'
ptxlit fix circle.ptx 'circle<<<2, 64>>>(int out[1])'
# Half of a warp comes to ldmatrix: the condition around it goes. Where it guards a store too, it begins after ldmatrix.
cat >half.ptx <<EOF
$head
.visible .entry half(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q; .shared .align 16 .b8 s[128];
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r4, %r3, %r2;
cvt.u64.u32 %a2, %r2; add.u64 %a3, %a1, %a2;
st.shared.u32 [%r4], %r1;
bar.warp.sync 0xffffffff;
and.b32 %r5, %r2, 28; shl.b32 %r5, %r5, 2; add.u32 %r5, %r3, %r5;
mov.u32 %r6, 0; setp.ge.u32 %q, %r1, 16;
@%q bra ALL;
ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r5];
ALL:
bar.warp.sync 0xffffffff;
st.global.u32 [%a3], %r6;
ret; }
EOF
ptxlit fix half.ptx 'half<<<1, 32>>>(int out[32])'
ptxlit fix --format=json half.ptx 'half<<<1, 32>>>(int out[32])' | grep -o '"kind": *"drop"[^}]*'
sed '/^ldmatrix/a st.global.u32 [%a3], %r6;' half.ptx >writes.ptx
ptxlit fix writes.ptx 'half<<<1, 32>>>(int out[32])' | head -n 5
# Two threads arrive at each object of an array: the inits of the array get another count together.
cat >array.ptx <<EOF
$head
.visible .entry array(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
.shared .align 8 .b8 done[16]; .shared .align 4 .b8 tile[16];
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; shl.b32 %r3, %r2, 2; mov.u32 %r4, tile;
add.u32 %r4, %r4, %r3; and.b32 %r5, %r1, 31; setp.ne.u32 %q1, %r1, 0;
@%q1 bra BEGUN;
mbarrier.init.shared.b64 [done], 1;
mbarrier.init.shared.b64 [done+8], 1;
BEGUN:
bar.sync 0;
setp.ne.u32 %q1, %r5, 0;
@%q1 ret;
setp.eq.u32 %q1, %r2, 2;
@%q1 bra READER;
st.shared.u32 [%r4], 1;
mbarrier.arrive.shared.b64 _, [done];
st.shared.u32 [%r4+8], 1;
mbarrier.arrive.shared.b64 _, [done+8];
ret;
READER:
W: mbarrier.try_wait.parity.shared.b64 %q2, [done], 0;
@!%q2 bra W;
ld.shared.u32 %r6, [tile];
ld.shared.u32 %r7, [tile+4];
X: mbarrier.try_wait.parity.shared.b64 %q2, [done+8], 0;
@!%q2 bra X;
ld.shared.u32 %r6, [tile+8];
ld.shared.u32 %r7, [tile+12];
st.global.u32 [%a1], %r7;
ret; }
EOF
ptxlit fix array.ptx 'array<<<1, 96>>>(int out[1])'
# A launch that takes long to read: changes are tried on fewer blocks and threads first.
cat >big.ptx <<EOF
$head
.visible .entry big(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q; .shared .align 4 .b8 s[512];
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r4, %r3, %r2;
xor.b32 %r5, %r4, 4; mov.u32 %r6, %ctaid.x; shl.b32 %r6, %r6, 7; add.u32 %r6, %r6, %r1;
mul.wide.u32 %a2, %r6, 4; add.u64 %a3, %a1, %a2; mov.u32 %r7, 0;
LOOP:
add.u32 %r7, %r7, 1; setp.lt.u32 %q, %r7, 1200;
@%q bra LOOP;
st.shared.u32 [%r4], %r7;
ld.shared.u32 %r8, [%r5];
st.global.u32 [%a3], %r8;
ret; }
EOF
ptxlit fix big.ptx 'big<<<4, 128>>>(int out[512])'
