# What fix offers is a repair: it orders where that is possible, waits for something, and is PTX.
cd "$T" || exit
head='.version 8.0
.target sm_90
.address_size 64'
# Two blocks add to one word: no change of words orders them. Strong accesses end the race, and the sum is still wrong.
cat >sum.ptx <<EOF
$head
.visible .entry sum(.param .u64 p) { .reg .b64 %a; .reg .b32 %r<3>; ld.param.u64 %a, [p];
ld.global.u32 %r1, [%a];
add.u32 %r2, %r1, 5;
st.global.u32 [%a], %r2; ret; }
EOF
# A load through another proxy: a plain load is the repair. fence.proxy.texture is not PTX.
cat >nc.ptx <<EOF
$head
.visible .entry nc(.param .u64 p) { .reg .b64 %a<6>; .reg .b32 %r<4>; ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x;
mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2; xor.b32 %r2, %r1, 1; mul.wide.u32 %a4, %r2, 4; add.u64 %a5, %a1, %a4;
st.global.u32 [%a3], %r1;
bar.sync 0;
ld.global.nc.u32 %r3, [%a5]; ret; }
EOF
# One warp of two exchanges words: a barrier of the warp is enough, and comes before one of the block.
cat >warp.ptx <<EOF
$head
.visible .entry warp(.param .u64 p) { .reg .pred %q; .reg .b64 %a<6>; .reg .b32 %r<4>; ld.param.u64 %a1, [p];
mov.u32 %r1, %tid.x; setp.ge.u32 %q, %r1, 32; @%q bra END;
mul.wide.u32 %a2, %r1, 4; add.u64 %a3, %a1, %a2; xor.b32 %r2, %r1, 1; mul.wide.u32 %a4, %r2, 4; add.u64 %a5, %a1, %a4;
st.global.u32 [%a3], %r1;
ld.global.u32 %r3, [%a5];
END:
bar.sync 0;
ret; }
EOF
ptxlit fix sum.ptx 'sum<<<2, 1>>>(int s[1])'
ptxlit fix nc.ptx 'nc<<<1, 32>>>(int s[32])'
ptxlit explain nc.ptx 'nc<<<1, 32>>>(int s[32])' | grep -A 4 'texture proxy'
ptxlit fix --ways 0 warp.ptx 'warp<<<1, 64>>>(int s[32])'
# A barrier orders, so two relaxed accesses are not offered. In a cluster it is two instructions.
cat >one.litmus <<'EOF'
PTX one-word
{ x=0; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, 1   | ld.weak r0, x  ;
safe
EOF
ptxlit fix one.litmus
sed 's/cta 0,gpu 0 | P1@cta 0/cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0/; s/one-word/cluster/' one.litmus \
  >cluster.litmus
ptxlit fix --ways 1 cluster.litmus
ptxlit fix -f json --ways 1 cluster.litmus | grep -o '"kind":"[a-z-]*"\|"after":"[^"]*"'
# A wait for a phase that is past ends, and waits for nothing.
cat >nobody.litmus <<'EOF'
PTX nobody-arrives
{ mbarrier m=2; x=0; }
 P0@cta 0,gpu 0                         | P1@cta 0,gpu 0                                  ;
 st.weak x, 1                           | mbarrier.wait.parity.shared::cta.b64 [m], 0     ;
 mbarrier.arrive.shared::cta.b64 _, [m] |                                                 ;
safe
EOF
ptxlit fix --ways 0 nobody.litmus
# What was tried, where nothing helps.
sed 's/P1@cta 0,gpu 0/P1@cta 1,gpu 0/; s/one-word/apart/; s/ld.weak r0, x /red.add.u32 [x], 1 /' one.litmus \
  >apart.litmus
ptxlit fix apart.litmus
