# Two mistakes in one kernel, which two changes of different kinds repair.
cd "$T" || exit
head='.version 8.0
.target sm_90
.address_size 64'
# No barrier between the halves, and no fence between the tile and the copy of it. Each alone leaves the other.
cat >two.ptx <<EOF
$head
.file 1 "/src/two.cu"
.visible .entry two(.param .u64 in, .param .u64 out) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
.shared .align 16 .b8 part[256]; .shared .align 16 .b8 tile[256];
.loc 1 3 3
ld.param.u64 %a1, [in]; ld.param.u64 %a2, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %a3, %r1, 4; add.u64 %a4, %a1, %a3;
shl.b32 %r2, %r1, 2; mov.u32 %r3, part; add.u32 %r4, %r3, %r2; mov.u32 %r5, tile; add.u32 %r6, %r5, %r2;
ld.global.u32 %r7, [%a4];
st.shared.u32 [%r4], %r7;
.loc 1 4 3
xor.b32 %r8, %r4, 252;
ld.shared.u32 %r7, [%r8];
st.shared.u32 [%r6], %r7;
.loc 1 5 3
bar.sync 0;
.loc 1 6 3
setp.ne.u32 %q1, %r1, 0;
@%q1 bra END;
.loc 1 7 5
cp.async.bulk.global.shared::cta.bulk_group [%a2], [%r5], 256;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group.read 0;
END:
ret; }
EOF
ptxlit fix two.ptx 'two<<<1, 64>>>(int in[], int out[])'
# Both arms of a warp need a barrier that is not aligned; what is left then is that all threads store their result.
cat >arms.ptx <<EOF
$head
.visible .entry arms(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.eq.u32 %q1, %r2, 0;
@%q1 bra EVEN;
bar.sync 0;
bra STORE;
EVEN:
bar.sync 0;
STORE:
st.global.u32 [%a1], %r1;
ret; }
EOF
ptxlit fix arms.ptx 'arms<<<1, 32>>>(int a[1])'
ptxlit fix --format=json arms.ptx 'arms<<<1, 32>>>(int a[1])'
# To make a racing access relaxed is no step: what is left is that it orders nothing.
cat >flag.ptx <<EOF
$head
.visible .entry flag(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<3>;
ld.param.u64 %a1, [p]; mov.u32 %r1, %ctaid.x; setp.ne.u32 %q1, %r1, 0;
@%q1 bra READ;
st.global.u32 [%a1], 1;
st.global.u32 [%a1+4], 1;
ret;
READ:
ld.global.u32 %r2, [%a1+4];
ld.global.u32 %r3, [%a1];
st.global.u32 [%a1+8], %r3;
ret; }
EOF
ptxlit fix flag.ptx 'flag<<<2, 1>>>(int a[3])'
