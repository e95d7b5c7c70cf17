# Kinds of changes of a launch, and words where only other code repairs it.
cd "$T" || exit
head='.version 8.0
.target sm_90
.address_size 64'
# A line is unrolled: its two plain loads become relaxed together, as one change.
cat >slots.ptx <<EOF
$head
.file 1 "/src/slots.cu"
.visible .entry slots(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
.loc 1 2 3
ld.param.u64 %a1, [p]; mov.u32 %r1, %ctaid.x; add.u32 %r2, %r1, 1;
.loc 1 3 5
ld.global.u32 %r3, [%a1];
.loc 1 4 5
setp.ne.u32 %q1, %r3, 0;
@%q1 bra NEXT;
.loc 1 5 7
atom.global.cas.b32 %r4, [%a1], 0, %r2;
ret;
NEXT:
.loc 1 3 5
ld.global.u32 %r3, [%a1+4];
.loc 1 4 5
setp.ne.u32 %q1, %r3, 0;
@%q1 bra END;
.loc 1 5 7
atom.global.cas.b32 %r4, [%a1+4], 0, %r2;
END: ret; }
EOF
ptxlit fix slots.ptx 'slots<<<3, 1>>>(int s[2] = {0, 0})'
# Two readers, one of which frees the slot: both have to, and the object counts both.
cat >free.ptx <<EOF
$head
.visible .entry free(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<5>;
.shared .align 8 .b8 full[8]; .shared .align 8 .b8 used[8]; .shared .align 4 .b8 tile[4];
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2;
setp.ne.u32 %q1, %r1, 0;
@%q1 bra BEGUN;
mbarrier.init.shared.b64 [full], 1;
mbarrier.init.shared.b64 [used], 1;
BEGUN:
bar.sync 0;
@%q1 bra READER;
st.shared.u32 [tile], 1;
mbarrier.arrive.shared.b64 _, [full];
W: mbarrier.try_wait.parity.shared.b64 %q2, [used], 0;
@!%q2 bra W;
st.shared.u32 [tile], 2;
ret;
READER:
and.b32 %r3, %r1, 31; setp.ne.u32 %q3, %r3, 0;
@%q3 ret;
R: mbarrier.try_wait.parity.shared.b64 %q2, [full], 0;
@!%q2 bra R;
ld.shared.u32 %r2, [tile];
setp.gt.u32 %q4, %r1, 32;
@%q4 bra DONE;
mbarrier.arrive.shared.b64 _, [used];
DONE:
st.global.u32 [%a3], %r2;
ret; }
EOF
ptxlit fix free.ptx 'free<<<1, 96>>>(int out[96])'
# The owner of a lock waits at the barrier of the warp for lanes that wait for the lock.
cat >lock.ptx <<EOF
$head
.visible .entry lock(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
ld.param.u64 %a1, [p];
W: atom.acquire.gpu.global.cas.b32 %r2, [%a1], 0, 1; setp.ne.u32 %q1, %r2, 0;
@%q1 bra W;
bar.warp.sync 0xffffffff;
ld.global.u32 %r3, [%a1+4]; add.u32 %r3, %r3, 1; st.global.u32 [%a1+4], %r3;
bar.warp.sync 0xffffffff;
st.release.gpu.global.u32 [%a1], 0;
ret; }
EOF
ptxlit fix lock.ptx 'lock<<<1, 2>>>(int lock[2] = {0, 0})' | grep -v '^[0-9]*[ a-z]*changed\|^masks\|^waits\|^barriers'
# The first thread takes back the value for which the second one waits.
cat >back.ptx <<EOF
$head
.visible .entry back(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
ld.param.u64 %a1, [p]; mov.u32 %r1, %ctaid.x; setp.ne.u32 %q1, %r1, 0;
@%q1 bra W;
st.relaxed.gpu.global.u32 [%a1], 1;
st.relaxed.gpu.global.u32 [%a1], 0;
ret;
W: ld.relaxed.gpu.global.u32 %r2, [%a1]; setp.eq.u32 %q2, %r2, 0;
@%q2 bra W;
ret; }
EOF
ptxlit fix back.ptx 'back<<<2, 1>>>(int f[1] = {0})' | grep -i 'code\|safe'
# Bytes that are polled as one word.
cat >bytes.ptx <<EOF
$head
.visible .entry bytes(.param .u64 p) { .reg .b32 %r<9>; .reg .b16 %h; .reg .b64 %a<9>; .reg .pred %q<3>;
ld.param.u64 %a1, [p]; mov.u32 %r1, %ctaid.x; cvt.u64.u32 %a2, %r1; add.u64 %a3, %a1, %a2; mov.u16 %h, 1;
st.relaxed.gpu.global.u8 [%a3], %h;
W: ld.relaxed.gpu.global.u32 %r2, [%a1]; setp.ne.u32 %q1, %r2, 257;
@%q1 bra W;
ret; }
EOF
ptxlit fix bytes.ptx 'bytes<<<2, 1>>>(uint8_t sig[4] = {0})' | grep -i 'code\|safe'
# A shuffle of the whole warp that some lanes do not reach: the barrier behind it must not move into the branch.
cat >some.ptx <<EOF
$head
.visible .entry some(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2;
setp.ge.u32 %q1, %r1, 40;
@%q1 bra ALL;
st.global.u32 [%a3], %r1;
shfl.sync.down.b32 %r2, %r1, 1, 31, 0xffffffff;
ALL:
bar.warp.sync 0xffffffff;
ret; }
EOF
ptxlit fix some.ptx 'some<<<1, 64>>>(int out[64])' | grep -v 'changed version\|^masks\|^waits\|^barriers'
# Whether a barrier is needed: the copies of one in an unrolled loop are one question, with calls in other lines apart.
cat >loop.ptx <<EOF
$head
.file 1 "/src/loop.cu"
.file 2 "/cuda/sync.hpp"
.visible .entry loop(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .shared .align 4 .b8 s[256];
.loc 1 2 3
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r4, %r3, %r2;
xor.b32 %r5, %r2, 4; add.u32 %r6, %r3, %r5; cvt.u64.u32 %a2, %r2; add.u64 %a3, %a1, %a2;
.loc 1 3 3
bar.sync 0;
.loc 1 4 3
st.shared.u32 [%r4], %r1;
.loc 1 5 3
bar.sync 0;
.loc 1 6 3
ld.shared.u32 %r7, [%r6];
.loc 1 7 3
bar.sync 0;
.loc 1 4 3
st.shared.u32 [%r4], %r7;
.loc 1 5 3
bar.sync 0;
.loc 1 6 3
ld.shared.u32 %r7, [%r6];
.loc 1 7 3
bar.sync 0;
.loc 1 8 3
st.global.u32 [%a3], %r7;
ret; }
EOF
ptxlit fix --weaken loop.ptx 'loop<<<1, 64>>>(int out[64])'
# All lanes of the mask execute the exchanges, and the condition begins behind the last of them, before the store.
cat >tail.ptx <<EOF
$head
.visible .entry tail(.param .u64 p, .param .u32 n) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
ld.param.u64 %a1, [p]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x; mul.wide.u32 %a2, %r2, 4; add.u64 %a3, %a1, %a2;
setp.ge.u32 %q1, %r2, %r1;
@%q1 bra END;
ld.global.u32 %r3, [%a3];
shfl.sync.bfly.b32 %r4, %r3, 1, 31, 0xffffffff;
add.u32 %r3, %r3, %r4;
shfl.sync.bfly.b32 %r4, %r3, 2, 31, 0xffffffff;
add.u32 %r3, %r3, %r4;
st.global.u32 [%a3+128], %r3;
END:
bar.warp.sync 0xffffffff;
ret; }
EOF
ptxlit fix tail.ptx 'tail<<<1, 32>>>(int a[64], 20)'
ptxlit fix --format=json tail.ptx 'tail<<<1, 32>>>(int a[64], 20)' | grep -o '"ways":.*"verdicts"'
# Not past a store before the exchange, which only those with the condition may execute.
sed 's/^shfl.sync.bfly.b32 %r4, %r3, 1, .*/st.global.u32 [%a3+128], 0;/' tail.ptx >early.ptx
ptxlit fix early.ptx 'tail<<<1, 32>>>(int a[64], 20)' | head -n 6
