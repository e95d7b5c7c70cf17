# Of a launch whose module notes lines, fix adds statements of the source, and proves each on the changed module.
cd "$T" || exit
head='.version 8.0
.target sm_90
.address_size 64
.file 1 "/src/k.cu"'
# Line 3 stores, line 4 loads. nvcc has copied line 4: thread 63 has the value, and the others load it. A barrier of
# line 4 is two in the module, and one instruction.
cat >split.ptx <<EOF
$head
.visible .entry split(.param .u64 p) { .reg .pred %q; .reg .b64 %a<4>; .reg .b32 %r<6>; .shared .align 4 .u32 s;
.loc 1 2 3
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2;
setp.eq.u32 %q, %r1, 63;
@%q bra STORES;
bra.uni LOADS;
STORES:
.loc 1 3 5
mov.u32 %r2, 7;
st.shared.u32 [s], %r2;
bra.uni BOTH;
LOADS:
.loc 1 4 3
ld.shared.u32 %r2, [s];
BOTH:
st.global.u32 [%a3], %r2;
ret; }
EOF
ptxlit fix split.ptx 'split<<<1, 64>>>(int out[64])'
ptxlit fix -f json split.ptx 'split<<<1, 64>>>(int out[64])' | grep -o '"ways":.*"verdicts"'
# A tree in a warp: a barrier before each level, and one alone does not do. The function was inlined.
cat >tree.ptx <<EOF
$head
.visible .entry tree(.param .u64 p) { .reg .pred %q<4>; .reg .b64 %a<4>; .reg .b32 %r<9>; .shared .align 4 .b8 s[128];
.loc 1 9 1
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2;
shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r4, %r3, %r2;
setp.lt.u32 %q1, %r1, 16; setp.lt.u32 %q2, %r1, 8;
.loc 1 2 3, function_name $L__info_string0, inlined_at 1 9 1
st.shared.u32 [%r4], %r1;
.loc 1 3 3, function_name $L__info_string0, inlined_at 1 9 1
@!%q1 bra SECOND;
ld.shared.u32 %r5, [%r4+64];
st.shared.u32 [%r4], %r5;
SECOND:
.loc 1 4 3, function_name $L__info_string0, inlined_at 1 9 1
@!%q2 bra LAST;
ld.shared.u32 %r6, [%r4+32];
st.global.u32 [%a3], %r6;
LAST:
ret; }
EOF
ptxlit fix tree.ptx 'tree<<<1, 32>>>(int out[32])'
# A barrier that warp 0 alone passes makes it pass the next one out of step: not one more barrier, but that one less.
cat >step.ptx <<EOF
$head
.visible .entry step(.param .u64 p) { .reg .pred %q; .reg .b64 %a<4>; .reg .b32 %r<9>; .shared .align 4 .b8 s[256];
.loc 1 2 3
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2;
shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r4, %r3, %r2; xor.b32 %r5, %r2, 252; add.u32 %r6, %r3, %r5;
setp.ge.u32 %q, %r1, 32;
@%q bra REST;
.loc 1 3 5
bar.sync 0;
REST:
.loc 1 4 3
st.shared.u32 [%r4], %r1;
.loc 1 5 3
bar.sync 0;
.loc 1 6 3
ld.shared.u32 %r7, [%r6];
st.global.u32 [%a3], %r7;
.loc 1 7 3
bar.sync 0;
ret; }
EOF
ptxlit fix step.ptx 'step<<<1, 64>>>(int out[64])'
# Counts: half of the block arrives and half waits, and the barrier counts 64 of 128 threads.
cat >count.ptx <<EOF
$head
.visible .entry count(.param .u64 p) { .reg .pred %q; .reg .b64 %a<4>; .reg .b32 %r<9>; .shared .align 4 .b8 s[256];
.loc 1 2 3
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; and.b32 %r8, %r1, 63; mul.wide.u32 %a2, %r8, 4; add.u64 %a3, %a1, %a2;
shl.b32 %r2, %r8, 2; mov.u32 %r3, s; add.u32 %r4, %r3, %r2; setp.ge.u32 %q, %r1, 64;
@%q bra LOADS;
.loc 1 3 5
st.shared.u32 [%r4], %r1;
bar.arrive 1, 64;
ret;
LOADS:
.loc 1 4 5
bar.sync 1, 64;
ld.shared.u32 %r7, [%r4];
st.global.u32 [%a3], %r7;
ret; }
EOF
ptxlit fix count.ptx 'count<<<1, 128>>>(int out[64])'
# A message to another block. To relax its data would end the race, and the data could still be old: fences order.
cat >mail.ptx <<EOF
$head
.visible .entry mail(.param .u64 p, .param .u64 f) { .reg .pred %q<3>; .reg .b64 %a<4>; .reg .b32 %r<9>;
.loc 1 2 3
ld.param.u64 %a1, [p]; ld.param.u64 %a2, [f]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, 1; setp.eq.u32 %q1, %r1, 1;
@%q1 bra READS;
.loc 1 3 5
st.global.u32 [%a1], %r2;
.loc 1 4 5
st.volatile.global.u32 [%a2], %r2;
ret;
READS:
.loc 1 6 5
ld.volatile.global.u32 %r3, [%a2];
setp.ne.u32 %q2, %r3, 1;
@%q2 bra READS;
.loc 1 7 5
ld.global.u32 %r4, [%a1];
.loc 1 8 5
st.global.u32 [%a1+4], %r4;
ret; }
EOF
ptxlit fix mail.ptx 'mail<<<2, 1>>>(int d[2], int f = 0)'
# A shuffle that some lanes never come to: no barrier ends that.
cat >part.ptx <<EOF
$head
.visible .entry part(.param .u64 p) { .reg .pred %q; .reg .b64 %a<4>; .reg .b32 %r<9>;
.loc 1 2 3
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2; setp.ge.u32 %q, %r1, 8;
@%q bra REST;
.loc 1 3 5
shfl.sync.down.b32 %r2, %r1, 1, 31, -1;
st.global.u32 [%a3], %r2;
REST:
.loc 1 4 3
bar.warp.sync -1;
ret; }
EOF
ptxlit fix part.ptx 'part<<<1, 32>>>(int out[32])'
# Line 2 heads the loop, which stores; line 4 loads what others stored. No barrier is added before the head: control
# comes there again after the loop, where no statement before it stands.
cat >head.ptx <<EOF
$head
.visible .entry head(.param .u64 p, .param .u32 n) { .reg .pred %q; .reg .b64 %a<4>; .reg .b32 %r<9>;
.shared .align 4 .b8 s[128];
.loc 1 1 1
ld.param.u64 %a1, [p]; ld.param.u32 %r7, [n]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2;
shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r4, %r3, %r2; xor.b32 %r5, %r2, 124; add.u32 %r6, %r3, %r5;
mov.u32 %r8, 0;
LOOP:
.loc 1 3 5
st.shared.u32 [%r4], %r8;
.loc 1 2 3
add.u32 %r8, %r8, 1;
setp.lt.u32 %q, %r8, %r7;
@%q bra LOOP;
.loc 1 4 3
ld.shared.u32 %r1, [%r6];
st.global.u32 [%a3], %r1;
ret; }
EOF
ptxlit fix head.ptx 'head<<<1, 32>>>(int out[32], 2)'
# Is this barrier needed? Line 4 is: another thread loads what was stored. Line 6 is not.
sed -e 's/^\.loc 1 4 3$/.loc 1 4 3\nbar.sync 0;\n.loc 1 5 3/' \
  -e 's/^ret; }$/.loc 1 6 3\nbar.sync 0;\nret; }/' head.ptx >needed.ptx
