# Tests as a program for a GPU: through a texture, the constant bank and an array; two GPUs, and grids of one stream; an
# operation on an mbarrier without space and type, a copy through the async proxy and its fence; arithmetic that has no
# words of its own. And what cannot be run.
cat >$T/images.litmus <<'END'
PTX images
{ x=0; t @ texture aliases x; .u16 y=1; c @ constant aliases y; z=0; s @ surface aliases z; u @ texture aliases z; }
 P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;
 st.weak x, 1   | sust s, 1      ;
 tld.weak r0, t | suld r0, s     ;
 cold.u16 r1, c | tld r1, u      ;
exists (0:r0=0 /\ z=1)
END
cat >$T/two-gpus.litmus <<'END'
PTX two-gpus
{ x=0; }
 P0@cta 0,gpu 0      | P1@cta 0,gpu 1      ;
 st.relaxed.sys x, 1 | ld.relaxed.sys r0, x ;
exists (1:r0=0)
END
cat >$T/grids.litmus <<'END'
PTX grids
{ x=0; grid 1 after grid 0; }
 P0@cta 0,grid 0                  | P1@cta 0,grid 1     ;
 griddepcontrol.launch_dependents | griddepcontrol.wait ;
 st.weak x, 1                     | ld.weak r0, x       ;
exists (1:r0=0)
END
cat >$T/copy.litmus <<'END'
PTX copy
{ .b128 x=1; .shared .b128 s=0; mbarrier b=1; 0:r3=1; 0:r4=2; }
 P0@cta 0,cluster 0 | P1@cta 1,cluster 0 ;
 setp.eq.u32 p0, r3, 1 | ;
 mbarrier.arrive.expect_tx.shared::cta.b64 r1, [b], 16 | mbarrier.wait.parity [b], 0 ;
 @p0 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [s], [x], 16, [b] | fence.proxy.async.shared::cta ;
 mbarrier.test_wait p1, [b], r1 | cp.async.bulk.global.shared::cta.bulk_group [x], [s], 16 ;
 mad.lo.u32 r2, r3, 3, r4 | cp.async.bulk.commit_group ;
 cvt.s64.s8 r5, r2 | cp.async.bulk.wait_group.read 0 ;
exists (0:r5=0)
END
cat >$T/no.litmus <<'END'
PTX no
{ .shared .b16 x[8]; }
 P0@cta 0,warp 0,lane 0                                  ;
 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r0},[x,{0}],1 ;
exists (0:r0=0)
END
try run $T/images.litmus $T/two-gpus.litmus $T/grids.litmus $T/copy.litmus $T/no.litmus -o $T/to/program --parts 1
sed -n '/namespace {/,/^const test/p' $T/to/program/part0.cu
