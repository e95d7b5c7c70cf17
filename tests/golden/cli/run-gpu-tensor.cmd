# Tensor cores as a program for a GPU: a thread is a warp, or four; matrices hold one number; tcgen05 is in a file for
# sm_100a. What cannot run is named.
try run litmus/async/wgmma+store+fence.proxy.async.litmus litmus/async/tmem+no-after.litmus \
  litmus/async/tcgen05+st+ld.litmus -o $T/program --parts 1
for part in sm_90a sm_100a; do
  grep -e '^  {.*0x' -e 'group = ' $T/program/$part.cu
  sed -n '/int role/,/^  }/p; /void play/,/^  }/p' $T/program/$part.cu | grep -v '[.]reg'
done
cat >$T/both-groups.litmus <<'STOP'
PTX both-groups
{ .shared .u32 slot=0; }
 P0@cta 0,cluster 0 ;
 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32 ;
 ld.shared.u32 r0, [slot] ;
 tcgen05.dealloc.cta_group::2.sync.aligned.b32 r0, 32 ;
exists (0:r0=1)
STOP
cat >$T/packed.litmus <<'STOP'
PTX packed
{ .tmem .u32 d=0; }
 P0@cta 0 ;
 tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {r0}, [d] ;
 tcgen05.wait::ld.sync.aligned ;
exists (0:r0=1)
STOP
cat >$T/initial.litmus <<'STOP'
PTX initial
{ .tmem .u32 d=1; }
 P0@cta 0 ;
 tcgen05.ld.sync.aligned.32x32b.x1.b32 {r0}, [d] ;
 tcgen05.wait::ld.sync.aligned ;
exists (0:r0=1)
STOP
cat >$T/branches.litmus <<'STOP'
PTX branches
{ .shared .b128 a=1; .shared .b128 b=1; }
 P0@cta 0 ;
 wgmma.fence.sync.aligned ;
 wgmma.mma_async.sync.aligned r0, [a], [b] ;
 wgmma.commit_group.sync.aligned ;
 wgmma.wait_group.sync.aligned 0 ;
 setp.eq.u32 p0, r0, 0 ;
 @p0 bra END ;
END: ;
exists (0:r0=1)
STOP
try run $T/both-groups.litmus $T/packed.litmus $T/initial.litmus $T/branches.litmus -o $T/refused