ptxlit fix --weaken needed.ptx 'head<<<1, 32>>>(int out[32], 2)'
# Advice follows the places: two lanes of a warp; two blocks with a flag that exists.
ptxlit explain head.ptx 'head<<<1, 32>>>(int out[32], 2)' | grep -A 2 'to order them'
ptxlit explain mail.ptx 'mail<<<2, 1>>>(int d[2], int f = 0)' | grep -A 3 'missing\|to order them\|needed'
# A stronger word for an access, in PTX and in CUDA C++.
cat >flag.ptx <<'EOF'
.version 8.0
.target sm_90
.address_size 64
.file 1 "/src/flag.cu"
.visible .entry flag(.param .u64 d, .param .u64 f, .param .u64 o) { .reg .b32 %r<4>; .reg .b64 %a<4>; .reg .pred %q;
.loc 1 2 3
ld.param.u64 %a1, [d]; ld.param.u64 %a2, [f]; ld.param.u64 %a3, [o]; mov.u32 %r1, %ctaid.x; setp.ne.u32 %q, %r1, 0;
@%q bra READ;
.loc 1 3 3
st.global.u32 [%a1], 1;
.loc 1 4 3
st.relaxed.gpu.global.u32 [%a2], 1;
ret;
READ:
.loc 1 6 3
ld.acquire.gpu.global.u32 %r2, [%a2]; setp.eq.u32 %q, %r2, 0;
@%q bra READ;
.loc 1 7 3
ld.global.u32 %r3, [%a1];
.loc 1 8 3
st.global.u32 [%a3], %r3;
ret; }
EOF
ptxlit fix flag.ptx 'flag<<<2, 1>>>(int d[1], int f[1] = {0}, int o[1])'
# The line of a loop's body follows itself, once for each turn: the statement is before each copy. Not before the second
# condition of one copy, nor where the copies do not begin with a condition.
cat >turns.ptx <<'EOF'
.version 8.0
.target sm_90
.address_size 64
.file 1 "/src/turns.cu"
.visible .entry turns(.param .u64 p) { .reg .b32 %r<9>; .reg .b64 %a<9>; .reg .pred %q<9>; .shared .align 4 .b8 s[128];
.loc 1 3 3
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r4, %r3, %r2;
st.shared.u32 [%r4], %r1;
.loc 1 4 3
bar.warp.sync 0xffffffff;
.loc 1 6 5
setp.gt.u32 %q1, %r1, 1;
@%q1 bra ONE;
setp.gt.u32 %q2, %r1, 28;
@%q2 bra ONE;
ld.shared.u32 %r5, [%r4];
ld.shared.u32 %r6, [%r4+8];
add.u32 %r5, %r5, %r6;
st.shared.u32 [%r4], %r5;
ONE:
setp.gt.u32 %q3, %r1, 0;
@%q3 bra TWO;
setp.gt.u32 %q4, %r1, 28;
@%q4 bra TWO;
ld.shared.u32 %r5, [%r4];
ld.shared.u32 %r6, [%r4+4];
add.u32 %r5, %r5, %r6;
st.shared.u32 [%r4], %r5;
TWO:
.loc 1 7 3
setp.ne.u32 %q5, %r1, 0;
@%q5 bra END;
ld.shared.u32 %r5, [%r4];
st.global.u32 [%a1], %r5;
END:
ret; }
EOF
ptxlit fix turns.ptx 'turns<<<1, 32>>>(int out[1])'
